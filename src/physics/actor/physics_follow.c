// Poses between actors and nodes, both ways: what the game moves, and what physics moves.
//
// A node is followed when the hash of its matrix is another than that which was taken or written last:
// what physics wrote itself is none of the game's moves.
#include <math.h>
#include <stdlib.h>

#include "foundation/log.h"
#include "foundation/math/math.h"
#include "physics/actor/physics_world_private.h"

static ct_rigid_pose between(ct_rigid_pose a, ct_rigid_pose b, float part) {
    if (part >= 1)
        return b;
    return (ct_rigid_pose){ct_vec3_lerp(a.position, b.position, part),
                           ct_quat_nlerp(a.rotation, b.rotation, part)};
}

// --- From nodes to actors ------------------------------------------------------------------------

// Warns once that an actor keeps the scale that it was made with.
static void check_scale(const ct_physics_world *p, ct_actor_slot *s, ct_vec3 scale) {
    const ct_vec3 was = ct_actor_extra_of(p, s)->scale;
    for (uint32_t i = 0; i < 3; ++i) {
        const float change = fabsf(scale.raw[i] - was.raw[i]);
        if (!(change > 1e-3f * (1 + fabsf(was.raw[i]))) || (s->flags & CT_ACTOR_WARNED))
            continue;
        s->flags |= CT_ACTOR_WARNED;
        ct_error error = {0};
        ct_error_set(&error,
                     "its node's scale changed from %g to %g along %c; the actor keeps "
                     "the scale that it was made with: make it again",
                     (double)was.raw[i], (double)scale.raw[i], "xyz"[i]);
        ct_actor_log_error(p, s, &error);
    }
}

static void put_at_node(ct_physics_world *p, ct_actor_slot *s, ct_rigid_pose pose) {
    if (!ct_actor_check_pose(&pose, NULL))
        return;
    ct_physics_wake_pairs(p, s);
    ++ct_actor_extra_of(p, s)->teleports;
    s->before = s->after = pose;
    s->target_time = 0;
    ct_bullet_body_set_pose(s->body, pose);
}

// The node of an actor is at a new place: kinematic actors are there at `now`, others at once.
static void node_moved(ct_physics_world *p, uint32_t slot, double now) {
    ct_actor_slot *const s = &p->slots.items[slot];
    ct_vec3 scale;
    uint64_t seen;
    if (!s->body)
        return;
    const ct_rigid_pose pose = ct_actor_node_pose(p, s->entity, s->node, &scale, &seen);
    if (seen == s->seen || !ct_actor_check_pose(&pose, NULL))
        return;
    s->seen = seen;
    check_scale(p, s, scale);
    if (ct_bullet_body_is_moved(s->body)) {
        s->after = pose;
        s->target_time = now;
        if (!(s->flags & CT_ACTOR_FOLLOWING))
            ct_array_push(&p->following, slot);
        s->flags |= CT_ACTOR_FOLLOWING;
        return;
    }
    put_at_node(p, s, pose);
}

// Whether a transform is the pose that a body has, but for rounding.
static bool is_near(const ct_bullet_body *body, const float transform[12]) {
    float now[12];
    ct_bullet_body_transform(body, now);
    for (uint32_t i = 0; i < 12; ++i) {
        if (!(fabsf(now[i] - transform[i]) <= 1e-4f * (1 + fabsf(now[i]))))
            return false;
    }
    return true;
}

void ct_actor_restore(ct_physics_world *p, ct_actor a, ct_rigid_pose pose,
                      const float transform[12], ct_vec3 velocity, ct_vec3 angular_velocity) {
    if (!ct_actor_is_alive(p, a))
        return;
    ct_actor_slot *const s = &p->slots.items[ct_actor_slot_of(a)];
    const bool is_dynamic = ct_actor_extra_of(p, s)->data.body == CT_ACTOR_DYNAMIC;
    ct_vec3 scale;
    if (!s->body)
        return;
    if (s->entity.id) {
        const ct_rigid_pose at_node = ct_actor_node_pose(p, s->entity, s->node, &scale, &s->seen);
        pose = is_dynamic ? pose : at_node;
    }
    put_at_node(p, s, pose);
    if (!is_dynamic)
        return;
    if (is_near(s->body, transform))
        ct_bullet_body_set_transform(s->body, transform);
    ct_bullet_body_set_velocity(s->body, velocity);
    ct_bullet_body_set_angular_velocity(s->body, angular_velocity);
}

void ct_actors_jump(ct_physics_world *p, ct_entity e) {
    uint32_t slot = (uint32_t)ct_hash_map_get(&p->first_of, e.id, 0);
    for (; slot; slot = p->slots.items[slot].next) {
        ct_actor_slot *const s = &p->slots.items[slot];
        ct_vec3 scale;
        if (s->body && ct_bullet_body_is_moved(s->body))
            put_at_node(p, s, ct_actor_node_pose(p, s->entity, s->node, &scale, NULL));
    }
}

void ct_actors_follow_nodes(ct_physics_world *p, double now) {
    uint32_t count;
    const uint32_t *const changed = ct_transform_changed(p->transforms, p->reader, &count);
    for (uint32_t i = 0; i < count && p->first_of.count > 0; ++i) {
        if (!changed[i])
            continue;
        const ct_entity e = ct_transform_entity(p->transforms, (ct_transform){changed[i]});
        uint32_t slot = (uint32_t)ct_hash_map_get(&p->first_of, e.id, 0);
        for (; slot; slot = p->slots.items[slot].next) {
            if (p->slots.items[slot].node == 0)
                node_moved(p, slot, now);
        }
    }
    ct_transform_clear_changed(p->transforms, p->reader);
    for (uint32_t i = 0; i < p->node_actors.count; ++i)
        node_moved(p, p->node_actors.items[i], now);
}

// Moves evenly, so that the velocity is that of the node, whatever the length of steps and frames.
void ct_actors_follow_step(ct_physics_world *p, double time) {
    const double step = (double)p->resource->step;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < p->following.count; ++i) {
        const uint32_t slot = p->following.items[i];
        ct_actor_slot *const s = &p->slots.items[slot];
        const bool follows = s->body && ct_bullet_body_is_moved(s->body);
        const bool arrives = s->target_time <= time + 1e-9;
        const float part = arrives ? 1 : (float)(step / (s->target_time - (time - step)));
        if (follows) {
            ct_bullet_body_move_to(s->body, between(ct_bullet_body_pose(s->body), s->after, part));
            ct_physics_take_pairs(p, slot);
        }
        if (follows && !arrives)
            p->following.items[kept++] = slot;
        else
            s->flags &= ~(uint32_t)CT_ACTOR_FOLLOWING;
    }
    p->following.count = kept;
}

// --- From actors to nodes ------------------------------------------------------------------------

// Bullet overflows when things are pushed apart with all force.
static void put_back(ct_physics_world *p, ct_actor_slot *s) {
    ct_error error = {0};
    ct_error_set(&error,
                 "it flew off so fast that its position is no number any more; it is put back "
                 "and stopped: check its mass, and what it is inside of");
    ct_actor_log_error(p, s, &error);
    ct_bullet_body_set_pose(s->body, s->after);
    ct_bullet_body_set_velocity(s->body, ct_vec3_make(0, 0, 0));
    ct_bullet_body_set_angular_velocity(s->body, ct_vec3_make(0, 0, 0));
    ct_bullet_body_sleep(s->body);
}

void ct_actors_take_moved(ct_physics_world *p) {
    for (uint32_t i = 0; i < p->active.count; ++i) {
        ct_actor_slot *const s = &p->slots.items[p->active.items[i]];
        s->before = s->after;
        s->flags &= ~(uint32_t)CT_ACTOR_MOVED;
    }
    uint32_t count;
    const ct_bullet_moved *const moved = ct_bullet_world_moved(p->bullet, &count);
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t slot = ct_actor_slot_of((ct_actor){moved[i].id});
        if (slot == 0 || slot >= p->slots.count) // a mover's body
            continue;
        ct_actor_slot *const s = &p->slots.items[slot];
        if (!ct_actor_check_pose(&moved[i].pose, NULL)) {
            put_back(p, s);
            continue;
        }
        s->after = moved[i].pose;
        s->flags |= CT_ACTOR_MOVED;
        ct_physics_take_pairs(p, slot);
        if (s->flags & CT_ACTOR_ACTIVE)
            continue;
        s->flags |= CT_ACTOR_ACTIVE;
        ct_array_push(&p->active, slot);
    }
}

// Returns the pose in a space. False when there is none: the space has no size.
static bool to_local(const ct_mat4 *space, ct_rigid_pose pose, ct_rigid_pose *local) {
    const ct_mat4 inverse = ct_mat4_inverse_affine(space);
    ct_vec3 position, scale;
    ct_quat rotation;
    ct_mat4_decompose(space, &position, &rotation, &scale);
    local->position = ct_mat4_transform_point(inverse, pose.position);
    local->rotation = ct_quat_normalize(ct_quat_mul(ct_quat_conjugate(rotation), pose.rotation));
    return ct_vec3_is_finite(local->position) && ct_quat_is_rotation(local->rotation);
}

// Writes the pose of an actor at a node into the scene graph.
static void write_node(ct_physics_world *p, const ct_actor_slot *s, const ct_rigid_pose *pose) {
    const ct_scene_graph g = ct_scene_graph_lookup(p->graphs, s->entity);
    if (!g.index || s->node > ct_scene_graph_num_nodes(p->graphs, g))
        return;
    const uint32_t parent = ct_scene_graph_parent(p->graphs, g, s->node);
    const ct_mat4 space = ct_scene_graph_world(p->graphs, s->entity, parent);
    ct_rigid_pose local;
    if (to_local(&space, *pose, &local))
        ct_scene_graph_set_local_pose(p->graphs, g, s->node, local.position, local.rotation,
                                      ct_scene_graph_local_scale(p->graphs, g, s->node));
}

static void write_child(ct_physics_world *p, const ct_actor_slot *s, ct_transform t,
                        const ct_rigid_pose *pose) {
    ct_transform_manager *const m = p->transforms;
    if (ct_transform_has_offset(m, t)) {
        const ct_mat4 world =
            ct_mat4_compose(pose->position, pose->rotation, ct_actor_extra_of(p, s)->scale);
        ct_transform_set_world_pose(m, t, &world);
        return;
    }
    ct_rigid_pose local;
    if (to_local(ct_transform_world(m, ct_transform_parent(m, t)), *pose, &local))
        ct_transform_set_local_pose(m, t, local.position, local.rotation,
                                    ct_transform_local_scale(m, t));
}

// What was written is not taken for a move of the game.
static void note_seen(ct_physics_world *p, ct_actor_slot *s) {
    ct_vec3 scale;
    ct_actor_node_pose(p, s->entity, s->node, &scale, &s->seen);
}

static void write_pose(ct_physics_world *p, const ct_actor_slot *s, const ct_rigid_pose *pose) {
    const ct_transform t = ct_transform_lookup(p->transforms, s->entity);
    if (s->node > 0)
        write_node(p, s, pose);
    else if (t.index && ct_transform_parent(p->transforms, t).index)
        write_child(p, s, t, pose);
    else if (t.index)
        ct_transform_set_local_pose(p->transforms, t, pose->position, pose->rotation,
                                    ct_transform_local_scale(p->transforms, t));
}

void ct_actor_write_pose(ct_physics_world *p, ct_actor_slot *s, const ct_rigid_pose *pose) {
    write_pose(p, s, pose);
    note_seen(p, s);
}

static uint32_t depth_of(const ct_transform_manager *m, ct_transform t) {
    uint32_t depth = 0;
    while (t.index && (t = ct_transform_parent(m, t)).index)
        ++depth;
    return depth;
}

// Collects the transform of a root for writing in bulk; others are written after their parents.
static void list_pose(ct_physics_world *p, uint32_t slot, const ct_rigid_pose *pose) {
    const ct_actor_slot *const s = &p->slots.items[slot];
    const ct_transform t = ct_transform_lookup(p->transforms, s->entity);
    const uint32_t depth = depth_of(p->transforms, t);
    if (s->node > 0 || depth > 0) {
        ct_array_push(&p->written_late, (ct_late_pose){depth, s->node, slot});
    } else if (t.index) {
        ct_array_push(&p->written, t);
        ct_array_push(&p->written_positions, pose->position);
        ct_array_push(&p->written_rotations, pose->rotation);
        ct_array_push(&p->written_scales, ct_transform_local_scale(p->transforms, t));
    }
}

static int compare_late(const void *a, const void *b) {
    const ct_late_pose *const x = a, *const y = b;
    if (x->depth != y->depth)
        return x->depth < y->depth ? -1 : 1;
    if (x->node != y->node)
        return x->node < y->node ? -1 : 1;
    return x->slot < y->slot ? -1 : x->slot > y->slot;
}

static void write_late(ct_physics_world *p, float part) {
    if (p->written_late.count > 1)
        qsort(p->written_late.items, p->written_late.count, sizeof(*p->written_late.items),
              compare_late);
    for (uint32_t i = 0; i < p->written_late.count; ++i) {
        const ct_actor_slot *const s = &p->slots.items[p->written_late.items[i].slot];
        const ct_rigid_pose pose = between(s->before, s->after, part);
        write_pose(p, s, &pose);
    }
}

void ct_actors_write_poses(ct_physics_world *p, float part, bool has_stepped) {
    p->written.count = p->written_positions.count = 0;
    p->written_rotations.count = p->written_scales.count = p->written_late.count = 0;
    for (uint32_t i = 0; i < p->active.count; ++i) {
        const ct_actor_slot *const s = &p->slots.items[p->active.items[i]];
        const ct_rigid_pose pose = between(s->before, s->after, part);
        if (s->entity.id && s->body && !ct_bullet_body_is_moved(s->body))
            list_pose(p, p->active.items[i], &pose);
    }
    ct_transform_set_local_poses(p->transforms, p->written.items, p->written_positions.items,
                                 p->written_rotations.items, p->written_scales.items,
                                 p->written.count);
    write_late(p, part);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < p->active.count; ++i) {
        const uint32_t slot = p->active.items[i];
        ct_actor_slot *const s = &p->slots.items[slot];
        if (s->entity.id && s->body && !ct_bullet_body_is_moved(s->body))
            note_seen(p, s);
        if (has_stepped && !(s->flags & CT_ACTOR_MOVED))
            s->flags &= ~(uint32_t)CT_ACTOR_ACTIVE;
        else
            p->active.items[kept++] = slot;
    }
    p->active.count = kept;
}
