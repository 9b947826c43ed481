// render_culling.h: finds the objects of a world that a view sees.
//
// All objects have a sphere in one array. Testing all of them, four at a time and in parallel, is
// cheapest while many objects move or are visible. Objects that have not moved for a while rest:
// they are also in a broadphase, so a view that sees few of them tests few. A resting object that
// moves leaves the broadphase, is loose again, and is tested with the others of its block of 64.
// Both ways give exactly the same result, so the cheaper one is used each time. Render thread;
// ct_render_culling_see runs tasks.
#pragma once
#include "foundation/container/array.h"
#include "foundation/task/task.h"
#include "spatial/broadphase.h"

typedef struct ct_render_culling {
    ct_broadphase *resting;             // values: objects
    CT_ARRAY(ct_broadphase_item) items; // by object; {0}: the object is loose
    ct_u64_array loose;                 // by block, a bit for each object
    ct_u64_array moved;                 // since the block was last settled
    uint32_t next_block;                // to settle
    uint32_t num_calls;                 // of ct_render_culling_settle since the first block was
    ct_u32_array seen;                  // results of the broadphase
} ct_render_culling;

typedef struct ct_render_culling_query {
    ct_frustum frustum;
    const float (*spheres)[4]; // centre, radius; radius < 0: never seen
    const uint8_t *flags;
    uint8_t unseen; // objects with one of these flags are not seen
    uint32_t count;
    uint8_t *visible; // result, one for each object: 1 is seen, 0 is not
} ct_render_culling_query;

// Starts without objects, with memory from `a`.
void ct_render_culling_init(ct_render_culling *c, ct_allocator *a);

// Frees everything.
void ct_render_culling_free(ct_render_culling *c);

// Follows the world's arrays when an object was added at the end. The object is loose.
void ct_render_culling_add(ct_render_culling *c);

// Follows the world's arrays when object `i` was removed and the last object moved to its place.
void ct_render_culling_swap_erase(ct_render_culling *c, uint32_t i);

// Notes that the sphere of object `i` has changed. A resting object becomes loose.
void ct_render_culling_move(ct_render_culling *c, uint32_t i);

// Call once per view: puts to rest some of the objects that have not moved for 30 calls or more. At
// most 512 come to rest in a call, about 0.3 ms.
void ct_render_culling_settle(ct_render_culling *c, const float (*spheres)[4]);

// Finds what is seen: the same as ct_frustum_cull_spheres gives for all spheres, without the
// objects that have a flag of query->unseen. `num_seen` is how many objects the same view saw the
// last time (0: unknown). Returns true when the broadphase was used, false when all objects were
// tested.
bool ct_render_culling_see(ct_render_culling *c, ct_task_manager *tasks,
                           const ct_render_culling_query *query, uint32_t num_seen);

// Writes the positions of the bytes that are 1, of `count` bytes that are 0 or 1, to `seen`, which
// must have room for `count`. Returns how many there are.
uint32_t ct_render_culling_list(const uint8_t *visible, uint32_t count, uint32_t *seen);
