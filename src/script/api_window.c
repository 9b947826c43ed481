#include "script/api_check.h"

// There is one window, so naming it is optional: `Window.set_title("x")`, `Window.set_title(nil,
// "x")` and `Window.set_title(window, "x")` are the same.

extern const ct_script_module ct_api_window;

enum { MAX_PIXELS = 16384 };

// Puts the window, or nil for it, at argument 1, where `num_others` arguments follow it.
static const ct_script_host *check_window(lua_State *L, int num_others) {
    const bool is_named = ct_value_kind_at(L, 1) == CT_VALUE_KIND_OBJECT ||
                          (lua_isnil(L, 1) && lua_gettop(L) > num_others);
    if (!is_named) {
        lua_pushnil(L);
        lua_insert(L, 1);
    } else if (!lua_isnil(L, 1)) {
        ct_check_object(L, 1, CT_OBJECT_KIND_WINDOW, NULL);
    }
    return &ct_script_of(L)->host;
}

static int has_focus(lua_State *L) {
    const ct_script_host *const host = check_window(L, 0);
    lua_pushboolean(L, host->has_focus(host->user));
    return 1;
}

static int mouse_focus(lua_State *L) {
    const ct_script_host *const host = check_window(L, 0);
    lua_pushboolean(L, host->mouse_focus(host->user));
    return 1;
}

static int show_cursor(lua_State *L) {
    const ct_script_host *const host = check_window(L, 0);
    lua_pushboolean(L, host->show_cursor(host->user));
    return 1;
}

static int title(lua_State *L) {
    const ct_script_host *const host = check_window(L, 0);
    lua_pushstring(L, host->title(host->user));
    return 1;
}

static int is_open(lua_State *L) {
    const ct_script_host *const host = check_window(L, 0);
    lua_pushboolean(L, host->has_window(host->user));
    return 1;
}

static int rect(lua_State *L) {
    check_window(L, 0);
    uint32_t width, height;
    ct_renderer_size(ct_world_system_renderer(ct_script_of(L)->worlds), &width, &height);
    lua_pushnumber(L, 0);
    lua_pushnumber(L, 0);
    lua_pushnumber(L, width);
    lua_pushnumber(L, height);
    return 4;
}

static int set_mouse_focus(lua_State *L) {
    const ct_script_host *const host = check_window(L, 1);
    host->set_mouse_focus(host->user, ct_check_boolean(L, 2));
    return 0;
}

static int set_show_cursor(lua_State *L) {
    const ct_script_host *const host = check_window(L, 1);
    host->set_show_cursor(host->user, ct_check_boolean(L, 2));
    return 0;
}

static int set_title(lua_State *L) {
    const ct_script_host *const host = check_window(L, 1);
    host->set_title(host->user, ct_check_string(L, 2));
    return 0;
}

static int set_resolution(lua_State *L) {
    const ct_script_host *const host = check_window(L, 2);
    const uint32_t width = (uint32_t)ct_check_integer(L, 2, 1, MAX_PIXELS);
    const uint32_t height = (uint32_t)ct_check_integer(L, 3, 1, MAX_PIXELS);
    host->set_resolution(host->user, width, height);
    return 0;
}

static const ct_script_function functions[] = {
    {"has_focus", has_focus, "(window: Window?) -> boolean",
     "True while the window gets the keyboard's input."},
    {"is_open", is_open, "(window: Window?) -> boolean",
     "False when the game runs without a window."},
    {"mouse_focus", mouse_focus, "(window: Window?) -> boolean",
     "True while the window keeps the mouse."},
    {"rect", rect, "(window: Window?) -> number, number, number, number",
     "0, 0 and the size of what is drawn into, in pixels; where the window stands is not known."},
    {"set_mouse_focus", set_mouse_focus, "(window: Window?, focus: boolean) -> nil",
     "Keeps the mouse in the window, hidden and moving without end, or frees it."},
    {"set_resolution", set_resolution, "(window: Window?, width: integer, height: integer) -> nil",
     "Sets the size of the window, or of the picture without one, in pixels."},
    {"set_show_cursor", set_show_cursor, "(window: Window?, do_show: boolean) -> nil",
     "Shows or hides the cursor over the window."},
    {"set_title", set_title, "(window: Window?, title: string) -> nil", "Sets the window's title."},
    {"show_cursor", show_cursor, "(window: Window?) -> boolean",
     "True while the cursor shows over the window."},
    {"title", title, "(window: Window?) -> string", "The window's title."},
};

const ct_script_module ct_api_window = {
    .name = "Window",
    .doc = "The game's window; without one, as in headless runs, setting does nothing.",
    .functions = functions,
    .num_functions = CT_COUNT_OF(functions),
};
