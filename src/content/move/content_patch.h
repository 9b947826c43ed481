// content_patch.h: new text in place of some bytes of a file; all other bytes stay.
#pragma once
#include "foundation/container/array.h"

// Bytes `begin` to before `end` of a text become `text`.
typedef struct ct_patch {
    uint32_t begin, end;
    const char *text; // borrowed
} ct_patch;

typedef CT_ARRAY(ct_patch) ct_patch_array;

// The text of `bytes` bytes with the patches, which are put in order and do not overlap; from `a`,
// followed by a zero byte. `new_bytes` is set.
char *ct_patch_apply(ct_allocator *a, const char *text, uint64_t bytes, ct_patch_array *patches,
                     uint64_t *new_bytes);
