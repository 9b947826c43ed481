// render_pass.h: steps that run a shader by itself: fullscreen passes and compute steps.
//
// Each step gets a copy of its material's block, with the values of its settings. A step warns
// (once) and does nothing when its shader is not loaded or does not fit the step, or when its
// material is not of that shader. Render thread.
#pragma once
#include "render/draw/render_draw.h"

// Records a fullscreen pass.
void ct_render_pass_draw(ct_render_draws *d, ct_render_graph_step *step,
                         const ct_render_frame_set *set);

// Records a compute step, outside of a rendering.
void ct_render_pass_compute(ct_render_draws *d, ct_render_graph_step *step,
                            const ct_render_frame_set *set);
