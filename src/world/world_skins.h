// world_skins.h: brings the poses of a world's characters to the renderer, for skinned meshes.
#pragma once
#include "world/world.h"

// Sends the poses that changed since the last call: makes a skeleton in the renderer for each
// character that has meshes, gives it to these, and writes matrices straight into the renderer's
// stream, with tasks. Update thread, after the world's scene graphs were updated.
void ct_world_send_skins(ct_world *w);
