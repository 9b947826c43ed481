#include "compiler/types/texture/worker_texture_source.h"
#include "project/project_setting.h"

#include <math.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/memory/allocator.h"

// --- Fields --------------------------------------------------------------------------------------

static void add_layer(ct_worker_texture_source *s, const char *path, ct_sjson_value at) {
    s->paths[s->num_layers] = path;
    s->at[s->num_layers++] = at;
}

static bool read_sources(ct_compile *c, ct_worker_texture_source *s) {
    const ct_sjson_value array = s->fields.sources;
    const uint32_t count = ct_sjson_count(c->doc, array);
    s->kind = CT_TEXTURE_KIND_ARRAY;
    if (count < 1 || count > CT_TEXTURE_MAX_LAYERS)
        return ct_compile_error(c, c->doc, array, "texture.sources: found %u, expected 1 to %d",
                                count, CT_TEXTURE_MAX_LAYERS);
    for (ct_sjson_value v = ct_sjson_first(c->doc, array); v.entry; v = ct_sjson_next(c->doc, v)) {
        const char *const path = ct_sjson_string(c->doc, v, NULL);
        if (!path)
            return ct_compile_error(
                c, c->doc, v,
                "texture.sources[%u]: found %s, expected a string with a project path",
                s->num_layers, ct_sjson_type_name(ct_sjson_type_of(c->doc, v)));
        add_layer(s, path, v);
    }
    return true;
}

static bool read_cube(ct_compile *c, ct_worker_texture_source *s) {
    const ct_schema_listener listener = ct_compile_listener(c);
    ct_texture_cube_source cube;
    s->kind = CT_TEXTURE_KIND_CUBE;
    if (!ct_schema_read(&ct_texture_cube_schema, c->doc, s->fields.cube, &cube, &listener))
        return false;
    for (uint32_t i = 0; i < CT_TEXTURE_CUBE_LAYERS; ++i)
        add_layer(s, cube.faces[i],
                  ct_sjson_find(c->doc, s->fields.cube, ct_texture_cube_schema.fields[i].name));
    return true;
}

static bool read_layers(ct_compile *c, ct_worker_texture_source *s) {
    const ct_sjson_value root = ct_sjson_root(c->doc);
    const ct_sjson_value one = ct_sjson_find(c->doc, root, "source");
    const ct_sjson_value given[] = {one, s->fields.sources, s->fields.cube};
    ct_sjson_value last = root;
    uint32_t count = 0;
    for (uint32_t i = 0; i < CT_COUNT_OF(given); ++i) {
        count += given[i].entry != 0;
        last = given[i].entry ? given[i] : last;
    }
    if (count == 0)
        return ct_compile_error(c, c->doc, root,
                                "the texture has no image; expected source, sources or cube");
    if (count > 1)
        return ct_compile_error(
            c, c->doc, last, "found %u of source, sources and cube; expected one of them", count);
    if (s->fields.sources.entry)
        return read_sources(c, s);
    if (s->fields.cube.entry)
        return read_cube(c, s);
    add_layer(s, s->fields.source, one);
    return true;
}

static bool read_color_space(ct_compile *c, ct_worker_texture_source *s) {
    const uint32_t category = s->fields.category;
    const bool is_given = s->fields.color_space_value.entry != 0;
    const bool is_color =
        category == CT_TEXTURE_CATEGORY_COLOR || category == CT_TEXTURE_CATEGORY_GUI;
    s->is_srgb = is_given ? s->fields.color_space == 0 : is_color;
    if (s->is_srgb &&
        (category == CT_TEXTURE_CATEGORY_NORMAL || category == CT_TEXTURE_CATEGORY_MASK))
        return ct_compile_error(c, c->doc, s->fields.color_space_value,
                                "textures of category normal and mask must be linear");
    if (s->fields.premultiply_alpha && category != CT_TEXTURE_CATEGORY_COLOR &&
        category != CT_TEXTURE_CATEGORY_GUI)
        return ct_compile_error(c, c->doc,
                                ct_sjson_find(c->doc, ct_sjson_root(c->doc), "premultiply_alpha"),
                                "premultiply_alpha is only for textures of category color and gui");
    return true;
}

// --- What the settings may say for all -----------------------------------------------------------

// A value of the source, or of settings.config: `name` is what errors call it.
typedef struct found_value {
    const char *name;
    const ct_sjson *doc;
    ct_sjson_value at; // {0}: neither says it
} found_value;

static found_value find_value(ct_compile *c, ct_sjson_value own, const char *own_name,
                              const char *setting) {
    if (own.entry)
        return (found_value){own_name, c->doc, own};
    found_value v = {.name = setting};
    v.at = ct_compile_setting(c, setting, &v.doc);
    return v;
}

// The source's own was read by its schema.
static bool read_quality(ct_compile *c, ct_worker_texture_source *s) {
    const found_value v =
        find_value(c, s->fields.quality_value, "texture.quality", "textures.quality");
    s->quality = s->fields.quality;
    if (!v.at.entry || v.doc == c->doc)
        return true;
    const char *const text = ct_sjson_string(v.doc, v.at, NULL);
    if (text && ct_texture_quality_named(text, &s->quality))
        return true;
    return ct_compile_error(c, v.doc, v.at,
                            "%s: found %s, expected \"fast\", \"best\" or \"uncompressed\"", v.name,
                            text ? ct_compile_text(c, "\"%.64s\"", text)
                                 : ct_sjson_type_name(ct_sjson_type_of(v.doc, v.at)));
}

// The number of pixels at `at`; 0 after reporting.
static uint32_t read_size(ct_compile *c, const found_value *v, ct_sjson_value at) {
    const double number = ct_sjson_number(v->doc, at, -1);
    if (number >= 1 && number <= CT_TEXTURE_MAX_SIZE && floor(number) == number)
        return (uint32_t)number;
    ct_compile_error(c, v->doc, at, "%s: expected a whole number from 1 to %d", v->name,
                     CT_TEXTURE_MAX_SIZE);
    return 0;
}

// Reports a word of max_size that is no platform's.
static bool check_platform(ct_compile *c, const found_value *v, ct_sjson_value at) {
    const char *const word = ct_sjson_key(v->doc, at);
    const ct_sjson *settings = NULL;
    if (strcmp(word, "default") == 0)
        return true;
    ct_compile_setting(c, "platforms", &settings);
    return ct_setting_has_platform(settings, word) ||
           ct_compile_error(c, v->doc, at,
                            "%s: found \"%.64s\", expected default, \"linux\", \"windows\", "
                            "\"be64\" or a word listed in platforms of settings.config",
                            v->name, word);
}

static bool read_max_size(ct_compile *c, ct_worker_texture_source *s) {
    const found_value v =
        find_value(c, s->fields.max_size, "texture.max_size", "textures.max_size");
    s->max_size = CT_TEXTURE_MAX_SIZE;
    if (!v.at.entry)
        return true;
    if (ct_sjson_type_of(v.doc, v.at) != CT_SJSON_TYPE_OBJECT)
        return (s->max_size = read_size(c, &v, v.at)) > 0;
    bool is_good = true, is_named = false;
    for (ct_sjson_value m = ct_sjson_first(v.doc, v.at); m.entry; m = ct_sjson_next(v.doc, m)) {
        const char *const word = ct_sjson_key(v.doc, m);
        const uint32_t size = read_size(c, &v, m);
        is_good &= size > 0;
        is_good &= check_platform(c, &v, m);
        const bool is_this = strcmp(word, c->source_platform) == 0;
        if (is_this || (!is_named && strcmp(word, "default") == 0))
            s->max_size = size;
        is_named |= is_this;
    }
    return is_good;
}

// What the category or the kind decides alone.
static void warn_of_idle_members(ct_compile *c, const ct_worker_texture_source *s) {
    const ct_sjson_value wrap = ct_sjson_find(c->doc, ct_sjson_root(c->doc), "wrap");
    if (s->fields.category == CT_TEXTURE_CATEGORY_GUI && s->fields.quality_value.entry &&
        s->quality != CT_TEXTURE_QUALITY_UNCOMPRESSED)
        ct_compile_warning(c, c->doc, s->fields.quality_value,
                           "quality has no effect: textures of category gui are not compressed");
    if (s->kind == CT_TEXTURE_KIND_CUBE && wrap.entry)
        ct_compile_warning(c, c->doc, wrap, "wrap has no effect: cube maps have no edges");
}

bool ct_worker_texture_source_read(ct_compile *c, ct_worker_texture_source *s) {
    const ct_schema_listener listener = ct_compile_listener(c);
    *s = (ct_worker_texture_source){0};
    if (!ct_schema_read(&ct_texture_schema, c->doc, ct_sjson_root(c->doc), &s->fields, &listener))
        return false;
    s->has_mips = s->fields.generate_mips && (s->fields.category != CT_TEXTURE_CATEGORY_GUI ||
                                              s->fields.generate_mips_value.entry != 0);
    bool is_good = read_layers(c, s);
    is_good &= read_color_space(c, s);
    is_good &= read_quality(c, s);
    is_good &= read_max_size(c, s);
    if (is_good)
        warn_of_idle_members(c, s);
    return is_good;
}

// --- Images --------------------------------------------------------------------------------------

// How the layer of a cube's face lies to its image: Vulkan's faces are seen from outside, as
// coordinates of our hand. Pixel (x, y) of the layer is that of the image at (x, y), its
// coordinates swapped, then mirrored.
typedef struct turn {
    bool is_swapped, is_x_mirrored, is_y_mirrored;
} turn;

static const turn cube_turns[CT_TEXTURE_CUBE_LAYERS] = {
    {true, false, false}, // right: s runs down the image, t to its right
    {true, true, true},   // left
    {false, false, true}, // front
    {false, true, false}, // back
    {false, false, true}, // up
    {false, true, false}, // down
};

static void turn_face(ct_allocator *a, ct_worker_image *image, turn how) {
    const uint32_t side = image->width;
    uint8_t *const pixels = ct_alloc(a, (uint64_t)side * side * 4);
    for (uint32_t y = 0; y < side; ++y) {
        for (uint32_t x = 0; x < side; ++x) {
            uint32_t from_x = how.is_swapped ? y : x, from_y = how.is_swapped ? x : y;
            from_x = how.is_x_mirrored ? side - 1 - from_x : from_x;
            from_y = how.is_y_mirrored ? side - 1 - from_y : from_y;
            memcpy(pixels + ((uint64_t)y * side + x) * 4,
                   image->pixels + ((uint64_t)from_y * side + from_x) * 4, 4);
        }
    }
    ct_free(a, image->pixels);
    image->pixels = pixels;
}

// What one image can be is checked when it is decoded; this is for all together, as they lie in
// memory.
static bool check_total(ct_compile *c, const ct_worker_texture_source *s,
                        const ct_worker_image *image) {
    const uint64_t bytes = (uint64_t)image->width * image->height * 4 * s->num_layers;
    return bytes <= CT_WORKER_IMAGE_MAX_BYTES ||
           ct_compile_error(c, c->doc, s->at[0],
                            "%u images of %u x %u pixels take %llu bytes; the limit is %d",
                            s->num_layers, image->width, image->height, (unsigned long long)bytes,
                            CT_WORKER_IMAGE_MAX_BYTES);
}

static bool load_image(ct_compile *c, const ct_worker_texture_source *s, uint32_t layer,
                       ct_worker_image *images) {
    const char *const path = s->paths[layer];
    ct_worker_image *image = &images[layer];
    uint64_t size_bytes = 0;
    const char *const bytes = ct_compile_read(c, path, &size_bytes, c->doc, s->at[layer]);
    if (!bytes)
        return false;
    ct_error error = {0};
    if (!ct_worker_image_decode(c->allocator, bytes, size_bytes, path, s->has_mips, image, &error))
        return ct_compile_error(c, c->doc, s->at[layer], "%s", error.message);
    if (s->kind == CT_TEXTURE_KIND_CUBE && image->width != image->height)
        return ct_compile_error(
            c, c->doc, s->at[layer],
            "%s is %u x %u pixels; expected a square, as for all faces of a cube", path,
            image->width, image->height);
    if (layer == 0)
        return check_total(c, s, image);
    return (image->width == images[0].width && image->height == images[0].height) ||
           ct_compile_error(c, c->doc, s->at[layer],
                            "%s is %u x %u pixels; expected %u x %u, like %s", path, image->width,
                            image->height, images[0].width, images[0].height, s->paths[0]);
}

bool ct_worker_texture_source_load(ct_compile *c, const ct_worker_texture_source *s,
                                   ct_worker_image *images) {
    bool is_good = true;
    memset(images, 0, s->num_layers * sizeof(*images));
    for (uint32_t i = 0; i < s->num_layers; ++i) {
        if (load_image(c, s, i, images)) {
            if (s->kind == CT_TEXTURE_KIND_CUBE)
                turn_face(c->allocator, &images[i], cube_turns[i]);
            continue;
        }
        if (i == 0)
            return false; // there is no size that the others should have
        is_good = false;
        ct_free(c->allocator, images[i].pixels);
        images[i].pixels = NULL;
    }
    return is_good;
}
