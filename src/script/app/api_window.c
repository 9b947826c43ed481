#include "script/app/api_window.h"
#include "foundation/string/utf8.h"
#include "resource/types/texture_resource.h"
#include "script/api_check.h"

#include <math.h>
#include <string.h>

// There is one window, so naming it is optional: `Window.set_title("x")`, `Window.set_title(nil,
// "x")` and `Window.set_title(window, "x")` are the same.

extern const ct_lua_module ct_api_window;

const ct_lua_object_type ct_type_window = {.name = "Window"};

enum { MAX_PIXELS = 16384, MAX_PLACE = 1000000 };

// Puts the window, or nil for it, at argument 1, where `num_others` arguments follow it.
static const ct_script_host *check_window(lua_State *L, int num_others) {
    const bool is_named = ct_value_kind_at(L, 1) == CT_VALUE_KIND_OBJECT ||
                          (lua_isnil(L, 1) && lua_gettop(L) > num_others);
    if (!is_named) {
        lua_pushnil(L);
        lua_insert(L, 1);
    } else if (!lua_isnil(L, 1)) {
        ct_check_object(L, 1, &ct_type_window, NULL);
    }
    return &ct_script_of(L)->host;
}

// Functions that return a flag, and that set it to argument 2.
#define TELLS(name, flag)                                                                          \
    static int name(lua_State *L) {                                                                \
        const ct_script_host *const host = check_window(L, 0);                                     \
        lua_pushboolean(L, host->window_flag(host->user, CT_SCRIPT_WINDOW_##flag));                \
        return 1;                                                                                  \
    }
#define SETS(name, flag)                                                                           \
    static int name(lua_State *L) {                                                                \
        const ct_script_host *const host = check_window(L, 1);                                     \
        host->set_window_flag(host->user, CT_SCRIPT_WINDOW_##flag, ct_check_boolean(L, 2));        \
        return 0;                                                                                  \
    }
// Without an argument.
#define SWITCHES(name, flag, is_on)                                                                \
    static int name(lua_State *L) {                                                                \
        const ct_script_host *const host = check_window(L, 0);                                     \
        host->set_window_flag(host->user, CT_SCRIPT_WINDOW_##flag, is_on);                         \
        return 0;                                                                                  \
    }

TELLS(clip_cursor, CLIP_CURSOR)
TELLS(has_focus, FOCUS)
TELLS(is_closing, CLOSING)
TELLS(is_fullscreen, FULLSCREEN)
TELLS(is_maximized, MAXIMIZED)
TELLS(is_minimized, MINIMIZED)
TELLS(is_resizable, RESIZABLE)
TELLS(mouse_focus, MOUSE_FOCUS)
TELLS(show_cursor, SHOW_CURSOR)
TELLS(text_input, TEXT_INPUT)
SETS(set_clip_cursor, CLIP_CURSOR)
SETS(set_fullscreen, FULLSCREEN)
SETS(set_mouse_focus, MOUSE_FOCUS)
SETS(set_resizable, RESIZABLE)
SETS(set_show_cursor, SHOW_CURSOR)
SETS(set_text_input, TEXT_INPUT)
SWITCHES(close_window, CLOSING, true)
SWITCHES(maximize, MAXIMIZED, true)
SWITCHES(minimize, MINIMIZED, true)
SWITCHES(restore, MINIMIZED, false)
SWITCHES(set_focus, FOCUS, true)

static int is_open(lua_State *L) {
    const ct_script_host *const host = check_window(L, 0);
    lua_pushboolean(L, host->has_window(host->user));
    return 1;
}

static int title(lua_State *L) {
    const ct_script_host *const host = check_window(L, 0);
    lua_pushstring(L, host->title(host->user));
    return 1;
}

static int get_dpi_scale(lua_State *L) {
    const ct_script_host *const host = check_window(L, 0);
    lua_pushnumber(L, host->dpi_scale(host->user));
    return 1;
}

static int rect(lua_State *L) {
    const ct_script_host *const host = check_window(L, 0);
    int32_t values[4];
    host->window_rect(host->user, values);
    for (uint32_t i = 0; i < 4; ++i)
        lua_pushnumber(L, values[i]);
    return 4;
}

static int set_rect(lua_State *L) {
    const ct_script_host *const host = check_window(L, 4);
    const int32_t values[4] = {(int32_t)ct_check_integer(L, 2, -MAX_PLACE, MAX_PLACE),
                               (int32_t)ct_check_integer(L, 3, -MAX_PLACE, MAX_PLACE),
                               (int32_t)ct_check_integer(L, 4, 1, MAX_PIXELS),
                               (int32_t)ct_check_integer(L, 5, 1, MAX_PIXELS)};
    host->set_window_rect(host->user, values);
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
    lua_pushboolean(L, host->set_resolution(host->user, width, height));
    return 1;
}

static int trigger_resize(lua_State *L) {
    check_window(L, 0);
    ct_renderer *const renderer = ct_world_system_renderer(ct_script_of(L)->worlds);
    uint32_t width, height;
    ct_renderer_size(renderer, &width, &height);
    ct_renderer_resize(renderer, width, height);
    return 0;
}

static int set_cursor(lua_State *L) {
    static const char *const names[] = {[CT_SCRIPT_CURSOR_ARROW] = "arrow",
                                        [CT_SCRIPT_CURSOR_TEXT] = "text",
                                        [CT_SCRIPT_CURSOR_WAIT] = "wait",
                                        [CT_SCRIPT_CURSOR_CROSSHAIR] = "crosshair",
                                        [CT_SCRIPT_CURSOR_SIZE_FALLING] = "size_falling",
                                        [CT_SCRIPT_CURSOR_SIZE_RISING] = "size_rising",
                                        [CT_SCRIPT_CURSOR_SIZE_HORIZONTAL] = "size_horizontal",
                                        [CT_SCRIPT_CURSOR_SIZE_VERTICAL] = "size_vertical",
                                        [CT_SCRIPT_CURSOR_MOVE] = "move",
                                        [CT_SCRIPT_CURSOR_FORBIDDEN] = "forbidden",
                                        [CT_SCRIPT_CURSOR_HAND] = "hand",
                                        [CT_SCRIPT_CURSOR_COUNT] = NULL};
    const ct_script_host *const host = check_window(L, 1);
    host->set_cursor(host->user, (ct_script_cursor)ct_check_name_of(L, 2, names));
    return 0;
}

static int set_icon(lua_State *L) {
    const ct_script_host *const host = check_window(L, 1);
    const void *blob;
    ct_check_resource(L, 2, "texture", &blob);
    const ct_texture_resource *const texture = blob;
    if (texture->format != CT_TEXTURE_FORMAT_RGBA8_SRGB)
        ct_function_error(L, "expected an uncompressed texture, of category \"gui\", as an icon; "
                             "this one is compressed");
    // The largest that is there.
    const ct_texture_mip *const mip =
        (const ct_texture_mip *)ct_blob_at(texture, texture->mips.offset) + texture->num_streamed;
    host->set_icon(host->user, ct_blob_at(texture, mip->pixels.offset), mip->width, mip->height);
    return 0;
}

// --- Text ----------------------------------------------------------------------------------------

static int clipboard(lua_State *L) {
    const ct_script_host *const host = check_window(L, 0);
    lua_pushstring(L, host->clipboard(host->user));
    return 1;
}

static int set_clipboard(lua_State *L) {
    const ct_script_host *const host = check_window(L, 1);
    size_t bytes;
    const char *const text = ct_check_text(L, 2, &bytes);
    const char *const zero = memchr(text, 0, bytes);
    if (zero)
        return ct_argument_error(L, 2, "expected a text without zero bytes, got one at byte %d",
                                 (int)(zero - text) + 1);
    if (!ct_utf8_is_valid(text, bytes))
        return ct_argument_error(L, 2, "expected valid UTF-8 (Utf8.valid)");
    host->set_clipboard(host->user, text);
    return 0;
}

static int set_text_area(lua_State *L) {
    const ct_script_host *const host = check_window(L, 4);
    int32_t rect[4];
    for (int i = 0; i < 4; ++i)
        rect[i] = (int32_t)lround(ct_check_number_in(L, i + 2, i < 2 ? -MAX_PLACE : 0, MAX_PLACE));
    host->set_text_area(host->user, rect);
    return 0;
}

static const ct_lua_function functions[] = {
    {"clip_cursor", clip_cursor, "(window: Window?) -> boolean",
     "Returns whether the window confines the cursor."},
    {"clipboard", clipboard, "(window: Window?) -> string",
     "Returns the text of the system's clipboard, \"\" when it holds none. Without a window the "
     "game "
     "has a clipboard of its own."},
    {"close", close_window, "(window: Window?) -> nil",
     "Closes the window as its user would. The game ends with the next frame."},
    {"get_dpi_scale", get_dpi_scale, "(window: Window?) -> number",
     "Returns the number of pixels in one point of the desktop, the system's own unit; mostly 1."},
    {"has_focus", has_focus, "(window: Window?) -> boolean",
     "Returns whether the window has keyboard focus."},
    {"is_closing", is_closing, "(window: Window?) -> boolean",
     "Returns whether the window was asked to close and the game is about to end."},
    {"is_fullscreen", is_fullscreen, "(window: Window?) -> boolean",
     "Returns whether the window fills the desktop."},
    {"is_maximized", is_maximized, "(window: Window?) -> boolean",
     "Returns whether the window is maximised."},
    {"is_minimized", is_minimized, "(window: Window?) -> boolean",
     "Returns whether the window is minimised. Nothing is drawn then."},
    {"is_open", is_open, "(window: Window?) -> boolean",
     "Returns false when the game runs without a window."},
    {"is_resizable", is_resizable, "(window: Window?) -> boolean",
     "Returns whether the user can change the window's size."},
    {"maximize", maximize, "(window: Window?) -> nil", "Maximises the window."},
    {"minimize", minimize, "(window: Window?) -> nil",
     "Minimises the window. The game goes on, and nothing is drawn."},
    {"mouse_focus", mouse_focus, "(window: Window?) -> boolean",
     "Returns whether the window captures the mouse."},
    {"rect", rect, "(window: Window?) -> number, number, number, number",
     "Returns the place of the window's contents on the desktop: x, y, width and height, in "
     "pixels."},
    {"restore", restore, "(window: Window?) -> nil",
     "Restores the place and size of a minimised or maximised window."},
    {"set_clip_cursor", set_clip_cursor, "(window: Window?, clip: boolean) -> nil",
     "Confines the cursor to the window, where it shows and moves as usual, or frees it."},
    {"set_clipboard", set_clipboard, "(window: Window?, text: string) -> nil",
     "Puts a text into the clipboard."},
    {"set_cursor", set_cursor, "(window: Window?, cursor: string) -> nil",
     "Shows one of the system's cursors over the window: arrow, text, wait, crosshair, hand, move, "
     "forbidden, size_horizontal, size_vertical, size_rising or size_falling."},
    {"set_focus", set_focus, "(window: Window?) -> nil",
     "Raises the window and requests keyboard focus."},
    {"set_fullscreen", set_fullscreen, "(window: Window?, fullscreen: boolean) -> nil",
     "Makes the window fill the desktop, without changing its resolution, or ends that."},
    {"set_icon", set_icon, "(window: Window?, texture: string(texture)) -> nil",
     "Sets a loaded texture as the window's icon."},
    {"set_mouse_focus", set_mouse_focus, "(window: Window?, focus: boolean) -> nil",
     "Captures the mouse, hidden and with unlimited movement, or frees it."},
    {"set_rect", set_rect,
     "(window: Window?, x: integer, y: integer, width: integer, height: integer) -> nil",
     "Sets the place and size of the window's contents on the desktop, in pixels."},
    {"set_resizable", set_resizable, "(window: Window?, resizable: boolean) -> nil",
     "Sets whether the user can change the window's size."},
    {"set_resolution", set_resolution,
     "(window: Window?, width: integer, height: integer) -> boolean",
     "Sets the size of the window, or of the picture without a window, in pixels. Returns false "
     "while the window is minimised or fullscreen: the system decides the size then."},
    {"set_show_cursor", set_show_cursor, "(window: Window?, do_show: boolean) -> nil",
     "Shows or hides the cursor over the window."},
    {"set_text_area", set_text_area,
     "(window: Window?, x: number, y: number, width: number, height: number) -> nil",
     "Sets where typed text appears, in pixels from the upper left of the window: an input method "
     "shows its candidates beside it."},
    {"set_text_input", set_text_input, "(window: Window?, text_input: boolean) -> nil",
     "Starts or ends that typed text is reported (Input.event_queue), and that input methods and "
     "screen "
     "keyboards show. It is on at the start."},
    {"set_title", set_title, "(window: Window?, title: string) -> nil", "Sets the window's title."},
    {"show_cursor", show_cursor, "(window: Window?) -> boolean",
     "Returns whether the cursor is visible over the window."},
    {"text_input", text_input, "(window: Window?) -> boolean",
     "Returns whether typed text is reported (Window.set_text_input)."},
    {"title", title, "(window: Window?) -> string", "Returns the window's title."},
    {"trigger_resize", trigger_resize, "(window: Window?) -> nil",
     "Creates the window's pictures again, as after a change of its size."},
};

const ct_lua_module ct_api_window = {
    .name = "Window",
    .doc = "The game's window. Without a window, as in headless runs, setting has no effect.",
    .functions = functions,
    .num_functions = CT_COUNT_OF(functions),
};
