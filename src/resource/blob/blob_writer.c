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
    CT_ASSERT(bytes <= UINT32_MAX - at, "a blob must be smaller than 4 GiB");
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

// --- By layouts ----------------------------------------------------------------------------------

static bool is_native(const ct_blob_writer *w) {
    return (w->order == CT_BYTE_ORDER_LITTLE) == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
}

// Stores `size_bytes` bytes of numbers of `number_bytes` each, which lie in memory.
static void store_numbers(const ct_blob_writer *w, uint8_t *target, const uint8_t *source,
                          uint64_t size_bytes, uint32_t number_bytes) {
    if (is_native(w) || number_bytes == 1) {
        if (size_bytes > 0)
            memcpy(target, source, (size_t)size_bytes);
        return;
    }
    for (uint64_t i = 0; i < size_bytes; i += number_bytes) {
        for (uint32_t k = 0; k < number_bytes; ++k)
            target[i + k] = source[i + number_bytes - 1 - k];
    }
}

static void store_struct(const ct_blob_writer *w, const ct_blob_layout *layout, uint8_t *target,
                         const uint8_t *source);

static void store_part(const ct_blob_writer *w, const ct_blob_part *part, uint8_t *target,
                       const uint8_t *source) {
    const bool is_numbers = part->kind == CT_BLOB_PART_NUMBERS;
    target += part->offset;
    source += part->offset;
    if (part->kind != CT_BLOB_PART_STRUCTS) // strings and arrays: an offset and a count
        store_numbers(w, target, source, part->size_bytes,
                      is_numbers ? part->number_bytes : (uint32_t)sizeof(uint32_t));
    for (uint32_t i = 0; part->kind == CT_BLOB_PART_STRUCTS && i < part->size_bytes;
         i += part->layout->size_bytes)
        store_struct(w, part->layout, target + i, source + i);
}

static void store_struct(const ct_blob_writer *w, const ct_blob_layout *layout, uint8_t *target,
                         const uint8_t *source) {
    for (uint32_t i = 0; i < layout->num_parts; ++i)
        store_part(w, &layout->parts[i], target, source);
}

void ct_blob_begin(ct_blob_writer *w, const ct_blob_layout *layout) {
    CT_ASSERT(w->bytes.count == sizeof(ct_blob_header), "%s must come directly after the header",
              layout->name);
    append(w, layout->size_bytes - sizeof(ct_blob_header));
}

void ct_blob_end(ct_blob_writer *w, const ct_blob_layout *layout, const void *blob) {
    CT_ASSERT(w->bytes.count >= layout->size_bytes, "there is no room for %s", layout->name);
    store_struct(w, layout, w->bytes.items, blob);
}

ct_blob_array ct_blob_reserve_items(ct_blob_writer *w, const ct_blob_layout *layout,
                                    uint32_t count) {
    ct_blob_writer_align(w, layout->align_bytes);
    const uint32_t at = append(w, layout->size_bytes * (uint64_t)count);
    return (ct_blob_array){count > 0 ? at : 0, count};
}

void ct_blob_fill_items(ct_blob_writer *w, const ct_blob_layout *layout, ct_blob_array array,
                        const void *items) {
    const ct_blob_part *const only = &layout->parts[0];
    uint8_t *const target = w->bytes.items + array.offset;
    const uint64_t size_bytes = layout->size_bytes * (uint64_t)array.count;
    if (only->kind == CT_BLOB_PART_NUMBERS && only->size_bytes == layout->size_bytes) {
        store_numbers(w, target, items, size_bytes, only->number_bytes);
        return;
    }
    for (uint64_t i = 0; i < size_bytes; i += layout->size_bytes)
        store_struct(w, layout, target + i, (const uint8_t *)items + i);
}

ct_blob_array ct_blob_write_items(ct_blob_writer *w, const ct_blob_layout *layout,
                                  const void *items, uint32_t count) {
    const ct_blob_array array = ct_blob_reserve_items(w, layout, count);
    ct_blob_fill_items(w, layout, array, items);
    return array;
}

ct_blob_string ct_blob_write_string(ct_blob_writer *w, const char *text, uint64_t bytes) {
    const uint32_t offset = ct_blob_write_bytes(w, text, bytes);
    ct_blob_write_u8(w, 0);
    return (ct_blob_string){offset, (uint32_t)bytes};
}

ct_blob_array ct_blob_write_strings(ct_blob_writer *w, const char *const *texts, uint32_t count) {
    const ct_blob_array array = ct_blob_reserve_items(w, &ct_blob_string_layout, count);
    for (uint32_t i = 0; i < count; ++i) {
        const ct_blob_string string = ct_blob_write_string(w, texts[i], strlen(texts[i]));
        const uint32_t at = array.offset + i * (uint32_t)sizeof(string);
        ct_blob_fill_items(w, &ct_blob_string_layout, (ct_blob_array){at, 1}, &string);
    }
    return array;
}

uint32_t ct_blob_write_structs(ct_blob_writer *w, const ct_schema *schema, const void *structs,
                               uint32_t count) {
    ct_blob_writer_align(w, 8);
    const uint64_t size_bytes = schema->size_bytes * (uint64_t)count;
    const uint32_t at = append(w, size_bytes);
    for (uint32_t f = 0; f < schema->num_fields; ++f) {
        const ct_blob_part part = ct_blob_part_of_field(&schema->fields[f]);
        if (schema->fields[f].type == CT_FIELD_TYPE_PADDING)
            continue;
        CT_ASSERT(part.number_bytes > 0, "%s.%s cannot be stored in a blob", schema->name,
                  part.name);
        for (uint64_t i = 0; i < size_bytes; i += schema->size_bytes)
            store_part(w, &part, w->bytes.items + at + i, (const uint8_t *)structs + i);
    }
    return at;
}

uint32_t ct_blob_write_u32_array(ct_blob_writer *w, const uint32_t *values, uint32_t count) {
    ct_blob_writer_align(w, sizeof(*values));
    const uint32_t at = append(w, sizeof(*values) * (uint64_t)count);
    store_numbers(w, w->bytes.items + at, (const uint8_t *)values,
                  sizeof(*values) * (uint64_t)count, sizeof(*values));
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
    const ct_blob_string string = ct_blob_write_string(w, text, bytes);
    ct_blob_patch_u32(w, at, string.offset);
    ct_blob_patch_u32(w, at + 4, string.bytes);
}
