// render_cloud_draw.h: draws the clouds of particles of a view.
//
// A cloud that the camera sees is an item of the view's list, so that it is sorted among the objects
// of its layer. When the list is sorted, the instances of its clouds are copied to the frame's
// memory in that order, so neighbours that look the same are drawn in one call. Lights see no
// clouds. Render thread.
#pragma once
#include "render/draw/render_draw.h"

// Adds an item for each cloud of the view's world that `eye` sees and whose material can draw it.
void ct_render_clouds_collect(ct_render_draws *d, ct_render_draw_list *list,
                              const ct_render_eye *eye);

// Writes the instances of a sorted list's clouds to the frame's memory.
void ct_render_clouds_place(ct_render_draws *d, const ct_render_draw_list *list,
                            const ct_render_eye *eye);

// Records the clouds of a list from the one at `begin` on that are drawn in one call. Returns where
// the next item is that does not belong to it, `end` at most.
uint32_t ct_render_clouds_record(ct_render_draws *d, const ct_render_draw_list *list,
                                 uint32_t begin, uint32_t end, uint32_t signature,
                                 const ct_render_frame_set *set);
