// id_table.h: hash tables inside blobs, from resource ids to positions.
//
// A table is an array of uint32 whose length is a power of two: 0 is an empty slot, otherwise
// position + 1. Open addressing with linear probing, at most half full. Built by the compiler, used
// in place.
#pragma once
#include "resource/blob/blob.h"
#include "resource/resource_id.h"

// Returns the number of slots for `count` ids: a power of two, at least 2.
static inline uint32_t ct_id_table_capacity(uint32_t count) {
    uint32_t capacity = 2;
    while (capacity / 2 < count)
        capacity *= 2;
    return capacity;
}

// Returns the first slot to try for a resource's key (ct_resource_id_key).
static inline uint32_t ct_id_table_home(uint64_t key, uint32_t capacity) {
    const uint64_t product = key * UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)((product ^ product >> 32) & (capacity - 1));
}

// Adds position `position` under `key`. `slots` of `capacity` must have room.
static inline void ct_id_table_add(uint32_t *slots, uint32_t capacity, uint64_t key,
                                   uint32_t position) {
    uint32_t i = ct_id_table_home(key, capacity);
    while (slots[i] != 0)
        i = (i + 1) & (capacity - 1);
    slots[i] = position + 1;
}

// Validates the table `slots` of `blob`, whose header was checked: its size, that no slot exceeds
// `num_positions` positions, and that searches end, since half of it is empty. Returns false with
// `error`. Does not check that ids are in the slots where a search looks; an id that is not is not
// found. libc only.
bool ct_id_table_check(const ct_blob_header *blob, ct_blob_array slots, uint32_t num_positions,
                       ct_error *error);
