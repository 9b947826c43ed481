// render_sort.h: items to draw in one view, with sort keys.
//
// A least-significant-digit radix sort, stable, over only those bytes of the keys that differ: a
// thousand objects of one kind cost one pass over them. Any thread.
#pragma once
#include "foundation/types.h"

typedef struct ct_render_item {
    uint64_t key;
    uint32_t object;   // position in the world; of a cloud of particles, in its clouds
    uint32_t material; // index
    uint32_t mesh;     // index; 0: a cloud of particles
    uint32_t part;     // of the mesh: parts of the full level of detail, then of the other levels
    uint16_t lod;      // level of detail
    uint16_t is_mirrored;
    uint32_t is_posed; // by a skeleton
} ct_render_item;

// Returns true for an item that is a cloud of particles, not a part of an object.
static inline bool ct_render_item_is_cloud(const ct_render_item *item) {
    return item->mesh == 0;
}

// Sorts `count` items by key. `scratch` must have room for `count`. Returns the array with the
// result, which is `items` or `scratch`; the content of the other is undefined.
ct_render_item *ct_render_sort_items(ct_render_item *items, ct_render_item *scratch,
                                     uint32_t count);

// Keys. The layer is a number below 64. Indices are cut to the bits that the key has; items whose
// indices then look the same only cost more draw calls.

// Makes a key that sorts by layer, shader, material, mesh, part.
uint64_t ct_render_key_material(uint32_t layer, uint32_t shader, uint32_t material, uint32_t mesh,
                                uint32_t part, bool is_mirrored);

// Makes a key that sorts by layer, from near to far in steps of about a tenth of the distance, then
// as by material. `distance` is in metres.
uint64_t ct_render_key_front_back(uint32_t layer, float distance, uint32_t material, uint32_t mesh,
                                  uint32_t part, bool is_mirrored);

// Makes a key that sorts by layer, then exactly from far to near.
uint64_t ct_render_key_back_front(uint32_t layer, float distance, uint32_t material);

// Returns the layer of a key.
uint32_t ct_render_key_layer(uint64_t key);
