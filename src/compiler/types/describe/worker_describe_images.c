#include "compiler/types/describe/worker_describe_images.h"

#include <stdlib.h>
#include <string.h>

#include "compiler/types/texture/worker_image.h"
#include "foundation/error.h"
#include "foundation/os/path.h"

enum { MAX_WARNINGS = 100, MAX_GREY_DIFFERENCE = 16 };

void ct_worker_describe_images_init(ct_worker_describe_images *images, ct_compile *c,
                                    const ct_worker_scene *scene,
                                    const ct_worker_model_files *files) {
    *images = (ct_worker_describe_images){.c = c, .scene = scene, .files = files};
    ct_array_init(&images->items, c->allocator);
    ct_array_init(&images->warnings, c->allocator);
}

void ct_worker_describe_warn(ct_worker_describe_images *images, const char *text) {
    for (uint32_t i = 0; i < images->warnings.count; ++i) {
        if (strcmp(images->warnings.items[i], text) == 0)
            return;
    }
    if (images->warnings.count < MAX_WARNINGS)
        ct_array_push(&images->warnings, ct_copy_string(images->c->allocator, text));
}

// The file name without folder and extension, with `/` and `\` as separators.
static const char *bare_name(ct_compile *c, const char *path) {
    const char *name = path;
    for (const char *p = path; *p; ++p)
        name = *p == '/' || *p == '\\' ? p + 1 : name;
    const char *const dot = strrchr(name, '.');
    return ct_compile_text(c, "%.*s", dot && dot != name ? (int)(dot - name) : (int)strlen(name),
                           name);
}

// --- Files ---------------------------------------------------------------------------------------

// `path` is from the folder of the file `from`.
static bool try_file(ct_compile *c, const char *from, const char *path,
                     ct_worker_described_image *image) {
    char clean[CT_PATH_BYTES];
    if (*path == '/' || *path == 0)
        return false;
    const int folder = (int)(ct_path_file_name(from) - from);
    const char *whole = ct_compile_text(c, "%.*s%s", folder, from, path);
    if (ct_worker_model_clean_path(whole, clean))
        whole = ct_compile_text(c, "%s", clean);
    image->bytes = ct_compile_find(c, whole, &image->size_bytes);
    image->path = image->bytes ? whole : NULL;
    return image->bytes != NULL;
}

// By the path as the model has it: from its own folder, or from that of its materials.
static bool find_by_path(const ct_worker_describe_images *images, const char *path,
                         const char *plain, ct_worker_described_image *image) {
    ct_compile *const c = images->c;
    bool is_found = try_file(c, c->path, path, image) || try_file(c, c->path, plain, image);
    for (uint32_t i = 1; i < images->files->files.count && !is_found; ++i) {
        const char *const other = images->files->files.items[i].path;
        is_found = try_file(c, other, path, image) || try_file(c, other, plain, image);
    }
    return is_found;
}

static bool find_known(const ct_worker_describe_images *images, const char *key,
                       ct_worker_described_image *image) {
    for (uint32_t i = 0; i < images->num_known; ++i) {
        if (strcmp(images->known[i].key, key) == 0 &&
            try_file(images->c, "", images->known[i].path, image))
            return true;
    }
    return false;
}

// Images may lie outside of the model's folder. Paths of models lead to their author's disk as
// often as not: the name alone, beside the model or in a folder for textures, is good too.
static bool find_file(const ct_worker_describe_images *images, const char *path,
                      ct_worker_described_image *image) {
    ct_compile *const c = images->c;
    const char *const plain = ct_worker_model_plain_path(c, path);
    const char *const name = ct_path_file_name(plain);
    return find_by_path(images, path, plain, image) || find_known(images, path, image) ||
           try_file(c, c->path, name, image) ||
           try_file(c, c->path, ct_compile_text(c, "textures/%s", name), image) ||
           try_file(c, c->path, ct_compile_text(c, "Textures/%s", name), image);
}

// --- Images inside the model ---------------------------------------------------------------------

static const ct_worker_scene_image *inside(const ct_worker_scene *scene, const char *key) {
    for (uint32_t i = 0; i < scene->images.count; ++i) {
        if (strcmp(scene->images.items[i].key, key) == 0)
            return &scene->images.items[i];
    }
    return NULL;
}

static bool take_inside(ct_worker_describe_images *images, const ct_worker_scene_image *inside,
                        ct_worker_described_image *image) {
    ct_compile *const c = images->c;
    const char *const key = inside->key;
    if (inside->size_bytes == 0) {
        ct_worker_describe_warn(
            images,
            ct_compile_text(
                c, "the image \"%s\" inside the model %s; the material is imported without it",
                *inside->name ? inside->name : key, inside->problem));
        return false;
    }
    image->bytes = inside->bytes;
    image->size_bytes = inside->size_bytes;
    image->name = *inside->name ? bare_name(c, inside->name)
                                : ct_compile_text(c, "image_%s", key + (*key == '*'));
    return true;
}

// Reads the image that materials call `key`. False after warning.
static bool read_image(ct_worker_describe_images *images, const char *key,
                       ct_worker_described_image *image) {
    ct_compile *const c = images->c;
    const ct_worker_scene_image *const held = inside(images->scene, key);
    image->key = ct_compile_text(c, "%s", key);
    if (held) {
        if (!take_inside(images, held, image))
            return false;
    } else if (find_file(images, key, image)) {
        image->name = bare_name(c, image->path);
    } else {
        ct_worker_describe_warn(
            images,
            ct_compile_text(
                c, "the image \"%s\" was not found; the material is imported without it", key));
        return false;
    }
    const ct_worker_image_format *const format =
        ct_worker_image_format_of(held ? held->name : image->path, image->bytes, image->size_bytes);
    image->extension = format ? format->extension : NULL;
    if (!image->extension)
        ct_worker_describe_warn(
            images, ct_compile_text(c,
                                    "the image \"%s\" is %s; the material is imported without it. "
                                    "Expected PNG, JPEG or TGA",
                                    key, format ? format->name : "of an unsupported format"));
    return image->extension != NULL;
}

// Textures wrap alike along both axes, and do not mirror.
static ct_worker_map_wrap texture_wrap(ct_worker_describe_images *images,
                                       const ct_worker_map *map) {
    static const char *const names[] = {
        [CT_WORKER_MAP_WRAP_REPEAT] = "repeats",
        [CT_WORKER_MAP_WRAP_CLAMP] = "is clamped",
        [CT_WORKER_MAP_WRAP_MIRROR] = "is mirrored",
    };
    if (map->wrap[0] == map->wrap[1] && map->wrap[0] != CT_WORKER_MAP_WRAP_MIRROR)
        return map->wrap[0];
    ct_worker_describe_warn(images,
                            ct_compile_text(images->c,
                                            "the image \"%s\" %s along u and %s along v, which "
                                            "textures do not support; it gets wrap = \"repeat\"",
                                            map->image, names[map->wrap[0]], names[map->wrap[1]]));
    return CT_WORKER_MAP_WRAP_REPEAT;
}

uint32_t ct_worker_describe_image(ct_worker_describe_images *images, const ct_worker_map *map) {
    const ct_worker_map_wrap wrap = texture_wrap(images, map);
    for (uint32_t i = 0; i < images->items.count; ++i) {
        const ct_worker_described_image *const known = &images->items.items[i];
        if (strcmp(known->key, map->image) != 0)
            continue;
        if (known->wrap != wrap || known->is_nearest != map->is_nearest)
            ct_worker_describe_warn(
                images,
                ct_compile_text(images->c,
                                "the image \"%s\" is sampled in several ways; it gets wrap = "
                                "\"%s\" and filter = \"%s\" from its first use",
                                map->image,
                                known->wrap == CT_WORKER_MAP_WRAP_CLAMP ? "clamp" : "repeat",
                                known->is_nearest ? "nearest" : "linear"));
        return i;
    }
    ct_worker_described_image image = {.wrap = wrap, .is_nearest = map->is_nearest};
    if (!read_image(images, map->image, &image))
        return CT_WORKER_DESCRIBE_NO_IMAGE;
    ct_array_push(&images->items, image);
    return images->items.count - 1;
}

static bool is_grey(const uint8_t *pixel) {
    const int r = pixel[0], g = pixel[1], b = pixel[2];
    return abs(r - g) <= MAX_GREY_DIFFERENCE && abs(g - b) <= MAX_GREY_DIFFERENCE;
}

bool ct_worker_describe_is_grey(const ct_worker_describe_images *images, uint32_t image) {
    const ct_worker_described_image *const described = &images->items.items[image];
    const char *const path =
        ct_compile_text(images->c, "%s.%s", described->name, described->extension);
    ct_worker_image decoded;
    ct_error error = {0};
    if (!ct_worker_image_decode(images->c->allocator, described->bytes, described->size_bytes, path,
                                true, &decoded, &error))
        return false;
    bool is_all_grey = true;
    const uint64_t num_pixels = (uint64_t)decoded.width * decoded.height;
    for (uint64_t i = 0; i < num_pixels && is_all_grey; ++i)
        is_all_grey = is_grey(decoded.pixels + i * 4);
    ct_free(images->c->allocator, decoded.pixels);
    return is_all_grey;
}
