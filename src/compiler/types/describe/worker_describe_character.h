// worker_describe_character.h: a part of describing a model: its joints and clips.
#pragma once
#include "compiler/types/model/worker_scene.h"
#include "foundation/sjson/sjson_writer.h"

// What a node is to skeletons and clips.
typedef enum ct_worker_describe_role {
    CT_WORKER_DESCRIBE_ROLE_JOINT = 1, // of a skin, or moved by a clip; or above one that is
    CT_WORKER_DESCRIBE_ROLE_MOVED = 2, // by a clip
} ct_worker_describe_role;

// Returns the roles of each node, as bits. From c->allocator.
const uint8_t *ct_worker_describe_roles(ct_compile *c, const ct_worker_scene *scene);

// Writes the member `clips`: an array of objects with `name`, `key` (what `clip` of an `.animation`
// calls it) and `moves`, the number of the nodes' parts that the clip moves.
void ct_worker_describe_clips(ct_compile *c, const ct_worker_scene *scene, ct_sjson_writer *w);
