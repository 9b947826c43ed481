// navigation_agent_private.h: the data of agents of entities, shared by the files of this folder.
#pragma once
#include "entity/instance_table.h"
#include "foundation/container/array.h"
#include "navigation/component/navigation_agent_component.h"

typedef CT_ARRAY(ct_navigation_agent_event) ct_navigation_agent_event_array;

// Poses to set, all at once.
typedef struct ct_navigation_poses {
    CT_ARRAY(ct_transform) transforms;
    CT_ARRAY(ct_vec3) positions, scales;
    CT_ARRAY(ct_quat) rotations;
} ct_navigation_poses;

struct ct_navigation_agent_manager {
    ct_instance_table table;
    ct_navigation_agent_data *data;
    ct_navigation_instance *instances; // {0}: waits for one
    ct_navigation_agent *agents;       // of that instance
    ct_vec3 *goals;                    // in the space of the world
    uint8_t *has_goals;
    uint8_t *looks;   // whether it looks for an instance in the next step
    ct_vec3 *left_at; // where the entity was when the agent last heard of it, or moved it
    ct_vec3 *positions, *velocities; // after the last step
    uint8_t *states;
    float *falls;
    uint32_t num_looking; // at least as many as look
    uint32_t changes;     // of the navigation world, as seen last

    ct_allocator *allocator;
    ct_navigation_world *navigation;
    ct_transform_manager *transforms;
    void (*describe)(void *user, ct_entity e, char *text, uint32_t size_bytes);
    void *describe_user;
    ct_navigation_agent_event_array events, taken;
    uint32_t first_event; // of the last step
    ct_navigation_poses poses;
    // Agents of one instance, in a row, and where they are.
    CT_ARRAY(ct_navigation_agent) moved_agents;
    CT_ARRAY(ct_vec3) moved_positions;
};

// Where an entity is in the world; false: it has no transform, or its numbers are not finite.
bool ct_navigation_entity_position(const ct_navigation_agent_manager *m, ct_entity e,
                                   ct_vec3 *position);

// Has an agent look for an instance in the next step.
void ct_navigation_agent_look(ct_navigation_agent_manager *m, uint32_t slot);
// Takes an agent out of its instance; its goal is kept. One that waits is fine.
void ct_navigation_agent_detach(ct_navigation_agent_manager *m, uint32_t slot);
