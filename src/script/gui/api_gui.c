#include <math.h>
#include <string.h>

#include "lua/lua_check.h"
#include "resource/types/texture_resource.h"
#include "script/app/api_window.h"
#include "script/gui/api_gui.h"
#include "script/render/api_mesh.h"
#include "script/render/api_viewport.h"

// The functions of whole GUIs, and the table of the module Gui.

extern const ct_lua_module ct_api_gui;

static ct_renderer *renderer_of(lua_State *L) {
    return ct_world_system_renderer(ct_script_of(L)->worlds);
}

// --- GUIs ----------------------------------------------------------------------------------------

static int get_id(lua_State *L) {
    lua_pushnumber(L, ct_gui_number(ct_check_gui(L, 1, NULL)));
    return 1;
}

static int move(lua_State *L) {
    ct_gui *const gui = ct_check_gui(L, 1, NULL);
    const ct_mat4 pose = ct_check_finite_matrix4x4(L, 2);
    if (!ct_gui_get_desc(gui)->is_world)
        return ct_argument_error(L, 1,
                                 "expected a Gui of World.create_world_gui; a screen Gui has no "
                                 "pose");
    ct_gui_move(gui, &pose);
    return 0;
}

static int reset(lua_State *L) {
    ct_gui_reset(ct_check_gui(L, 1, NULL));
    return 0;
}

static int set_visible(lua_State *L) {
    ct_gui *const gui = ct_check_gui(L, 1, NULL);
    ct_gui_set_visible(gui, ct_check_boolean(L, 2));
    return 0;
}

static int is_visible(lua_State *L) {
    lua_pushboolean(L, ct_gui_is_visible(ct_check_gui(L, 1, NULL)));
    return 1;
}

static int num_objects(lua_State *L) {
    lua_pushnumber(L, ct_gui_num_objects(ct_check_gui(L, 1, NULL)));
    return 1;
}

// The size in pixels of the viewport at `argument`, or of the back buffer.
static void view_size(lua_State *L, int argument, float *width, float *height) {
    uint32_t x, y;
    ct_renderer_size(renderer_of(L), &x, &y);
    *width = (float)x;
    *height = (float)y;
    if (lua_isnoneornil(L, argument))
        return;
    const ct_script_viewport *const viewport =
        ct_check_object(L, argument, &ct_type_viewport, NULL);
    *width *= viewport->rectangle[2];
    *height *= viewport->rectangle[3];
}

static int push_size(lua_State *L, float width, float height) {
    lua_pushnumber(L, (lua_Number)width);
    lua_pushnumber(L, (lua_Number)height);
    return 2;
}

static int resolution(lua_State *L) {
    float width, height;
    view_size(L, 1, &width, &height);
    if (!lua_isnoneornil(L, 2))
        ct_check_object(L, 2, &ct_type_window, NULL); // there is one
    return push_size(L, roundf(width), roundf(height));
}

static int size(lua_State *L) {
    const ct_gui *const gui = ct_check_gui(L, 1, NULL);
    float view_width, view_height, width, height;
    view_size(L, 2, &view_width, &view_height);
    ct_gui_area(gui, view_width, view_height, &width, &height);
    return push_size(L, width, height);
}

static int texture_size(lua_State *L) {
    const void *blob;
    ct_check_resource(L, 1, "texture", &blob);
    const ct_texture_resource *const texture = blob;
    const ct_texture_mip *const mips = ct_blob_at(texture, texture->mips.offset);
    return push_size(L, (float)mips[0].width, (float)mips[0].height);
}

static int has_video_player(lua_State *L) {
    lua_pushliteral(L, "none");
    return 1;
}

static int material(lua_State *L) {
    ct_check_gui(L, 1, NULL);
    const char *const name = ct_check_resource(L, 2, "material", NULL);
    ct_check_object_room(L, &ct_type_material);
    ct_push_object(L, &ct_type_material, renderer_of(L), ct_string_id64_register(name).value);
    return 1;
}

static int set_language(lua_State *L) {
    enum { MOST_BYTES = 63 };
    const char *const language = lua_isnoneornil(L, 1) ? NULL : ct_check_string(L, 1);
    if (language && strlen(language) > MOST_BYTES)
        return ct_argument_error(L, 1,
                                 "expected a language such as \"sr\" or \"zh-hant\", got %d "
                                 "characters",
                                 (int)strlen(language));
    if (ct_script_of(L)->gui)
        ct_gui_system_set_language(ct_script_of(L)->gui, language);
    return 0;
}

// --- Clip rectangles -----------------------------------------------------------------------------

static int push_clip(lua_State *L) {
    ct_gui *const gui = ct_check_gui(L, 1, NULL);
    const ct_vec2 min = ct_check_gui_point(L, 2), extent = ct_check_gui_size(L, 3);
    if (!ct_gui_push_clip(gui, min.x, min.y, extent.x, extent.y))
        return ct_function_error(L,
                                 "%d clip rectangles are open, the maximum; end them with "
                                 "Gui.pop_clip",
                                 CT_GUI_MAX_CLIPS);
    return 0;
}

static int pop_clip(lua_State *L) {
    if (!ct_gui_pop_clip(ct_check_gui(L, 1, NULL)))
        return ct_function_error(L, "no clip rectangle is open; Gui.push_clip opens one, and all "
                                    "end with the frame");
    return 0;
}

// --- Destroying objects --------------------------------------------------------------------------

static int destroy_of(lua_State *L, ct_gui_kind kind) {
    ct_gui *const gui = ct_check_gui(L, 1, NULL);
    ct_gui_destroy_object(gui, ct_check_gui_object(L, 2, gui, kind));
    return 0;
}

#define DESTROYS(name, kind)                                                                       \
    static int name(lua_State *L) {                                                                \
        return destroy_of(L, CT_GUI_KIND_##kind);                                                  \
    }

DESTROYS(destroy, NONE)
DESTROYS(destroy_bitmap, BITMAP)
DESTROYS(destroy_rect, RECT)
DESTROYS(destroy_text, TEXT)
DESTROYS(destroy_triangle, TRIANGLE)

// --- The table -----------------------------------------------------------------------------------

#define POSITION "position: any(Vector2,Vector3)"
#define PLACE "pose: Matrix4x4, offset: Vector3, layer: integer"
#define SIZE "size: Vector2"
#define COLOR "color: Vector4?"
#define MATERIAL "material: any(string(material),Material)?"
#define OPTIONS "options: any(table,string,number,boolean,Vector2,Vector4)*"
#define POINTS "points: any(Vector2[],Vector3[],Float32Array)"
#define UVS "uv_00: any(Vector2,Vector3), uv_11: any(Vector2,Vector3)"
#define CORNERS                                                                                    \
    "p1: any(Vector2,Vector3), p2: any(Vector2,Vector3), p3: any(Vector2,Vector3), "               \
    "layer: integer?"
#define FONT "text: string, font: string(font), size: number"

#define NEW(arguments) "(self: Gui, " arguments ") -> integer"
#define AGAIN(arguments) "(self: Gui, id: integer, " arguments ") -> nil"
#define DESTROY "(self: Gui, id: integer) -> nil"

#define ARC                                                                                        \
    "center: any(Vector2,Vector3), radius: number, from: number, to: number, " COLOR               \
    ", width: number?, " MATERIAL
#define BITMAP MATERIAL ", " POSITION ", " SIZE ", " COLOR ", " OPTIONS
#define BITMAP_3D MATERIAL ", " PLACE ", " SIZE ", " COLOR ", " OPTIONS
#define BITMAP_3D_UV MATERIAL ", " UVS ", " PLACE ", " SIZE ", " COLOR ", " OPTIONS
#define BITMAP_UV MATERIAL ", " UVS ", " POSITION ", " SIZE ", " COLOR ", " OPTIONS
#define CIRCLE "center: any(Vector2,Vector3), radius: number, " COLOR ", width: number?, " MATERIAL
#define LINE                                                                                       \
    "from: any(Vector2,Vector3), to: any(Vector2,Vector3), width: number, " COLOR ", " MATERIAL
#define POLYLINE                                                                                   \
    POINTS ", width: number, layer: integer?, " COLOR ", " MATERIAL ", is_closed: boolean?"
#define RECT POSITION ", " SIZE ", " COLOR ", " MATERIAL
#define RECT_3D PLACE ", " SIZE ", " COLOR ", " MATERIAL
#define ROUNDED_RECT                                                                               \
    POSITION ", " SIZE ", radius: any(number,number[]), " COLOR                                    \
             ", border: number?, border_color: Vector4?, " MATERIAL
#define TEXT FONT ", " MATERIAL ", " POSITION ", " COLOR ", " OPTIONS
#define TEXT_3D FONT ", " MATERIAL ", " PLACE ", " COLOR ", " OPTIONS
#define TRIANGLE CORNERS ", " COLOR ", " MATERIAL ", uv1: Vector2?, uv2: Vector2?, uv3: Vector2?"
#define TRIANGLES                                                                                  \
    POINTS ", layer: integer?, " COLOR ", " MATERIAL                                               \
           ", uvs: any(Vector2[],Float32Array)?, colors: Vector4[]?"

static const ct_lua_function functions[] = {
    {"arc", ct_api_gui_arc, NEW(ARC),
     "Draws a part of a disc, or with a width of a circle's line, counter-clockwise between two "
     "angles in radians, and returns its id."},
    {"bitmap", ct_api_gui_bitmap, NEW(BITMAP),
     "Draws the texture of a material and returns its id. Options: rotation (radians), pivot, "
     "borders and uv_borders (a nine-slice)."},
    {"bitmap_3d", ct_api_gui_bitmap_3d, NEW(BITMAP_3D),
     "Draws a bitmap at an offset in a pose of its own and returns its id."},
    {"bitmap_3d_uv", ct_api_gui_bitmap_3d_uv, NEW(BITMAP_3D_UV),
     "Draws a part of a texture at an offset in a pose of its own and returns its id."},
    {"bitmap_uv", ct_api_gui_bitmap_uv, NEW(BITMAP_UV),
     "Draws the part of a texture between the UVs of its upper left and lower right corner, and "
     "returns its id."},
    {"caret_position", ct_api_gui_caret_position,
     "(self: Gui, " FONT ", index: integer, " OPTIONS ") -> number, number, number",
     "Returns x, bottom and top of the caret before the character that contains this byte, from "
     "1, of the text without markup; for an index past the end, of the caret after the text."},
    {"circle", ct_api_gui_circle, NEW(CIRCLE),
     "Draws a disc, or with a width a circle's line, and returns its id."},
    {"destroy", destroy, DESTROY, "Destroys an object of any kind."},
    {"destroy_bitmap", destroy_bitmap, DESTROY, "Destroys a bitmap."},
    {"destroy_bitmap_3d", destroy_bitmap, DESTROY, "Destroys a bitmap."},
    {"destroy_rect", destroy_rect, DESTROY, "Destroys a rectangle."},
    {"destroy_rect_3d", destroy_rect, DESTROY, "Destroys a rectangle."},
    {"destroy_text", destroy_text, DESTROY, "Destroys a text."},
    {"destroy_text_3d", destroy_text, DESTROY, "Destroys a text."},
    {"destroy_triangle", destroy_triangle, DESTROY, "Destroys a triangle."},
    {"escape_markup", ct_api_gui_escape_markup, "(text: string) -> string",
     "Returns a text that shows as `text` where markup is on."},
    {"get_id", get_id, "(self: Gui) -> integer", "Returns the Gui's number (World.get_gui_by_id)."},
    {"has_all_glyphs", ct_api_gui_has_all_glyphs,
     "(self: Gui, text: string, font: string(font)) -> boolean",
     "Returns whether a font or one of its fallbacks has glyphs for all characters of a text."},
    {"has_video_player", has_video_player, "() -> string",
     "Returns \"none\": the engine plays no videos."},
    {"hit_test", ct_api_gui_hit_test,
     "(self: Gui, " FONT ", point: any(Vector2,Vector3), " OPTIONS ") -> integer",
     "Returns the byte, from 1, of the text without markup before which a caret is nearest to a "
     "point. The point is relative to the start of the first baseline."},
    {"is_visible", is_visible, "(self: Gui) -> boolean", "Returns whether the Gui is drawn."},
    {"line", ct_api_gui_line, NEW(LINE),
     "Draws a line and returns its id. The z of `from` is the layer."},
    {"material", material, "(self: Gui, material: string(material)) -> Material",
     "Returns a loaded material, which all that use it share."},
    {"move", move, "(self: Gui, pose: Matrix4x4) -> nil",
     "Moves a world Gui: the pose of its lower left corner, x to the right and z up."},
    {"num_objects", num_objects, "(self: Gui) -> integer",
     "Returns the number of objects that the Gui keeps; 0 for an immediate one."},
    {"polyline", ct_api_gui_polyline, NEW(POLYLINE),
     "Draws a line through points (Vector2s, or a Float32Array with x1, y1, x2 and so on) and "
     "returns its id."},
    {"pop_clip", pop_clip, "(self: Gui) -> nil", "Ends the last clip rectangle."},
    {"push_clip", push_clip, "(self: Gui, " POSITION ", " SIZE ") -> nil",
     "Cuts off what is drawn from now on outside of a rectangle, until Gui.pop_clip or the end of "
     "the frame."},
    {"rect", ct_api_gui_rect, NEW(RECT),
     "Draws a rectangle and returns its id. The position is its lower left corner; its z is the "
     "layer."},
    {"rect_3d", ct_api_gui_rect_3d, NEW(RECT_3D),
     "Draws a rectangle at an offset in a pose of its own (x to the right, z up) and returns its "
     "id."},
    {"reset", reset, "(self: Gui) -> nil", "Destroys all objects."},
    {"resolution", resolution, "(viewport: Viewport?, window: Window?) -> number, number",
     "Returns width and height in pixels of a viewport, or of the back buffer."},
    {"rounded_rect", ct_api_gui_rounded_rect, NEW(ROUNDED_RECT),
     "Draws a rectangle with round corners, and with a border inside its edge, and returns its id. "
     "Four radii are those of the corners from the lower left, counter-clockwise."},
    {"set_language", set_language, "(language: string?) -> nil",
     "Sets the language of all text, such as \"sr\" or \"zh-hant\". It decides between forms of "
     "letters and where lines break. nil: the language of the texts that Localizer looks up."},
    {"set_visible", set_visible, "(self: Gui, visible: boolean) -> nil", "Shows or hides the Gui."},
    {"size", size, "(self: Gui, viewport: Viewport?) -> number, number",
     "Returns width and height, in the Gui's units, of the area it draws in."},
    {"text", ct_api_gui_text, NEW(TEXT),
     "Draws text and returns its id. The position is the start of the first baseline, or the lower "
     "left corner of the box that the options width and height make."},
    {"text_3d", ct_api_gui_text_3d, NEW(TEXT_3D),
     "Draws text at an offset in a pose of its own (x to the right, z up) and returns its id."},
    {"text_extents", ct_api_gui_text_extents,
     "(self: Gui, " FONT ", " OPTIONS ") -> Vector2, Vector2, Vector2",
     "Returns the lower left and upper right corner of a text, and where the next text would go "
     "on, all from the start of the first baseline."},
    {"texture_size", texture_size, "(texture: string(texture)) -> number, number",
     "Returns width and height in pixels of a loaded texture."},
    {"theme", ct_api_gui_theme, "(theme: string(gui_theme)) -> table, integer",
     "Returns the colors ({alpha, red, green, blue} from 0 to 255, as Color takes them), fonts, "
     "sizes and times of a loaded theme, and its version (Gui.theme_version)."},
    {"theme_version", ct_api_gui_theme_version, "(theme: string(gui_theme)) -> integer",
     "Returns a number that is another one after a loaded theme has changed."},
    {"triangle", ct_api_gui_triangle, NEW(TRIANGLE), "Draws a triangle and returns its id."},
    {"triangles", ct_api_gui_triangles, NEW(TRIANGLES),
     "Draws triangles, three points each, with UVs and colors of the points if they are given, and "
     "returns the id of them all."},
    {"update_arc", ct_api_gui_update_arc, AGAIN(ARC), "Draws a shape again as this arc."},
    {"update_bitmap", ct_api_gui_update_bitmap, AGAIN(BITMAP), "Draws a bitmap again."},
    {"update_bitmap_3d", ct_api_gui_update_bitmap_3d, AGAIN(BITMAP_3D), "Draws a bitmap again."},
    {"update_bitmap_3d_uv", ct_api_gui_update_bitmap_3d_uv, AGAIN(BITMAP_3D_UV),
     "Draws a bitmap again."},
    {"update_bitmap_uv", ct_api_gui_update_bitmap_uv, AGAIN(BITMAP_UV), "Draws a bitmap again."},
    {"update_circle", ct_api_gui_update_circle, AGAIN(CIRCLE),
     "Draws a shape again as this circle."},
    {"update_line", ct_api_gui_update_line, AGAIN(LINE), "Draws a shape again as this line."},
    {"update_polyline", ct_api_gui_update_polyline, AGAIN(POLYLINE),
     "Draws a shape again as this line."},
    {"update_rect", ct_api_gui_update_rect, AGAIN(RECT), "Draws a rectangle again."},
    {"update_rect_3d", ct_api_gui_update_rect_3d, AGAIN(RECT_3D), "Draws a rectangle again."},
    {"update_rounded_rect", ct_api_gui_update_rounded_rect, AGAIN(ROUNDED_RECT),
     "Draws a shape again as this rectangle."},
    {"update_text", ct_api_gui_update_text, AGAIN(TEXT), "Draws a text again."},
    {"update_text_3d", ct_api_gui_update_text_3d, AGAIN(TEXT_3D), "Draws a text again."},
    {"update_triangle", ct_api_gui_update_triangle, AGAIN(TRIANGLE), "Draws a triangle again."},
    {"update_triangles", ct_api_gui_update_triangles, AGAIN(TRIANGLES),
     "Draws a shape again as these triangles."},
    {"word_wrap", ct_api_gui_word_wrap,
     "(self: Gui, " FONT ", width: number, whitespace: string?, soft_dividers: string?, "
     "return_dividers: string?, " OPTIONS ") -> string[]",
     "Returns the lines of a text that is broken to a width: at characters of `whitespace`, which "
     "are dropped, after those of `soft_dividers`, and at those of `return_dividers` (\"\\n\"). "
     "Without `whitespace` and `soft_dividers` the language's own rules and the options apply."},
};

const ct_lua_module ct_api_gui = {
    .name = "Gui",
    .doc = "Rectangles, pictures, shapes and text, over the picture of a world or on a plane in "
           "it. Make one with World.create_screen_gui or World.create_world_gui.",
    .functions = functions,
    .num_functions = CT_COUNT_OF(functions),
};
