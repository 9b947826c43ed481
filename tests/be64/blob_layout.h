// blob_layout.h: where in a blob numbers, strings and arrays stand, for every type, so that one
// walk reads all of it.
//
// A layout is a list of parts: runs of members of one size, strings, arrays of another layout.
// Parts follow each other without gaps from the header to the struct's end; the walk checks that,
// so a member that is added to a struct is missed here at once. All is constant.
#pragma once
#include "resource/blob/blob.h"
#include "resource/schema/schema.h"

typedef struct blob_layout blob_layout;

typedef enum blob_part_kind {
    BLOB_PART_NUMBERS, // of `number_bytes` each: 1, 2, 4 or 8; what they are does not matter
    BLOB_PART_STRING,  // ct_blob_string; {0, 0} is none
    BLOB_PART_STRUCTS, // of `layout`, in place
    BLOB_PART_ARRAY,   // ct_blob_array of `layout`, or of what `choose` says
} blob_part_kind;

typedef struct blob_part {
    const char *name; // of its first member
    uint32_t offset, size_bytes;
    blob_part_kind kind;
    uint32_t number_bytes;
    const blob_layout *layout;
    // The layout of an array that `owner`, a struct of `blob`, has; NULL when it is not known.
    const blob_layout *(*choose)(const void *blob, const void *owner);
} blob_part;

struct blob_layout {
    const char *name;
    uint32_t size_bytes;
    uint32_t first_offset; // of the first part: behind the header, or 0
    uint32_t num_parts;
    const blob_part *parts;
    bool has_gaps; // a component's schema may leave out bytes, which are 0
    bool is_used;  // no parts: blob_uses_print prints what the loader's functions make of it
};

// The layout of blobs of a type ("texture", "catalog"), or NULL.
const blob_layout *blob_layout_of(const char *type);

// The bytes of the smallest struct or number that `layout` starts with: what its items are aligned
// to at least.
uint32_t blob_layout_align(const blob_layout *layout);
