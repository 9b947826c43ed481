// Before a step: agents find their instances, and hear where their entities are.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/log.h"
#include "foundation/math/math.h"
#include "navigation/component/navigation_agent_private.h"

// --- Instances -----------------------------------------------------------------------------------

void ct_navigation_agent_look(ct_navigation_agent_manager *m, uint32_t slot) {
    m->looks[slot] = true;
    ++m->num_looking;
}

void ct_navigation_agent_detach(ct_navigation_agent_manager *m, uint32_t slot) {
    if (m->agents[slot].id && ct_navigation_world_has(m->navigation, m->instances[slot])) {
        const ct_navigation_parts parts =
            ct_navigation_world_parts(m->navigation, m->instances[slot]);
        ct_navigation_agents_remove(parts.agents, m->agents[slot]);
    }
    m->agents[slot] = (ct_navigation_agent){0};
    m->instances[slot] = (ct_navigation_instance){0};
    m->velocities[slot] = ct_vec3_make(0, 0, 0);
    m->states[slot] = CT_NAVIGATION_OFF;
}

// Returns the name of an instance's class in its blob; NULL: the blob has lost the class.
static const char *class_name_of(const ct_navigation_agent_manager *m, ct_navigation_instance i) {
    const ct_navigation_parts parts = ct_navigation_world_parts(m->navigation, i);
    const ct_navigation_class *const class = ct_navigation_mesh_class(parts.mesh);
    return class->name.value == parts.class_name.value
               ? ct_blob_at(ct_navigation_mesh_resource(parts.mesh), class->name_text.offset)
               : NULL;
}

// Writes the names of all instances' classes, each once.
static void list_classes(const ct_navigation_agent_manager *m, char *text, uint32_t size_bytes) {
    uint32_t count, length = 0;
    const ct_navigation_instance *const all = ct_navigation_world_instances(m->navigation, &count);
    text[0] = 0;
    for (uint32_t i = 0; i < count && length < size_bytes; ++i) {
        const char *const name = class_name_of(m, all[i]);
        bool is_new = name != NULL;
        for (uint32_t k = 0; k < i && is_new; ++k) {
            const char *const other = class_name_of(m, all[k]);
            is_new = !other || strcmp(other, name) != 0;
        }
        if (is_new)
            length += (uint32_t)snprintf(text + length, size_bytes - length, "%s\"%s\"",
                                         length ? ", " : "", name);
    }
}

// Says once for each entity's unit that no instance has its class. Without instances, there may be some later.
static void warn_of_class(const ct_navigation_agent_manager *m, uint32_t slot) {
    char name[256], list[512];
    list_classes(m, list, sizeof(list));
    if (!list[0])
        return;
    m->describe(m->describe_user, m->table.entity[slot], name, sizeof(name));
    ct_log_warning("navigation", "unknown_agent_class",
                   "the navigation agent of %s has the class \"%s\", so it has no mesh; expected "
                   "one of the world's navigation: %s",
                   name, ct_string_id32_name(m->data[slot].class_name), list);
}

static ct_navigation_agent_desc desc_of(const ct_navigation_agent_data *data, ct_entity e) {
    return (ct_navigation_agent_desc){.radius = data->radius,
                                      .height = data->height,
                                      .speed = data->speed,
                                      .acceleration = data->acceleration,
                                      .turn_speed = data->turn_speed,
                                      .arrival = data->arrival,
                                      .horizon = data->horizon,
                                      .priority = data->priority,
                                      .groups = data->groups,
                                      .avoids = data->avoids,
                                      .user = e.id};
}

// Puts an agent into an instance, with its goal.
static void attach(ct_navigation_agent_manager *m, uint32_t slot, ct_navigation_instance instance,
                   ct_vec3 position) {
    const ct_navigation_parts parts = ct_navigation_world_parts(m->navigation, instance);
    ct_navigation_agent_desc desc = desc_of(&m->data[slot], m->table.entity[slot]);
    desc.position = ct_navigation_to_mesh(m->navigation, instance, position);
    ct_error error = {0};
    const ct_navigation_agent agent = ct_navigation_agents_add(parts.agents, &desc, &error);
    if (!agent.id) {
        char name[256];
        m->describe(m->describe_user, m->table.entity[slot], name, sizeof(name));
        ct_log_warning("navigation", "agent_refused", "the navigation agent of %s: %s", name,
                       error.message);
        return;
    }
    m->instances[slot] = instance;
    m->agents[slot] = agent;
    m->left_at[slot] = position;
    if (!m->has_goals[slot])
        return;
    const ct_vec3 goal = ct_navigation_to_mesh(m->navigation, instance, m->goals[slot]);
    ct_navigation_agents_move_to(parts.agents, &agent, &goal, 1);
}

// Finds the instance of an agent that waits for one, or whose instance may not be the nearest.
static void find_instance(ct_navigation_agent_manager *m, uint32_t slot) {
    ct_vec3 position;
    if (!ct_navigation_entity_position(m, m->table.entity[slot], &position))
        return;
    const ct_navigation_instance found =
        ct_navigation_world_find(m->navigation, m->data[slot].class_name, position);
    if (!found.id) {
        warn_of_class(m, slot);
        return;
    }
    if (m->agents[slot].id && found.id == m->instances[slot].id)
        return;
    ct_navigation_agent_detach(m, slot);
    attach(m, slot, found, position);
}

static void look_for_instances(ct_navigation_agent_manager *m) {
    if (!m->num_looking)
        return;
    m->num_looking = 0;
    for (uint32_t i = 1; i < m->table.soa.count; ++i) {
        if (!m->looks[i])
            continue;
        m->looks[i] = false;
        find_instance(m, i);
    }
}

// --- Changes of the world ------------------------------------------------------------------------

// Whether the agent of an instance is that of the entity still.
static bool is_own(const ct_navigation_agent_manager *m, uint32_t slot) {
    if (!m->agents[slot].id || !ct_navigation_world_has(m->navigation, m->instances[slot]))
        return false;
    const ct_navigation_agents *const agents =
        ct_navigation_world_parts(m->navigation, m->instances[slot]).agents;
    const uint32_t k = ct_navigation_agents_index(agents, m->agents[slot]);
    return k != UINT32_MAX && ct_navigation_agents_all(agents).users[k] == m->table.entity[slot].id;
}

// Takes over the goal of an agent, which may have been restored.
static void take_goal(ct_navigation_agent_manager *m, uint32_t slot) {
    const ct_navigation_instance instance = m->instances[slot];
    ct_vec3 goal;
    m->has_goals[slot] = ct_navigation_agents_goal(
        ct_navigation_world_parts(m->navigation, instance).agents, m->agents[slot], &goal);
    if (m->has_goals[slot])
        m->goals[slot] = ct_navigation_to_world(m->navigation, instance, goal);
}

// Restored agents find their entities again; those whose entity has none any more end.
static void adopt_agents(ct_navigation_agent_manager *m, ct_navigation_instance instance) {
    ct_navigation_agents *const agents = ct_navigation_world_parts(m->navigation, instance).agents;
    for (uint32_t k = ct_navigation_agents_count(agents); k-- > 0;) {
        const ct_navigation_agents_view all = ct_navigation_agents_all(agents);
        const ct_navigation_agent agent = all.agents[k];
        if (!all.users[k])
            continue; // not of an entity
        const ct_entity e = {(uint32_t)all.users[k]};
        const uint32_t slot =
            all.users[k] <= UINT32_MAX ? ct_instance_table_first(&m->table, e) : 0;
        if (slot && !m->agents[slot].id) {
            m->instances[slot] = instance;
            m->agents[slot] = agent;
            take_goal(m, slot);
        } else if (!slot || m->instances[slot].id != instance.id ||
                   m->agents[slot].id != agent.id) {
            ct_navigation_agents_remove(agents, agent);
        }
    }
}

static void see_changes(ct_navigation_agent_manager *m) {
    const uint32_t changes = ct_navigation_world_changes(m->navigation);
    if (changes == m->changes)
        return;
    m->changes = changes;
    for (uint32_t i = 1; i < m->table.soa.count; ++i) {
        if (is_own(m, i)) {
            take_goal(m, i);
        } else {
            m->agents[i] = (ct_navigation_agent){0};
            ct_navigation_agent_detach(m, i);
        }
    }
    uint32_t count;
    const ct_navigation_instance *const all = ct_navigation_world_instances(m->navigation, &count);
    for (uint32_t i = 0; i < count; ++i)
        adopt_agents(m, all[i]);
    for (uint32_t i = 1; i < m->table.soa.count; ++i)
        if (!m->agents[i].id || m->states[i] == CT_NAVIGATION_OFF)
            ct_navigation_agent_look(m, i);
}

// --- Positions -----------------------------------------------------------------------------------

// Hands on where agents of an instance are.
static void flush_positions(ct_navigation_agent_manager *m, ct_navigation_instance instance) {
    if (!m->moved_agents.count)
        return;
    ct_navigation_agents_set_positions(ct_navigation_world_parts(m->navigation, instance).agents,
                                       m->moved_agents.items, m->moved_positions.items,
                                       m->moved_agents.count);
    m->moved_agents.count = m->moved_positions.count = 0;
}

static bool is_same(ct_vec3 a, ct_vec3 b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

// Whether the entity went farther than it can walk in a step.
static bool has_jumped(const ct_navigation_agent_manager *m, uint32_t slot, ct_vec3 to, double dt) {
    const float radius = m->data[slot].radius > 0 ? m->data[slot].radius : 0.5f;
    const float fall = fabsf(m->falls[slot]) * (float)dt;
    const float most = m->data[slot].speed * (float)dt + radius + fall;
    const ct_vec3 d = ct_vec3_sub(to, m->left_at[slot]);
    return !(ct_vec3_dot(d, d) <= most * most);
}

// The agent of an entity that was put elsewhere goes there, perhaps over another mesh.
static void put_elsewhere(ct_navigation_agent_manager *m, uint32_t slot, ct_vec3 position) {
    const ct_navigation_instance found =
        ct_navigation_world_find(m->navigation, m->data[slot].class_name, position);
    if (found.id && found.id != m->instances[slot].id) {
        ct_navigation_agent_detach(m, slot);
        attach(m, slot, found, position);
        return;
    }
    const ct_navigation_instance instance = m->instances[slot];
    ct_navigation_agents_place(ct_navigation_world_parts(m->navigation, instance).agents,
                               m->agents[slot],
                               ct_navigation_to_mesh(m->navigation, instance, position));
    m->left_at[slot] = position;
}

// An agent of which the entity moved less than it was to.
static void hold_back(ct_navigation_agent_manager *m, uint32_t slot, ct_vec3 position) {
    if (m->data[slot].moves == CT_NAVIGATION_MOVES_TRANSFORM || !(m->last_dt > 0))
        return;
    const ct_vec3 real = ct_vec3_scale(ct_vec3_sub(position, m->left_at[slot]), 1 / m->last_dt);
    const ct_navigation_instance instance = m->instances[slot];
    ct_navigation_agents_hold_back(ct_navigation_world_parts(m->navigation, instance).agents,
                                   m->agents[slot],
                                   ct_navigation_turn_to_mesh(m->navigation, instance, real));
}

static void follow_entities(ct_navigation_agent_manager *m, double dt) {
    ct_navigation_instance instance = {0};
    for (uint32_t i = 1; i < m->table.soa.count; ++i) {
        ct_vec3 position;
        if (!m->agents[i].id || !ct_navigation_entity_position(m, m->table.entity[i], &position))
            continue;
        // What else moves the entity may not have followed the agent.
        if (m->data[i].moves == CT_NAVIGATION_MOVES_TRANSFORM && is_same(position, m->left_at[i]))
            continue;
        const bool is_elsewhere =
            m->states[i] == CT_NAVIGATION_OFF || has_jumped(m, i, position, dt);
        if (m->states[i] != CT_NAVIGATION_ON_LINK && is_elsewhere) {
            flush_positions(m, instance);
            put_elsewhere(m, i, position);
            continue;
        }
        if (m->instances[i].id != instance.id) {
            flush_positions(m, instance);
            instance = m->instances[i];
        }
        hold_back(m, i, position);
        m->left_at[i] = position;
        ct_array_push(&m->moved_agents, m->agents[i]);
        ct_array_push(&m->moved_positions,
                      ct_navigation_to_mesh(m->navigation, instance, position));
    }
    flush_positions(m, instance);
}

void ct_navigation_agent_before_step(ct_navigation_agent_manager *m, double dt) {
    see_changes(m);
    look_for_instances(m);
    follow_entities(m, dt);
}
