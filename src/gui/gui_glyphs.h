// gui_glyphs.h: where glyphs are in the pages of the renderer.
//
// Pages are 1024 x 1024 pixels. Those of a compiled font are copied whole, one under the other, into
// pages of their own kind, when the font comes online. A glyph that no compiled page holds is
// rasterised when it is first needed, on a service thread (gui_glyph_service.h), and goes to a cell
// of a dynamic page (gui_glyph_cells.h). At most 128 glyphs come in a frame. Until a glyph is there
// nothing is drawn in its place.
//
// When no cell of the right size is free and CT_GUI_MAX_DYNAMIC_PAGES are in use, the cell that was
// not used for longest goes; when all cells of that size are in use, the page that was not used for
// longest is cut into cells of that size. What was used in this frame or the last stays, and so does
// what retained texts use. A glyph that finds no room is requested again some frames later. Update
// thread.
#pragma once
#include "render/renderer.h"
#include "text/text.h"

typedef struct ct_gui_glyphs ct_gui_glyphs;

enum { CT_GUI_MAX_DYNAMIC_PAGES = 16 };

// Makes an empty table; `text` and `r` must outlive it. Page 0 gets a white spot for rules.
ct_gui_glyphs *ct_gui_glyphs_create(ct_allocator *a, ct_renderer *r, ct_text *text);

// Frees the table.
void ct_gui_glyphs_destroy(ct_gui_glyphs *g);

// Copies the pages of a font to the renderer, in place of those of the font of this name before;
// NULL: the font goes. The blob is borrowed until then. Logs an error when pages do not fit.
void ct_gui_glyphs_set_font(ct_gui_glyphs *g, ct_string_id64 name, const ct_font_resource *font);

// Fills the quads of a layout with what is drawn of its glyphs now, relative to the layout's
// origin; those without a picture are left out, num_quads says how many there are. Requests missing
// glyphs. Cheap when the layout is fixed. Returns true when glyphs are missing: resolve the layout
// again when ct_gui_glyphs_version has risen.
bool ct_gui_glyphs_resolve(ct_gui_glyphs *g, ct_text_layout *layout);

// Returns the effect of vertices (core/shaders/gui_text.shader) of glyphs without outline and the
// like; the page is to be added.
static inline uint32_t ct_gui_fill_effect(const ct_font_resource *font) {
    return font->flags & CT_FONT_DISTANCE_FIELD ? 128u << 8 | (uint32_t)font->spread << 24 : 0;
}

// Returns whether a layout that was resolved is fixed: its quads change no more and use no dynamic
// glyphs, so it need not be resolved to keep them (ct_gui_glyphs_on_evict).
bool ct_gui_glyphs_is_fixed(const ct_text_layout *layout);

// Returns a number that rises when a glyph comes, or can be requested again.
uint64_t ct_gui_glyphs_version(const ct_gui_glyphs *g);

// Takes finished glyphs to the pages, at most 128 but after ct_gui_glyphs_wait.
void ct_gui_glyphs_take(ct_gui_glyphs *g);

// The same, and starts the next frame.
void ct_gui_glyphs_end_frame(ct_gui_glyphs *g);

// Sets what is called before glyphs are evicted that were in use when it was last called, at most
// once a frame: it resolves the layouts that must keep theirs. Those that are not fixed, and were
// not resolved since then, may lose glyphs.
void ct_gui_glyphs_on_evict(ct_gui_glyphs *g, void (*touch)(void *user), void *user);

// Waits until all glyphs that were asked for are rasterised; the next end of a frame takes them
// all.
void ct_gui_glyphs_wait(ct_gui_glyphs *g);

// Returns the UVs of a spot that is white, on page 0.
void ct_gui_glyphs_white(float uv[2]);
