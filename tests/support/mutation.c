#include "support/mutation.h"

#include <string.h>

enum { MAX_RUN = 32 };

static size_t below(ct_random *r, size_t bound) {
    return bound > 0 ? ct_random_below(r, (uint32_t)bound) : 0;
}

static size_t smaller(size_t a, size_t b) {
    return a < b ? a : b;
}

// Puts `count` bytes in front of `at`; what does not fit is left out.
static size_t insert(uint8_t *bytes, size_t size, size_t capacity, size_t at, const void *piece,
                     size_t count) {
    uint8_t copy[256];
    count = smaller(smaller(count, capacity - size), sizeof(copy));
    memcpy(copy, piece, count);
    memmove(bytes + at + count, bytes + at, size - at);
    memcpy(bytes + at, copy, count);
    return size + count;
}

static size_t drop(ct_random *r, uint8_t *bytes, size_t size) {
    const size_t at = below(r, size), count = smaller(1 + below(r, MAX_RUN), size - at);
    memmove(bytes + at, bytes + at + count, size - at - count);
    return size - count;
}

static size_t repeat(ct_random *r, uint8_t *bytes, size_t size, size_t capacity) {
    const size_t from = below(r, size), count = smaller(1 + below(r, MAX_RUN), size - from);
    return insert(bytes, size, capacity, below(r, size), bytes + from, count);
}

// Numbers that are often at the edge of a check, in the width of 1, 2, 4 or 8 bytes.
static void set_extreme(ct_random *r, uint8_t *bytes, size_t size) {
    static const uint64_t numbers[] = {0,          1,          0x7f,       0x80,       0xff,
                                       0xffff,     0x7fffffff, 0x80000000, 0xffffffff, ~0ull,
                                       0x7f800000, 0x7fc00000, 0x10000,    0xfffffff0};
    const size_t width = (size_t)1 << below(r, 4);
    const uint64_t number = numbers[below(r, sizeof(numbers) / sizeof(*numbers))];
    if (size < width)
        return;
    memcpy(bytes + below(r, size / width) * width, &number, width);
}

static size_t mutate_once(ct_random *r, uint8_t *bytes, size_t size, size_t capacity,
                          const char *const *words) {
    size_t num_words = 0;
    while (words && words[num_words])
        ++num_words;
    if (size == 0)
        return insert(bytes, 0, capacity, 0, "\0{", 2);
    switch (below(r, 7)) {
    case 0:
        bytes[below(r, size)] ^= (uint8_t)(1u << below(r, 8));
        return size;
    case 1:
        bytes[below(r, size)] = (uint8_t)below(r, 256);
        return size;
    case 2:
        return drop(r, bytes, size);
    case 3:
        return repeat(r, bytes, size, capacity);
    case 4:
        set_extreme(r, bytes, size);
        return size;
    case 5:
        if (num_words > 0) {
            const char *const word = words[below(r, num_words)];
            return insert(bytes, size, capacity, below(r, size + 1), word, strlen(word));
        }
        return size;
    default:
        return below(r, 16) == 0 ? below(r, size) : drop(r, bytes, size); // sometimes a cut
    }
}

size_t test_mutate(ct_random *random, uint8_t *bytes, size_t size, size_t capacity,
                   const char *const *words) {
    for (size_t count = 1 + below(random, 4); count > 0; --count)
        size = mutate_once(random, bytes, size, capacity, words);
    return size;
}
