#include "level_blob.h"

#include <stdio.h>
#include <string.h>

#include "bench.h"
#include "foundation/error.h"
#include "resource/blob/data_buffer.h"
#include "resource/types/component_resource.h"

enum { NUM = CT_BENCH_LEVEL_ENTITIES, UNIT = CT_BENCH_LEVEL_UNIT, NUM_MESHES = 35, NUM_TAGS = 5 };

const char *const ct_bench_level_tags[CT_BENCH_LEVEL_TAGS] = {"prop",  "wood",  "metal",
                                                              "light", "alive", "friend"};

// --- Components ----------------------------------------------------------------------------------

static uint32_t parent_of(uint32_t i, bool is_deep) {
    const uint32_t in_unit = i % UNIT;
    return is_deep && in_unit ? i - in_unit + (in_unit - 1) / 3 : CT_NO_PARENT;
}

static void fill_transform(void *out, uint32_t i, bool is_deep) {
    const float place = (float)(i % 100);
    *(ct_transform_data *)out =
        (ct_transform_data){{place, is_deep ? 1 : (float)i / 100, 0}, {0, 0, 0, 1}, {1, 1, 1}};
}

static void fill_mesh(void *out, uint32_t i, bool is_deep) {
    (void)is_deep;
    *(ct_mesh_data *)out = (ct_mesh_data){.mesh = {11 + i % 5},
                                          .materials = {{22 + i}},
                                          .num_materials = 1,
                                          .is_visible = 1,
                                          .casts_shadows = 1};
}

static void fill_name(void *out, uint32_t i, bool is_deep) {
    (void)is_deep;
    ct_debug_name_data *const data = out;
    memset(data, 0, sizeof(*data));
    snprintf(data->name, sizeof(data->name), "crate_%u", i);
}

static void write_data(ct_blob_writer *w, uint32_t i) {
    static const char *const keys[CT_BENCH_LEVEL_VALUES] = {"health", "speed", "weight", "age"};
    static _Alignas(8) char bytes[CT_BENCH_LEVEL_DATA_BYTES];
    ct_data_buffer *const b = (ct_data_buffer *)bytes;
    ct_data_buffer_rebuild(&ct_data_buffer_empty, (ct_data_key){0}, (ct_data_value){0}, b,
                           sizeof(bytes));
    for (uint32_t k = 0; k < CT_BENCH_LEVEL_VALUES; ++k) {
        const bool is_set =
            ct_data_buffer_set(b, ct_data_key_of(&keys[k], 1), ct_data_float((float)(i * 10 + k)));
        CT_REQUIRE(is_set, "the buffer of %u bytes is too small", (uint32_t)sizeof(bytes));
    }
    ct_blob_write_bytes(w, bytes, sizeof(bytes));
}

static void write_tags(ct_blob_writer *w, uint32_t i) {
    static const uint32_t sets[5] = {0x3, 0x5, 0x8, 0x10, 0x31}; // bits of the tags
    const uint32_t set = sets[i % 5];
    ct_blob_write_u32(w, (uint32_t)__builtin_popcount(set));
    for (uint32_t t = 0; t < CT_BENCH_LEVEL_TAGS; ++t) {
        if (set & 1u << t)
            ct_blob_write_u32(w, ct_string_id32_of(ct_bench_level_tags[t]).value);
    }
    for (uint32_t t = 0; t < CT_BENCH_LEVEL_TAGS; ++t) {
        if (set & 1u << t)
            ct_blob_write_bytes(w, ct_bench_level_tags[t], strlen(ct_bench_level_tags[t]) + 1);
    }
}

// --- The blob ------------------------------------------------------------------------------------

// Writes that instance i is made of data i % num_data, where these are fewer.
static void write_data_index(ct_blob_writer *w, uint32_t at, uint32_t num_data) {
    if (num_data == NUM)
        return;
    uint32_t *const numbers = CT_NEW_ARRAY(ct_bench_heap(), uint32_t, NUM);
    for (uint32_t i = 0; i < NUM; ++i)
        numbers[i] = i % num_data;
    ct_blob_patch_array(w, at + offsetof(ct_component_instances, data_index),
                        ct_blob_write_u32_array(w, numbers, NUM), NUM);
    ct_free(ct_bench_heap(), numbers);
}

// Writes whose the instances of the type at `at` are: one of each entity.
static void write_owners(ct_blob_writer *w, uint32_t at, const char *type) {
    uint32_t *const numbers = CT_NEW_ARRAY(ct_bench_heap(), uint32_t, NUM);
    for (uint32_t i = 0; i < NUM; ++i)
        numbers[i] = i;
    ct_blob_patch_u32(w, at, ct_string_id32_of(type).value);
    const uint32_t owners = ct_blob_write_u32_array(w, numbers, NUM);
    ct_blob_patch_array(w, at + offsetof(ct_component_instances, entity_index), owners, NUM);
    const uint32_t ids = ct_blob_write_u32_array(w, numbers, NUM);
    ct_blob_patch_array(w, at + offsetof(ct_component_instances, ids), ids, NUM);
    ct_free(ct_bench_heap(), numbers);
}

static void write_structs(ct_blob_writer *w, uint32_t at, const char *type, uint32_t num_data,
                          bool is_deep, void (*fill)(void *out, uint32_t i, bool is_deep)) {
    const ct_schema *const schema = ct_component_type_named(type)->schema;
    char *const data = ct_alloc(ct_bench_heap(), (uint64_t)num_data * schema->size_bytes);
    for (uint32_t i = 0; i < num_data; ++i)
        fill(data + (uint64_t)i * schema->size_bytes, i, is_deep);
    write_owners(w, at, type);
    ct_blob_patch_u32(w, at + offsetof(ct_component_instances, instance_bytes), schema->size_bytes);
    const uint32_t instances = ct_blob_write_structs(w, schema, data, num_data);
    ct_blob_patch_array(w, at + offsetof(ct_component_instances, data), instances, num_data);
    write_data_index(w, at, num_data);
    ct_free(ct_bench_heap(), data);
}

// Of a type of varying size.
static void write_bytes(ct_blob_writer *w, uint32_t at, const char *type, uint32_t num_data,
                        void (*write)(ct_blob_writer *w, uint32_t i)) {
    uint32_t *const offsets = CT_NEW_ARRAY(ct_bench_heap(), uint32_t, num_data + 1);
    write_owners(w, at, type);
    ct_blob_writer_align(w, 8);
    const uint32_t begin = ct_blob_writer_offset(w);
    for (uint32_t i = 0; i < num_data; ++i) {
        offsets[i] = ct_blob_writer_offset(w) - begin;
        write(w, i);
        ct_blob_writer_align(w, 8);
    }
    offsets[num_data] = ct_blob_writer_offset(w) - begin;
    ct_blob_patch_array(w, at + offsetof(ct_component_instances, data), begin, offsets[num_data]);
    const uint32_t where = ct_blob_write_u32_array(w, offsets, num_data + 1);
    ct_blob_patch_array(w, at + offsetof(ct_component_instances, offsets), where, num_data + 1);
    write_data_index(w, at, num_data);
    ct_free(ct_bench_heap(), offsets);
}

static void write_units(ct_blob_writer *w, bool is_deep) {
    const uint32_t step = is_deep ? UNIT : 1;
    ct_blob_writer_align(w, 8);
    ct_blob_patch_array(w, offsetof(ct_level_resource, units), ct_blob_writer_offset(w),
                        NUM / step);
    for (uint32_t i = 0; i < NUM; i += step) {
        ct_blob_write_u64(w, 33 + i % 5);
        ct_blob_write_u32(w, i);
        ct_blob_write_u32(w, i);
    }
}

static void write_components(ct_blob_writer *w, ct_bench_level_form form) {
    const bool is_deep = form == CT_BENCH_LEVEL_FORM_DEEP;
    const uint32_t num_meshes = form == CT_BENCH_LEVEL_FORM_KINDS ? NUM_MESHES : NUM;
    const uint32_t step = sizeof(ct_component_instances);
    const uint32_t types = ct_blob_write_zeroes(w, CT_BENCH_LEVEL_NUM_TYPES * step);
    ct_blob_patch_array(
        w, offsetof(ct_level_resource, entities) + offsetof(ct_entity_template, component_types),
        types, CT_BENCH_LEVEL_NUM_TYPES);
    write_structs(w, types + CT_BENCH_LEVEL_TYPE_TRANSFORM * step, "transform", NUM, is_deep,
                  fill_transform);
    write_structs(w, types + CT_BENCH_LEVEL_TYPE_MESH * step, "mesh", num_meshes, is_deep,
                  fill_mesh);
    write_structs(w, types + CT_BENCH_LEVEL_TYPE_DEBUG_NAME * step, "debug_name", NUM, is_deep,
                  fill_name);
    write_bytes(w, types + CT_BENCH_LEVEL_TYPE_DATA * step, "data", NUM, write_data);
    write_bytes(w, types + CT_BENCH_LEVEL_TYPE_TAG * step, "tag", NUM_TAGS, write_tags);
}

void ct_bench_level_write(ct_blob_writer *w, ct_bench_level_form form) {
    const bool is_deep = form == CT_BENCH_LEVEL_FORM_DEEP;
    ct_blob_writer_init(w, ct_bench_heap(), CT_BYTE_ORDER_LITTLE, "level", CT_LEVEL_VERSION);
    ct_blob_write_zeroes(w, sizeof(ct_level_resource) - sizeof(ct_blob_header));
    const uint32_t at = offsetof(ct_level_resource, entities);
    ct_blob_patch_u32(w, at, NUM);
    uint32_t *const parents = CT_NEW_ARRAY(ct_bench_heap(), uint32_t, NUM);
    for (uint32_t i = 0; i < NUM; ++i)
        parents[i] = parent_of(i, is_deep);
    ct_blob_patch_array(w, at + offsetof(ct_entity_template, parents),
                        ct_blob_write_u32_array(w, parents, NUM), NUM);
    ct_free(ct_bench_heap(), parents);
    ct_blob_writer_align(w, 8);
    write_components(w, form);
    write_units(w, is_deep);
    ct_blob_writer_finish(w);
}
