// Instances: their records, and the chunks in which their dynamic data lies.
#include <string.h>

#include "flow/flow_private.h"

enum {
    CHUNK_BYTES = 64 * 1024, // at least, where a graph's instances are smaller
    INDEX_MASK = (1 << CT_FLOW_INDEX_BITS) - 1,
    LAST_GENERATION = (1 << (32 - CT_FLOW_INDEX_BITS)) - 1,
};

// --- Pools ---------------------------------------------------------------------------------------

uint32_t ct_flow_pool_room(const ct_flow_pool *pool) {
    if (pool->chunks.count == 0)
        return pool->free.count;
    const ct_flow_chunk *const last = &pool->chunks.items[pool->chunks.count - 1];
    return pool->free.count + last->num_instances - last->num_used;
}

// Moves what is left of the last chunk to the free places, and adds one for at least `count`.
static void add_chunk(ct_flow_world *w, ct_flow_pool *pool, uint32_t count) {
    const uint32_t usual = CHUNK_BYTES / pool->bytes;
    const uint32_t n = count > usual ? count : usual;
    ct_array_reserve(&pool->free, (uint64_t)pool->num_places + n);
    if (pool->chunks.count > 0) {
        ct_flow_chunk *const last = &pool->chunks.items[pool->chunks.count - 1];
        while (last->num_used < last->num_instances)
            ct_array_push(&pool->free, last->data + (uint64_t)last->num_used++ * pool->bytes);
    }
    ct_array_push(&pool->chunks, (ct_flow_chunk){
                                     .data = ct_alloc(w->allocator, (uint64_t)n * pool->bytes),
                                     .num_instances = n,
                                 });
    pool->num_places += n;
}

void ct_flow_pool_reserve(ct_flow_world *w, ct_flow_pool *pool, uint32_t count) {
    const uint32_t room = ct_flow_pool_room(pool);
    if (count > room)
        add_chunk(w, pool, count - room);
}

uint8_t *ct_flow_pool_take(ct_flow_world *w, ct_flow_pool *pool) {
    if (pool->free.count > 0)
        return pool->free.items[--pool->free.count];
    if (ct_flow_pool_room(pool) == 0)
        add_chunk(w, pool, 1);
    ct_flow_chunk *const last = &pool->chunks.items[pool->chunks.count - 1];
    return last->data + (uint64_t)last->num_used++ * pool->bytes;
}

void ct_flow_pool_free(ct_flow_world *w, ct_flow_pool *pool) {
    for (uint32_t i = 0; i < pool->chunks.count; ++i)
        ct_free_sized(w->allocator, pool->chunks.items[i].data,
                      (uint64_t)pool->chunks.items[i].num_instances * pool->bytes);
    ct_array_free(&pool->chunks);
    ct_array_free(&pool->free);
    pool->num_places = 0;
}

// The pool of a loaded graph.
static ct_flow_pool *pool_of(ct_flow_world *w, const ct_flow_graph *g) {
    while (w->pools.count <= g->index) {
        ct_flow_pool pool = {0};
        ct_array_init(&pool.chunks, w->allocator);
        ct_array_init(&pool.free, w->allocator);
        ct_array_push(&w->pools, pool);
    }
    ct_flow_pool *const pool = &w->pools.items[g->index];
    pool->bytes = g->dynamic_bytes;
    return pool;
}

// --- Records -------------------------------------------------------------------------------------

ct_flow_record *ct_flow_record_of(const ct_flow_world *w, ct_flow_instance i) {
    const uint32_t index = i.id & INDEX_MASK;
    if (index == 0 || index >= w->records.count)
        return NULL;
    ct_flow_record *const r = &w->records.items[index];
    return r->data && !r->is_ended && r->generation == i.id >> CT_FLOW_INDEX_BITS ? r : NULL;
}

bool ct_flow_is_alive(const ct_flow_world *w, ct_flow_instance i) {
    return ct_flow_record_of(w, i) != NULL;
}

uint32_t ct_flow_num_instances(const ct_flow_world *w) {
    return w->num_instances;
}

static ct_flow_instance id_of(const ct_flow_world *w, uint32_t index) {
    return (ct_flow_instance){
        index == 0 ? 0 : w->records.items[index].generation << CT_FLOW_INDEX_BITS | index};
}

// Takes a free record; there is room.
static uint32_t take_record(ct_flow_world *w) {
    const uint32_t index = w->first_free;
    if (index) {
        w->first_free = w->records.items[index].next;
        return index;
    }
    ct_array_push(&w->records, (ct_flow_record){.generation = 1});
    return w->records.count - 1;
}

static ct_hash_map *map_of(ct_flow_world *w, const ct_flow_head *head, uint64_t *key) {
    *key = head->unit.entity ? head->unit.entity : head->level;
    if (*key == 0)
        return NULL;
    return head->unit.entity ? &w->of_units : &w->of_levels;
}

// Adds an instance behind the others of its unit, or of its level.
static void add_to_owner(ct_flow_world *w, uint32_t index) {
    uint64_t key;
    ct_flow_record *const r = &w->records.items[index];
    r->next = 0;
    ct_hash_map *const map = map_of(w, ct_flow_head_of(r), &key);
    if (!map || ct_hash_map_add(map, key, index))
        return;
    uint32_t last = (uint32_t)ct_hash_map_get(map, key, 0);
    while (w->records.items[last].next)
        last = w->records.items[last].next;
    w->records.items[last].next = index;
}

static void remove_from_owner(ct_flow_world *w, uint32_t index) {
    uint64_t key;
    const ct_flow_record *const r = &w->records.items[index];
    ct_hash_map *const map = map_of(w, ct_flow_head_of(r), &key);
    if (!map)
        return;
    uint32_t at = (uint32_t)ct_hash_map_get(map, key, 0);
    if (at == index && r->next)
        ct_hash_map_set(map, key, r->next);
    else if (at == index)
        ct_hash_map_erase(map, key);
    else {
        while (w->records.items[at].next != index)
            at = w->records.items[at].next;
        w->records.items[at].next = r->next;
    }
}

void ct_flow_start_polling(ct_flow_world *w, uint32_t index) {
    if (w->records.items[index].is_polled)
        return;
    w->records.items[index].is_polled = true;
    ct_array_push(&w->polling, id_of(w, index));
}

// --- Creation ------------------------------------------------------------------------------------

// SplitMix64's last step, of the number of the instance.
static uint64_t seed_of(uint64_t number) {
    uint64_t x = number * UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

static ct_entity find_level_unit(const ct_world *w, ct_level level, uint32_t id) {
    uint32_t count;
    const uint32_t *const ids = ct_level_unit_ids(w, level);
    const ct_entity *const units = ct_level_units(w, level, &count);
    for (uint32_t i = 0; i < count; ++i) {
        if (ids[i] == id)
            return units[i];
    }
    return (ct_entity){0};
}

void ct_flow_write_level_units(const ct_flow_world *w, const ct_flow_record *r) {
    const ct_flow_graph *const g = ct_flow_graph_of(w, r);
    const ct_level level = {ct_flow_head_of(r)->level};
    const ct_flow_initial *const initials = ct_blob_at(g->resource, g->resource->initials.offset);
    const bool is_of_level = ct_level_is_alive(w->world, level);
    for (uint32_t i = 0; i < g->resource->initials.count; ++i) {
        ct_entity unit = {0};
        if (!initials[i].level_unit)
            continue;
        if (is_of_level)
            unit = find_level_unit(w->world, level, initials[i].level_unit);
        ct_flow_value *const value = (void *)(r->data + initials[i].offset);
        value->object = (ct_flow_object){.entity = unit.id};
    }
}

static bool can_create(const ct_flow_world *w, const ct_flow_graph *g, ct_string_id64 name,
                       uint32_t count, ct_error *error) {
    if (!g || !g->resource)
        return ct_error_set(error, "the flow graph \"%s\" is not loaded",
                            ct_string_id64_name(name));
    if (g->missing)
        return ct_error_set(
            error,
            "the flow graph \"%s\" has nodes of the type \"%s\", which this program does not know",
            ct_string_id64_name(name),
            (const char *)ct_blob_at(g->resource, g->types[g->missing - 1].name.offset));
    if ((uint64_t)w->num_instances + count > INDEX_MASK)
        return ct_error_set(error, "there are too many instances of flow graphs: %u more than %u",
                            count, INDEX_MASK - w->num_instances);
    return true;
}

// Makes one; there is room for it.
static uint32_t create(ct_flow_world *w, const ct_flow_graph *g, ct_flow_pool *pool, ct_entity unit,
                       ct_level level) {
    const uint32_t index = take_record(w);
    ct_flow_record *const r = &w->records.items[index];
    *r = (ct_flow_record){
        .data = ct_flow_pool_take(w, pool), .graph = g->index, .generation = r->generation};
    memcpy(r->data, g->template, g->dynamic_bytes);
    ct_flow_head *const head = ct_flow_head_of(r);
    head->unit.entity = unit.id;
    head->level = level.id;
    head->instance = id_of(w, index).id;
    head->random = seed_of(++w->num_created);
    add_to_owner(w, index);
    if (g->has_level_units)
        ct_flow_write_level_units(w, r);
    if (g->num_polled)
        ct_flow_start_polling(w, index);
    return index;
}

bool ct_flow_create(ct_flow_world *w, ct_string_id64 graph, const ct_entity *units, ct_level level,
                    uint32_t count, ct_flow_instance *instances, ct_error *error) {
    const ct_flow_graph *const g = ct_flow_find_graph(w->system, graph);
    if (!can_create(w, g, graph, count, error))
        return false;
    ct_flow_pool *const pool = pool_of(w, g);
    ct_flow_pool_reserve(w, pool, count);
    ct_array_reserve(&w->records, (uint64_t)w->num_instances + 1 + count);
    if (units)
        ct_hash_map_reserve(&w->of_units, w->of_units.count + count);
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t index = create(w, g, pool, units ? units[i] : (ct_entity){0}, level);
        if (instances)
            instances[i] = id_of(w, index);
    }
    w->num_instances += count;
    return true;
}

// --- The end -------------------------------------------------------------------------------------

void ct_flow_free_ended(ct_flow_world *w, uint32_t index) {
    ct_flow_record *const r = &w->records.items[index];
    ct_array_push(&w->pools.items[r->graph].free, r->data);
    const uint32_t generation = r->generation == LAST_GENERATION ? 1 : r->generation + 1;
    *r = (ct_flow_record){.generation = generation, .next = w->first_free};
    w->first_free = index;
}

static void end(ct_flow_world *w, uint32_t index) {
    ct_flow_record *const r = &w->records.items[index];
    remove_from_owner(w, index);
    --w->num_instances;
    r->is_ended = true;
    for (ct_flow_run *run = w->run; run; run = run->outer)
        run->is_over |= run->index == index;
    if (r->num_runs == 0)
        ct_flow_free_ended(w, index);
}

void ct_flow_destroy(ct_flow_world *w, const ct_flow_instance *instances, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        if (ct_flow_record_of(w, instances[i]))
            end(w, instances[i].id & INDEX_MASK);
    }
}

void ct_flow_end_of_graph(ct_flow_world *w, const ct_flow_graph *g) {
    CT_ASSERT(!w->run, "a flow graph was unloaded in the middle of an event");
    for (uint32_t i = 1; i < w->records.count; ++i) {
        const ct_flow_record *const r = &w->records.items[i];
        if (r->data && !r->is_ended && r->graph == g->index)
            end(w, i);
    }
    if (g->index < w->pools.count)
        ct_flow_pool_free(w, &w->pools.items[g->index]);
}

// --- Look-ups ------------------------------------------------------------------------------------

ct_flow_instance ct_flow_of_unit(const ct_flow_world *w, ct_entity unit) {
    return id_of(w, (uint32_t)ct_hash_map_get(&w->of_units, unit.id, 0));
}

ct_flow_instance ct_flow_of_level(const ct_flow_world *w, ct_level level) {
    return id_of(w, (uint32_t)ct_hash_map_get(&w->of_levels, level.id, 0));
}
