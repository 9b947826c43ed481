// navigation_world_damage.h: saved navigation with damage that its hashes do not show.
#pragma once
#include <string.h>

#include "resource/blob/content_hash.h"

// Where hashes are in the head of a save, of a mesh and of agents, and what they are of.
enum {
    DAMAGE_HEAD_BYTES = 40,
    DAMAGE_INSTANCE_BYTES = 40,
    DAMAGE_MESH_HEAD_BYTES = 16,
    DAMAGE_AGENTS_HEAD_BYTES = 56,
};

static inline void damage_sign(char *bytes, uint64_t num_bytes, uint64_t hash_at,
                               uint64_t head_bytes) {
    if (num_bytes < head_bytes)
        return;
    const uint64_t hash = ct_content_hash(bytes + head_bytes, num_bytes - head_bytes);
    memcpy(bytes + hash_at, &hash, sizeof(hash));
}

// Writes all hashes again, as far as sizes are those of `bytes`.
static inline void damage_sign_all(char *bytes, uint64_t num_bytes) {
    uint64_t at = DAMAGE_HEAD_BYTES;
    while (at + DAMAGE_INSTANCE_BYTES <= num_bytes) {
        uint64_t sizes[3]; // of mesh, paths, agents
        memcpy(sizes, bytes + at + 16, sizeof(sizes));
        at += DAMAGE_INSTANCE_BYTES;
        if (sizes[0] > num_bytes || sizes[1] > num_bytes || sizes[2] > num_bytes ||
            sizes[0] + sizes[1] + sizes[2] > num_bytes - at)
            break;
        damage_sign(bytes + at, sizes[0], 8, DAMAGE_MESH_HEAD_BYTES);
        at += sizes[0] + sizes[1];
        damage_sign(bytes + at, sizes[2], 16, DAMAGE_AGENTS_HEAD_BYTES);
        at += sizes[2];
    }
    damage_sign(bytes, num_bytes, 16, DAMAGE_HEAD_BYTES);
}
