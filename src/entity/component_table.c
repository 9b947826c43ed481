#include "entity/component_table.h"

#include <string.h>

#include "foundation/error.h"
#include "foundation/log.h"
#include "foundation/memory/temp_allocator.h"

enum { MOST_ENDED = 1024 }; // lazily, in a frame

struct ct_component_table {
    ct_instance_table instances;
    ct_component_table_desc desc;
    ct_soa_array *arrays; // the instances' own, then a column for each field
    uint32_t num_arrays, first_column;
    ct_allocator *allocator;
    char *columns[]; // by field
};

// --- Life ----------------------------------------------------------------------------------------

// Describes the arrays: columns begin on cache lines of their own.
static void describe_arrays(ct_component_table *t) {
    static const ct_soa_array own[] = {CT_INSTANCE_TABLE_ARRAYS(ct_component_table, instances)};
    const ct_schema *const schema = t->desc.schema;
    t->first_column = t->desc.is_single ? 1 : CT_COUNT_OF(own);
    t->num_arrays = t->first_column + schema->num_fields;
    t->arrays = CT_NEW_ARRAY(t->allocator, ct_soa_array, t->num_arrays);
    memcpy(t->arrays, own, sizeof(*own) * t->first_column);
    for (uint32_t i = 0; i < schema->num_fields; ++i) {
        const uint32_t offset =
            (uint32_t)(offsetof(ct_component_table, columns) + i * sizeof(*t->columns));
        t->arrays[t->first_column + i] = (ct_soa_array){offset, schema->fields[i].size_bytes, 64};
    }
}

ct_component_table *ct_component_table_create(ct_allocator *a,
                                              const ct_component_table_desc *desc) {
    const uint64_t columns_bytes = sizeof(char *) * (uint64_t)desc->schema->num_fields;
    ct_component_table *const t = ct_alloc_zero(a, sizeof(*t) + columns_bytes);
    t->allocator = a;
    t->desc = *desc;
    describe_arrays(t);
    ct_instance_table_init(&t->instances, a, t, t->arrays, t->num_arrays, desc->lookup);
    return t;
}

void ct_component_table_destroy(ct_component_table *t) {
    if (!t)
        return;
    ct_instance_table_free(&t->instances);
    ct_free(t->allocator, t->arrays);
    ct_free(t->allocator, t);
}

const ct_schema *ct_component_table_schema(const ct_component_table *t) {
    return t->desc.schema;
}

bool ct_component_table_is_single(const ct_component_table *t) {
    return t->desc.is_single;
}

// --- Columns -------------------------------------------------------------------------------------

const ct_instance_table *ct_component_table_instances(const ct_component_table *t) {
    return &t->instances;
}

void *ct_component_table_column(const ct_component_table *t, const char *name) {
    const ct_schema *const schema = t->desc.schema;
    const ct_field *const field = ct_schema_find(schema, name);
    CT_ASSERT(field, "the component %s has no field \"%s\"", schema->name, name);
    return t->columns[field - schema->fields];
}

// Copies items of `bytes` bytes, which are `from_step` bytes apart, to places `to_step` apart.
// Usual sizes need no call for each item.
static void copy_items(char *to, uint64_t to_step, const char *from, uint64_t from_step,
                       uint32_t bytes, uint32_t count) {
#define COPY_ITEMS(size)                                                                           \
    for (uint32_t i = 0; i < count; ++i)                                                           \
    memcpy(to + i * to_step, from + i * from_step, (size))
    if (bytes == 4)
        COPY_ITEMS(4);
    else if (bytes == 12)
        COPY_ITEMS(12);
    else if (bytes == 16)
        COPY_ITEMS(16);
    else
        COPY_ITEMS(bytes);
#undef COPY_ITEMS
}

void ct_component_table_get(const ct_component_table *t, const uint32_t *rows, uint32_t count,
                            void *data) {
    const ct_schema *const schema = t->desc.schema;
    for (uint32_t c = 0; c < schema->num_fields; ++c) {
        const uint64_t bytes = schema->fields[c].size_bytes;
        char *const to = (char *)data + schema->fields[c].offset;
        for (uint32_t i = 0; i < count; ++i)
            memcpy(to + i * (uint64_t)schema->size_bytes, t->columns[c] + rows[i] * bytes, bytes);
    }
}

void ct_component_table_set(ct_component_table *t, const uint32_t *rows, uint32_t count,
                            const void *data) {
    const ct_schema *const schema = t->desc.schema;
    for (uint32_t i = 0; i < count; ++i)
        ct_instance_table_check(&t->instances, rows[i]);
    for (uint32_t c = 0; c < schema->num_fields; ++c) {
        const uint64_t bytes = schema->fields[c].size_bytes;
        const char *const from = (const char *)data + schema->fields[c].offset;
        for (uint32_t i = 0; i < count; ++i)
            memcpy(t->columns[c] + rows[i] * bytes, from + i * (uint64_t)schema->size_bytes, bytes);
    }
}

// --- Rows ----------------------------------------------------------------------------------------

uint32_t ct_component_table_add(ct_component_table *t, const ct_entity *entities,
                                const uint32_t *ids, const void *data, uint32_t count) {
    const ct_schema *const schema = t->desc.schema;
    const uint32_t first = ct_instance_table_add_many(&t->instances, entities, ids, count);
    for (uint32_t c = 0; first && c < schema->num_fields; ++c) {
        const uint32_t bytes = schema->fields[c].size_bytes;
        copy_items(t->columns[c] + first * (uint64_t)bytes, bytes,
                   (const char *)data + schema->fields[c].offset, schema->size_bytes, bytes, count);
    }
    return first;
}

void ct_component_table_erase(ct_component_table *t, uint32_t row) {
    ct_instance_table_erase(&t->instances, row);
}

void ct_component_table_erase_entities(ct_component_table *t, const ct_entity *entities,
                                       uint32_t count) {
    ct_instance_table_erase_entities(&t->instances, entities, count);
}

// --- Registry ------------------------------------------------------------------------------------

// Adds the rows of one copy.
static void spawn_copy(ct_component_table *t, const ct_entity *owners, const uint32_t *ids,
                       const char *data, uint32_t count) {
    if (ct_component_table_add(t, owners, t->desc.is_single ? NULL : ids, data, count))
        return;
    for (uint32_t i = 0; i < count; ++i) { // one by one: some have one
        if (!ct_component_table_add(t, &owners[i], NULL,
                                    data + i * (uint64_t)t->desc.schema->size_bytes, 1))
            ct_log_warning("entity", "two_components",
                           "a template gives an entity two %s components", t->desc.schema->name);
    }
}

// The data of one copy, end to end: in `temp` where instances share them.
static const char *spread_data(const ct_component_spawn *spawn, uint64_t bytes,
                               ct_allocator *temp) {
    if (!spawn->data_index)
        return spawn->data;
    char *const all = ct_alloc(temp, bytes * spawn->num_instances);
    for (uint32_t i = 0; i < spawn->num_instances; ++i)
        memcpy(all + i * bytes, (const char *)spawn->data + spawn->data_index[i] * bytes, bytes);
    return all;
}

static void spawn_rows(void *manager, const ct_component_spawn *spawn) {
    ct_component_table *const t = manager;
    const uint32_t count = spawn->num_instances;
    CT_TEMP_ALLOCATOR(temp, t->allocator);
    const char *const data = spread_data(spawn, t->desc.schema->size_bytes, temp);
    for (uint32_t copy = 0; copy < spawn->num_copies && count > 0; ++copy)
        spawn_copy(t, spawn->owners + copy * count, spawn->ids + copy * count, data, count);
}

static void entities_destroyed(void *manager, const ct_entity *entities, uint32_t count) {
    ct_component_table_erase_entities(manager, entities, count);
}

static void indices_ended(void *manager, const ct_entity *entities, uint32_t count) {
    ct_instance_table_erase_indices(&((ct_component_table *)manager)->instances, entities, count);
}

static void collect_garbage(void *manager, const ct_entity_manager *entities) {
    ct_instance_table *const t = &((ct_component_table *)manager)->instances;
    for (uint32_t i, n = 0; n < MOST_ENDED && (i = ct_instance_table_dead(t, entities)); ++n)
        ct_instance_table_erase(t, i);
}

// Field by field: structs have padding.
static void hash_rows(const void *manager, ct_state_hash *hash) {
    const ct_component_table *const t = manager;
    const ct_schema *const schema = t->desc.schema;
    const ct_instance_table *const instances = &t->instances;
    const uint32_t type = ct_string_id32_of(schema->name).value;
    for (uint32_t row = 1; row < instances->soa.count; ++row) {
        const uint64_t id = t->desc.is_single ? 0 : instances->id[row];
        for (uint32_t c = 0; c < schema->num_fields; ++c) {
            const uint32_t bytes = schema->fields[c].size_bytes;
            ct_state_hash_add(hash, instances->entity[row], type + ((uint64_t)c << 32) + (id << 40),
                              t->columns[c] + row * (uint64_t)bytes, bytes);
        }
    }
}

static void destroy_manager(void *manager) {
    ct_component_table_destroy(manager);
}

ct_component_manager ct_component_table_manager(ct_component_table *t) {
    const bool is_lazy = t->desc.end == CT_COMPONENT_END_LAZY;
    return (ct_component_manager){.type_name = t->desc.schema->name,
                                  .schema = t->desc.schema,
                                  .manager = t,
                                  .instances = &t->instances,
                                  .spawn = spawn_rows,
                                  .entities_destroyed = is_lazy ? NULL : entities_destroyed,
                                  .indices_ended = is_lazy ? indices_ended : NULL,
                                  .collect_garbage = is_lazy ? collect_garbage : NULL,
                                  .hash = hash_rows,
                                  .destroy = destroy_manager};
}
