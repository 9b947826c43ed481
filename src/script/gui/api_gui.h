// api_gui.h: GUIs in Lua: what the files of the module Gui share.
//
// A handle's object is the ct_gui, its `data` the world, with which the GUI ends. Ids of objects
// are Lua numbers. Each function that makes an object has a second one, `update_…`, that draws it
// again: it takes the id after the GUI, then the same arguments.
//
// Checks raise a Lua error that names the function, the argument, the expected and the actual
// value, and do not return.
#pragma once
#include "gui/gui.h"
#include "script/script_private.h"

extern const ct_lua_object_type ct_type_gui;

// --- Checks --------------------------------------------------------------------------------------

// Returns a living GUI; `world` is set to its world unless it is NULL.
ct_gui *ct_check_gui(lua_State *L, int argument, ct_world **world);

// Returns an object of `gui`. With a kind other than NONE it must be of this kind.
ct_gui_object_id ct_check_gui_object(lua_State *L, int argument, const ct_gui *gui,
                                     ct_gui_kind kind);

// Returns the x and y of a finite Vector2 or Vector3.
ct_vec2 ct_check_gui_point(lua_State *L, int argument);

// Same as ct_check_gui_point, and sets `layer` to a Vector3's z, a whole number; 0 for a Vector2.
ct_vec2 ct_check_gui_position(lua_State *L, int argument, int32_t *layer);

// Returns a finite Vector2.
ct_vec2 ct_check_gui_size(lua_State *L, int argument);

// Returns a length from 0 on, finite.
float ct_check_gui_length(lua_State *L, int argument);

// Returns a layer; 0 when it is left out.
int32_t ct_check_gui_layer(lua_State *L, int argument);

// Returns a colour as bytes (gui.h) from linear red, green, blue and alpha; `otherwise` when it is
// left out.
uint32_t ct_check_gui_color(lua_State *L, int argument, uint32_t otherwise);
uint32_t ct_gui_color_of(const float linear[4]);

// Returns the name of a loaded material, from a string or a Material; {0} for nil and "".
ct_string_id64 ct_check_gui_material(lua_State *L, int argument);

// --- Calls that draw -----------------------------------------------------------------------------

enum { CT_GUI_WHITE = -1 }; // as uint32_t: opaque white

// A call that makes an object, or draws one again.
typedef struct ct_gui_call {
    ct_gui *gui;
    ct_gui_draw draw;
    ct_mat4 pose; // what draw.pose points to
    int next;     // the next argument to read
    bool is_update;
} ct_gui_call;

// Reads the GUI, and for a kind other than NONE the id of the object of that kind to draw again.
void ct_gui_call_begin(lua_State *L, ct_gui_call *call, ct_gui_kind again);

// Reads the next arguments: a position; or with `is_3d` a pose, an offset in it, and a layer.
// Returns the position, which is 0 with `is_3d`.
ct_vec2 ct_gui_call_read_place(lua_State *L, ct_gui_call *call, bool is_3d);

// Reads the next argument, a colour or nil, and the one after it, a material or nil.
void ct_gui_call_read_color(lua_State *L, ct_gui_call *call);
void ct_gui_call_read_material(lua_State *L, ct_gui_call *call);

// Returns the call's results: the id of a new object, or nothing.
int ct_gui_call_end(lua_State *L, const ct_gui_call *call, ct_gui_object_id id);

// Defines two functions of Lua over `draw_NAME(L, again, ...)`: one makes an object, the other
// draws one of this kind again.
#define CT_GUI_DRAWS(name, kind)                                                                   \
    int ct_api_gui_##name(lua_State *L) {                                                          \
        return draw_##name(L, CT_GUI_KIND_NONE);                                                   \
    }                                                                                              \
    int ct_api_gui_update_##name(lua_State *L) {                                                   \
        return draw_##name(L, CT_GUI_KIND_##kind);                                                 \
    }

// --- Options (api_gui_options.c) -----------------------------------------------------------------

typedef enum ct_gui_option_kind {
    CT_GUI_OPTION_KIND_NONE,
    CT_GUI_OPTION_KIND_FLAG,     // bool
    CT_GUI_OPTION_KIND_NUMBER,   // float, from `least` to `most`
    CT_GUI_OPTION_KIND_WHOLE,    // uint32_t, from `least` to `most`
    CT_GUI_OPTION_KIND_CHOICE,   // uint32_t: the place in `choices`
    CT_GUI_OPTION_KIND_COLOR,    // uint32_t: bytes (gui.h)
    CT_GUI_OPTION_KIND_VECTOR2,  // ct_vec2, each from `least` to `most`
    CT_GUI_OPTION_KIND_SIDES,    // float[4], from a number or four, from `least` to `most`
    CT_GUI_OPTION_KIND_NAME,     // ct_string_id32
    CT_GUI_OPTION_KIND_MATERIAL, // ct_string_id64 of a loaded one
} ct_gui_option_kind;

typedef struct ct_gui_option {
    const char *name;
    ct_gui_option_kind kind;
    uint32_t offset; // of the value in the struct
    float least, most;
    const char *const *choices; // NULL-terminated
} ct_gui_option;

// Reads options into the struct `out`, which has the defaults; options that are left out change
// nothing. They are a table at `argument`, `{width = 300, markup = true}`, or all arguments from
// there on: names, each with its value behind it, `"width", 300, "markup"`. A flag needs no value
// there, and a Vector2 may be two numbers. nil in place of them is fine.
void ct_gui_read_options(lua_State *L, int argument, const ct_gui_option *options, uint32_t count,
                         void *out);

// --- Text (api_gui_text.c) -----------------------------------------------------------------------

// Reads a text, the name of a loaded font, and a size, from `argument` on.
void ct_gui_read_text(lua_State *L, int argument, ct_text_desc *out);

// Reads the options of text from `argument` on. The style's colour must be there already.
void ct_gui_read_text_options(lua_State *L, int argument, ct_gui_text_desc *desc);

// --- Functions of Lua ----------------------------------------------------------------------------

typedef int ct_api_gui_function(lua_State *L);

// api_gui_objects.c
ct_api_gui_function ct_api_gui_bitmap, ct_api_gui_bitmap_3d, ct_api_gui_bitmap_3d_uv,
    ct_api_gui_bitmap_uv, ct_api_gui_rect, ct_api_gui_rect_3d, ct_api_gui_triangle,
    ct_api_gui_update_bitmap, ct_api_gui_update_bitmap_3d, ct_api_gui_update_bitmap_3d_uv,
    ct_api_gui_update_bitmap_uv, ct_api_gui_update_rect, ct_api_gui_update_rect_3d,
    ct_api_gui_update_triangle;

// api_gui_shapes.c
ct_api_gui_function ct_api_gui_arc, ct_api_gui_circle, ct_api_gui_line, ct_api_gui_polyline,
    ct_api_gui_rounded_rect, ct_api_gui_triangles, ct_api_gui_update_arc, ct_api_gui_update_circle,
    ct_api_gui_update_line, ct_api_gui_update_polyline, ct_api_gui_update_rounded_rect,
    ct_api_gui_update_triangles;

// api_gui_text.c
ct_api_gui_function ct_api_gui_text, ct_api_gui_text_3d, ct_api_gui_update_text,
    ct_api_gui_update_text_3d;

// api_gui_measure.c
ct_api_gui_function ct_api_gui_caret_position, ct_api_gui_escape_markup, ct_api_gui_has_all_glyphs,
    ct_api_gui_hit_test, ct_api_gui_text_extents, ct_api_gui_word_wrap;

// api_gui_theme.c
ct_api_gui_function ct_api_gui_theme, ct_api_gui_theme_version;

// api_gui_world.c: the functions of World
ct_api_gui_function ct_api_gui_create_screen, ct_api_gui_create_world, ct_api_gui_destroy,
    ct_api_gui_by_id;
