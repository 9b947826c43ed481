// render_step_lists.h: the draws of steps that do not draw a layer as it is.
//
// A step with a material of its own, or one that draws only outlined objects, has a list of its
// own: those items of the layer in the view's list that it draws, with its material, in the same
// order. Their instances are placed again, because another shader has other instanced values.
// Everything else about an object stays: its mesh, its level of detail, its skeleton. Render
// thread.
#pragma once
#include "render/draw/render_draw.h"

// Returns true when the step has a list of its own.
bool ct_render_step_has_list(const ct_render_graph_step *step);

// Makes the lists of all enabled steps of the viewport, from the view's list. Call it before
// ct_render_draws_place.
void ct_render_step_lists_collect(ct_render_draws *d, const ct_render_world *world,
                                  ct_string_id32 viewport);

// Adds an empty list for a step, whose items keep their own materials. Borrowed until the next list
// is added; valid until the next view.
ct_render_draw_list *ct_render_step_lists_add(ct_render_draws *d, const ct_render_graph_step *step);

// Returns the list of a step, or NULL. Borrowed likewise.
const ct_render_draw_list *ct_render_step_lists_find(const ct_render_draws *d,
                                                     const ct_render_graph_step *step);

// Draws the list of a step that has one to the step's targets. Does nothing when it is empty.
void ct_render_step_lists_draw(ct_render_draws *d, const ct_render_graph_step *step,
                               const ct_render_frame_set *set);
