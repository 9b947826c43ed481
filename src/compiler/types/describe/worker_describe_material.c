#include "compiler/types/describe/worker_describe_material.h"

#include <math.h>
#include <string.h>

#include "compiler/types/describe/worker_describe_number.h"

typedef struct material_writer {
    ct_worker_describe_images *images;
    const ct_worker_material *material;
    ct_sjson_writer *w;
    uint32_t maps[CT_WORKER_MAP_KIND_COUNT]; // images; CT_WORKER_DESCRIBE_NO_IMAGE: none
} material_writer;

static void warn(const material_writer *m, const char *what) {
    ct_worker_describe_warn(
        m->images, ct_compile_text(m->images->c, "material \"%s\": %s", m->material->name, what));
}

static bool has_map(const material_writer *m, ct_worker_map_kind kind) {
    return m->maps[kind] != CT_WORKER_DESCRIBE_NO_IMAGE;
}

// --- Maps ----------------------------------------------------------------------------------------

// Programs write normal maps to OBJ and FBX as maps of bumps. One of heights is grey, which normals
// never are.
static void leave_out_heights(material_writer *m, uint32_t num_images) {
    uint32_t *const map = &m->maps[CT_WORKER_MAP_KIND_NORMAL];
    if (!m->material->maps[CT_WORKER_MAP_KIND_NORMAL].may_be_heights ||
        *map == CT_WORKER_DESCRIBE_NO_IMAGE || !ct_worker_describe_is_grey(m->images, *map))
        return;
    warn(m, "its bump map holds heights, not normals; it is left out");
    if (*map >= num_images) // nobody else's
        m->images->items.count = num_images;
    *map = CT_WORKER_DESCRIBE_NO_IMAGE;
}

static void read_maps(material_writer *m) {
    for (uint32_t i = 0; i < CT_WORKER_MAP_KIND_COUNT; ++i) {
        const ct_worker_map *const map = &m->material->maps[i];
        const uint32_t num_images = m->images->items.count;
        m->maps[i] =
            map->image ? ct_worker_describe_image(m->images, map) : CT_WORKER_DESCRIBE_NO_IMAGE;
        if (i == CT_WORKER_MAP_KIND_NORMAL)
            leave_out_heights(m, num_images);
        if (has_map(m, (ct_worker_map_kind)i) && map->uv_set != 0)
            warn(m, "a map uses the second texture coordinates; it is drawn with the first");
    }
}

// --- Parameters ----------------------------------------------------------------------------------

static void write_numbers(ct_sjson_writer *w, const char *name, const float *values,
                          uint32_t count) {
    ct_sjson_write_key(w, name);
    ct_sjson_begin_array(w);
    for (uint32_t i = 0; i < count; ++i)
        ct_sjson_write_number(w, ct_worker_describe_number(values[i]));
    ct_sjson_end_array(w);
}

// Opacity that the surface does not have is left out.
static void write_base_color(const material_writer *m) {
    float color[4];
    const bool is_replaced =
        m->material->map_has_color && has_map(m, CT_WORKER_MAP_KIND_BASE_COLOR);
    for (uint32_t i = 0; i < 4; ++i)
        color[i] =
            is_replaced && i < 3 ? 1 : (float)ct_worker_describe_number(m->material->base_color[i]);
    if (m->material->surface == CT_WORKER_SURFACE_OPAQUE)
        color[3] = 1;
    if (color[0] < 1 || color[1] < 1 || color[2] < 1 || color[3] < 1)
        write_numbers(m->w, "base_color", color, color[3] < 1 ? 4 : 3);
}

static void write_emissive(const material_writer *m) {
    const float *const color = m->material->emissive;
    const bool is_black = color[0] <= 0 && color[1] <= 0 && color[2] <= 0;
    static const float white[3] = {1, 1, 1};
    if (is_black && !has_map(m, CT_WORKER_MAP_KIND_EMISSIVE))
        return;
    write_numbers(m->w, "emissive", is_black ? white : color, 3);
    if (m->material->emissive_intensity != 1)
        ct_sjson_member_number(m->w, "emissive_intensity",
                               ct_worker_describe_number(m->material->emissive_intensity));
}

static bool is_like(const float *a, const float *b) {
    return fabsf(a[0] - b[0]) < 1e-6f && fabsf(a[1] - b[1]) < 1e-6f;
}

// All maps of a material are scaled alike, and neither moved nor turned.
static void write_uv_scale(const material_writer *m) {
    static const float one[2] = {1, 1}, zero[2] = {0, 0};
    const float *scale = NULL;
    bool is_moved = false, differs = false;
    for (uint32_t i = 0; i < CT_WORKER_MAP_KIND_COUNT; ++i) {
        const ct_worker_map *const map = &m->material->maps[i];
        if (!has_map(m, (ct_worker_map_kind)i))
            continue;
        is_moved |= !is_like(map->uv_offset, zero) || fabsf(map->uv_rotation) > 1e-6f;
        scale = scale ? scale : map->uv_scale;
        differs |= !is_like(scale, map->uv_scale);
    }
    if (is_moved)
        warn(m, "its maps have an offset or a rotation, which is left out");
    if (differs)
        warn(m, "its maps have different scales; all get the uv_scale of the first");
    if (scale && !is_like(scale, one))
        write_numbers(m->w, "uv_scale", scale, 2);
}

static void write_number(const material_writer *m, const char *key, float value) {
    ct_sjson_member_number(m->w, key, ct_worker_describe_number(value));
}

static void write_parameters(const material_writer *m) {
    const ct_worker_material *const material = m->material;
    ct_sjson_write_key(m->w, "parameters");
    ct_sjson_begin_object(m->w);
    write_base_color(m);
    if (material->surface == CT_WORKER_SURFACE_MASKED && material->alpha_cutoff != 0.5f)
        write_number(m, "alpha_cutoff", material->alpha_cutoff);
    write_number(m, "metallic", material->metallic);
    write_number(m, "roughness", material->roughness);
    write_emissive(m);
    if (has_map(m, CT_WORKER_MAP_KIND_NORMAL) && material->normal_strength != 1)
        write_number(m, "normal_strength", material->normal_strength);
    write_uv_scale(m);
    ct_sjson_end_object(m->w);
}

// --- Options and maps ----------------------------------------------------------------------------

static void write_options(const material_writer *m, bool has_colors) {
    ct_sjson_write_key(m->w, "options");
    ct_sjson_begin_array(m->w);
    if (has_colors)
        ct_sjson_write_string(m->w, "vertex_color");
    if (m->material->surface == CT_WORKER_SURFACE_MASKED)
        ct_sjson_write_string(m->w, "alpha_test");
    if (m->material->surface == CT_WORKER_SURFACE_BLENDED)
        ct_sjson_write_string(m->w, "transparent");
    if (m->material->is_double_sided)
        ct_sjson_write_string(m->w, "double_sided");
    ct_sjson_end_array(m->w);
}

static void write_maps(const material_writer *m) {
    static const char *const names[CT_WORKER_MAP_KIND_COUNT] = {
        [CT_WORKER_MAP_KIND_BASE_COLOR] = "base_color_map",
        [CT_WORKER_MAP_KIND_NORMAL] = "normal_map",
        [CT_WORKER_MAP_KIND_METALLIC_ROUGHNESS] = "metallic_roughness_map",
        [CT_WORKER_MAP_KIND_EMISSIVE] = "emissive_map",
    };
    ct_sjson_write_key(m->w, "maps");
    ct_sjson_begin_object(m->w);
    for (uint32_t i = 0; i < CT_WORKER_MAP_KIND_COUNT; ++i) {
        if (has_map(m, (ct_worker_map_kind)i))
            ct_sjson_member_number(m->w, names[i], m->maps[i]);
    }
    ct_sjson_end_object(m->w);
}

void ct_worker_describe_material(ct_worker_describe_images *images, uint32_t i, bool has_colors,
                                 ct_sjson_writer *w) {
    material_writer m = {.images = images, .material = &images->scene->materials.items[i], .w = w};
    read_maps(&m);
    for (uint32_t k = 0; k < m.material->warnings.count; ++k)
        warn(&m, m.material->warnings.items[k]);
    ct_sjson_begin_object(w);
    ct_sjson_member_string(w, "name", m.material->name);
    write_options(&m, has_colors);
    write_parameters(&m);
    write_maps(&m);
    ct_sjson_end_object(w);
}
