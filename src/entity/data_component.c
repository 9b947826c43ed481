#include "entity/data_component.h"

#include "entity/data_private.h"
#include "foundation/error.h"
#include "foundation/memory/temp_allocator.h"

enum {
    LEAF_BYTES = 32,
    MOST_ENDED = 1024,
    SLOTS_AHEAD = 16,
    LAST_GENERATION = (1 << CT_DATA_GENERATION_BITS) - 1,
};

static const ct_soa_array arrays[] = {
    CT_INSTANCE_TABLE_ARRAYS(ct_data_manager, table),
    CT_SOA_ARRAY_ALIGNED(ct_data_manager, slot, 64),
};

static const ct_soa_array slot_arrays[] = {
    CT_SOA_ARRAY_ALIGNED(ct_data_slots, heads, 64),
    CT_SOA_ARRAY_ALIGNED(ct_data_slots, bodies, 64),
    CT_SOA_ARRAY_ALIGNED(ct_data_slots, buffers, 64),
    CT_SOA_ARRAY_ALIGNED(ct_data_slots, rows, 64),
};

// --- Life ----------------------------------------------------------------------------------------

ct_data_manager *ct_data_manager_create(ct_allocator *a) {
    ct_data_manager *const m = CT_NEW(a, ct_data_manager);
    m->allocator = a;
    ct_instance_table_init(&m->table, a, m, arrays, CT_COUNT_OF(arrays), CT_INSTANCE_LOOKUP_SPARSE);
    ct_soa_block_init(&m->slots.soa, a, &m->slots, slot_arrays, CT_COUNT_OF(slot_arrays));
    ct_soa_block_add(&m->slots.soa, 1); // of none
    ct_array_init(&m->free_slots, a);
    ct_data_layouts_init(&m->layouts, a, m->slots.hints);
    ct_buddy_pool_init(&m->pool, a, "data", LEAF_BYTES);
    return m;
}

void ct_data_manager_destroy(ct_data_manager *m) {
    if (!m)
        return;
    ct_data_clear(m);
    ct_buddy_pool_free(&m->pool);
    ct_data_layouts_free(&m->layouts);
    ct_array_free(&m->free_slots);
    ct_soa_block_free(&m->slots.soa);
    ct_instance_table_free(&m->table);
    ct_free_sized(m->allocator, m, sizeof(*m));
}

// --- Instances -----------------------------------------------------------------------------------

static uint32_t row_of(const ct_data_manager *m, ct_data_instance i) {
    ct_data_check(m, i);
    return m->slots.rows[i.slot];
}

static ct_data_instance instance_at(const ct_data_manager *m, uint32_t row) {
    const uint32_t slot = m->slot[row]; // 0 of row 0
    return (ct_data_instance){slot, ct_data_generation_at(m, slot)};
}

static uint32_t take_slot(ct_data_manager *m) {
    if (m->free_slots.count > 0)
        return m->free_slots.items[--m->free_slots.count];
    CT_REQUIRE(m->slots.soa.count < 1u << CT_DATA_SLOT_BITS, "%u data instances are too many",
               m->slots.soa.count);
    const uint32_t slot = ct_soa_block_add(&m->slots.soa, 1);
    ct_array_reserve(&m->free_slots, m->slots.soa.capacity); // so that ending allocates nothing
    return slot;
}

// A slot that has used its last generation is not used again.
static void free_slot(ct_data_manager *m, uint32_t slot) {
    const uint32_t generation = ct_data_generation_at(m, slot);
    ct_data_empty_slot(m, slot);
    if (generation == LAST_GENERATION)
        return;
    m->slots.heads[slot] = ct_data_head(generation + 1, 0);
    ct_array_push(&m->free_slots, slot); // for which there is room
}

static void destroy_row(ct_data_manager *m, uint32_t row) {
    free_slot(m, m->slot[row]);
    ct_instance_table_erase(&m->table, row);
    if (row < m->table.soa.count) // what was the last is here now
        m->slots.rows[m->slot[row]] = row;
}

// Ends many rows at once, those that are marked.
static void sweep(ct_data_manager *m) {
    for (uint32_t row = 1; row < m->table.soa.count; ++row) {
        if (ct_instance_table_is_marked(&m->table, row))
            free_slot(m, m->slot[row]);
    }
    ct_instance_table_sweep(&m->table);
    for (uint32_t row = 1; row < m->table.soa.count; ++row)
        m->slots.rows[m->slot[row]] = row;
}

// Empties the slot of a row that another entity takes over; returns the row's slot after that.
static uint32_t begin_anew(ct_data_manager *m, uint32_t row) {
    const uint32_t slot = m->slot[row], generation = ct_data_generation_at(m, slot);
    if (generation == LAST_GENERATION) {
        free_slot(m, slot);
        m->slot[row] = take_slot(m);
        m->slots.rows[m->slot[row]] = row;
        return m->slot[row];
    }
    ct_data_empty_slot(m, slot);
    m->slots.heads[slot] = ct_data_head(generation + 1, 0);
    return slot;
}

// Ends the instances of dead entities that had the indices of these before. If there are many, the
// first entities take over their rows; returns the number of these entities, and writes their empty
// slots to `slots`.
static uint32_t take_over(ct_data_manager *m, const ct_entity *entities, const uint32_t *ids,
                          uint32_t count, uint32_t *slots) {
    if (!ct_instance_table_sweeps_for(&m->table, count)) {
        for (uint32_t k = 0; k < count; ++k) {
            for (uint32_t row; (row = ct_instance_table_former(&m->table, entities[k]));)
                destroy_row(m, row);
        }
        return 0;
    }
    const uint32_t num_formers = ct_instance_table_mark_formers(&m->table, entities, count);
    if (num_formers == 0)
        return 0;
    uint32_t *const rows = slots;
    const uint32_t taken = ct_instance_table_take_over(&m->table, entities, ids, count, rows);
    for (uint32_t k = 0; k < taken; ++k)
        slots[k] = begin_anew(m, rows[k]);
    if (num_formers > taken)
        sweep(m);
    return taken;
}

// Adds rows for the entities that took none over; writes their empty slots to `slots`.
static void add_rows(ct_data_manager *m, const ct_entity *entities, const uint32_t *ids,
                     uint32_t count, uint32_t *slots) {
    const uint32_t first = ct_instance_table_add_many(&m->table, entities, ids, count);
    for (uint32_t k = 0; k < count; ++k) {
        slots[k] = m->slot[first + k] = take_slot(m);
        m->slots.rows[slots[k]] = first + k;
    }
}

void ct_data_add_many(ct_data_manager *m, const ct_component_spawn *spawn) {
    const uint32_t count = ct_component_spawn_count(spawn), n = spawn->num_instances;
    if (count == 0)
        return;
    CT_TEMP_ALLOCATOR(temp, m->allocator);
    uint32_t *const slots = ct_alloc(temp, sizeof(*slots) * (uint64_t)count);
    const uint32_t taken = take_over(m, spawn->owners, spawn->ids, count, slots);
    if (taken < count)
        add_rows(m, spawn->owners + taken, spawn->ids + taken, count - taken, slots + taken);
    ct_data_slot_template latest = {0};
    for (uint32_t i = 0; i < n; ++i) {
        if (i + SLOTS_AHEAD < n)
            __builtin_prefetch(&m->slots.bodies[slots[i + SLOTS_AHEAD]], 1);
        const uint32_t number = spawn->data_index ? spawn->data_index[i] : i;
        const void *const buffer =
            spawn->data ? (const char *)spawn->data + spawn->offsets[number] : NULL;
        ct_data_fill_slots(m, slots + i, spawn->num_copies, n,
                           buffer ? buffer : &ct_data_buffer_empty, &latest);
    }
}

ct_data_instance ct_data_create(ct_data_manager *m, ct_entity e, uint32_t id) {
    CT_ASSERT(!ct_instance_table_with_id(&m->table, e, id),
              "entity %u already has data with the id %s", e.id,
              ct_string_id32_name((ct_string_id32){id}));
    ct_data_add_many(
        m, &(ct_component_spawn){.owners = &e, .ids = &id, .num_instances = 1, .num_copies = 1});
    return instance_at(m, m->table.previous[ct_instance_table_first(&m->table, e)]); // its last
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
    return ct_data_is_alive(m, i);
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
    ct_data_add_many(manager, spawn);
}

static void indices_ended(void *manager, const ct_entity *entities, uint32_t count) {
    ct_data_manager *const m = manager;
    for (uint32_t k = 0; k < count; ++k) {
        for (uint32_t row; (row = ct_instance_table_of_index(&m->table, entities[k]));)
            destroy_row(m, row);
    }
}

static void collect_garbage(void *manager, const ct_entity_manager *entities) {
    ct_data_collect_garbage(manager, entities);
}

static void hash_value(ct_state_hash *hash, ct_entity e, uint32_t id, uint32_t key,
                       ct_data_value value) {
    const uint64_t what = ((uint64_t)key << 32 | CT_ID32("data", 0x92abc73b).value) +
                          (uint64_t)value.type + id * UINT64_C(0x9e3779b97f4a7c15);
    const uint8_t truth = value.type == CT_DATA_TYPE_BOOL && value.boolean;
    if (value.type == CT_DATA_TYPE_BOOL)
        ct_state_hash_add(hash, e, what, &truth, sizeof(truth));
    else if (value.type == CT_DATA_TYPE_FLOAT)
        ct_state_hash_add(hash, e, what, &value.number, sizeof(value.number));
    else if (value.type == CT_DATA_TYPE_STRING)
        ct_state_hash_add(hash, e, what, value.text, value.count);
    else
        ct_state_hash_add(hash, e, what, value.numbers,
                          value.count * (uint32_t)sizeof(*value.numbers));
}

// The hash does not depend on where a value is stored.
static void hash_data(const void *manager, ct_state_hash *hash) {
    const ct_data_manager *const m = manager;
    for (uint32_t row = 1; row < m->table.soa.count; ++row) {
        const uint32_t slot = m->slot[row], id = m->table.id[row];
        const ct_entity e = m->table.entity[row];
        const ct_data_layout *const layout = &m->layouts.items.items[ct_data_layout_at(m, slot)];
        const ct_data_buffer *const b = ct_data_buffer_at(m, slot);
        for (uint32_t k = 0; k < layout->num_keys; ++k)
            hash_value(hash, e, id, layout->keys[k],
                       ct_data_word_value(layout->types[k], m->slots.bodies[slot].words[k]));
        for (uint32_t k = 0; k < b->num_keys; ++k)
            hash_value(hash, e, id, b->words[k], ct_data_buffer_value(b, k));
    }
}

static void destroy_manager(void *manager) {
    ct_data_manager_destroy(manager);
}

ct_component_manager ct_data_component_manager(ct_data_manager *m) {
    return (ct_component_manager){.type_name = "data",
                                  .manager = m,
                                  .instances = &m->table,
                                  .spawn = spawn_data,
                                  .indices_ended = indices_ended,
                                  .collect_garbage = collect_garbage,
                                  .hash = hash_data,
                                  .destroy = destroy_manager};
}
