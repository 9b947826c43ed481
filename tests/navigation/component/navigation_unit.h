// navigation_unit.h: a world's navigation with entities that have transforms and agents, without a world.
#pragma once
#include <stdlib.h>

#include "foundation/math/math.h"
#include "navigation/component/navigation_agent_component.h"
#include "navigation/navigation_fixture.h"
#include "support/test_support.h"

#define UNIT_DT (1.0 / 60)

typedef struct navigation_unit {
    ct_allocator *allocator;
    ct_entity_manager *entities;
    ct_transform_manager *transforms;
    ct_navigation_world *world;
    ct_navigation_agent_manager *agents;
    ct_component_registry registry;
} navigation_unit;

static inline navigation_unit navigation_unit_start(ct_allocator *a, ct_task_manager *tasks) {
    navigation_unit u = {.allocator = a};
    u.entities = ct_entity_manager_create(a);
    u.transforms = ct_transform_manager_create(a);
    u.world =
        ct_navigation_world_create(&(ct_navigation_world_desc){.allocator = a, .tasks = tasks});
    u.agents = ct_navigation_agent_manager_create(a, u.world, u.transforms);
    return u;
}

static inline void navigation_unit_stop(navigation_unit *u) {
    ct_navigation_agent_manager_destroy(u->agents);
    ct_navigation_world_destroy(u->world);
    ct_transform_manager_destroy(u->transforms);
    ct_entity_manager_destroy(u->entities);
}

static inline ct_navigation_instance
navigation_unit_add(const navigation_unit *u, const ct_navigation_resource *r, ct_mat4 pose) {
    ct_error error = {0};
    const ct_navigation_instance_desc desc = {.resource = r, .name = {7}, .pose = pose};
    const ct_navigation_instance i = ct_navigation_world_add(u->world, &desc, &error);
    if (!i.id)
        fail_msg("%s", error.message);
    return i;
}

static inline ct_entity navigation_unit_entity(const navigation_unit *u, float x, float y,
                                               float z) {
    ct_entity e;
    ct_entity_create(u->entities, &e, 1);
    ct_transform_create(u->transforms, e, ct_vec3_make(x, y, z), ct_quat_identity(),
                        ct_vec3_make(1, 1, 1));
    return e;
}

static inline ct_navigation_agent_data navigation_unit_data(void) {
    ct_navigation_agent_data data;
    ct_schema_defaults(&ct_navigation_agent_schema, &data);
    data.class_name = ct_string_id32_of("walker");
    return data;
}

// An entity with an agent.
static inline ct_entity navigation_unit_walker(const navigation_unit *u,
                                               const ct_navigation_agent_data *data, float x,
                                               float y) {
    const ct_entity e = navigation_unit_entity(u, x, y, 0);
    ct_navigation_agent_create(u->agents, e, data);
    return e;
}

static inline void navigation_unit_send(const navigation_unit *u, ct_entity e, float x, float y) {
    const ct_vec3 goal = ct_vec3_make(x, y, 0);
    ct_navigation_agent_move_to(u->agents, &e, &goal, 1);
}

static inline void navigation_unit_step(const navigation_unit *u, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        ct_navigation_agent_before_step(u->agents, UNIT_DT);
        ct_navigation_world_step(u->world, UNIT_DT);
        ct_navigation_agent_after_step(u->agents, UNIT_DT);
    }
}

static inline ct_navigation_agent_status navigation_unit_status(const navigation_unit *u,
                                                                ct_entity e) {
    ct_navigation_agent_status status;
    assert_true(ct_navigation_agent_status_of(u->agents, e, &status));
    return status;
}

// Steps until it is in a state, at most `count` times. Returns how often it did.
static inline uint32_t navigation_unit_until(const navigation_unit *u, ct_entity e, uint32_t state,
                                             uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        navigation_unit_step(u, 1);
        if (navigation_unit_status(u, e).state == state)
            return i + 1;
    }
    fail_msg("state %u after %u steps; expected %u", navigation_unit_status(u, e).state, count,
             state);
    return 0;
}

static inline ct_transform navigation_unit_transform(const navigation_unit *u, ct_entity e) {
    return ct_transform_lookup(u->transforms, e);
}

static inline ct_vec3 navigation_unit_at(const navigation_unit *u, ct_entity e) {
    return ct_mat4_position(*ct_transform_world(u->transforms, navigation_unit_transform(u, e)));
}

static inline void navigation_unit_put(const navigation_unit *u, ct_entity e, float x, float y,
                                       float z) {
    ct_transform_set_local_position(u->transforms, navigation_unit_transform(u, e),
                                    ct_vec3_make(x, y, z));
}
