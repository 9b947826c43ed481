// gui_private.h: shared by the files of this folder.
//
// What is kept of an object on this side is a slot of 8 bytes: its kind and generation, by which
// stale ids are found, and of a text the place of its record. A record holds what a text was made
// from, since a text must be made again when a font changes or a glyph comes.
#pragma once
#include <emmintrin.h>

#include "foundation/container/array.h"
#include "gui/gui.h"
#include "gui/gui_glyphs.h"
#include "render/render_gui.h"

// A rectangle; empty when max is not greater than min.
typedef struct ct_gui_box {
    float min[2], max[2];
} ct_gui_box;

typedef struct ct_gui_slot {
    uint16_t generation;
    uint8_t kind; // ct_gui_kind; NONE: free
    uint8_t padding;
    uint32_t link; // of a free slot the next one, or 0; of a text its record + 1
} ct_gui_slot;

// A retained text.
typedef struct ct_gui_text_record {
    ct_gui_draw draw; // without `pose`
    ct_gui_text_desc desc;
    char *text;             // owned; desc.text.text
    uint32_t text_capacity; // bytes
    ct_mat4 pose;
    bool has_pose, has_clip;
    bool is_waiting; // glyphs of it are still being rasterised
    bool is_fixed;   // it uses compiled glyphs only: found out when it is made again or touched
    ct_gui_box clip;
    uint32_t slot;
} ct_gui_text_record;

// A point of a path, with the offsets of its edges for a distance of 1.
typedef struct ct_gui_corner {
    ct_vec2 position, left, right; // left: for negative distances
} ct_gui_corner;

struct ct_gui_system {
    ct_allocator *backing;   // of the struct itself
    ct_allocator *allocator; // proxy
    ct_renderer *renderer;
    ct_resource_manager *resources;
    ct_text *text;
    ct_gui_glyphs *glyphs;
    CT_ARRAY(ct_gui *) guis; // in the order in which they were made
    uint32_t last_number;
    uint64_t texts_version;  // of the glyphs when the retained texts were last made
    uint32_t texts_language; // number of the language at that time
    bool has_new_fonts;      // since then, or another language
    bool has_language;       // the game has set one
    bool has_warned_of_full;
    // Scratch, kept from object to object:
    CT_ARRAY(ct_batch_vertex) quads, clipped;
    CT_ARRAY(ct_vec2) points;
    CT_ARRAY(ct_gui_corner) corners; // of the path through the points
};

struct ct_gui {
    ct_gui_system *system;
    ct_gui_desc desc;
    ct_render_gui_id id;
    uint32_t number; // 1 to 65535
    bool is_hidden;
    CT_ARRAY(ct_gui_slot) slots; // the first is not used
    uint32_t first_free;
    uint32_t num_objects;
    CT_ARRAY(ct_gui_text_record *) texts;
    ct_gui_box clips[CT_GUI_MAX_CLIPS]; // each within the one before
    uint32_t num_clips;
};

// Writes the four corners of an upright rectangle at once: `corners` and `uvs` are of the lower left
// and the upper right (x, y, x, y). 28 stores of one number each would take twice as long as these 7
// of four.
static inline void ct_gui_write_quad(ct_batch_vertex *v, __m128 corners, __m128 uvs, uint32_t color,
                                     uint32_t effect) {
    const __m128 zero = _mm_setzero_ps(), p = corners, t = uvs;
    const __m128 k = _mm_castsi128_ps(
        _mm_set_epi32((int32_t)effect, (int32_t)color, (int32_t)effect, (int32_t)color));
    const __m128 y0 = _mm_shuffle_ps(p, zero, _MM_SHUFFLE(0, 0, 1, 1));
    const __m128 y1 = _mm_shuffle_ps(p, zero, _MM_SHUFFLE(0, 0, 3, 3));
    const __m128 v0_color = _mm_shuffle_ps(t, k, _MM_SHUFFLE(1, 0, 1, 1));
    const __m128 v1_color = _mm_shuffle_ps(t, k, _MM_SHUFFLE(0, 0, 3, 3));
    const __m128 effect_x0 = _mm_shuffle_ps(k, p, _MM_SHUFFLE(0, 0, 1, 1));
    const __m128 effect_x1 = _mm_shuffle_ps(k, p, _MM_SHUFFLE(2, 2, 1, 1));
    float *const out = v->position;
    _mm_storeu_ps(out, _mm_movelh_ps(p, _mm_unpacklo_ps(zero, t))); // x0 y0 0 u0
    _mm_storeu_ps(out + 4, _mm_shuffle_ps(v0_color, effect_x1, _MM_SHUFFLE(2, 0, 2, 0)));
    _mm_storeu_ps(out + 8, _mm_shuffle_ps(y0, t, _MM_SHUFFLE(1, 2, 2, 0))); // y0 0 u1 v0
    _mm_storeu_ps(out + 12, _mm_shuffle_ps(k, p, _MM_SHUFFLE(3, 2, 1, 0)));
    _mm_storeu_ps(out + 16, _mm_shuffle_ps(_mm_unpackhi_ps(zero, t), v1_color,
                                           _MM_SHUFFLE(2, 0, 1, 0))); // 0 u1 v1 color
    _mm_storeu_ps(out + 20, _mm_shuffle_ps(effect_x0, y1, _MM_SHUFFLE(2, 0, 2, 0)));
    _mm_storeu_ps(out + 24, _mm_shuffle_ps(t, k, _MM_SHUFFLE(1, 0, 3, 0))); // u0 v1 color effect
}

// --- Objects (gui.c) -----------------------------------------------------------------------------

// Returns what decides the batch of an object.
static inline ct_render_gui_key ct_gui_key_of(const ct_gui *g, const ct_gui_draw *draw,
                                              ct_gui_kind kind) {
    const ct_string_id64 own = kind == CT_GUI_KIND_TEXT ? g->desc.text_material : g->desc.material;
    return (ct_render_gui_key){.world = g->desc.world,
                               .gui = g->id,
                               .material = draw->material.value ? draw->material : own,
                               .layer = draw->layer};
}

// Returns a retained object's slot: that of `draw->id`, or a new one of this kind; 0 when there are
// too many.
uint32_t ct_gui_slot_for(ct_gui *g, const ct_gui_draw *draw, ct_gui_kind kind);

// Returns the id of the object in a slot.
ct_gui_object_id ct_gui_id_of(const ct_gui *g, uint32_t slot);

// Returns how many units of the GUI a pixel of the screen is.
float ct_gui_pixel(const ct_gui *g);

// --- Quads (gui_quads.c) -------------------------------------------------------------------------

// Empties the scratch array of quads.
void ct_gui_begin_quads(ct_gui_system *s);

// Returns room for `count` more quads, whose vertices are undefined. Borrowed until the next call.
ct_batch_vertex *ct_gui_add_quads(ct_gui_system *s, uint32_t count);

// Adds a quad with these corners: lower left, lower right, upper right, upper left.
void ct_gui_add_quad(ct_gui_system *s, const ct_vec2 corners[4], const ct_vec2 uvs[4],
                     uint32_t color);

// Sends the scratch quads as an object of this kind: moved by the pose, or cut at the clip
// rectangle. Returns its id.
ct_gui_object_id ct_gui_send_quads(ct_gui *g, const ct_gui_draw *draw, ct_gui_kind kind);

// --- Texts (gui_text.c) --------------------------------------------------------------------------

// Frees a record and takes it from the GUI.
void ct_gui_drop_text(ct_gui *g, uint32_t record);

// Makes texts again: all, or those that wait for glyphs.
void ct_gui_remake_texts(ct_gui *g, bool is_all);

// Marks the glyphs of retained texts as used in this frame, before others are evicted.
void ct_gui_touch_texts(ct_gui_system *s);
