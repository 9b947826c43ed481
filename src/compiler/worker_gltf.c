#include "compiler/worker_gltf.h"

#include <string.h>

#include "foundation/error.h"
#include "foundation/sjson.h"

enum { GLB_HEADER_BYTES = 12, GLB_CHUNK_HEADER_BYTES = 8 };

// The required extensions that Assimp applies when it reads.
static const char *const known_extensions[] = {
    "KHR_texture_transform",      "KHR_materials_unlit",
    "KHR_draco_mesh_compression", "KHR_materials_pbrSpecularGlossiness",
    "KHR_materials_clearcoat",    "KHR_materials_transmission",
    "KHR_materials_sheen",        "KHR_materials_ior",
    "KHR_materials_volume",       "KHR_materials_emissive_strength",
    "KHR_lights_punctual",
};

static uint32_t little_endian32(const char *bytes) {
    const uint8_t *p = (const uint8_t *)bytes;
    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

// Finds the JSON chunk of a binary file.
static bool find_json_chunk(ct_compile *c, const char *path, const char *bytes, uint64_t size_bytes,
                            ct_sjson_value at, const char **json, uint64_t *json_bytes) {
    const uint64_t least = GLB_HEADER_BYTES + GLB_CHUNK_HEADER_BYTES;
    if (size_bytes < least || little_endian32(bytes + 4) != 2)
        return ct_compile_error(c, c->doc, at, "%s is not a binary glTF file of version 2", path);
    if (little_endian32(bytes + 8) > size_bytes)
        return ct_compile_error(c, c->doc, at, "%s is truncated: it has %llu bytes; expected %u",
                                path, (unsigned long long)size_bytes, little_endian32(bytes + 8));
    *json_bytes = little_endian32(bytes + GLB_HEADER_BYTES);
    *json = bytes + least;
    if (memcmp(bytes + GLB_HEADER_BYTES + 4, "JSON", 4) != 0 || *json_bytes > size_bytes - least)
        return ct_compile_error(c, c->doc, at, "%s is damaged: its first chunk is not JSON", path);
    return true;
}

// The counts of all accessors, so that large files are read in linear time.
static uint64_t *accessor_counts(ct_compile *c, const ct_sjson *doc, uint32_t *num_accessors) {
    const ct_sjson_value accessors = ct_sjson_find(doc, ct_sjson_root(doc), "accessors");
    *num_accessors = ct_sjson_count(doc, accessors);
    uint64_t *counts = CT_NEW_ARRAY(c->allocator, uint64_t, *num_accessors + 1);
    uint32_t i = 0;
    for (ct_sjson_value v = ct_sjson_first(doc, accessors); v.entry; v = ct_sjson_next(doc, v)) {
        const double count = ct_sjson_number(doc, ct_sjson_find(doc, v, "count"), 0);
        counts[i++] = count > 0 && count < 4294967296.0 ? (uint64_t)count : 0;
    }
    return counts;
}

static uint64_t triangles_of(const ct_sjson *doc, ct_sjson_value primitive, const uint64_t *counts,
                             uint32_t num_accessors) {
    ct_sjson_value accessor = ct_sjson_find(doc, primitive, "indices");
    if (!accessor.entry)
        accessor = ct_sjson_find(doc, ct_sjson_find(doc, primitive, "attributes"), "POSITION");
    const double index = ct_sjson_number(doc, accessor, -1);
    const uint64_t count = index >= 0 && index < num_accessors ? counts[(uint32_t)index] : 0;
    const double mode = ct_sjson_number(doc, ct_sjson_find(doc, primitive, "mode"), 4);
    if (mode == 4)
        return count / 3;
    return (mode == 5 || mode == 6) && count >= 3 ? count - 2 : 0;
}

static bool check_extensions(ct_compile *c, const ct_sjson *doc, const char *path, bool is_binary) {
    const uint32_t errors = ct_compile_error_count(c);
    const ct_sjson_value list = ct_sjson_find(doc, ct_sjson_root(doc), "extensionsRequired");
    for (ct_sjson_value v = ct_sjson_first(doc, list); v.entry; v = ct_sjson_next(doc, v)) {
        const char *name = ct_sjson_string(doc, v, "");
        bool is_known = false;
        for (uint32_t i = 0; i < CT_COUNT_OF(known_extensions); i++)
            is_known |= strcmp(name, known_extensions[i]) == 0;
        uint32_t line = 0, column = 0;
        if (!is_binary)
            ct_sjson_position(doc, v, &line, &column);
        if (!is_known)
            ct_compile_error_at(c, path, line, column,
                                "the file requires the extension \"%s\", which cannot be read; "
                                "export it without",
                                name);
    }
    return ct_compile_error_count(c) == errors;
}

static void read_primitives(ct_compile *c, const ct_sjson *doc, ct_worker_gltf *gltf) {
    uint32_t num_accessors = 0;
    const uint64_t *counts = accessor_counts(c, doc, &num_accessors);
    const ct_sjson_value meshes = ct_sjson_find(doc, ct_sjson_root(doc), "meshes");
    CT_ARRAY(ct_worker_gltf_primitive) found;
    ct_array_init(&found, c->allocator);
    uint32_t mesh = 0;
    for (ct_sjson_value m = ct_sjson_first(doc, meshes); m.entry; m = ct_sjson_next(doc, m)) {
        const ct_sjson_value list = ct_sjson_find(doc, m, "primitives");
        uint32_t primitive = 0;
        for (ct_sjson_value p = ct_sjson_first(doc, list); p.entry; p = ct_sjson_next(doc, p)) {
            ct_array_push(&found, (ct_worker_gltf_primitive){
                                      .mesh = mesh,
                                      .primitive = primitive++,
                                      .num_triangles = triangles_of(doc, p, counts, num_accessors),
                                  });
        }
        mesh++;
    }
    gltf->primitives = found.items;
    gltf->num_primitives = found.count;
}

// Assimp reads version 2 by another importer than version 1, which we do not support.
static bool check_version(ct_compile *c, const ct_sjson *doc, const char *path, bool is_binary) {
    const ct_sjson_value asset = ct_sjson_find(doc, ct_sjson_root(doc), "asset");
    const ct_sjson_value version = ct_sjson_find(doc, asset, "version");
    const char *text = ct_sjson_string(doc, version, "");
    if (strncmp(text, "2.", 2) == 0)
        return true;
    uint32_t line = 0, column = 0;
    if (version.entry && !is_binary)
        ct_sjson_position(doc, version, &line, &column);
    return ct_compile_error_at(c, path, line, column,
                               "the glTF version is \"%s\"; expected asset.version \"2.0\"", text);
}

bool ct_worker_gltf_read(ct_compile *c, const char *path, const char *bytes, uint64_t size_bytes,
                         ct_sjson_value at, ct_worker_gltf *gltf) {
    const bool is_binary = size_bytes >= 4 && memcmp(bytes, "glTF", 4) == 0;
    const char *json = bytes;
    uint64_t json_bytes = size_bytes;
    if (is_binary && !find_json_chunk(c, path, bytes, size_bytes, at, &json, &json_bytes))
        return false;
    ct_error error = {0};
    ct_sjson *doc = ct_sjson_parse(c->allocator, json, json_bytes, path, NULL, &error);
    if (!doc)
        return ct_compile_error_at(c, path, is_binary ? 0 : error.line,
                                   is_binary ? 0 : error.column, "%s", error.message);
    const bool is_readable =
        check_version(c, doc, path, is_binary) && check_extensions(c, doc, path, is_binary);
    if (is_readable)
        read_primitives(c, doc, gltf);
    ct_sjson_free(doc);
    return is_readable;
}
