// render_palettes.h: writes the matrices of the joints of skinned objects that are drawn.
//
// Only objects that a view or its shadow map draws have a palette: for each joint of the mesh, the
// matrix from the bind pose to the posed one. It is written once a frame, however many views there
// are. That of the frame before stays in the frames' memory; for an object that was not drawn then
// it is written too. Render thread; runs tasks.
#pragma once
#include "render/draw/render_draw.h"

// Writes the palettes of the objects in the first `num_lists` lists. Call it before their instances
// are written.
void ct_render_palettes_place(ct_render_draws *d, ct_render_world *world, uint32_t num_lists);
