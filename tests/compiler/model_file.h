// model_file.h: small glTF files, put together for the tests of meshes.
#pragma once
#include "compiler/compile_case.h"

#include "foundation/string/string_builder.h"

// A file while it is built: `scene` and `materials` are written by the test, accessors and their
// data by the functions below. The data goes to `<name>.bin`.
typedef struct model_file {
    ct_byte_array data;
    ct_string_builder views, accessors, primitives;
    uint32_t num_accessors;
    const char *nodes;     // JSON array; NULL: one node "n" with the mesh
    const char *roots;     // JSON array of the scene's nodes; NULL: the first
    const char *materials; // JSON array, or NULL
    const char *more;      // further members of the root, each ending with a comma; or NULL
} model_file;

static inline void model_file_init(model_file *m) {
    *m = (model_file){0};
    ct_array_init(&m->data, test_heap());
    ct_string_builder_init(&m->views, test_heap());
    ct_string_builder_init(&m->accessors, test_heap());
    ct_string_builder_init(&m->primitives, test_heap());
}

static inline void model_file_free(model_file *m) {
    ct_array_free(&m->data);
    ct_string_builder_free(&m->views);
    ct_string_builder_free(&m->accessors);
    ct_string_builder_free(&m->primitives);
}

// Adds an accessor and returns its position. `component` 5126 is float, 5125 uint32.
static inline uint32_t model_file_accessor(model_file *m, const void *data, uint32_t bytes,
                                           uint32_t component, const char *type, uint32_t count) {
    ct_string_builder_addf(&m->views, "%s{\"buffer\":0,\"byteOffset\":%u,\"byteLength\":%u}",
                           m->num_accessors ? "," : "", m->data.count, bytes);
    ct_string_builder_addf(
        &m->accessors, "%s{\"bufferView\":%u,\"componentType\":%u,\"type\":\"%s\",\"count\":%u}",
        m->num_accessors ? "," : "", m->num_accessors, component, type, count);
    ct_array_push_many(&m->data, (const uint8_t *)data, bytes);
    return m->num_accessors++;
}

static inline uint32_t model_file_vectors(model_file *m, const float *values, uint32_t count,
                                          uint32_t width) {
    static const char *const types[] = {"", "SCALAR", "VEC2", "VEC3", "VEC4"};
    return model_file_accessor(m, values, count * width * (uint32_t)sizeof(float), 5126,
                               types[width], count);
}

static inline uint32_t model_file_indices(model_file *m, const uint32_t *values, uint32_t count) {
    return model_file_accessor(m, values, count * (uint32_t)sizeof(uint32_t), 5125, "SCALAR",
                               count);
}

// Adds a primitive: `text` is the JSON between its braces.
static inline void model_file_primitive(model_file *m, const char *text) {
    ct_string_builder_addf(&m->primitives, "%s{%s}", m->primitives.length ? "," : "", text);
}

// The JSON; `uri` NULL leaves the buffer without one, as in binary files.
static inline void model_file_json(const model_file *m, const char *uri, ct_string_builder *json) {
    ct_string_builder_addf(
        json,
        "{\"asset\":{\"version\":\"2.0\"},%s\"scene\":0,\"scenes\":[{\"nodes\":%s}],\"nodes\":%s,"
        "\"materials\":%s,",
        m->more ? m->more : "", m->roots ? m->roots : "[0]",
        m->nodes ? m->nodes : "[{\"name\":\"n\",\"mesh\":0}]", m->materials ? m->materials : "[]");
    ct_string_builder_addf(json, "\"meshes\":[{\"name\":\"m\",\"primitives\":[%s]}],",
                           ct_string_builder_text(&m->primitives));
    ct_string_builder_addf(json, "\"buffers\":[{\"byteLength\":%u%s%s%s}],", m->data.count,
                           uri ? ",\"uri\":\"" : "", uri ? uri : "", uri ? "\"" : "");
    ct_string_builder_addf(json, "\"bufferViews\":[%s],\"accessors\":[%s]}",
                           ct_string_builder_text(&m->views),
                           ct_string_builder_text(&m->accessors));
}

// Writes models/a.gltf with its data in models/a.bin, and frees the model.
static inline void model_file_write(model_file *m, compile_case *t) {
    ct_string_builder json;
    ct_string_builder_init(&json, test_heap());
    model_file_json(m, "a.bin", &json);
    compile_case_text(t, "models/a.gltf", json.text);
    compile_case_file(t, "models/a.bin", m->data.items, m->data.count);
    ct_string_builder_free(&json);
    model_file_free(m);
}

// Appends the binary form of the model to `out`, and frees the model.
static inline void model_file_binary(model_file *m, ct_byte_array *out) {
    ct_string_builder json;
    ct_string_builder_init(&json, test_heap());
    model_file_json(m, NULL, &json);
    while (json.length % 4)
        ct_string_builder_add_char(&json, ' ');
    while (m->data.count % 4)
        ct_array_push(&m->data, 0);
    const uint32_t words[] = {0x46546c67, 2, 28 + json.length + m->data.count, json.length,
                              0x4e4f534a};
    const uint32_t chunk[] = {m->data.count, 0x004e4942};
    ct_array_push_many(out, (const uint8_t *)words, (uint32_t)sizeof(words));
    ct_array_push_many(out, (const uint8_t *)json.text, json.length);
    ct_array_push_many(out, (const uint8_t *)chunk, (uint32_t)sizeof(chunk));
    ct_array_push_many(out, m->data.items, m->data.count);
    ct_string_builder_free(&json);
    model_file_free(m);
}
