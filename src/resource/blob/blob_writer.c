#include "resource/blob/blob_writer.h"

#include <endian.h>
#include <string.h>

#include "foundation/error.h"
#include "resource/blob/content_hash.h"

_Static_assert(sizeof(ct_blob_header) == 32, "the header is 32 bytes on every platform");

// --- Single values -------------------------------------------------------------------------------

// Stores the low `bytes` bytes of `value` in the blob's order.
static inline void store(const ct_blob_writer *w, uint8_t *target, uint64_t value, uint32_t bytes) {
    const uint64_t ordered =
        w->order == CT_BYTE_ORDER_LITTLE ? htole64(value) : htobe64(value << (64 - 8 * bytes));
    memcpy(target, &ordered, bytes);
}

// Appends room for `bytes` bytes and returns where it starts.
static inline uint32_t append_room(ct_blob_writer *w, uint64_t bytes) {
    const uint32_t at = w->bytes.count;
    CT_ASSERT(bytes <= UINT32_MAX - at, "a blob is smaller than 4 GiB");
    if (bytes > w->bytes.capacity - at)
        ct_array_reserve(&w->bytes, at + bytes);
    w->bytes.count += (uint32_t)bytes;
    return at;
}

// Appends `bytes` zero bytes and returns where they start.
static uint32_t append(ct_blob_writer *w, uint64_t bytes) {
    const uint32_t at = append_room(w, bytes);
    if (bytes > 0) // an empty writer has no memory yet
        memset(w->bytes.items + at, 0, (size_t)bytes);
    return at;
}

static inline uint32_t append_value(ct_blob_writer *w, uint64_t value, uint32_t bytes) {
    const uint32_t at = append_room(w, bytes);
    store(w, w->bytes.items + at, value, bytes);
    return at;
}

static uint32_t float_bits(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

static uint64_t double_bits(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

uint32_t ct_blob_write_u8(ct_blob_writer *w, uint8_t value) {
    return append_value(w, value, 1);
}

uint32_t ct_blob_write_u16(ct_blob_writer *w, uint16_t value) {
    return append_value(w, value, 2);
}

uint32_t ct_blob_write_u32(ct_blob_writer *w, uint32_t value) {
    return append_value(w, value, 4);
}

uint32_t ct_blob_write_u64(ct_blob_writer *w, uint64_t value) {
    return append_value(w, value, 8);
}

uint32_t ct_blob_write_float(ct_blob_writer *w, float value) {
    return append_value(w, float_bits(value), 4);
}

uint32_t ct_blob_write_double(ct_blob_writer *w, double value) {
    return append_value(w, double_bits(value), 8);
}

uint32_t ct_blob_write_zeroes(ct_blob_writer *w, uint64_t count) {
    return append(w, count);
}

uint32_t ct_blob_write_bytes(ct_blob_writer *w, const void *bytes, uint64_t count) {
    const uint32_t at = append_room(w, count);
    if (count > 0)
        memcpy(w->bytes.items + at, bytes, (size_t)count);
    return at;
}

// --- Life ----------------------------------------------------------------------------------------

void ct_blob_writer_init(ct_blob_writer *w, ct_allocator *a, ct_byte_order order, const char *type,
                         uint32_t version) {
    ct_array_init(&w->bytes, a);
    w->order = order;
    ct_blob_write_u32(w, CT_BLOB_MAGIC);
    ct_blob_write_u32(w, version);
    ct_blob_write_u64(w, ct_string_id64_of(type).value);
    append(w, 16); // size and checksum
}

void ct_blob_writer_init_plain(ct_blob_writer *w, ct_allocator *a, ct_byte_order order) {
    w->order = order;
    ct_array_init(&w->bytes, a);
}

void ct_blob_writer_free(ct_blob_writer *w) {
    ct_array_free(&w->bytes);
}

uint32_t ct_blob_writer_offset(const ct_blob_writer *w) {
    return w->bytes.count;
}

void ct_blob_writer_align(ct_blob_writer *w, uint32_t align) {
    CT_ASSERT(align > 0 && (align & (align - 1)) == 0, "%u is not a power of two", align);
    append(w, (align - w->bytes.count % align) % align);
}

void ct_blob_writer_finish(ct_blob_writer *w) {
    ct_blob_writer_align(w, CT_BLOB_ALIGN);
    const uint32_t bytes = w->bytes.count;
    uint8_t *const start = w->bytes.items;
    const uint64_t checksum =
        ct_content_hash(start + sizeof(ct_blob_header), bytes - sizeof(ct_blob_header));
    store(w, start + offsetof(ct_blob_header, size_bytes), bytes, 8);
    store(w, start + offsetof(ct_blob_header, checksum), checksum, 8);
}

// --- Arrays and structs --------------------------------------------------------------------------

uint32_t ct_blob_write_u16_array(ct_blob_writer *w, const uint16_t *values, uint32_t count) {
    ct_blob_writer_align(w, 2);
    const uint32_t at = append(w, 2 * (uint64_t)count);
    for (uint32_t i = 0; i < count; ++i)
        store(w, w->bytes.items + at + 2 * (size_t)i, values[i], 2);
    return at;
}

uint32_t ct_blob_write_u32_array(ct_blob_writer *w, const uint32_t *values, uint32_t count) {
    ct_blob_writer_align(w, 4);
    const uint32_t at = append(w, 4 * (uint64_t)count);
    for (uint32_t i = 0; i < count; ++i)
        store(w, w->bytes.items + at + 4 * (size_t)i, values[i], 4);
    return at;
}

uint32_t ct_blob_write_u64_array(ct_blob_writer *w, const uint64_t *values, uint32_t count) {
    ct_blob_writer_align(w, 8);
    const uint32_t at = append(w, 8 * (uint64_t)count);
    for (uint32_t i = 0; i < count; ++i)
        store(w, w->bytes.items + at + 8 * (size_t)i, values[i], 8);
    return at;
}

uint32_t ct_blob_write_float_array(ct_blob_writer *w, const float *values, uint32_t count) {
    ct_blob_writer_align(w, 4);
    const uint32_t at = append(w, 4 * (uint64_t)count);
    for (uint32_t i = 0; i < count; ++i)
        store(w, w->bytes.items + at + 4 * (size_t)i, float_bits(values[i]), 4);
    return at;
}

// The size of the numbers that a field consists of; 0 when it cannot stand in a blob.
static uint32_t number_bytes(ct_field_type type) {
    switch (type) {
    case CT_FIELD_TYPE_BOOL:
    case CT_FIELD_TYPE_INT:
    case CT_FIELD_TYPE_FLOAT:
    case CT_FIELD_TYPE_VECTOR2:
    case CT_FIELD_TYPE_VECTOR3:
    case CT_FIELD_TYPE_VECTOR4:
    case CT_FIELD_TYPE_QUATERNION:
    case CT_FIELD_TYPE_COLOR:
    case CT_FIELD_TYPE_ENUM:
    case CT_FIELD_TYPE_NAME:
    case CT_FIELD_TYPE_INDEX:
        return 4;
    case CT_FIELD_TYPE_REFERENCE:
    case CT_FIELD_TYPE_REFERENCES:
        return 8;
    case CT_FIELD_TYPE_TEXT:
        return 1;
    default:
        return 0;
    }
}

static void store_field(const ct_blob_writer *w, uint8_t *target, const char *source,
                        uint32_t size_bytes, uint32_t item_bytes) {
    for (uint32_t i = 0; i < size_bytes; i += item_bytes) {
        uint32_t small;
        uint64_t large;
        if (item_bytes == 1) {
            target[i] = (uint8_t)source[i];
        } else if (item_bytes == 4) {
            memcpy(&small, source + i, 4);
            store(w, target + i, small, 4);
        } else {
            memcpy(&large, source + i, 8);
            store(w, target + i, large, 8);
        }
    }
}

uint32_t ct_blob_write_structs(ct_blob_writer *w, const ct_schema *schema, const void *structs,
                               uint32_t count) {
    ct_blob_writer_align(w, 8);
    const uint32_t at = append(w, schema->size_bytes * (uint64_t)count);
    for (uint32_t i = 0; i < count; ++i) {
        const uint64_t start = schema->size_bytes * (uint64_t)i;
        for (uint32_t f = 0; f < schema->num_fields; ++f) {
            const ct_field *const field = &schema->fields[f];
            if (field->type == CT_FIELD_TYPE_PADDING)
                continue;
            const uint32_t item_bytes = number_bytes(field->type);
            CT_ASSERT(item_bytes > 0, "%s.%s cannot stand in a blob", schema->name, field->name);
            store_field(w, w->bytes.items + at + start + field->offset,
                        (const char *)structs + start + field->offset, field->size_bytes,
                        item_bytes);
        }
    }
    return at;
}

// --- Patches -------------------------------------------------------------------------------------

uint32_t ct_blob_write_array_field(ct_blob_writer *w) {
    return append(w, sizeof(ct_blob_array));
}

void ct_blob_patch_u32(ct_blob_writer *w, uint32_t at, uint32_t value) {
    CT_ASSERT(at <= w->bytes.count && w->bytes.count - at >= 4, "%u is past the end %u", at,
              w->bytes.count);
    store(w, w->bytes.items + at, value, 4);
}

void ct_blob_patch_u64(ct_blob_writer *w, uint32_t at, uint64_t value) {
    CT_ASSERT(at <= w->bytes.count && w->bytes.count - at >= 8, "%u is past the end %u", at,
              w->bytes.count);
    store(w, w->bytes.items + at, value, 8);
}

void ct_blob_patch_array(ct_blob_writer *w, uint32_t at, uint32_t offset, uint32_t count) {
    ct_blob_patch_u32(w, at, count > 0 ? offset : 0);
    ct_blob_patch_u32(w, at + 4, count);
}

void ct_blob_patch_string(ct_blob_writer *w, uint32_t at, const char *text, uint32_t bytes) {
    const uint32_t offset = ct_blob_write_bytes(w, text, bytes);
    ct_blob_write_u8(w, 0);
    ct_blob_patch_u32(w, at, offset);
    ct_blob_patch_u32(w, at + 4, bytes);
}

void ct_blob_patch_strings(ct_blob_writer *w, uint32_t at, const char *const *texts,
                           uint32_t count) {
    ct_blob_writer_align(w, 4);
    const uint32_t first = ct_blob_writer_offset(w);
    ct_blob_patch_array(w, at, first, count);
    for (uint32_t i = 0; i < count; ++i)
        ct_blob_write_array_field(w);
    for (uint32_t i = 0; i < count; ++i)
        ct_blob_patch_string(w, first + i * (uint32_t)sizeof(ct_blob_string), texts[i],
                             (uint32_t)strlen(texts[i]));
}
