// entity.h: an entity is a number.
//
// 22 bits of index into look-up arrays and 8 bits of generation, which tells apart the entities
// that had the same index: an id is a weak reference. 30 bits fit a Lua light userdata with its
// tag. Index 0 is never issued, so {0} is none.
// From "Building a Data-Oriented Entity System, part 1" (Bitsquid blog, 2014-08-27).
#pragma once
#include "foundation/types.h"

enum { CT_ENTITY_INDEX_BITS = 22, CT_ENTITY_GENERATION_BITS = 8 };

typedef struct ct_entity {
    uint32_t id;
} ct_entity;

static inline uint32_t ct_entity_index(ct_entity e) {
    return e.id & ((1u << CT_ENTITY_INDEX_BITS) - 1);
}
static inline uint32_t ct_entity_generation(ct_entity e) {
    return (e.id >> CT_ENTITY_INDEX_BITS) & ((1u << CT_ENTITY_GENERATION_BITS) - 1);
}
static inline bool ct_entity_equal(ct_entity a, ct_entity b) {
    return a.id == b.id;
}
