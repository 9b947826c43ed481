#include "script/api_input_device.h"

#include "script/api_check.h"

extern const ct_script_module ct_api_mouse;

// The device whose module runs. A look into Lua's call frame, for the few calls of a frame.
static ct_input_device device_of(lua_State *L) {
    const ct_script_module *module = NULL;
    uint32_t function;
    const bool is_mouse =
        ct_script_running_function(L, &module, &function) && module == &ct_api_mouse;
    return is_mouse ? CT_INPUT_DEVICE_MOUSE : CT_INPUT_DEVICE_KEYBOARD;
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
        ct_function_error(L, "it has no axes");
    return (uint32_t)ct_check_integer(L, 1, 0, (int64_t)count - 1);
}

// --- State ---------------------------------------------------------------------------------------

static int axis(lua_State *L) {
    const ct_input_device device = device_of(L);
    ct_push_vector3(L, ct_input_axis(input_of(L), device, check_axis(L, device)));
    return 1;
}

static int button(lua_State *L) {
    const ct_input_device device = device_of(L);
    lua_pushnumber(L, ct_input_is_down(input_of(L), device, check_button(L, device)));
    return 1;
}

static int pressed(lua_State *L) {
    const ct_input_device device = device_of(L);
    lua_pushboolean(L, ct_input_pressed(input_of(L), device, check_button(L, device)));
    return 1;
}

static int released(lua_State *L) {
    const ct_input_device device = device_of(L);
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

static int any_pressed(lua_State *L) {
    return push_number_or_nil(L, ct_input_any_pressed(input_of(L), device_of(L)));
}

static int any_released(lua_State *L) {
    return push_number_or_nil(L, ct_input_any_released(input_of(L), device_of(L)));
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

static int button_id(lua_State *L) {
    const ct_input_device device = device_of(L);
    const int32_t id = ct_input_button_id(device, ct_check_string(L, 1));
    if (id < 0)
        return unknown_name(L, device, "button", ct_input_num_buttons(device),
                            ct_input_button_name);
    lua_pushnumber(L, id);
    return 1;
}

static int axis_id(lua_State *L) {
    const ct_input_device device = device_of(L);
    const int32_t id = ct_input_axis_id(device, ct_check_string(L, 1));
    if (id < 0)
        return unknown_name(L, device, "axis", ct_input_num_axes(device), ct_input_axis_name);
    lua_pushnumber(L, id);
    return 1;
}

static int button_name(lua_State *L) {
    const ct_input_device device = device_of(L);
    lua_pushstring(L, ct_input_button_name(device, check_button(L, device)));
    return 1;
}

static int axis_name(lua_State *L) {
    const ct_input_device device = device_of(L);
    lua_pushstring(L, ct_input_axis_name(device, check_axis(L, device)));
    return 1;
}

static int num_buttons(lua_State *L) {
    lua_pushnumber(L, ct_input_num_buttons(device_of(L)));
    return 1;
}

static int num_axes(lua_State *L) {
    lua_pushnumber(L, ct_input_num_axes(device_of(L)));
    return 1;
}

// --- The device ----------------------------------------------------------------------------------

// Keyboard and mouse are taken to be there: the system does not say when one is unplugged.
static int is_there(lua_State *L) {
    lua_pushboolean(L, true);
    return 1;
}

static int disconnected(lua_State *L) {
    lua_pushboolean(L, false);
    return 1;
}

static int device_name(lua_State *L) {
    lua_pushstring(L, device_of(L) == CT_INPUT_DEVICE_MOUSE ? "mouse" : "keyboard");
    return 1;
}

const ct_script_function ct_input_device_functions[CT_NUM_INPUT_DEVICE_FUNCTIONS] = {
    {"active", is_there, "() -> boolean", "True while the device can be used."},
    {"any_pressed", any_pressed, "() -> integer?",
     "The lowest button that was pressed in this frame, or nil."},
    {"any_released", any_released, "() -> integer?",
     "The lowest button that was released in this frame, or nil."},
    {"axis", axis, "(id: integer) -> Vector3",
     "The state of an axis; movement is that of this frame."},
    {"axis_id", axis_id, "(name: string) -> integer", "The number of the axis with this name."},
    {"axis_index", axis_id, "(name: string) -> integer", "The same as axis_id."},
    {"axis_name", axis_name, "(id: integer) -> string", "The name of an axis."},
    {"button", button, "(id: integer) -> number", "1 while the button is down, else 0."},
    {"button_id", button_id, "(name: string) -> integer",
     "The number of the button with this name, as on a US keyboard."},
    {"button_index", button_id, "(name: string) -> integer", "The same as button_id."},
    {"button_locale_name", button_name, "(id: integer) -> string",
     "The name of a button; layouts other than the US one are not known."},
    {"button_name", button_name, "(id: integer) -> string", "The name of a button."},
    {"category", device_name, "() -> string", "What kind of device it is."},
    {"connected", is_there, "() -> boolean", "True while the device is connected."},
    {"disconnected", disconnected, "() -> boolean", "True while the device is not connected."},
    {"name", device_name, "() -> string", "The name of the device."},
    {"num_axes", num_axes, "() -> integer", "The number of axes, which count from 0."},
    {"num_buttons", num_buttons, "() -> integer", "The number of buttons, which count from 0."},
    {"pressed", pressed, "(id: integer) -> boolean",
     "True when the button was pressed in this frame."},
    {"released", released, "(id: integer) -> boolean",
     "True when the button was released in this frame."},
    {"type", device_name, "() -> string", "What type of device it is."},
};
