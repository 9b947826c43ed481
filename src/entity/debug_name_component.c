#include "entity/debug_name_component.h"

#include <string.h>

#include "entity/instance_table.h"
#include "resource/component_resource.h"

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
    ct_debug_name_manager *m = CT_NEW(a, ct_debug_name_manager);
    m->allocator = a;
    ct_instance_table_init(&m->table, a, m, arrays, CT_COUNT_OF(arrays), CT_INSTANCE_LOOKUP_SPARSE);
    return m;
}

void ct_debug_name_manager_destroy(ct_debug_name_manager *m) {
    if (!m)
        return;
    ct_instance_table_free(&m->table);
    ct_free_sized(m->allocator, m, sizeof *m);
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

void ct_debug_name_collect_garbage(ct_debug_name_manager *m, const ct_entity_manager *entities) {
    for (uint32_t i, n = 0; n < MOST_ENDED && (i = ct_instance_table_dead(&m->table, entities));
         ++n)
        ct_instance_table_erase(&m->table, i);
}

// Names of an entity that has one replace it, so they are set one by one.
static void set_names(ct_debug_name_manager *m, const ct_entity *owners,
                      const ct_debug_name_data *data, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i)
        ct_debug_name_set(m, owners[i], data[i].name);
}

// Cuts a name that has no end.
static void end_name(ct_debug_name_data *data) {
    if (data->name[CT_DEBUG_NAME_BYTES - 1] != 0) {
        const size_t bytes = fitting_bytes(data->name);
        memset(data->name + bytes, 0, CT_DEBUG_NAME_BYTES - bytes);
    }
}

static void spawn_names(void *manager, const ct_component_spawn *spawn) {
    ct_debug_name_manager *m = manager;
    const uint32_t count = spawn->num_instances;
    for (uint32_t copy = 0; copy < spawn->num_copies && count > 0; ++copy) {
        const ct_entity *owners = spawn->owners + copy * count;
        const uint32_t first = ct_instance_table_add_many(&m->table, owners, NULL, count);
        if (first == 0) {
            set_names(m, owners, spawn->data, count);
            continue;
        }
        memcpy(m->name + first, spawn->data, sizeof *m->name * (size_t)count);
        for (uint32_t i = first; i < first + count; ++i)
            end_name(&m->name[i]);
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
