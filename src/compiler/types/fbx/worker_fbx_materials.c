#include "compiler/types/fbx/worker_fbx_materials.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <assimp/cimport.h>
#include <assimp/material.h>
#include <assimp/scene.h>

#include "foundation/container/hash_map.h"
#include "foundation/string/string_id.h"

typedef struct material_reader {
    ct_compile *c;
    const ct_worker_scene *scene;
    const ct_hash_map *samplings; // by the file of a texture
    const struct aiMaterial *from;
    ct_worker_material *to;
} material_reader;

static void warn(const material_reader *m, const char *what) {
    ct_array_push(&m->to->warnings, ct_copy_string(m->c->allocator, what));
}

static float number_of(const material_reader *m, const char *key, float otherwise) {
    float value = otherwise;
    if (aiGetMaterialFloatArray(m->from, key, 0, 0, &value, NULL) != aiReturn_SUCCESS ||
        !isfinite(value))
        return otherwise;
    return value;
}

static bool color_of(const material_reader *m, const char *key, float color[3]) {
    struct aiColor4D c = {.a = 1};
    if (aiGetMaterialColor(m->from, key, 0, 0, &c) != aiReturn_SUCCESS || !isfinite(c.r) ||
        !isfinite(c.g) || !isfinite(c.b))
        return false;
    color[0] = c.r;
    color[1] = c.g;
    color[2] = c.b;
    return true;
}

static float cut(float value) {
    return fminf(fmaxf(value, 0), 1);
}

// --- Images inside the file ----------------------------------------------------------------------

// By their files' names, as maps name them; the first of a name. Others by their positions.
static void add_images(ct_compile *c, const struct aiScene *file, ct_worker_scene *scene) {
    ct_hash_map names = {.allocator = c->allocator};
    for (uint32_t i = 0; i < file->mNumTextures; ++i) {
        const struct aiTexture *const texture = file->mTextures[i];
        ct_worker_scene_image image = {.name = ct_compile_text(c, "%s", texture->mFilename.data)};
        const uint64_t id = ct_string_id64_of(image.name).value;
        const bool is_named = *image.name && !ct_hash_map_get(&names, id, 0);
        image.key = is_named ? image.name : ct_compile_text(c, "*%u", i);
        ct_hash_map_set(&names, id, 1);
        if (texture->mHeight != 0 || texture->mWidth == 0) {
            image.problem = "is raw; only PNG, JPEG and TGA are supported";
        } else {
            char *const bytes = ct_alloc(c->allocator, texture->mWidth);
            memcpy(bytes, texture->pcData, texture->mWidth);
            image.bytes = bytes;
            image.size_bytes = texture->mWidth;
        }
        ct_array_push(&scene->images, image);
    }
}

// The image that a map means, which it may name by its position.
static const char *image_called(const material_reader *m, const char *path) {
    const ct_worker_scene_image_array *const images = &m->scene->images;
    const unsigned long i = *path == '*' ? strtoul(path + 1, NULL, 10) : images->count;
    return i < images->count ? images->items[i].key : path;
}

// --- Maps ----------------------------------------------------------------------------------------

// How the texture of a file is sampled.
enum { CLAMPED_U = 1, CLAMPED_V = 2, TURNED = 4 };

static uint64_t sampling_of(const ct_worker_fbx_objects *objects, uint32_t record) {
    static const ct_worker_fbx_property properties[] = {
        {"WrapModeU", 1}, {"WrapModeV", 1}, {"Rotation", 3}};
    float v[CT_COUNT_OF(properties)][3] = {{0}};
    ct_worker_fbx_read_properties(objects->records, record, properties, CT_COUNT_OF(properties), v);
    return (v[0][0] == 1 ? CLAMPED_U : 0) | (v[1][0] == 1 ? CLAMPED_V : 0) |
           (v[2][0] != 0 || v[2][1] != 0 || v[2][2] != 0 ? TURNED : 0);
}

// Of all textures, by the names of their files. Of textures with one file the first counts.
static void find_samplings(ct_compile *c, const ct_worker_fbx_objects *objects, ct_hash_map *out) {
    static const char *const names[] = {"RelativeFilename", "FileName"};
    const ct_worker_fbx_records *const records = objects->records;
    for (uint32_t i = 1; i < objects->items.count; ++i) {
        const uint32_t record = objects->items.items[i].record;
        const uint32_t end = records->items.items[record].end;
        if (!ct_worker_fbx_object_is(objects, i, "Texture"))
            continue;
        const uint64_t sampling = sampling_of(objects, record);
        for (uint32_t k = 0; k < CT_COUNT_OF(names); ++k) {
            const uint32_t at = ct_worker_fbx_find_record(records, record + 1, end, names[k]);
            const ct_worker_fbx_value file =
                at < end ? ct_worker_fbx_value_of(records, &records->items.items[at], 0)
                         : (ct_worker_fbx_value){.type = 0};
            if (file.type != 'S' || file.num_bytes >= MAXLEN)
                continue;
            const char *const path = ct_compile_text(c, "%.*s", (int)file.num_bytes, file.bytes);
            const uint64_t id = ct_string_id64_of(path).value;
            if (!ct_hash_map_find(out, id))
                ct_hash_map_set(out, id, sampling);
        }
    }
}

// The file of a texture of this type, or NULL.
static const char *map_path(const material_reader *m, enum aiTextureType type) {
    struct aiString path = {0};
    if (aiGetMaterialString(m->from, "$tex.file", type, 0, &path) != aiReturn_SUCCESS ||
        path.length == 0)
        return NULL;
    return ct_compile_text(m->c, "%s", path.data);
}

static int integer_of(const material_reader *m, const char *key, enum aiTextureType type) {
    int value = 0;
    return aiGetMaterialIntegerArray(m->from, key, type, 0, &value, NULL) == aiReturn_SUCCESS
               ? value
               : 0;
}

// The file's v runs up from the bottom, ours down from the top: s v + t there is 1 - (s (1 - v) +
// t) here. Whole repetitions are left out.
static void take_uv_transform(const material_reader *m, enum aiTextureType type,
                              ct_worker_map *map) {
    struct aiUVTransform uv;
    if (aiGetMaterialUVTransform(m->from, "$tex.uvtrafo", type, 0, &uv) != aiReturn_SUCCESS)
        return;
    const float scale[2] = {uv.mScaling.x, uv.mScaling.y};
    float offset[2] = {uv.mTranslation.x, 1 - scale[1] - uv.mTranslation.y};
    if (!isfinite(scale[0] + scale[1] + offset[0] + offset[1]))
        return;
    for (uint32_t i = 0; i < 2; ++i)
        offset[i] -= map->wrap[i] == CT_WORKER_MAP_WRAP_REPEAT ? roundf(offset[i]) : 0;
    memcpy(map->uv_scale, scale, sizeof(scale));
    memcpy(map->uv_offset, offset, sizeof(offset));
}

static ct_worker_map map_of(const material_reader *m, enum aiTextureType type) {
    const char *const path = map_path(m, type);
    ct_worker_map map = ct_worker_scene_map(path ? image_called(m, path) : NULL);
    if (!path)
        return map;
    const int uv_set = integer_of(m, "$tex.uvwsrc", type);
    map.uv_set = uv_set > 0 ? (uint32_t)uv_set : 0;
    const uint64_t sampling = ct_hash_map_get(m->samplings, ct_string_id64_of(path).value, 0);
    for (uint32_t i = 0; i < 2; ++i)
        map.wrap[i] =
            sampling & (CLAMPED_U << i) ? CT_WORKER_MAP_WRAP_CLAMP : CT_WORKER_MAP_WRAP_REPEAT;
    if (sampling & TURNED)
        warn(m, ct_compile_text(m->c, "its map \"%s\" is rotated, which is left out", path));
    take_uv_transform(m, type, &map);
    return map;
}

static ct_worker_map first_map_of(const material_reader *m, enum aiTextureType a,
                                  enum aiTextureType b) {
    return map_of(m, map_path(m, a) ? a : b);
}

static bool is_same_map(const material_reader *m, enum aiTextureType a, enum aiTextureType b) {
    const char *first = map_path(m, a), *second = map_path(m, b);
    return first && second && strcmp(first, second) == 0;
}

// Programs write normal maps to FBX as maps of bumps.
static void take_normal_map(const material_reader *m) {
    ct_worker_map *const map = &m->to->maps[CT_WORKER_MAP_KIND_NORMAL];
    *map = first_map_of(m, aiTextureType_NORMALS, aiTextureType_NORMAL_CAMERA);
    if (!map->image) {
        *map = map_of(m, aiTextureType_HEIGHT);
        map->may_be_heights = map->image != NULL;
    }
    if (map->image)
        m->to->normal_strength = number_of(m, "$mat.bumpscaling", 1);
}

// Roughness and metalness in one image, as glTF has it.
static void take_metallic_roughness_map(const material_reader *m) {
    if (is_same_map(m, aiTextureType_METALNESS, aiTextureType_DIFFUSE_ROUGHNESS))
        m->to->maps[CT_WORKER_MAP_KIND_METALLIC_ROUGHNESS] = map_of(m, aiTextureType_METALNESS);
    else if (map_path(m, aiTextureType_METALNESS) || map_path(m, aiTextureType_DIFFUSE_ROUGHNESS))
        warn(m, "it has separate maps of metalness and roughness, but one image must hold both "
                "(blue and green); they are left out");
}

// Says which maps there is no place for.
static void warn_of_other_maps(const material_reader *m) {
    static const struct {
        enum aiTextureType type;
        const char *name;
    } others[] = {
        {aiTextureType_SPECULAR, "specular colour"}, {aiTextureType_SHININESS, "shininess"},
        {aiTextureType_AMBIENT, "ambient colour"},   {aiTextureType_AMBIENT_OCCLUSION, "occlusion"},
        {aiTextureType_LIGHTMAP, "occlusion"},       {aiTextureType_DISPLACEMENT, "displacement"},
        {aiTextureType_REFLECTION, "reflection"},
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(others); ++i) {
        // Some programs write the base colour's map as that of ambient colour too.
        const bool is_base = others[i].type == aiTextureType_AMBIENT &&
                             is_same_map(m, others[i].type, aiTextureType_DIFFUSE);
        if (map_path(m, others[i].type) && !is_base)
            warn(m, ct_compile_text(m->c, "it has a map of %s, which is left out", others[i].name));
    }
}

// --- Numbers -------------------------------------------------------------------------------------

// An opacity below 1 is glass, and a map of opacity that is the base colour's (its alpha) makes
// holes, as leaves and fences have them.
static ct_worker_surface surface_of(const material_reader *m) {
    const float opacity = number_of(m, "$mat.opacity", 1);
    if (opacity > 0 && opacity < 1) // 0: exporters that mean something else by it
        return CT_WORKER_SURFACE_BLENDED;
    if (is_same_map(m, aiTextureType_OPACITY, aiTextureType_DIFFUSE))
        return CT_WORKER_SURFACE_MASKED;
    if (map_path(m, aiTextureType_OPACITY))
        warn(m, "its map of opacity is a separate image, but must be the alpha of the base colour "
                "map; it is drawn opaque");
    return CT_WORKER_SURFACE_OPAQUE;
}

// Programs that write FBX leave a colour that its map has replaced.
static void take_base_color(const material_reader *m) {
    float color[3] = {1, 1, 1};
    if (!color_of(m, "$clr.base", color))
        color_of(m, "$clr.diffuse", color);
    m->to->map_has_color = true;
    for (uint32_t i = 0; i < 3; ++i)
        m->to->base_color[i] = cut(color[i]);
    // Opacity that the surface does not have is left out.
    m->to->base_color[3] =
        m->to->surface == CT_WORKER_SURFACE_OPAQUE ? 1 : cut(number_of(m, "$mat.opacity", 1));
}

static void take_emissive(const material_reader *m) {
    float color[3] = {0, 0, 0};
    color_of(m, "$clr.emissive", color);
    const float brightest = fmaxf(color[0], fmaxf(color[1], color[2]));
    float intensity = fmaxf(number_of(m, "$mat.emissiveIntensity", 1), 0);
    if (brightest > 1) {
        intensity = fminf(intensity * brightest, 1e30f);
        for (uint32_t i = 0; i < 3; ++i)
            color[i] /= brightest;
    }
    for (uint32_t i = 0; i < 3; ++i)
        m->to->emissive[i] = cut(color[i]);
    m->to->emissive_intensity = intensity;
}

static void take_material(const material_reader *m) {
    ct_worker_map *const maps = m->to->maps;
    m->to->surface = surface_of(m);
    maps[CT_WORKER_MAP_KIND_BASE_COLOR] =
        first_map_of(m, aiTextureType_BASE_COLOR, aiTextureType_DIFFUSE);
    maps[CT_WORKER_MAP_KIND_EMISSIVE] =
        first_map_of(m, aiTextureType_EMISSIVE, aiTextureType_EMISSION_COLOR);
    take_normal_map(m);
    take_metallic_roughness_map(m);
    warn_of_other_maps(m);
    take_base_color(m);
    take_emissive(m);
    m->to->metallic = cut(number_of(m, "$mat.metallicFactor", 0));
    m->to->roughness = cut(number_of(m, "$mat.roughnessFactor", 1)); // by Assimp, of shininess
    m->to->is_double_sided = integer_of(m, "$mat.twosided", aiTextureType_NONE) != 0;
}

void ct_worker_fbx_add_materials(ct_compile *c, const struct aiScene *file,
                                 const ct_worker_fbx_objects *objects, ct_worker_scene *scene) {
    ct_hash_map samplings = {.allocator = c->allocator};
    find_samplings(c, objects, &samplings);
    add_images(c, file, scene);
    for (uint32_t i = 0; i < file->mNumMaterials; ++i) {
        struct aiString name = {0};
        aiGetMaterialString(file->mMaterials[i], AI_MATKEY_NAME, &name);
        ct_worker_material material =
            ct_worker_scene_material(c, ct_compile_text(c, "%s", name.data));
        const material_reader m = {.c = c,
                                   .scene = scene,
                                   .samplings = &samplings,
                                   .from = file->mMaterials[i],
                                   .to = &material};
        take_material(&m);
        ct_array_push(&scene->materials, material);
    }
}
