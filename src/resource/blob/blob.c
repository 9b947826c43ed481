#include "resource/blob/blob.h"

#include <inttypes.h>
#include <string.h>

#include "foundation/error.h"
#include "resource/blob/content_hash.h"

static bool check_kind(const ct_blob_header *h, ct_string_id64 type, uint32_t version,
                       ct_error *error) {
    if (h->magic == __builtin_bswap32(CT_BLOB_MAGIC))
        return ct_error_set(error, "compiled for a platform with the other byte order");
    if (h->magic != CT_BLOB_MAGIC)
        return ct_error_set(error, "not compiled data: found magic %08x, expected %08x", h->magic,
                            (uint32_t)CT_BLOB_MAGIC);
    if (h->type.value != type.value)
        return ct_error_set(error,
                            "it has another type: found %016" PRIx64 ", expected %016" PRIx64,
                            h->type.value, type.value);
    if (h->version != version)
        return ct_error_set(error,
                            "it has another version: found %u, expected %u; compile it again",
                            h->version, version);
    return true;
}

bool ct_blob_check_identity(const void *blob, uint64_t size_bytes, ct_string_id64 type,
                            uint32_t version, ct_error *error) {
    CT_ASSERT((uintptr_t)blob % CT_BLOB_ALIGN == 0, "a blob at %p is not aligned", blob);
    const ct_blob_header *const h = blob;
    if (size_bytes < sizeof(*h))
        return ct_error_set(error, "truncated: found %" PRIu64 " bytes, expected a header of %zu",
                            size_bytes, sizeof(*h));
    if (!check_kind(h, type, version, error))
        return false;
    return h->size_bytes == size_bytes ||
           ct_error_set(error, "%s: found %" PRIu64 " bytes, expected %" PRIu64,
                        size_bytes < h->size_bytes ? "truncated" : "wrong size", size_bytes,
                        h->size_bytes);
}

bool ct_blob_check_header(const void *blob, uint64_t size_bytes, ct_string_id64 type,
                          uint32_t version, ct_error *error) {
    const ct_blob_header *const h = blob;
    if (!ct_blob_check_identity(blob, size_bytes, type, version, error))
        return false;
    const uint64_t checksum = ct_content_hash(h + 1, size_bytes - sizeof(*h));
    if (checksum != h->checksum)
        return ct_error_set(error, "damaged: its checksum is %016" PRIx64 ", expected %016" PRIx64,
                            checksum, h->checksum);
    return true;
}

bool ct_blob_check_array(const ct_blob_header *blob, ct_blob_array array, uint64_t item_bytes,
                         uint32_t align, const char *what, ct_error *error) {
    if (array.count == 0)
        return array.offset == 0 ||
               ct_error_set(error, "%s: empty, but at offset %u instead of 0", what, array.offset);
    if (array.offset < sizeof(*blob) || (array.offset & (align - 1)) != 0)
        return ct_error_set(error, "%s: at offset %u, expected a multiple of %u after the header",
                            what, array.offset, align);
    uint64_t bytes;
    if (array.offset > blob->size_bytes ||
        __builtin_mul_overflow((uint64_t)array.count, item_bytes, &bytes) ||
        bytes > blob->size_bytes - array.offset)
        return ct_error_set(error, "%s: %u of %" PRIu64 " bytes at offset %u exceed the blob", what,
                            array.count, item_bytes, array.offset);
    return true;
}

bool ct_blob_check_string(const ct_blob_header *blob, ct_blob_string string, const char *what,
                          ct_error *error) {
    if (string.offset < sizeof(*blob) || string.offset >= blob->size_bytes ||
        string.bytes >= blob->size_bytes - string.offset)
        return ct_error_set(error, "%s: text of %u bytes at offset %u exceeds the blob", what,
                            string.bytes, string.offset);
    const char *const text = ct_blob_at(blob, string.offset);
    if (text[string.bytes] != 0)
        return ct_error_set(error, "%s: text of %u bytes at offset %u is not terminated", what,
                            string.bytes, string.offset);
    return true;
}

bool ct_blob_check_strings(const ct_blob_header *blob, ct_blob_array strings, const char *what,
                           ct_error *error) {
    if (!ct_blob_check_array(blob, strings, sizeof(ct_blob_string), 4, what, error))
        return false;
    const ct_blob_string *const items = ct_blob_at(blob, strings.offset);
    for (uint32_t i = 0; i < strings.count; ++i) {
        if (!ct_blob_check_string(blob, items[i], what, error))
            return false;
    }
    return true;
}
