#include "entity/data_component.h"

#include <string.h>

#include "entity/data_private.h"
#include "foundation/error.h"

enum {
    LEAF_BYTES = 32,
    CACHE_LINE_BYTES = 64,
    MOST_ENDED = 1024,
    SLOTS_AHEAD = 32,
    BUFFERS_AHEAD = 16
};

static const ct_soa_array arrays[] = {
    CT_INSTANCE_TABLE_ARRAYS(ct_data_manager, table),
    CT_SOA_ARRAY_ALIGNED(ct_data_manager, slot, 64),
};

static void add_slot(ct_data_manager *m) {
    ct_array_push(&m->buffers, NULL);
    ct_array_push(&m->generations, 0);
    ct_array_push(&m->rows, 0);
}

// --- Life ----------------------------------------------------------------------------------------

ct_data_manager *ct_data_manager_create(ct_allocator *a) {
    ct_data_manager *const m = CT_NEW(a, ct_data_manager);
    m->allocator = a;
    ct_instance_table_init(&m->table, a, m, arrays, CT_COUNT_OF(arrays), CT_INSTANCE_LOOKUP_HASH);
    ct_array_init(&m->buffers, a);
    ct_array_init(&m->generations, a);
    ct_array_init(&m->rows, a);
    add_slot(m); // of none
    ct_array_init(&m->free_slots, a);
    ct_buddy_pool_init(&m->pool, a, "data", LEAF_BYTES);
    return m;
}

void ct_data_manager_destroy(ct_data_manager *m) {
    if (!m)
        return;
    ct_data_clear(m);
    ct_buddy_pool_free(&m->pool);
    ct_array_free(&m->free_slots);
    ct_array_free(&m->rows);
    ct_array_free(&m->generations);
    ct_array_free(&m->buffers);
    ct_instance_table_free(&m->table);
    ct_free_sized(m->allocator, m, sizeof *m);
}

// --- Buffers -------------------------------------------------------------------------------------

static bool is_empty(const ct_data_buffer *b) {
    return b == &ct_data_buffer_empty;
}

// Nobody writes to it: there is no room in it for anything.
static ct_data_buffer *empty_buffer(void) {
    return (ct_data_buffer *)(uintptr_t)&ct_data_buffer_empty;
}

static void give_buffer(ct_data_manager *m, ct_data_buffer *b) {
    if (!is_empty(b))
        ct_buddy_pool_give(&m->pool, b, ct_data_buffer_bytes(b));
}

static ct_data_buffer *copy_buffer(ct_data_manager *m, const void *from) {
    const ct_data_buffer *const b = from;
    if (b->num_keys == 0)
        return empty_buffer();
    const uint32_t bytes = ct_data_buffer_bytes(b);
    return memcpy(ct_buddy_pool_take(&m->pool, bytes), b, bytes);
}

// The bytes of the next buffer of an instance that has no room for what makes it `needed_bytes`
// large: the same while closing holes frees a quarter, then the double.
static uint32_t next_bytes(const ct_data_manager *m, const ct_data_buffer *b,
                           uint64_t needed_bytes) {
    const uint64_t old_bytes =
        is_empty(b) ? 0 : ct_buddy_pool_rounded_bytes(&m->pool, ct_data_buffer_bytes(b));
    if (needed_bytes <= old_bytes - old_bytes / 4)
        return (uint32_t)old_bytes;
    uint64_t bytes = ct_buddy_pool_rounded_bytes(&m->pool, needed_bytes);
    bytes = bytes > old_bytes ? bytes : 2 * old_bytes;
    return bytes < CT_DATA_MAX_BYTES ? (uint32_t)bytes : CT_DATA_MAX_BYTES;
}

// --- Instances -----------------------------------------------------------------------------------

static inline bool is_valid(const ct_data_manager *m, ct_data_instance i) {
    return i.slot < m->buffers.count && m->buffers.items[i.slot] &&
           m->generations.items[i.slot] == i.generation;
}

static void check_instance(const ct_data_manager *m, ct_data_instance i) {
    CT_ASSERT(is_valid(m, i), "the data instance %u.%u is none, or has ended", i.slot,
              i.generation);
    (void)m, (void)i;
}

static uint32_t row_of(const ct_data_manager *m, ct_data_instance i) {
    check_instance(m, i);
    return m->rows.items[i.slot];
}

static inline ct_data_buffer *buffer_of(const ct_data_manager *m, ct_data_instance i) {
    if (__builtin_expect(!is_valid(m, i), 0)) // instead of a call for each
        check_instance(m, i);
    return m->buffers.items[i.slot];
}

static ct_data_instance instance_at(const ct_data_manager *m, uint32_t row) {
    const uint32_t slot = m->slot[row]; // 0 of row 0
    return (ct_data_instance){slot, m->generations.items[slot]};
}

static uint32_t take_slot(ct_data_manager *m) {
    if (m->free_slots.count > 0)
        return m->free_slots.items[--m->free_slots.count];
    CT_REQUIRE(m->buffers.count < 1u << CT_DATA_SLOT_BITS, "%u data instances are too many",
               m->buffers.count);
    add_slot(m);
    return m->buffers.count - 1;
}

static void free_slot(ct_data_manager *m, uint32_t slot) {
    uint32_t *const generation = &m->generations.items[slot];
    give_buffer(m, m->buffers.items[slot]);
    m->buffers.items[slot] = NULL;
    *generation = (*generation + 1) & ((1u << CT_DATA_GENERATION_BITS) - 1);
    ct_array_push(&m->free_slots, slot);
}

void ct_data_add_many(ct_data_manager *m, const ct_entity *entities, const uint32_t *ids,
                      uint32_t count, const char *data, const uint32_t *offsets,
                      uint32_t num_buffers) {
    if (count == 0)
        return;
    const uint32_t first = ct_instance_table_add_many(&m->table, entities, ids, count);
    for (uint32_t k = 0, from = 0; k < count; ++k) {
        const uint32_t slot = take_slot(m);
        m->buffers.items[slot] = data ? copy_buffer(m, data + offsets[from]) : empty_buffer();
        m->rows.items[slot] = first + k;
        from = from + 1 < num_buffers ? from + 1 : 0;
        m->slot[first + k] = slot;
    }
}

ct_data_instance ct_data_create(ct_data_manager *m, ct_entity e, uint32_t id) {
    CT_ASSERT(!ct_instance_table_with_id(&m->table, e, id),
              "entity %u has data of the id %s already", e.id,
              ct_string_id32_name((ct_string_id32){id}));
    ct_data_add_many(m, &e, &id, 1, NULL, NULL, 0);
    return instance_at(m, ct_instance_table_count(&m->table));
}

static void destroy_row(ct_data_manager *m, uint32_t row) {
    free_slot(m, m->slot[row]);
    ct_instance_table_erase(&m->table, row);
    if (row < m->table.soa.count) // what was the last is here now
        m->rows.items[m->slot[row]] = row;
}

void ct_data_destroy(ct_data_manager *m, ct_data_instance i) {
    destroy_row(m, row_of(m, i));
}

void ct_data_destroy_all(ct_data_manager *m, const ct_entity *entities, uint32_t count) {
    for (uint32_t k = 0; k < count; ++k) {
        for (uint32_t row; (row = ct_instance_table_first(&m->table, entities[k])) != 0;)
            destroy_row(m, row);
    }
}

void ct_data_clear(ct_data_manager *m) {
    while (ct_instance_table_count(&m->table) > 0)
        destroy_row(m, ct_instance_table_count(&m->table));
}

ct_data_instance ct_data_with_id(const ct_data_manager *m, ct_entity e, uint32_t id) {
    return instance_at(m, ct_instance_table_with_id(&m->table, e, id));
}

ct_data_instance ct_data_first(const ct_data_manager *m, ct_entity e) {
    return instance_at(m, ct_instance_table_first(&m->table, e));
}

ct_data_instance ct_data_next(const ct_data_manager *m, ct_data_instance i) {
    return instance_at(m, m->table.next[row_of(m, i)]);
}

void ct_data_first_many(const ct_data_manager *m, const ct_entity *entities, uint32_t count,
                        ct_data_instance *instances) {
    enum { BATCH = 256 };
    uint32_t rows[BATCH];
    for (uint32_t k = 0; k < count; k += BATCH) {
        const uint32_t n = count - k < BATCH ? count - k : BATCH;
        ct_instance_table_first_many(&m->table, entities + k, n, rows);
        for (uint32_t j = 0; j < n; ++j)
            instances[k + j] = instance_at(m, rows[j]);
    }
}

bool ct_data_is_valid(const ct_data_manager *m, ct_data_instance i) {
    return is_valid(m, i);
}

ct_entity ct_data_entity(const ct_data_manager *m, ct_data_instance i) {
    return m->table.entity[row_of(m, i)];
}

uint32_t ct_data_id(const ct_data_manager *m, ct_data_instance i) {
    return m->table.id[row_of(m, i)];
}

uint32_t ct_data_count(const ct_data_manager *m) {
    return ct_instance_table_count(&m->table);
}

// --- Values --------------------------------------------------------------------------------------

ct_data_value ct_data_get(const ct_data_manager *m, ct_data_instance i, ct_data_key key) {
    const ct_data_buffer *const b = buffer_of(m, i);
    __builtin_prefetch((const char *)b + CACHE_LINE_BYTES); // where the place will lead
    return ct_data_buffer_get(b, key);
}

static bool check_size(const ct_data_buffer *b, ct_data_key key, ct_data_value value,
                       ct_error *error) {
    const uint64_t bytes = ct_data_buffer_needed_bytes(b, key, value);
    return bytes <= CT_DATA_MAX_BYTES ||
           ct_error_set(error,
                        "the data of an instance takes at most %d bytes: those there are, and %u "
                        "%s more, are too many",
                        CT_DATA_MAX_BYTES, value.count,
                        value.type == CT_DATA_TYPE_STRING ? "bytes" : "numbers");
}

// Sets a value that the buffer has no room for, but that fits an instance.
static void set_in_next(ct_data_manager *m, ct_data_instance i, ct_data_key key,
                        ct_data_value value) {
    ct_data_buffer *const b = buffer_of(m, i);
    const uint32_t bytes = next_bytes(m, b, ct_data_buffer_needed_bytes(b, key, value));
    ct_data_buffer *const next = ct_buddy_pool_take(&m->pool, bytes);
    ct_data_buffer_rebuild(b, key, value, next, bytes);
    give_buffer(m, b);
    m->buffers.items[i.slot] = next;
}

static void set_known_to_fit(ct_data_manager *m, ct_data_instance i, ct_data_key key,
                             ct_data_value value) {
    ct_data_buffer *const b = buffer_of(m, i);
    if (value.type == CT_DATA_TYPE_NONE)
        ct_data_buffer_remove(b, key);
    else if (!ct_data_buffer_set(b, key, value))
        set_in_next(m, i, key, value);
}

bool ct_data_set(ct_data_manager *m, ct_data_instance i, ct_data_key key, ct_data_value value,
                 ct_error *error) {
    ct_data_buffer *const b = buffer_of(m, i);
    if (value.type == CT_DATA_TYPE_NONE) {
        ct_data_buffer_remove(b, key);
        return true;
    }
    if (ct_data_buffer_set(b, key, value))
        return true;
    if (!check_size(b, key, value, error))
        return false;
    set_in_next(m, i, key, value);
    return true;
}

void ct_data_get_many(const ct_data_manager *m, const ct_data_instance *instances, uint32_t count,
                      ct_data_key key, ct_data_value *values) {
    for (uint32_t k = 0; k < count; ++k)
        values[k] = ct_data_get(m, instances[k], key);
}

bool ct_data_set_many(ct_data_manager *m, const ct_data_instance *instances, uint32_t count,
                      ct_data_key key, const ct_data_value *values, ct_error *error) {
    for (uint32_t k = 0; k < count; ++k) {
        if (!check_size(buffer_of(m, instances[k]), key, values[k], error))
            return false;
    }
    for (uint32_t k = 0; k < count; ++k)
        set_known_to_fit(m, instances[k], key, values[k]);
    return true;
}

// Has the memory of instances soon to come under way: where their buffers are, then the buffers,
// of which `at` is the byte that is wanted if they are like the last.
static inline void prefetch(const ct_data_manager *m, const ct_data_instance *instances,
                            uint32_t count, uint32_t k, uint32_t at) {
    if (k + SLOTS_AHEAD < count) {
        __builtin_prefetch(&m->buffers.items[instances[k + SLOTS_AHEAD].slot]);
        __builtin_prefetch(&m->generations.items[instances[k + SLOTS_AHEAD].slot]);
    }
    if (k + BUFFERS_AHEAD < count) {
        const char *const b = (const char *)m->buffers.items[instances[k + BUFFERS_AHEAD].slot];
        __builtin_prefetch(b);
        if (at >= CACHE_LINE_BYTES)
            __builtin_prefetch(b + at);
    }
}

// The byte in which the value at a place begins.
static inline uint32_t value_offset(const ct_data_buffer *b, uint32_t place) {
    return (uint32_t)((const char *)(ct_data_buffer_values(b) + place) - (const char *)b);
}

void ct_data_get_floats(const ct_data_manager *m, const ct_data_instance *instances, uint32_t count,
                        ct_data_key key, float otherwise, float *values) {
    uint32_t place = 0, at = 0; // where the key was: many instances have the same keys
    for (uint32_t k = 0; k < count; ++k) {
        prefetch(m, instances, count, k, at);
        const ct_data_buffer *const b = buffer_of(m, instances[k]);
        if (!ct_data_buffer_has(b, place, key))
            place = ct_data_buffer_place(b, key);
        const bool is_there = ct_data_buffer_has(b, place, key) &&
                              ct_data_buffer_types(b)[place] == CT_DATA_TYPE_FLOAT;
        at = value_offset(b, place);
        values[k] = otherwise;
        if (is_there)
            memcpy(&values[k], (const char *)b + at, sizeof *values);
    }
}

bool ct_data_set_floats(ct_data_manager *m, const ct_data_instance *instances, uint32_t count,
                        ct_data_key key, const float *values, ct_error *error) {
    for (uint32_t k = 0; k < count; ++k) {
        prefetch(m, instances, count, k, 0);
        const ct_data_buffer *const b = buffer_of(m, instances[k]);
        if (ct_data_buffer_bytes(b) > CT_DATA_MAX_BYTES / 2 && // others have room, or double
            !check_size(b, key, ct_data_float(0), error))
            return false;
    }
    uint32_t at = 0;
    for (uint32_t k = 0; k < count; ++k) {
        prefetch(m, instances, count, k, at);
        const ct_data_buffer *const b = buffer_of(m, instances[k]);
        at = value_offset(b, ct_data_buffer_place(b, key));
        set_known_to_fit(m, instances[k], key, ct_data_float(values[k]));
    }
    return true;
}

// --- Management ----------------------------------------------------------------------------------

ct_data_memory ct_data_memory_of(const ct_data_manager *m) {
    return (ct_data_memory){ct_buddy_pool_used_bytes(&m->pool),
                            ct_buddy_pool_total_bytes(&m->pool)};
}

void ct_data_collect_garbage(ct_data_manager *m, const ct_entity_manager *entities) {
    for (uint32_t i, n = 0; n < MOST_ENDED && (i = ct_instance_table_dead(&m->table, entities));
         ++n)
        destroy_row(m, i);
}

static void spawn_data(void *manager, const ct_component_spawn *spawn) {
    ct_data_add_many(manager, spawn->owners, spawn->ids, ct_component_spawn_count(spawn),
                     spawn->data, spawn->offsets, spawn->num_instances);
}

static void collect_garbage(void *manager, const ct_entity_manager *entities) {
    ct_data_collect_garbage(manager, entities);
}

static void destroy_manager(void *manager) {
    ct_data_manager_destroy(manager);
}

ct_component_manager ct_data_component_manager(ct_data_manager *m) {
    return (ct_component_manager){.type_name = "data",
                                  .manager = m,
                                  .spawn = spawn_data,
                                  .collect_garbage = collect_garbage,
                                  .destroy = destroy_manager};
}
