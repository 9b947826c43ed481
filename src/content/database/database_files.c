#include "content/database/database_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "content/database/database_source.h"
#include "foundation/os/os.h"
#include "foundation/string/utf8.h"
#include "project/project_journal.h"
#include "resource/blob/content_hash.h"
#include "resource/types/resource_types.h"

// The space of the names of files: 'files' of the root.
static const ct_guid space = {{0x63, 0x75, 0x74, 0x74, 0x6c, 0x65, 0x80, 0x66, 0x80, 0x69, 0x6c,
                               0x65, 0x73, 0x00, 0x00, 0x01}};

ct_guid ct_database_files_guid(const char *path) {
    return ct_guid_make_named(space, path);
}

bool ct_database_files_check_path(const char *path, uint64_t length, ct_error *error) {
    if (strlen(path) == length && ct_utf8_is_valid(path, length) && ct_journal_path_is_good(path) &&
        !strstr(path, "//"))
        return true;
    return ct_error_set(error,
                        "the path \"%.200s\" is not one of a project: expected a relative path of "
                        "at most %d bytes without \"..\", hidden parts and control characters",
                        path, CT_PATH_BYTES - 1);
}

bool ct_database_files_is_own(ct_database *db, const char *path) {
    static const char *const suffixes[] = {"", "-wal", "-shm", "-journal"};
    char real[CT_PATH_BYTES], own[CT_PATH_BYTES + 16];
    ct_error ignored;
    const char *const location = ct_database_get_store(db)->location;
    if (ct_database_is_server(location) || !ct_os_absolute_path(location, real, &ignored))
        return false;
    const ct_file_info info = ct_os_file_info(path);
    for (uint32_t i = 0; i < CT_COUNT_OF(suffixes); ++i) {
        snprintf(own, sizeof(own), "%s%s", real, suffixes[i]);
        const ct_file_info its = ct_os_file_info(own);
        // Another file system may use the same inode, which is why the size and time are compared, too.
        const bool is_hard_link = info.kind != CT_FILE_KIND_NONE && info.inode == its.inode &&
                                  info.size_bytes == its.size_bytes &&
                                  info.changed_ns == its.changed_ns;
        if (strcmp(own, path) == 0 || is_hard_link)
            return true;
    }
    return false;
}

bool ct_database_files_is_source(const char *path) {
    const char *const extension = ct_path_extension(path);
    return strcmp(extension, "sjson") == 0 ||
           (strcmp(extension, "lua") != 0 && ct_resource_type_named(extension));
}

bool ct_database_files_root(const ct_database *db, ct_guid file, ct_guid *root) {
    const ct_database_value value = ct_database_get(db, file, "root");
    if (value.kind == CT_DATABASE_REFERENCE)
        *root = value.reference;
    return value.kind == CT_DATABASE_REFERENCE;
}

bool ct_database_files_content(const ct_database *db, ct_guid file, ct_database_blob *content) {
    const ct_database_value value = ct_database_get(db, file, "content");
    if (value.kind == CT_DATABASE_BLOB)
        *content = value.blob;
    return value.kind == CT_DATABASE_BLOB;
}

// --- Reading the set -------------------------------------------------------------------------------

static int compare_files(const void *a, const void *b) {
    return strcmp(((const ct_database_file *)a)->path, ((const ct_database_file *)b)->path);
}

static bool read_file(ct_database_files *files, const ct_database *db, ct_guid object,
                      ct_error *error) {
    char guid[CT_GUID_TEXT_BYTES];
    ct_guid_format(object, guid);
    const ct_database_value path = ct_database_get(db, object, "path");
    if (path.kind != CT_DATABASE_STRING)
        return ct_error_set(error, "file object %s: key \"path\" holds a %s; expected a string",
                            guid, ct_database_kind_name(path.kind));
    ct_error why = {0};
    if (!ct_database_files_check_path(path.string.text, path.string.length, &why))
        return ct_error_set(error, "file object %s: %s", guid, why.message);
    ct_array_push(&files->items, (ct_database_file){
                                     .path = ct_copy_string(files->allocator, path.string.text),
                                     .object = object,
                                 });
    return true;
}

// After sorting, "a" comes before "a/b", but "a.b" may come between.
static bool check_clashes(const ct_database_files *files, ct_error *error) {
    for (uint32_t i = 0; i < files->items.count; ++i) {
        const ct_database_file *const file = &files->items.items[i];
        char guid[CT_GUID_TEXT_BYTES], folder[CT_PATH_BYTES];
        ct_guid_format(file->object, guid);
        if (i > 0 && strcmp(file->path, files->items.items[i - 1].path) == 0)
            return ct_error_set_at(error, file->path, 0, 0,
                                   "two file objects have this path; one is %s", guid);
        ct_path_folder(folder, file->path);
        for (; folder[0]; ct_path_folder(folder, folder))
            if (ct_database_files_find(files, folder))
                return ct_error_set_at(error, file->path, 0, 0,
                                       "file object %s: its folder %.200s is a file, too", guid,
                                       folder);
    }
    return true;
}

bool ct_database_files_read(ct_database_files *files, ct_allocator *a, const ct_database *db,
                            ct_error *error) {
    *files = (ct_database_files){.allocator = a};
    ct_array_init(&files->items, a);
    ct_hash_map_init(&files->by_path, a);
    ct_hash_map_init(&files->by_object, a);
    CT_ARRAY(ct_guid) objects;
    ct_array_init(&objects, a);
    const ct_database_value set = ct_database_get(db, (ct_guid){0}, "files");
    bool is_read = set.kind == CT_DATABASE_SET || set.kind == CT_DATABASE_NULL ||
                   ct_error_set(error, "key \"files\" of the root holds a %s; expected a set",
                                ct_database_kind_name(set.kind));
    if (set.kind == CT_DATABASE_SET)
        ct_array_push_many(&objects, set.set.items, set.set.count);
    for (uint32_t i = 0; is_read && i < objects.count; ++i)
        is_read = !ct_database_has(db, objects.items[i]) || // `cuttle db check` lists those
                  read_file(files, db, objects.items[i], error);
    ct_array_free(&objects);
    if (files->items.count > 1)
        qsort(files->items.items, files->items.count, sizeof(*files->items.items), compare_files);
    for (uint32_t i = 0; i < files->items.count; ++i) {
        const char *const path = files->items.items[i].path;
        ct_hash_map_set(&files->by_path, ct_content_hash(path, strlen(path)), (uint64_t)i + 1);
        ct_hash_map_set(&files->by_object, ct_guid_hash(files->items.items[i].object),
                        (uint64_t)i + 1);
    }
    return is_read && check_clashes(files, error);
}

void ct_database_files_free(ct_database_files *files) {
    for (uint32_t i = 0; i < files->items.count; ++i)
        ct_free(files->allocator, files->items.items[i].path);
    ct_array_free(&files->items);
    ct_hash_map_free(&files->by_path);
    ct_hash_map_free(&files->by_object);
}

ct_database_file *ct_database_files_find(const ct_database_files *files, const char *path) {
    const uint64_t found = ct_hash_map_get(&files->by_path, ct_content_hash(path, strlen(path)), 0);
    ct_database_file *const file = found ? &files->items.items[found - 1] : NULL;
    return file && strcmp(file->path, path) == 0 ? file : NULL;
}

bool ct_database_files_find_object(const ct_database_files *files, ct_guid object) {
    return ct_hash_map_get(&files->by_object, ct_guid_hash(object), 0) != 0;
}

// --- Bytes -----------------------------------------------------------------------------------------

bool ct_database_files_text(ct_allocator *a, ct_database *db, const ct_database_file *file,
                            ct_string_builder *out, ct_string_array *warnings, ct_error *error) {
    ct_guid root;
    ct_database_blob blob;
    const bool has_root = ct_database_files_root(db, file->object, &root);
    const bool has_content = ct_database_files_content(db, file->object, &blob);
    if (!has_root && !has_content) {
        char guid[CT_GUID_TEXT_BYTES];
        ct_guid_format(file->object, guid);
        return ct_error_set_at(error, file->path, 0, 0,
                               "file object %s has neither a blob \"content\" nor an object "
                               "\"root\"",
                               guid);
    }
    ct_byte_array content;
    ct_array_init(&content, a);
    ct_database_source source = {0};
    bool is_done = !has_content || ct_database_read_blob(db, &blob, &content, error);
    ct_array_push(&content, 0);
    const uint64_t bytes = content.count - 1;
    if (is_done && has_root)
        is_done = ct_database_source_read(&source, a, db, root, file->path, warnings, error) &&
                  ct_database_source_text(a, &source, file->path,
                                          has_content ? (const char *)content.items : NULL, bytes,
                                          out, warnings, error);
    else if (is_done)
        ct_string_builder_add_bytes(out, (const char *)content.items, (uint32_t)bytes);
    ct_database_source_free(&source);
    ct_array_free(&content);
    return is_done;
}
