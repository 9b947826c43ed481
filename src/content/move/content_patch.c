#include "content/move/content_patch.h"

#include <stdlib.h>
#include <string.h>

#include "foundation/error.h"

static int compare_patches(const void *a, const void *b) {
    const ct_patch *const x = a, *const y = b;
    return (x->begin > y->begin) - (x->begin < y->begin);
}

char *ct_patch_apply(ct_allocator *a, const char *text, uint64_t bytes, ct_patch_array *patches,
                     uint64_t *new_bytes) {
    if (patches->count > 1)
        qsort(patches->items, patches->count, sizeof(patches->items[0]), compare_patches);
    uint64_t total = bytes;
    for (uint32_t i = 0; i < patches->count; ++i)
        total += strlen(patches->items[i].text) -
                 (uint64_t)(patches->items[i].end - patches->items[i].begin);
    char *const result = ct_alloc(a, total + 1);
    uint64_t from = 0, to = 0;
    for (uint32_t i = 0; i < patches->count; ++i) {
        const ct_patch *const p = &patches->items[i];
        CT_ASSERT(p->begin >= from && p->end >= p->begin && p->end <= bytes,
                  "patch %u of bytes %u to %u overlaps another or the end", i, p->begin, p->end);
        const uint64_t length = strlen(p->text);
        memcpy(result + to, text + from, p->begin - from);
        to += p->begin - from;
        memcpy(result + to, p->text, length);
        to += length;
        from = p->end;
    }
    memcpy(result + to, text + from, bytes - from);
    result[total] = 0;
    *new_bytes = total;
    return result;
}
