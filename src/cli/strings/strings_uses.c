#include "cli/strings/strings_uses.h"

#include <stdio.h>
#include <string.h>

#include "content/references/lua_literals.h"
#include "foundation/error.h"
#include "foundation/os/file.h"
#include "foundation/os/path.h"
#include "foundation/string/string_builder.h"
#include "resource/schema/schema.h"
#include "resource/types/resource_types.h"

// A key of one resource or several, by its text.
typedef struct known_key {
    const char *key;
    bool is_used;
} known_key;

typedef struct uses {
    ct_strings_check *check;
    CT_ARRAY(known_key) keys;
    ct_hash_map by_key;            // from a key's hash to its place
    CT_ARRAY(const char *) starts; // that literals have before `..`
    CT_ARRAY(const char *) names;  // of all keys, for guesses
    const char *path;              // of the source in hand
} uses;

static known_key *find_key(const uses *u, const char *key) {
    const uint64_t *const place = ct_hash_map_find(&u->by_key, ct_string_id64_of(key).value);
    return place ? &u->keys.items[*place] : NULL;
}

static void collect_keys(uses *u) {
    for (uint32_t i = 0; i < u->check->files.count; ++i) {
        const ct_strings_file *const file = &u->check->files.items[i];
        for (uint32_t k = 0; file->doc && k < file->source.texts.count; ++k) {
            const char *const key = file->source.texts.items[k].key;
            if (find_key(u, key))
                continue;
            ct_hash_map_set(&u->by_key, ct_string_id64_of(key).value, u->keys.count);
            ct_array_push(&u->keys, (known_key){.key = key});
            ct_array_push(&u->names, key);
        }
    }
}

static void mention(uses *u, const char *text) {
    known_key *const known = find_key(u, text);
    if (known)
        known->is_used = true;
}

// --- Sources -------------------------------------------------------------------------------------

static void visit_literal(void *user, const ct_lua_literal *literal) {
    uses *const u = user;
    mention(u, literal->text);
    if (literal->is_start) {
        if (literal->text[0])
            ct_array_push(&u->starts, ct_copy_string(u->check->allocator, literal->text));
        return;
    }
    if (!literal->is_key || find_key(u, literal->text))
        return;
    char message[CT_ERROR_MESSAGE_BYTES];
    const char *const nearest = ct_nearest_name(literal->text, u->names.items, u->names.count);
    snprintf(message, sizeof(message), "is missing in all strings%s%.255s%s",
             nearest ? "; did you mean \"" : "", nearest ? nearest : "", nearest ? "\"?" : "");
    ct_strings_check_add(u->check, &(ct_strings_finding){.kind = CT_STRINGS_FINDING_UNKNOWN,
                                                         .group = u->check->groups.count,
                                                         .key = literal->text,
                                                         .file = u->path,
                                                         .line = literal->line,
                                                         .column = literal->column,
                                                         .message = message});
}

// Documents end with their reader's depth.
static void mention_values(uses *u, const ct_sjson *doc, ct_sjson_value container) {
    for (ct_sjson_value v = ct_sjson_first(doc, container); v.entry; v = ct_sjson_next(doc, v)) {
        if (ct_sjson_type_of(doc, v) == CT_SJSON_TYPE_STRING)
            mention(u, ct_sjson_string(doc, v, ""));
        mention_values(u, doc, v);
    }
}

static bool visit(void *user, const ct_found_file *found) {
    uses *const u = user;
    const char *const type = ct_path_extension(found->path);
    char path[CT_PATH_BYTES];
    if (strncmp(found->path, "core/", 5) == 0 || strcmp(type, "strings") == 0 ||
        !ct_resource_type_named(type) || !ct_path_try_join(path, u->check->project, found->path))
        return true;
    u->path = found->path;
    if (strcmp(type, "lua") == 0) {
        uint64_t bytes;
        char *const text = ct_file_read(u->check->heap, path, &bytes, NULL);
        if (text)
            ct_lua_literals(u->check->heap, text, bytes, visit_literal, u);
        ct_free(u->check->heap, text);
        return true;
    }
    ct_sjson *const doc = ct_sjson_read(u->check->heap, path, found->path, NULL);
    if (doc)
        mention_values(u, doc, ct_sjson_root(doc));
    ct_sjson_free(doc);
    return true;
}

// --- What is left over ---------------------------------------------------------------------------

static bool has_start(const uses *u, const char *key) {
    for (uint32_t i = 0; i < u->starts.count; ++i) {
        if (strncmp(key, u->starts.items[i], strlen(u->starts.items[i])) == 0)
            return true;
    }
    return false;
}

// Tells the keys of a file that nothing mentions and no file of the resource before it has.
static void add_unused(uses *u, uint32_t group, uint32_t file_at) {
    ct_strings_check *const check = u->check;
    const uint32_t first = check->groups.items[group].first_of_resource;
    const ct_strings_file *const file = &check->files.items[file_at];
    for (uint32_t i = 0; file->doc && i < file->source.texts.count; ++i) {
        const ct_strings_source_text *const text = &file->source.texts.items[i];
        const known_key *const known = find_key(u, text->key);
        if (known->is_used || has_start(u, text->key) ||
            ct_strings_has_before(check, first, file_at, text->key))
            continue;
        ct_strings_finding f = {.kind = CT_STRINGS_FINDING_UNUSED,
                                .group = group,
                                .key = text->key,
                                .file = file->path,
                                .message = "is not mentioned anywhere"};
        ct_sjson_position(file->doc, text->at, &f.line, &f.column);
        ct_strings_check_add(check, &f);
    }
}

bool ct_strings_uses_check(ct_strings_check *check, ct_error *error) {
    uses u = {.check = check};
    ct_array_init(&u.keys, check->allocator);
    ct_array_init(&u.starts, check->allocator);
    ct_array_init(&u.names, check->allocator);
    ct_hash_map_init(&u.by_key, check->allocator);
    collect_keys(&u);
    if (!ct_folder_walk(check->project, visit, &u, error))
        return false;
    for (uint32_t i = 0; i < check->groups.count; ++i) {
        const ct_strings_group *const g = &check->groups.items[i];
        for (uint32_t k = 0; k < g->num_files; ++k)
            add_unused(&u, i, g->first_file + k);
    }
    return true;
}
