// render_gui_draw.h: uploads and draws the GUIs of worlds.
//
// A GUI is drawn in the layer of the render config that it names, after the layer's objects: its
// batches in order, one draw for each. The matrix from the GUI's space to clip space goes to the
// shader as push constants, so that all views share the vertices. Render thread.
#pragma once
#include "render/draw/render_draw.h"

// Copies what changed in the GUIs of `world` to the device. Call it outside of a rendering, once a
// frame, before the world's views.
void ct_render_guis_upload(ct_render_world *world, ct_render_frames *f);

// Draws the GUIs of `world` that are in the step's layer into the open rendering, which is to the
// step's targets. `set` is set 0.
void ct_render_guis_draw(ct_render_draws *d, ct_render_world *world,
                         const ct_render_graph_step *step, const ct_render_frame_set *set);

// Warns of GUIs whose layer the render config does not have, once for each.
void ct_render_guis_check_layers(const ct_render_graph *g, ct_render_world *world);
