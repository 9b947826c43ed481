// instance_table.h: what managers of components share when an entity may have several.
//
// Structure of arrays: entity, 32-bit id and the entity's next instance, beside the arrays of the
// manager itself; a hash map from entity to its first instance. Instances of an entity are chained
// in the order they were added. Instance 0 is none; erasing moves the last instance into the place.
#pragma once
#include "entity/entity.h"
#include "foundation/hash_map.h"
#include "foundation/soa_block.h"

typedef struct ct_instance_table {
    ct_soa_block soa;
    ct_entity *entity;
    uint32_t *id;
    uint32_t *next;    // instance of the same entity, or 0
    ct_hash_map first; // from entity id
} ct_instance_table;

// The table's own arrays, each on a cache line of its own, for the list of arrays of a manager that
// keeps the table as `member`.
#define CT_INSTANCE_TABLE_ARRAYS(type, member)                                                     \
    CT_SOA_ARRAY_ALIGNED(type, member.entity, 64), CT_SOA_ARRAY_ALIGNED(type, member.id, 64),      \
        CT_SOA_ARRAY_ALIGNED(type, member.next, 64)

// Starts the arrays of `owner`, the struct that holds the table, with the none at 0. As
// ct_soa_block_init.
void ct_instance_table_init(ct_instance_table *t, ct_allocator *a, void *owner,
                            const ct_soa_array *arrays, uint32_t num_arrays);
void ct_instance_table_free(ct_instance_table *t);

// The number of instances.
static inline uint32_t ct_instance_table_count(const ct_instance_table *t) {
    return t->soa.count - 1;
}

// Makes room for `count` more instances.
void ct_instance_table_reserve(ct_instance_table *t, uint32_t count);

// Appends an instance, zero in the manager's arrays; returns its place.
uint32_t ct_instance_table_add(ct_instance_table *t, ct_entity e, uint32_t id);

// Removes instance `i`.
void ct_instance_table_erase(ct_instance_table *t, uint32_t i);

// The entity's first instance, or 0.
static inline uint32_t ct_instance_table_first(const ct_instance_table *t, ct_entity e) {
    return (uint32_t)ct_hash_map_get(&t->first, e.id, 0);
}

// The entity's instance of this id, or 0.
uint32_t ct_instance_table_with_id(const ct_instance_table *t, ct_entity e, uint32_t id);

// Fails when `i` is no instance.
void ct_instance_table_check(const ct_instance_table *t, uint32_t i);
