#include "render/draw/render_sort.h"

#include "foundation/container/sort.h"

enum { LAYER_SHIFT = 58 };

_Static_assert(offsetof(ct_render_item, key) == 0, "ct_sort_records64 needs the key in front");

ct_render_item *ct_render_sort_items(ct_render_item *items, ct_render_item *scratch,
                                     uint32_t count) {
    return ct_sort_records64(items, scratch, count, sizeof(*items));
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
    const uint64_t step = ct_sort_key_of_float(distance) >> 20;
    return (uint64_t)layer << LAYER_SHIFT | step << 46 | (uint64_t)(material & 0xffff) << 30 |
           (uint64_t)(mesh & 0xffff) << 14 | (uint64_t)(part & 0xff) << 6 | is_mirrored;
}

uint64_t ct_render_key_back_front(uint32_t layer, float distance, uint32_t material) {
    return (uint64_t)layer << LAYER_SHIFT | (uint64_t)~ct_sort_key_of_float(distance) << 24 |
           (material & 0xffffff);
}

uint32_t ct_render_key_layer(uint64_t key) {
    return (uint32_t)(key >> LAYER_SHIFT);
}
