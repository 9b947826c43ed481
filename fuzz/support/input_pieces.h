// input_pieces.h: the input of a fuzz target, read piece by piece; zeros behind its end.
#pragma once
#include <stddef.h>
#include <stdint.h>

typedef struct input {
    const uint8_t *data;
    size_t size;
} input;

static inline uint8_t take(input *in) {
    if (in->size == 0)
        return 0;
    --in->size;
    return *in->data++;
}
