// header_value_buffer.h: keys with values of any size in one relocatable buffer.
//
//     | counts | headers ->   ... free ...   <- values |
//
// Headers grow up from the bottom, values down from the top, so both share the same free room. A
// header holds its value's offset, never a pointer: the buffer may be copied or written to a file
// as it is. A value that grows gets a new place and leaves a hole; holes are closed when the room
// is used up, which is also when the buffer doubles, unless closing them frees a quarter of it.
// Keys are looked for one by one: made for few. Values start at multiples of 8. At most 2 GiB.
// From "Allocation Adventures 1: The DataComponent" (Bitsquid blog, 2015-06-12), step 8.
#pragma once
#include "foundation/memory/allocator.h"

// What the buffer knows of a value. `type` is the caller's.
typedef struct ct_value_header {
    uint32_t key, type;
    uint32_t offset, size_bytes; // from the start of the buffer
} ct_value_header;

// The start of the buffer; `headers` and the rest follow.
typedef struct ct_value_blob {
    uint32_t size_bytes; // of the whole buffer
    uint32_t num_headers;
    uint32_t values_begin; // offset of the lowest value
    uint32_t hole_bytes;   // between there and the end
    ct_value_header headers[];
} ct_value_blob;

typedef struct ct_header_value_buffer {
    ct_value_blob *blob; // NULL while nothing was set
    ct_allocator *allocator;
} ct_header_value_buffer;

// Makes an empty buffer. Allocates nothing yet.
void ct_header_value_buffer_init(ct_header_value_buffer *b, ct_allocator *a);

// Frees it; it is empty and usable afterwards.
void ct_header_value_buffer_free(ct_header_value_buffer *b);

// Sets the value of `key` to a copy of `size_bytes` bytes (which must not lie in the buffer) and
// returns the copy, valid until the buffer next changes. NULL for 0 bytes.
void *ct_header_value_buffer_set(ct_header_value_buffer *b, uint32_t key, uint32_t type,
                                 const void *value, uint32_t size_bytes);

// Removes `key`; returns false when it was not there. The last header takes its place.
bool ct_header_value_buffer_erase(ct_header_value_buffer *b, uint32_t key);

// Makes `b` a copy of a blob of `size_bytes` that comes from outside. When that is damaged, returns
// false with `error` and leaves `b` as it was.
bool ct_header_value_buffer_load(ct_header_value_buffer *b, const void *blob, uint64_t size_bytes,
                                 ct_error *error);

// The header of `key` in a blob, be it a copy (aligned to 8) or a buffer's own; NULL when there is
// none or the blob is NULL.
const ct_value_header *ct_value_blob_find(const ct_value_blob *blob, uint32_t key);

// The value of a header of this blob.
const void *ct_value_blob_value(const ct_value_blob *blob, const ct_value_header *header);
