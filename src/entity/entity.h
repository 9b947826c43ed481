// entity.h: an entity is a number.
//
// It has 22 bits of index into look-up arrays and 8 bits of generation, which distinguishes
// entities that had the same index, so an id is a weak reference. 30 bits fit into a Lua light
// userdata with its tag. Index 0 and generation 0 are never issued, and {0} is no entity.
// From "Building a Data-Oriented Entity System, part 1" (Bitsquid blog, 2014-08-27).
#pragma once
#include "foundation/types.h"

enum {
    CT_ENTITY_INDEX_BITS = 22,
    CT_ENTITY_GENERATION_BITS = 8,
    CT_ENTITY_BITS = CT_ENTITY_INDEX_BITS + CT_ENTITY_GENERATION_BITS,
    CT_ENTITY_LAST_GENERATION = (1 << CT_ENTITY_GENERATION_BITS) - 1, // the first is 1
};

// A weak reference to an entity: index and generation in one number. Pass it by value.
typedef struct ct_entity {
    uint32_t id;
} ct_entity;

// Returns a part of an id: the index into look-up arrays, or the generation that the index has
// while this entity lives.
static inline uint32_t ct_entity_index(ct_entity e) {
    return e.id & ((1u << CT_ENTITY_INDEX_BITS) - 1);
}
static inline uint32_t ct_entity_generation(ct_entity e) {
    return (e.id >> CT_ENTITY_INDEX_BITS) & ((1u << CT_ENTITY_GENERATION_BITS) - 1);
}
// Makes the id of an index and a generation, both from 1.
static inline ct_entity ct_entity_make(uint32_t index, uint32_t generation) {
    return (ct_entity){generation << CT_ENTITY_INDEX_BITS | index};
}
// Returns whether an id could have been issued; false for {0}. For ids from outside.
static inline bool ct_entity_is_well_formed(ct_entity e) {
    const uint32_t generation = e.id >> CT_ENTITY_INDEX_BITS;
    return ct_entity_index(e) && generation && generation <= CT_ENTITY_LAST_GENERATION;
}
// Returns whether two ids are the same entity, dead or alive.
static inline bool ct_entity_equal(ct_entity a, ct_entity b) {
    return a.id == b.id;
}
