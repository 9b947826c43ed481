// render_sky.h: the sky around the camera, for reflections.
//
// A step of type capture_sky draws its layer into six squares of its target, which look along x,
// -x, y, -y, z and -z, three in a row. It draws only when what the squares show has changed: the
// objects of the layer but for their positions, their materials, and the directional lights. A
// number of 64 bits stands for all of that, so several views and worlds with the same sky share
// what was drawn; those with different ones draw theirs again, each before its own steps. What
// shaders draw from the time alone does not count as a change. Steps with when = "sky_captured"
// make something of the squares, for the whole of their targets. Where the layer leaves the squares
// empty they have the colour ground_light. Render thread.
#pragma once
#include "render/draw/render_draw.h"

// Finds what the layer of `step` shows, and whether it must be drawn; then it gets a list of its
// own. `step` is the step of the viewport, or NULL: then there is no sky. Sets
// `d->is_sky_captured` and whether shaders read the map. Call it after
// ct_render_step_lists_collect.
void ct_render_sky_collect(ct_render_draws *d, const ct_render_world *world,
                           const ct_render_graph_step *step);

// Returns the number of blocks of set 0 that the sky takes in the view: CT_RENDER_SKY_BLOCKS or 0.
uint32_t ct_render_sky_num_blocks(const ct_render_draws *d);

// Makes the block of a view that of block `i` of the sky.
void ct_render_sky_fill(const ct_render_draws *d, uint32_t i, ct_render_view_block *block);

// Draws the squares, when that is due.
void ct_render_sky_draw(ct_render_draws *d, const ct_render_graph_step *step);

// Runs `step`, which waits for the sky, with the whole of its targets in place of the view's
// rectangle. `run` is ct_render_step_run.
void ct_render_sky_run(ct_render_draws *d, ct_render_world *world, ct_render_graph_step *step,
                       void (*run)(ct_render_draws *d, ct_render_world *world,
                                   ct_render_graph_step *step, const ct_render_frame_set *set));
