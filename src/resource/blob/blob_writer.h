// blob_writer.h: lays out a blob for the destination platform.
//
// A compile function fills the blob's own structs in memory, in this machine's byte order, and hands
// them over with their layouts, by which they are appended in the order asked for. Arrays and
// strings come back as the members that lead to them:
//
//     ct_rose_resource r = {.color = source->color};
//     ct_blob_begin(w, &ct_rose_layout);
//     r.petals = ct_blob_write_items(w, &ct_rose_petal_layout, petals, num_petals);
//     r.name = ct_blob_write_string(w, name, strlen(name));
//     ct_blob_end(w, &ct_rose_layout, &r);
//
// What stands before that which it leads to (the blob's struct, structs with strings of their own)
// is given room first and filled when its members are known. Values can be written one by one, too,
// and patched. Only the compiler writes blobs.
#pragma once
#include "foundation/container/array.h"
#include "resource/blob/blob_layout.h"

// The order of the bytes of a number.
typedef enum ct_byte_order {
    CT_BYTE_ORDER_LITTLE,
    CT_BYTE_ORDER_BIG,
} ct_byte_order;

typedef struct ct_blob_writer {
    ct_byte_array bytes; // the blob so far
    ct_byte_order order;
} ct_blob_writer;

// Starts a blob: appends the header of `type`, whose size and checksum ct_blob_writer_finish fills.
void ct_blob_writer_init(ct_blob_writer *w, ct_allocator *a, ct_byte_order order, const char *type,
                         uint32_t version);

// Starts plain bytes without a header, which ct_blob_writer_finish is not for: a stream.
void ct_blob_writer_init_plain(ct_blob_writer *w, ct_allocator *a, ct_byte_order order);

// Frees the bytes that were written.
void ct_blob_writer_free(ct_blob_writer *w);

// The current end, as an offset from the start of the blob.
uint32_t ct_blob_writer_offset(const ct_blob_writer *w);

// Appends zeroes up to a multiple of `align`, a power of two.
void ct_blob_writer_align(ct_blob_writer *w, uint32_t align);

// --- By layouts ----------------------------------------------------------------------------------

// Makes room for the struct of a whole blob behind its header, which stands there alone; fills it
// from `blob`, whose header is not looked at.
void ct_blob_begin(ct_blob_writer *w, const ct_blob_layout *layout);
void ct_blob_end(ct_blob_writer *w, const ct_blob_layout *layout, const void *blob);

// Appends `count` structs, or numbers, of `layout` that lie in memory, aligned as the layout says.
// Returns the member that leads to them: {0, 0} when there are none.
ct_blob_array ct_blob_write_items(ct_blob_writer *w, const ct_blob_layout *layout,
                                  const void *items, uint32_t count);

// The same in two steps: room for them; `items` there.
ct_blob_array ct_blob_reserve_items(ct_blob_writer *w, const ct_blob_layout *layout,
                                    uint32_t count);
void ct_blob_fill_items(ct_blob_writer *w, const ct_blob_layout *layout, ct_blob_array array,
                        const void *items);

// Appends a text and a zero; an array of zero-terminated texts. Return what leads there.
ct_blob_string ct_blob_write_string(ct_blob_writer *w, const char *text, uint64_t bytes);
ct_blob_array ct_blob_write_strings(ct_blob_writer *w, const char *const *texts, uint32_t count);

// Appends `count` structs that `schema` describes, aligned to 8. Returns their offset.
uint32_t ct_blob_write_structs(ct_blob_writer *w, const ct_schema *schema, const void *structs,
                               uint32_t count);

// --- Values and patches --------------------------------------------------------------------------

// Append one value, without alignment of their own. Each returns the offset it was written at.
uint32_t ct_blob_write_u8(ct_blob_writer *w, uint8_t value);
uint32_t ct_blob_write_u16(ct_blob_writer *w, uint16_t value);
uint32_t ct_blob_write_u32(ct_blob_writer *w, uint32_t value);
uint32_t ct_blob_write_u64(ct_blob_writer *w, uint64_t value);

// The same for floating-point numbers, and for bytes as they are.
uint32_t ct_blob_write_float(ct_blob_writer *w, float value);
uint32_t ct_blob_write_double(ct_blob_writer *w, double value);
uint32_t ct_blob_write_bytes(ct_blob_writer *w, const void *bytes, uint64_t count);

// Appends `count` zero bytes, for the caller to fill in w->bytes before anything else is appended:
// with bytes that are the same on every platform. Returns the offset of the first.
uint32_t ct_blob_write_zeroes(ct_blob_writer *w, uint64_t count);

// Appends `count` values of 4 bytes that lie in memory in this machine's order, aligned to 4.
// Returns the offset of the first.
uint32_t ct_blob_write_u32_array(ct_blob_writer *w, const uint32_t *values, uint32_t count);

// Appends two uint32 (offset, count) to be patched by ct_blob_patch_array; returns where.
uint32_t ct_blob_write_array_field(ct_blob_writer *w);

// Overwrite a value written before.
void ct_blob_patch_u32(ct_blob_writer *w, uint32_t at, uint32_t value);
void ct_blob_patch_u64(ct_blob_writer *w, uint32_t at, uint64_t value);

// Patches an (offset, count) field. An empty array is {0, 0}.
void ct_blob_patch_array(ct_blob_writer *w, uint32_t at, uint32_t offset, uint32_t count);

// Appends a zero-terminated string and patches the ct_blob_string field at `at`.
void ct_blob_patch_string(ct_blob_writer *w, uint32_t at, const char *text, uint32_t bytes);

// Pads to CT_BLOB_ALIGN and fills the header. The blob is w->bytes.
void ct_blob_writer_finish(ct_blob_writer *w);
