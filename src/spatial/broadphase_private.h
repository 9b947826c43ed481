// broadphase_private.h: shared by the broadphase's files: the tree, and functions to change it.
#pragma once
#include "foundation/container/soa_block.h"
#include "foundation/math/math.h"
#include "spatial/broadphase.h"
#include "spatial/broadphase_lanes.h"

enum {
    CT_BROADPHASE_MAX_SLOTS = 1 << 24,
    CT_BROADPHASE_GENERATIONS = 1 << 28,
    CT_BROADPHASE_MAX_LEVEL = 15,
    // The most nodes that can be left to visit during a walk through the tree.
    CT_BROADPHASE_MAX_AHEAD = (CT_BROADPHASE_MAX_LEVEL + 1) * CT_BROADPHASE_LANES,
};

// A lane of a node: node * LANES + lane; 0 is no lane.
typedef uint32_t ct_broadphase_place;

// The data of a node that only changes need; half a cache line.
typedef struct ct_broadphase_node_info {
    ct_aabb bounds;             // around all lanes; a margin wider for a leaf
    ct_broadphase_place parent; // lane that leads here, 0: the root; for a free node the next free
    uint16_t count;             // lanes in use; they are the first ones
    uint16_t level;             // 0: leaf
} ct_broadphase_node_info;

// Where an item is in the tree.
typedef struct ct_broadphase_slot {
    ct_broadphase_place place; // for a free slot the next free slot
    uint32_t generation;       // odd: in use
} ct_broadphase_slot;

struct ct_broadphase {
    ct_allocator *allocator;
    float margin;
    uint32_t root; // a node; 0 when there are no items
    ct_soa_block node_block, slot_block;
    ct_broadphase_node *nodes; // the first is unused
    ct_broadphase_node_info *infos;
    ct_broadphase_slot *slots; // the first is unused
    uint32_t first_free_node, first_free_slot;
    uint32_t count; // of items
};

// The content of a lane.
typedef struct ct_broadphase_entry {
    ct_aabb box;
    uint32_t child, value;
} ct_broadphase_entry;

// Returns the node of a place; borrowed until a node is added.
static inline ct_broadphase_node *ct_broadphase_node_of(const ct_broadphase *b,
                                                        ct_broadphase_place place) {
    return &b->nodes[place / CT_BROADPHASE_LANES];
}

// Returns the lane (0 to 15) of a place within its node.
static inline uint32_t ct_broadphase_lane_of(ct_broadphase_place place) {
    return place % CT_BROADPHASE_LANES;
}

// Returns whether `inner` lies within `outer`; equal sides count.
static inline bool ct_broadphase_holds(const ct_aabb *outer, const ct_aabb *inner) {
    bool holds = true;
    for (uint32_t k = 0; k < 3; ++k)
        holds &= inner->min.raw[k] >= outer->min.raw[k] && inner->max.raw[k] <= outer->max.raw[k];
    return holds;
}

// Returns half the surface area of the box, the measure for comparing nodes.
static inline float ct_broadphase_area(ct_aabb box) {
    const ct_vec3 d = ct_vec3_sub(box.max, box.min);
    return d.x * d.y + d.y * d.z + d.z * d.x;
}

// Returns a new node without lanes in use; its bounds are not set.
uint32_t ct_broadphase_add_node(ct_broadphase *b, uint32_t level);

// Fills the next lane of a node, which must have a free one, and stores the place in the child.
// Does not change the bounds of the node.
void ct_broadphase_push_entry(ct_broadphase *b, uint32_t node, const ct_broadphase_entry *entry);

// Sets the bounds of `node` to those of its lanes.
void ct_broadphase_set_bounds(ct_broadphase *b, uint32_t node);

// Inserts an item below `node` (0 when the tree is empty). Its box must lie within the bounds of
// `node` unless that is the root.
void ct_broadphase_insert(ct_broadphase *b, uint32_t node, const ct_broadphase_entry *item);

// Removes the content of a lane of a leaf. Returns the node from which to insert `box` again:
// the lowest node above that contains it.
uint32_t ct_broadphase_take(ct_broadphase *b, ct_broadphase_place place, const ct_aabb *box);

// Builds a new tree of `count` items in place of the old one; the order of `items` is changed.
void ct_broadphase_build(ct_broadphase *b, ct_broadphase_entry *items, uint32_t count);
