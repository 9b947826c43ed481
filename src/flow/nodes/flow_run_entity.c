// Nodes of Entity.
#include "flow/nodes/flow_functions.h"
#include "flow/nodes/flow_parts.h"
#include "foundation/error.h"
#include "foundation/math/math.h"

static bool node_of(ct_flow_call *c, ct_world_node *node) {
    ct_world *w;
    ct_entity e;
    if (!ct_flow_unit_of(c, 0, &w, &e))
        return false;
    *node = ct_world_node_of(w, e, 0);
    return true;
}

// --- Poses ---------------------------------------------------------------------------------------

static uint32_t get_local_position(ct_flow_call *c, uint32_t event) {
    (void)event;
    ct_world_node node;
    if (node_of(c, &node))
        ct_flow_set_vector3(c, 0, ct_world_node_local_position(node));
    return CT_FLOW_STOP;
}

static uint32_t get_local_rotation(ct_flow_call *c, uint32_t event) {
    (void)event;
    ct_world_node node;
    if (node_of(c, &node))
        ct_flow_set_quaternion(c, 0, ct_world_node_local_rotation(node));
    return CT_FLOW_STOP;
}

static uint32_t get_world_position(ct_flow_call *c, uint32_t event) {
    (void)event;
    ct_world_node node;
    if (node_of(c, &node))
        ct_flow_set_vector3(c, 0, ct_mat4_position(ct_world_node_world(node)));
    return CT_FLOW_STOP;
}

static uint32_t get_world_rotation(ct_flow_call *c, uint32_t event) {
    (void)event;
    ct_world_node node;
    if (node_of(c, &node))
        ct_flow_set_quaternion(c, 0, ct_flow_rotation_of(ct_world_node_world(node)));
    return CT_FLOW_STOP;
}

static uint32_t set_local_position(ct_flow_call *c, uint32_t event) {
    ct_world_node node;
    ct_vec3 position;
    if (node_of(c, &node) && ct_flow_finite_vector3(c, 1, &position))
        ct_world_node_set_local_position(node, position);
    return event;
}

static uint32_t set_local_rotation(ct_flow_call *c, uint32_t event) {
    ct_world_node node;
    ct_quat rotation;
    if (node_of(c, &node) && ct_flow_rotation(c, 1, &rotation))
        ct_world_node_set_local_rotation(node, rotation);
    return event;
}

// Gives the entity a pose in the world.
static void set_world(ct_flow_call *c, ct_world_node node, ct_vec3 position, ct_quat rotation,
                      ct_vec3 scale) {
    const ct_mat4 pose = ct_mat4_compose(position, rotation, scale);
    if (!ct_transform_set_world_pose(node.transforms, node.transform, &pose))
        ct_flow_error(c, "the entity follows one of size 0: it cannot be placed in the world");
}

static uint32_t set_world_position(ct_flow_call *c, uint32_t event) {
    ct_world_node node;
    ct_vec3 position, old, scale;
    ct_quat rotation;
    if (!node_of(c, &node) || !ct_flow_finite_vector3(c, 1, &position))
        return event;
    const ct_mat4 pose = ct_world_node_world(node);
    ct_mat4_decompose(&pose, &old, &rotation, &scale);
    set_world(c, node, position, rotation, scale);
    return event;
}

static uint32_t set_world_rotation(ct_flow_call *c, uint32_t event) {
    ct_world_node node;
    ct_vec3 position, scale;
    ct_quat rotation, old;
    if (!node_of(c, &node) || !ct_flow_rotation(c, 1, &rotation))
        return event;
    const ct_mat4 pose = ct_world_node_world(node);
    ct_mat4_decompose(&pose, &position, &old, &scale);
    set_world(c, node, position, rotation, scale);
    return event;
}

// --- Units ---------------------------------------------------------------------------------------

static uint32_t get_unit(ct_flow_call *c, uint32_t event) {
    (void)event;
    ct_world *w;
    ct_entity e;
    if (ct_flow_unit_of(c, 0, &w, &e))
        ct_flow_set_object(c, 0, ct_flow_object_of(ct_world_unit_of(w, e), 0));
    return CT_FLOW_STOP;
}

enum { SPAWN, UNSPAWN }; // events in and out

static uint32_t spawn(ct_flow_call *c, uint32_t event) {
    ct_world *const w = ct_flow_call_world(c);
    ct_entity unit = {(uint32_t)ct_flow_output(c, 0)->object.entity};
    ct_error error = {0};
    if (event == UNSPAWN) {
        ct_flow_set_object(c, 0, (ct_flow_object){0});
        ct_world_destroy_units(w, &unit, 1);
        return UNSPAWN;
    }
    if (!ct_flow_may_spawn(c))
        return CT_FLOW_STOP;
    if (!ct_world_spawn_units(w, ct_flow_text(c, 0), NULL, NULL, NULL, 1, &unit, &error)) {
        ct_flow_error(c, "%s", error.message);
        return CT_FLOW_STOP;
    }
    ct_flow_set_object(c, 0, ct_flow_object_of(unit, 0));
    return SPAWN;
}

static const ct_flow_function_row rows[] = {
    {"get_entity_local_position", get_local_position},
    {"get_entity_local_rotation", get_local_rotation},
    {"get_entity_unit", get_unit},
    {"get_entity_world_position", get_world_position},
    {"get_entity_world_rotation", get_world_rotation},
    {"set_entity_local_position", set_local_position},
    {"set_entity_local_rotation", set_local_rotation},
    {"set_entity_world_position", set_world_position},
    {"set_entity_world_rotation", set_world_rotation},
    {"spawn_entity", spawn},
};

const ct_flow_functions ct_flow_run_entity = {rows, CT_COUNT_OF(rows)};
