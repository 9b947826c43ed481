#include "render/render_sort.h"

#include <string.h>

enum { LAYER_SHIFT = 58 };

static void sort_by_byte(const ct_render_item *from, ct_render_item *to, uint32_t count,
                         uint32_t shift) {
    uint32_t begin[256] = {0};
    for (uint32_t i = 0; i < count; ++i)
        ++begin[from[i].key >> shift & 0xff];
    uint32_t sum = 0;
    for (uint32_t i = 0; i < 256; ++i) {
        const uint32_t n = begin[i];
        begin[i] = sum;
        sum += n;
    }
    for (uint32_t i = 0; i < count; ++i)
        to[begin[from[i].key >> shift & 0xff]++] = from[i];
}

ct_render_item *ct_render_sort_items(ct_render_item *items, ct_render_item *scratch,
                                     uint32_t count) {
    uint64_t differing = 0;
    for (uint32_t i = 1; i < count; ++i)
        differing |= items[i].key ^ items[0].key;
    for (uint32_t shift = 0; shift < 64; shift += 8) {
        if (!(differing >> shift & 0xff))
            continue;
        sort_by_byte(items, scratch, count, shift);
        ct_render_item *swap = items;
        items = scratch;
        scratch = swap;
    }
    return items;
}

// A number that grows with `distance`, negative ones included.
static uint32_t sortable(float distance) {
    uint32_t bits;
    memcpy(&bits, &distance, sizeof(bits));
    return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

uint64_t ct_render_key_material(uint32_t layer, uint32_t shader, uint32_t material, uint32_t mesh,
                                uint32_t part, bool is_mirrored) {
    return (uint64_t)layer << LAYER_SHIFT | (uint64_t)(shader & 0x3ff) << 48 |
           (uint64_t)(material & 0xffff) << 32 | (uint64_t)(mesh & 0xffff) << 16 |
           (uint64_t)(part & 0xff) << 8 | is_mirrored;
}

uint64_t ct_render_key_front_back(uint32_t layer, float distance, uint32_t material, uint32_t mesh,
                                  uint32_t part, bool is_mirrored) {
    // Sign, exponent and three bits: steps of a twelfth.
    const uint64_t step = sortable(distance) >> 20;
    return (uint64_t)layer << LAYER_SHIFT | step << 46 | (uint64_t)(material & 0xffff) << 30 |
           (uint64_t)(mesh & 0xffff) << 14 | (uint64_t)(part & 0xff) << 6 | is_mirrored;
}

uint64_t ct_render_key_back_front(uint32_t layer, float distance, uint32_t material) {
    return (uint64_t)layer << LAYER_SHIFT | (uint64_t)~sortable(distance) << 24 |
           (material & 0xffffff);
}

uint32_t ct_render_key_layer(uint64_t key) {
    return (uint32_t)(key >> LAYER_SHIFT);
}
