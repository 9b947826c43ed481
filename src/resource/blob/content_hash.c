#include "resource/blob/content_hash.h"

#include <xxhash.h>

uint64_t ct_content_hash(const void *data, uint64_t size_bytes) {
    return XXH3_64bits(data ? data : "", (size_t)size_bytes);
}
