// entity_manager.h: which entities are alive.
//
// One byte of generation for each index. Indices of dead entities wait in a queue and are reused
// only while more than CT_ENTITY_MINIMUM_FREE wait there, so that an id cannot come back before
// 256 * 1,024 others were made and destroyed. Components learn of deaths lazily (gc) or by a
// destruction callback. Update thread.
// From "Building a Data-Oriented Entity System, part 1" (Bitsquid blog, 2014-08-27).
#pragma once
#include "entity/entity.h"
#include "foundation/array.h"
#include "foundation/ring.h"

enum { CT_ENTITY_MINIMUM_FREE = 1024 };

typedef struct ct_entity_manager {
    ct_byte_array generations; // by index; entry 0 is unused
    ct_ring free_indices;      // uint32_t
    uint32_t num_alive;
    struct {
        void (*destroyed)(void *user, const ct_entity *entities, uint32_t count);
        void *user;
    } callbacks[64];
    uint32_t num_callbacks;
} ct_entity_manager;

ct_entity_manager *ct_entity_manager_create(ct_allocator *a);
void ct_entity_manager_destroy(ct_entity_manager *m);

// Makes `count` entities. Running out of the 4 million indices is reported with CT_ASSERT.
void ct_entity_create(ct_entity_manager *m, ct_entity *entities, uint32_t count);

// Ends entities; those already dead, and none, are passed over. Callbacks hear of the others first.
void ct_entity_destroy(ct_entity_manager *m, const ct_entity *entities, uint32_t count);

// Calls `destroyed` with entities about to die, while they are still alive. Order of registration.
void ct_entity_manager_add_callback(ct_entity_manager *m,
                                    void (*destroyed)(void *user, const ct_entity *entities,
                                                      uint32_t count),
                                    void *user);
void ct_entity_manager_remove_callback(ct_entity_manager *m,
                                       void (*destroyed)(void *, const ct_entity *, uint32_t),
                                       void *user);

// True while the entity lives; false for none.
static inline bool ct_entity_is_alive(const ct_entity_manager *m, ct_entity e) {
    const uint32_t index = ct_entity_index(e);
    return index != 0 && index < m->generations.count &&
           m->generations.items[index] == ct_entity_generation(e);
}
