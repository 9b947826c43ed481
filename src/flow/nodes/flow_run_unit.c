// Nodes of units: poses, what units are, spawning.
#include <math.h>
#include <stdio.h>

#include "flow/nodes/flow_functions.h"
#include "flow/nodes/flow_parts.h"
#include "foundation/error.h"
#include "foundation/math/math.h"
#include "render/component/camera_component.h"
#include "render/component/light_component.h"
#include "render/component/mesh_component.h"

// --- What units are ------------------------------------------------------------------------------

static uint32_t is_alive(ct_flow_call *c, uint32_t event) {
    (void)event;
    const ct_entity unit = {(uint32_t)ct_flow_object_at(c, 0).entity};
    const ct_world *const w = ct_flow_call_world(c);
    ct_flow_set_bool(c, 0, ct_transform_lookup(ct_world_transforms(w), unit).index != 0);
    return CT_FLOW_STOP;
}

static uint32_t is_of_type(ct_flow_call *c, uint32_t event) {
    (void)event;
    ct_world *w;
    ct_entity unit;
    if (ct_flow_unit_of(c, 0, &w, &unit))
        ct_flow_set_bool(c, 0, ct_world_unit_resource(w, unit).value == ct_flow_id(c, 1));
    return CT_FLOW_STOP;
}

static uint32_t get_level_name(ct_flow_call *c, uint32_t event) {
    (void)event;
    ct_world *w;
    ct_entity unit;
    uint32_t place;
    if (ct_flow_unit_of(c, 0, &w, &unit)) {
        const ct_level level = ct_world_find_level_unit(w, unit, &place);
        ct_flow_set_id(c, 0, level.id ? ct_level_resource_id(w, level).value : 0);
    }
    return CT_FLOW_STOP;
}

// --- Parts ---------------------------------------------------------------------------------------

static uint32_t get_camera(ct_flow_call *c, uint32_t event) {
    (void)event;
    ct_world *w;
    ct_entity unit;
    if (!ct_flow_unit_of(c, 0, &w, &unit))
        return CT_FLOW_STOP;
    ct_camera_manager *const m = ct_world_cameras(w);
    const char *const name = ct_flow_text(c, 1);
    const uint32_t id = ct_string_id32_of(name).value;
    for (ct_camera_instance i = ct_camera_first(m, unit); i.index; i = ct_camera_next(m, i)) {
        if (!name[0] || ct_camera_data_of(m, i)->name.value == id) {
            ct_flow_set_object(c, 0, ct_flow_object_of(unit, ct_camera_number(m, i)));
            return CT_FLOW_STOP;
        }
    }
    ct_flow_error(c, "the unit has no camera \"%.64s\"", name);
    return CT_FLOW_STOP;
}

static uint32_t get_light(ct_flow_call *c, uint32_t event) {
    (void)event;
    ct_world *w;
    ct_entity unit;
    if (!ct_flow_unit_of(c, 0, &w, &unit))
        return CT_FLOW_STOP;
    const ct_light_manager *const m = ct_world_lights(w);
    const char *const name = ct_flow_text(c, 1);
    const uint32_t id = ct_string_id32_of(name).value;
    for (ct_light_instance i = ct_light_first(m, unit); i.index; i = ct_light_next(m, i)) {
        if (!name[0] || ct_light_data_of(m, i)->name.value == id) {
            ct_flow_set_object(c, 0, ct_flow_object_of(unit, ct_light_number(m, i)));
            return CT_FLOW_STOP;
        }
    }
    ct_flow_error(c, "the unit has no light \"%.64s\"", name);
    return CT_FLOW_STOP;
}

static uint32_t set_visibility(ct_flow_call *c, uint32_t event) {
    ct_world *w;
    ct_entity unit;
    if (!ct_flow_unit_of(c, 0, &w, &unit))
        return event;
    ct_mesh_manager *const m = ct_world_meshes(w);
    for (ct_mesh_instance i = ct_mesh_first(m, unit); i.index; i = ct_mesh_next(m, i))
        ct_mesh_set_visible(m, i, ct_flow_bool(c, 1));
    return event;
}

// --- Poses ---------------------------------------------------------------------------------------

static uint32_t get_local_position(ct_flow_call *c, uint32_t event) {
    (void)event;
    ct_world_node node;
    if (ct_flow_unit_node(c, 0, 1, &node))
        ct_flow_set_vector3(c, 0, ct_world_node_local_position(node));
    return CT_FLOW_STOP;
}

static uint32_t get_local_rotation(ct_flow_call *c, uint32_t event) {
    (void)event;
    ct_world_node node;
    if (ct_flow_unit_node(c, 0, 1, &node))
        ct_flow_set_quaternion(c, 0, ct_world_node_local_rotation(node));
    return CT_FLOW_STOP;
}

static uint32_t get_local_scale(ct_flow_call *c, uint32_t event) {
    (void)event;
    ct_world_node node;
    if (ct_flow_unit_node(c, 0, 1, &node))
        ct_flow_set_vector3(c, 0, ct_world_node_local_scale(node));
    return CT_FLOW_STOP;
}

static uint32_t get_world_position(ct_flow_call *c, uint32_t event) {
    (void)event;
    ct_world_node node;
    if (ct_flow_unit_node(c, 0, 1, &node))
        ct_flow_set_vector3(c, 0, ct_mat4_position(ct_world_node_world(node)));
    return CT_FLOW_STOP;
}

static uint32_t get_world_rotation(ct_flow_call *c, uint32_t event) {
    (void)event;
    ct_world_node node;
    if (ct_flow_unit_node(c, 0, 1, &node))
        ct_flow_set_quaternion(c, 0, ct_flow_rotation_of(ct_world_node_world(node)));
    return CT_FLOW_STOP;
}

// Lets the unit of an input jump when another input says so.
static void jump(ct_flow_call *c, uint32_t unit, uint32_t teleport) {
    if (ct_flow_bool(c, teleport))
        ct_world_jump(ct_flow_call_world(c),
                      (ct_entity){(uint32_t)ct_flow_object_at(c, unit).entity});
}

static uint32_t move(ct_flow_call *c, uint32_t event) {
    ct_world_node node;
    ct_vec3 delta;
    if (!ct_flow_unit_node(c, 0, 1, &node) || !ct_flow_moved_by(c, 2, &delta))
        return event;
    ct_world_node_set_local_position(node, ct_vec3_add(ct_world_node_local_position(node), delta));
    jump(c, 0, 4);
    return event;
}

// Returns the rotation by an angular velocity in a time.
static ct_quat turn(ct_vec3 velocity, float seconds) {
    const float angle = ct_vec3_length(velocity) * seconds;
    if (!(fabsf(angle) > 1e-12f))
        return ct_quat_identity();
    const float s = sinf(angle / 2) / ct_vec3_length(velocity);
    return (ct_quat){{velocity.x * s, velocity.y * s, velocity.z * s, cosf(angle / 2)}};
}

static uint32_t rotate(ct_flow_call *c, uint32_t event) {
    ct_world_node node;
    ct_quat delta;
    ct_vec3 velocity;
    if (!ct_flow_unit_node(c, 0, 1, &node) || !ct_flow_rotation(c, 2, &delta) ||
        !ct_flow_finite_vector3(c, 3, &velocity))
        return event;
    const float dt = (float)ct_world_delta_time(ct_flow_call_world(c));
    const ct_quat by = ct_quat_mul(turn(velocity, dt), delta);
    const ct_quat turned = ct_quat_mul(by, ct_world_node_local_rotation(node));
    ct_world_node_set_local_rotation(node, ct_quat_normalize(turned));
    jump(c, 0, 4);
    return event;
}

static uint32_t set_local_position(ct_flow_call *c, uint32_t event) {
    ct_world_node node;
    ct_vec3 position;
    if (!ct_flow_unit_node(c, 0, 2, &node) || !ct_flow_finite_vector3(c, 1, &position))
        return event;
    ct_world_node_set_local_position(node, position);
    jump(c, 0, 3);
    return event;
}

static uint32_t set_local_rotation(ct_flow_call *c, uint32_t event) {
    ct_world_node node;
    ct_quat rotation;
    if (!ct_flow_unit_node(c, 3, 1, &node) || !ct_flow_rotation(c, 0, &rotation))
        return event;
    ct_world_node_set_local_rotation(node, rotation);
    jump(c, 3, 2);
    return event;
}

static uint32_t set_local_scale(ct_flow_call *c, uint32_t event) {
    ct_world_node node;
    ct_vec3 scale;
    if (!ct_flow_unit_node(c, 0, 2, &node) || !ct_flow_finite_vector3(c, 1, &scale))
        return event;
    ct_world_node_set_local_scale(node, scale);
    jump(c, 0, 3);
    return event;
}

// --- Spawning ------------------------------------------------------------------------------------

enum { SPAWN, UNSPAWN }; // events in and out

static uint32_t unspawn_last(ct_flow_call *c) {
    const ct_entity unit = {(uint32_t)ct_flow_output(c, 0)->object.entity};
    ct_flow_set_object(c, 0, (ct_flow_object){0});
    ct_world_destroy_units(ct_flow_call_world(c), &unit, 1);
    return UNSPAWN;
}

static uint32_t spawn(ct_flow_call *c, ct_vec3 position, ct_quat rotation) {
    ct_world *const w = ct_flow_call_world(c);
    ct_entity unit;
    ct_error error = {0};
    if (!ct_flow_may_spawn(c))
        return CT_FLOW_STOP;
    if (!ct_world_spawn_units(w, ct_flow_text(c, 0), &position, &rotation, NULL, 1, &unit,
                              &error)) {
        ct_flow_error(c, "%s", error.message);
        return CT_FLOW_STOP;
    }
    ct_flow_set_object(c, 0, ct_flow_object_of(unit, 0));
    return SPAWN;
}

static uint32_t spawn_on_position(ct_flow_call *c, uint32_t event) {
    ct_vec3 position;
    ct_quat rotation;
    if (event == UNSPAWN)
        return unspawn_last(c);
    if (!ct_flow_finite_vector3(c, 1, &position) || !ct_flow_rotation(c, 2, &rotation))
        return CT_FLOW_STOP;
    return spawn(c, position, rotation);
}

static uint32_t spawn_on_marker(ct_flow_call *c, uint32_t event) {
    ct_vec3 position;
    ct_quat rotation;
    if (event == UNSPAWN)
        return unspawn_last(c);
    return ct_flow_marker(c, 1, &position, &rotation) ? spawn(c, position, rotation) : CT_FLOW_STOP;
}

static uint32_t unspawn(ct_flow_call *c, uint32_t event) {
    ct_world *w;
    ct_entity unit;
    if (ct_flow_unit_of(c, 0, &w, &unit))
        ct_world_destroy_units(w, &unit, 1);
    return event;
}

static const ct_flow_function_row rows[] = {
    {"get_unit_camera", get_camera},
    {"get_unit_level_name", get_level_name},
    {"get_unit_light", get_light},
    {"get_unit_local_position", get_local_position},
    {"get_unit_local_rotation", get_local_rotation},
    {"get_unit_local_scale", get_local_scale},
    {"get_unit_world_position", get_world_position},
    {"get_unit_world_rotation", get_world_rotation},
    {"move_unit", move},
    {"rotate_unit", rotate},
    {"set_unit_local_position", set_local_position},
    {"set_unit_local_rotation", set_local_rotation},
    {"set_unit_local_scale", set_local_scale},
    {"set_unit_visibility", set_visibility},
    {"spawn_unit_on_marker", spawn_on_marker},
    {"spawn_unit_on_position", spawn_on_position},
    {"unit_is_alive", is_alive},
    {"unit_is_of_type", is_of_type},
    {"unspawn_unit", unspawn},
};

const ct_flow_functions ct_flow_run_unit = {rows, CT_COUNT_OF(rows)};
