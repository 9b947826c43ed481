#include "resource/resource_store.h"

#include <inttypes.h>

#include "foundation/error.h"
#include "foundation/file.h"
#include "foundation/os.h"
#include "foundation/path.h"
#include "resource/bundle_archives.h"
#include "resource/content_hash.h"
#include "resource/platform.h"
#include "resource/resource_types.h"

struct ct_resource_store {
    ct_allocator *allocator;
    char *folder;
    ct_bundle_archives *archives; // of a bundle; NULL: files of the folder
    ct_error *problem;            // why there is nothing; NULL: there is
};

ct_resource_store *ct_resource_store_open_folder(ct_allocator *a, const char *folder) {
    ct_resource_store *const s = CT_NEW(a, ct_resource_store);
    s->allocator = a;
    s->folder = ct_copy_string(a, folder);
    return s;
}

// A game would start without the catalog, and miss what is found by it: a bundle without the right
// one is refused. Its hash says that it is as it was written.
static bool check_catalog(ct_allocator *a, const char *folder, uint64_t expected, ct_error *error) {
    char path[CT_PATH_BYTES];
    ct_path_join(path, folder, CT_CATALOG_FILE);
    uint64_t size_bytes = 0;
    char *const catalog = ct_file_read(a, path, &size_bytes, error);
    if (!catalog)
        return false;
    const uint64_t found = ct_content_hash(catalog, size_bytes);
    ct_free(a, catalog);
    return found == expected ||
           ct_error_set_at(error, path, 0, 0,
                           "the catalog is damaged or of another bundle: its hash is %016" PRIx64
                           ", expected %016" PRIx64,
                           found, expected);
}

ct_resource_store *ct_resource_store_open_bundle(ct_allocator *a, const char *folder,
                                                 const char *platform, ct_error *error) {
    ct_bundle_archives *const archives = ct_bundle_archives_open(a, folder, platform, error);
    if (!archives)
        return NULL;
    if (!check_catalog(a, folder, ct_bundle_archives_manifest(archives)->catalog_hash, error)) {
        ct_bundle_archives_close(archives);
        return NULL;
    }
    ct_resource_store *const s = ct_resource_store_open_folder(a, folder);
    s->archives = archives;
    return s;
}

ct_resource_store *ct_resource_store_open(ct_allocator *a, const char *folder) {
    char path[CT_PATH_BYTES];
    ct_path_join(path, folder, CT_BUNDLE_FILE);
    if (ct_os_file_info(path).kind != CT_FILE_KIND_FILE)
        return ct_resource_store_open_folder(a, folder);
    ct_error error = {0};
    ct_resource_store *s = ct_resource_store_open_bundle(a, folder, CT_PLATFORM_HOST, &error);
    if (s)
        return s;
    s = ct_resource_store_open_folder(a, folder);
    s->problem = CT_NEW(a, ct_error);
    *s->problem = error;
    return s;
}

const ct_bundle_manifest *ct_resource_store_manifest(const ct_resource_store *s) {
    return s->archives ? ct_bundle_archives_manifest(s->archives) : NULL;
}

void ct_resource_store_close(ct_resource_store *s) {
    ct_allocator *const a = s->allocator;
    if (s->archives)
        ct_bundle_archives_close(s->archives);
    ct_free(a, s->problem);
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
    if (ct_os_file_info(path).kind == CT_FILE_KIND_NONE) {
        ct_error_set_at(error, path, 0, 0, "the catalog of compiled data is missing");
        return NULL;
    }
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
    if (s->problem) {
        if (error)
            *error = *s->problem;
        return NULL;
    }
    ct_catalog *const c = ct_catalog_read(a, s->folder, error);
    const ct_bundle_manifest *const manifest = ct_resource_store_manifest(s);
    if (!c || !manifest || ct_content_hash(c, c->header.size_bytes) == manifest->catalog_hash)
        return c;
    ct_error_set_at(error, s->folder, 0, 0, "the catalog is of another bundle");
    ct_free(a, c);
    return NULL;
}

// --- Resources -----------------------------------------------------------------------------------

static void path_of(const ct_resource_store *s, ct_resource_id id, char path[CT_PATH_BYTES]) {
    char file_name[CT_RESOURCE_FILE_NAME_BYTES];
    ct_resource_file_name(id, file_name);
    ct_path_join(path, s->folder, file_name);
}

bool ct_resource_store_has(const ct_resource_store *s, ct_resource_id data_id) {
    char path[CT_PATH_BYTES];
    if (s->archives)
        return ct_bundle_archives_has(s->archives, data_id);
    path_of(s, data_id, path);
    return !s->problem && ct_os_file_info(path).kind == CT_FILE_KIND_FILE;
}

static bool check(const void *blob, uint64_t size_bytes, ct_resource_id id, ct_error *error) {
    const ct_resource_type *const type = ct_resource_type_of(id.type);
    CT_ASSERT(type, "only resources of known types are loaded");
    return ct_blob_check_header(blob, size_bytes, id.type, type->version, error) &&
           type->validate(blob, error);
}

static void *read_file(const ct_resource_store *s, ct_allocator *a, ct_resource_id data_id,
                       uint64_t *size_bytes, ct_error *error) {
    char path[CT_PATH_BYTES];
    path_of(s, data_id, path);
    if (ct_os_file_info(path).kind != CT_FILE_KIND_NONE)
        return ct_file_read(a, path, size_bytes, error);
    ct_error_set_at(error, path, 0, 0, "there is no compiled data");
    return NULL;
}

void *ct_resource_store_read(const ct_resource_store *s, ct_allocator *a, ct_resource_id data_id,
                             ct_error *error) {
    char file_name[CT_RESOURCE_FILE_NAME_BYTES], place[CT_PATH_BYTES];
    ct_resource_file_name(data_id, file_name);
    CT_ERROR_CONTEXT("reading compiled data", file_name);
    if (s->problem) {
        if (error)
            *error = *s->problem;
        return NULL;
    }
    uint64_t size_bytes = 0;
    void *const blob = s->archives
                           ? ct_bundle_archives_read(s->archives, a, data_id, &size_bytes, error)
                           : read_file(s, a, data_id, &size_bytes, error);
    ct_error inner = {0};
    if (!blob || check(blob, size_bytes, data_id, &inner))
        return blob;
    path_of(s, data_id, place);
    ct_error_set_at(error, place, 0, 0, "%s", inner.message);
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
    if (s->archives)
        return ct_bundle_archives_read_stream(s->archives, data_id, offset, bytes, buffer, error);
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
