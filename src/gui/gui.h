// gui.h: dual-mode GUIs: objects drawn from rectangles, pictures, shapes and text.
//
// A GUI belongs to a world and is drawn in each view of it: a screen GUI over the view's picture,
// a world GUI on a plane in the world. Each call makes one object: its key (layer, material) and
// its vertices go to the render thread, which keeps them in batches (render/object/render_batches.h).
// In a retained GUI an object stays until it is destroyed, and is changed by drawing it again with
// its id: all its data is given again, as nothing of it is kept here. Only texts keep what they were
// made from, to be made again when a font changes or a glyph's picture comes. In an immediate GUI
// objects last for one frame, and calls return the id 0. (Bitsquid's Dual-Mode GUIs.)
//
// Each object has one of a GUI's layers, whole numbers: a higher layer is drawn over a lower one;
// the order of objects within a layer is undefined.
//
// Coordinates: x to the right, y up, from the GUI's lower left corner, in pixels of the view, in
// units of the reference resolution, or in the units of a world GUI's size. Colours are bytes: red
// in the lowest, then green, blue and alpha; sRGB, alpha not multiplied in. A position, size or
// colour that is not finite draws nothing. All functions are for the update thread.
#pragma once
#include "foundation/math/math_types.h"
#include "render/renderer.h"
#include "text/text.h"

typedef struct ct_gui_system ct_gui_system;
typedef struct ct_gui ct_gui;

// An object of a GUI: whole numbers below 2^53; 0 is invalid.
typedef struct ct_gui_object_id {
    uint64_t value;
} ct_gui_object_id;

enum {
    CT_GUI_MAX_OBJECTS = (1 << 20) - 1, // retained ones, of a GUI
    CT_GUI_MAX_LAYER = (1 << 23) - 1,   // layers are from minus this to this
    CT_GUI_MAX_CLIPS = 32,              // open at the same time
    CT_GUI_MAX_POINTS = 65536,          // of a polyline or triangle list
};

typedef enum ct_gui_kind {
    CT_GUI_KIND_NONE,
    CT_GUI_KIND_RECT,
    CT_GUI_KIND_BITMAP,
    CT_GUI_KIND_TRIANGLE,
    CT_GUI_KIND_TEXT,
    CT_GUI_KIND_SHAPE, // lines, arcs, rounded rectangles, lists of triangles
} ct_gui_kind;

// --- The system ----------------------------------------------------------------------------------

typedef struct ct_gui_system_desc {
    ct_allocator *allocator;
    ct_renderer *renderer;
    ct_resource_manager *resources;  // the system registers for fonts; NULL: there are none
    const ct_string_id64 *fallbacks; // fonts that every font falls back to; copied
    uint32_t num_fallbacks;
} ct_gui_system_desc;

// Makes the system and registers for the resource type font.
ct_gui_system *ct_gui_system_create(const ct_gui_system_desc *desc);

// Ends all GUIs and frees the system.
void ct_gui_system_destroy(ct_gui_system *s);

// Returns the text engine, for measuring. Borrowed.
ct_text *ct_gui_system_text(ct_gui_system *s);

// Adds a font, replaces it, or (`font` NULL) removes it; resources of the type font come so by
// themselves. The blob is borrowed until then.
void ct_gui_system_set_font(ct_gui_system *s, ct_string_id64 name, const ct_font_resource *font);

// Sets the language of all text (text/text.h), which decides between forms of glyphs and where lines
// break; NULL: that of ct_gui_system_follow_language again. Retained texts are made again at the end
// of the frame when the language is another. Copied.
void ct_gui_system_set_language(ct_gui_system *s, const char *language);

// Sets the language that counts while none is set: that of the texts that the game looks up. Costs
// a comparison when it is the same. Copied.
void ct_gui_system_follow_language(ct_gui_system *s, const char *language);

// Call it once a frame, after the game has drawn and before ct_renderer_end_frame: brings in the
// glyphs that were rasterised meanwhile, makes texts again that they or a new font change, and ends
// the text engine's frame.
void ct_gui_system_end_frame(ct_gui_system *s);

// The same for a part of a frame (ct_renderer_split_frame): clip rectangles stay open, glyphs that were
// used in the frame stay where they are, and the text engine's frame goes on.
void ct_gui_system_end_part(ct_gui_system *s);

// Waits until all glyphs that were asked for are rasterised; ct_gui_system_end_frame then brings
// them in. For tests and pictures: nothing else waits for a glyph.
void ct_gui_system_wait_for_glyphs(ct_gui_system *s);

// --- GUIs ----------------------------------------------------------------------------------------

typedef struct ct_gui_desc {
    ct_render_world_id world;
    bool is_immediate;
    bool is_world;       // on a plane in the world; else over the view
    bool is_on_top;      // of a world GUI: not hidden by what is in front of it
    ct_mat4 pose;        // of a world GUI: its lower left corner, x axis to the right, z axis up
    float width, height; // of a world GUI: the size of its plane in metres
    float x, y;          // of a screen GUI: the position of its corner in the view, in its units
    // Of a screen GUI, the size that the view has in its units: the view is scaled so that all of
    // this shows, as large as it can, in the middle. Of a world GUI, the size of its plane in its
    // units. 0: pixels; metres.
    float reference_width, reference_height;
    ct_string_id32 render_layer;  // of the render config; {0}: "gui" or "world_gui"
    ct_string_id64 material;      // of rectangles and shapes; {0}: core/materials/gui
    ct_string_id64 text_material; // {0}: core/materials/gui_text
} ct_gui_desc;

// Makes a GUI in a world.
ct_gui *ct_gui_create(ct_gui_system *s, const ct_gui_desc *desc);

// Ends a GUI with its objects. Call it before its world is destroyed.
void ct_gui_destroy(ct_gui *g);

// Returns the number of a GUI, from 1; numbers are not used again within 65535 GUIs.
uint32_t ct_gui_number(const ct_gui *g);

// Returns the GUI's description as it is now. Borrowed.
const ct_gui_desc *ct_gui_get_desc(const ct_gui *g);

// Moves a world GUI.
void ct_gui_move(ct_gui *g, const ct_mat4 *pose);

// Destroys all objects.
void ct_gui_reset(ct_gui *g);

// Shows or hides the GUI.
void ct_gui_set_visible(ct_gui *g, bool is_visible);

// Returns whether the GUI is shown.
bool ct_gui_is_visible(const ct_gui *g);

// Returns the size of the area in which the GUI is drawn, in its units, for a view of `view_width`
// x `view_height` pixels.
void ct_gui_area(const ct_gui *g, float view_width, float view_height, float *width, float *height);

// Returns the object's kind; NONE when it is not an object of this GUI: destroyed, or of another.
ct_gui_kind ct_gui_kind_of(const ct_gui *g, ct_gui_object_id id);

// Returns the number of retained objects.
uint32_t ct_gui_num_objects(const ct_gui *g);

// Destroys an object, which must exist.
void ct_gui_destroy_object(ct_gui *g, ct_gui_object_id id);

// --- Clip rectangles -----------------------------------------------------------------------------

// Cuts off all that is drawn from now on, and is not 3D, outside of this rectangle and those that
// are open. Returns false and does nothing when CT_GUI_MAX_CLIPS are open.
bool ct_gui_push_clip(ct_gui *g, float x, float y, float width, float height);

// Ends the last clip rectangle. Returns false when none is open. All end with the frame.
bool ct_gui_pop_clip(ct_gui *g);

// --- Objects -------------------------------------------------------------------------------------

// What all objects have. With `id` an object of the GUI is replaced, which must exist and be of the
// same kind; {0} makes a new one.
typedef struct ct_gui_draw {
    ct_gui_object_id id;
    int32_t layer;
    uint32_t color;
    ct_string_id64 material; // {0}: the GUI's
    const ct_mat4 *pose; // of the 3D variants: from the object's own space to the GUI's, where x
                         // is right, y away from the viewer and z up; NULL: none. The object
                         // lies across y. Not clipped
    ct_vec3 offset;      // with `pose`: added to all points in the object's space
} ct_gui_draw;

// All of these return the object's id; {0} from an immediate GUI, or when CT_GUI_MAX_OBJECTS are
// there (an error is logged once).

// A rectangle of one colour. `min` is its lower left corner.
ct_gui_object_id ct_gui_rect(ct_gui *g, const ct_gui_draw *draw, ct_vec2 min, ct_vec2 size);

// A picture.
typedef struct ct_gui_bitmap_desc {
    ct_vec2 min, size;    // lower left corner
    ct_vec2 uv_00, uv_11; // of the upper left and the lower right corner
    float rotation;       // radians, counter-clockwise
    ct_vec2 pivot;        // of the rotation, from `min`
    // Of a nine-slice: the widths of the borders that keep their size: left, bottom, right, top, in
    // units of the GUI; and how much of the UVs they take, as fractions of 1. 0: no slices.
    float borders[4], uv_borders[4];
} ct_gui_bitmap_desc;

// A picture of the material, which is stretched, cut at UVs, rotated, or sliced.
ct_gui_object_id ct_gui_bitmap(ct_gui *g, const ct_gui_draw *draw, const ct_gui_bitmap_desc *desc);

// Triangles: three points each; `uvs` and `colors` (of each point) may be NULL. At most
// CT_GUI_MAX_POINTS points. `kind` is TRIANGLE or SHAPE.
ct_gui_object_id ct_gui_triangles(ct_gui *g, const ct_gui_draw *draw, ct_gui_kind kind,
                                  const ct_vec3 *points, const ct_vec2 *uvs, const uint32_t *colors,
                                  uint32_t num_points);

// A line through `num_points` points (2 to CT_GUI_MAX_POINTS), with mitred corners (bevelled where they are sharp) and smooth
// edges. `is_closed` joins the ends.
ct_gui_object_id ct_gui_polyline(ct_gui *g, const ct_gui_draw *draw, const ct_vec2 *points,
                                 uint32_t num_points, float width, bool is_closed);

// A part of a disc or (`width` > 0) of a circle's line, counter-clockwise from `from` to `to`, in
// radians; a whole one when they are at least a turn apart. Smooth edges.
ct_gui_object_id ct_gui_arc(ct_gui *g, const ct_gui_draw *draw, ct_vec2 center, float radius,
                            float from, float to, float width);

// A rectangle with round corners; `radii` of the corners: lower left, lower right, upper right,
// upper left. With `border` > 0 a line of that width inside its edge has `border_color`. Smooth
// edges.
ct_gui_object_id ct_gui_rounded_rect(ct_gui *g, const ct_gui_draw *draw, ct_vec2 min, ct_vec2 size,
                                     const float radii[4], float border, uint32_t border_color);

// Where text is: at a point on the baseline of the first line, or in a box.
typedef struct ct_gui_text_desc {
    ct_text_desc text;
    ct_vec2 position; // of the first baseline's start; of a box (text.width > 0 and height > 0) the
                      // lower left corner
    float height;     // of the box; 0: none
    float
        vertical; // where the text is in the box: 0 at the bottom, 0.5 in the middle, 1 at the top
} ct_gui_text_desc;

// Text. `draw->color` is not used: the style has colours.
ct_gui_object_id ct_gui_text(ct_gui *g, const ct_gui_draw *draw, const ct_gui_text_desc *desc);
