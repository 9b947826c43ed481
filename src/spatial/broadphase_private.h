// broadphase_private.h: what the broadphase's files share: the tree, and changes of it.
#pragma once
#include "foundation/container/soa_block.h"
#include "spatial/broadphase.h"
#include "spatial/broadphase_lanes.h"

enum {
    CT_BROADPHASE_MAX_SLOTS = 1 << 24,
    CT_BROADPHASE_GENERATIONS = 1 << 28,
    CT_BROADPHASE_MAX_LEVEL = 15,
    // Nodes that a walk through the tree has before it, at most.
    CT_BROADPHASE_MAX_AHEAD = (CT_BROADPHASE_MAX_LEVEL + 1) * CT_BROADPHASE_LANES,
};

// A lane of a node: node * LANES + lane; 0: none.
typedef uint32_t ct_broadphase_place;

// What only changes need of a node: half a cache line.
typedef struct ct_broadphase_node_info {
    ct_aabb bounds;             // around all lanes; of a leaf a margin wider
    ct_broadphase_place parent; // lane that leads here, 0: the root; of a free node the next free
    uint16_t count;             // of lanes in use, which are the first ones
    uint16_t level;             // 0: leaf
} ct_broadphase_node_info;

typedef struct ct_broadphase_slot {
    ct_broadphase_place place; // of a free slot the next free slot
    uint32_t generation;       // odd: in use
} ct_broadphase_slot;

struct ct_broadphase {
    ct_allocator *allocator;
    float margin;
    uint32_t root; // node; 0: there are no items
    ct_soa_block node_block, slot_block;
    ct_broadphase_node *nodes; // the first is none
    ct_broadphase_node_info *infos;
    ct_broadphase_slot *slots; // the first is none
    uint32_t first_free_node, first_free_slot;
    uint32_t count; // of items
};

// What goes into a lane.
typedef struct ct_broadphase_entry {
    ct_aabb box;
    uint32_t child, value;
} ct_broadphase_entry;

static inline ct_broadphase_node *ct_broadphase_node_of(const ct_broadphase *b,
                                                        ct_broadphase_place place) {
    return &b->nodes[place / CT_BROADPHASE_LANES];
}

static inline uint32_t ct_broadphase_lane_of(ct_broadphase_place place) {
    return place % CT_BROADPHASE_LANES;
}

static inline bool ct_broadphase_holds(const ct_aabb *outer, const ct_aabb *inner) {
    bool holds = true;
    for (uint32_t k = 0; k < 3; ++k)
        holds &= inner->min.raw[k] >= outer->min.raw[k] && inner->max.raw[k] <= outer->max.raw[k];
    return holds;
}

static inline float ct_broadphase_area(ct_aabb box) { // half of its surface
    const ct_vec3 d = ct_vec3_sub(box.max, box.min);
    return d.x * d.y + d.y * d.z + d.z * d.x;
}

// An empty node; its bounds are not set.
uint32_t ct_broadphase_add_node(ct_broadphase *b, uint32_t level);

// Fills the next lane of a node that has one, without regard to its bounds, and lets the child
// know where it stands.
void ct_broadphase_push_entry(ct_broadphase *b, uint32_t node, const ct_broadphase_entry *entry);

// Sets the bounds to those of the lanes.
void ct_broadphase_set_bounds(ct_broadphase *b, uint32_t node);

// Puts an item in, somewhere under `node` (the root is 0 for a tree of none). Its box lies within
// the bounds of `node` unless that is the root.
void ct_broadphase_insert(ct_broadphase *b, uint32_t node, const ct_broadphase_entry *item);

// Takes out what stands in a lane of a leaf. Returns the node above it from where a box that is put
// in again is best put in: the lowest one that holds it.
uint32_t ct_broadphase_take(ct_broadphase *b, ct_broadphase_place place, const ct_aabb *box);

// Makes the tree anew of `count` items, whose order is changed.
void ct_broadphase_build(ct_broadphase *b, ct_broadphase_entry *items, uint32_t count);
