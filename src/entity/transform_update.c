// Local and world matrices: setting a pose updates all descendants at once.
#include "entity/transform_private.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/math/math_bulk.h"

enum { BLOCK = 64 }; // poses that are set together

// One comparison when all is valid; otherwise finds the invalid value.
static inline void check_place(ct_vec3 position, ct_vec3 scale) {
    const float sum = fabsf(position.x) + fabsf(position.y) + fabsf(position.z) + fabsf(scale.x) +
                      fabsf(scale.y) + fabsf(scale.z);
    if (__builtin_expect(sum <= FLT_MAX, 1))
        return;
    CT_ASSERT(ct_vec3_is_finite(position), "a position is not finite");
    CT_ASSERT(ct_vec3_is_finite(scale), "a scale is not finite");
}

ct_quat ct_transform_normalized(ct_quat q) {
    CT_ASSERT(ct_quat_is_finite(q), "a rotation is not finite");
    return ct_quat_unit(q);
}

// --- World matrices ------------------------------------------------------------------------------

void ct_transform_refresh_local(ct_transform_manager *m, uint32_t i) {
    m->local[i] = ct_mat4_compose_one(m->position[i], m->rotation[i], m->scale[i]);
}

static void place_with_offset(ct_transform_manager *m, uint32_t i) {
    ct_mat4 placed;
    ct_mat4_mul_to(&placed, &m->offsets.items[m->links[i].offset], &m->local[i]);
    ct_mat4_mul_to(&m->world[i], &m->world[m->links[i].parent], &placed);
}

static inline void update_one(ct_transform_manager *m, uint32_t i) {
    const ct_transform_links *const links = &m->links[i];
    if (links->offset)
        place_with_offset(m, i);
    else if (links->parent)
        ct_mat4_mul_to(&m->world[i], &m->world[links->parent], &m->local[i]);
    else
        m->world[i] = m->local[i];
    m->flags[i] &= (uint8_t)~CT_TRANSFORM_PENDING;
    ct_transform_note_change(m, i);
}

// The instance after `i` in the subtree of `top`, parents before children; 0 at the end.
static inline uint32_t next_in_subtree(const ct_transform_links *links, uint32_t top, uint32_t i) {
    if (links[i].first_child)
        return links[i].first_child;
    while (i != top && !links[i].next_sibling)
        i = links[i].parent;
    return i == top ? 0 : links[i].next_sibling;
}

// The first of instance `i` and the siblings behind it that has children, or 0.
static inline uint32_t find_parent(const ct_transform_links *links, uint32_t i) {
    while (i && !links[i].first_child)
        i = links[i].next_sibling;
    return i;
}

// Updates the children of `parent`, whose matrix stays in registers meanwhile. Returns the first of
// those that have children, or 0.
static inline uint32_t update_children(ct_transform_manager *m, uint32_t parent) {
    const ct_transform_links *const links = m->links;
    const ct_mat4 *const local = m->local, space = m->world[parent];
    ct_mat4 *const world = m->world;
    uint8_t *const flags = m->flags;
    uint32_t any = 0;
    for (uint32_t i = links[parent].first_child; i; i = links[i].next_sibling) {
        if (__builtin_expect(links[i].offset != 0, 0))
            place_with_offset(m, i);
        else
            ct_mat4_mul_to(&world[i], &space, &local[i]);
        flags[i] &= (uint8_t)~CT_TRANSFORM_PENDING;
        ct_transform_note_change(m, i);
        any |= links[i].first_child;
    }
    return any ? find_parent(links, links[parent].first_child) : 0;
}

// Updates siblings together, and then the descendants of each.
void ct_transform_update_subtree(ct_transform_manager *m, uint32_t top) {
    update_one(m, top);
    for (uint32_t parent = m->links[top].first_child ? top : 0; parent;) {
        uint32_t next = update_children(m, parent);
        for (; !next && parent != top; parent = m->links[parent].parent)
            next = find_parent(m->links, m->links[parent].next_sibling);
        parent = next;
    }
}

// --- Moves ---------------------------------------------------------------------------------------

static inline ct_column *position_column(ct_mat4 *matrix) {
    return (ct_column *)&matrix->col[3];
}

// Where only positions changed, three columns of every world matrix below stay as they are.
// `column` is the fourth of the local matrix.
static inline void move_one(ct_transform_manager *m, uint32_t i, ct_column column) {
    const ct_transform_links *const links = &m->links[i];
    if (links->offset)
        column = ct_mat4_mul_column(&m->offsets.items[links->offset], column);
    if (links->parent)
        column = ct_mat4_mul_column(&m->world[links->parent], column);
    *position_column(&m->world[i]) = column;
    ct_transform_note_change(m, i);
}

static void move_subtree(ct_transform_manager *m, uint32_t top) {
    for (uint32_t i = top; i; i = next_in_subtree(m->links, top, i)) {
        m->flags[i] &= (uint8_t)~CT_TRANSFORM_PENDING;
        move_one(m, i, *position_column(&m->local[i]));
    }
}

// --- Poses ---------------------------------------------------------------------------------------

ct_vec3 ct_transform_local_position(const ct_transform_manager *m, ct_transform t) {
    return m->position[ct_transform_checked(m, t)];
}

ct_quat ct_transform_local_rotation(const ct_transform_manager *m, ct_transform t) {
    return m->rotation[ct_transform_checked(m, t)];
}

ct_vec3 ct_transform_local_scale(const ct_transform_manager *m, ct_transform t) {
    return m->scale[ct_transform_checked(m, t)];
}

const ct_mat4 *ct_transform_local(const ct_transform_manager *m, ct_transform t) {
    return &m->local[ct_transform_checked(m, t)];
}

const ct_mat4 *ct_transform_world(const ct_transform_manager *m, ct_transform t) {
    return &m->world[ct_transform_checked(m, t)];
}

void ct_transform_world_positions(const ct_transform_manager *m, const ct_transform *transforms,
                                  uint32_t count, ct_vec3 *positions) {
    for (uint32_t i = 0; i < count; ++i)
        positions[i] = ct_mat4_position(m->world[ct_transform_checked(m, transforms[i])]);
}

// Returns the fourth column of the local matrix.
static inline ct_column set_position(ct_transform_manager *m, uint32_t i, ct_vec3 position) {
    const ct_column column = {position.x, position.y, position.z, 1};
    m->position[i] = position;
    *position_column(&m->local[i]) = column;
    return column;
}

static inline bool set_and_move(ct_transform_manager *m, ct_transform t, const ct_vec3 *position) {
    const uint32_t i = ct_transform_checked(m, t);
    if (__builtin_expect(!ct_vec3_is_finite(*position), 0))
        return false;
    move_one(m, i, set_position(m, i, *position));
    if (__builtin_expect(m->links[i].first_child != 0, 0))
        move_subtree(m, i);
    return true;
}

void ct_transform_set_local_position(ct_transform_manager *m, ct_transform t, ct_vec3 position) {
    const bool is_set = set_and_move(m, t, &position);
    CT_ASSERT(is_set, "a position is not finite");
    (void)is_set; // where nothing is asserted
}

bool ct_transform_move(ct_transform_manager *m, ct_transform t, const ct_vec3 *position) {
    return set_and_move(m, t, position);
}

void ct_transform_set_local_rotation(ct_transform_manager *m, ct_transform t, ct_quat rotation) {
    const uint32_t i = ct_transform_checked(m, t);
    m->rotation[i] = ct_transform_unit_rotation(rotation);
    ct_transform_refresh_local(m, i);
    ct_transform_update_subtree(m, i);
}

void ct_transform_set_local_scale(ct_transform_manager *m, ct_transform t, ct_vec3 scale) {
    const uint32_t i = ct_transform_checked(m, t);
    check_place(ct_vec3_make(0, 0, 0), scale);
    m->scale[i] = scale;
    ct_transform_refresh_local(m, i);
    ct_transform_update_subtree(m, i);
}

static void set_pose(ct_transform_manager *m, uint32_t i, ct_vec3 position, ct_quat rotation,
                     ct_vec3 scale) {
    check_place(position, scale);
    m->position[i] = position;
    m->rotation[i] = ct_transform_unit_rotation(rotation);
    m->scale[i] = scale;
    ct_transform_refresh_local(m, i);
}

void ct_transform_set_local_pose(ct_transform_manager *m, ct_transform t, ct_vec3 position,
                                 ct_quat rotation, ct_vec3 scale) {
    const uint32_t i = ct_transform_checked(m, t);
    set_pose(m, i, position, rotation, scale);
    ct_transform_update_subtree(m, i);
}

// --- Many poses ----------------------------------------------------------------------------------

// The highest instance above `i`, or `i` itself, that is pending.
static uint32_t highest_pending(const ct_transform_manager *m, uint32_t i) {
    uint32_t highest = i;
    for (uint32_t above = m->links[i].parent; above; above = m->links[above].parent) {
        if (m->flags[above] & CT_TRANSFORM_PENDING)
            highest = above;
    }
    return highest;
}

// Updates the pending ones of `transforms` with `update_subtree`; one below another is updated with
// it.
static void update_pending(ct_transform_manager *m, const ct_transform *transforms, uint32_t count,
                           void (*update_subtree)(ct_transform_manager *m, uint32_t top)) {
    for (uint32_t k = 0; k < count; ++k) {
        const uint32_t i = transforms[k].index;
        if (m->flags[i] & CT_TRANSFORM_PENDING)
            update_subtree(m, highest_pending(m, i));
    }
}

void ct_transform_set_local_positions(ct_transform_manager *m, const ct_transform *transforms,
                                      const ct_vec3 *positions, uint32_t count) {
    uint32_t num_pending = 0;
    for (uint32_t k = 0; k < count; ++k) {
        const uint32_t i = ct_transform_checked(m, transforms[k]);
        CT_ASSERT(ct_vec3_is_finite(positions[k]), "a position is not finite");
        const ct_column column = set_position(m, i, positions[k]);
        if (m->links[i].parent || m->links[i].first_child) {
            m->flags[i] |= CT_TRANSFORM_PENDING;
            ++num_pending;
        } else {
            move_one(m, i, column);
        }
    }
    if (num_pending)
        update_pending(m, transforms, count, move_subtree);
}

// As check_place for each.
static inline void check_places(const ct_vec3 *positions, const ct_vec3 *scales, uint32_t count) {
    if (__builtin_expect(ct_floats_are_finite(&positions->x, 3 * (uint64_t)count) &&
                             ct_floats_are_finite(&scales->x, 3 * (uint64_t)count),
                         1))
        return;
    for (uint32_t k = 0; k < count; ++k)
        check_place(positions[k], scales[k]);
}

// True when each instance lies right behind the one before it.
static inline bool lie_in_order(const ct_transform *transforms, uint32_t count) {
    uint32_t differing = 0;
    for (uint32_t k = 0; k < count; ++k)
        differing |= transforms[k].index ^ (transforms[0].index + k);
    return !differing;
}

// Like set_block, for instances in order: writes values straight to their final places.
static void set_in_order(ct_transform_manager *m, uint32_t first, const ct_vec3 *positions,
                         const ct_quat *rotations, const ct_vec3 *scales, uint32_t count) {
    ct_instance_table_check(&m->table, first);
    ct_instance_table_check(&m->table, first + count - 1);
    memcpy(m->position + first, positions, sizeof(*positions) * count);
    memcpy(m->scale + first, scales, sizeof(*scales) * count);
    for (uint32_t k = 0; k < count; ++k) {
        m->rotation[first + k] = ct_transform_unit_rotation(rotations[k]);
        m->flags[first + k] |= CT_TRANSFORM_PENDING;
    }
    ct_mat4_compose_many(m->position + first, m->rotation + first, m->scale + first,
                         m->local + first, count);
}

// Sets `count` poses, up to BLOCK, and makes their local matrices together.
static void set_block(ct_transform_manager *m, const ct_transform *transforms,
                      const ct_vec3 *positions, const ct_quat *rotations, const ct_vec3 *scales,
                      uint32_t count) {
    ct_quat units[BLOCK];
    ct_mat4 locals[BLOCK];
    check_places(positions, scales, count);
    if (lie_in_order(transforms, count)) {
        set_in_order(m, transforms[0].index, positions, rotations, scales, count);
        return;
    }
    for (uint32_t k = 0; k < count; ++k)
        units[k] = ct_transform_unit_rotation(rotations[k]);
    ct_mat4_compose_many(positions, units, scales, locals, count);
    for (uint32_t k = 0; k < count; ++k) {
        const uint32_t i = ct_transform_checked(m, transforms[k]);
        m->position[i] = positions[k];
        m->rotation[i] = units[k];
        m->scale[i] = scales[k];
        m->local[i] = locals[k];
        m->flags[i] |= CT_TRANSFORM_PENDING;
    }
}

void ct_transform_set_local_poses(ct_transform_manager *m, const ct_transform *transforms,
                                  const ct_vec3 *positions, const ct_quat *rotations,
                                  const ct_vec3 *scales, uint32_t count) {
    for (uint32_t k = 0; k < count; k += BLOCK)
        set_block(m, transforms + k, positions + k, rotations + k, scales + k,
                  count - k < BLOCK ? count - k : BLOCK);
    update_pending(m, transforms, count, ct_transform_update_subtree);
}
