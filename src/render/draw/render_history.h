// render_history.h: what views were in the frame before.
//
// A view is known by its world, its viewport and its rectangle; when a frame draws the same one
// several times, the first is the first of the frame before, and so on. It is continuous while it
// is drawn in each frame by the same shot (ct_render_view); otherwise the camera has cut, and
// nothing was before. Render thread.
#pragma once
#include "foundation/container/array.h"
#include "render/render_gui.h"

enum { CT_RENDER_JITTER_COUNT = 8 }; // offsets, which repeat

// A view that is about to be drawn.
typedef struct ct_render_history_view {
    ct_render_world_id world;
    ct_string_id32 viewport;
    float rectangle[4];
    uint64_t frame;
    uint32_t shot;
    uint64_t version, steps;  // of the targets; of the steps that run: pictures are of use while
                              // both are the same
    bool is_jittered;         // in this frame
    float pixels[2];          // width and height of what is drawn to, for jitter
    ct_mat4 view_projection;  // without jitter
    float camera_position[4]; // world space
    double seconds;           // of the world
} ct_render_history_view;

// The view in the frame before. Where there was none, it is as now.
typedef struct ct_render_history_last {
    ct_mat4 view_projection; // without jitter
    float camera_position[4];
    float jitter[4];   // x, y of this frame, then of the last, in fractions of the rectangle
    float seconds;     // since then
    uint32_t number;   // of frames since the last cut
    bool has_pictures; // what was drawn then is of use
} ct_render_history_last;

// What is remembered of a view.
typedef struct ct_render_history_item {
    ct_render_history_view view;
    float jitter[2];
    uint32_t number;
} ct_render_history_item;

typedef struct ct_render_history {
    uint64_t frame;                         // of the last view
    CT_ARRAY(ct_render_history_item) items; // of that frame and the one before
} ct_render_history;

// Starts empty, with memory from `a`.
void ct_render_history_init(ct_render_history *h, ct_allocator *a);

// Frees everything.
void ct_render_history_free(ct_render_history *h);

// Forgets all views, when the device and its pictures are gone.
void ct_render_history_clear(ct_render_history *h);

// Remembers the view, and returns what it was in the frame before.
ct_render_history_last ct_render_history_take(ct_render_history *h,
                                              const ct_render_history_view *view);

// Returns what a view was that takes nothing from other frames. It is not remembered.
ct_render_history_last ct_render_history_none(const ct_render_history_view *view);

// Returns offset `number` in a pixel, each from -0.5 to 0.5 in x and y (Halton 2, 3).
void ct_render_jitter_offset(uint32_t number, float offset[2]);
