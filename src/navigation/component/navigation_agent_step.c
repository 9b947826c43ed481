// After a step: entities go where their agents are, links are walked, events are collected.
#include <math.h>

#include "foundation/error.h"
#include "foundation/math/math.h"
#include "navigation/component/navigation_agent_private.h"

// The instance at which the loop over agents is; agents of an instance mostly come in a row.
typedef struct current {
    ct_navigation_instance instance;
    ct_navigation_agents *agents;
    ct_navigation_agents_view all;
} current;

static void change_to(const ct_navigation_agent_manager *m, ct_navigation_instance instance,
                      current *c) {
    if (c->instance.id == instance.id)
        return;
    c->instance = instance;
    c->agents = ct_navigation_world_parts(m->navigation, instance).agents;
    c->all = ct_navigation_agents_all(c->agents);
}

// --- Links ---------------------------------------------------------------------------------------

// Goes straight to the end of the link that agent `k` is on. Returns the velocity, in the space of the mesh.
static ct_vec3 walk_link(const ct_navigation_agent_manager *m, uint32_t slot, const current *c,
                         uint32_t k, float dt) {
    const ct_navigation_agent agent = m->agents[slot];
    ct_vec3 end;
    if (!ct_navigation_agents_link(c->agents, agent, &end))
        return ct_vec3_make(0, 0, 0);
    const ct_navigation_agent_data *const data = &m->data[slot];
    const ct_vec3 way = ct_vec3_sub(end, c->all.positions[k]);
    const float metres = ct_vec3_length(way), step = data->speed * dt;
    const bool is_left = data->moves == CT_NAVIGATION_MOVES_NOTHING;
    const float reach = is_left ? fmaxf(step, data->arrival > 0 ? data->arrival : 0.25f) : step;
    if (metres <= fmaxf(reach, 1e-3f)) {
        if (!is_left)
            ct_navigation_agents_set_positions(c->agents, &agent, &end, 1);
        ct_navigation_agents_end_link(c->agents, agent);
        return ct_vec3_make(0, 0, 0);
    }
    if (!is_left) {
        const ct_vec3 next = ct_vec3_lerp(c->all.positions[k], end, step / metres);
        ct_navigation_agents_set_positions(c->agents, &agent, &next, 1);
    }
    return ct_vec3_scale(way, data->speed / metres);
}

// --- Poses ---------------------------------------------------------------------------------------

// The rotation around z by which y looks along (x, y), of length 1.
static ct_quat looking(float x, float y) {
    // Half of the angle from the y axis to (x, y).
    const float cosine = sqrtf(fmaxf(0, (1 + y) * 0.5f));
    const float sine = copysignf(sqrtf(fmaxf(0, (1 - y) * 0.5f)), -x);
    return (ct_quat){{0, 0, sine, cosine}};
}

// Turns towards the velocity, at most as fast as the agent turns; false: it stays as it is.
static bool find_rotation(const ct_navigation_agent_data *data, const ct_mat4 *pose,
                          ct_vec3 velocity, float dt, ct_quat *rotation) {
    enum { DEFAULT_TURN_SPEED = 10 };
    const float speed = sqrtf(velocity.x * velocity.x + velocity.y * velocity.y);
    if (!data->turns || !(speed > fmaxf(0.05f * data->speed, 1e-3f)))
        return false;
    float x = velocity.x / speed, y = velocity.y / speed;
    const float old_x = pose->col[1].x, old_y = pose->col[1].y;
    const float length = sqrtf(old_x * old_x + old_y * old_y);
    const float most = (data->turn_speed > 0 ? data->turn_speed : DEFAULT_TURN_SPEED) * dt;
    if (length > 1e-6f) {
        const float along = (x * old_x + y * old_y) / length;
        const float beside = (old_x * y - old_y * x) / length;
        // Nearly all look where they walk already: the sine of a small angle is more than 0.9 of it.
        const bool is_near = along > 0 && fabsf(beside) <= 0.9f * fminf(most, 0.7f);
        const float angle = is_near ? 0 : atan2f(beside, along);
        if (fabsf(angle) > most) {
            const float c = cosf(most), s = copysignf(sinf(most), angle);
            x = (old_x * c - old_y * s) / length;
            y = (old_y * c + old_x * s) / length;
        }
    }
    *rotation = looking(x, y);
    return true;
}

static bool is_same(ct_vec3 a, ct_vec3 b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

// Sets the pose of an entity that has a parent: in the parent's space.
static void set_below_parent(ct_navigation_agent_manager *m, uint32_t slot, ct_transform t,
                             bool has_rotation, ct_quat rotation) {
    ct_vec3 position, scale;
    ct_quat old;
    ct_mat4_decompose(ct_transform_world(m->transforms, t), &position, &old, &scale);
    const ct_mat4 pose = ct_mat4_compose(m->positions[slot], has_rotation ? rotation : old, scale);
    ct_transform_set_world_pose(m->transforms, t, &pose);
    m->left_at[slot] = ct_mat4_position(*ct_transform_world(m->transforms, t));
}

// Has the entity's pose set to where the agent is.
static void move_entity(ct_navigation_agent_manager *m, uint32_t slot, float dt) {
    const ct_transform t = ct_transform_lookup(m->transforms, m->table.entity[slot]);
    if (!t.index)
        return;
    const ct_mat4 *const pose = ct_transform_world(m->transforms, t);
    ct_quat rotation;
    const bool turns = find_rotation(&m->data[slot], pose, m->velocities[slot], dt, &rotation);
    if (!turns && is_same(m->positions[slot], m->left_at[slot]))
        return;
    if (ct_transform_parent(m->transforms, t).index) {
        set_below_parent(m, slot, t, turns, rotation);
        return;
    }
    ct_navigation_poses *const p = &m->poses;
    if (!turns)
        rotation = ct_transform_local_rotation(m->transforms, t);
    ct_array_push(&p->transforms, t);
    ct_array_push(&p->positions, m->positions[slot]);
    ct_array_push(&p->rotations, rotation);
    ct_array_push(&p->scales, ct_transform_local_scale(m->transforms, t));
    m->left_at[slot] = m->positions[slot];
}

static void set_poses(ct_navigation_agent_manager *m) {
    ct_navigation_poses *const p = &m->poses;
    if (p->transforms.count)
        ct_transform_set_local_poses(m->transforms, p->transforms.items, p->positions.items,
                                     p->rotations.items, p->scales.items, p->transforms.count);
    p->transforms.count = p->positions.count = p->rotations.count = p->scales.count = 0;
}

// --- The step ------------------------------------------------------------------------------------

// Takes where an agent is and how it moves; false: its entity stays where it is.
static bool take_agent(ct_navigation_agent_manager *m, uint32_t slot, const current *c, float dt) {
    const uint32_t k = ct_navigation_agents_index(c->agents, m->agents[slot]);
    if (k == UINT32_MAX)
        return false;
    const ct_navigation_agent_data *const data = &m->data[slot];
    const bool was_on_link = c->all.states[k] == CT_NAVIGATION_ON_LINK;
    ct_vec3 velocity = c->all.velocities[k];
    if (was_on_link && !data->plays_links && dt > 0)
        velocity = walk_link(m, slot, c, k, dt);
    const ct_navigation_instance instance = m->instances[slot];
    m->states[slot] = c->all.states[k];
    m->velocities[slot] = ct_navigation_turn_to_world(m->navigation, instance, velocity);
    const ct_vec3 position = ct_navigation_to_world(m->navigation, instance, c->all.positions[k]);
    if (!ct_vec3_is_finite(position))
        return false;
    m->positions[slot] = position;
    if (m->states[slot] == CT_NAVIGATION_OFF)
        return false;
    if (was_on_link)
        return !data->plays_links && data->moves != CT_NAVIGATION_MOVES_NOTHING;
    return data->moves == CT_NAVIGATION_MOVES_TRANSFORM;
}

static void collect_events(ct_navigation_agent_manager *m, ct_navigation_instance instance) {
    uint32_t count;
    const ct_navigation_event *const events = ct_navigation_agents_events(
        ct_navigation_world_parts(m->navigation, instance).agents, &count);
    for (uint32_t k = 0; k < count; ++k) {
        const ct_entity e = {(uint32_t)events[k].user};
        const uint32_t slot = events[k].user ? ct_instance_table_first(&m->table, e) : 0;
        if (!slot || m->agents[slot].id != events[k].agent.id)
            continue;
        const uint32_t type = events[k].type;
        if (type == CT_NAVIGATION_EVENT_ARRIVED || type == CT_NAVIGATION_EVENT_FAILED)
            m->has_goals[slot] = false;
        if (m->events.count < CT_NAVIGATION_MAX_KEPT_EVENTS)
            ct_array_push(&m->events,
                          (ct_navigation_agent_event){e, instance, type, events[k].link});
    }
}

void ct_navigation_agent_after_step(ct_navigation_agent_manager *m, double dt) {
    current c = {.instance = {0}};
    m->last_dt = (float)dt;
    for (uint32_t i = 1; i < m->table.soa.count; ++i) {
        if (!m->agents[i].id)
            continue;
        change_to(m, m->instances[i], &c);
        if (take_agent(m, i, &c, (float)dt))
            move_entity(m, i, (float)dt);
    }
    set_poses(m);
    m->first_event = m->events.count;
    uint32_t count;
    const ct_navigation_instance *const all = ct_navigation_world_instances(m->navigation, &count);
    for (uint32_t i = 0; i < count; ++i)
        collect_events(m, all[i]);
}
