// Holds what content_references.h finds in the sources of a project and of core to the compiler's
// index of it: `reference_compare PROJECT CORE DATA`. Prints each difference; exits with 1 when
// there is any. For test_references.py.
#include <stdio.h>
#include <string.h>

#include "content/references/known_modules.h"
#include "content/references/reference_index.h"
#include "foundation/container/hash_map.h"
#include "foundation/error.h"
#include "foundation/memory/memory.h"
#include "foundation/string/string_id.h"
#include "resource/data_index.h"
#include "script/script_modules.h"

static uint64_t key_of(const char *file, const char *type, const char *name, uint32_t line,
                       uint32_t column) {
    char text[2048];
    snprintf(text, sizeof(text), "%s:%u:%u: %s %s", file, line, column, type, name);
    return ct_string_id64_of(text).value;
}

static uint32_t num_failures, num_matches;

static void fail(const char *what, const char *file, uint32_t line, uint32_t column,
                 const char *type, const char *name) {
    printf("%s:%u:%u: %s \"%s\": %s\n", file, line, column, type, name, what);
    ++num_failures;
}

// Notes what the compiler knows, and checks that it was found.
static void compare_entry(const ct_data_index *compiled, const ct_data_index_entry *entry,
                          const ct_hash_map *found, ct_hash_map *known) {
    const ct_data_index_reference *const references =
        ct_blob_at(compiled, entry->references.offset);
    const ct_data_index_include *const includes = ct_blob_at(compiled, entry->includes.offset);
    const ct_data_index_type *const types = ct_blob_at(compiled, compiled->types.offset);
    ct_hash_map_set(known, key_of(ct_blob_at(compiled, entry->source.offset), "", "", 0, 0), 1);
    for (uint32_t i = 0; i < entry->references.count; ++i) {
        const ct_data_index_reference *const r = &references[i];
        const char *const file = ct_blob_at(compiled, includes[r->include].path.offset);
        const char *const type = ct_blob_at(compiled, types[r->type].name.offset);
        const char *const name = ct_blob_at(compiled, r->name.offset);
        const uint64_t key = key_of(file, type, name, r->line, r->column);
        // It keeps the first of several references of a file to one resource.
        ct_hash_map_set(known, key_of(file, type, name, 0, 0), 1);
        ++num_matches;
        if (!ct_hash_map_find(found, key))
            fail("only the compiler knows it", file, r->line, r->column, type, name);
    }
}

// False for scripts, which refer to what they need when they run, not when they are compiled, and
// for variants of another platform.
static bool is_compiled(const ct_hash_map *known, const char *path) {
    const size_t length = strlen(path);
    const bool is_lua = length > 4 && strcmp(path + length - 4, ".lua") == 0;
    return !is_lua && ct_hash_map_find(known, key_of(path, "", "", 0, 0));
}

static void each_found(const ct_reference_index *index, ct_hash_map *found,
                       const ct_hash_map *known) {
    for (uint32_t f = 0; f < index->files.count; ++f) {
        const ct_reference_file *const file = &ct_reference_files(index)[f];
        const char *const path = ct_reference_text(index, file->path);
        for (uint32_t i = 0; i < file->num_mentions; ++i) {
            const ct_reference_mention *const m =
                &ct_reference_mentions(index)[file->first_mention + i];
            if (m->kind != CT_MENTION_KIND_RESOURCE)
                continue;
            const char *const type = ct_reference_type(m)->name;
            const char *const name = ct_reference_text(index, m->name);
            if (!known)
                ct_hash_map_set(found, key_of(path, type, name, m->line, m->column), 1);
            else if (is_compiled(known, path) &&
                     !ct_hash_map_find(known, key_of(path, type, name, 0, 0)))
                fail("the compiler does not know it", path, m->line, m->column, type, name);
        }
    }
}

int main(int argc, char **argv) {
    if (argc != 4)
        return 2;
    ct_memory_init();
    uint32_t num_modules;
    const ct_lua_module *const *const modules = ct_script_modules(&num_modules);
    ct_known_modules_set(modules, num_modules);
    ct_allocator *const a = ct_memory_heap();
    ct_error error = {0};
    const ct_reference_index *const index = ct_reference_index_update(
        &(ct_reference_index_desc){.allocator = a, .project = argv[1], .core = argv[2]}, &error);
    const ct_data_index *const compiled = index ? ct_data_index_read(a, argv[3], &error) : NULL;
    if (!compiled) {
        printf("%s\n", error.message);
        return 2;
    }
    ct_hash_map found = {.allocator = a}, known = {.allocator = a};
    each_found(index, &found, NULL);
    const ct_data_index_entry *const entries = ct_blob_at(compiled, compiled->entries.offset);
    for (uint32_t i = 0; i < compiled->entries.count; ++i)
        compare_entry(compiled, &entries[i], &found, &known);
    each_found(index, &found, &known);
    ct_hash_map_free(&found);
    ct_hash_map_free(&known);
    ct_free(a, (void *)(uintptr_t)index);
    ct_free(a, (void *)(uintptr_t)compiled);
    ct_memory_shutdown();
    printf("%u references of the compiler, %u differences\n", num_matches, num_failures);
    return num_failures > 0;
}
