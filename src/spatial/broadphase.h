// broadphase.h: which of many moving boxes meet a box, a sphere, a ray or a frustum.
//
// A balanced tree of wide nodes (an R-tree: Guttman 1984): each node has up to 16 boxes in groups
// of four that are tested at once; those of a leaf are the items' own, exact boxes, those of other
// nodes lie around their children. A leaf's bounds are wider than its items by a margin, so a box
// that moves within them is only written; one that leaves them is taken out and put in again from
// the nearest node above that holds it (Lee et al. 2003, bottom-up updates). Answers are exact and
// do not depend on the tree, but for the order in which overlaps come, which is the same for the
// same calls. An item carries a number of the caller's, which is what queries give.
//
// Boxes are finite, not empty, and within CT_BROADPHASE_REACH of the origin; points will do.
// Anything else is a bug of the caller's. Of 10,000 boxes a query that finds three takes about
// 0.5 us (of 100,000, 1 us), moving one in bulk 25 ns; up to 300 a loop over all is as fast.
// Decision 0021 has the measurements, and what else was measured.
//
// Memory grows with the items, doubling, and is kept until the end. While nobody writes, any
// number of threads may query; changes need the broadphase for themselves.
#pragma once
#include "foundation/math/math_shapes.h"

typedef struct ct_broadphase ct_broadphase;

// An item; {0} is none. Stale once it was removed, until its slot was used 2^27 times.
typedef struct ct_broadphase_item {
    uint32_t slot, generation; // below 2^24 and 2^28
} ct_broadphase_item;

// Coordinates, radii and lengths are at most this many metres.
#define CT_BROADPHASE_REACH 1e9f

typedef struct ct_broadphase_desc {
    uint32_t num_items; // to make room for; more grow it
    float margin;       // metres that leaves are wider than what is in them; not negative
} ct_broadphase_desc;

ct_broadphase *ct_broadphase_create(ct_allocator *a, const ct_broadphase_desc *desc);
void ct_broadphase_destroy(ct_broadphase *b); // NULL is fine

// --- Items ---------------------------------------------------------------------------------------

// Adds `count` items; `items` (may be NULL) gets them. As many as are there already, or more, are
// taken together with those for a new tree, which is faster and better than one by one.
void ct_broadphase_add(ct_broadphase *b, const ct_aabb *boxes, const uint32_t *values,
                       uint32_t count, ct_broadphase_item *items);

// Gives items new boxes. An item may stand several times; its last box stays.
void ct_broadphase_move(ct_broadphase *b, const ct_broadphase_item *items, const ct_aabb *boxes,
                        uint32_t count);

// Ends items.
void ct_broadphase_remove(ct_broadphase *b, const ct_broadphase_item *items, uint32_t count);

// Ends all items, keeps the memory.
void ct_broadphase_clear(ct_broadphase *b);

bool ct_broadphase_is_live(const ct_broadphase *b, ct_broadphase_item item);
ct_aabb ct_broadphase_box(const ct_broadphase *b, ct_broadphase_item item);
uint32_t ct_broadphase_value(const ct_broadphase *b, ct_broadphase_item item);
void ct_broadphase_set_value(ct_broadphase *b, ct_broadphase_item item, uint32_t value);
uint32_t ct_broadphase_count(const ct_broadphase *b);

// Writes up to `max` of all items in the order of their slots. Returns how many there are.
uint32_t ct_broadphase_items(const ct_broadphase *b, ct_broadphase_item *items, uint32_t max);

// The box around all items, up to a margin wider; empty for none.
ct_aabb ct_broadphase_bounds(const ct_broadphase *b);

// --- What overlaps -------------------------------------------------------------------------------

// Each writes the values of up to `max` items to `values` and returns how many there are, which may
// be more. Touching counts.

uint32_t ct_broadphase_overlap_box(const ct_broadphase *b, ct_aabb box, uint32_t *values,
                                   uint32_t max);
// The box as ct_aabb_intersects_sphere sees it.
uint32_t ct_broadphase_overlap_sphere(const ct_broadphase *b, ct_sphere sphere, uint32_t *values,
                                      uint32_t max);
// What ct_frustum_intersects_aabb sees. What lies under a node that is inside all planes is given
// without being looked at.
uint32_t ct_broadphase_overlap_frustum(const ct_broadphase *b, const ct_frustum *frustum,
                                       uint32_t *values, uint32_t max);

// The same for `count` spheres or boxes: what query i finds lies before values[ends[i]], behind
// what those before it found. Returns ends[count - 1]; values beyond `max` are not written.
uint32_t ct_broadphase_overlap_spheres(const ct_broadphase *b, const ct_sphere *spheres,
                                       uint32_t count, uint32_t *values, uint32_t max,
                                       uint32_t *ends);
uint32_t ct_broadphase_overlap_boxes(const ct_broadphase *b, const ct_aabb *boxes, uint32_t count,
                                     uint32_t *values, uint32_t max, uint32_t *ends);

// --- What is nearest -----------------------------------------------------------------------------

typedef struct ct_broadphase_hit {
    float distance;
    uint32_t value;
} ct_broadphase_hit;

// Each writes the `max` (or fewer) items that are nearest, nearest first, equally near ones by
// their value, and returns how many it wrote. It takes longer the larger `max` is: about
// max * log(max) for what comes in a bad order.

// Items within `radius` of the point; the distance is that of the box, 0 inside, in metres.
uint32_t ct_broadphase_nearest(const ct_broadphase *b, ct_vec3 point, float radius,
                               ct_broadphase_hit *hits, uint32_t max);

// Items that the ray meets within `length`; the distance is what ct_ray_to_aabb gives, and `length`
// is counted as it is: in lengths of the ray's direction.
uint32_t ct_broadphase_ray(const ct_broadphase *b, ct_ray ray, float length,
                           ct_broadphase_hit *hits, uint32_t max);
