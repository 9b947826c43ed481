#include "render/component/render_data_component.h"

#include <string.h>

#include "entity/instance_table.h"
#include "foundation/error.h"
#include "resource/types/component_resource.h"

// The values of an instance.
typedef struct data_state {
    uint32_t num_values;
    ct_render_data_value values[CT_RENDER_DATA_MAX_VALUES];
} data_state;

struct ct_render_data_manager {
    ct_instance_table table;
    data_state *state;
    ct_mesh_manager *meshes;
    ct_allocator *allocator;
};

static const ct_soa_array arrays[] = {
    CT_NUMBERED_INSTANCE_TABLE_ARRAYS(ct_render_data_manager, table),
    CT_SOA_ARRAY_ALIGNED(ct_render_data_manager, state, 64),
};

ct_render_data_manager *ct_render_data_manager_create(ct_allocator *a, ct_mesh_manager *meshes) {
    ct_render_data_manager *const m = CT_NEW(a, ct_render_data_manager);
    m->allocator = a;
    m->meshes = meshes;
    ct_instance_table_init(&m->table, a, m, arrays, CT_COUNT_OF(arrays), CT_INSTANCE_LOOKUP_HASH);
    return m;
}

void ct_render_data_manager_destroy(ct_render_data_manager *m) {
    if (!m)
        return;
    ct_instance_table_free(&m->table);
    ct_free_sized(m->allocator, m, sizeof(*m));
}

// Returns the place of `i`, which must be an instance.
static uint32_t checked(const ct_render_data_manager *m, ct_render_data_instance i) {
    ct_instance_table_check(&m->table, i.index);
    return i.index;
}

ct_render_data_instance ct_render_data_create(ct_render_data_manager *m, ct_entity e, uint32_t id) {
    const uint32_t i = ct_instance_table_add(&m->table, e, id);
    m->state[i].num_values = 0;
    return (ct_render_data_instance){i};
}

void ct_render_data_destroy(ct_render_data_manager *m, ct_render_data_instance i) {
    ct_instance_table_end(&m->table, checked(m, i));
}

ct_render_data_instance ct_render_data_first(const ct_render_data_manager *m, ct_entity e) {
    return (ct_render_data_instance){ct_instance_table_first(&m->table, e)};
}

uint32_t ct_render_data_count(const ct_render_data_manager *m) {
    return ct_instance_table_count(&m->table);
}

ct_render_data_instance ct_render_data_next(const ct_render_data_manager *m,
                                            ct_render_data_instance i) {
    return (ct_render_data_instance){m->table.next[checked(m, i)]};
}

ct_render_data_instance ct_render_data_with_id(const ct_render_data_manager *m, ct_entity e,
                                               uint32_t id) {
    return (ct_render_data_instance){ct_instance_table_with_id(&m->table, e, id)};
}

uint32_t ct_render_data_id(const ct_render_data_manager *m, ct_render_data_instance i) {
    return m->table.id[checked(m, i)];
}

uint32_t ct_render_data_number(const ct_render_data_manager *m, ct_render_data_instance i) {
    return m->table.number[checked(m, i)];
}

ct_render_data_instance ct_render_data_with_number(const ct_render_data_manager *m, ct_entity e,
                                                   uint32_t number, uint32_t num_bits) {
    return (ct_render_data_instance){ct_instance_table_with_number(&m->table, e, number, num_bits)};
}

// --- Values --------------------------------------------------------------------------------------

static ct_render_data_value *find_value(data_state *state, ct_string_id32 name) {
    for (uint32_t i = 0; i < state->num_values; ++i) {
        if (state->values[i].name.value == name.value)
            return &state->values[i];
    }
    return NULL;
}

const ct_render_data_value *ct_render_data_values(const ct_render_data_manager *m,
                                                  ct_render_data_instance i, uint32_t *count) {
    *count = m->state[checked(m, i)].num_values;
    return m->state[i.index].values;
}

const ct_render_data_value *ct_render_data_get(const ct_render_data_manager *m,
                                               ct_render_data_instance i, ct_string_id32 name) {
    return find_value(&m->state[checked(m, i)], name);
}

bool ct_render_data_set(ct_render_data_manager *m, ct_render_data_instance i, ct_string_id32 name,
                        const float *values, uint32_t num_values) {
    data_state *const state = &m->state[checked(m, i)];
    ct_render_data_value *value = find_value(state, name);
    if (!value && state->num_values == CT_RENDER_DATA_MAX_VALUES)
        return false;
    if (!value)
        value = &state->values[state->num_values++];
    *value = (ct_render_data_value){.name = name, .num_floats = num_values};
    memcpy(value->value, values, num_values * sizeof(float));
    ct_mesh_give_value(m->meshes, m->table.entity[i.index], name, value->value, num_values);
    return true;
}

static void give_values(const ct_render_data_manager *m, ct_entity e, uint32_t i) {
    const data_state *const state = &m->state[i];
    for (uint32_t k = 0; k < state->num_values; ++k)
        ct_mesh_give_value(m->meshes, e, state->values[k].name, state->values[k].value,
                           state->values[k].num_floats);
}

void ct_render_data_give(const ct_render_data_manager *m, ct_entity e) {
    for (uint32_t i = ct_instance_table_first(&m->table, e); i; i = m->table.next[i])
        give_values(m, e, i);
}

// --- Registry ------------------------------------------------------------------------------------

static void spawn_data(void *manager, const ct_component_spawn *spawn) {
    ct_render_data_manager *const m = manager;
    const uint32_t count = ct_component_spawn_count(spawn);
    ct_instance_table_reserve(&m->table, count);
    for (uint32_t k = 0; k < count; ++k) {
        const char *const bytes = spawn->data;
        const ct_render_data *const data =
            (const void *)(bytes + spawn->offsets[ct_component_spawn_data(spawn, k)]);
        const uint32_t i = ct_render_data_create(m, spawn->owners[k], spawn->ids[k]).index;
        m->state[i].num_values = data->num_values;
        memcpy(m->state[i].values, data->values, data->num_values * sizeof(*data->values));
        give_values(m, spawn->owners[k], i);
    }
}

static void entities_destroyed(void *manager, const ct_entity *entities, uint32_t count) {
    ct_render_data_manager *const m = manager;
    ct_instance_table_erase_entities(&m->table, entities, count);
}

static void destroy_manager(void *manager) {
    ct_render_data_manager_destroy(manager);
}

ct_component_manager ct_render_data_component_manager(ct_render_data_manager *m) {
    return (ct_component_manager){.type_name = "render_data",
                                  .manager = m,
                                  .instances = &m->table,
                                  .spawn = spawn_data,
                                  .entities_destroyed = entities_destroyed,
                                  .destroy = destroy_manager};
}
