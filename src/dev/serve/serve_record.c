#include "dev/serve/serve_record.h"

#include <string.h>

#include "foundation/error.h"
#include "foundation/os/file.h"
#include "resource/blob/content_hash.h"

enum { MAX_BYTES = CT_SERVE_RECORD_HEAD_BYTES + CT_SERVE_MAX_FILES * CT_SERVE_FILE_WIRE_BYTES };

static const uint64_t magic = UINT64_C(0x43744c6973743031); // "CtList01"

// --- Bytes ---------------------------------------------------------------------------------------

// The last number of the head is the hash of the others and the list.
static uint64_t hash_of(const uint8_t *bytes, uint64_t num_bytes) {
    return ct_content_hash(bytes, CT_SERVE_RECORD_HEAD_BYTES - 8) ^
           ct_content_hash(bytes + CT_SERVE_RECORD_HEAD_BYTES,
                           num_bytes - CT_SERVE_RECORD_HEAD_BYTES);
}

void ct_serve_record_write(const ct_serve_record *r, ct_byte_array *out) {
    const uint32_t at = out->count;
    ct_array_resize(out, at + CT_SERVE_RECORD_HEAD_BYTES);
    ct_serve_manifest_write(r->files.items, r->files.count, out);
    uint8_t *const head = out->items + at;
    ct_serve_write_u64(magic, head);
    ct_serve_write_u64(r->versions, head + 8);
    ct_serve_write_u64((uint64_t)r->time_ns, head + 16);
    ct_serve_write_u64(r->files.count, head + 24);
    ct_serve_write_u64(hash_of(head, out->count - at), head + 32);
}

bool ct_serve_record_read(const uint8_t *bytes, uint64_t num_bytes, ct_serve_record *r,
                          ct_error *error) {
    r->files.count = 0;
    if (num_bytes < CT_SERVE_RECORD_HEAD_BYTES || num_bytes > MAX_BYTES ||
        ct_serve_read_u64(bytes) != magic)
        return ct_error_set(error, "it has another form than this version of Cuttle writes");
    const uint64_t list_bytes = num_bytes - CT_SERVE_RECORD_HEAD_BYTES;
    if (ct_serve_read_u64(bytes + 32) != hash_of(bytes, num_bytes) ||
        ct_serve_read_u64(bytes + 24) * CT_SERVE_FILE_WIRE_BYTES != list_bytes)
        return ct_error_set(error, "its list is damaged");
    r->versions = ct_serve_read_u64(bytes + 8);
    r->time_ns = (int64_t)ct_serve_read_u64(bytes + 16);
    return ct_serve_manifest_read(bytes + CT_SERVE_RECORD_HEAD_BYTES, list_bytes, &r->files, error);
}

// --- The cache -----------------------------------------------------------------------------------

bool ct_serve_record_keep(const ct_serve_cache *c, const ct_serve_record *r, ct_error *error) {
    char folder[CT_PATH_BYTES];
    ct_byte_array bytes;
    ct_path_folder(folder, c->record);
    ct_array_init(&bytes, c->allocator);
    ct_serve_record_write(r, &bytes);
    const bool result = ct_folder_create(folder, error) &&
                        ct_file_write(c->record, bytes.items, bytes.count, false, error);
    ct_array_free(&bytes);
    return result;
}

bool ct_serve_record_exists(const ct_serve_cache *c) {
    return ct_os_file_info(c->record).kind == CT_FILE_KIND_FILE;
}

static bool check_contents(const ct_serve_cache *c, const ct_serve_file_array *files,
                           ct_error *error) {
    uint32_t num_bad = 0;
    for (uint32_t i = 0; i < files->count; ++i)
        num_bad += !ct_serve_cache_has(c, files->items[i].hash, files->items[i].size_bytes);
    return num_bad == 0 ||
           ct_error_set(error, "%u of its %u files are missing or damaged", num_bad, files->count);
}

bool ct_serve_record_recall(const ct_serve_cache *c, uint64_t versions, ct_serve_record *r,
                            ct_error *error) {
    uint64_t num_bytes = 0;
    r->files.count = 0;
    char *const bytes = ct_file_read(c->allocator, c->record, &num_bytes, error);
    bool result = bytes && ct_serve_record_read((const uint8_t *)bytes, num_bytes, r, error);
    ct_free(c->allocator, bytes);
    if (result && r->versions != versions)
        result = ct_error_set(error, "it was fetched by another version of Cuttle");
    result = result && check_contents(c, &r->files, error);
    if (!result)
        r->files.count = 0;
    return result;
}
