#include "resource/content_hash.h"

#include <stdlib.h>

// Unoptimised builds keep all that the header defines, its streams too, which nobody here uses and
// which would take memory from the heap.
#define malloc(size_bytes) ((void)(size_bytes), NULL)
#define free(p) ((void)(p))
#define XXH_INLINE_ALL
#include <xxhash.h>
#undef malloc
#undef free

uint64_t ct_content_hash(const void *data, uint64_t size_bytes) {
    return XXH3_64bits(data ? data : "", (size_t)size_bytes);
}
