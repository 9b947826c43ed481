// render_step.h: runs one step of a render config for a view.
#pragma once
#include "render/draw/render_draw.h"

// Records what the step does to the view that was begun (ct_render_graph_begin_view). Draws are
// counted in d->stats.
void ct_render_step_run(ct_render_draws *d, ct_render_world *world, ct_render_graph_step *step,
                        const ct_render_frame_set *set);
