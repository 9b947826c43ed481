#include "script/api_pose.h"

ct_script_pose ct_check_transform(lua_State *L, int argument, const ct_world *world, ct_entity e) {
    ct_transform_manager *const m = ct_world_transforms(world);
    const ct_script_pose p = {m, ct_transform_lookup(m, e)};
    if (__builtin_expect(!p.transform.index, 0))
        ct_argument_error(L, argument, "expected a %s with a transform, got one that has none",
                          ct_value_type_name(L, argument));
    return p;
}

int ct_push_local_position(lua_State *L, ct_script_pose p) {
    ct_push_vector3(L, ct_transform_local_position(p.transforms, p.transform));
    return 1;
}

int ct_push_local_rotation(lua_State *L, ct_script_pose p) {
    ct_push_quaternion(L, ct_transform_local_rotation(p.transforms, p.transform));
    return 1;
}

int ct_push_local_scale(lua_State *L, ct_script_pose p) {
    ct_push_vector3(L, ct_transform_local_scale(p.transforms, p.transform));
    return 1;
}

int ct_push_local_pose(lua_State *L, ct_script_pose p) {
    const ct_mat4 m = ct_mat4_compose(ct_transform_local_position(p.transforms, p.transform),
                                      ct_transform_local_rotation(p.transforms, p.transform),
                                      ct_transform_local_scale(p.transforms, p.transform));
    ct_push_matrix4x4(L, &m);
    return 1;
}

int ct_push_world_position(lua_State *L, ct_script_pose p) {
    ct_push_vector3(L, ct_mat4_position(*ct_transform_world(p.transforms, p.transform)));
    return 1;
}

int ct_push_world_rotation(lua_State *L, ct_script_pose p) {
    ct_vec3 position, scale;
    ct_quat rotation;
    ct_mat4_decompose(ct_transform_world(p.transforms, p.transform), &position, &rotation, &scale);
    ct_push_quaternion(L, rotation);
    return 1;
}

int ct_push_world_scale(lua_State *L, ct_script_pose p) {
    ct_vec3 position, scale;
    ct_quat rotation;
    ct_mat4_decompose(ct_transform_world(p.transforms, p.transform), &position, &rotation, &scale);
    ct_push_vector3(L, scale);
    return 1;
}

int ct_push_world_pose(lua_State *L, ct_script_pose p) {
    ct_push_matrix4x4(L, ct_transform_world(p.transforms, p.transform));
    return 1;
}

int ct_take_local_position(lua_State *L, ct_script_pose p, int argument) {
    ct_transform_set_local_position(p.transforms, p.transform,
                                    ct_check_finite_vector3(L, argument));
    return 0;
}

int ct_take_local_rotation(lua_State *L, ct_script_pose p, int argument) {
    ct_transform_set_local_rotation(p.transforms, p.transform,
                                    ct_check_finite_quaternion(L, argument));
    return 0;
}

int ct_take_local_scale(lua_State *L, ct_script_pose p, int argument) {
    ct_transform_set_local_scale(p.transforms, p.transform, ct_check_finite_vector3(L, argument));
    return 0;
}

int ct_take_local_pose(lua_State *L, ct_script_pose p, int argument) {
    ct_vec3 position, scale;
    ct_quat rotation;
    ct_check_pose(L, argument, &position, &rotation, &scale);
    ct_transform_set_local_pose(p.transforms, p.transform, position, rotation, scale);
    return 0;
}
