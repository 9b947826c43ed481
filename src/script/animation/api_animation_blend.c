#include "foundation/math/math.h"
#include "lua/lua_array.h"
#include "script/animation/api_animation.h"
#include "script/world/api_pose.h"

enum { MAX_SECONDS = 1000000 };

static const double most_speed = 1e6;

// In the order of ct_animation_root_mode.
static const char *const root_modes[CT_ANIMATION_ROOT_MODE_COUNT + 1] = {
    "ignore", "delta_position", "delta_rotation", "delta_pose", NULL};

// In the order of ct_animation_bone_mode.
static const char *const bone_modes[CT_ANIMATION_BONE_MODE_COUNT + 1] = {
    "ignore", "position", "rotation", "pose", "transform", NULL};

static const char *const blend_types[] = {"normal", "offset", NULL};

// --- Single clips --------------------------------------------------------------------------------

static double optional_number_in(lua_State *L, int argument, double least, double most,
                                 double otherwise) {
    return lua_isnoneornil(L, argument) ? otherwise : ct_check_number_in(L, argument, least, most);
}

int ct_character_crossfade(lua_State *L) {
    const ct_script_character c = ct_called_character(L);
    const int a = c.argument + 1;
    const ct_string_id64 clip = ct_string_id64_register(ct_check_resource(L, a, "animation", NULL));
    uint32_t layer = 1;
    if (!lua_isnoneornil(L, a + 1))
        layer = (uint32_t)ct_check_integer(L, a + 1, 1, CT_STATE_MACHINE_MAX_LAYERS);
    const double blend_time = optional_number_in(L, a + 2, 0, MAX_SECONDS, 0);
    const bool loops = !lua_isnoneornil(L, a + 3) && ct_check_boolean(L, a + 3);
    const bool takes_blend_type = c.argument == 1; // the function of Unit
    const bool offsets = takes_blend_type && !lua_isnoneornil(L, a + 4) &&
                         ct_check_name_of(L, a + 4, blend_types) == 1;
    uint32_t id;
    ct_error error;
    if (!ct_animation_crossfade(c.manager, c.instance, clip, layer - 1, (float)blend_time, loops,
                                offsets, &id, &error))
        return ct_function_error(L, "%s", error.message);
    lua_pushnumber(L, id);
    return 1;
}

int ct_character_is_crossfading(lua_State *L) {
    const ct_script_character c = ct_called_character(L);
    lua_pushboolean(L, ct_animation_is_crossfading(c.manager, c.instance));
    return 1;
}

static uint32_t check_crossfade(lua_State *L, ct_script_character c) {
    return (uint32_t)ct_check_integer(L, c.argument + 1, 0, UINT32_MAX);
}

int ct_character_set_crossfade_speed(lua_State *L) {
    const ct_script_character c = ct_called_character(L);
    const uint32_t id = check_crossfade(L, c);
    const float speed = (float)ct_check_number_in(L, c.argument + 2, -most_speed, most_speed);
    lua_pushboolean(L, ct_animation_set_crossfade_speed(c.manager, c.instance, id, speed));
    return 1;
}

int ct_character_set_crossfade_time(lua_State *L) {
    const ct_script_character c = ct_called_character(L);
    const uint32_t id = check_crossfade(L, c);
    const float time = (float)ct_check_number_in(L, c.argument + 2, -MAX_SECONDS, MAX_SECONDS);
    lua_pushboolean(L, ct_animation_set_crossfade_time(c.manager, c.instance, id, time));
    return 1;
}

int ct_unit_animation_get_length(lua_State *L) {
    const void *clip;
    ct_check_resource(L, 1, "animation", &clip);
    lua_pushnumber(L, (lua_Number)ct_animation_length(clip));
    return 1;
}

int ct_unit_has_animation_blender(lua_State *L) {
    ct_world *world;
    const ct_entity e = ct_check_unit(L, 1, &world);
    lua_pushboolean(L, ct_find_character(world, e).index != 0);
    return 1;
}

int ct_unit_animation_get_curve_value(lua_State *L) {
    const ct_script_character c = ct_check_character(L, 1);
    const ct_string_id32 object = ct_check_id32(L, 2), parameter = ct_check_id32(L, 3);
    if (!lua_isnoneornil(L, 4))
        ct_check_integer(L, 4, 1, 1);
    float value = 0;
    const bool has_value =
        ct_animation_curve_value(c.manager, c.instance, object, parameter, &value);
    lua_pushboolean(L, has_value);
    lua_pushnumber(L, (lua_Number)value);
    return 2;
}

// --- Modes ---------------------------------------------------------------------------------------

int ct_character_root_mode(lua_State *L) {
    const ct_script_character c = ct_called_character(L);
    lua_pushstring(L, root_modes[ct_animation_root_mode_of(c.manager, c.instance)]);
    return 1;
}

int ct_character_set_root_mode(lua_State *L) {
    const ct_script_character c = ct_called_character(L);
    const uint32_t mode = ct_check_name_of(L, c.argument + 1, root_modes);
    ct_animation_set_root_mode(c.manager, c.instance, (ct_animation_root_mode)mode);
    return 0;
}

int ct_character_bone_mode(lua_State *L) {
    const ct_script_character c = ct_called_character(L);
    lua_pushstring(L, bone_modes[ct_animation_bone_mode_of(c.manager, c.instance)]);
    return 1;
}

int ct_character_set_bone_mode(lua_State *L) {
    const ct_script_character c = ct_called_character(L);
    const uint32_t mode = ct_check_name_of(L, c.argument + 1, bone_modes);
    ct_animation_set_bone_mode(c.manager, c.instance, (ct_animation_bone_mode)mode);
    return 0;
}

int ct_character_set_bones_lod(lua_State *L) {
    const ct_script_character c = ct_called_character(L);
    const int64_t count = ct_check_integer(L, c.argument + 1, 0, CT_SKELETON_MAX_JOINTS);
    ct_animation_set_num_joints(c.manager, c.instance, (uint32_t)count);
    return 0;
}

// --- Root motion ---------------------------------------------------------------------------------

static ct_quat heading_of(const ct_animation_root_pose *p) {
    return ct_quat_axis_angle(ct_vec3_make(0, 0, 1), p->heading);
}

static ct_vec3 move_of(const ct_animation_root_pose *p) {
    return ct_vec3_make(p->position[0], p->position[1], p->position[2]);
}

int ct_character_root_delta(lua_State *L) {
    const ct_script_character c = ct_called_character(L);
    const ct_animation_root_pose p = ct_animation_root_delta(c.manager, c.instance);
    const ct_mat4 delta = ct_mat4_compose(move_of(&p), heading_of(&p), ct_vec3_make(1, 1, 1));
    ct_push_matrix4x4(L, &delta);
    return 1;
}

// The parts of the root's motion that the root mode has not applied yet, on top of the local pose.
int ct_unit_animation_wanted_root_pose(lua_State *L) {
    const ct_script_character c = ct_check_character(L, 1);
    const ct_script_pose t = ct_check_transform(L, 1, c.world, c.entity);
    const ct_animation_root_pose p = ct_animation_root_delta(c.manager, c.instance);
    const ct_animation_root_mode mode = ct_animation_root_mode_of(c.manager, c.instance);
    const bool has_moved =
        mode == CT_ANIMATION_ROOT_MODE_DELTA_POSITION || mode == CT_ANIMATION_ROOT_MODE_DELTA_POSE;
    const bool has_turned =
        mode == CT_ANIMATION_ROOT_MODE_DELTA_ROTATION || mode == CT_ANIMATION_ROOT_MODE_DELTA_POSE;
    const ct_quat heading = heading_of(&p);
    const ct_vec3 scale = ct_transform_local_scale(t.transforms, t.transform);
    ct_vec3 position = ct_transform_local_position(t.transforms, t.transform);
    ct_quat rotation = ct_transform_local_rotation(t.transforms, t.transform);
    if (has_turned)
        rotation = ct_quat_mul(rotation, ct_quat_conjugate(heading)); // that it had before
    if (!has_moved) {
        const ct_mat4 before = ct_mat4_compose(position, rotation, scale);
        position = ct_mat4_transform_point(before, move_of(&p));
    }
    const ct_mat4 wanted =
        ct_mat4_compose(position, ct_quat_unit(ct_quat_mul(rotation, heading)), scale);
    ct_push_matrix4x4(L, &wanted);
    return 1;
}

// --- Joints --------------------------------------------------------------------------------------

int ct_unit_bones(lua_State *L) {
    const ct_script_character c = ct_check_character(L, 1);
    const ct_animation_skeleton *const s = ct_animation_skeleton_of(c.manager, c.instance);
    if (!s)
        return ct_argument_error(
            L, 1, "the unit's skeleton \"%s\" is not loaded",
            ct_string_id64_name(ct_animation_data_of(c.manager, c.instance).skeleton));
    uint32_t count;
    const ct_skeleton_joint *const joints = ct_skeleton_joints(s->resource, &count);
    lua_createtable(L, (int)count, 0);
    for (uint32_t i = 0; i < count; ++i) {
        const ct_blob_string name = joints[i].name_text;
        lua_pushlstring(L, ct_blob_at(s->resource, name.offset), name.bytes);
        lua_rawseti(L, -2, (int)i + 1);
    }
    return 1;
}
