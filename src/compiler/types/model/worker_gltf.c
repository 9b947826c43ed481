#include "compiler/types/model/worker_gltf.h"

#include <string.h>

#include "compiler/types/model/worker_scene.h"
#include "foundation/error.h"
#include "foundation/sjson/sjson.h"
#include "foundation/string/utf8.h"

enum { GLB_HEADER_BYTES = 12, GLB_CHUNK_HEADER_BYTES = 8 };

// The extensions that a file may require. Assimp applies those of textures, Draco and specular and
// glossiness, and we those of lights and emissive strength. What the others say of materials leaves
// meshes as they are; `cuttle import` warns that it is left out.
static const char *const known_extensions[] = {
    "KHR_texture_transform",      "KHR_materials_unlit",
    "KHR_draco_mesh_compression", "KHR_materials_pbrSpecularGlossiness",
    "KHR_materials_clearcoat",    "KHR_materials_transmission",
    "KHR_materials_sheen",        "KHR_materials_ior",
    "KHR_materials_volume",       "KHR_materials_emissive_strength",
    "KHR_lights_punctual",
};

static uint32_t little_endian32(const char *bytes) {
    const uint8_t *const p = (const uint8_t *)bytes;
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
    uint64_t *const counts = CT_NEW_ARRAY(c->allocator, uint64_t, *num_accessors + 1);
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
        const char *const name = ct_sjson_string(doc, v, "");
        bool is_known = false;
        for (uint32_t i = 0; i < CT_COUNT_OF(known_extensions); ++i)
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

static void add_primitives(const ct_sjson *doc, ct_sjson_value mesh, uint32_t number,
                           const uint64_t *counts, uint32_t num_accessors,
                           ct_worker_gltf_primitive_array *found) {
    const ct_sjson_value list = ct_sjson_find(doc, mesh, "primitives");
    uint32_t primitive = 0;
    for (ct_sjson_value p = ct_sjson_first(doc, list); p.entry; p = ct_sjson_next(doc, p)) {
        ct_array_push(found, (ct_worker_gltf_primitive){
                                 .mesh = number,
                                 .primitive = primitive++,
                                 .num_triangles = triangles_of(doc, p, counts, num_accessors),
                             });
    }
}

// The values of an array, so that they are found by position.
static ct_sjson_value *values_of(ct_compile *c, const ct_sjson *doc, const char *key,
                                 uint32_t *count) {
    const ct_sjson_value list = ct_sjson_find(doc, ct_sjson_root(doc), key);
    *count = ct_sjson_count(doc, list);
    ct_sjson_value *const values = CT_NEW_ARRAY(c->allocator, ct_sjson_value, *count + 1);
    uint32_t i = 0;
    for (ct_sjson_value v = ct_sjson_first(doc, list); v.entry; v = ct_sjson_next(doc, v))
        values[i++] = v;
    return values;
}

// A walk over the nodes of the scene. They have been checked: a tree that is not deep.
typedef struct mesh_walk {
    const ct_sjson *doc;
    const ct_sjson_value *nodes;
    uint32_t num_nodes, num_meshes;
    bool *is_known; // by mesh
    ct_u32_array order;
} mesh_walk;

static void walk_node(mesh_walk *w, ct_sjson_value index) {
    const double number = ct_sjson_number(w->doc, index, -1);
    if (!(number >= 0 && number < w->num_nodes))
        return;
    const ct_sjson_value node = w->nodes[(uint32_t)number];
    const ct_sjson_value children = ct_sjson_find(w->doc, node, "children");
    for (ct_sjson_value v = ct_sjson_first(w->doc, children); v.entry; v = ct_sjson_next(w->doc, v))
        walk_node(w, v);
    const double mesh = ct_sjson_number(w->doc, ct_sjson_find(w->doc, node, "mesh"), -1);
    if (!(mesh >= 0 && mesh < w->num_meshes) || w->is_known[(uint32_t)mesh])
        return;
    w->is_known[(uint32_t)mesh] = true;
    ct_array_push(&w->order, (uint32_t)mesh);
}

static void read_primitives(ct_compile *c, const ct_sjson *doc, ct_worker_gltf *gltf) {
    uint32_t num_accessors = 0, num_scenes = 0;
    const uint64_t *const counts = accessor_counts(c, doc, &num_accessors);
    mesh_walk w = {.doc = doc};
    ct_array_init(&w.order, c->allocator);
    w.nodes = values_of(c, doc, "nodes", &w.num_nodes);
    const ct_sjson_value *meshes = values_of(c, doc, "meshes", &w.num_meshes);
    const ct_sjson_value *const scenes = values_of(c, doc, "scenes", &num_scenes);
    w.is_known = CT_NEW_ARRAY(c->allocator, bool, w.num_meshes + 1);
    const double shown = ct_sjson_number(doc, ct_sjson_find(doc, ct_sjson_root(doc), "scene"), 0);
    if (shown >= 0 && shown < num_scenes) {
        const ct_sjson_value roots = ct_sjson_find(doc, scenes[(uint32_t)shown], "nodes");
        for (ct_sjson_value v = ct_sjson_first(doc, roots); v.entry; v = ct_sjson_next(doc, v))
            walk_node(&w, v);
    }
    ct_worker_gltf_primitive_array found;
    ct_array_init(&found, c->allocator);
    for (uint32_t i = 0; i < w.order.count; ++i)
        add_primitives(doc, meshes[w.order.items[i]], w.order.items[i], counts, num_accessors,
                       &found);
    gltf->primitives = found.items;
    gltf->num_primitives = found.count;
}

// --- Nodes ---------------------------------------------------------------------------------------

// Assimp follows children by recursion, and as often as they are named: a node with two parents, or
// a long line of them, would take it long or end it.
typedef struct node_check {
    ct_compile *c;
    const ct_sjson *doc;
    const char *path;
    bool is_binary;
    uint32_t num_nodes;
    uint32_t *parents; // of each node, counting from 1; 0: none
} node_check;

static bool node_error(const node_check *k, ct_sjson_value at, const char *message) {
    uint32_t line = 0, column = 0;
    if (!k->is_binary)
        ct_sjson_position(k->doc, at, &line, &column);
    return ct_compile_error_at(k->c, k->path, line, column, "%s", message);
}

// The node that `v` names. False after reporting that there is none.
static bool node_index(const node_check *k, ct_sjson_value v, uint32_t *index) {
    const double number = ct_sjson_number(k->doc, v, -1);
    if (!(number >= 0 && number < k->num_nodes))
        return node_error(
            k, v,
            ct_compile_text(k->c, "found node %g, but there are %u nodes", number, k->num_nodes));
    *index = (uint32_t)number;
    return true;
}

static bool note_parents(node_check *k, ct_sjson_value nodes) {
    uint32_t parent = 0;
    for (ct_sjson_value n = ct_sjson_first(k->doc, nodes); n.entry; n = ct_sjson_next(k->doc, n)) {
        const ct_sjson_value list = ct_sjson_find(k->doc, n, "children");
        ++parent;
        for (ct_sjson_value v = ct_sjson_first(k->doc, list); v.entry;
             v = ct_sjson_next(k->doc, v)) {
            uint32_t child = 0;
            if (!node_index(k, v, &child))
                return false;
            if (k->parents[child] != 0)
                return node_error(k, v,
                                  ct_compile_text(k->c,
                                                  "node %u is a child of node %u and of node %u; "
                                                  "expected one parent",
                                                  child, k->parents[child] - 1, parent - 1));
            k->parents[child] = parent;
        }
    }
    return true;
}

static bool check_depth(const node_check *k, ct_sjson_value nodes) {
    for (uint32_t i = 0; i < k->num_nodes; ++i) {
        uint32_t depth = 0;
        for (uint32_t n = k->parents[i]; n != 0 && depth <= CT_WORKER_SCENE_MAX_DEPTH; ++depth)
            n = k->parents[n - 1];
        if (depth > CT_WORKER_SCENE_MAX_DEPTH)
            return node_error(k, nodes,
                              ct_compile_text(k->c,
                                              "node %u lies below itself, or more than %u deep", i,
                                              CT_WORKER_SCENE_MAX_DEPTH));
    }
    return true;
}

// The nodes of all scenes, each at most once in a scene; `num_roots` is that of the one shown.
static bool check_scenes(const node_check *k, uint32_t *num_roots) {
    const ct_sjson_value root = ct_sjson_root(k->doc);
    const double shown = ct_sjson_number(k->doc, ct_sjson_find(k->doc, root, "scene"), 0);
    uint32_t *const scene_of = CT_NEW_ARRAY(k->c->allocator, uint32_t, k->num_nodes + 1);
    const ct_sjson_value scenes = ct_sjson_find(k->doc, root, "scenes");
    uint32_t scene = 0;
    for (ct_sjson_value s = ct_sjson_first(k->doc, scenes); s.entry; s = ct_sjson_next(k->doc, s)) {
        const ct_sjson_value list = ct_sjson_find(k->doc, s, "nodes");
        if (scene++ == shown)
            *num_roots = ct_sjson_count(k->doc, list);
        for (ct_sjson_value v = ct_sjson_first(k->doc, list); v.entry;
             v = ct_sjson_next(k->doc, v)) {
            uint32_t node = 0;
            if (!node_index(k, v, &node))
                return false;
            if (scene_of[node] == scene || k->parents[node] != 0)
                return node_error(k, v,
                                  ct_compile_text(k->c,
                                                  "node %u is in the scene twice, or below another "
                                                  "node; expected a root, once",
                                                  node));
            scene_of[node] = scene;
        }
    }
    return true;
}

static bool check_nodes(ct_compile *c, const ct_sjson *doc, const char *path, bool is_binary,
                        ct_worker_gltf *gltf) {
    const ct_sjson_value nodes = ct_sjson_find(doc, ct_sjson_root(doc), "nodes");
    node_check k = {.c = c,
                    .doc = doc,
                    .path = path,
                    .is_binary = is_binary,
                    .num_nodes = ct_sjson_count(doc, nodes)};
    if (k.num_nodes > CT_WORKER_SCENE_MAX_NODES)
        return node_error(&k, nodes,
                          ct_compile_text(c, "found %u nodes, expected at most %u", k.num_nodes,
                                          CT_WORKER_SCENE_MAX_NODES));
    k.parents = CT_NEW_ARRAY(c->allocator, uint32_t, k.num_nodes + 1);
    return note_parents(&k, nodes) && check_depth(&k, nodes) && check_scenes(&k, &gltf->num_roots);
}

// --- The file ------------------------------------------------------------------------------------

// Assimp reads version 2 by another importer than version 1, which we do not support.
static bool check_version(ct_compile *c, const ct_sjson *doc, const char *path, bool is_binary) {
    const ct_sjson_value asset = ct_sjson_find(doc, ct_sjson_root(doc), "asset");
    const ct_sjson_value version = ct_sjson_find(doc, asset, "version");
    const char *const text = ct_sjson_string(doc, version, "");
    if (strncmp(text, "2.", 2) == 0)
        return true;
    uint32_t line = 0, column = 0;
    if (version.entry && !is_binary)
        ct_sjson_position(doc, version, &line, &column);
    return ct_compile_error_at(c, path, line, column,
                               "the glTF version is \"%s\"; expected asset.version \"2.0\"", text);
}

// Whether the first character is that of a JSON object, behind blanks and a byte order mark.
static bool is_like_json(const char *bytes, uint64_t size_bytes) {
    uint64_t i = ct_utf8_mark_bytes(bytes, size_bytes);
    while (i < size_bytes && bytes[i] != 0 && strchr(" \t\r\n", bytes[i]))
        ++i;
    return i < size_bytes && bytes[i] == '{';
}

bool ct_worker_gltf_read(ct_compile *c, const char *path, const char *bytes, uint64_t size_bytes,
                         ct_sjson_value at, ct_worker_gltf *gltf) {
    const bool is_binary = size_bytes >= 4 && memcmp(bytes, "glTF", 4) == 0;
    const char *json = bytes;
    uint64_t json_bytes = size_bytes;
    if (is_binary && !find_json_chunk(c, path, bytes, size_bytes, at, &json, &json_bytes))
        return false;
    if (!is_binary && !is_like_json(bytes, size_bytes))
        return ct_compile_error_at(c, path, 0, 0, "the file is neither binary glTF nor JSON");
    ct_error error = {0};
    ct_sjson *doc = ct_sjson_parse(c->allocator, json, json_bytes, path, NULL, &error);
    if (!doc)
        return ct_compile_error_at(c, path, is_binary ? 0 : error.line,
                                   is_binary ? 0 : error.column, "%s", error.message);
    const bool is_readable = check_version(c, doc, path, is_binary) &&
                             check_extensions(c, doc, path, is_binary) &&
                             check_nodes(c, doc, path, is_binary, gltf);
    ct_array_init(&gltf->lights, c->allocator);
    ct_array_init(&gltf->materials, c->allocator);
    if (is_readable) {
        read_primitives(c, doc, gltf);
        ct_worker_gltf_lights_read(c->allocator, doc, &gltf->lights);
        ct_worker_gltf_materials_read(c->allocator, doc, &gltf->materials);
    }
    ct_sjson_free(doc);
    return is_readable;
}
