// render_ahead.h: asks for the pipelines that may be drawn with, before anything is.
//
// After a change of materials, shaders, meshes, config or settings: what all materials that are
// online need in the steps that the settings switch on, with and without shadows, for the forms of
// the vertices of all meshes that are online. Asking for what is known already costs a look-up.
// Render thread.
#pragma once
#include "render/graph/render_graph.h"
#include "render/object/render_meshes.h"

typedef struct ct_render_ahead {
    // The versions of the tables when it last asked.
    uint64_t shaders, materials, meshes;
    bool is_stale; // config or settings were changed
    // Scratch: a bit for each form of vertices.
    uint64_t forms[4];
} ct_render_ahead;

// Asks for what is needed since the last call. Does nothing when nothing changed. Leaves the graph's
// view undefined.
void ct_render_ahead_ask(ct_render_ahead *x, ct_render_graph *g, const ct_render_meshes *meshes);
