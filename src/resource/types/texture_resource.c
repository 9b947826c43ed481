#include "resource/types/texture_resource.h"

#include <stdio.h>
#include <string.h>

#include "foundation/error.h"

#define AT(member)                                                                                 \
    .offset = offsetof(ct_texture_source, member),                                                 \
    .size_bytes = sizeof(((ct_texture_source *)0)->member)

static const char *const category_names[] = {"color", "normal", "mask", "data", "gui", NULL};
static const char *const quality_names[] = {"fast", "best", "uncompressed", NULL};
static const char *const color_space_names[] = {"srgb", "linear", NULL};
static const char *const filter_names[] = {"linear", "nearest", NULL};
static const char *const wrap_names[] = {"repeat", "clamp", NULL};

static const ct_field fields[] = {
    {.name = "source",
     .type = CT_FIELD_TYPE_MEDIA,
     AT(source),
     .doc = "The image, a .png, .jpg or .tga file."},
    {.name = "sources",
     .type = CT_FIELD_TYPE_ARRAY,
     AT(sources),
     .doc = "The images of an array texture, all of one size; use this in place of `source`.",
     .element_type = CT_FIELD_TYPE_MEDIA},
    {.name = "cube",
     .type = CT_FIELD_TYPE_OBJECT,
     AT(cube),
     .doc = "The six square images of a cube map: { right left front back up down }; use this in "
            "place of `source`.",
     .schema = &ct_texture_cube_schema},
    {.name = "category",
     .type = CT_FIELD_TYPE_ENUM,
     AT(category),
     .doc = "What the image contains: color, normal (tangent space normals), mask (one linear "
            "channel), data (linear channels) or gui (a picture for the screen, never compressed).",
     .enum_names = category_names},
    {.name = "quality",
     .type = CT_FIELD_TYPE_ENUM,
     AT(quality),
     .doc = "How the texture is compressed. Default: as settings.config sets for all textures.",
     .enum_names = quality_names},
    {.name = "quality",
     .type = CT_FIELD_TYPE_VALUE,
     AT(quality_value),
     .doc = "Whether the source sets it."},
    {.name = "color_space",
     .type = CT_FIELD_TYPE_ENUM,
     AT(color_space),
     .doc = "Colour space of the image where the category does not imply one: srgb or linear.",
     .enum_names = color_space_names},
    {.name = "color_space",
     .type = CT_FIELD_TYPE_VALUE,
     AT(color_space_value),
     .doc = "Whether the source sets it."},
    {.name = "filter",
     .type = CT_FIELD_TYPE_ENUM,
     AT(filter),
     .doc = "How the texture is sampled between texels.",
     .enum_names = filter_names},
    {.name = "wrap",
     .type = CT_FIELD_TYPE_ENUM,
     AT(wrap),
     .doc = "What a sample beyond the edges returns.",
     .enum_names = wrap_names},
    {.name = "generate_mips",
     .type = CT_FIELD_TYPE_BOOL,
     AT(generate_mips),
     .doc = "Whether mipmaps are generated. For `gui` only when this is set to true.",
     .default_value = {1}},
    {.name = "generate_mips",
     .type = CT_FIELD_TYPE_VALUE,
     AT(generate_mips_value),
     .doc = "Whether the source sets it."},
    {.name = "premultiply_alpha",
     .type = CT_FIELD_TYPE_BOOL,
     AT(premultiply_alpha),
     .doc = "Whether colours are multiplied by alpha, in linear space."},
    {.name = "max_size",
     .type = CT_FIELD_TYPE_VALUE,
     AT(max_size),
     .doc =
         "Largest size of a side in pixels: a number, or { default = …, <platform> = … }. Larger "
         "images are halved until they fit. Default: as settings.config sets for all textures."},
};

const ct_schema ct_texture_schema = {
    .name = "texture",
    .doc = "An image, an array of images, or six images as a cube map.",
    .size_bytes = sizeof(ct_texture_source),
    .num_fields = CT_COUNT_OF(fields),
    .fields = fields,
};

#define FACE(position, face, text)                                                                 \
    {                                                                                              \
        .name = (face), .type = CT_FIELD_TYPE_MEDIA,                                               \
        .offset = offsetof(ct_texture_cube_source, faces[(position)]),                             \
        .size_bytes = sizeof(const char *), .flags = CT_FIELD_REQUIRED, .doc = (text)              \
    }

static const ct_field cube_fields[] = {
    FACE(0, "right", "The view along +X."),  FACE(1, "left", "The view along -X."),
    FACE(2, "front", "The view along +Y."),  FACE(3, "back", "The view along -Y."),
    FACE(4, "up", "The view up, along +Z."), FACE(5, "down", "The view down, along -Z."),
};

const ct_schema ct_texture_cube_schema = {
    .name = "cube",
    .doc = "The faces of a cube map.",
    .size_bytes = sizeof(ct_texture_cube_source),
    .num_fields = CT_COUNT_OF(cube_fields),
    .fields = cube_fields,
};

bool ct_texture_quality_named(const char *name, uint32_t *quality) {
    for (uint32_t i = 0; quality_names[i]; ++i) {
        if (strcmp(quality_names[i], name) != 0)
            continue;
        *quality = i;
        return true;
    }
    return false;
}

uint64_t ct_texture_layer_bytes(uint32_t format, uint32_t width, uint32_t height) {
    // Bytes of a pixel or of a block.
    static const struct {
        uint8_t bytes, side;
    } units[CT_TEXTURE_FORMAT_COUNT] = {
        [CT_TEXTURE_FORMAT_RGBA8_SRGB] = {4, 1}, [CT_TEXTURE_FORMAT_RGBA8] = {4, 1},
        [CT_TEXTURE_FORMAT_R8] = {1, 1},         [CT_TEXTURE_FORMAT_RG8] = {2, 1},
        [CT_TEXTURE_FORMAT_BC1_SRGB] = {8, 4},   [CT_TEXTURE_FORMAT_BC1] = {8, 4},
        [CT_TEXTURE_FORMAT_BC3_SRGB] = {16, 4},  [CT_TEXTURE_FORMAT_BC3] = {16, 4},
        [CT_TEXTURE_FORMAT_BC4] = {8, 4},        [CT_TEXTURE_FORMAT_BC5] = {16, 4},
    };
    const uint32_t side = units[format].side;
    return (uint64_t)((width + side - 1) / side) * ((height + side - 1) / side) *
           units[format].bytes;
}

uint32_t ct_texture_half_size(uint32_t size) {
    return size > 1 ? size / 2 : 1;
}

uint32_t ct_texture_full_chain(uint32_t width, uint32_t height) {
    uint32_t count = 1;
    for (uint32_t size = width > height ? width : height; size > 1; size /= 2)
        ++count;
    return count;
}

// --- The blob ------------------------------------------------------------------------------------

const ct_blob_layout ct_texture_mip_layout =
    CT_BLOB_STRUCT(ct_texture_mip, CT_BLOB_NUMBERS(4, ct_texture_mip, width, height),
                   CT_BLOB_STREAMED(ct_texture_mip, pixels, ct_blob_pixels_layout));

const ct_blob_layout ct_texture_layout = CT_BLOB_ROOT(
    ct_texture_resource, "a texture", CT_BLOB_NUMBERS(4, ct_texture_resource, format, num_streamed),
    CT_BLOB_STRUCTS(ct_texture_resource, stream, ct_blob_stream_layout),
    CT_BLOB_ARRAY(ct_texture_resource, mips, ct_texture_mip_layout));

static bool check_layers(const ct_texture_resource *t, ct_error *error) {
    static const struct {
        uint32_t least, most;
    } layers[CT_TEXTURE_KIND_COUNT] = {
        [CT_TEXTURE_KIND_2D] = {1, 1},
        [CT_TEXTURE_KIND_ARRAY] = {1, CT_TEXTURE_MAX_LAYERS},
        [CT_TEXTURE_KIND_CUBE] = {CT_TEXTURE_CUBE_LAYERS, CT_TEXTURE_CUBE_LAYERS},
    };
    if (t->kind >= CT_TEXTURE_KIND_COUNT)
        return ct_error_set(error, "unknown texture kind %u", t->kind);
    if (t->num_layers < layers[t->kind].least || t->num_layers > layers[t->kind].most)
        return ct_error_set(error, "found %u layers, expected %u to %u", t->num_layers,
                            layers[t->kind].least, layers[t->kind].most);
    return t->kind != CT_TEXTURE_KIND_CUBE || t->width == t->height ||
           ct_error_set(error, "found cube faces of %u x %u pixels, expected squares", t->width,
                        t->height);
}

static bool check_stream(const ct_texture_resource *t, ct_error *error) {
    if (t->num_streamed >= t->mips.count || (t->num_streamed == 0) != (t->stream.bytes == 0))
        return ct_error_set(error, "found %u of %u mips in a stream of %u bytes", t->num_streamed,
                            t->mips.count, t->stream.bytes);
    return true;
}

static bool check_mips(const ct_texture_resource *t, ct_error *error) {
    const ct_texture_mip *const mips = ct_blob_at(t, t->mips.offset);
    uint32_t width = t->width, height = t->height;
    for (uint32_t i = 0; i < t->mips.count; ++i) {
        const ct_texture_mip *const mip = &mips[i];
        const uint64_t bytes = ct_texture_layer_bytes(t->format, width, height) * t->num_layers;
        const bool is_streamed = mip->pixels.offset >= t->header.size_bytes;
        if (mip->width != width || mip->height != height)
            return ct_error_set(error, "mips[%u]: found %u x %u, expected %u x %u", i, mip->width,
                                mip->height, width, height);
        if (mip->pixels.count != bytes)
            return ct_error_set(error, "mips[%u]: found %u bytes of pixels, expected %llu", i,
                                mip->pixels.count, (unsigned long long)bytes);
        if (is_streamed != (i < t->num_streamed))
            return ct_error_set(error, "mips[%u]: found %u bytes at offset %u, expected %s", i,
                                mip->pixels.count, mip->pixels.offset,
                                is_streamed ? "the pixels in the blob"
                                            : "the pixels in the stream");
        width = ct_texture_half_size(width);
        height = ct_texture_half_size(height);
    }
    return true;
}

bool ct_texture_validate(const void *blob, ct_error *error) {
    const ct_texture_resource *const t = blob;
    if (!ct_blob_check_layout(&ct_texture_layout, t, error))
        return false;
    if (t->format == CT_TEXTURE_FORMAT_NONE || t->format >= CT_TEXTURE_FORMAT_COUNT)
        return ct_error_set(error, "unknown pixel format %u", t->format);
    if (t->filter > CT_TEXTURE_FILTER_NEAREST || t->wrap > CT_TEXTURE_WRAP_CLAMP)
        return ct_error_set(error, "unknown filter %u or wrap %u", t->filter, t->wrap);
    if (t->width == 0 || t->height == 0 || t->width > CT_TEXTURE_MAX_SIZE ||
        t->height > CT_TEXTURE_MAX_SIZE)
        return ct_error_set(error, "found %u x %u pixels, expected 1 to %u each", t->width,
                            t->height, CT_TEXTURE_MAX_SIZE);
    if (!check_layers(t, error))
        return false;
    const uint32_t full_chain = ct_texture_full_chain(t->width, t->height);
    if (t->mips.count != 1 && t->mips.count != full_chain)
        return ct_error_set(error, "found %u mips, expected 1 or %u", t->mips.count, full_chain);
    return check_stream(t, error) && check_mips(t, error);
}

const ct_blob_stream *ct_texture_stream(const void *blob) {
    return &((const ct_texture_resource *)blob)->stream;
}
