#include "script/script_private.h"

extern const ct_lua_module ct_api_display_adapter;

// The engine draws with one device, which it chooses, so there is one adapter. Its outputs are the
// displays of the desktop.

static const ct_script_host *check_adapter(lua_State *L) {
    ct_check_integer(L, 1, 1, 1);
    return &ct_script_of(L)->host;
}

// The display at argument 2, from 0.
static uint32_t check_output(lua_State *L, const ct_script_host *host) {
    ct_check_integer(L, 2, 1, INT32_MAX); // what is no number is reported first
    const uint32_t count = host->num_displays(host->user);
    if (count == 0)
        ct_argument_error(L, 2, "there are no outputs: the game has no window");
    return (uint32_t)ct_check_integer(L, 2, 1, count) - 1;
}

static int mode(lua_State *L) {
    const ct_script_host *const host = check_adapter(L);
    ct_check_integer(L, 2, 1, INT32_MAX);
    ct_check_integer(L, 3, 1, INT32_MAX);
    const uint32_t display = check_output(L, host);
    const uint32_t count = host->num_display_modes(host->user, display);
    uint32_t size[2];
    if (count == 0)
        return ct_argument_error(L, 3, "the output has no modes");
    const uint32_t place = (uint32_t)ct_check_integer(L, 3, 1, count) - 1;
    host->display_mode(host->user, display, place, size);
    lua_pushnumber(L, size[0]);
    lua_pushnumber(L, size[1]);
    return 2;
}

static int name(lua_State *L) {
    check_adapter(L);
    lua_pushstring(L, ct_renderer_device_name(ct_world_system_renderer(ct_script_of(L)->worlds)));
    return 1;
}

static int num_adapters(lua_State *L) {
    lua_pushnumber(L, 1);
    return 1;
}

static int num_modes(lua_State *L) {
    const ct_script_host *const host = check_adapter(L);
    lua_pushnumber(L, host->num_display_modes(host->user, check_output(L, host)));
    return 1;
}

static int num_outputs(lua_State *L) {
    const ct_script_host *const host = check_adapter(L);
    lua_pushnumber(L, host->num_displays(host->user));
    return 1;
}

static const ct_lua_function functions[] = {
    {"mode", mode,
     "(adapter_index: integer, output_index: integer, mode_index: integer) -> integer, integer",
     "Returns the width and height of a mode of an output, as the desktop counts them. All "
     "indices are from 1."},
    {"name", name, "(adapter_index: integer) -> string",
     "Returns the name of the graphics device and its driver."},
    {"num_adapters", num_adapters, "() -> integer",
     "Returns 1: the engine draws with one graphics device, which it chooses."},
    {"num_modes", num_modes, "(adapter_index: integer, output_index: integer) -> integer",
     "Returns how many modes an output has. One size may be there with several rates."},
    {"num_outputs", num_outputs, "(adapter_index: integer) -> integer",
     "Returns how many displays there are; 0 without a window."},
};

const ct_lua_module ct_api_display_adapter = {
    .name = "DisplayAdapter",
    .doc = "The graphics device and the displays of the desktop.",
    .functions = functions,
    .num_functions = CT_COUNT_OF(functions),
};
