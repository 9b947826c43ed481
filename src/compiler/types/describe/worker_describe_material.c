#include "compiler/types/describe/worker_describe_material.h"

#include <math.h>
#include <string.h>

#include <assimp/cimport.h>
#include <assimp/material.h>
#include <assimp/scene.h>

#include "compiler/types/describe/worker_describe_number.h"
#include "resource/schema/schema.h"

typedef enum surface {
    SURFACE_OPAQUE,
    SURFACE_MASKED,  // with holes
    SURFACE_BLENDED, // by its opacity
} surface;

typedef struct material_reader {
    ct_worker_describe_images *images;
    const struct aiMaterial *file;
    const char *name;
    const ct_worker_gltf_material *gltf; // NULL: none, or the default one
    bool is_gltf;                        // colours are linear, and factors multiply maps
    surface surface;
} material_reader;

static void warn(const material_reader *m, const char *what) {
    ct_worker_describe_warn(m->images,
                            ct_compile_text(m->images->c, "material \"%s\": %s", m->name, what));
}

static float number_of(const material_reader *m, const char *key, float otherwise) {
    float value = otherwise;
    if (aiGetMaterialFloatArray(m->file, key, 0, 0, &value, NULL) != aiReturn_SUCCESS ||
        !isfinite(value))
        return otherwise;
    return value;
}

static bool color_of(const material_reader *m, const char *key, float color[4]) {
    struct aiColor4D c = {.a = 1};
    if (aiGetMaterialColor(m->file, key, 0, 0, &c) != aiReturn_SUCCESS ||
        !isfinite(c.r + c.g + c.b + c.a))
        return false;
    const float values[4] = {c.r, c.g, c.b, c.a};
    memcpy(color, values, sizeof(values));
    return true;
}

// A colour as sources have it: sRGB from 0 to 1.
static void source_color(const material_reader *m, float color[4]) {
    for (uint32_t i = 0; i < 4; ++i) {
        const float cut = fminf(fmaxf(color[i], 0.0f), 1.0f);
        color[i] = m->is_gltf && i < 3 ? ct_linear_to_srgb(cut) : cut;
    }
}

// --- Maps ----------------------------------------------------------------------------------------

// The file of a texture of this type, or NULL.
static const char *map_path(const material_reader *m, enum aiTextureType type) {
    struct aiString path = {0};
    if (aiGetMaterialString(m->file, "$tex.file", type, 0, &path) != aiReturn_SUCCESS ||
        path.length == 0)
        return NULL;
    return ct_compile_text(m->images->c, "%s", path.data);
}

static uint32_t map_of(const material_reader *m, enum aiTextureType type) {
    const char *path = map_path(m, type);
    int uv_set = 0;
    if (path &&
        aiGetMaterialIntegerArray(m->file, "$tex.uvwsrc", type, 0, &uv_set, NULL) ==
            aiReturn_SUCCESS &&
        uv_set != 0)
        warn(m, "a map uses the second texture coordinates; it is drawn with the first");
    return path ? ct_worker_describe_image(m->images, path) : CT_WORKER_DESCRIBE_NO_IMAGE;
}

static uint32_t first_map_of(const material_reader *m, enum aiTextureType a, enum aiTextureType b) {
    const uint32_t found = map_of(m, a);
    return found != CT_WORKER_DESCRIBE_NO_IMAGE ? found : map_of(m, b);
}

// Roughness and metalness in one image, as glTF has it.
static uint32_t metallic_roughness_map(const material_reader *m) {
    const char *const metal = map_path(m, aiTextureType_METALNESS);
    const char *const rough = map_path(m, aiTextureType_DIFFUSE_ROUGHNESS);
    if (m->is_gltf)
        return first_map_of(m, aiTextureType_METALNESS, aiTextureType_UNKNOWN);
    if (metal && rough && strcmp(metal, rough) == 0)
        return map_of(m, aiTextureType_METALNESS);
    if (metal || rough)
        warn(m, "it has separate maps of metalness and roughness, which one image must hold (blue "
                "and green); they are left out");
    return CT_WORKER_DESCRIBE_NO_IMAGE;
}

static bool is_same_map(const material_reader *m, enum aiTextureType a, enum aiTextureType b) {
    const char *first = map_path(m, a), *second = map_path(m, b);
    return first && second && strcmp(first, second) == 0;
}

// Programs write normal maps to OBJ and FBX as maps of bumps. One of heights is grey, which normals
// never are.
static uint32_t normal_map(const material_reader *m) {
    const uint32_t num_images = m->images->items.count;
    uint32_t found = first_map_of(m, aiTextureType_NORMALS, aiTextureType_NORMAL_CAMERA);
    if (found != CT_WORKER_DESCRIBE_NO_IMAGE || m->is_gltf)
        return found;
    found = map_of(m, aiTextureType_HEIGHT);
    if (found == CT_WORKER_DESCRIBE_NO_IMAGE || !ct_worker_describe_is_grey(m->images, found))
        return found;
    warn(m, "its map of bumps holds heights, not normals; it is left out");
    if (found >= num_images) // nobody else's
        m->images->items.count = num_images;
    return CT_WORKER_DESCRIBE_NO_IMAGE;
}

// Says which maps there is no place for.
static void warn_of_other_maps(const material_reader *m) {
    static const struct {
        enum aiTextureType type;
        const char *name;
    } others[] = {
        {aiTextureType_SPECULAR, "specular colour"},
        {aiTextureType_SHININESS, "shininess"},
        {aiTextureType_AMBIENT, "ambient colour"},
        {aiTextureType_AMBIENT_OCCLUSION, "occlusion"},
        {aiTextureType_LIGHTMAP, "occlusion"}, // as Assimp calls that of glTF
        {aiTextureType_DISPLACEMENT, "displacement"},
        {aiTextureType_REFLECTION, "reflection"},
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(others); ++i) {
        // The ambient colour of OBJ is the diffuse one's shadow.
        const bool is_base = is_same_map(m, others[i].type, aiTextureType_DIFFUSE);
        if (map_path(m, others[i].type) && !(others[i].type == aiTextureType_AMBIENT && is_base))
            warn(m, ct_compile_text(m->images->c, "it has a map of %s, which is left out",
                                    others[i].name));
    }
}

static void warn_of_extensions(const material_reader *m) {
    if (m->gltf && m->gltf->is_unlit)
        warn(m, "it is unlit, which is left out: it is drawn lit");
    for (uint32_t i = 0; m->gltf && i < m->gltf->others.count; ++i)
        warn(m, ct_compile_text(m->images->c, "it has %s, which is left out",
                                m->gltf->others.items[i]));
}

static void write_map(ct_sjson_writer *w, const char *name, uint32_t image) {
    if (image != CT_WORKER_DESCRIBE_NO_IMAGE)
        ct_sjson_member_number(w, name, image);
}

// --- Parameters ----------------------------------------------------------------------------------

static void write_color(ct_sjson_writer *w, const char *name, const float color[4],
                        uint32_t count) {
    ct_sjson_write_key(w, name);
    ct_sjson_begin_array(w);
    for (uint32_t i = 0; i < count; ++i)
        ct_sjson_write_number(w, ct_worker_describe_number(color[i]));
    ct_sjson_end_array(w);
}

static void write_base_color(const material_reader *m, ct_sjson_writer *w, bool has_map) {
    float color[4] = {1, 1, 1, 1};
    const bool has_color = color_of(m, "$clr.base", color) || color_of(m, "$clr.diffuse", color);
    if (!has_color && m->surface != SURFACE_BLENDED)
        return;
    // Programs that write FBX and OBJ leave a colour that their map has replaced.
    if (has_map && !m->is_gltf)
        color[0] = color[1] = color[2] = 1;
    // Opacity that the surface does not have is left out.
    color[3] = m->surface == SURFACE_OPAQUE ? 1
               : m->is_gltf                 ? color[3]
                                            : number_of(m, "$mat.opacity", 1);
    source_color(m, color);
    for (uint32_t i = 0; i < 4; ++i)
        color[i] = (float)ct_worker_describe_number(color[i]);
    if (color[0] < 1 || color[1] < 1 || color[2] < 1 || color[3] < 1)
        write_color(w, "base_color", color, color[3] < 1 ? 4 : 3);
}

// Blender's conventions for the Phong exponents that FBX and OBJ have.
static float roughness_of(const material_reader *m) {
    const float gloss = number_of(m, "$mat.glossinessFactor", -1);
    if (m->is_gltf && gloss >= 0)
        return 1 - gloss;
    const float roughness = number_of(m, "$mat.roughnessFactor", -1);
    if (roughness >= 0)
        return roughness;
    const float quarter_exponent = number_of(m, "$mat.shininess", 0) / 4; // Assimp multiplies by 4
    return 1 - sqrtf(fminf(fmaxf(quarter_exponent, 0) / 1000, 1));
}

static void write_emissive(const material_reader *m, ct_sjson_writer *w, bool has_map) {
    float color[4] = {0, 0, 0, 1};
    color_of(m, "$clr.emissive", color);
    const float brightest = fmaxf(color[0], fmaxf(color[1], color[2]));
    if (brightest <= 0 && has_map)
        color[0] = color[1] = color[2] = 1;
    else if (brightest <= 0)
        return;
    float intensity =
        m->gltf ? m->gltf->emissive_strength : number_of(m, "$mat.emissiveIntensity", 1);
    if (brightest > 1) {
        intensity *= brightest;
        for (uint32_t i = 0; i < 3; ++i)
            color[i] /= brightest;
    }
    source_color(m, color);
    write_color(w, "emissive", color, 3);
    if (intensity != 1)
        ct_sjson_member_number(w, "emissive_intensity", ct_worker_describe_number(intensity));
}

static void write_uv_scale(const material_reader *m, ct_sjson_writer *w) {
    struct aiUVTransform uv;
    const enum aiTextureType type = m->is_gltf && map_path(m, aiTextureType_BASE_COLOR)
                                        ? aiTextureType_BASE_COLOR
                                        : aiTextureType_DIFFUSE;
    if (aiGetMaterialUVTransform(m->file, "$tex.uvtrafo", type, 0, &uv) != aiReturn_SUCCESS)
        return;
    if (uv.mTranslation.x != 0 || uv.mTranslation.y != 0 || uv.mRotation != 0)
        warn(m, "its maps are moved or turned, which is left out");
    const float scale[4] = {uv.mScaling.x, uv.mScaling.y, 0, 0};
    if (isfinite(scale[0] + scale[1]) && (scale[0] != 1 || scale[1] != 1))
        write_color(w, "uv_scale", scale, 2);
}

static void write_parameters(const material_reader *m, ct_sjson_writer *w, uint32_t base_map,
                             uint32_t normal_map, uint32_t emissive_map) {
    ct_sjson_write_key(w, "parameters");
    ct_sjson_begin_object(w);
    write_base_color(m, w, base_map != CT_WORKER_DESCRIBE_NO_IMAGE);
    const float cutoff = number_of(m, "$mat.gltf.alphaCutoff", 0.5f);
    if (m->surface == SURFACE_MASKED && cutoff != 0.5f)
        ct_sjson_member_number(w, "alpha_cutoff",
                               ct_worker_describe_number(fminf(fmaxf(cutoff, 0), 1)));
    const float metallic = fminf(fmaxf(number_of(m, "$mat.metallicFactor", 0), 0), 1);
    const bool has_gloss = m->is_gltf && number_of(m, "$mat.glossinessFactor", -1) >= 0;
    ct_sjson_member_number(w, "metallic", ct_worker_describe_number(has_gloss ? 0 : metallic));
    ct_sjson_member_number(w, "roughness",
                           ct_worker_describe_number(fminf(fmaxf(roughness_of(m), 0), 1)));
    write_emissive(m, w, emissive_map != CT_WORKER_DESCRIBE_NO_IMAGE);
    float strength = 1;
    if (normal_map != CT_WORKER_DESCRIBE_NO_IMAGE &&
        aiGetMaterialFloatArray(m->file, m->is_gltf ? "$tex.scale" : "$tex.bumpmult",
                                m->is_gltf ? aiTextureType_NORMALS : aiTextureType_HEIGHT, 0,
                                &strength, NULL) == aiReturn_SUCCESS &&
        isfinite(strength) && strength != 1)
        ct_sjson_member_number(w, "normal_strength", ct_worker_describe_number(strength));
    write_uv_scale(m, w);
    ct_sjson_end_object(w);
}

// --- Options -------------------------------------------------------------------------------------

// glTF says how its opacity is meant. Of others a number below 1 is glass, and a map of opacity
// that is the base colour's (its alpha) makes holes, as leaves and fences have them.
static surface surface_of(const material_reader *m) {
    struct aiString mode = {0};
    if (m->is_gltf) {
        aiGetMaterialString(m->file, "$mat.gltf.alphaMode", 0, 0, &mode);
        return strcmp(mode.data, "BLEND") == 0  ? SURFACE_BLENDED
               : strcmp(mode.data, "MASK") == 0 ? SURFACE_MASKED
                                                : SURFACE_OPAQUE;
    }
    const float opacity = number_of(m, "$mat.opacity", 1);
    if (opacity > 0 && opacity < 1) // 0: exporters that mean something else by it
        return SURFACE_BLENDED;
    if (is_same_map(m, aiTextureType_OPACITY, aiTextureType_DIFFUSE))
        return SURFACE_MASKED;
    if (map_path(m, aiTextureType_OPACITY))
        warn(m, "it has a map of opacity of its own, which must be the alpha of its base colour's; "
                "it is drawn opaque");
    return SURFACE_OPAQUE;
}

static bool is_double_sided(const material_reader *m) {
    int value = 0;
    return aiGetMaterialIntegerArray(m->file, "$mat.twosided", 0, 0, &value, NULL) ==
               aiReturn_SUCCESS &&
           value != 0;
}

static void write_options(const material_reader *m, ct_sjson_writer *w, bool has_colors) {
    ct_sjson_write_key(w, "options");
    ct_sjson_begin_array(w);
    if (has_colors)
        ct_sjson_write_string(w, "vertex_color");
    if (m->surface == SURFACE_MASKED)
        ct_sjson_write_string(w, "alpha_test");
    if (m->surface == SURFACE_BLENDED)
        ct_sjson_write_string(w, "transparent");
    if (is_double_sided(m))
        ct_sjson_write_string(w, "double_sided");
    ct_sjson_end_array(w);
}

void ct_worker_describe_material(ct_worker_describe_images *images, uint32_t i, bool has_colors,
                                 ct_sjson_writer *w) {
    material_reader m = {
        .images = images,
        .file = images->scene->file->mMaterials[i],
        .name = ct_worker_scene_material_name(images->c, images->scene, i),
        .is_gltf = images->scene->is_gltf,
    };
    if (i < images->scene->gltf_materials.count)
        m.gltf = &images->scene->gltf_materials.items[i];
    m.surface = surface_of(&m);
    const uint32_t base = first_map_of(&m, aiTextureType_BASE_COLOR, aiTextureType_DIFFUSE);
    const uint32_t normal = normal_map(&m);
    const uint32_t emissive =
        first_map_of(&m, aiTextureType_EMISSIVE, aiTextureType_EMISSION_COLOR);
    warn_of_other_maps(&m);
    warn_of_extensions(&m);
    ct_sjson_begin_object(w);
    ct_sjson_member_string(w, "name", m.name);
    write_options(&m, w, has_colors);
    write_parameters(&m, w, base, normal, emissive);
    ct_sjson_write_key(w, "maps");
    ct_sjson_begin_object(w);
    write_map(w, "base_color_map", base);
    write_map(w, "normal_map", normal);
    write_map(w, "metallic_roughness_map", metallic_roughness_map(&m));
    write_map(w, "emissive_map", emissive);
    ct_sjson_end_object(w);
    ct_sjson_end_object(w);
}
