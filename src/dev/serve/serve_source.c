#include "dev/serve/serve_source.h"

#include <stdio.h>
#include <string.h>

#include "foundation/os/file.h"
#include "foundation/os/os.h"
#include "resource/blob/content_hash.h"
#include "resource/catalog.h"
#include "resource/data_index.h"

void ct_serve_source_init(ct_serve_source *s, ct_allocator *a, const char *name,
                          const char *folder) {
    *s = (ct_serve_source){.problems_revision = 1};
    snprintf(s->name, sizeof(s->name), "%s", name);
    snprintf(s->folder, sizeof(s->folder), "%s", folder);
    ct_array_init(&s->files, a);
    ct_hash_map_init(&s->positions, a);
    ct_serve_problems_init(&s->problems, a);
}

void ct_serve_source_free(ct_serve_source *s) {
    ct_array_free(&s->files);
    ct_hash_map_free(&s->positions);
    ct_serve_problems_free(&s->problems);
}

// --- The list ------------------------------------------------------------------------------------

static bool is_same_file(const ct_serve_file *a, const ct_serve_file *b) {
    return a->kind == b->kind && ct_resource_id_equal(a->id, b->id) && a->hash == b->hash &&
           a->size_bytes == b->size_bytes && a->base.value == b->base.value;
}

static bool is_same_list(const ct_serve_file_array *a, const ct_serve_file_array *b) {
    bool result = a->count == b->count;
    for (uint32_t i = 0; result && i < a->count; ++i)
        result = is_same_file(&a->items[i], &b->items[i]);
    return result;
}

// Takes over a list that was read.
static void take_list(ct_serve_source *s, ct_serve_file_array *files) {
    if (s->revision != 0 && is_same_list(&s->files, files)) {
        ct_array_free(files);
        return;
    }
    ct_array_free(&s->files);
    s->files = *files;
    ++s->revision;
    ct_hash_map_clear(&s->positions);
    for (uint32_t i = 0; i < s->files.count; ++i)
        ct_hash_map_set(&s->positions,
                        ct_serve_content_key(s->files.items[i].hash, s->files.items[i].size_bytes),
                        i);
}

static void add_entry(ct_serve_file_array *files, const ct_data_index_entry *e) {
    if (e->data_hash == 0)
        return;
    ct_serve_file file = {.id = e->id,
                          .base = e->base,
                          .hash = e->data_hash,
                          .size_bytes = e->data_bytes,
                          .kind = CT_SERVE_FILE_KIND_DATA};
    ct_array_push(files, file);
    if (e->stream_hash == 0)
        return;
    file.hash = e->stream_hash;
    file.size_bytes = e->stream_bytes;
    file.kind = CT_SERVE_FILE_KIND_STREAM;
    ct_array_push(files, file);
}

// Describes a file by reading it.
static bool hash_file(ct_allocator *a, const char *folder, const char *name, ct_serve_file *file,
                      ct_error *error) {
    char path[CT_PATH_BYTES];
    uint64_t size_bytes = 0;
    if (!ct_path_try_join(path, folder, name))
        return ct_error_set(error, "the path of \"%.64s\" is too long", name);
    char *const bytes = ct_file_read(a, path, &size_bytes, error);
    if (!bytes)
        return false;
    file->hash = ct_content_hash(bytes, size_bytes);
    file->size_bytes = (uint32_t)size_bytes;
    ct_free(a, bytes);
    return (size_bytes != 0 && size_bytes < UINT32_MAX) ||
           ct_error_set_at(error, path, 0, 0, "the file is empty or too large to be served");
}

bool ct_serve_source_read_data(ct_serve_source *s, ct_error *error) {
    ct_allocator *const a = s->files.allocator;
    const ct_data_index *const index = ct_data_index_read(a, s->folder, error);
    ct_serve_file catalog = {.kind = CT_SERVE_FILE_KIND_CATALOG};
    if (!index)
        return false;
    if (!hash_file(a, s->folder, CT_CATALOG_FILE, &catalog, error) ||
        catalog.hash != index->catalog_hash) {
        if (catalog.hash != 0 && catalog.hash != index->catalog_hash)
            ct_error_set(error,
                         "the catalog and the index in \"%.400s\" are of different runs of "
                         "the compiler",
                         s->folder);
        ct_free(a, (void *)index);
        return false;
    }
    ct_serve_file_array files;
    ct_array_init(&files, a);
    const ct_data_index_entry *const entries = ct_blob_at(index, index->entries.offset);
    for (uint32_t i = 0; i < index->entries.count; ++i)
        add_entry(&files, &entries[i]);
    ct_array_push(&files, catalog);
    ct_free(a, (void *)index);
    take_list(s, &files);
    return true;
}

bool ct_serve_source_read_engine(ct_serve_source *s, ct_error *error) {
    ct_serve_file_array files;
    ct_array_init(&files, s->files.allocator);
    for (uint32_t i = 0; i < CT_SERVE_NUM_ENGINE_FILES; ++i) {
        ct_serve_file file = {.id.name.value = i, .kind = CT_SERVE_FILE_KIND_ENGINE};
        if (hash_file(s->files.allocator, s->folder, ct_serve_engine_files[i], &file,
                      i == 0 ? error : NULL))
            ct_array_push(&files, file);
        else if (i == 0)
            return false;
    }
    take_list(s, &files);
    return true;
}

void ct_serve_source_set_problems(ct_serve_source *s, const ct_serve_problems *problems) {
    if (ct_serve_problems_equal(&s->problems, problems))
        return;
    ct_serve_problems_copy(&s->problems, problems);
    ++s->problems_revision;
}

const ct_serve_file *ct_serve_source_find(const ct_serve_source *s, uint64_t hash,
                                          uint32_t size_bytes) {
    const uint64_t *const position =
        ct_hash_map_find(&s->positions, ct_serve_content_key(hash, size_bytes));
    const ct_serve_file *const file = position ? &s->files.items[*position] : NULL;
    return file && file->hash == hash && file->size_bytes == size_bytes ? file : NULL;
}

int ct_serve_source_open(const ct_serve_source *s, const ct_serve_file *file, ct_error *error) {
    char name[CT_RESOURCE_FILE_NAME_BYTES], path[CT_PATH_BYTES];
    ct_serve_file_name(file, name);
    if (!ct_path_try_join(path, s->folder, name)) {
        ct_error_set(error, "the path of \"%s\" is too long", name);
        return -1;
    }
    return ct_os_file_open_data(path, error);
}
