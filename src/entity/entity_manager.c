#include "entity/entity_manager.h"

#include <inttypes.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/memory/temp_allocator.h"

ct_entity_manager *ct_entity_manager_create(ct_allocator *a) {
    ct_entity_manager *const m = CT_NEW(a, ct_entity_manager);
    m->allocator = a;
    m->marks = ct_alloc_zero(a, CT_ENTITY_MAX_INDICES);
    m->marks[0] = CT_ENTITY_LAST_GENERATION;
    m->num_indices = 1;
    ct_ring_init(&m->free_indices, a, sizeof(uint32_t));
    ct_ring_reserve(&m->free_indices, 2 * CT_ENTITY_MINIMUM_FREE); // so many wait sooner or later
    return m;
}

void ct_entity_manager_destroy(ct_entity_manager *m) {
    if (!m)
        return;
    ct_free_sized(m->allocator, m->marks, CT_ENTITY_MAX_INDICES);
    ct_ring_free(&m->free_indices);
    ct_free_sized(m->allocator, m, sizeof(*m));
}

bool ct_entity_has_room(const ct_entity_manager *m, uint64_t count, ct_error *error) {
    const uint32_t most = CT_ENTITY_MAX_INDICES - CT_ENTITY_MINIMUM_FREE - 1;
    return count <= most - m->num_alive ||
           ct_error_set(error, "no room for %" PRIu64 " more entities, %u of %u live", count,
                        m->num_alive, most);
}

// Makes entities taken out of the queue alive; returns their number. Indices that have used all
// generations go back, to start with the first one.
static uint32_t begin_living(ct_entity_manager *m, ct_entity *entities, uint32_t count) {
    uint32_t begun = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const ct_entity e = entities[i];
        const uint32_t generation = ct_entity_generation(e), index = ct_entity_index(e);
        if (generation == 0) {
            const ct_entity next = ct_entity_make(index, 1);
            ct_ring_push_many(&m->free_indices, &next, 1);
            continue;
        }
        m->marks[index] = (uint8_t)generation;
        entities[begun++] = e;
    }
    return begun;
}

// Takes waiting indices as long as enough stay in the queue; returns their number.
static uint32_t take_waiting(ct_entity_manager *m, ct_entity *entities, uint32_t count) {
    uint32_t taken = 0;
    while (taken < count && m->free_indices.count > CT_ENTITY_MINIMUM_FREE) {
        const uint32_t ready = m->free_indices.count - CT_ENTITY_MINIMUM_FREE;
        const uint32_t most = count - taken < ready ? count - taken : ready;
        ct_ring_pop_many(&m->free_indices, entities + taken, most);
        taken += begin_living(m, entities + taken, most);
    }
    return taken;
}

static void take_new(ct_entity_manager *m, ct_entity *entities, uint32_t count) {
    const uint32_t first = m->num_indices;
    CT_ASSERT(count <= CT_ENTITY_MAX_INDICES - first, "%u entities are alive, %u do not fit",
              m->num_alive, count);
    memset(m->marks + first, 1, count); // the first generation
    for (uint32_t i = 0; i < count; ++i)
        entities[i] = ct_entity_make(first + i, 1);
    m->num_indices += count;
}

void ct_entity_create(ct_entity_manager *m, ct_entity *entities, uint32_t count) {
    const uint32_t taken = take_waiting(m, entities, count);
    if (taken < count)
        take_new(m, entities + taken, count - taken);
    m->num_alive += count;
}

// Writes the live ones of `entities` to `alive`, each once; returns their number.
static uint32_t filter_alive(ct_entity_manager *m, const ct_entity *entities, uint32_t count,
                             ct_entity *alive) {
    uint32_t num_mentions = 0, num_alive = 0;
    for (uint32_t i = 0; i < count; ++i) {
        alive[num_mentions] = entities[i];
        num_mentions += ct_entity_is_alive(m, entities[i]);
    }
    // The rest are alive, so a different mark is that of a second occurrence.
    for (uint32_t i = 0; i < num_mentions; ++i) {
        const ct_entity e = alive[i];
        const bool is_first = ct_entity_is_alive(m, e);
        alive[num_alive] = e;
        num_alive += is_first;
        m->marks[ct_entity_index(e)] = (uint8_t)(m->marks[ct_entity_index(e)] - is_first);
    }
    for (uint32_t i = 0; i < num_alive; ++i)
        ++m->marks[ct_entity_index(alive[i])];
    return num_alive;
}

// Ends the entities that are still alive; replaces each by the next id of its index.
static void end_living(ct_entity_manager *m, ct_entity *entities, uint32_t count) {
    uint32_t ended = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const ct_entity e = entities[i];
        const bool is_alive = ct_entity_is_alive(m, e);
        const uint8_t mark = m->marks[ct_entity_index(e)];
        m->marks[ct_entity_index(e)] = is_alive ? 0 : mark;
        // Of the next generation: at most the one after the last, which is 0 in the bits that
        // count.
        entities[ended].id = e.id + (1u << CT_ENTITY_INDEX_BITS);
        ended += is_alive;
    }
    ct_ring_push_many(&m->free_indices, entities, ended);
    m->num_alive -= ended;
    ++m->num_ends;
}

void ct_entity_destroy(ct_entity_manager *m, const ct_entity *entities, uint32_t count) {
    CT_TEMP_ALLOCATOR(temp, m->allocator);
    ct_entity *const alive = ct_alloc(temp, sizeof(ct_entity) * (uint64_t)count);
    uint32_t num_alive = filter_alive(m, entities, count, alive), num_ends = m->num_ends;
    for (uint32_t i = 0; i < m->num_callbacks && num_alive; ++i) {
        m->callbacks[i].destroyed(m->callbacks[i].user, alive, num_alive);
        if (m->num_ends == num_ends)
            continue;
        num_alive = filter_alive(m, alive, num_alive, alive); // a callback may be quicker
        num_ends = m->num_ends;
    }
    if (num_alive)
        end_living(m, alive, num_alive);
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
