// render_gui.h: batches of quads that the render thread keeps for GUIs, and the pages of glyphs.
//
// A GUI is a set of batches in a world; it is drawn in every view of the world, in a layer of the
// render config. A batch holds the vertices of all objects with the same layer and material, so
// that they are drawn with one call (object/render_batches.h). An object is a number of quads: it is
// set by its slot, a number that the caller issues, replaced by setting it again, and removed; or
// it is appended, and lasts for this frame. Layers are drawn in order, the batches of a layer in
// any order. (Bitsquid's Dual-Mode GUIs.)
//
// A quad is 4 vertices, drawn as the triangles 0 1 2 and 2 3 0; a triangle is a quad whose last two
// vertices are the same. Both sides are visible.
//
// Glyphs are in pages: one array texture of 8 bits, which shaders read as the texture
// "core/textures/glyphs". All functions are for the update thread.
#pragma once
#include "render/renderer.h"

// A set of batches; {0} is invalid.
typedef struct ct_render_gui_id {
    uint32_t value;
} ct_render_gui_id;

enum {
    CT_RENDER_GLYPH_PAGE_SIZE = 1024, // pixels, width and height
    CT_RENDER_MAX_GLYPH_PAGES = 64,
    CT_RENDER_MAX_GUI_LAYER = (1 << 23) - 1, // layers are from minus this to this
};

// A corner of a quad. A multiple of 4 vertices fills the stream without gaps.
typedef struct ct_batch_vertex {
    float position[3]; // GUI space: x right, y up, z away from the viewer of a world GUI
    float uv[2];
    uint32_t color;  // bytes: red in the lowest, green, blue, alpha; sRGB, not premultiplied
    uint32_t effect; // four bytes for the shader
} ct_batch_vertex;

// How a GUI's space is placed.
typedef enum ct_render_gui_space {
    CT_RENDER_GUI_SPACE_SCREEN, // over the view, from its lower left corner
    CT_RENDER_GUI_SPACE_WORLD,  // on a plane in the world
} ct_render_gui_space;

typedef struct ct_render_gui_desc {
    ct_mat4 pose;         // WORLD: x axis to the right, z axis up
    float offset[2];      // SCREEN: added to all positions
    float reference[2];   // SCREEN: this size of the GUI's space fills the view as far as it can,
                          // in its middle; 0: units are pixels
    float scale[2];       // WORLD: metres of a unit
    ct_string_id32 layer; // of the render config
    uint32_t space;       // ct_render_gui_space
    bool is_immediate;    // objects are appended, and removed after each frame
    bool is_on_top;       // not hidden by what is in front
    bool is_hidden;       // not drawn
} ct_render_gui_desc;

// Adds a GUI to `world`. `desc` is copied. GUIs are drawn in the order in which they were made.
ct_render_gui_id ct_render_gui_create(ct_renderer *r, ct_render_world_id world,
                                      const ct_render_gui_desc *desc);

// Replaces a GUI's description, all but is_immediate.
void ct_render_gui_set(ct_renderer *r, ct_render_world_id world, ct_render_gui_id gui,
                       const ct_render_gui_desc *desc);

// Removes a GUI with its objects.
void ct_render_gui_destroy(ct_renderer *r, ct_render_world_id world, ct_render_gui_id gui);

// Removes all objects of a GUI.
void ct_render_gui_clear(ct_renderer *r, ct_render_world_id world, ct_render_gui_id gui);

// Where an object goes: what decides its batch.
typedef struct ct_render_gui_key {
    ct_render_world_id world;
    ct_render_gui_id gui;
    ct_string_id64 material;
    int32_t layer; // at most CT_RENDER_MAX_GUI_LAYER, up and down
} ct_render_gui_key;

// Appends `num_quads` (not 0) quads to an immediate GUI. Returns room for their vertices, 4 for
// each quad, for the caller to fill before the next call. Quads of the same key one after another
// cost no more than their vertices.
ct_batch_vertex *ct_render_gui_append(ct_renderer *r, const ct_render_gui_key *key,
                                      uint32_t num_quads);

// Sets the object in `slot` of a retained GUI to `num_quads` quads; 0 keeps an object without
// quads. Returns room for their vertices as above. Slots should be small numbers.
ct_batch_vertex *ct_render_gui_set_object(ct_renderer *r, const ct_render_gui_key *key,
                                          uint32_t slot, uint32_t num_quads);

// Removes `count` objects of a retained GUI. Slots without an object are skipped.
void ct_render_gui_remove_objects(ct_renderer *r, ct_render_world_id world, ct_render_gui_id gui,
                                  const uint32_t *slots, uint32_t count);

// A rectangle of a page of glyphs, in pixels from its top left corner.
typedef struct ct_render_glyph_area {
    uint32_t page, x, y, width, height;
} ct_render_glyph_area;

// Writes the pixels of a rectangle of a page, rows from the top; they are copied. The page comes to
// be when it is first written, black.
void ct_render_write_glyphs(ct_renderer *r, const ct_render_glyph_area *area,
                            const uint8_t *pixels);
