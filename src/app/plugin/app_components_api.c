// Components of plugins' types: the rows and columns of their tables (entity/component_table.h), whose
// rows are from 1.
#include <cuttle/components.h>

#include <string.h>

#include "app/app_private.h"
#include "app/plugin/app_plugin_check.h"
#include "foundation/error.h"
#include "foundation/memory/temp_allocator.h"
#include "plugin/plugin_schema_compare.h"

enum { BLOCK = 256 };

static const ct_component_table *table_of(const cuttle_components *c) {
    return (const ct_component_table *)(const void *)c;
}

static const ct_instance_table *rows_of(const cuttle_components *c) {
    return ct_component_table_instances(table_of(c));
}

static cuttle_components *find(cuttle_plugin *self, const cuttle_world *world, const char *type,
                               cuttle_error *error) {
    const ct_world *const w = ct_app_check_world(self, world, "components.find");
    ct_component_table *const t = w && type ? ct_world_component_table(w, type) : NULL;
    if (t)
        return (cuttle_components *)(void *)t;
    ct_error own = {0};
    if (w)
        ct_error_set(&own, "no plugin has added a component type \"%.64s\"", type ? type : "");
    else
        ct_error_set(&own, "the world has ended");
    ct_plugin_error_to(error, &own);
    return NULL;
}

static uint32_t count(const cuttle_components *c) {
    return ct_instance_table_count(rows_of(c));
}

static const cuttle_entity *entities(const cuttle_components *c) {
    return (const cuttle_entity *)(const void *)(rows_of(c)->entity + 1);
}

static const uint32_t *ids(const cuttle_components *c) {
    return rows_of(c)->id ? rows_of(c)->id + 1 : NULL;
}

static void *column(cuttle_components *c, const char *name, uint32_t type, cuttle_error *error) {
    const ct_schema *const schema = ct_component_table_schema(table_of(c));
    const ct_field *const field = name ? ct_schema_find(schema, name) : NULL;
    ct_error own = {0};
    if (!field)
        ct_error_set(&own, "the component %s has no field \"%.64s\"", schema->name,
                     name ? name : "");
    else if (field->type != ct_plugin_field_type(type))
        ct_error_set(&own, "the field %s.%s has another type", schema->name, name);
    if (own.message[0]) {
        ct_plugin_error_to(error, &own);
        return NULL;
    }
    return (char *)ct_component_table_column(table_of(c), name) + field->size_bytes;
}

static uint32_t row_of(const cuttle_components *c, cuttle_entity e) {
    const ct_entity own = {e.id};
    const uint32_t row =
        ct_entity_is_well_formed(own) ? ct_instance_table_first(rows_of(c), own) : 0;
    return row ? row - 1 : CUTTLE_NO_ROW;
}

static uint32_t next_row(const cuttle_components *c, uint32_t row) {
    const ct_instance_table *const t = rows_of(c);
    const uint32_t next = t->next && row < count(c) ? t->next[row + 1] : 0;
    return next ? next - 1 : CUTTLE_NO_ROW;
}

// --- Adding and ending ---------------------------------------------------------------------------

// Returns whether a table is that of its type in the world of each of the entities.
static bool check_entities(ct_plugin *self, const ct_component_table *t,
                           const cuttle_entity *owners, uint32_t num_owners, ct_error *error) {
    const ct_world *checked = NULL;
    for (uint32_t i = 0; i < num_owners; ++i) {
        const ct_world *const w = ct_app_world_of(self, owners[i]);
        if (!w)
            return ct_error_set(error, "entity %u (0x%x) is dead or in no world", i, owners[i].id);
        if (w != checked && ct_world_component_table(w, ct_component_table_schema(t)->name) != t)
            return ct_error_set(error, "entity %u (0x%x) is of another world", i, owners[i].id);
        checked = w;
    }
    return true;
}

static bool check_data(const ct_schema *schema, const void *data, uint32_t num_rows,
                       ct_error *error) {
    for (uint32_t i = 0; i < num_rows; ++i)
        if (!ct_schema_check(schema, (const char *)data + i * (uint64_t)schema->size_bytes, error))
            return false;
    return true;
}

// The structs of new rows: those given, or as many defaults.
static const void *data_of(ct_allocator *temp, const ct_schema *schema, const void *data,
                           uint32_t num_rows) {
    if (data)
        return data;
    char *const all = ct_alloc(temp, schema->size_bytes * (num_rows + 1ull));
    for (uint32_t i = 0; i < num_rows; ++i)
        ct_schema_defaults(schema, all + i * (uint64_t)schema->size_bytes);
    return all;
}

static uint32_t try_add(ct_plugin *self, ct_component_table *t, const cuttle_entity *owners,
                        const uint32_t *row_ids, const void *data, uint32_t num_rows,
                        ct_error *error) {
    const ct_schema *const schema = ct_component_table_schema(t);
    const bool is_single = ct_component_table_is_single(t);
    CT_TEMP_ALLOCATOR(temp, ct_app_of_plugin(self)->allocator);
    if (!is_single && !row_ids) {
        ct_error_set(error, "an entity may have several %s components: give their ids",
                     schema->name);
        return 0;
    }
    if (!check_entities(self, t, owners, num_rows, error) ||
        !ct_instance_table_has_room(ct_component_table_instances(t), num_rows, schema->name,
                                    error) ||
        (data && !check_data(schema, data, num_rows, error)))
        return 0;
    const uint32_t first =
        ct_component_table_add(t, ct_app_entities(owners), is_single ? NULL : row_ids,
                               data_of(temp, schema, data, num_rows), num_rows);
    if (!first)
        ct_error_set(error, "an entity has or would have two %s components; it may have one",
                     schema->name);
    return first;
}

static uint32_t add(cuttle_plugin *self, cuttle_components *c, const cuttle_entity *owners,
                    const uint32_t *row_ids, const void *data, uint32_t num_rows,
                    cuttle_error *error) {
    ct_component_table *const t = (ct_component_table *)(void *)c;
    ct_error own = {0};
    if (num_rows == 0)
        return count(c);
    const uint32_t first = try_add(self, t, owners, row_ids, data, num_rows, &own);
    if (!first)
        ct_plugin_error_to(error, &own);
    return first ? first - 1 : CUTTLE_NO_ROW;
}

static void remove_all(cuttle_components *c, const cuttle_entity *owners, uint32_t num_owners) {
    for (uint32_t i = 0; i < num_owners; ++i)
        if (row_of(c, owners[i]) != CUTTLE_NO_ROW)
            ct_component_table_erase_entities((ct_component_table *)(void *)c,
                                              ct_app_entities(&owners[i]), 1);
}

static void remove_row(cuttle_components *c, uint32_t row) {
    if (row < count(c))
        ct_component_table_erase((ct_component_table *)(void *)c, row + 1);
}

// --- Copying -------------------------------------------------------------------------------------

static bool has_rows(const cuttle_components *c, const uint32_t *rows, uint32_t num_rows) {
    const uint32_t all = count(c);
    if (!rows)
        return num_rows <= all;
    for (uint32_t i = 0; i < num_rows; ++i)
        if (rows[i] >= all)
            return false;
    return true;
}

// The table's numbers of a block of rows.
static uint32_t number_rows(const uint32_t *rows, uint32_t first, uint32_t num_rows,
                            uint32_t numbers[BLOCK]) {
    const uint32_t num_left = num_rows - first < BLOCK ? num_rows - first : BLOCK;
    for (uint32_t i = 0; i < num_left; ++i)
        numbers[i] = (rows ? rows[first + i] : first + i) + 1;
    return num_left;
}

static bool get(const cuttle_components *c, const uint32_t *rows, uint32_t num_rows, void *data) {
    const uint64_t bytes = ct_component_table_schema(table_of(c))->size_bytes;
    uint32_t numbers[BLOCK];
    if (!has_rows(c, rows, num_rows))
        return false;
    for (uint32_t first = 0; first < num_rows; first += BLOCK) {
        const uint32_t num_left = number_rows(rows, first, num_rows, numbers);
        ct_component_table_get(table_of(c), numbers, num_left, (char *)data + first * bytes);
    }
    return true;
}

static bool set(cuttle_components *c, const uint32_t *rows, uint32_t num_rows, const void *data) {
    ct_component_table *const t = (ct_component_table *)(void *)c;
    const uint64_t bytes = ct_component_table_schema(t)->size_bytes;
    uint32_t numbers[BLOCK];
    if (!has_rows(c, rows, num_rows))
        return false;
    for (uint32_t first = 0; first < num_rows; first += BLOCK) {
        const uint32_t num_left = number_rows(rows, first, num_rows, numbers);
        ct_component_table_set(t, numbers, num_left, (const char *)data + first * bytes);
    }
    return true;
}

const cuttle_components_api_1 ct_app_components_api_1 = {
    .find = find,
    .count = count,
    .entities = entities,
    .ids = ids,
    .column = column,
    .row = row_of,
    .next_row = next_row,
    .add = add,
    .remove = remove_all,
    .remove_row = remove_row,
    .get = get,
    .set = set,
};
