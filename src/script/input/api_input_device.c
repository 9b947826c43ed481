#include "script/input/api_input_device.h"

#include "script/api_check.h"

extern const ct_lua_module ct_api_keyboard, ct_api_mouse, ct_api_pad1, ct_api_pad2, ct_api_pad3,
    ct_api_pad4;

static const ct_lua_module *const device_modules[] = {
    [CT_INPUT_DEVICE_KEYBOARD] = &ct_api_keyboard, [CT_INPUT_DEVICE_MOUSE] = &ct_api_mouse,
    [CT_INPUT_DEVICE_PAD_1] = &ct_api_pad1,        [CT_INPUT_DEVICE_PAD_2] = &ct_api_pad2,
    [CT_INPUT_DEVICE_PAD_3] = &ct_api_pad3,        [CT_INPUT_DEVICE_PAD_4] = &ct_api_pad4,
};

const ct_lua_constant ct_input_device_constants[CT_NUM_INPUT_DEVICE_CONSTANTS] = {
    {"RAW", CT_DEAD_ZONE_MODE_RAW, "A dead zone that has no effect."},
    {"INDEPENDENT", CT_DEAD_ZONE_MODE_INDEPENDENT, "A dead zone for each component of an axis."},
    {"CIRCULAR", CT_DEAD_ZONE_MODE_CIRCULAR, "A dead zone by the length of an axis's vector."},
};

ct_input_device ct_running_input_device(lua_State *L) {
    const ct_lua_module *module = NULL;
    uint32_t function;
    if (ct_lua_running_function(L, &module, &function)) {
        for (uint32_t i = 0; i < CT_COUNT_OF(device_modules); ++i) {
            if (device_modules[i] == module)
                return (ct_input_device)i;
        }
    }
    return CT_INPUT_DEVICE_KEYBOARD;
}

static const ct_input *input_of(lua_State *L) {
    return ct_script_of(L)->input;
}

static uint32_t check_button(lua_State *L, ct_input_device device) {
    return (uint32_t)ct_check_integer(L, 1, 0, (int64_t)ct_input_num_buttons(device) - 1);
}

static uint32_t check_axis(lua_State *L, ct_input_device device) {
    const uint32_t count = ct_input_num_axes(device);
    if (count == 0)
        ct_function_error(L, "the device has no axes");
    return (uint32_t)ct_check_integer(L, 1, 0, (int64_t)count - 1);
}

static ct_dead_zone check_dead_zone(lua_State *L) {
    const int64_t mode = ct_check_integer(L, 2, 0, CT_NUM_DEAD_ZONE_MODES - 1);
    const double size = mode == CT_DEAD_ZONE_MODE_RAW && lua_isnoneornil(L, 3)
                            ? 0.0
                            : ct_check_number_in(L, 3, 0.0, 0.99);
    return (ct_dead_zone){(ct_dead_zone_mode)mode, (float)size};
}

// --- State ---------------------------------------------------------------------------------------

int ct_api_device_axis(lua_State *L) {
    const ct_input_device device = ct_running_input_device(L);
    const uint32_t axis = check_axis(L, device);
    const ct_dead_zone zone =
        lua_isnoneornil(L, 2) ? ct_input_dead_zone(input_of(L), device, axis) : check_dead_zone(L);
    ct_push_vector3(L, ct_input_axis_with(input_of(L), device, axis, zone));
    return 1;
}

int ct_api_device_button(lua_State *L) {
    const ct_input_device device = ct_running_input_device(L);
    lua_pushnumber(L, (double)ct_input_value(input_of(L), device, check_button(L, device)));
    return 1;
}

int ct_api_device_pressed(lua_State *L) {
    const ct_input_device device = ct_running_input_device(L);
    lua_pushboolean(L, ct_input_pressed(input_of(L), device, check_button(L, device)));
    return 1;
}

int ct_api_device_released(lua_State *L) {
    const ct_input_device device = ct_running_input_device(L);
    lua_pushboolean(L, ct_input_released(input_of(L), device, check_button(L, device)));
    return 1;
}

static int push_number_or_nil(lua_State *L, int32_t number) {
    if (number < 0)
        lua_pushnil(L);
    else
        lua_pushnumber(L, number);
    return 1;
}

int ct_api_device_any_pressed(lua_State *L) {
    return push_number_or_nil(L, ct_input_any_pressed(input_of(L), ct_running_input_device(L)));
}

int ct_api_device_any_released(lua_State *L) {
    return push_number_or_nil(L, ct_input_any_released(input_of(L), ct_running_input_device(L)));
}

int ct_api_device_dead_zone(lua_State *L) {
    const ct_input_device device = ct_running_input_device(L);
    const ct_dead_zone zone = ct_input_dead_zone(input_of(L), device, check_axis(L, device));
    lua_pushnumber(L, zone.mode);
    lua_pushnumber(L, (double)zone.size);
    return 2;
}

int ct_api_device_set_dead_zone(lua_State *L) {
    const ct_input_device device = ct_running_input_device(L);
    const uint32_t axis = check_axis(L, device);
    ct_input_set_dead_zone(ct_script_of(L)->input, device, axis, check_dead_zone(L));
    return 0;
}

// --- Numbers and names ---------------------------------------------------------------------------

typedef const char *name_function(ct_input_device device, uint32_t number);

// The error for a name that is none of `count`.
static int unknown_name(lua_State *L, ct_input_device device, const char *what, uint32_t count,
                        name_function *name_of) {
    const char *names[CT_INPUT_MAX_BUTTONS];
    for (uint32_t i = 0; i < count; ++i)
        names[i] = name_of(device, i);
    const char *const got = lua_tostring(L, 1);
    const char *const nearest = ct_nearest_name(got, names, count);
    if (nearest)
        return ct_argument_error(L, 1, "there is no %s \"%s\", did you mean \"%s\"?", what, got,
                                 nearest);
    return ct_argument_error(L, 1, "there is no %s \"%s\"", what, got);
}

int ct_api_device_button_id(lua_State *L) {
    const ct_input_device device = ct_running_input_device(L);
    const int32_t id = ct_input_button_id(device, ct_check_string(L, 1));
    if (id < 0)
        return unknown_name(L, device, "button", ct_input_num_buttons(device),
                            ct_input_button_name);
    lua_pushnumber(L, id);
    return 1;
}

int ct_api_device_button_index(lua_State *L) {
    return ct_api_device_button_id(L);
}

int ct_api_device_axis_id(lua_State *L) {
    const ct_input_device device = ct_running_input_device(L);
    const int32_t id = ct_input_axis_id(device, ct_check_string(L, 1));
    if (id < 0)
        return unknown_name(L, device, "axis", ct_input_num_axes(device), ct_input_axis_name);
    lua_pushnumber(L, id);
    return 1;
}

int ct_api_device_axis_index(lua_State *L) {
    return ct_api_device_axis_id(L);
}

int ct_api_device_button_name(lua_State *L) {
    const ct_input_device device = ct_running_input_device(L);
    lua_pushstring(L, ct_input_button_name(device, check_button(L, device)));
    return 1;
}

int ct_api_device_button_locale_name(lua_State *L) {
    const ct_input_device device = ct_running_input_device(L);
    lua_pushstring(L, ct_input_locale_name(input_of(L), device, check_button(L, device)));
    return 1;
}

int ct_api_device_axis_name(lua_State *L) {
    const ct_input_device device = ct_running_input_device(L);
    lua_pushstring(L, ct_input_axis_name(device, check_axis(L, device)));
    return 1;
}

int ct_api_device_num_buttons(lua_State *L) {
    lua_pushnumber(L, ct_input_num_buttons(ct_running_input_device(L)));
    return 1;
}

int ct_api_device_num_axes(lua_State *L) {
    lua_pushnumber(L, ct_input_num_axes(ct_running_input_device(L)));
    return 1;
}

// --- The device ----------------------------------------------------------------------------------

int ct_api_device_active(lua_State *L) {
    lua_pushboolean(L, ct_input_is_connected(input_of(L), ct_running_input_device(L)));
    return 1;
}

int ct_api_device_connected(lua_State *L) {
    lua_pushboolean(L, ct_input_was_connected(input_of(L), ct_running_input_device(L)));
    return 1;
}

int ct_api_device_disconnected(lua_State *L) {
    lua_pushboolean(L, ct_input_was_disconnected(input_of(L), ct_running_input_device(L)));
    return 1;
}

int ct_api_device_name(lua_State *L) {
    lua_pushstring(L, ct_input_product_name(input_of(L), ct_running_input_device(L)));
    return 1;
}

int ct_api_device_category(lua_State *L) {
    const ct_input_device device = ct_running_input_device(L);
    lua_pushstring(L, ct_input_is_pad(device) ? "pad" : ct_input_device_name(device));
    return 1;
}

int ct_api_device_type(lua_State *L) {
    return ct_api_device_category(L);
}

int ct_api_device_battery(lua_State *L) {
    static const char *const names[CT_NUM_INPUT_BATTERIES] = {"unknown", "empty", "low",
                                                              "medium",  "full",  "wired"};
    lua_pushstring(L, names[ct_input_battery_of(input_of(L), ct_running_input_device(L))]);
    return 1;
}
