#include "resource/texture_resource.h"

#include <stdio.h>

#include "foundation/error.h"

#define AT(member)                                                                                 \
    .offset = offsetof(ct_texture_source, member),                                                 \
    .size_bytes = sizeof(((ct_texture_source *)0)->member)

static const char *const color_space_names[] = {"srgb", "linear", NULL};
static const char *const filter_names[] = {"linear", "nearest", NULL};
static const char *const wrap_names[] = {"repeat", "clamp", NULL};

static const ct_field fields[] = {
    {.name = "source",
     .type = CT_FIELD_TYPE_MEDIA,
     AT(source),
     .flags = CT_FIELD_REQUIRED,
     .doc = "The image, a .png, .jpg or .tga file."},
    {.name = "color_space",
     .type = CT_FIELD_TYPE_ENUM,
     AT(color_space),
     .doc = "What the image's numbers are: srgb for colours, linear for normals and the like.",
     .enum_names = color_space_names},
    {.name = "filter",
     .type = CT_FIELD_TYPE_ENUM,
     AT(filter),
     .doc = "How it is read between texels.",
     .enum_names = filter_names},
    {.name = "wrap",
     .type = CT_FIELD_TYPE_ENUM,
     AT(wrap),
     .doc = "What is beyond its edges.",
     .enum_names = wrap_names},
    {.name = "generate_mips",
     .type = CT_FIELD_TYPE_BOOL,
     AT(generate_mips),
     .doc = "Whether smaller versions are made for the distance.",
     .default_value = {1}},
};

const ct_schema ct_texture_schema = {
    .name = "texture",
    .doc = "One 2D image.",
    .size_bytes = sizeof(ct_texture_source),
    .num_fields = CT_COUNT_OF(fields),
    .fields = fields,
};

static uint32_t half(uint32_t size) {
    return size > 1 ? size / 2 : 1;
}

static bool check_mips(const ct_texture_resource *t, ct_error *error) {
    const ct_texture_mip *const mips = ct_blob_at(t, t->mips.offset);
    uint32_t width = t->width, height = t->height;
    for (uint32_t i = 0; i < t->mips.count; i++) {
        const ct_texture_mip *const mip = &mips[i];
        char what[32];
        snprintf(what, sizeof(what), "mips[%u]", i);
        if (mip->width != width || mip->height != height)
            return ct_error_set(error, "%s: found %u x %u, expected %u x %u", what, mip->width,
                                mip->height, width, height);
        if (mip->pixels.count != width * height * 4)
            return ct_error_set(error, "%s: found %u bytes of pixels, expected %u", what,
                                mip->pixels.count, width * height * 4);
        if (!ct_blob_check_array(&t->header, mip->pixels, 1, 16, what, error))
            return false;
        width = half(width);
        height = half(height);
    }
    return true;
}

bool ct_texture_validate(const void *blob, ct_error *error) {
    const ct_texture_resource *const t = blob;
    if (t->header.size_bytes < sizeof(*t))
        return ct_error_set(error, "too small for a texture");
    if (t->format != CT_TEXTURE_FORMAT_RGBA8_SRGB && t->format != CT_TEXTURE_FORMAT_RGBA8)
        return ct_error_set(error, "unknown pixel format %u", t->format);
    if (t->filter > CT_TEXTURE_FILTER_NEAREST || t->wrap > CT_TEXTURE_WRAP_CLAMP)
        return ct_error_set(error, "unknown filter %u or wrap %u", t->filter, t->wrap);
    if (t->width == 0 || t->height == 0 || t->width > CT_TEXTURE_MAX_SIZE ||
        t->height > CT_TEXTURE_MAX_SIZE)
        return ct_error_set(error, "found %u x %u pixels, expected 1 to %u each", t->width,
                            t->height, CT_TEXTURE_MAX_SIZE);
    if (!ct_blob_check_array(&t->header, t->mips, sizeof(ct_texture_mip), 4, "mips", error))
        return false;
    uint32_t full_chain = 1;
    for (uint32_t size = t->width > t->height ? t->width : t->height; size > 1; size /= 2)
        full_chain++;
    if (t->mips.count != 1 && t->mips.count != full_chain)
        return ct_error_set(error, "found %u mips, expected 1 or %u", t->mips.count, full_chain);
    return check_mips(t, error);
}
