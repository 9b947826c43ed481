// render_view.h: draws a world through a camera by the steps of a viewport.
#pragma once
#include "render/draw/render_draw.h"

// Records everything that the viewport's generators do, into a rectangle of the targets (x, y,
// width, height as fractions), with these values of an environment. A viewport that the config does not have draws nothing. Adds to
// d->stats. Render thread.
void ct_render_view_draw(ct_render_draws *d, ct_render_world *world, const ct_render_view *view,
                         ct_string_id32 viewport, const float rectangle[4],
                         const ct_render_environment_value *values, uint32_t num_values);
