#include "compiler/types/model/worker_gltf_materials.h"

#include <math.h>
#include <string.h>

#include "compiler/types/model/worker_gltf_buffer.h"
#include "foundation/error.h"
#include "resource/schema/schema.h"

// OpenGL's numbers, which samplers use.
enum {
    FILTER_NEAREST = 9728,
    FILTER_LINEAR,
    FILTER_NEAREST_MIPMAP_NEAREST = 9984,
    FILTER_NEAREST_MIPMAP_LINEAR = 9986,
    WRAP_REPEAT = 10497,
    WRAP_CLAMP_TO_EDGE = 33071,
    WRAP_MIRRORED_REPEAT = 33648,
};
static const float max_emissive_strength = 1e6f;

typedef struct material_reader {
    ct_gltf_file *g;
    const char *const *images; // by position: what maps call each
    ct_sjson_value value;
    ct_worker_material *material;
} material_reader;

static void warn(const material_reader *r, const char *text) {
    ct_array_push(&r->material->warnings, ct_copy_string(r->g->c->allocator, text));
}

// --- Images --------------------------------------------------------------------------------------

// Adds an image that is inside the file. Of one that cannot be read the scene says why.
static const char *add_image(ct_gltf_file *g, const char *uri, uint32_t view, const char *name) {
    ct_worker_scene *const s = g->scene;
    ct_worker_scene_image image = {.key = ct_compile_text(g->c, "*%u", s->images.count),
                                   .name = name};
    ct_gltf_bytes bytes = {0};
    if (uri && !ct_gltf_data_uri(g, uri, &bytes))
        image.problem = "has damaged data; expected base64";
    else if (!uri && !ct_gltf_view(g, view, &bytes))
        return NULL;
    image.bytes = bytes.bytes;
    image.size_bytes = bytes.size_bytes;
    if (!image.problem && image.size_bytes == 0)
        image.problem = "has no data";
    ct_array_push(&s->images, image);
    return image.key;
}

// What maps call each image: its uri, or the key of one inside. NULL after reporting.
static const char **read_images(ct_gltf_file *g) {
    const uint32_t count = g->lists[CT_GLTF_LIST_IMAGES].count;
    const char **const keys = CT_NEW_ARRAY(g->c->allocator, const char *, (uint64_t)count + 1);
    for (uint32_t i = 0; i < count; ++i) {
        const ct_sjson_value image = ct_gltf_item(g, CT_GLTF_LIST_IMAGES, i);
        const char *uri = NULL, *name = "";
        uint32_t view;
        if (!ct_gltf_string(g, image, "uri", &uri) || !ct_gltf_string(g, image, "name", &name) ||
            !ct_gltf_index(g, image, "bufferView", CT_GLTF_LIST_BUFFER_VIEWS, &view))
            return NULL;
        if (!uri && view == CT_GLTF_NONE) {
            ct_gltf_error(g, image, "image %u has no data; expected a uri or a bufferView", i);
            return NULL;
        }
        const bool is_inside = !uri || ct_gltf_is_data_uri(uri);
        keys[i] = is_inside ? add_image(g, uri, view, name) : uri;
        if (!keys[i])
            return NULL;
    }
    return keys;
}

// --- Samplers ------------------------------------------------------------------------------------

static bool read_wrap(const material_reader *r, ct_sjson_value sampler, const char *key,
                      ct_worker_map_wrap *wrap) {
    uint64_t number = WRAP_REPEAT;
    if (!ct_gltf_whole(r->g, sampler, key, UINT32_MAX, &number))
        return false;
    if (number != WRAP_REPEAT && number != WRAP_CLAMP_TO_EDGE && number != WRAP_MIRRORED_REPEAT)
        return ct_gltf_error(
            r->g, ct_sjson_find(r->g->doc, sampler, key), "\"%s\" is %llu; expected %d, %d or %d",
            key, (unsigned long long)number, WRAP_CLAMP_TO_EDGE, WRAP_MIRRORED_REPEAT, WRAP_REPEAT);
    *wrap = number == WRAP_CLAMP_TO_EDGE     ? CT_WORKER_MAP_WRAP_CLAMP
            : number == WRAP_MIRRORED_REPEAT ? CT_WORKER_MAP_WRAP_MIRROR
                                             : CT_WORKER_MAP_WRAP_REPEAT;
    return true;
}

// Textures have one filter, for what is larger and for what is smaller.
static bool read_filters(const material_reader *r, ct_sjson_value sampler, ct_worker_map *map) {
    uint64_t larger = 0, smaller = 0;
    if (!ct_gltf_whole(r->g, sampler, "magFilter", UINT32_MAX, &larger) ||
        !ct_gltf_whole(r->g, sampler, "minFilter", UINT32_MAX, &smaller))
        return false;
    const bool is_smaller_nearest = smaller == FILTER_NEAREST ||
                                    smaller == FILTER_NEAREST_MIPMAP_NEAREST ||
                                    smaller == FILTER_NEAREST_MIPMAP_LINEAR;
    map->is_nearest = larger == FILTER_NEAREST || (larger == 0 && is_smaller_nearest);
    if ((map->is_nearest && smaller != 0 && !is_smaller_nearest) ||
        (!map->is_nearest && is_smaller_nearest))
        warn(r, ct_compile_text(r->g->c,
                                "a map has different filters for minification (%llu) and "
                                "magnification (%llu); it gets filter = \"%s\" for both",
                                (unsigned long long)smaller, (unsigned long long)larger,
                                map->is_nearest ? "nearest" : "linear"));
    return true;
}

static bool read_sampler(const material_reader *r, ct_sjson_value texture, ct_worker_map *map) {
    uint32_t index;
    if (!ct_gltf_index(r->g, texture, "sampler", CT_GLTF_LIST_SAMPLERS, &index))
        return false;
    if (index == CT_GLTF_NONE)
        return true;
    const ct_sjson_value sampler = ct_gltf_item(r->g, CT_GLTF_LIST_SAMPLERS, index);
    return read_wrap(r, sampler, "wrapS", &map->wrap[0]) &&
           read_wrap(r, sampler, "wrapT", &map->wrap[1]) && read_filters(r, sampler, map);
}

// --- Maps ----------------------------------------------------------------------------------------

static bool read_transform(const material_reader *r, ct_sjson_value info, ct_worker_map *map) {
    const ct_sjson_value transform = ct_gltf_extension(r->g, info, "KHR_texture_transform");
    if (!transform.entry)
        return true;
    if (ct_sjson_type_of(r->g->doc, transform) != CT_SJSON_TYPE_OBJECT)
        return ct_gltf_error(r->g, transform, "\"KHR_texture_transform\" is %s; expected an object",
                             ct_sjson_type_name(ct_sjson_type_of(r->g->doc, transform)));
    uint64_t uv_set = map->uv_set;
    if (!ct_gltf_numbers(r->g, transform, "scale", map->uv_scale, 2) ||
        !ct_gltf_numbers(r->g, transform, "offset", map->uv_offset, 2) ||
        !ct_gltf_number(r->g, transform, "rotation", &map->uv_rotation) ||
        !ct_gltf_whole(r->g, transform, "texCoord", UINT32_MAX, &uv_set))
        return false;
    map->uv_set = (uint32_t)uv_set;
    return true;
}

// What to say of a texture without an image of the formats that are read.
static void warn_of_source(const material_reader *r, ct_sjson_value texture, const char *key) {
    static const char *const sources[][2] = {
        {"EXT_texture_webp", "WebP"},
        {"EXT_texture_avif", "AVIF"},
        {"KHR_texture_basisu", "KTX2"},
        {"MSFT_texture_dds", "DDS"},
    };
    const char *format = NULL;
    for (uint32_t i = 0; i < CT_COUNT_OF(sources) && !format; ++i)
        format = ct_gltf_extension(r->g, texture, sources[i][0]).entry ? sources[i][1] : NULL;
    warn(r, format ? ct_compile_text(r->g->c,
                                     "its %s has an image only in %s, which is not supported; the "
                                     "material is imported without it. Export PNG or JPEG",
                                     key, format)
                   : ct_compile_text(r->g->c, "its %s has no image", key));
}

// Reads a map; one without an image is left as it is. `info` is set to its object, or {0}.
static bool read_map(const material_reader *r, ct_sjson_value object, const char *key,
                     ct_worker_map *map, ct_sjson_value *info) {
    ct_gltf_file *const g = r->g;
    uint32_t texture_index, image;
    uint64_t uv_set = 0;
    if (!ct_gltf_object(g, object, key, info) ||
        !ct_gltf_index(g, *info, "index", CT_GLTF_LIST_TEXTURES, &texture_index) ||
        !ct_gltf_whole(g, *info, "texCoord", UINT32_MAX, &uv_set))
        return false;
    if (texture_index == CT_GLTF_NONE)
        return !info->entry || ct_gltf_error(g, *info, "\"%s\" has no texture index", key);
    const ct_sjson_value texture = ct_gltf_item(g, CT_GLTF_LIST_TEXTURES, texture_index);
    if (!ct_gltf_index(g, texture, "source", CT_GLTF_LIST_IMAGES, &image))
        return false;
    if (image == CT_GLTF_NONE)
        warn_of_source(r, texture, key);
    *map = ct_worker_scene_map(image == CT_GLTF_NONE ? NULL : r->images[image]);
    map->uv_set = (uint32_t)uv_set;
    return read_transform(r, *info, map) && read_sampler(r, texture, map);
}

// --- Materials -----------------------------------------------------------------------------------

static float unit(float value) {
    return fminf(fmaxf(value, 0), 1);
}

static void set_color(float *to, const float *linear) {
    for (uint32_t i = 0; i < 3; ++i)
        to[i] = ct_linear_to_srgb(unit(linear[i]));
}

// The older model of specular colour and glossiness, where a material has it.
static bool read_glossiness(const material_reader *r) {
    const ct_sjson_value extension =
        ct_gltf_extension(r->g, r->value, "KHR_materials_pbrSpecularGlossiness");
    if (!extension.entry)
        return true;
    ct_worker_material *const m = r->material;
    float color[4] = {1, 1, 1, 1}, glossiness = 1;
    ct_worker_map specular = {0};
    ct_sjson_value info;
    if (!ct_gltf_numbers(r->g, extension, "diffuseFactor", color, 4) ||
        !ct_gltf_number(r->g, extension, "glossinessFactor", &glossiness) ||
        !read_map(r, extension, "diffuseTexture", &m->maps[CT_WORKER_MAP_KIND_BASE_COLOR], &info) ||
        !read_map(r, extension, "specularGlossinessTexture", &specular, &info))
        return false;
    set_color(m->base_color, color);
    m->base_color[3] = unit(color[3]);
    m->roughness = 1 - unit(glossiness);
    m->metallic = 0;
    m->maps[CT_WORKER_MAP_KIND_METALLIC_ROUGHNESS] = (ct_worker_map){0};
    if (info.entry)
        warn(r, "it has a map of specular colour, which is left out");
    return true;
}

static bool read_metalness(const material_reader *r) {
    ct_worker_material *const m = r->material;
    float color[4] = {1, 1, 1, 1};
    m->metallic = 1;
    ct_sjson_value object, info;
    if (!ct_gltf_object(r->g, r->value, "pbrMetallicRoughness", &object) ||
        !ct_gltf_numbers(r->g, object, "baseColorFactor", color, 4) ||
        !ct_gltf_number(r->g, object, "metallicFactor", &m->metallic) ||
        !ct_gltf_number(r->g, object, "roughnessFactor", &m->roughness) ||
        !read_map(r, object, "baseColorTexture", &m->maps[CT_WORKER_MAP_KIND_BASE_COLOR], &info) ||
        !read_map(r, object, "metallicRoughnessTexture",
                  &m->maps[CT_WORKER_MAP_KIND_METALLIC_ROUGHNESS], &info))
        return false;
    set_color(m->base_color, color);
    m->base_color[3] = unit(color[3]);
    m->metallic = unit(m->metallic);
    m->roughness = unit(m->roughness);
    return true;
}

// What is brighter than 1 goes into the intensity.
static bool read_emissive(const material_reader *r) {
    ct_worker_material *const m = r->material;
    float color[3] = {0, 0, 0}, strength = 1;
    const ct_sjson_value extension =
        ct_gltf_extension(r->g, r->value, "KHR_materials_emissive_strength");
    ct_worker_map map = {0};
    ct_sjson_value info;
    if (!ct_gltf_numbers(r->g, r->value, "emissiveFactor", color, 3) ||
        !ct_gltf_number(r->g, extension, "emissiveStrength", &strength) ||
        !read_map(r, r->value, "emissiveTexture", &map, &info))
        return false;
    const float brightest = fmaxf(color[0], fmaxf(color[1], color[2]));
    m->emissive_intensity = fminf(fmaxf(strength, 0) * fmaxf(brightest, 1), max_emissive_strength);
    for (uint32_t i = 0; i < 3 && brightest > 1; ++i)
        color[i] /= brightest;
    set_color(m->emissive, color);
    if (map.image && brightest <= 0)
        warn(r, "its emissive map has no effect and is left out: its emissiveFactor is 0");
    else
        m->maps[CT_WORKER_MAP_KIND_EMISSIVE] = map;
    return true;
}

static bool read_surface(const material_reader *r) {
    ct_worker_material *const m = r->material;
    const char *mode = "OPAQUE";
    if (!ct_gltf_string(r->g, r->value, "alphaMode", &mode) ||
        !ct_gltf_number(r->g, r->value, "alphaCutoff", &m->alpha_cutoff) ||
        !ct_gltf_bool(r->g, r->value, "doubleSided", &m->is_double_sided))
        return false;
    m->alpha_cutoff = unit(m->alpha_cutoff);
    if (strcmp(mode, "BLEND") == 0)
        m->surface = CT_WORKER_SURFACE_BLENDED;
    else if (strcmp(mode, "MASK") == 0)
        m->surface = CT_WORKER_SURFACE_MASKED;
    else if (strcmp(mode, "OPAQUE") != 0)
        warn(r, ct_compile_text(r->g->c,
                                "its alphaMode is \"%s\", not OPAQUE, MASK or BLEND; it is opaque",
                                mode));
    return true;
}

static bool read_other_maps(const material_reader *r) {
    ct_worker_material *const m = r->material;
    ct_worker_map occlusion = {0};
    ct_sjson_value normal, info;
    if (!read_map(r, r->value, "normalTexture", &m->maps[CT_WORKER_MAP_KIND_NORMAL], &normal) ||
        !ct_gltf_number(r->g, normal, "scale", &m->normal_strength) ||
        !read_map(r, r->value, "occlusionTexture", &occlusion, &info))
        return false;
    if (info.entry)
        warn(r, "it has a map of occlusion, which is left out");
    return true;
}

static void warn_of_extensions(const material_reader *r) {
    static const char *const taken[] = {"KHR_materials_emissive_strength",
                                        "KHR_materials_pbrSpecularGlossiness"};
    const ct_sjson *const doc = r->g->doc;
    const ct_sjson_value list = ct_sjson_find(doc, r->value, "extensions");
    if (ct_sjson_type_of(doc, list) != CT_SJSON_TYPE_OBJECT)
        return;
    for (ct_sjson_value v = ct_sjson_first(doc, list); v.entry; v = ct_sjson_next(doc, v)) {
        const char *const name = ct_sjson_key(doc, v);
        bool is_taken = false;
        for (uint32_t i = 0; i < CT_COUNT_OF(taken); ++i)
            is_taken |= strcmp(name, taken[i]) == 0;
        if (strcmp(name, "KHR_materials_unlit") == 0)
            warn(r, "it is unlit, which is left out: it is drawn lit");
        else if (!is_taken)
            warn(r, ct_compile_text(r->g->c, "it has %s, which is left out", name));
    }
}

bool ct_gltf_add_materials(ct_gltf_file *g) {
    const char *const *const images = read_images(g);
    for (uint32_t i = 0; images && i < g->lists[CT_GLTF_LIST_MATERIALS].count; ++i) {
        const char *name = "";
        const ct_sjson_value value = ct_gltf_item(g, CT_GLTF_LIST_MATERIALS, i);
        if (!ct_gltf_string(g, value, "name", &name))
            return false;
        ct_worker_material material = ct_worker_scene_material(g->c, name);
        const material_reader r = {.g = g, .images = images, .value = value, .material = &material};
        if (!read_metalness(&r) || !read_glossiness(&r) || !read_emissive(&r) ||
            !read_surface(&r) || !read_other_maps(&r))
            return false;
        warn_of_extensions(&r);
        ct_array_push(&g->scene->materials, material);
    }
    return images != NULL;
}
