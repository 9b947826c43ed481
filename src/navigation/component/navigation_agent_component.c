// Life cycle, what the game sets and reads, and the row of the registry.
#include "navigation/component/navigation_agent_component.h"

#include <stdio.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/log.h"
#include "foundation/math/math.h"
#include "navigation/component/navigation_agent_private.h"

static const ct_soa_array arrays[] = {
    CT_SINGLE_INSTANCE_TABLE_ARRAYS(ct_navigation_agent_manager, table),
    CT_SOA_ARRAY_ALIGNED(ct_navigation_agent_manager, data, 64),
    CT_SOA_ARRAY_ALIGNED(ct_navigation_agent_manager, instances, 64),
    CT_SOA_ARRAY_ALIGNED(ct_navigation_agent_manager, agents, 64),
    CT_SOA_ARRAY_ALIGNED(ct_navigation_agent_manager, goals, 64),
    CT_SOA_ARRAY_ALIGNED(ct_navigation_agent_manager, has_goals, 64),
    CT_SOA_ARRAY_ALIGNED(ct_navigation_agent_manager, looks, 64),
    CT_SOA_ARRAY_ALIGNED(ct_navigation_agent_manager, left_at, 64),
    CT_SOA_ARRAY_ALIGNED(ct_navigation_agent_manager, positions, 64),
    CT_SOA_ARRAY_ALIGNED(ct_navigation_agent_manager, velocities, 64),
    CT_SOA_ARRAY_ALIGNED(ct_navigation_agent_manager, states, 64),
    CT_SOA_ARRAY_ALIGNED(ct_navigation_agent_manager, falls, 64),
};

// --- Life cycle ----------------------------------------------------------------------------------

static void describe_by_number(void *user, ct_entity e, char *text, uint32_t size_bytes) {
    (void)user;
    snprintf(text, size_bytes, "the entity 0x%x", e.id);
}

ct_navigation_agent_manager *ct_navigation_agent_manager_create(ct_allocator *a,
                                                                ct_navigation_world *navigation,
                                                                ct_transform_manager *transforms) {
    ct_navigation_agent_manager *const m = CT_NEW(a, ct_navigation_agent_manager);
    m->allocator = a;
    m->navigation = navigation;
    m->transforms = transforms;
    m->describe = describe_by_number;
    ct_array_init(&m->events, a);
    ct_array_init(&m->taken, a);
    ct_array_init(&m->poses.transforms, a);
    ct_array_init(&m->poses.positions, a);
    ct_array_init(&m->poses.scales, a);
    ct_array_init(&m->poses.rotations, a);
    ct_array_init(&m->moved_agents, a);
    ct_array_init(&m->moved_positions, a);
    ct_instance_table_init(&m->table, a, m, arrays, CT_COUNT_OF(arrays), CT_INSTANCE_LOOKUP_HASH);
    return m;
}

void ct_navigation_agent_manager_destroy(ct_navigation_agent_manager *m) {
    if (!m)
        return;
    ct_array_free(&m->events);
    ct_array_free(&m->taken);
    ct_array_free(&m->poses.transforms);
    ct_array_free(&m->poses.positions);
    ct_array_free(&m->poses.scales);
    ct_array_free(&m->poses.rotations);
    ct_array_free(&m->moved_agents);
    ct_array_free(&m->moved_positions);
    ct_instance_table_free(&m->table);
    ct_free_sized(m->allocator, m, sizeof(*m));
}

void ct_navigation_agent_set_describe(ct_navigation_agent_manager *m,
                                      void (*describe)(void *user, ct_entity e, char *text,
                                                       uint32_t size_bytes),
                                      void *user) {
    m->describe = describe;
    m->describe_user = user;
}

bool ct_navigation_entity_position(const ct_navigation_agent_manager *m, ct_entity e,
                                   ct_vec3 *position) {
    const ct_transform t = ct_transform_lookup(m->transforms, e);
    if (!t.index)
        return false;
    *position = ct_mat4_position(*ct_transform_world(m->transforms, t));
    return ct_vec3_is_finite(*position);
}

void ct_navigation_agent_create(ct_navigation_agent_manager *m, ct_entity e,
                                const ct_navigation_agent_data *data) {
    CT_ASSERT(ct_transform_lookup(m->transforms, e).index, "entity %u has no transform", e.id);
    const ct_navigation_agent_data copy =
        *data; // it may be that of another, which is about to move
    const uint32_t i = ct_instance_table_add(&m->table, e, 0);
    m->data[i] = copy;
    m->states[i] = CT_NAVIGATION_OFF;
    ct_vec3 position;
    if (ct_navigation_entity_position(m, e, &position))
        m->positions[i] = m->left_at[i] = position;
    ct_navigation_agent_look(m, i);
}

void ct_navigation_agent_destroy(ct_navigation_agent_manager *m, const ct_entity *entities,
                                 uint32_t count) {
    for (uint32_t k = 0; k < count && ct_navigation_agent_count(m); ++k) {
        const uint32_t i = ct_instance_table_first(&m->table, entities[k]);
        if (!i)
            continue;
        ct_navigation_agent_detach(m, i);
        ct_instance_table_erase(&m->table, i);
    }
}

// --- What the game sets --------------------------------------------------------------------------

static uint32_t slot_of(const ct_navigation_agent_manager *m, ct_entity e) {
    return ct_instance_table_first(&m->table, e);
}

// The agents of the instance that an agent is in; NULL: it waits for one.
static ct_navigation_agents *agents_of(const ct_navigation_agent_manager *m, uint32_t i) {
    if (!m->agents[i].id || !ct_navigation_world_has(m->navigation, m->instances[i]))
        return NULL;
    return ct_navigation_world_parts(m->navigation, m->instances[i]).agents;
}

void ct_navigation_agent_move_to(ct_navigation_agent_manager *m, const ct_entity *entities,
                                 const ct_vec3 *goals, uint32_t count) {
    for (uint32_t k = 0; k < count; ++k) {
        const uint32_t i = slot_of(m, entities[k]);
        if (!i || !ct_vec3_is_finite(goals[k]))
            continue;
        m->goals[i] = goals[k];
        m->has_goals[i] = true;
        ct_navigation_agents *const agents = agents_of(m, i);
        if (!agents)
            continue;
        const ct_vec3 goal = ct_navigation_to_mesh(m->navigation, m->instances[i], goals[k]);
        ct_navigation_agents_move_to(agents, &m->agents[i], &goal, 1);
    }
}

void ct_navigation_agent_stop(ct_navigation_agent_manager *m, const ct_entity *entities,
                              uint32_t count) {
    for (uint32_t k = 0; k < count; ++k) {
        const uint32_t i = slot_of(m, entities[k]);
        if (!i)
            continue;
        m->has_goals[i] = false;
        ct_navigation_agents *const agents = agents_of(m, i);
        if (agents)
            ct_navigation_agents_stop(agents, &m->agents[i], 1);
    }
}

void ct_navigation_agent_set_speed(ct_navigation_agent_manager *m, ct_entity e, float speed) {
    const uint32_t i = slot_of(m, e);
    if (!i || !(speed >= 0 && speed <= 1000))
        return;
    m->data[i].speed = speed;
    ct_navigation_agents *const agents = agents_of(m, i);
    if (agents)
        ct_navigation_agents_set_speed(agents, m->agents[i], speed);
}

void ct_navigation_agent_set_plays_links(ct_navigation_agent_manager *m, ct_entity e, bool plays) {
    const uint32_t i = slot_of(m, e);
    if (i)
        m->data[i].plays_links = plays;
}

void ct_navigation_agent_end_link(ct_navigation_agent_manager *m, ct_entity e) {
    const uint32_t i = slot_of(m, e);
    ct_navigation_agents *const agents = i ? agents_of(m, i) : NULL;
    ct_vec3 end;
    if (!agents || !ct_navigation_agents_link(agents, m->agents[i], &end))
        return;
    ct_vec3 position;
    if (ct_navigation_entity_position(m, e, &position)) {
        m->left_at[i] = position;
        position = ct_navigation_to_mesh(m->navigation, m->instances[i], position);
        ct_navigation_agents_set_positions(agents, &m->agents[i], &position, 1);
    }
    ct_navigation_agents_end_link(agents, m->agents[i]);
}

// --- What the game reads -------------------------------------------------------------------------

bool ct_navigation_agent_has(const ct_navigation_agent_manager *m, ct_entity e) {
    return slot_of(m, e) != 0;
}

const ct_navigation_agent_data *ct_navigation_agent_data_of(const ct_navigation_agent_manager *m,
                                                            ct_entity e) {
    const uint32_t i = slot_of(m, e);
    return i ? &m->data[i] : NULL;
}

uint32_t ct_navigation_agent_count(const ct_navigation_agent_manager *m) {
    return ct_instance_table_count(&m->table);
}

bool ct_navigation_agent_status_of(const ct_navigation_agent_manager *m, ct_entity e,
                                   ct_navigation_agent_status *status) {
    const uint32_t i = slot_of(m, e);
    if (!i)
        return false;
    *status = (ct_navigation_agent_status){.state = CT_NAVIGATION_OFF,
                                           .position = m->positions[i],
                                           .goal = m->goals[i],
                                           .has_goal = m->has_goals[i]};
    const ct_navigation_agents *const agents = agents_of(m, i);
    const uint32_t k =
        agents ? ct_navigation_agents_index(agents, m->agents[i]) : (uint32_t)UINT32_MAX;
    if (k == UINT32_MAX)
        return true;
    const ct_navigation_agents_view all = ct_navigation_agents_all(agents);
    status->instance = m->instances[i];
    status->agent = m->agents[i];
    status->state = all.states[k];
    status->position = ct_navigation_to_world(m->navigation, m->instances[i], all.positions[k]);
    status->velocity = m->velocities[i];
    status->wanted = ct_navigation_turn_to_world(m->navigation, m->instances[i], all.wanted[k]);
    return true;
}

ct_navigation_agent_view ct_navigation_agent_all(const ct_navigation_agent_manager *m) {
    return (ct_navigation_agent_view){.count = ct_navigation_agent_count(m),
                                      .entities = m->table.entity + 1,
                                      .positions = m->positions + 1,
                                      .velocities = m->velocities + 1,
                                      .states = m->states + 1,
                                      .data = m->data + 1,
                                      .falls = m->falls + 1};
}

const ct_navigation_agent_event *ct_navigation_agent_events(const ct_navigation_agent_manager *m,
                                                            uint32_t *count) {
    *count = m->events.count - m->first_event;
    return m->events.items + m->first_event;
}

const ct_navigation_agent_event *ct_navigation_agent_take_events(ct_navigation_agent_manager *m,
                                                                 uint32_t *count) {
    const ct_navigation_agent_event_array taken = m->taken;
    m->taken = m->events;
    m->events = taken;
    m->events.count = m->first_event = 0;
    *count = m->taken.count;
    return m->taken.items;
}

// --- Registry ------------------------------------------------------------------------------------

static void spawn_agents(void *manager, const ct_component_spawn *spawn) {
    ct_navigation_agent_manager *const m = manager;
    const ct_navigation_agent_data *const data = spawn->data;
    const uint32_t count = ct_component_spawn_count(spawn);
    ct_instance_table_reserve(&m->table, count);
    for (uint32_t k = 0; k < count; ++k) {
        // The compiler makes no such template; damaged data may be one.
        if (ct_transform_lookup(m->transforms, spawn->owners[k]).index &&
            !slot_of(m, spawn->owners[k]))
            ct_navigation_agent_create(m, spawn->owners[k],
                                       &data[ct_component_spawn_data(spawn, k)]);
        else
            ct_log_error("navigation", "agent_without_transform",
                         "left out a navigation agent: its entity has no transform, or has an "
                         "agent already");
    }
}

static void entities_destroyed(void *manager, const ct_entity *entities, uint32_t count) {
    ct_navigation_agent_destroy(manager, entities, count);
}

// What of an agent decides its next steps, besides where its entity is.
typedef struct agent_hash {
    uint32_t state, has_goal;
    float speed, position[3], velocity[3], goal[3], fall;
} agent_hash;

static void hash_agents(const void *manager, ct_state_hash *hash) {
    const ct_navigation_agent_manager *const m = manager;
    for (uint32_t i = 1; i < m->table.soa.count; ++i) {
        agent_hash h = {.state = m->states[i],
                        .has_goal = m->has_goals[i],
                        .speed = m->data[i].speed,
                        .fall = m->falls[i]};
        memcpy(h.position, m->positions[i].raw, sizeof(h.position));
        memcpy(h.velocity, m->velocities[i].raw, sizeof(h.velocity));
        if (h.has_goal)
            memcpy(h.goal, m->goals[i].raw, sizeof(h.goal));
        ct_state_hash_add(hash, m->table.entity[i], 0x6e617669676174ull, &h, sizeof(h));
    }
}

static void destroy_manager(void *manager) {
    ct_navigation_agent_manager_destroy(manager);
}

ct_component_manager ct_navigation_agent_component_manager(ct_navigation_agent_manager *m) {
    return (ct_component_manager){
        .type_name = "navigation_agent",
        .schema = &ct_navigation_agent_schema,
        .manager = m,
        .spawn = spawn_agents,
        .entities_destroyed = entities_destroyed,
        .hash = hash_agents,
        .destroy = destroy_manager,
    };
}
