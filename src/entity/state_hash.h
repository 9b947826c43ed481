// state_hash.h: one number for the state of a world's entities, to compare two runs.
//
// It is the sum of a hash for each value of each entity, so the order in which managers store them
// does not matter. Two machines, or two runs with different numbers of threads, that do not do
// the same have diverged by the first frame in which their hashes differ.
#pragma once
#include "entity/entity_manager.h"

typedef struct ct_state_hash {
    uint64_t value; // so far; 0 at the beginning
    // Returns whether an entity counts; NULL: all count.
    bool (*has)(const void *user, ct_entity e);
    const void *user;
} ct_state_hash;

// Adds `size_bytes` bytes (without padding) of the state of `e`, if `e` counts. `what` identifies
// this value among all values of the entity.
void ct_state_hash_add(ct_state_hash *h, ct_entity e, uint64_t what, const void *bytes,
                       uint32_t size_bytes);
