// render_sort.h: what is drawn in one view, as items with sort keys.
//
// A least-significant-digit radix sort, stable, over only those bytes of the keys that differ: a
// thousand objects of one kind cost one pass over them.
#pragma once
#include "foundation/types.h"

typedef struct ct_render_item {
    uint64_t key;
    uint32_t object;   // position in the world
    uint32_t material; // index
    uint32_t mesh;     // index
    uint32_t part;     // of the mesh: those of the full level of detail, then those of the others
    uint32_t is_mirrored;
    uint32_t padding;
} ct_render_item;

// Sorts `count` items by key. `scratch` has room for as many. Returns where the result is: `items`
// or `scratch`.
ct_render_item *ct_render_sort_items(ct_render_item *items, ct_render_item *scratch,
                                     uint32_t count);

// Keys. The layer is a number below 64; indices may be cut: what falls together is only drawn in
// more calls. By material: layer, shader, material, mesh, part.
uint64_t ct_render_key_material(uint32_t layer, uint32_t shader, uint32_t material, uint32_t mesh,
                                uint32_t part, bool is_mirrored);
// Front to back: as above within steps of distance of about a tenth.
uint64_t ct_render_key_front_back(uint32_t layer, float distance, uint32_t material, uint32_t mesh,
                                  uint32_t part, bool is_mirrored);
// Back to front, exactly.
uint64_t ct_render_key_back_front(uint32_t layer, float distance, uint32_t material);

// The layer of a key.
uint32_t ct_render_key_layer(uint64_t key);
