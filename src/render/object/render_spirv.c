#include "render/object/render_spirv.h"

#include <stddef.h>

// The numbers of the SPIR-V specification.
enum {
    MAGIC = 0x07230203,
    HEADER_WORDS = 5,
    OP_TYPE_ARRAY = 28,
    OP_TYPE_POINTER = 32,
    OP_VARIABLE = 59,
    OP_DECORATE = 71,
    DECORATION_LOCATION = 30,
    STORAGE_CLASS_OUTPUT = 3,
    NUM_LOCATIONS = 32,
};

// The instruction at `*at`; moves on. NULL at the end, or when the
// module is damaged.
static const uint32_t *next(const uint32_t *words, uint32_t count, uint32_t *at) {
    if (*at >= count)
        return NULL;
    const uint32_t length = words[*at] >> 16;
    if (length == 0 || length > count - *at)
        return NULL;
    const uint32_t *const instruction = words + *at;
    *at += length;
    return instruction;
}

// The instruction `op` of at least 4 words whose word `position` is `id`, or NULL.
static const uint32_t *find(const uint32_t *words, uint32_t count, uint32_t op, uint32_t position,
                            uint32_t id) {
    const uint32_t *x;
    for (uint32_t at = HEADER_WORDS; (x = next(words, count, &at));)
        if ((x[0] & 0xffff) == op && x[0] >> 16 >= 4 && x[position] == id)
            return x;
    return NULL;
}

static bool is_array(const uint32_t *words, uint32_t count, const uint32_t *variable) {
    const uint32_t *const pointer = find(words, count, OP_TYPE_POINTER, 1, variable[1]);
    return pointer && find(words, count, OP_TYPE_ARRAY, 1, pointer[3]);
}

uint32_t ct_render_spirv_outputs(const uint32_t *words, uint32_t count) {
    if (count < HEADER_WORDS || words[0] != MAGIC)
        return UINT32_MAX;
    uint32_t outputs = 0;
    const uint32_t *x;
    for (uint32_t at = HEADER_WORDS; (x = next(words, count, &at));) {
        if ((x[0] & 0xffff) != OP_DECORATE || x[0] >> 16 != 4 || x[2] != DECORATION_LOCATION ||
            x[3] >= NUM_LOCATIONS)
            continue;
        const uint32_t *const variable = find(words, count, OP_VARIABLE, 2, x[1]);
        if (!variable || variable[3] != STORAGE_CLASS_OUTPUT)
            continue;
        if (is_array(words, count, variable))
            return UINT32_MAX;
        outputs |= 1u << x[3];
    }
    return outputs;
}
