// template_support.h: looks into the entity templates of unit and level blobs.
#pragma once
#include "compiler/project_support.h"
#include "resource/types/component_resource.h"
#include "resource/types/unit_resource.h"

// The instances of a component type, or NULL.
static inline const ct_component_instances *
instances_of(const void *blob, const ct_entity_template *t, const char *type) {
    const ct_component_instances *list = ct_blob_at(blob, t->component_types.offset);
    for (uint32_t i = 0; i < t->component_types.count; ++i)
        if (list[i].type.value == ct_string_id32_of(type).value)
            return &list[i];
    return NULL;
}

static inline uint32_t count_of(const void *blob, const ct_entity_template *t, const char *type) {
    const ct_component_instances *instances = instances_of(blob, t, type);
    return instances ? instances->entity_index.count : 0;
}

// Instance `i` of a type.
static inline const void *data_of(const void *blob, const ct_entity_template *t, const char *type,
                                  uint32_t i) {
    const ct_component_instances *instances = instances_of(blob, t, type);
    assert_non_null(instances);
    assert_true(i < instances->entity_index.count);
    const uint32_t *data_index = ct_blob_at(blob, instances->data_index.offset);
    const uint32_t number = instances->data_index.count ? data_index[i] : i;
    return ct_blob_at(blob, instances->data.offset + number * instances->instance_bytes);
}

// Instance `i` of a type of varying size.
static inline const void *varying_data_of(const void *blob, const ct_entity_template *t,
                                          const char *type, uint32_t i) {
    const ct_component_instances *instances = instances_of(blob, t, type);
    assert_non_null(instances);
    assert_int_equal(instances->instance_bytes, 0);
    assert_true(i < instances->entity_index.count);
    const uint32_t *data_index = ct_blob_at(blob, instances->data_index.offset);
    const uint32_t *offsets = ct_blob_at(blob, instances->offsets.offset);
    const uint32_t number = instances->data_index.count ? data_index[i] : i;
    return ct_blob_at(blob, instances->data.offset + offsets[number]);
}

static inline uint32_t owner_of(const void *blob, const ct_entity_template *t, const char *type,
                                uint32_t i) {
    const ct_component_instances *instances = instances_of(blob, t, type);
    assert_non_null(instances);
    assert_true(i < instances->entity_index.count);
    return ((const uint32_t *)ct_blob_at(blob, instances->entity_index.offset))[i];
}

static inline void expect_vector3(const float *v, float x, float y, float z) {
    assert_float_equal(v[0], x, 1e-6);
    assert_float_equal(v[1], y, 1e-6);
    assert_float_equal(v[2], z, 1e-6);
}
