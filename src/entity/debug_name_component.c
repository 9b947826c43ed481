#include "entity/debug_name_component.h"

#include <string.h>

#include "entity/instance_table.h"
#include "foundation/memory/temp_allocator.h"
#include "resource/types/component_resource.h"

enum { MOST_ENDED = 1024 }; // each frame

struct ct_debug_name_manager {
    ct_instance_table table;
    ct_debug_name_data *name;
    ct_allocator *allocator;
};

static const ct_soa_array arrays[] = {
    CT_SINGLE_INSTANCE_TABLE_ARRAYS(ct_debug_name_manager, table),
    CT_SOA_ARRAY_ALIGNED(ct_debug_name_manager, name, 64),
};

ct_debug_name_manager *ct_debug_name_manager_create(ct_allocator *a) {
    ct_debug_name_manager *const m = CT_NEW(a, ct_debug_name_manager);
    m->allocator = a;
    ct_instance_table_init(&m->table, a, m, arrays, CT_COUNT_OF(arrays), CT_INSTANCE_LOOKUP_SPARSE);
    return m;
}

void ct_debug_name_manager_destroy(ct_debug_name_manager *m) {
    if (!m)
        return;
    ct_instance_table_free(&m->table);
    ct_free_sized(m->allocator, m, sizeof(*m));
}

// The bytes of `name` that fit with a terminator: cut before a character that does not fit whole.
static size_t fitting_bytes(const char *name) {
    size_t bytes = strnlen(name, CT_DEBUG_NAME_BYTES);
    if (bytes < CT_DEBUG_NAME_BYTES)
        return bytes;
    bytes = CT_DEBUG_NAME_BYTES - 1;
    while (bytes && ((unsigned char)name[bytes] & 0xc0) == 0x80)
        --bytes;
    return bytes;
}

void ct_debug_name_set(ct_debug_name_manager *m, ct_entity e, const char *name) {
    uint32_t i = ct_instance_table_first(&m->table, e);
    if (i == 0)
        i = ct_instance_table_add(&m->table, e, 0);
    ct_debug_name_data data = {0};
    memcpy(data.name, name, fitting_bytes(name));
    m->name[i] = data;
}

void ct_debug_name_remove(ct_debug_name_manager *m, ct_entity e) {
    ct_instance_table_erase_entities(&m->table, &e, 1);
}

const char *ct_debug_name(const ct_debug_name_manager *m, ct_entity e) {
    const uint32_t i = ct_instance_table_first(&m->table, e);
    return i ? m->name[i].name : NULL;
}

uint32_t ct_debug_name_count(const ct_debug_name_manager *m) {
    return ct_instance_table_count(&m->table);
}

void ct_debug_name_collect_garbage(ct_debug_name_manager *m, const ct_entity_manager *entities) {
    for (uint32_t i, n = 0; n < MOST_ENDED && (i = ct_instance_table_dead(&m->table, entities));
         ++n)
        ct_instance_table_erase(&m->table, i);
}

// A name of template data, which may have no end.
static ct_debug_name_data cut_name(ct_debug_name_data data) {
    if (data.name[CT_DEBUG_NAME_BYTES - 1] != 0) {
        const size_t bytes = fitting_bytes(data.name);
        memset(data.name + bytes, 0, CT_DEBUG_NAME_BYTES - bytes);
    }
    return data;
}

// Lets the first of `owners` have the places of dead ones that had their indices; returns how many,
// with their places in `rows`.
static uint32_t take_over(ct_debug_name_manager *m, const ct_entity *owners, uint32_t count,
                          uint32_t *rows) {
    if (!ct_instance_table_sweeps_for(&m->table, count) ||
        !ct_instance_table_mark_formers(&m->table, owners, count))
        return 0;
    const uint32_t taken = ct_instance_table_take_over(&m->table, owners, NULL, count, rows);
    if (taken == 0)
        ct_instance_table_sweep(&m->table);
    return taken;
}

static void spawn_names(void *manager, const ct_component_spawn *spawn) {
    ct_debug_name_manager *const m = manager;
    const ct_debug_name_data *const data = spawn->data;
    const uint32_t count = ct_component_spawn_count(spawn);
    CT_TEMP_ALLOCATOR(temp, m->allocator);
    uint32_t *const rows = ct_alloc(temp, sizeof(*rows) * (uint64_t)count);
    const uint32_t taken = take_over(m, spawn->owners, count, rows);
    const uint32_t first =
        ct_instance_table_add_many(&m->table, spawn->owners + taken, NULL, count - taken);
    for (uint32_t k = 0; k < count; ++k) {
        const uint32_t row = k < taken ? rows[k] : first ? first + k - taken : 0;
        const ct_debug_name_data *const own = &data[ct_component_spawn_data(spawn, k)];
        if (row)
            m->name[row] = cut_name(*own);
        else // some have a name, which is replaced: one by one
            ct_debug_name_set(m, spawn->owners[k], own->name);
    }
}

static void indices_ended(void *manager, const ct_entity *entities, uint32_t count) {
    ct_instance_table_erase_indices(&((ct_debug_name_manager *)manager)->table, entities, count);
}

static void collect_garbage(void *manager, const ct_entity_manager *entities) {
    ct_debug_name_collect_garbage(manager, entities);
}

static void destroy_manager(void *manager) {
    ct_debug_name_manager_destroy(manager);
}

ct_component_manager ct_debug_name_component_manager(ct_debug_name_manager *m) {
    return (ct_component_manager){.type_name = "debug_name",
                                  .schema = ct_component_type_named("debug_name")->schema,
                                  .manager = m,
                                  .spawn = spawn_names,
                                  .indices_ended = indices_ended,
                                  .collect_garbage = collect_garbage,
                                  .destroy = destroy_manager};
}
