// render_pass.h: steps that run a shader by itself: fullscreen passes and compute steps.
//
// Their material's block is copied for each, with what settings say in it.
#pragma once
#include "render/draw/render_draw.h"

// Each records the step, or warns (once) and does nothing when its shader is not one for it, or is
// not loaded, or its material is not of that shader.
void ct_render_pass_draw(ct_render_draws *d, ct_render_graph_step *step,
                         const ct_render_frame_set *set);
void ct_render_pass_compute(ct_render_draws *d, ct_render_graph_step *step,
                            const ct_render_frame_set *set);
