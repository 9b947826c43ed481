// blob_layout.h: descriptions of the structs in blobs, one for each struct.
//
// A layout is a constant table of parts: runs of numbers of one size, strings, arrays, nested
// structs. It is declared beside its struct. All code that processes a blob member by member uses
// it: the validation of loaded data (here), the compiler, which writes structs in the byte order of
// the destination (blob_writer.h), and the dump of tests/be64, which reads them there.
//
// Parts follow each other without gaps, from the header or the start of the struct to its end;
// padding is a part too. A test walks all types, so it fails when a new member is not described.
// All data is constant: any thread. libc only.
#pragma once
#include "resource/blob/blob.h"
#include "resource/resource_id.h"
#include "resource/schema/schema.h"

typedef struct ct_blob_layout ct_blob_layout;

typedef enum ct_blob_part_kind {
    CT_BLOB_PART_NUMBERS, // of `number_bytes` each; their meaning does not matter
    CT_BLOB_PART_STRING,  // ct_blob_string
    CT_BLOB_PART_STRUCTS, // one or several structs of `layout`, in place
    CT_BLOB_PART_ARRAY,   // ct_blob_array of `layout`, or of the layout that `choose` returns
} ct_blob_part_kind;

typedef struct ct_blob_part {
    const char *name; // of its first member; "" for a whole struct
    ct_blob_part_kind kind;
    uint32_t offset, size_bytes; // in the struct
    uint32_t number_bytes;       // 1, 2, 4 or 8
    const ct_blob_layout *layout;
    // Returns the layout of the array's elements for `owner`, a struct of `blob`: a constant, or
    // `own`, which the caller provides to fill. Returns NULL with `error` (which may be NULL) when
    // the blob's members are invalid; they were not checked before.
    const ct_blob_layout *(*choose)(const void *blob, const void *owner, ct_blob_layout *own,
                                    ct_error *error);
    bool is_optional; // a string that may be missing, {0, 0}
    bool is_streamed; // an array of bytes that may be in the stream (ct_blob_stream)
} ct_blob_part;

struct ct_blob_layout {
    const char *name; // "ct_mesh_part"; of a whole blob, the name for messages: "a mesh"
    uint32_t size_bytes, align_bytes;
    uint32_t first_offset; // of the first part: after the header in a whole blob; else 0
    uint32_t num_parts;    // 0: opaque bytes
    const ct_blob_part *parts;
};

// --- Tables --------------------------------------------------------------------------------------

// Make the layout of a struct in a blob, and that of a whole blob with its name for messages. The
// parts follow: `const ct_blob_layout ct_rose_layout = CT_BLOB_ROOT(ct_rose, "a rose", …);`.
#define CT_BLOB_STRUCT(type, ...) CT_BLOB_LAYOUT(type, #type, 0, __VA_ARGS__)
#define CT_BLOB_ROOT(type, title, ...)                                                             \
    CT_BLOB_LAYOUT(type, title, sizeof(ct_blob_header), __VA_ARGS__)

// The same for a number, or a struct that has only numbers of `bytes`.
#define CT_BLOB_ALL_NUMBERS(type, bytes)                                                           \
    CT_BLOB_STRUCT(type,                                                                           \
                   {.name = "", .number_bytes = (bytes), .size_bytes = (uint32_t)sizeof(type)})

// Members `first` to `last` of `type`: numbers of `bytes` each.
#define CT_BLOB_NUMBERS(bytes, type, first, last)                                                  \
    {                                                                                              \
        .name = #first, .kind = CT_BLOB_PART_NUMBERS, .number_bytes = (bytes),                     \
        .offset = offsetof(type, first),                                                           \
        .size_bytes =                                                                              \
            (uint32_t)(offsetof(type, last) - offsetof(type, first)) + CT_BLOB_SIZE_OF(type, last) \
    }
// A string; a string that may be missing.
#define CT_BLOB_STRING(type, member)                                                               \
    { CT_BLOB_PART(type, member, CT_BLOB_PART_STRING) }
#define CT_BLOB_STRING_OR_NONE(type, member)                                                       \
    { CT_BLOB_PART(type, member, CT_BLOB_PART_STRING), .is_optional = true }
// Structs of the layout `of` in place; an array of them; an array whose layout a function chooses.
#define CT_BLOB_STRUCTS(type, member, of)                                                          \
    { CT_BLOB_PART(type, member, CT_BLOB_PART_STRUCTS), .layout = &(of) }
#define CT_BLOB_ARRAY(type, member, of)                                                            \
    { CT_BLOB_PART(type, member, CT_BLOB_PART_ARRAY), .layout = &(of) }
#define CT_BLOB_CHOICE(type, member, function)                                                     \
    { CT_BLOB_PART(type, member, CT_BLOB_PART_ARRAY), .choose = (function) }
// An array of bytes of the layout `of`, which may be in the stream.
#define CT_BLOB_STREAMED(type, member, of)                                                         \
    { CT_BLOB_PART(type, member, CT_BLOB_PART_ARRAY), .layout = &(of), .is_streamed = true }

// Implementation of the macros above.
#define CT_BLOB_SIZE_OF(type, member) ((uint32_t)sizeof(((type *)0)->member))
#define CT_BLOB_PART(type, member, part_kind)                                                      \
    .name = #member, .kind = (part_kind), .offset = offsetof(type, member),                        \
    .size_bytes = CT_BLOB_SIZE_OF(type, member)
#define CT_BLOB_LAYOUT(type, layout_name, first, ...)                                              \
    {                                                                                              \
        .name = (layout_name), .size_bytes = sizeof(type), .align_bytes = _Alignof(type),          \
        .first_offset = (first), .num_parts = CT_COUNT_OF(((const ct_blob_part[]){__VA_ARGS__})),  \
        .parts = (const ct_blob_part[]) {                                                          \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }

// --- Common layouts ------------------------------------------------------------------------------

// Numbers, aligned to their size.
extern const ct_blob_layout ct_blob_u8_layout, ct_blob_u16_layout, ct_blob_u32_layout,
    ct_blob_u64_layout;

// Bytes in pieces that each start at a multiple of CT_BLOB_ALIGN.
extern const ct_blob_layout ct_blob_pixels_layout;

extern const ct_blob_layout ct_blob_string_layout; // ct_blob_string
extern const ct_blob_layout ct_blob_stream_layout; // ct_blob_stream, a member of the whole blob
extern const ct_blob_layout ct_blob_resource_id_layout; // ct_resource_id

// Returns the part that describes a schema's field. Its number_bytes is 0 for padding and for
// fields that cannot be stored in a blob.
ct_blob_part ct_blob_part_of_field(const ct_field *field);

// --- The check -----------------------------------------------------------------------------------

// Checks everything in a blob that its layout describes; the header was checked before. The blob
// must be large enough for its struct. Every array, of it and of structs in its arrays, must be
// inside and aligned, or in the stream where that is allowed. Strings must be inside and end with a
// zero byte. Returns false with `error`, which names the member: "steps[3].name: …". The caller
// checks the values of numbers and texts. Structs without strings and arrays are not visited one by
// one.
bool ct_blob_check_layout(const ct_blob_layout *layout, const void *blob, ct_error *error);
