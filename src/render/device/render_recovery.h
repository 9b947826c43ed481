// render_recovery.h: goes on when the device or the window's surface was lost.
//
// The render thread checks after each frame. It makes a lost device again with everything that it
// can make from its own state: shaders, materials with their values, targets, worlds. Textures and
// meshes are on the device alone: the state asks for them (CT_RENDER_WANT_RESOURCES), the update
// thread sends all that are online as it did when they came, and the frame in which the device was
// lost is drawn again. So a screenshot of that frame looks as if there had been no loss. A device
// that is lost again and again, or does not come back within seconds, ends with an error. Render
// thread.
#pragma once
#include "render/object/render_state.h"

enum { CT_RENDER_MOST_TRIES = 6 }; // to make a device, without a frame in between

// Makes a lost device again and notes in s->wants what else is needed. When there is no way to make
// one, logs why and sets s->has_failed: there is no device then.
void ct_render_recover(ct_render_state *s);

// Takes what s->wants asked for: the window's surface (0: the window has none to give now and is
// asked again later), and a stream with textures and meshes. Then draws the last frame again.
// Returns the statistics of that frame.
ct_render_stats ct_render_recovery_take(ct_render_state *s, uint64_t surface,
                                        const ct_render_stream *resources);
