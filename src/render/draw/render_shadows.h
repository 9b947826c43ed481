// render_shadows.h: the shadow map of a view: cascades of the strongest directional light that
// casts shadows.
//
// Objects that cast shadows are collected for each cascade as for a view. This happens before set 0
// is written, because set 0 holds the cascades' matrices. The step then draws them with the
// depth-only pipelines of their shaders. A view without such a step, or a world without such a
// light, has no cascades. Render thread.
#pragma once
#include "render/draw/render_draw.h"

// Places the cascades and collects the objects that cast shadows into the lists after the view's.
// `step` is the shadow step of the viewport, or NULL: then there are no cascades.
void ct_render_shadows_collect(ct_render_draws *d, ct_render_world *world,
                               const ct_render_view *view, const ct_render_graph_step *step);

// Writes the cascades to the lights of set 0.
void ct_render_shadows_fill(const ct_render_draws *d, ct_render_lights_block *lights);

// Records the map: clears it and draws each cascade's list into its square.
void ct_render_shadows_draw(ct_render_draws *d, const ct_render_graph_step *step);
