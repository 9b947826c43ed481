// Actors that follow their nodes: what moved since the last update becomes teleports and targets.
#include "foundation/log.h"
#include "physics/actor/physics_world_private.h"

// --- Which nodes changed -------------------------------------------------------------------------

void ct_physics_world_note_changes(ct_physics_world *p) {
    uint32_t count;
    const ct_entity *const entities = ct_scene_graph_changed(p->graphs, &count);
    if (p->first.count == 0)
        return;
    for (uint32_t i = 0; i < count; ++i) {
        if (ct_hash_map_find(&p->first, entities[i].id) &&
            ct_hash_map_add(&p->is_listed, entities[i].id, 1))
            ct_array_push(&p->changed_nodes, entities[i]);
    }
}

// The scale of a body is that of its making.
static void check_scale(ct_physics_world *p, uint32_t slot, ct_vec3 scale) {
    ct_actor_record *const r = &p->record[slot];
    const float most = fmaxf(fabsf(r->scale.x), fmaxf(fabsf(r->scale.y), fabsf(r->scale.z)));
    if (r->is_warned_of_scale || ct_vec3_length(ct_vec3_sub(scale, r->scale)) <= 1e-3f * most)
        return;
    char what[256];
    r->is_warned_of_scale = true;
    ct_physics_describe(p, r->data.name, p->entity[slot], r->is_trigger, what);
    ct_log_warning(
        "physics", "scale_changed",
        "the scale of the node of %s changed; the shape keeps the scale that it was made "
        "with: spawn the unit with the scale it should have",
        what);
}

static bool has_target(const ct_physics_world *p, uint32_t slot) {
    const ct_actor_record *const r = &p->record[slot];
    return r->is_trigger || r->data.body == CT_ACTOR_KINEMATIC ||
           r->data.body == CT_ACTOR_KEYFRAMED;
}

// Takes the pose of a node, if it is another than that which was taken or written last.
static void follow(ct_physics_world *p, uint32_t slot, double now) {
    ct_rigid_pose pose;
    ct_vec3 scale;
    uint64_t hash;
    const bool is_right =
        ct_physics_node_pose(p, p->entity[slot], p->node[slot], &pose, &scale, &hash);
    if (hash == p->seen[slot] || !is_right)
        return;
    p->seen[slot] = hash;
    check_scale(p, slot, scale);
    p->target[slot] = pose;
    p->target_time[slot] = now;
    if (has_target(p, slot)) {
        if (!(p->lists[slot] & CT_ACTOR_IN_TARGETS))
            ct_array_push(&p->targets, slot);
        p->lists[slot] |= CT_ACTOR_IN_TARGETS;
        return;
    }
    ct_physics_wake_touches(p, slot, true);
    ct_bullet_body_set_pose(p->body[slot], pose);
    p->before[slot] = p->after[slot] = pose;
}

static void follow_entity(ct_physics_world *p, ct_entity e, double now) {
    uint32_t slot = (uint32_t)ct_hash_map_get(&p->first, e.id, 0);
    for (; slot; slot = p->next[slot])
        follow(p, slot, now);
}

void ct_physics_follow_nodes(ct_physics_world *p, double now) {
    ct_physics_world_note_changes(p);
    uint32_t count;
    const uint32_t *const changed = ct_transform_changed(p->transforms, p->reader, &count);
    for (uint32_t i = 0; p->first.count && i < count; ++i) {
        if (changed[i])
            follow_entity(p, ct_transform_entity(p->transforms, (ct_transform){changed[i]}), now);
    }
    for (uint32_t i = 0; i < p->changed_nodes.count; ++i)
        follow_entity(p, p->changed_nodes.items[i], now);
    p->changed_nodes.count = 0;
    ct_hash_map_clear(&p->is_listed);
    ct_transform_clear_changed(p->transforms, p->reader);
}

// --- On the way ----------------------------------------------------------------------------------

// Moves evenly, so that the velocity is that of the node, whatever the length of steps and frames.
void ct_physics_move_targets(ct_physics_world *p, double time) {
    const double before = time - (double)ct_physics_system_resource(p->system)->step;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < p->targets.count; ++i) {
        const uint32_t slot = p->targets.items[i];
        if (!p->body[slot] || !has_target(p, slot)) {
            p->lists[slot] &= (uint8_t)~CT_ACTOR_IN_TARGETS;
            continue;
        }
        const ct_rigid_pose from = ct_bullet_body_pose(p->body[slot]);
        const double way = p->target_time[slot] - before;
        const bool arrives = p->target_time[slot] <= time + 1e-9;
        const float share = arrives ? 1 : (float)((time - before) / way);
        const ct_rigid_pose to = {ct_vec3_lerp(from.position, p->target[slot].position, share),
                                  ct_quat_nlerp(from.rotation, p->target[slot].rotation, share)};
        ct_bullet_body_move_to(p->body[slot], arrives ? p->target[slot] : to);
        ct_physics_wake_touches(p, slot, false);
        if (arrives)
            p->lists[slot] &= (uint8_t)~CT_ACTOR_IN_TARGETS;
        else
            p->targets.items[kept++] = slot;
    }
    p->targets.count = kept;
}
