// transform_private.h: shared by the files of the transform manager.
#pragma once
#include <math.h>

#include "entity/instance_table.h"
#include "entity/transform_component.h"
#include "foundation/container/array.h"

// The links that each step of a walk through the tree reads; four fit a cache line.
typedef struct ct_transform_links {
    uint32_t parent, first_child, next_sibling; // instances; 0: none
    uint32_t offset;                            // index in the manager's offsets; 0: none
} ct_transform_links;

// Further links, which only linking and unlinking need.
typedef struct ct_transform_back_links {
    uint32_t last_child, previous_sibling; // instances; 0: none
} ct_transform_back_links;

enum {
    CT_TRANSFORM_PENDING = 1, // its world matrix must be updated
    CT_TRANSFORM_ENDING = 2,  // about to be destroyed
};

enum { CT_TRANSFORM_MAX_READERS = 16 };

struct ct_transform_manager {
    ct_instance_table
        table;         // must be first; single and sparse: nearly all entities have a transform
    ct_vec3 *position; // local
    ct_quat *rotation;
    ct_vec3 *scale;
    ct_mat4 *local; // of position, rotation and scale
    ct_mat4 *world;
    ct_transform_links *links;
    ct_transform_back_links *back_links;
    uint32_t *change; // the latest place in the changes, from 1; 0: not in them
    uint8_t *flags;
    CT_ARRAY(ct_mat4) offsets; // where children are in their parent's space; 0 is unused
    ct_u32_array free_offsets;
    // Instances in the order in which they changed; 0 for those that changed again later, or ended.
    // Readers have read up to their cursors.
    ct_u32_array changes;
    uint32_t cursors[CT_TRANSFORM_MAX_READERS];
    uint32_t num_readers, newest_cursor;
    uint32_t num_tidy;          // instances that this round of ct_transform_tidy has seen
    uint64_t num_made_or_ended; // ever
    ct_allocator *allocator;
};

// Returns the place of `t`, which must be an instance.
static inline uint32_t ct_transform_checked(const ct_transform_manager *m, ct_transform t) {
    ct_instance_table_check(&m->table, t.index);
    return t.index;
}

// --- World matrices (transform_update.c) ---------------------------------------------------------

// Returns `q` scaled to length 1; the slow path of ct_transform_unit_rotation.
ct_quat ct_transform_normalized(ct_quat q);

// Returns a rotation of length 1; others would shear. A rotation of length 1 is also finite.
static inline ct_quat ct_transform_unit_rotation(ct_quat q) {
    const float length_squared = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    return __builtin_expect(fabsf(length_squared - 1) < 1e-6f, 1) ? q : ct_transform_normalized(q);
}

// Computes the local matrix from position, rotation and scale.
void ct_transform_refresh_local(ct_transform_manager *m, uint32_t i);

// Computes the world matrices of `top` and all instances below it, and adds these to the changes.
void ct_transform_update_subtree(ct_transform_manager *m, uint32_t top);

// --- Changes (transform_changes.c) ---------------------------------------------------------------

// Adds instance `i` again to the end of the changes, and makes room for it.
void ct_transform_add_change(ct_transform_manager *m, uint32_t i);

// Adds instance `i` to the changes, unless all readers have its latest entry still ahead.
static inline void ct_transform_note_change(ct_transform_manager *m, uint32_t i) {
    uint32_t *const change = &m->change[i];
    if (*change > m->newest_cursor)
        return;
    if (*change != 0 || m->changes.count == m->changes.capacity) {
        ct_transform_add_change(m, i);
        return;
    }
    m->changes.items[m->changes.count++] = i;
    *change = m->changes.count;
}

// Removes instance `i`, which ends, from the changes.
void ct_transform_drop_change(ct_transform_manager *m, uint32_t i);
