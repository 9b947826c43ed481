#include "resource/resource_store.h"

#include <inttypes.h>

#include "foundation/error.h"
#include "foundation/file.h"
#include "foundation/os.h"
#include "foundation/path.h"
#include "resource/content_hash.h"
#include "resource/resource_types.h"

struct ct_resource_store {
    ct_allocator *allocator;
    char *folder;
};

ct_resource_store *ct_resource_store_open_folder(ct_allocator *a, const char *folder) {
    ct_resource_store *const s = CT_NEW(a, ct_resource_store);
    s->allocator = a;
    s->folder = ct_copy_string(a, folder);
    return s;
}

void ct_resource_store_close(ct_resource_store *s) {
    ct_allocator *const a = s->allocator;
    ct_free(a, s->folder);
    ct_free(a, s);
}

const char *ct_resource_store_folder(const ct_resource_store *s) {
    return s->folder;
}

// --- The catalog ---------------------------------------------------------------------------------

ct_catalog *ct_catalog_read(ct_allocator *a, const char *folder, ct_error *error) {
    char path[CT_PATH_BYTES];
    ct_path_join(path, folder, CT_CATALOG_FILE);
    uint64_t size_bytes;
    char *const blob = ct_file_read(a, path, &size_bytes, error);
    if (!blob)
        return NULL;
    ct_error inner = {0};
    if (ct_blob_check_header(blob, size_bytes, ct_string_id64_of(CT_CATALOG_TYPE),
                             CT_CATALOG_VERSION, &inner) &&
        ct_catalog_validate(blob, &inner))
        return (ct_catalog *)(void *)blob;
    ct_error_set_at(error, path, 0, 0, "the catalog of compiled data is refused: %.512s",
                    inner.message);
    ct_free(a, blob);
    return NULL;
}

uint64_t ct_resource_store_catalog_stamp(const ct_resource_store *s) {
    char path[CT_PATH_BYTES];
    ct_path_join(path, s->folder, CT_CATALOG_FILE);
    const ct_file_info info = ct_os_file_info(path);
    const uint64_t parts[3] = {info.size_bytes, (uint64_t)info.modified_ns, info.inode};
    return info.kind == CT_FILE_KIND_FILE ? ct_content_hash(parts, sizeof(parts)) | 1 : 0;
}

ct_catalog *ct_resource_store_read_catalog(const ct_resource_store *s, ct_allocator *a,
                                           ct_error *error) {
    return ct_catalog_read(a, s->folder, error);
}

// --- Resources -----------------------------------------------------------------------------------

static void path_of(const ct_resource_store *s, ct_resource_id id, char path[CT_PATH_BYTES]) {
    char file_name[CT_RESOURCE_FILE_NAME_BYTES];
    ct_resource_file_name(id, file_name);
    ct_path_join(path, s->folder, file_name);
}

bool ct_resource_store_has(const ct_resource_store *s, ct_resource_id data_id) {
    char path[CT_PATH_BYTES];
    path_of(s, data_id, path);
    return ct_os_file_info(path).kind == CT_FILE_KIND_FILE;
}

static bool check(const void *blob, uint64_t size_bytes, ct_resource_id id, ct_error *error) {
    const ct_resource_type *const type = ct_resource_type_of(id.type);
    CT_ASSERT(type, "only resources of known types are loaded");
    return ct_blob_check_header(blob, size_bytes, id.type, type->version, error) &&
           type->validate(blob, error);
}

void *ct_resource_store_read(const ct_resource_store *s, ct_allocator *a, ct_resource_id data_id,
                             ct_error *error) {
    char path[CT_PATH_BYTES];
    path_of(s, data_id, path);
    CT_ERROR_CONTEXT("reading compiled data", ct_path_file_name(path));
    if (ct_os_file_info(path).kind == CT_FILE_KIND_NONE) {
        ct_error_set_at(error, path, 0, 0, "there is no compiled data");
        return NULL;
    }
    uint64_t size_bytes;
    char *const blob = ct_file_read(a, path, &size_bytes, error);
    if (!blob)
        return NULL;
    ct_error inner = {0};
    if (check(blob, size_bytes, data_id, &inner))
        return blob;
    ct_error_set_at(error, path, 0, 0, "%s", inner.message);
    ct_free(a, blob);
    return NULL;
}

// --- Streams -------------------------------------------------------------------------------------

// Reads until all are there; false when the file ends before.
static bool read_all_at(int file, uint64_t offset, uint64_t bytes, char *buffer) {
    for (uint64_t done = 0; done < bytes;) {
        const int64_t got = ct_os_file_read_at(file, offset + done, buffer + done, bytes - done);
        if (got <= 0)
            return false;
        done += (uint64_t)got;
    }
    return true;
}

bool ct_resource_store_read_stream(const ct_resource_store *s, ct_resource_id data_id,
                                   uint64_t offset, uint64_t bytes, void *buffer, ct_error *error) {
    char file_name[CT_RESOURCE_FILE_NAME_BYTES], path[CT_PATH_BYTES];
    CT_ASSERT(bytes > 0, "something is read of a stream");
    ct_resource_stream_name(data_id, file_name);
    ct_path_join(path, s->folder, file_name);
    const ct_file_info info = ct_os_file_info(path);
    if (info.kind != CT_FILE_KIND_FILE)
        return ct_error_set_at(error, path, 0, 0, "there is no stream beside the compiled data");
    if (offset > info.size_bytes || bytes > info.size_bytes - offset)
        return ct_error_set_at(error, path, 0, 0,
                               "the stream has %" PRIu64 " bytes, expected %" PRIu64
                               " from %" PRIu64 " on",
                               info.size_bytes, bytes, offset);
    const int file = ct_os_file_open_read(path, error);
    if (file < 0)
        return false;
    const bool result = read_all_at(file, offset, bytes, buffer);
    ct_os_file_close(file);
    return result || ct_error_set_at(error, path, 0, 0, "the stream cannot be read");
}
