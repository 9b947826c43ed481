// blob.h: static data in the same form on disk and in memory.
//
// A blob is one block: a header, then fixed-size fields, then arrays, reached by byte offsets from
// the start of the blob. It is used as it was read, without patching. Reading needs only the C
// library. From "The Blob and I" (Bitsquid blog, 2010-02-12).
#pragma once
#include "foundation/string/string_id.h"

enum { CT_BLOB_MAGIC = 0x4c425443, CT_BLOB_ALIGN = 16 }; // "CTBL" in little-endian

// 32 bytes at the start of every blob.
typedef struct ct_blob_header {
    uint32_t magic;
    uint32_t version; // version of the type's layout
    ct_string_id64 type;
    uint64_t size_bytes; // of the whole blob
    uint64_t checksum;   // XXH3-64 of everything after the header
} ct_blob_header;

// An array inside a blob; offset 0 with count 0 when empty.
typedef struct ct_blob_array {
    uint32_t offset; // bytes from the start of the blob
    uint32_t count;  // elements
} ct_blob_array;

// Zero-terminated text inside a blob.
typedef struct ct_blob_string {
    uint32_t offset; // bytes from the start of the blob
    uint32_t bytes;  // without the terminator
} ct_blob_string;

// A blob's description of the stream beside it. An offset in the blob that is not below the blob's
// size points into the stream, as if the stream followed the blob in memory.
typedef struct ct_blob_stream {
    uint64_t hash;  // XXH3-64
    uint32_t bytes; // a multiple of CT_BLOB_ALIGN; 0: no stream
    uint32_t padding;
} ct_blob_stream;

// Returns the address of `offset` in `blob`.
static inline const void *ct_blob_at(const void *blob, uint32_t offset) {
    return (const char *)blob + offset;
}

// Checks the header of `size_bytes` at `blob` (aligned to CT_BLOB_ALIGN): magic, type, version,
// size, checksum. Returns false with `error`, which says what differs and how.
bool ct_blob_check_header(const void *blob, uint64_t size_bytes, ct_string_id64 type,
                          uint32_t version, ct_error *error);

// Like ct_blob_check_header, without the checksum: for data that another checksum covers, such as
// that of an archive's chunk.
bool ct_blob_check_identity(const void *blob, uint64_t size_bytes, ct_string_id64 type,
                            uint32_t version, ct_error *error);

// Checks that an array of `count` elements of `item_bytes` bytes is inside the blob after the
// header and aligned to `align`, a power of two. Returns false with `error` naming `what`.
bool ct_blob_check_array(const ct_blob_header *blob, ct_blob_array array, uint64_t item_bytes,
                         uint32_t align, const char *what, ct_error *error);

// Checks that a string is inside the blob and ends with a zero byte.
bool ct_blob_check_string(const ct_blob_header *blob, ct_blob_string string, const char *what,
                          ct_error *error);

// Checks an array of ct_blob_string and each string in it.
bool ct_blob_check_strings(const ct_blob_header *blob, ct_blob_array strings, const char *what,
                           ct_error *error);
