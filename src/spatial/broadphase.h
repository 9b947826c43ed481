// broadphase.h: finds which of many moving boxes meet a box, a sphere, a ray or a frustum.
//
// It is a balanced tree of wide nodes (an R-tree: Guttman 1984). Each node has up to 16 boxes in
// groups of four that are tested at once. The boxes of a leaf are the exact boxes of items; the
// boxes of other nodes enclose their children. A leaf's bounds are wider than its items by a
// margin, so a box that moves within them is only written. One that leaves them is removed and
// inserted again from the nearest node above that contains it (Lee et al. 2003, bottom-up updates).
// Results are exact and do not depend on the tree, except for the order of overlaps, which is the
// same for the same calls. Each item has a value, a number that the caller chooses; queries return
// values.
//
// Boxes are finite, not empty, and within CT_BROADPHASE_REACH of the origin; a point is a valid
// box. Any other box is a bug of the caller. With 10,000 boxes a query that finds three takes about
// 0.5 us (1 us with 100,000), and moving one in bulk takes 25 ns. Up to 300 boxes a loop over all
// is as fast. Decision 0021 has the measurements.
//
// Memory doubles as items are added and is kept until the broadphase is destroyed. Any number of
// threads may query at once while no thread changes the broadphase.
#pragma once
#include "foundation/math/math_types.h"

typedef struct ct_broadphase ct_broadphase;

// The handle of an item; {0} is no item. A handle is stale once its item was removed, until its
// slot has been used 2^27 times.
typedef struct ct_broadphase_item {
    uint32_t slot, generation; // below 2^24 and 2^28
} ct_broadphase_item;

// Coordinates, radii and lengths are at most this many metres.
#define CT_BROADPHASE_REACH 1e9f

// How to make a broadphase.
typedef struct ct_broadphase_desc {
    uint32_t num_items; // items to reserve memory for; more are fine and grow the memory
    float margin;       // metres by which leaves are wider than their items; 0 or more
} ct_broadphase_desc;

// Makes an empty broadphase. Allocates from `a`, which must outlive it.
ct_broadphase *ct_broadphase_create(ct_allocator *a, const ct_broadphase_desc *desc);
void ct_broadphase_destroy(ct_broadphase *b); // ends all items; NULL is fine

// --- Items ---------------------------------------------------------------------------------------

// Adds `count` items with boxes[i] and values[i]; items[i] receives the handles (`items` may be
// NULL). When more than 16 are added to at most as many items, the whole tree is rebuilt,
// which is faster and gives a better tree than adding them one by one.
void ct_broadphase_add(ct_broadphase *b, const ct_aabb *boxes, const uint32_t *values,
                       uint32_t count, ct_broadphase_item *items);

// Sets the boxes of `count` live items. The same item may occur several times; its last box
// counts.
void ct_broadphase_move(ct_broadphase *b, const ct_broadphase_item *items, const ct_aabb *boxes,
                        uint32_t count);

// Removes `count` live items; their handles become stale.
void ct_broadphase_remove(ct_broadphase *b, const ct_broadphase_item *items, uint32_t count);

// Removes all items and keeps the memory.
void ct_broadphase_clear(ct_broadphase *b);

// Returns whether `item` was added and not removed since; any handle is allowed. O(1).
bool ct_broadphase_is_live(const ct_broadphase *b, ct_broadphase_item item);
// Returns the box that a live item was given last. O(1).
ct_aabb ct_broadphase_box(const ct_broadphase *b, ct_broadphase_item item);
// Reads and sets the value of a live item, which queries return. O(1).
uint32_t ct_broadphase_value(const ct_broadphase *b, ct_broadphase_item item);
void ct_broadphase_set_value(ct_broadphase *b, ct_broadphase_item item, uint32_t value);
// Returns the number of items. O(1).
uint32_t ct_broadphase_count(const ct_broadphase *b);

// Writes the handles of up to `max` items in the order of their slots. Returns the number of all
// items.
uint32_t ct_broadphase_items(const ct_broadphase *b, ct_broadphase_item *items, uint32_t max);

// Returns a box around all items, which may be wider by the margin; ct_aabb_empty() without
// items.
ct_aabb ct_broadphase_bounds(const ct_broadphase *b);

// --- What overlaps -------------------------------------------------------------------------------

// Each query writes the values of up to `max` items to `values` and returns how many it found,
// which may be more than `max`. Items that only touch the shape count.

// Finds the items whose box meets `box` (see ct_aabb_intersects_aabb).
uint32_t ct_broadphase_overlap_box(const ct_broadphase *b, ct_aabb box, uint32_t *values,
                                   uint32_t max);
// Finds the items whose box meets `sphere` (see ct_aabb_intersects_sphere).
uint32_t ct_broadphase_overlap_sphere(const ct_broadphase *b, ct_sphere sphere, uint32_t *values,
                                      uint32_t max);
// Finds the items whose box may be inside `frustum` (see ct_frustum_intersects_aabb). Items
// below a node that is inside all planes are not tested one by one.
uint32_t ct_broadphase_overlap_frustum(const ct_broadphase *b, const ct_frustum *frustum,
                                       uint32_t *values, uint32_t max);

// The same queries for `count` spheres or boxes. The results of query i end before
// values[ends[i]] and begin where those of query i - 1 end. Returns ends[count - 1]; values
// beyond `max` are counted but not written.
uint32_t ct_broadphase_overlap_spheres(const ct_broadphase *b, const ct_sphere *spheres,
                                       uint32_t count, uint32_t *values, uint32_t max,
                                       uint32_t *ends);
uint32_t ct_broadphase_overlap_boxes(const ct_broadphase *b, const ct_aabb *boxes, uint32_t count,
                                     uint32_t *values, uint32_t max, uint32_t *ends);

// --- What is nearest -----------------------------------------------------------------------------

// An item that a query found, and how far away it is.
typedef struct ct_broadphase_hit {
    float distance; // in metres, or for rays in lengths of the direction
    uint32_t value;
} ct_broadphase_hit;

// Each query writes the nearest `max` items (or fewer when there are fewer), nearest first and
// equally near ones ordered by value, and returns how many it wrote. The time grows with `max`,
// at worst by about max * log(max).

// Finds items within `radius` metres of `point`. The distance is measured to the box; it is 0
// inside.
uint32_t ct_broadphase_nearest(const ct_broadphase *b, ct_vec3 point, float radius,
                               ct_broadphase_hit *hits, uint32_t max);

// Finds items whose box the ray meets within `length`, which like the distance counts in lengths
// of the ray's direction (see ct_ray_to_aabb).
uint32_t ct_broadphase_ray(const ct_broadphase *b, ct_ray ray, float length,
                           ct_broadphase_hit *hits, uint32_t max);
