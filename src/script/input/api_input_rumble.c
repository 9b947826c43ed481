// Motors and lights of input devices; devices without motors say so.
#include <string.h>

#include "foundation/math/math.h"
#include "script/api_check.h"
#include "script/input/api_input_device.h"

static const float LONGEST_SECONDS = 3600.0f;

typedef struct rumble_member {
    const char *name;
    uint32_t offset; // of the float in ct_rumble_effect
    float most;      // from 0 on
} rumble_member;

static const rumble_member members[] = {
    {"frequency", offsetof(ct_rumble_effect, frequency), 1000.0f},
    {"offset", offsetof(ct_rumble_effect, offset), 1.0f},
    {"attack", offsetof(ct_rumble_effect, attack), LONGEST_SECONDS},
    {"attack_level", offsetof(ct_rumble_effect, attack_level), 1.0f},
    {"decay", offsetof(ct_rumble_effect, decay), LONGEST_SECONDS},
    {"sustain", offsetof(ct_rumble_effect, sustain), LONGEST_SECONDS},
    {"sustain_level", offsetof(ct_rumble_effect, sustain_level), 1.0f},
    {"release", offsetof(ct_rumble_effect, release), LONGEST_SECONDS},
};

// The motors of the running module's device, or NULL.
static ct_rumble *rumble_of(lua_State *L) {
    return ct_input_rumble(ct_script_of(L)->input, ct_running_input_device(L));
}

// The same with a motor in argument 1.
static ct_rumble *check_motor(lua_State *L, uint32_t *motor) {
    ct_rumble *const rumble = rumble_of(L);
    if (!rumble)
        ct_function_error(L, "the device has no motors");
    *motor = (uint32_t)ct_check_integer(L, 1, 0, CT_RUMBLE_NUM_MOTORS - 1);
    return rumble;
}

int ct_api_device_num_rumble_motors(lua_State *L) {
    lua_pushnumber(L, rumble_of(L) ? CT_RUMBLE_NUM_MOTORS : 0);
    return 1;
}

int ct_api_device_rumble_motor_id(lua_State *L) {
    const int32_t motor = ct_rumble_motor_id(ct_check_string(L, 1));
    if (motor >= 0 && rumble_of(L))
        lua_pushnumber(L, motor);
    else
        lua_pushnil(L);
    return 1;
}

int ct_api_device_rumble_motor_index(lua_State *L) {
    return ct_api_device_rumble_motor_id(L);
}

int ct_api_device_rumble_motor_name(lua_State *L) {
    uint32_t motor;
    check_motor(L, &motor);
    lua_pushstring(L, ct_rumble_motor_name(motor));
    return 1;
}

int ct_api_device_set_rumble(lua_State *L) {
    uint32_t motor;
    ct_rumble *const rumble = check_motor(L, &motor);
    rumble->levels[motor] = (float)ct_check_number_in(L, 2, 0.0, 1.0);
    return 0;
}

int ct_api_device_set_rumble_enabled(lua_State *L) {
    ct_rumble *const rumble = rumble_of(L);
    const bool is_on = ct_check_boolean(L, 1);
    if (!rumble)
        ct_function_error(L, "the device has no motors");
    rumble->is_off = !is_on;
    return 0;
}

// --- Effects -------------------------------------------------------------------------------------

// `name` is NULL for one with a zero byte.
static const rumble_member *check_member(lua_State *L, const char *name) {
    const char *names[CT_COUNT_OF(members)];
    if (!name)
        ct_argument_error(L, 2, "expected member names without zero bytes");
    for (uint32_t i = 0; i < CT_COUNT_OF(members); ++i) {
        if (strcmp(members[i].name, name) == 0)
            return &members[i];
        names[i] = members[i].name;
    }
    const char *const nearest = ct_nearest_name(name, names, CT_COUNT_OF(names));
    ct_argument_error(L, 2, "an effect has no \"%.64s\"%s%s%s", name,
                      nearest ? ", did you mean \"" : "", nearest ? nearest : "",
                      nearest ? "\"?" : "");
    return NULL;
}

// A table of members that are left out or numbers in their range.
static ct_rumble_effect check_effect(lua_State *L) {
    ct_rumble_effect effect = {.attack_level = 1.0f, .sustain_level = 1.0f, .offset = 0.0f};
    if (!lua_istable(L, 2))
        ct_argument_type_error(L, 2, "table");
    for (lua_pushnil(L); lua_next(L, 2) != 0; lua_pop(L, 1)) {
        if (lua_type(L, -2) != LUA_TSTRING)
            ct_argument_error(L, 2, "expected named members, as { sustain = 0.3 }");
        const rumble_member *const member = check_member(L, ct_lua_name_at(L, -2));
        const double value = lua_type(L, -1) == LUA_TNUMBER ? lua_tonumber(L, -1) : -1.0;
        if (!(value >= 0.0 && value <= (double)member->most))
            ct_argument_error(L, 2, "%s: expected a number from 0 to %g", member->name,
                              (double)member->most);
        *(float *)((char *)&effect + member->offset) = (float)value;
    }
    return effect;
}

int ct_api_device_rumble_effect(lua_State *L) {
    uint32_t motor;
    ct_rumble *const rumble = check_motor(L, &motor);
    const ct_rumble_effect effect = check_effect(L);
    lua_pushnumber(L, ct_rumble_play(rumble, motor, &effect));
    return 1;
}

int ct_api_device_is_rumble_effect_playing(lua_State *L) {
    uint32_t motor;
    const ct_rumble *const rumble = check_motor(L, &motor);
    const uint32_t id = (uint32_t)ct_check_integer(L, 2, 0, INT32_MAX);
    lua_pushboolean(L, ct_rumble_is_playing(rumble, motor, id));
    return 1;
}

int ct_api_device_stop_rumble_effect(lua_State *L) {
    uint32_t motor;
    ct_rumble *const rumble = check_motor(L, &motor);
    ct_rumble_stop(rumble, motor, (uint32_t)ct_check_integer(L, 2, 0, INT32_MAX));
    return 0;
}

int ct_api_device_stop_all_rumble_effects(lua_State *L) {
    uint32_t motor;
    ct_rumble *const rumble = check_motor(L, &motor);
    ct_rumble_stop_all(rumble, motor);
    return 0;
}

// --- Lights --------------------------------------------------------------------------------------

int ct_api_device_set_light_bar_color(lua_State *L) {
    const ct_vec4 color = ct_check_finite_vector4(L, 1);
    ct_input_set_light(ct_script_of(L)->input, ct_running_input_device(L),
                       ct_vec3_make(color.x, color.y, color.z));
    return 0;
}
