// worker_fbx_clips.h: the animations of an FBX file.
//
// Assimp gives a node one channel for its whole transform, or where the node has pivots or turns of
// its own a channel for each part that moves. The parts are multiplied to one transform at each
// time at which any of them has a key, and cut into a position, a rotation and a scale.
#pragma once
#include "compiler/types/model/worker_fbx_nodes.h"

// Adds the file's clips, with channels for the nodes that move; `chains` has an entry for each
// node. Times are in seconds. Warns of what is left out: shapes, channels of other objects, and
// nodes that take over a scale in a way that clips do not have. Returns false after reporting keys
// that are not finite or not in the order of their times.
bool ct_worker_fbx_add_clips(ct_compile *c, const struct aiScene *file,
                             const ct_worker_fbx_chain *chains, ct_sjson_value at,
                             ct_worker_scene *scene);
