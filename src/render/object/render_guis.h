// render_guis.h: the GUIs of a world of the render thread, each a set of batches.
//
// GUIs keep the order in which they were made, which is that of their ids. Render thread.
#pragma once
#include "render/object/render_batches.h"

typedef struct ct_render_gui {
    ct_render_gui_id id;
    ct_render_gui_desc desc;
    ct_render_batches batches;
    bool has_warned; // that the render config does not have its layer
} ct_render_gui;

typedef CT_ARRAY(ct_render_gui) ct_render_gui_array;

// Adds a GUI.
void ct_render_guis_add(ct_render_gui_array *guis, ct_render_gui_id id,
                        const ct_render_gui_desc *desc);

// Returns the GUI of this id; NULL when there is none. O(log n). Borrowed until GUIs are added or removed.
ct_render_gui *ct_render_guis_find(ct_render_gui_array *guis, ct_render_gui_id id);

// Removes a GUI with its batches.
void ct_render_guis_remove(ct_render_gui_array *guis, ct_render_gui_id id, ct_render_context *c);

// Frees all GUIs and the array.
void ct_render_guis_free(ct_render_gui_array *guis, ct_render_context *c);

// Takes everything from the device; the next upload brings it back.
void ct_render_guis_drop(ct_render_gui_array *guis, ct_render_context *c);

// Removes the quads of immediate GUIs, before another frame's are appended.
void ct_render_guis_clear_frame(ct_render_gui_array *guis);
