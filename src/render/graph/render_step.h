// render_step.h: runs one step of a render config for a view.
#pragma once
#include "render/draw/render_draw.h"

// Records what the step does in the view that was begun (ct_render_graph_begin_view). Adds to
// d->stats. Render thread.
void ct_render_step_run(ct_render_draws *d, ct_render_world *world, ct_render_graph_step *step,
                        const ct_render_frame_set *set);
