// render_culling.h: which of a world's objects a view sees.
//
// All objects have a sphere in one array. Testing all of them, four at a time and in parallel, is
// the least work while much moves or much is seen. Objects that have not moved for a while rest:
// they stand in a broadphase too, so that a view that sees few of them looks at few. A resting
// object that moves is loose again at the cost of leaving the tree, and is tested with the others of
// its block of 64. Both ways see exactly the same, so the cheaper one is taken each time. Render
// thread; ct_render_culling_see runs tasks.
#pragma once
#include "foundation/container/array.h"
#include "foundation/task/task.h"
#include "spatial/broadphase.h"

typedef struct ct_render_culling {
    ct_broadphase *resting;             // values: objects
    CT_ARRAY(ct_broadphase_item) items; // by object; {0}: it is loose
    ct_u64_array loose;                 // by block, a bit for each object
    ct_u64_array moved;                 // since the block was last settled
    uint32_t next_block;                // to be settled
    uint32_t num_calls;                 // of ct_render_culling_settle since the first block was
    ct_u32_array seen;                  // what the broadphase gave
} ct_render_culling;

typedef struct ct_render_culling_query {
    ct_frustum frustum;
    const float (*spheres)[4]; // centre, radius; radius < 0: never seen
    const uint8_t *flags;
    uint8_t unseen; // objects with one of these flags are passed over
    uint32_t count;
    uint8_t *visible; // is set: 1: seen, 0: not
} ct_render_culling_query;

void ct_render_culling_init(ct_render_culling *c, ct_allocator *a);
void ct_render_culling_free(ct_render_culling *c);

// Follow the objects: one more at the end; the last one comes to place `i`; the sphere of object
// `i` is another.
void ct_render_culling_add(ct_render_culling *c);
void ct_render_culling_swap_erase(ct_render_culling *c, uint32_t i);
void ct_render_culling_move(ct_render_culling *c, uint32_t i);

// Once a view: has some of those rest that have not moved for 30 calls or more. At most 512 come to
// rest in a call, about 0.3 ms.
void ct_render_culling_settle(ct_render_culling *c, const float (*spheres)[4]);

// Finds what is seen: exactly what ct_frustum_cull_spheres says of all spheres, less what has
// unwanted flags. `num_seen` is what the same view saw the last time (0: unknown). Returns whether
// the broadphase knew, or all were tested.
bool ct_render_culling_see(ct_render_culling *c, ct_task_manager *tasks,
                           const ct_render_culling_query *query, uint32_t num_seen);

// Lists which of `count` bytes are 1, the others being 0, to `seen`, which has room for as many.
// Returns how many there are.
uint32_t ct_render_culling_list(const uint8_t *visible, uint32_t count, uint32_t *seen);
