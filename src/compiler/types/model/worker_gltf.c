#include "compiler/types/model/worker_gltf.h"

#include <string.h>

#include "compiler/types/model/worker_gltf_clips.h"
#include "compiler/types/model/worker_gltf_file.h"
#include "compiler/types/model/worker_gltf_materials.h"
#include "compiler/types/model/worker_gltf_nodes.h"
#include "compiler/types/model/worker_gltf_skins.h"
#include "foundation/error.h"
#include "foundation/string/utf8.h"

enum { GLB_HEADER_BYTES = 12, GLB_CHUNK_HEADER_BYTES = 8 };

// Extensions that are read, or of which a warning says where it matters that they are not. What
// extensions say of materials leaves meshes as they are: a file may require any of those.
static const char *const known_extensions[] = {
    "KHR_texture_transform", "KHR_draco_mesh_compression", "KHR_mesh_quantization",
    "KHR_lights_punctual",   "EXT_meshopt_compression",    "EXT_texture_webp",
    "EXT_texture_avif",      "KHR_texture_basisu",         "MSFT_texture_dds",
};

static bool is_known_extension(const char *name) {
    for (uint32_t i = 0; i < CT_COUNT_OF(known_extensions); ++i) {
        if (strcmp(name, known_extensions[i]) == 0)
            return true;
    }
    return strncmp(name, "KHR_materials_", strlen("KHR_materials_")) == 0 &&
           strcmp(name, "KHR_materials_variants") != 0;
}

// --- Binary files --------------------------------------------------------------------------------

static uint32_t little_endian32(const char *bytes) {
    const uint8_t *const p = (const uint8_t *)bytes;
    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static bool fail(const ct_gltf_file *g, const char *what) {
    return ct_worker_scene_fail(g->c, g->scene, g->at, what);
}

// Finds the chunks of a binary file: JSON first, then perhaps BIN. Others are passed over.
static bool find_chunks(ct_gltf_file *g, const ct_worker_model_file *file, ct_gltf_bytes *json) {
    const char *const bytes = file->bytes;
    if (file->size_bytes < GLB_HEADER_BYTES + GLB_CHUNK_HEADER_BYTES ||
        little_endian32(bytes + 4) != 2)
        return fail(g, "the file is not binary glTF of version 2");
    const uint64_t size_bytes = little_endian32(bytes + 8);
    if (size_bytes > file->size_bytes)
        return fail(g, ct_compile_text(g->c,
                                       "the file is truncated: it has %llu bytes; expected "
                                       "%llu",
                                       (unsigned long long)file->size_bytes,
                                       (unsigned long long)size_bytes));
    *json = (ct_gltf_bytes){0};
    for (uint64_t at = GLB_HEADER_BYTES; at + GLB_CHUNK_HEADER_BYTES <= size_bytes;) {
        const uint64_t length = little_endian32(bytes + at);
        const char *const type = bytes + at + 4;
        const bool is_first = at == GLB_HEADER_BYTES;
        at += GLB_CHUNK_HEADER_BYTES;
        if (length > size_bytes - at)
            return fail(g, "the file is damaged: a chunk ends after the end of the file");
        const ct_gltf_bytes chunk = {.bytes = bytes + at, .size_bytes = length};
        if (is_first && memcmp(type, "JSON", 4) == 0)
            *json = chunk;
        else if (!is_first && !g->chunk.bytes && memcmp(type, "BIN", 4) == 0)
            g->chunk = chunk;
        at += (length + 3) & ~(uint64_t)3;
    }
    // Padding is blanks; some exporters write zeros.
    while (json->size_bytes > 0 && json->bytes[json->size_bytes - 1] == 0)
        --json->size_bytes;
    return json->bytes || fail(g, "the file is damaged: its first chunk is not JSON");
}

// Whether the first character is that of a JSON object, behind blanks and a byte order mark.
static bool is_like_json(const ct_gltf_bytes *json) {
    uint64_t i = ct_utf8_mark_bytes(json->bytes, json->size_bytes);
    while (i < json->size_bytes && json->bytes[i] != 0 && strchr(" \t\r\n", json->bytes[i]))
        ++i;
    return i < json->size_bytes && json->bytes[i] == '{';
}

// --- What the file is ----------------------------------------------------------------------------

static bool check_version(const ct_gltf_file *g) {
    ct_sjson_value asset;
    const char *version = "";
    if (!ct_gltf_object(g, ct_sjson_root(g->doc), "asset", &asset) ||
        !ct_gltf_string(g, asset, "version", &version))
        return false;
    return strncmp(version, "2.", 2) == 0 ||
           ct_gltf_error(g, ct_sjson_find(g->doc, asset, "version"),
                         "the glTF version is \"%s\"; expected asset.version \"2.0\"", version);
}

static bool check_extensions(ct_gltf_file *g) {
    ct_sjson_value required, used;
    bool is_good = ct_gltf_array(g, ct_sjson_root(g->doc), "extensionsRequired", &required) &&
                   ct_gltf_array(g, ct_sjson_root(g->doc), "extensionsUsed", &used);
    if (!is_good)
        return false;
    for (ct_sjson_value v = ct_sjson_first(g->doc, required); v.entry;
         v = ct_sjson_next(g->doc, v)) {
        const char *const name = ct_sjson_string(g->doc, v, "");
        if (!is_known_extension(name))
            is_good = ct_gltf_error(
                g, v,
                "the file requires the extension \"%s\", which is not supported; export without it",
                name);
    }
    for (ct_sjson_value v = ct_sjson_first(g->doc, used); v.entry; v = ct_sjson_next(g->doc, v)) {
        const char *const name = ct_sjson_string(g->doc, v, "");
        g->is_quantized |= strcmp(name, "KHR_mesh_quantization") == 0;
        if (!is_known_extension(name))
            ct_gltf_warn(g, "the file uses the extension \"%s\", which is left out", name);
    }
    return is_good;
}

static void make_room(ct_gltf_file *g) {
    ct_allocator *const a = g->c->allocator;
    const uint64_t num_meshes = (uint64_t)g->lists[CT_GLTF_LIST_MESHES].count + 1;
    g->buffers = CT_NEW_ARRAY(a, ct_gltf_bytes, (uint64_t)g->lists[CT_GLTF_LIST_BUFFERS].count + 1);
    g->views =
        CT_NEW_ARRAY(a, ct_gltf_bytes, (uint64_t)g->lists[CT_GLTF_LIST_BUFFER_VIEWS].count + 1);
    g->floats =
        CT_NEW_ARRAY(a, ct_gltf_floats, (uint64_t)g->lists[CT_GLTF_LIST_ACCESSORS].count + 1);
    g->first_primitive = CT_NEW_ARRAY(a, uint32_t, num_meshes);
    g->num_primitives = CT_NEW_ARRAY(a, uint32_t, num_meshes);
    g->is_mesh_read = CT_NEW_ARRAY(a, bool, num_meshes);
    g->has_skin_set = CT_NEW_ARRAY(a, bool, num_meshes);
    g->is_skin_used = CT_NEW_ARRAY(a, bool, (uint64_t)g->lists[CT_GLTF_LIST_SKINS].count + 1);
    const uint32_t num_nodes = g->lists[CT_GLTF_LIST_NODES].count;
    g->node_places = CT_NEW_ARRAY(a, uint32_t, (uint64_t)num_nodes + 1);
    for (uint32_t i = 0; i < num_nodes; ++i)
        g->node_places[i] = CT_GLTF_NONE;
    ct_hash_map_init(&g->skinned_meshes, a);
}

static bool read_scene(ct_gltf_file *g) {
    if (!check_version(g) || !check_extensions(g) || !ct_gltf_open_lists(g))
        return false;
    make_room(g);
    return ct_gltf_add_materials(g) && ct_gltf_add_nodes(g) && ct_gltf_add_skins(g) &&
           ct_gltf_add_clips(g);
}

bool ct_worker_gltf_read(ct_compile *c, ct_worker_model_files *files,
                         const ct_worker_model_file *file, ct_sjson_value at,
                         ct_worker_scene *scene) {
    ct_gltf_file g = {
        .c = c, .files = files, .at = at, .scene = scene, .default_material = CT_GLTF_NONE};
    g.is_binary = file->size_bytes >= 4 && memcmp(file->bytes, "glTF", 4) == 0;
    ct_gltf_bytes json = {.bytes = file->bytes, .size_bytes = file->size_bytes};
    if (g.is_binary && !find_chunks(&g, file, &json))
        return false;
    if (!g.is_binary && !is_like_json(&json))
        return ct_compile_error_at(c, scene->path, 0, 0,
                                   "the file is neither binary glTF nor "
                                   "JSON");
    ct_error error = {0};
    ct_sjson *const doc =
        ct_sjson_parse(c->allocator, json.bytes, json.size_bytes, scene->path, NULL, &error);
    if (!doc)
        return ct_compile_error_at(c, scene->path, g.is_binary ? 0 : error.line,
                                   g.is_binary ? 0 : error.column, "%s", error.message);
    scene->turn = ct_worker_scene_y_up;
    scene->metres = 1;
    g.doc = doc;
    return read_scene(&g); // the document is the job's: names are borrowed from it
}
