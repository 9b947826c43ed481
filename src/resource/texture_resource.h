// texture_resource.h: the blob of a texture: one 2D image with its whole mip chain.
#pragma once
#include "resource/resource_types.h"

enum { CT_TEXTURE_VERSION = 1, CT_TEXTURE_MAX_MIPS = 15, CT_TEXTURE_MAX_SIZE = 16384 };

typedef enum ct_texture_format {
    CT_TEXTURE_FORMAT_NONE,
    CT_TEXTURE_FORMAT_RGBA8_SRGB,
    CT_TEXTURE_FORMAT_RGBA8,
} ct_texture_format;

typedef enum ct_texture_filter {
    CT_TEXTURE_FILTER_LINEAR, // trilinear, anisotropic
    CT_TEXTURE_FILTER_NEAREST,
} ct_texture_filter;

typedef enum ct_texture_wrap {
    CT_TEXTURE_WRAP_REPEAT,
    CT_TEXTURE_WRAP_CLAMP,
} ct_texture_wrap;

typedef struct ct_texture_mip {
    uint32_t width, height;
    ct_blob_array pixels; // bytes, rows from top to bottom without padding, aligned to 16
} ct_texture_mip;

typedef struct ct_texture_resource {
    ct_blob_header header;
    uint32_t format; // ct_texture_format
    uint32_t filter; // ct_texture_filter
    uint32_t wrap;   // ct_texture_wrap
    uint32_t width, height;
    uint32_t padding;
    ct_blob_array mips; // ct_texture_mip, from full size down to 1 x 1
} ct_texture_resource;

// What the schema reads from a source.
typedef struct ct_texture_source {
    const char *source;   // media: .png, .jpg, .tga
    uint32_t color_space; // 0 srgb, 1 linear
    uint32_t filter;      // ct_texture_filter
    uint32_t wrap;        // ct_texture_wrap
    uint32_t generate_mips;
} ct_texture_source;

extern const ct_schema ct_texture_schema;
bool ct_texture_validate(const void *blob, ct_error *error);
