// Poses between actors and nodes, both ways: what the game moves, and what physics moves.
#include "foundation/log.h"
#include "physics/actor/physics_world_private.h"

static bool is_same_pose(const ct_rigid_pose *a, const ct_rigid_pose *b) {
    for (uint32_t i = 0; i < 3; ++i) {
        if (fabsf(a->position.raw[i] - b->position.raw[i]) > 1e-6f)
            return false;
    }
    const float cosine = a->rotation.x * b->rotation.x + a->rotation.y * b->rotation.y +
                         a->rotation.z * b->rotation.z + a->rotation.w * b->rotation.w;
    return fabsf(cosine) > 1 - 1e-7f;
}

// The pose a part of the way from `a` to `b`.
static ct_rigid_pose between(const ct_rigid_pose *a, const ct_rigid_pose *b, float part) {
    if (part >= 1)
        return *b;
    ct_rigid_pose out;
    for (uint32_t i = 0; i < 3; ++i)
        out.position.raw[i] = a->position.raw[i] + part * (b->position.raw[i] - a->position.raw[i]);
    out.rotation = ct_quat_normalize(glms_quat_nlerp(a->rotation, b->rotation, part));
    return out;
}

// --- From nodes to actors ------------------------------------------------------------------------

static bool is_finite(const ct_rigid_pose *pose) {
    for (uint32_t i = 0; i < 3; ++i) {
        if (!(fabsf(pose->position.raw[i]) < 1e9f))
            return false;
    }
    return isfinite(pose->rotation.w);
}

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
                     "its node's scale changed from %g to %g along axis %u; the actor keeps "
                     "the scale that it was made with: make it again",
                     (double)was.raw[i], (double)scale.raw[i], i);
        ct_actor_log_error(p, s, &error);
    }
}

static bool follows(const ct_actor_slot *s, const ct_actor_extra *x) {
    return (s->flags & CT_ACTOR_TRIGGER) || x->data.body == CT_ACTOR_KINEMATIC ||
           x->data.body == CT_ACTOR_KEYFRAMED;
}

// The node of an actor is at a new place: kinematic actors go there in the next steps, others at
// once.
static void node_moved(ct_physics_world *p, uint32_t slot) {
    ct_actor_slot *const s = &p->slots.items[slot];
    const ct_actor_extra *const x = &p->extras.items[slot];
    if (!s->body)
        return;
    ct_vec3 scale;
    const ct_rigid_pose pose = ct_actor_node_pose(p, s->entity, s->node, &scale);
    if (!is_finite(&pose))
        return;
    check_scale(p, s, scale);
    if (follows(s, x)) {
        if (is_same_pose(&pose, &s->after))
            return;
        s->after = pose;
        if (!(s->flags & CT_ACTOR_FOLLOWING))
            ct_array_push(&p->following, slot);
        s->flags |= CT_ACTOR_FOLLOWING;
        return;
    }
    if (s->node > 0 && x->data.body == CT_ACTOR_DYNAMIC)
        return; // it is the actor that moves the node
    s->before = s->after = pose;
    ct_bullet_body_set_pose(s->body, pose);
}

void ct_actors_follow_nodes(ct_physics_world *p) {
    uint32_t count;
    const uint32_t *const changed = ct_transform_changed(p->transforms, p->reader, &count);
    for (uint32_t i = 0; i < count && p->first_of.count > 0; ++i) {
        if (!changed[i])
            continue;
        const ct_entity e = ct_transform_entity(p->transforms, (ct_transform){changed[i]});
        uint32_t slot = (uint32_t)ct_hash_map_get(&p->first_of, e.id, 0);
        for (; slot; slot = p->slots.items[slot].next) {
            ct_actor_slot *const s = &p->slots.items[slot];
            const bool is_own = s->flags & CT_ACTOR_WRITTEN; // the last write moved it
            if (s->node == 0 && !is_own)
                node_moved(p, slot);
        }
    }
    ct_transform_clear_changed(p->transforms, p->reader);
    for (uint32_t i = 0; i < p->node_actors.count; ++i)
        node_moved(p, p->node_actors.items[i]);
}

void ct_actors_follow_step(ct_physics_world *p, float part) {
    for (uint32_t i = 0; i < p->following.count; ++i) {
        ct_actor_slot *const s = &p->slots.items[p->following.items[i]];
        const ct_rigid_pose next = between(&s->before, &s->after, part);
        ct_bullet_body_move_to(s->body, next);
        s->before = next;
        if (part >= 1)
            s->flags &= ~(uint32_t)CT_ACTOR_FOLLOWING;
    }
    if (part >= 1)
        p->following.count = 0;
}

// --- From actors to nodes ------------------------------------------------------------------------

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
        s->after = moved[i].pose;
        s->flags |= CT_ACTOR_MOVED;
        if (s->flags & CT_ACTOR_ACTIVE)
            continue;
        s->flags |= CT_ACTOR_ACTIVE;
        ct_array_push(&p->active, slot);
    }
}

// Writes the pose of an actor at a node into the scene graph.
static void write_node(ct_physics_world *p, const ct_actor_slot *s, const ct_rigid_pose *pose) {
    const ct_scene_graph g = ct_scene_graph_lookup(p->graphs, s->entity);
    if (!g.index || s->node > ct_scene_graph_num_nodes(p->graphs, g))
        return;
    const uint32_t parent = ct_scene_graph_parent(p->graphs, g, s->node);
    ct_vec3 scale;
    const ct_rigid_pose above = ct_actor_node_pose(p, s->entity, parent, &scale);
    const ct_quat back = {
        {-above.rotation.x, -above.rotation.y, -above.rotation.z, above.rotation.w}};
    ct_vec3 position = ct_quat_rotate(back, ct_vec3_sub(pose->position, above.position));
    for (uint32_t i = 0; i < 3; ++i)
        position.raw[i] = scale.raw[i] != 0 ? position.raw[i] / scale.raw[i] : 0;
    ct_scene_graph_set_local_position(p->graphs, g, s->node, position);
    ct_scene_graph_set_local_rotation(p->graphs, g, s->node, ct_quat_mul(back, pose->rotation));
}

static void write_child(ct_physics_world *p, const ct_actor_slot *s, ct_transform t,
                        const ct_rigid_pose *pose) {
    const ct_mat4 world =
        ct_mat4_compose(pose->position, pose->rotation, ct_actor_extra_of(p, s)->scale);
    ct_transform_set_world_pose(p->transforms, t, &world);
}

void ct_actor_write_pose(ct_physics_world *p, const ct_actor_slot *s, const ct_rigid_pose *pose) {
    const ct_transform t = ct_transform_lookup(p->transforms, s->entity);
    if (s->node > 0)
        write_node(p, s, pose);
    else if (t.index && ct_transform_parent(p->transforms, t).index)
        write_child(p, s, t, pose);
    else if (t.index)
        ct_transform_set_local_pose(p->transforms, t, pose->position, pose->rotation,
                                    ct_transform_local_scale(p->transforms, t));
}

// Collects the transform of a root, or writes that of a child of another transform.
static void write_transform(ct_physics_world *p, const ct_actor_slot *s,
                            const ct_rigid_pose *pose) {
    const ct_transform t = ct_transform_lookup(p->transforms, s->entity);
    if (t.index && ct_transform_parent(p->transforms, t).index) {
        write_child(p, s, t, pose);
    } else if (t.index) {
        ct_array_push(&p->written, t);
        ct_array_push(&p->written_positions, pose->position);
        ct_array_push(&p->written_rotations, pose->rotation);
        ct_array_push(&p->written_scales, ct_transform_local_scale(p->transforms, t));
    }
}

void ct_actors_write_poses(ct_physics_world *p, float part, bool has_stepped) {
    p->written.count = p->written_positions.count = 0;
    p->written_rotations.count = p->written_scales.count = 0;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < p->active.count; ++i) {
        const uint32_t slot = p->active.items[i];
        ct_actor_slot *const s = &p->slots.items[slot];
        const ct_rigid_pose pose = between(&s->before, &s->after, part);
        if (s->entity.id && s->node > 0) {
            write_node(p, s, &pose);
        } else if (s->entity.id) {
            write_transform(p, s, &pose);
            s->flags |= CT_ACTOR_WRITTEN;
        }
        if (has_stepped && !(s->flags & CT_ACTOR_MOVED))
            s->flags &= ~(uint32_t)CT_ACTOR_ACTIVE;
        else
            p->active.items[kept++] = slot;
    }
    ct_transform_set_local_poses(p->transforms, p->written.items, p->written_positions.items,
                                 p->written_rotations.items, p->written_scales.items,
                                 p->written.count);
    // What is linked to the actors moved with them, and is followed in the next steps.
    const uint32_t num_written = p->active.count;
    ct_actors_follow_nodes(p);
    for (uint32_t i = 0; i < num_written; ++i)
        p->slots.items[p->active.items[i]].flags &= ~(uint32_t)CT_ACTOR_WRITTEN;
    p->active.count = kept;
}
