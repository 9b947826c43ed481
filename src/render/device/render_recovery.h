// render_recovery.h: recovers from the loss of the device or the window's surface.
//
// The render thread checks after each frame. It recreates a lost device with everything that it can
// make from its own state: shaders, materials with their values, targets, worlds. Textures and
// meshes are only on the device: the state requests them (CT_RENDER_WANT_RESOURCES), the update
// thread sends all that are online as when they were loaded, and the frame in which the device was
// lost is drawn again. So a screenshot of that frame does not show the loss. A device that is lost
// repeatedly, or cannot be recreated within seconds, ends with an error. Render thread.
#pragma once
#include "render/object/render_state.h"

enum { CT_RENDER_MOST_TRIES = 6 }; // to make a device, without a frame in between

// Recreates a lost device and sets in s->wants what else is needed. When that fails for good, logs
// why and sets s->has_failed: there is no device then.
void ct_render_recover(ct_render_state *s);

// Takes what s->wants requested: the window's surface (0: the window has no surface now; requested
// again later), and a stream with textures and meshes. Then draws the last frame again. Returns the
// statistics of that frame.
ct_render_stats ct_render_recovery_take(ct_render_state *s, uint64_t surface,
                                        const ct_render_stream *resources);
