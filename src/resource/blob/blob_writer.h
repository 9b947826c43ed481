// blob_writer.h: lays out a blob for the destination platform.
//
// A compile function fills the blob's own structs in memory, in this machine's byte order, and
// passes them in with their layouts. They are appended in the order of the calls. Functions return
// arrays and strings as the members that point to them:
//
//     ct_rose_resource r = {.color = source->color};
//     ct_blob_begin(w, &ct_rose_layout);
//     r.petals = ct_blob_write_items(w, &ct_rose_petal_layout, petals, num_petals);
//     r.name = ct_blob_write_string(w, name, strlen(name));
//     ct_blob_end(w, &ct_rose_layout, &r);
//
// A struct that comes before the data it points to (the blob's struct, structs with strings of
// their own) gets room first and is filled when its members are known. Values can also be written
// one by one, and patched. Only the compiler writes blobs.
#pragma once
#include "foundation/container/array.h"
#include "resource/blob/blob_layout.h"

// The byte order of numbers.
typedef enum ct_byte_order {
    CT_BYTE_ORDER_LITTLE,
    CT_BYTE_ORDER_BIG,
} ct_byte_order;

typedef struct ct_blob_writer {
    ct_byte_array bytes; // the blob so far
    ct_byte_order order;
} ct_blob_writer;

// Starts a blob: appends the header of `type`. ct_blob_writer_finish fills in its size and
// checksum.
void ct_blob_writer_init(ct_blob_writer *w, ct_allocator *a, ct_byte_order order, const char *type,
                         uint32_t version);

// Starts plain bytes without a header, for a stream. Do not call ct_blob_writer_finish for it.
void ct_blob_writer_init_plain(ct_blob_writer *w, ct_allocator *a, ct_byte_order order);

// Frees the written bytes.
void ct_blob_writer_free(ct_blob_writer *w);

// Returns the current end, as an offset from the start of the blob.
uint32_t ct_blob_writer_offset(const ct_blob_writer *w);

// Appends zeroes up to a multiple of `align`, a power of two.
void ct_blob_writer_align(ct_blob_writer *w, uint32_t align);

// --- By layouts ----------------------------------------------------------------------------------

// Reserve the struct of a whole blob, directly after its header; fill it from `blob`, whose header
// is ignored.
void ct_blob_begin(ct_blob_writer *w, const ct_blob_layout *layout);
void ct_blob_end(ct_blob_writer *w, const ct_blob_layout *layout, const void *blob);

// Appends `count` structs, or numbers, of `layout` from memory, aligned as the layout says. Returns
// the member that points to them: {0, 0} when `count` is 0.
ct_blob_array ct_blob_write_items(ct_blob_writer *w, const ct_blob_layout *layout,
                                  const void *items, uint32_t count);

// The same in two steps: reserve the items; fill them from `items`.
ct_blob_array ct_blob_reserve_items(ct_blob_writer *w, const ct_blob_layout *layout,
                                    uint32_t count);
void ct_blob_fill_items(ct_blob_writer *w, const ct_blob_layout *layout, ct_blob_array array,
                        const void *items);

// Append a text and a zero byte; an array of zero-terminated texts. Return the member that points
// to it.
ct_blob_string ct_blob_write_string(ct_blob_writer *w, const char *text, uint64_t bytes);
ct_blob_array ct_blob_write_strings(ct_blob_writer *w, const char *const *texts, uint32_t count);

// Appends `count` structs of `schema`, aligned to 8. Returns their offset.
uint32_t ct_blob_write_structs(ct_blob_writer *w, const ct_schema *schema, const void *structs,
                               uint32_t count);

// --- Values and patches --------------------------------------------------------------------------

// Append one value, without alignment. Each returns the offset of the value.
uint32_t ct_blob_write_u8(ct_blob_writer *w, uint8_t value);
uint32_t ct_blob_write_u16(ct_blob_writer *w, uint16_t value);
uint32_t ct_blob_write_u32(ct_blob_writer *w, uint32_t value);
uint32_t ct_blob_write_u64(ct_blob_writer *w, uint64_t value);

// The same for floating-point numbers, and for raw bytes.
uint32_t ct_blob_write_float(ct_blob_writer *w, float value);
uint32_t ct_blob_write_double(ct_blob_writer *w, double value);
uint32_t ct_blob_write_bytes(ct_blob_writer *w, const void *bytes, uint64_t count);

// Appends `count` zero bytes, for the caller to fill in w->bytes before anything else is appended,
// with bytes that are the same on every platform. Returns the offset of the first.
uint32_t ct_blob_write_zeroes(ct_blob_writer *w, uint64_t count);

// Appends `count` values of 4 bytes from memory in this machine's byte order, aligned to 4. Returns
// the offset of the first.
uint32_t ct_blob_write_u32_array(ct_blob_writer *w, const uint32_t *values, uint32_t count);

// Appends two uint32 (offset, count) for ct_blob_patch_array to patch. Returns their offset.
uint32_t ct_blob_write_array_field(ct_blob_writer *w);

// Overwrite a value that was written before.
void ct_blob_patch_u32(ct_blob_writer *w, uint32_t at, uint32_t value);
void ct_blob_patch_u64(ct_blob_writer *w, uint32_t at, uint64_t value);

// Patches an (offset, count) field. An empty array is {0, 0}.
void ct_blob_patch_array(ct_blob_writer *w, uint32_t at, uint32_t offset, uint32_t count);

// Appends a zero-terminated string and patches the ct_blob_string field at `at`.
void ct_blob_patch_string(ct_blob_writer *w, uint32_t at, const char *text, uint32_t bytes);

// Pads to CT_BLOB_ALIGN and fills the header. The blob is w->bytes.
void ct_blob_writer_finish(ct_blob_writer *w);
