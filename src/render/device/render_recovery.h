// render_recovery.h: goes on when the device or the window's surface was lost.
//
// The render thread looks after each frame. A lost device is made anew with all that can be made
// from what the render thread knows: shaders, materials with their values, targets, worlds.
// Textures and meshes lie on the device alone: the state wants them (CT_RENDER_WANT_RESOURCES), the
// update thread sends all that are online as it did when they came, and the frame in which the
// device was lost is drawn again. So a screenshot of it comes as if nothing had been. A device that
// is lost again and again, or does not come back within seconds, ends with an error. Render thread.
#pragma once
#include "render/object/render_state.h"

enum { CT_RENDER_MOST_TRIES = 6 }; // to make a device, without a frame in between

// Makes a lost device anew and notes in s->wants what else is needed; when that cannot be, notes in
// s->has_failed that there is no device, and logs why.
void ct_render_recover(ct_render_state *s);

// Takes what was wanted: the window's surface (0: it has none to give, and is asked again later),
// and textures and meshes, with which the last frame is drawn again. Returns what that did.
ct_render_stats ct_render_recovery_take(ct_render_state *s, uint64_t surface,
                                        const ct_render_stream *resources);
