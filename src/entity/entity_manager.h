// entity_manager.h: which entities are alive.
//
// For each index, one byte has the generation that is alive, or 0. Indices of dead entities wait in
// a queue, with their next generation, and are reused only while more than CT_ENTITY_MINIMUM_FREE
// wait there. There are 255 generations. After the last one an index goes through the queue once
// more. So an id cannot come back before its index has waited there 256 times, and 255 * 1,024
// other entities were made and destroyed. Components learn of deaths lazily (garbage collection) or
// by a destruction callback. Update thread.
// From "Building a Data-Oriented Entity System, part 1" (Bitsquid blog, 2014-08-27).
#pragma once
#include "entity/entity.h"
#include "foundation/container/ring.h"

enum {
    CT_ENTITY_MINIMUM_FREE = 1024,
    CT_ENTITY_MAX_INDICES = 1 << CT_ENTITY_INDEX_BITS,
};

typedef struct ct_entity_manager {
    // By index: the generation of the live entity, or 0. The array has all CT_ENTITY_MAX_INDICES,
    // so that a look-up needs no bounds check; unused pages take no memory. Index 0 has a
    // generation that no id with index 0 has, so that {0} is not alive.
    uint8_t *marks;
    uint32_t num_indices; // issued so far, plus 1 for index 0, which is never issued
    uint32_t num_alive;
    uint32_t num_ends; // calls that ended entities; wraps around
    ct_ring
        free_indices; // ids to issue next; one with the generation after the last must wait again
    struct {
        void (*destroyed)(void *user, const ct_entity *entities, uint32_t count);
        void *user;
    } callbacks[64];
    uint32_t num_callbacks;
    ct_allocator *allocator;
} ct_entity_manager;

// Makes a manager without entities, and frees it (NULL is fine). Entities that are still alive then
// end without callbacks.
ct_entity_manager *ct_entity_manager_create(ct_allocator *a);
void ct_entity_manager_destroy(ct_entity_manager *m);

// Returns whether `count` more entities fit. Of the 4 million indices, index 0 and those that
// wait for reuse cannot be given out. False with `error`.
bool ct_entity_has_room(const ct_entity_manager *m, uint64_t count, ct_error *error);

// Makes `count` entities, for which there must be room (asserted). Call ct_entity_has_room first
// where `count` comes from outside.
void ct_entity_create(ct_entity_manager *m, ct_entity *entities, uint32_t count);

// Ends entities; skips dead ones and {0}. Before that, calls the callbacks with the live ones.
void ct_entity_destroy(ct_entity_manager *m, const ct_entity *entities, uint32_t count);

// Adds or removes a callback. Callbacks are called in order of registration with entities about to
// die, while these are still alive. A callback may make and end entities. When it ends one that is
// about to die, all callbacks are called for that one at once, also those that were already called
// with it, and it is not reported again.
void ct_entity_manager_add_callback(ct_entity_manager *m,
                                    void (*destroyed)(void *user, const ct_entity *entities,
                                                      uint32_t count),
                                    void *user);
void ct_entity_manager_remove_callback(ct_entity_manager *m,
                                       void (*destroyed)(void *, const ct_entity *, uint32_t),
                                       void *user);

// Returns whether the entity lives; false for {0}. The id must be {0} or have been issued: check
// an id from outside with ct_entity_is_well_formed first.
static inline bool ct_entity_is_alive(const ct_entity_manager *m, ct_entity e) {
    return m->marks[ct_entity_index(e)] == e.id >> CT_ENTITY_INDEX_BITS;
}

// Returns the entity that lives at an index from 1, or {0}.
static inline ct_entity ct_entity_with_index(const ct_entity_manager *m, uint32_t index) {
    const uint32_t mark = m->marks[index];
    return mark ? ct_entity_make(index, mark) : (ct_entity){0};
}
