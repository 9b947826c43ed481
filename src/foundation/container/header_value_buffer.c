#include "foundation/container/header_value_buffer.h"

#include <string.h>

#include "foundation/error.h"

enum { FIRST_BYTES = 128, VALUE_ALIGN = 8 };

static const uint64_t max_bytes = UINT64_C(1) << 31;

static uint64_t rounded(uint64_t size_bytes) {
    return (size_bytes + VALUE_ALIGN - 1) & ~(uint64_t)(VALUE_ALIGN - 1);
}

static uint64_t headers_end(const ct_value_blob *blob) {
    return sizeof(ct_value_blob) + blob->num_headers * (uint64_t)sizeof(ct_value_header);
}

static void *bytes_at(ct_value_blob *blob, uint32_t offset) {
    return (char *)blob + offset;
}

// --- Reading -------------------------------------------------------------------------------------

const ct_value_header *ct_value_blob_find(const ct_value_blob *blob, uint32_t key) {
    for (uint32_t i = 0; blob && i < blob->num_headers; ++i)
        if (blob->headers[i].key == key)
            return &blob->headers[i];
    return NULL;
}

const void *ct_value_blob_value(const ct_value_blob *blob, const ct_value_header *header) {
    return (const char *)blob + header->offset;
}

static ct_value_header *find(const ct_header_value_buffer *b, uint32_t key) {
    return (ct_value_header *)ct_value_blob_find(b->blob, key);
}

// --- Room ----------------------------------------------------------------------------------------

// Below the lowest value; there is always room for `size_bytes` when this is called.
static uint32_t take_value(ct_value_blob *blob, uint32_t size_bytes) {
    blob->values_begin -= (uint32_t)rounded(size_bytes);
    return blob->values_begin;
}

static void leave_hole(ct_value_blob *blob, ct_value_header *header) {
    blob->hole_bytes += (uint32_t)rounded(header->size_bytes);
    header->size_bytes = 0;
}

// Moves to a new buffer, where the values lie without holes.
static void rebuild(ct_header_value_buffer *b, uint32_t size_bytes) {
    ct_value_blob *const old = b->blob;
    ct_value_blob *const blob = ct_alloc_zero(b->allocator, size_bytes);
    blob->size_bytes = blob->values_begin = size_bytes;
    for (uint32_t i = 0; old && i < old->num_headers; ++i) {
        ct_value_header header = old->headers[i];
        header.offset = take_value(blob, header.size_bytes);
        memcpy(bytes_at(blob, header.offset), ct_value_blob_value(old, &old->headers[i]),
               header.size_bytes);
        blob->headers[blob->num_headers++] = header;
    }
    if (old)
        ct_free_sized(b->allocator, old, old->size_bytes);
    b->blob = blob;
}

// Makes room for so many more bytes of headers and values.
static void make_room(ct_header_value_buffer *b, uint64_t more_bytes) {
    const ct_value_blob *const blob = b->blob;
    if (blob && blob->values_begin - headers_end(blob) >= more_bytes)
        return;
    uint64_t needed_bytes = more_bytes;
    if (blob)
        needed_bytes +=
            headers_end(blob) + blob->size_bytes - blob->values_begin - blob->hole_bytes;
    else
        needed_bytes += sizeof(ct_value_blob);
    uint64_t size_bytes = blob ? blob->size_bytes : FIRST_BYTES;
    while (needed_bytes > size_bytes - size_bytes / 4)
        size_bytes *= 2;
    CT_REQUIRE(size_bytes <= max_bytes,
               "out of memory: %llu bytes of headers and values are too many",
               (unsigned long long)needed_bytes);
    rebuild(b, (uint32_t)size_bytes);
}

// --- Changing ------------------------------------------------------------------------------------

void ct_header_value_buffer_init(ct_header_value_buffer *b, ct_allocator *a) {
    *b = (ct_header_value_buffer){.allocator = a};
}

void ct_header_value_buffer_free(ct_header_value_buffer *b) {
    if (b->blob)
        ct_free_sized(b->allocator, b->blob, b->blob->size_bytes);
    b->blob = NULL;
}

static ct_value_header *add_header(ct_header_value_buffer *b, uint32_t key) {
    make_room(b, sizeof(ct_value_header));
    ct_value_header *header = &b->blob->headers[b->blob->num_headers++];
    *header = (ct_value_header){.key = key, .offset = b->blob->values_begin};
    return header;
}

// Gives the header's value room for `size_bytes`, where it is or in a new place.
static ct_value_header *resize_value(ct_header_value_buffer *b, ct_value_header *header,
                                     uint32_t size_bytes) {
    const uint64_t old_bytes = rounded(header->size_bytes), new_bytes = rounded(size_bytes);
    if (new_bytes <= old_bytes) {
        b->blob->hole_bytes += (uint32_t)(old_bytes - new_bytes);
    } else {
        leave_hole(b->blob, header);
        const uint32_t place = (uint32_t)(header - b->blob->headers);
        make_room(b, new_bytes);
        header = &b->blob->headers[place];
        header->offset = take_value(b->blob, size_bytes);
    }
    header->size_bytes = size_bytes;
    return header;
}

void *ct_header_value_buffer_set(ct_header_value_buffer *b, uint32_t key, uint32_t type,
                                 const void *value, uint32_t size_bytes) {
    CT_ASSERT(!b->blob || (uint64_t)value - (uint64_t)b->blob >= b->blob->size_bytes,
              "the new value of key %u is inside the buffer itself", key);
    ct_value_header *header = find(b, key);
    if (!header)
        header = add_header(b, key);
    header->type = type;
    header = resize_value(b, header, size_bytes);
    if (size_bytes == 0)
        return NULL;
    return memcpy(bytes_at(b->blob, header->offset), value, size_bytes);
}

bool ct_header_value_buffer_erase(ct_header_value_buffer *b, uint32_t key) {
    ct_value_header *const header = find(b, key);
    if (!header)
        return false;
    leave_hole(b->blob, header);
    *header = b->blob->headers[--b->blob->num_headers];
    return true;
}

// --- Data from outside ---------------------------------------------------------------------------

static bool check_values(const ct_value_blob *blob, ct_error *error) {
    uint64_t value_bytes = 0;
    for (uint32_t i = 0; i < blob->num_headers; ++i) {
        const ct_value_header h = blob->headers[i];
        const bool is_inside = h.offset >= blob->values_begin && h.offset <= blob->size_bytes &&
                               rounded(h.size_bytes) <= blob->size_bytes - h.offset;
        if (!is_inside || h.offset % VALUE_ALIGN)
            return ct_error_set(
                error,
                "value %u: %u bytes at offset %u; expected an offset that is a multiple of %d, "
                "with all bytes within %u to %u",
                i, h.size_bytes, h.offset, VALUE_ALIGN, blob->values_begin, blob->size_bytes);
        value_bytes += rounded(h.size_bytes);
    }
    const uint64_t expected_bytes = blob->size_bytes - blob->values_begin;
    if (value_bytes + blob->hole_bytes != expected_bytes)
        return ct_error_set(error, "values and holes take %llu bytes; expected %llu",
                            (unsigned long long)(value_bytes + blob->hole_bytes),
                            (unsigned long long)expected_bytes);
    return true;
}

static bool check_blob(const ct_value_blob *blob, uint64_t size_bytes, ct_error *error) {
    if (blob->size_bytes != size_bytes || size_bytes % VALUE_ALIGN)
        return ct_error_set(error,
                            "the buffer's header says %u bytes; expected %llu, a multiple of %d",
                            blob->size_bytes, (unsigned long long)size_bytes, VALUE_ALIGN);
    if (blob->values_begin > size_bytes || blob->values_begin % VALUE_ALIGN ||
        headers_end(blob) > blob->values_begin)
        return ct_error_set(error,
                            "%u headers and values from offset %u on do not fit in %llu bytes",
                            blob->num_headers, blob->values_begin, (unsigned long long)size_bytes);
    return check_values(blob, error);
}

bool ct_header_value_buffer_load(ct_header_value_buffer *b, const void *blob, uint64_t size_bytes,
                                 ct_error *error) {
    if (size_bytes < sizeof(ct_value_blob) || size_bytes > max_bytes)
        return ct_error_set(error, "the buffer has %llu bytes; expected %u to %llu",
                            (unsigned long long)size_bytes, (uint32_t)sizeof(ct_value_blob),
                            (unsigned long long)max_bytes);
    ct_value_blob *const copy = ct_alloc(b->allocator, size_bytes);
    memcpy(copy, blob, size_bytes);
    if (!check_blob(copy, size_bytes, error)) {
        ct_free_sized(b->allocator, copy, size_bytes);
        return false;
    }
    ct_header_value_buffer_free(b);
    b->blob = copy;
    return true;
}
