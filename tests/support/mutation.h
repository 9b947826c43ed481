// mutation.h: damages bytes at random, the same way for the same seed.
#pragma once
#include "foundation/math/random.h"

// Changes `size` bytes at `bytes` (room for `capacity`) in one to four places: bits flipped, bytes
// set, runs dropped, repeated or moved, numbers made extreme, pieces of `words` put in. `words`
// ends with NULL and may be NULL. Returns the new size.
size_t test_mutate(ct_random *random, uint8_t *bytes, size_t size, size_t capacity,
                   const char *const *words);
