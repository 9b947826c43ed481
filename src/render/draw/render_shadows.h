// render_shadows.h: the shadow map of a view: cascades of the strongest directional light that
// casts shadows.
//
// What casts shadows is collected for each cascade as for a view, before set 0 is written, which
// has the cascades' matrices; the step draws it, with the depth-only pipelines of its shaders. A
// view without such a step, or a world without such a light, has no cascades. Render thread.
#pragma once
#include "render/draw/render_draw.h"

// Places the cascades and collects what casts shadows into the lists after the view's. `step` is
// the viewport's, or NULL.
void ct_render_shadows_collect(ct_render_draws *d, ct_render_world *world,
                               const ct_render_view *view, const ct_render_graph_step *step);

// Writes the cascades to the lights of set 0.
void ct_render_shadows_fill(const ct_render_draws *d, ct_render_lights_block *lights);

// Records the map: clears it and draws each cascade's list into its square.
void ct_render_shadows_draw(ct_render_draws *d, const ct_render_graph_step *step);
