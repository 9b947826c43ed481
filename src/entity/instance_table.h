// instance_table.h: what managers of components share when an entity may have several.
//
// Structure of arrays: entity, 32-bit id and the entity's next instance, beside the arrays of the
// manager itself; a hash map from entity to its first instance. Instances of an entity are chained
// in the order they were added. Instance 0 is none; erasing moves the last instance into the place.
#pragma once
#include "entity/entity.h"
#include "entity/soa.h"
#include "foundation/hash_map.h"

typedef struct ct_instance_table {
    ct_soa soa;
    ct_entity *entity;
    uint32_t *id;
    uint32_t *next;    // instance of the same entity, or 0
    ct_hash_map first; // from entity id
} ct_instance_table;

// The table's own columns, for the table of columns of a manager that keeps it as `member`.
#define CT_INSTANCE_TABLE_COLUMNS(type, member)                                                    \
    CT_SOA_COLUMN(type, member.entity), CT_SOA_COLUMN(type, member.id),                            \
        CT_SOA_COLUMN(type, member.next)

// Starts the arrays of `owner`, the struct that holds the table. As ct_soa_init.
void ct_instance_table_init(ct_instance_table *t, ct_allocator *a, void *owner,
                            const ct_soa_column *columns, uint32_t num_columns);
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
