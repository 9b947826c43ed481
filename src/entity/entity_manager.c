#include "entity/entity_manager.h"

#include "foundation/error.h"
#include "foundation/temp_allocator.h"

static ct_entity entity_of(uint32_t index, uint8_t generation) {
    return (ct_entity){(uint32_t)generation << CT_ENTITY_INDEX_BITS | index};
}

ct_entity_manager *ct_entity_manager_create(ct_allocator *a) {
    ct_entity_manager *m = CT_NEW(a, ct_entity_manager);
    ct_array_init(&m->generations, a);
    ct_ring_init(&m->free_indices, a, sizeof(uint32_t));
    ct_array_push(&m->generations, 0);
    return m;
}

void ct_entity_manager_destroy(ct_entity_manager *m) {
    if (!m)
        return;
    ct_allocator *a = m->generations.allocator;
    ct_array_free(&m->generations);
    ct_ring_free(&m->free_indices);
    ct_free_sized(a, m, sizeof *m);
}

void ct_entity_create(ct_entity_manager *m, ct_entity *entities, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t index;
        if (m->free_indices.count > CT_ENTITY_MINIMUM_FREE) {
            ct_ring_pop(&m->free_indices, &index);
        } else {
            index = m->generations.count;
            CT_ASSERT(index < 1u << CT_ENTITY_INDEX_BITS, "%u entities are alive, no more fit",
                      m->num_alive);
            ct_array_push(&m->generations, 0);
        }
        entities[i] = entity_of(index, m->generations.items[index]);
        m->num_alive++;
    }
}

// Writes those of `entities` that live to `alive`, each once; returns how many.
static uint32_t filter_alive(ct_entity_manager *m, const ct_entity *entities, uint32_t count,
                             ct_entity *alive) {
    uint8_t *generations = m->generations.items;
    uint32_t num_alive = 0;
    for (uint32_t i = 0; i < count; ++i) {
        if (!ct_entity_is_alive(m, entities[i]))
            continue;
        alive[num_alive++] = entities[i];
        generations[ct_entity_index(entities[i])]++; // so that a second mention is passed over
    }
    for (uint32_t i = 0; i < num_alive; ++i)
        generations[ct_entity_index(alive[i])]--;
    return num_alive;
}

void ct_entity_destroy(ct_entity_manager *m, const ct_entity *entities, uint32_t count) {
    CT_TEMP_ALLOCATOR(temp, m->generations.allocator);
    ct_entity *alive = ct_alloc(temp, sizeof(ct_entity) * (uint64_t)count);
    const uint32_t num_alive = filter_alive(m, entities, count, alive);
    if (num_alive == 0)
        return;
    for (uint32_t i = 0; i < m->num_callbacks; ++i)
        m->callbacks[i].destroyed(m->callbacks[i].user, alive, num_alive);
    for (uint32_t i = 0; i < num_alive; ++i) {
        if (!ct_entity_is_alive(m, alive[i]))
            continue; // a callback was quicker
        const uint32_t index = ct_entity_index(alive[i]);
        m->generations.items[index]++;
        ct_ring_push(&m->free_indices, &index);
        m->num_alive--;
    }
}

void ct_entity_manager_add_callback(ct_entity_manager *m,
                                    void (*destroyed)(void *user, const ct_entity *entities,
                                                      uint32_t count),
                                    void *user) {
    CT_REQUIRE(m->num_callbacks < CT_COUNT_OF(m->callbacks), "%u callbacks are too many",
               m->num_callbacks);
    m->callbacks[m->num_callbacks].destroyed = destroyed;
    m->callbacks[m->num_callbacks++].user = user;
}

void ct_entity_manager_remove_callback(ct_entity_manager *m,
                                       void (*destroyed)(void *, const ct_entity *, uint32_t),
                                       void *user) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < m->num_callbacks; ++i) {
        if (m->callbacks[i].destroyed != destroyed || m->callbacks[i].user != user)
            m->callbacks[kept++] = m->callbacks[i];
    }
    m->num_callbacks = kept;
}
