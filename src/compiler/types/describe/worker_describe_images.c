#include "compiler/types/describe/worker_describe_images.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <assimp/cimport.h>
#include <assimp/scene.h>

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

// The extension of what the bytes are; TGA has no mark at its start, so its name must say it.
static const char *extension_of(const char *path, const char *bytes, uint64_t size_bytes) {
    if (size_bytes >= 8 && memcmp(bytes, "\x89PNG\r\n\x1a\n", 8) == 0)
        return "png";
    if (size_bytes >= 3 && memcmp(bytes, "\xff\xd8\xff", 3) == 0)
        return "jpg";
    return strcasecmp(ct_path_extension(path), "tga") == 0 ? "tga" : NULL;
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
    const char *name = ct_path_file_name(plain);
    return find_by_path(images, path, plain, image) || find_known(images, path, image) ||
           try_file(c, c->path, name, image) ||
           try_file(c, c->path, ct_compile_text(c, "textures/%s", name), image) ||
           try_file(c, c->path, ct_compile_text(c, "Textures/%s", name), image);
}

// --- Images inside the model ---------------------------------------------------------------------

static const struct aiTexture *inside(const struct aiScene *s, const char *path) {
    if (*path == '*') {
        const unsigned long i = strtoul(path + 1, NULL, 10);
        return i < s->mNumTextures ? s->mTextures[i] : NULL;
    }
    for (uint32_t i = 0; i < s->mNumTextures; ++i) {
        if (strcmp(s->mTextures[i]->mFilename.data, path) == 0)
            return s->mTextures[i];
    }
    return NULL;
}

static bool take_inside(ct_worker_describe_images *images, const char *path,
                        const struct aiTexture *texture, ct_worker_described_image *image) {
    ct_compile *c = images->c;
    if (texture->mHeight != 0 || texture->mWidth == 0) {
        ct_worker_describe_warn(images,
                                ct_compile_text(c,
                                                "the image \"%s\" inside the model is raw; only "
                                                "PNG, JPEG and TGA are taken",
                                                path));
        return false;
    }
    char *bytes = ct_alloc(c->allocator, texture->mWidth);
    memcpy(bytes, texture->pcData, texture->mWidth);
    image->bytes = bytes;
    image->size_bytes = texture->mWidth;
    const char *const file = texture->mFilename.data;
    image->name = *file && *file != '*' ? bare_name(c, file)
                                        : ct_compile_text(c, "image_%s", path + (*path == '*'));
    return true;
}

uint32_t ct_worker_describe_image(ct_worker_describe_images *images, const char *path) {
    ct_compile *c = images->c;
    for (uint32_t i = 0; i < images->items.count; ++i) {
        if (strcmp(images->items.items[i].key, path) == 0)
            return i;
    }
    ct_worker_described_image image = {.key = ct_compile_text(c, "%s", path)};
    const struct aiTexture *texture = inside(images->scene->file, path);
    if (texture) {
        if (!take_inside(images, path, texture, &image))
            return CT_WORKER_DESCRIBE_NO_IMAGE;
    } else if (find_file(images, path, &image)) {
        image.name = bare_name(c, image.path);
    } else {
        ct_worker_describe_warn(images, ct_compile_text(c,
                                                        "the image \"%s\" was not found; the "
                                                        "material goes without",
                                                        path));
        return CT_WORKER_DESCRIBE_NO_IMAGE;
    }
    image.extension =
        extension_of(texture ? texture->mFilename.data : image.path, image.bytes, image.size_bytes);
    if (!image.extension) {
        ct_worker_describe_warn(images, ct_compile_text(c,
                                                        "the image \"%s\" is no PNG, JPEG or "
                                                        "TGA; the material goes without",
                                                        path));
        return CT_WORKER_DESCRIBE_NO_IMAGE;
    }
    ct_array_push(&images->items, image);
    return images->items.count - 1;
}

static bool is_grey(const uint8_t *pixel) {
    const int r = pixel[0], g = pixel[1], b = pixel[2];
    return abs(r - g) <= MAX_GREY_DIFFERENCE && abs(g - b) <= MAX_GREY_DIFFERENCE;
}

bool ct_worker_describe_is_grey(const ct_worker_describe_images *images, uint32_t image) {
    const ct_worker_described_image *described = &images->items.items[image];
    const char *path = ct_compile_text(images->c, "%s.%s", described->name, described->extension);
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
