#include "resource/load/resource_store.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/os/file.h"
#include "foundation/os/os.h"
#include "foundation/os/path.h"
#include "resource/archive/archive.h"
#include "resource/archive/bundle_archives.h"
#include "resource/blob/content_hash.h"
#include "resource/blob/platform.h"
#include "resource/types/resource_types.h"

struct ct_resource_store {
    ct_allocator *allocator;
    char *folder;
    ct_bundle_archives *archives; // of a bundle; NULL: files of the folder
    ct_error *problem;            // why the store is empty; NULL: it is not
    // Of a bundle: read and checked when it was opened. The first reader takes it; NULL afterwards.
    _Atomic(ct_catalog *) first_catalog;
};

ct_resource_store *ct_resource_store_open_folder(ct_allocator *a, const char *folder) {
    ct_resource_store *const s = CT_NEW(a, ct_resource_store);
    s->allocator = a;
    s->folder = ct_copy_string(a, folder);
    return s;
}

// A game would start without the catalog, and not find resources that need it. So a bundle with a
// missing or wrong catalog is refused. Its hash confirms that it is unchanged. Returns NULL with
// `error`.
static ct_catalog *read_right_catalog(ct_allocator *a, const char *folder, uint64_t expected,
                                      ct_error *error) {
    char path[CT_PATH_BYTES];
    ct_path_join(path, folder, CT_CATALOG_FILE);
    uint64_t size_bytes = 0;
    char *const catalog = ct_file_read(a, path, &size_bytes, error);
    if (!catalog)
        return NULL;
    const uint64_t found = ct_content_hash(catalog, size_bytes);
    ct_error inner = {0};
    if (found != expected)
        ct_error_set_at(error, path, 0, 0,
                        "the catalog is damaged or from another bundle: its hash is %016" PRIx64
                        ", expected %016" PRIx64,
                        found, expected);
    else if (ct_blob_check_identity(catalog, size_bytes, ct_string_id64_of(CT_CATALOG_TYPE),
                                    CT_CATALOG_VERSION, &inner) &&
             ct_catalog_validate(catalog, &inner))
        return (ct_catalog *)(void *)catalog;
    else
        ct_error_set_at(error, path, 0, 0, "the catalog of compiled data is refused: %.512s",
                        inner.message);
    ct_free(a, catalog);
    return NULL;
}

ct_resource_store *ct_resource_store_open_bundle(ct_allocator *a, const char *folder,
                                                 const char *platform, ct_error *error) {
    ct_bundle_archives *const archives = ct_bundle_archives_open(a, folder, platform, error);
    if (!archives)
        return NULL;
    ct_catalog *const catalog =
        read_right_catalog(a, folder, ct_bundle_archives_manifest(archives)->catalog_hash, error);
    if (!catalog) {
        ct_bundle_archives_close(archives);
        return NULL;
    }
    ct_resource_store *const s = ct_resource_store_open_folder(a, folder);
    s->archives = archives;
    atomic_init(&s->first_catalog, catalog);
    return s;
}

static bool has_file(const char *folder, const char *name, char path[CT_PATH_BYTES]) {
    ct_path_join(path, folder, name);
    return ct_os_file_info(path).kind == CT_FILE_KIND_FILE;
}

ct_resource_store *ct_resource_store_open(ct_allocator *a, const char *folder) {
    char path[CT_PATH_BYTES];
    ct_error error = {0};
    ct_resource_store *s = NULL;
    if (has_file(folder, CT_BUNDLE_FILE, path))
        s = ct_resource_store_open_bundle(a, folder, CT_PLATFORM_HOST, &error);
    else if (!has_file(folder, CT_BUNDLE_BASE_FILE, path))
        return ct_resource_store_open_folder(a, folder);
    else
        ct_error_set_at(&error, folder, 0, 0,
                        "the manifest \"" CT_BUNDLE_FILE
                        "\" is missing, but archives of a bundle are in this folder");
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
    ct_free(a, atomic_load(&s->first_catalog));
    ct_free(a, s->problem);
    ct_free(a, s->folder);
    ct_free(a, s);
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
    if (!s->archives)
        return ct_catalog_read(a, s->folder, error);
    ct_catalog *const first =
        a == s->allocator ? atomic_exchange((_Atomic(ct_catalog *) *)&s->first_catalog, NULL)
                          : NULL;
    return first ? first
                 : read_right_catalog(
                       a, s->folder, ct_bundle_archives_manifest(s->archives)->catalog_hash, error);
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

// The checksum of its chunk covers data from an archive, so its own is not checked.
static bool check(const ct_resource_store *s, const void *blob, uint64_t size_bytes,
                  ct_resource_id id, ct_error *error) {
    const ct_resource_type *const type = ct_resource_type_of(id.type);
    CT_ASSERT(type, "only resources of known types are loaded");
    const bool is_right =
        s->archives ? ct_blob_check_identity(blob, size_bytes, id.type, type->version, error)
                    : ct_blob_check_header(blob, size_bytes, id.type, type->version, error);
    return is_right && type->validate(blob, error);
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
    if (!blob || check(s, blob, size_bytes, data_id, &inner))
        return blob;
    path_of(s, data_id, place);
    ct_error_set_at(error, place, 0, 0, "%s", inner.message);
    ct_free(a, blob);
    return NULL;
}

// --- Many at once --------------------------------------------------------------------------------

ct_store_place ct_resource_store_place(const ct_resource_store *s, ct_resource_id data_id,
                                       const ct_store_place *before) {
    ct_store_place place = {0};
    const ct_bundle_place *const hint = before && before->group != 0 ? &before->in_bundle : NULL;
    if (s->archives && ct_bundle_archives_place(s->archives, data_id, hint, &place.in_bundle))
        place.group =
            ((uint64_t)place.in_bundle.archive + 1) << 32 | place.in_bundle.item->first_chunk;
    return place;
}

// Returns whether at least half of the block is wanted.
static bool stays_together(const ct_store_read *reads, uint32_t count, uint32_t block_bytes) {
    uint64_t wanted = 0;
    for (uint32_t i = 0; i < count; ++i)
        wanted += reads[i].place.in_bundle.item->size_bytes;
    return wanted >= block_bytes / 2;
}

static ct_loaded_blob take_blob(ct_allocator *a, ct_blob_block *block, const void *data,
                                uint64_t size_bytes, bool is_together) {
    if (is_together) {
        ct_blob_block_hold(block);
        return (ct_loaded_blob){(void *)data, block};
    }
    void *const own = ct_alloc(a, size_bytes);
    memcpy(own, data, size_bytes);
    return (ct_loaded_blob){own, NULL};
}

void ct_resource_store_read_together(const ct_resource_store *s, ct_allocator *a,
                                     ct_store_read *reads, uint32_t count) {
    CT_ERROR_CONTEXT("reading compiled data", s->folder);
    uint32_t block_bytes = 0;
    ct_blob_block *const block =
        ct_bundle_archives_chunk(s->archives, &reads[0].place.in_bundle, &block_bytes);
    const bool is_together = block && stays_together(reads, count, block_bytes);
    for (uint32_t i = 0; i < count; ++i) {
        ct_store_read *const r = &reads[i];
        CT_ASSERT(r->place.group == reads[0].place.group,
                  "resources that are read together must be in one group");
        r->blob = (ct_loaded_blob){0};
        const uint64_t size_bytes = r->place.in_bundle.item->size_bytes;
        const char *const data =
            block ? (const char *)ct_blob_block_bytes(block) + r->place.in_bundle.offset : NULL;
        if (data && check(s, data, size_bytes, r->data_id, NULL))
            r->blob = take_blob(a, block, data, size_bytes, is_together);
    }
    ct_blob_block_release(block);
}

// --- Streams -------------------------------------------------------------------------------------

// Reads all bytes. Returns false when the file ends before.
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
    CT_ASSERT(bytes > 0, "a read of a stream must not be empty");
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
    const int file = ct_os_file_open_data(path, error);
    if (file < 0)
        return false;
    const bool result = read_all_at(file, offset, bytes, buffer);
    ct_os_file_close(file);
    return result || ct_error_set_at(error, path, 0, 0, "the stream cannot be read");
}
