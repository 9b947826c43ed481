// The poses of dynamic actors that moved, between their last two, to transforms and scene graphs.
#include <stdlib.h>

#include "foundation/log.h"
#include "physics/actor/physics_world_private.h"

static bool is_dynamic(const ct_physics_world *p, uint32_t slot) {
    return p->body[slot] && p->record[slot].data.body == CT_ACTOR_DYNAMIC &&
           !p->record[slot].is_trigger;
}

void ct_physics_list_moved(ct_physics_world *p, uint32_t slot) {
    if (!(p->lists[slot] & CT_ACTOR_IN_MOVED))
        ct_array_push(&p->moved, slot);
    p->lists[slot] |= CT_ACTOR_IN_MOVED;
}

// --- After a step --------------------------------------------------------------------------------

static bool is_finite(ct_rigid_pose pose) {
    return ct_vec3_is_finite(pose.position) && ct_quat_is_rotation(pose.rotation);
}

// Bullet overflows when things are pushed apart with all force.
static void put_back(ct_physics_world *p, uint32_t slot) {
    char what[256];
    ct_physics_describe(p, p->record[slot].data.name, p->entity[slot], false, what);
    ct_log_warning(
        "physics", "not_finite",
        "%s flew off so fast that its position is no number any more; it is put back and "
        "stopped: check its mass, and what it is inside of",
        what);
    ct_bullet_body *const body = p->body[slot];
    ct_bullet_body_set_pose(body, p->after[slot]);
    ct_bullet_body_set_velocity(body, ct_vec3_make(0, 0, 0));
    ct_bullet_body_set_angular_velocity(body, ct_vec3_make(0, 0, 0));
    ct_bullet_body_sleep(body);
}

void ct_physics_take_moved(ct_physics_world *p) {
    uint32_t count;
    // What does not move in this step is at its last pose.
    for (uint32_t i = 0; i < p->moved.count; ++i)
        p->before[p->moved.items[i]] = p->after[p->moved.items[i]];
    const ct_bullet_moved *const moved = ct_bullet_world_moved(p->bullet, &count);
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t slot = moved[i].id & CT_ACTOR_SLOT_MASK;
        if (!is_finite(moved[i].pose)) {
            put_back(p, slot);
            continue;
        }
        p->before[slot] = p->after[slot];
        p->after[slot] = moved[i].pose;
        ct_physics_wake_touches(p, slot, false);
        ct_physics_list_moved(p, slot);
    }
}

// --- Writing -------------------------------------------------------------------------------------

static ct_rigid_pose between(ct_rigid_pose a, ct_rigid_pose b, float share) {
    return (ct_rigid_pose){ct_vec3_lerp(a.position, b.position, share),
                           ct_quat_nlerp(a.rotation, b.rotation, share)};
}

// Returns the pose in the space of a matrix.
static bool to_local(const ct_mat4 *space, ct_rigid_pose pose, ct_rigid_pose *local) {
    const ct_mat4 inverse = ct_mat4_inverse_affine(space);
    ct_vec3 position, scale;
    ct_quat rotation;
    ct_mat4_decompose(space, &position, &rotation, &scale);
    local->position = ct_mat4_transform_point(inverse, pose.position);
    local->rotation = ct_quat_normalize(ct_quat_mul(ct_quat_conjugate(rotation), pose.rotation));
    return is_finite(*local);
}

// Writes the pose of an entity below another.
static void write_child(ct_physics_world *p, uint32_t slot, ct_transform t, ct_rigid_pose pose) {
    ct_transform_manager *const m = p->transforms;
    if (ct_transform_has_offset(m, t)) {
        const ct_mat4 world = ct_mat4_compose(pose.position, pose.rotation, p->record[slot].scale);
        ct_transform_set_world_pose(m, t, &world);
        return;
    }
    ct_rigid_pose local;
    if (to_local(ct_transform_world(m, ct_transform_parent(m, t)), pose, &local))
        ct_transform_set_local_pose(m, t, local.position, local.rotation,
                                    ct_transform_local_scale(m, t));
}

static void write_node(ct_physics_world *p, uint32_t slot, ct_rigid_pose pose) {
    const ct_entity e = p->entity[slot];
    const uint32_t node = p->node[slot];
    const ct_scene_graph g = ct_scene_graph_lookup(p->graphs, e);
    if (!g.index || node > ct_scene_graph_num_nodes(p->graphs, g))
        return;
    const uint32_t parent = ct_scene_graph_parent(p->graphs, g, node);
    const ct_mat4 space = ct_scene_graph_world(p->graphs, e, parent);
    ct_rigid_pose local;
    if (to_local(&space, pose, &local))
        ct_scene_graph_set_local_pose(p->graphs, g, node, local.position, local.rotation,
                                      ct_scene_graph_local_scale(p->graphs, g, node));
}

// The pose that was written is not taken for a change.
static void note_seen(ct_physics_world *p, uint32_t slot) {
    ct_rigid_pose pose;
    ct_vec3 scale;
    uint64_t hash;
    ct_physics_node_pose(p, p->entity[slot], p->node[slot], &pose, &scale, &hash);
    p->seen[slot] = hash;
}

void ct_physics_write_pose(ct_physics_world *p, uint32_t slot, ct_rigid_pose pose) {
    const ct_transform t = ct_transform_lookup(p->transforms, p->entity[slot]);
    if (p->entity[slot].id == 0)
        return;
    if (p->node[slot])
        write_node(p, slot, pose);
    else if (t.index && ct_transform_parent(p->transforms, t).index)
        write_child(p, slot, t, pose);
    else if (t.index)
        ct_transform_set_local_pose(p->transforms, t, pose.position, pose.rotation,
                                    ct_transform_local_scale(p->transforms, t));
    note_seen(p, slot);
}

// Lists the pose of a root for writing in bulk, or the slot for later.
static void list_pose(ct_physics_world *p, uint32_t slot, ct_rigid_pose pose) {
    ct_transform_manager *const m = p->transforms;
    if (p->entity[slot].id == 0)
        return;
    const ct_transform t = ct_transform_lookup(m, p->entity[slot]);
    if (p->node[slot] || (t.index && ct_transform_parent(m, t).index)) {
        ct_array_push(&p->written_late, slot);
    } else if (t.index) {
        ct_array_push(&p->written, t);
        ct_array_push(&p->written_positions, pose.position);
        ct_array_push(&p->written_rotations, pose.rotation);
        ct_array_push(&p->written_scales, ct_transform_local_scale(m, t));
    }
}

// What a late slot waits for: its entity's ancestors, then the nodes above its own.
typedef struct late_pose {
    uint32_t depth, node, slot;
} late_pose;

static int compare_late(const void *a, const void *b) {
    const late_pose *const x = a, *const y = b;
    if (x->depth != y->depth)
        return x->depth < y->depth ? -1 : 1;
    if (x->node != y->node)
        return x->node < y->node ? -1 : 1;
    return x->slot < y->slot ? -1 : x->slot > y->slot;
}

static uint32_t depth_of(const ct_physics_world *p, uint32_t slot) {
    uint32_t depth = 0;
    ct_transform t = ct_transform_lookup(p->transforms, p->entity[slot]);
    while (t.index && (t = ct_transform_parent(p->transforms, t)).index)
        ++depth;
    return depth;
}

static void write_late(ct_physics_world *p, float share) {
    const uint32_t count = p->written_late.count;
    if (count == 0)
        return;
    late_pose *const late = CT_NEW_ARRAY(p->allocator, late_pose, count);
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t slot = p->written_late.items[i];
        late[i] = (late_pose){depth_of(p, slot), p->node[slot], slot};
    }
    qsort(late, count, sizeof(*late), compare_late);
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t slot = late[i].slot;
        ct_physics_write_pose(p, slot, between(p->before[slot], p->after[slot], share));
    }
    // What was written later may have moved what was written before.
    for (uint32_t i = 0; i < count; ++i)
        note_seen(p, late[i].slot);
    ct_free_sized(p->allocator, late, sizeof(*late) * (uint64_t)count);
}

static bool is_same(const ct_rigid_pose *a, const ct_rigid_pose *b) {
    return a->position.x == b->position.x && a->position.y == b->position.y &&
           a->position.z == b->position.z && a->rotation.x == b->rotation.x &&
           a->rotation.y == b->rotation.y && a->rotation.z == b->rotation.z &&
           a->rotation.w == b->rotation.w;
}

// What rests is written once more, and then left out.
static void forget_resting(ct_physics_world *p) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < p->moved.count; ++i) {
        const uint32_t slot = p->moved.items[i];
        if (is_dynamic(p, slot) && !is_same(&p->before[slot], &p->after[slot]))
            p->moved.items[kept++] = slot;
        else
            p->lists[slot] &= (uint8_t)~CT_ACTOR_IN_MOVED;
    }
    p->moved.count = kept;
}

void ct_physics_write_poses(ct_physics_world *p, float share) {
    p->written.count = p->written_positions.count = p->written_rotations.count = 0;
    p->written_scales.count = p->written_late.count = 0;
    for (uint32_t i = 0; i < p->moved.count; ++i) {
        const uint32_t slot = p->moved.items[i];
        if (is_dynamic(p, slot))
            list_pose(p, slot, between(p->before[slot], p->after[slot], share));
    }
    if (p->written.count)
        ct_transform_set_local_poses(p->transforms, p->written.items, p->written_positions.items,
                                     p->written_rotations.items, p->written_scales.items,
                                     p->written.count);
    write_late(p, share);
    for (uint32_t i = 0; i < p->moved.count; ++i) {
        const uint32_t slot = p->moved.items[i];
        if (is_dynamic(p, slot) && p->entity[slot].id && p->node[slot] == 0)
            note_seen(p, slot);
    }
    forget_resting(p);
}
