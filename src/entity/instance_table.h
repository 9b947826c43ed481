// instance_table.h: the shared base of component managers: instances in arrays, found by entity.
//
// Structure of arrays: the entity of each instance, beside the manager's own arrays. Where an
// entity may have several instances, the table also has their 32-bit ids and links them in a chain,
// in the order in which they were added. A table whose list of arrays leaves these out (a single
// table) has at most one instance for each entity. The first instance of an entity is found through
// a hash map or, for components that nearly all entities have, an array by entity index. Instance 0
// is unused. Erasing an instance moves the last one into its place. The chain is linked both ways,
// so adding, erasing and moving take the same time however many instances an entity has.
//
// Places change, and ids may be reused. To keep an instance for long, as scripts do, use a table
// whose list of arrays has numbers, and keep the entity and the instance's number. The numbers of
// an entity count up from 0, and the number of an ended instance is reused only after 2^23 more
// (ct_instance_table_end).
// From "Building a Data-Oriented Entity System, part 2" (Bitsquid blog, 2014-09-08).
//
// Example (tests/entity/test_instance_table.c):
//
//     typedef struct badge_manager {
//         ct_instance_table table;
//         uint32_t *color; // grows and moves with the table
//     } badge_manager;
//
//     static const ct_soa_array badge_arrays[] = {
//         CT_INSTANCE_TABLE_ARRAYS(badge_manager, table),
//         CT_SOA_ARRAY(badge_manager, color),
//     };
//
//     badge_manager m;
//     ct_instance_table_init(&m.table, a, &m, badge_arrays, CT_COUNT_OF(badge_arrays),
//                            CT_INSTANCE_LOOKUP_HASH);
//     const uint32_t i = ct_instance_table_add(&m.table, entity, 17); // 17: id among the entity's
//     m.color[i] = 0xff0000;
//     for (uint32_t k = ct_instance_table_first(&m.table, entity); k; k = m.table.next[k])
//         m.color[k] |= 0xff;
//     ct_instance_table_erase_entities(&m.table, &entity, 1);
//     ct_instance_table_free(&m.table);
#pragma once
#include "entity/entity_manager.h"
#include "foundation/container/array.h"
#include "foundation/container/hash_map.h"
#include "foundation/container/soa_block.h"
#include "foundation/error.h"

// How the first instance of an entity is found.
typedef enum ct_instance_lookup {
    CT_INSTANCE_LOOKUP_HASH,   // for components of some entities
    CT_INSTANCE_LOOKUP_SPARSE, // for components of most entities; 4 bytes for each entity index
} ct_instance_lookup;

// A sparse place is the id of its entity, shifted up so that the generation is above these bits,
// xor the entity's first instance, which fits into them. Where no entity has an instance, it is
// the index alone, shifted up as far. Xor with the same id gives the instance back; xor with an
// id of another generation gives a number that is too large for an instance. No table has more
// instances than these bits can hold.
enum { CT_INSTANCE_PLACE_BITS = 32 - CT_ENTITY_GENERATION_BITS };

// A number and an entity's id fit together into the 53 bits of a whole number of Lua.
enum { CT_INSTANCE_NUMBER_BITS = 23 };

// Embed it in a manager. Read the arrays; only the functions here change them.
typedef struct ct_instance_table {
    ct_soa_block soa;
    ct_entity *entity;
    uint32_t *id;   // NULL in single tables
    uint32_t *next; // instance of the same entity, or 0; NULL in single tables
    uint32_t
        *previous; // instance of the same entity; the last one for its first; NULL in single tables
    uint32_t *number;    // among those of the same entity; NULL in tables without numbers
    ct_hash_map first;   // HASH: from entity id
    ct_u32_array places; // SPARSE: by entity index: ct_instance_table_place or _no_place
    uint32_t
        *recent; // in tables with numbers: recently found instances, by a hash of entity and number
    ct_hash_map newest;      // from the id of an entity whose newest instance ended to its number
    ct_allocator *allocator; // of `recent`
    ct_instance_lookup lookup;
    bool came_around; // the numbers of some entity wrapped around: a new one may be in use
    uint32_t random;  // of ct_instance_table_dead
    ct_entity dead;   // found by it last
} ct_instance_table;

// The table's own arrays, each aligned to a cache line, for the list of arrays of a manager that
// has the table as `member`. The second form numbers instances; the third makes a single table.
#define CT_INSTANCE_TABLE_ARRAYS(type, member)                                                     \
    CT_SOA_ARRAY_ALIGNED(type, member.entity, 64), CT_SOA_ARRAY_ALIGNED(type, member.id, 64),      \
        CT_SOA_ARRAY_ALIGNED(type, member.next, 64),                                               \
        CT_SOA_ARRAY_ALIGNED(type, member.previous, 64)
#define CT_NUMBERED_INSTANCE_TABLE_ARRAYS(type, member)                                            \
    CT_INSTANCE_TABLE_ARRAYS(type, member), CT_SOA_ARRAY_ALIGNED(type, member.number, 64)
#define CT_SINGLE_INSTANCE_TABLE_ARRAYS(type, member) CT_SOA_ARRAY_ALIGNED(type, member.entity, 64)

// Starts the arrays of `owner`, the struct that holds the table, with the unused item at 0. See
// ct_soa_block_init for `arrays`, which are borrowed.
void ct_instance_table_init(ct_instance_table *t, ct_allocator *a, void *owner,
                            const ct_soa_array *arrays, uint32_t num_arrays,
                            ct_instance_lookup lookup);

// Frees the memory of the table and of the manager's arrays.
void ct_instance_table_free(ct_instance_table *t);

// Returns the number of instances.
static inline uint32_t ct_instance_table_count(const ct_instance_table *t) {
    return t->soa.count - 1;
}

// Returns whether `count` more instances fit; a sparse table has CT_INSTANCE_PLACE_BITS for their
// places. False with `error`, whose message gives `what` as their type. Adding asserts that there
// is room, so call this first where `count` comes from outside.
bool ct_instance_table_has_room(const ct_instance_table *t, uint64_t count, const char *what,
                                ct_error *error);

// Makes room for `count` more instances.
void ct_instance_table_reserve(ct_instance_table *t, uint32_t count);

// Appends an instance, zero in the manager's arrays; returns its place. In a single table the
// entity must not have one. The time does not depend on how many instances the entity has,
// unless its numbers wrapped around, after 2^23 instances: then it walks over them.
uint32_t ct_instance_table_add(ct_instance_table *t, ct_entity e, uint32_t id);

// Appends an instance for each of `count` entities, in their order; returns the place of the
// first. The manager's arrays are not set for them: the caller fills these. `ids` are NULL for a
// single table; there, 0 is returned and nothing is changed when an entity has an instance
// already or occurs twice.
uint32_t ct_instance_table_add_many(ct_instance_table *t, const ct_entity *entities,
                                    const uint32_t *ids, uint32_t count);

// Removes instance `i`. The time does not depend on how many its entity has.
void ct_instance_table_erase(ct_instance_table *t, uint32_t i);

// Removes an instance like ct_instance_table_erase, for an entity that stays alive, in a table with
// numbers: later instances of the entity get other numbers.
void ct_instance_table_end(ct_instance_table *t, uint32_t i);

// Drops the numbers that ct_instance_table_end keeps for `entities`, which are about to be
// destroyed.
void ct_instance_table_forget(ct_instance_table *t, const ct_entity *entities, uint32_t count);

// Swaps two instances of a single table.
void ct_instance_table_swap(ct_instance_table *t, uint32_t i, uint32_t k);

// Removes all instances of `entities` and drops their numbers (ct_instance_table_forget); skips
// entities without instances.
void ct_instance_table_erase_entities(ct_instance_table *t, const ct_entity *entities,
                                      uint32_t count);

// Returns the first instance of the entity that has or had the index of `e`, of any generation,
// or 0. A table by hash does a lookup for each generation.
uint32_t ct_instance_table_of_index(const ct_instance_table *t, ct_entity e);

// Removes the instances that ct_instance_table_of_index finds for `entities`.
void ct_instance_table_erase_indices(ct_instance_table *t, const ct_entity *entities,
                                     uint32_t count);

// Returns how best to end the instances of dead entities that had the indices of `count` new ones
// in a sparse table: true when these are so many, compared with the rows, that a walk over the
// table is faster (ct_instance_table_mark_formers); false to end them one by one
// (ct_instance_table_former).
bool ct_instance_table_sweeps_for(const ct_instance_table *t, uint32_t count);

// Marks, in a sparse table, the rows of dead entities that had the indices of `entities` before,
// and returns their number. Unless it is 0, the caller then releases what it holds for marked rows,
// or lets other entities take the rows over, and calls ct_instance_table_sweep if marked rows are
// left. In between, marked rows belong to no entity, and nothing else may change.
uint32_t ct_instance_table_mark_formers(ct_instance_table *t, const ct_entity *entities,
                                        uint32_t count);

// Marks the rows of `entities` themselves; otherwise like ct_instance_table_mark_formers. Call
// ct_instance_table_forget to drop their numbers.
uint32_t ct_instance_table_mark(ct_instance_table *t, const ct_entity *entities, uint32_t count);

// Returns whether a row is marked.
static inline bool ct_instance_table_is_marked(const ct_instance_table *t, uint32_t i) {
    return t->entity[i].id == 0;
}

// Gives marked rows to the first of `count` entities, in the order of both, and returns how many
// entities got one; `rows`, with room for `count`, receives their places. The manager's arrays keep
// their values there, because entities of one template need much the same. The other entities have
// no instance yet. `ids` is as for ct_instance_table_add_many. In a single table, returns 0 and
// changes nothing when one of the entities already has an instance or occurs twice.
uint32_t ct_instance_table_take_over(ct_instance_table *t, const ct_entity *entities,
                                     const uint32_t *ids, uint32_t count, uint32_t *rows);

// Removes marked rows. The rows after them move down and keep their order.
void ct_instance_table_sweep(ct_instance_table *t);

// Returns the sparse place of `e`, whose first instance is `i`.
static inline uint32_t ct_instance_table_place(ct_entity e, uint32_t i) {
    return e.id << (CT_INSTANCE_PLACE_BITS - CT_ENTITY_INDEX_BITS) ^ i;
}

// Returns the sparse place of an index without an instance.
static inline uint32_t ct_instance_table_no_place(uint32_t index) {
    return index << (CT_INSTANCE_PLACE_BITS - CT_ENTITY_INDEX_BITS);
}

// Returns the first instance of `e`, given the sparse place of its index, or 0. For
// ct_instance_table_first.
static inline uint32_t ct_instance_table_at(uint32_t place, ct_entity e) {
    const uint32_t i = ct_instance_table_place(e, place);
    return i < 1u << CT_INSTANCE_PLACE_BITS ? i : 0;
}

// Returns the instance at the sparse place of the index of `e`, of any generation, or 0.
static inline uint32_t ct_instance_table_at_index(uint32_t place, ct_entity e) {
    return ct_instance_table_place(e, place) & ((1u << CT_INSTANCE_PLACE_BITS) - 1);
}

// Returns the entity's first instance, or 0.
static inline uint32_t ct_instance_table_first(const ct_instance_table *t, ct_entity e) {
    const uint32_t index = ct_entity_index(e);
    if (index < t->places.count) // none in a table by hash
        return ct_instance_table_at(t->places.items[index], e);
    const bool is_by_hash = t->lookup == CT_INSTANCE_LOOKUP_HASH;
    return is_by_hash ? (uint32_t)ct_hash_map_get(&t->first, e.id, 0) : 0;
}

// Returns, in a sparse table, the first instance of a dead entity that had the index of `e` before,
// or 0. Adding erases such instances; a manager that must release more than the rows does that
// before it adds.
static inline uint32_t ct_instance_table_former(const ct_instance_table *t, ct_entity e) {
    const uint32_t index = ct_entity_index(e);
    if (index >= t->places.count || ct_instance_table_at(t->places.items[index], e))
        return 0;
    return ct_instance_table_at_index(t->places.items[index], e);
}

// Writes the first instances of `count` entities; 0 for those without.
void ct_instance_table_first_many(const ct_instance_table *t, const ct_entity *entities,
                                  uint32_t count, uint32_t *instances);

// Returns the entity's instance with this id, or 0. Walks over the entity's instances.
uint32_t ct_instance_table_with_id(const ct_instance_table *t, ct_entity e, uint32_t id);

// Returns the entity's first instance whose number has the same low `num_bits` bits as `number`, or
// 0. The table remembers the places of found instances that are not the first of their entity, to
// find them again without a walk over the entity's instances.
uint32_t ct_instance_table_with_number(const ct_instance_table *t, ct_entity e, uint32_t number,
                                       uint32_t num_bits);

// Returns an instance of a dead entity: first of the one found last, while that has any, then of
// one found by random probes. Returns 0 when four probes in a row find live entities, or the table
// is empty. For managers that end some instances lazily each frame: the more instances are dead,
// the more are found.
// From "Building a Data-Oriented Entity System, part 2".
uint32_t ct_instance_table_dead(ct_instance_table *t, const ct_entity_manager *entities);

// Asserts that `i` is an instance.
static inline void ct_instance_table_check(const ct_instance_table *t, uint32_t i) {
    CT_ASSERT(i != 0 && i < t->soa.count, "there is no instance %u; the last one is %u", i,
              t->soa.count - 1);
}
