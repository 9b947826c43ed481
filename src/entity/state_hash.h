// state_hash.h: one number for what a world's entities are like, for comparing two runs.
//
// The sum of a hash for each value of each entity, so that it does not matter in which order
// managers keep them. Whether two machines, or two runs with other numbers of threads, do the same
// shows in the first frame in which their hashes differ.
#pragma once
#include "entity/entity_manager.h"

typedef struct ct_state_hash {
    uint64_t value; // so far; 0 at the beginning
    // Which entities count; NULL: all.
    bool (*has)(const void *user, ct_entity e);
    const void *user;
} ct_state_hash;

// Adds `size_bytes` bytes (no padding among them) that tell something of `e`, unless it is none of
// those that count. `what` tells this from all else there is of the entity.
void ct_state_hash_add(ct_state_hash *h, ct_entity e, uint64_t what, const void *bytes,
                       uint32_t size_bytes);
