// wind_component.h: a component that is added from above `world`, as ARCHITECTURE's "Where to add"
// says: its data and schema, and its manager. Include once in a program.
#pragma once
#include "support/test_support.h"

#include "entity/instance_table.h"
#include "foundation/math/math.h"
#include "world/world.h"

typedef struct wind_data {
    float speed; // metres a second along x
} wind_data;

static const ct_field wind_fields[] = {
    {.name = "speed",
     .type = CT_FIELD_TYPE_FLOAT,
     .offset = offsetof(wind_data, speed),
     .size_bytes = sizeof(float),
     .doc = "How fast the unit is blown along x.",
     .unit = "m/s",
     .least = 0,
     .most = 100,
     .default_value = {2}},
};

static const ct_schema wind_schema = {.name = "wind",
                                      .doc = "Blows a unit away.",
                                      .size_bytes = sizeof(wind_data),
                                      .num_fields = CT_COUNT_OF(wind_fields),
                                      .fields = wind_fields,
                                      .identity =
                                          CT_SCHEMA_ID | CT_SCHEMA_TYPE | CT_SCHEMA_REMOVED};

typedef struct wind_manager {
    ct_instance_table table;
    wind_data *data;
    ct_transform_manager *transforms;
    ct_allocator *allocator;
} wind_manager;

static const ct_soa_array wind_arrays[] = {
    CT_SINGLE_INSTANCE_TABLE_ARRAYS(wind_manager, table),
    CT_SOA_ARRAY(wind_manager, data),
};

static inline void wind_spawn(void *manager, const ct_component_spawn *spawn) {
    wind_manager *const m = manager;
    const wind_data *const data = spawn->data;
    const uint32_t count = ct_component_spawn_count(spawn);
    const uint32_t first = ct_instance_table_add_many(&m->table, spawn->owners, NULL, count);
    for (uint32_t i = 0; i < count; ++i)
        m->data[first + i] = data[ct_component_spawn_data(spawn, i)];
}

static inline void wind_entities_destroyed(void *manager, const ct_entity *entities,
                                           uint32_t count) {
    ct_instance_table_erase_entities(&((wind_manager *)manager)->table, entities, count);
}

static inline void wind_destroy(void *manager) {
    wind_manager *const m = manager;
    ct_instance_table_free(&m->table);
    ct_free_sized(m->allocator, m, sizeof(*m));
}

static inline void *create_wind(ct_world *w, ct_component_manager *component) {
    wind_manager *const m = CT_NEW(ct_world_allocator(w), wind_manager);
    m->allocator = ct_world_allocator(w);
    m->transforms = ct_world_transforms(w); // of an earlier row
    ct_instance_table_init(&m->table, m->allocator, m, wind_arrays, CT_COUNT_OF(wind_arrays),
                           CT_INSTANCE_LOOKUP_HASH);
    *component = (ct_component_manager){.type_name = "wind",
                                        .schema = &wind_schema,
                                        .manager = m,
                                        .spawn = wind_spawn,
                                        .entities_destroyed = wind_entities_destroyed,
                                        .destroy = wind_destroy};
    return m;
}

// Moves what has wind, as its step does.
static inline void wind_blow(const wind_manager *m, double dt) {
    for (uint32_t i = 1; i < m->table.soa.count; ++i) {
        const ct_transform t = ct_transform_lookup(m->transforms, m->table.entity[i]);
        ct_vec3 position = ct_mat4_position(*ct_transform_world(m->transforms, t));
        position.x += m->data[i].speed * (float)dt;
        ct_transform_set_local_position(m->transforms, t, position);
    }
}
