// texture_resource.h: the blob of a texture: images of one size with their mip chains.
//
// A 2D texture has one layer, an array one for each of its sources, a cube six. The table of mips
// starts at full size. Their pixels are in the opposite order in the blob, the smallest mip first,
// each at a multiple of 16, after everything else. So the upper mips are one piece at the end; for
// large textures that piece is the stream, beside the blob. Within a mip the layers follow each
// other without gaps.
//
// Pixels are bytes on every platform. Compressed formats are those of Vulkan and Direct3D: blocks
// of 4 x 4 pixels, row by row. A side that is not a multiple of 4 ends in a block that repeats the
// last pixel.
//
// The layers of a cube, in Vulkan's order: +X (right), -X (left), +Y (front), -Y (back), +Z (up),
// -Z (down). They are rotated so that a shader can read the cube with a direction in engine space.
#pragma once
#include "resource/types/resource_types.h"

enum {
    CT_TEXTURE_VERSION = 3,
    CT_TEXTURE_MAX_MIPS = 15,
    CT_TEXTURE_MAX_SIZE = 16384,
    CT_TEXTURE_MAX_LAYERS = 256, // supported by every device
    CT_TEXTURE_CUBE_LAYERS = 6,
};

// All formats but _SRGB are linear. Missing channels read as 0, missing alpha as 1.
typedef enum ct_texture_format {
    CT_TEXTURE_FORMAT_NONE,
    CT_TEXTURE_FORMAT_RGBA8_SRGB,
    CT_TEXTURE_FORMAT_RGBA8,
    CT_TEXTURE_FORMAT_R8,
    CT_TEXTURE_FORMAT_RG8,
    CT_TEXTURE_FORMAT_BC1_SRGB, // red, green, blue
    CT_TEXTURE_FORMAT_BC1,
    CT_TEXTURE_FORMAT_BC3_SRGB, // and alpha
    CT_TEXTURE_FORMAT_BC3,
    CT_TEXTURE_FORMAT_BC4, // red
    CT_TEXTURE_FORMAT_BC5, // red, green
    CT_TEXTURE_FORMAT_COUNT,
} ct_texture_format;

// The sampler that a shader uses.
typedef enum ct_texture_kind {
    CT_TEXTURE_KIND_2D,    // sampler2D
    CT_TEXTURE_KIND_ARRAY, // sampler2DArray
    CT_TEXTURE_KIND_CUBE,  // samplerCube
    CT_TEXTURE_KIND_COUNT,
} ct_texture_kind;

typedef enum ct_texture_filter {
    CT_TEXTURE_FILTER_LINEAR, // trilinear, anisotropic
    CT_TEXTURE_FILTER_NEAREST,
} ct_texture_filter;

// The samples beyond a texture's edges.
typedef enum ct_texture_wrap {
    CT_TEXTURE_WRAP_REPEAT,
    CT_TEXTURE_WRAP_CLAMP,
} ct_texture_wrap;

typedef struct ct_texture_mip {
    uint32_t width, height;
    ct_blob_array pixels; // bytes of all layers, rows from top to bottom without padding
} ct_texture_mip;

typedef struct ct_texture_resource {
    ct_blob_header header;
    uint32_t format; // ct_texture_format
    uint32_t filter; // ct_texture_filter
    uint32_t wrap;   // ct_texture_wrap
    uint32_t kind;   // ct_texture_kind
    uint32_t width, height;
    uint32_t num_layers;
    uint32_t num_streamed; // mips from full size on that are in the stream; the last never is
    ct_blob_stream stream; // of these mips
    ct_blob_array mips;    // ct_texture_mip, from full size: one, or all down to 1 x 1
} ct_texture_resource;

// The contents of the image; decides how it is averaged and which format it gets.
typedef enum ct_texture_category {
    CT_TEXTURE_CATEGORY_COLOR,  // sRGB: BC1, or BC3 with alpha
    CT_TEXTURE_CATEGORY_NORMAL, // tangent space normals: BC5, x and y
    CT_TEXTURE_CATEGORY_MASK,   // one linear channel: BC4
    CT_TEXTURE_CATEGORY_DATA,   // linear channels: BC1, or BC3 with alpha
    CT_TEXTURE_CATEGORY_GUI,    // sRGB, never compressed
} ct_texture_category;

// How pixels are compressed: quickly, as well as possible, or not at all.
typedef enum ct_texture_quality {
    CT_TEXTURE_QUALITY_FAST,
    CT_TEXTURE_QUALITY_BEST,
    CT_TEXTURE_QUALITY_UNCOMPRESSED,
} ct_texture_quality;

// The fields that the schema reads from a source. Exactly one of `source`, `sources` and `cube` is
// given.
typedef struct ct_texture_source {
    const char *source;     // media: .png, .jpg, .tga
    ct_sjson_value sources; // array of media paths like `source`
    ct_sjson_value cube;    // object of ct_texture_cube_schema
    uint32_t category;      // ct_texture_category
    uint32_t quality;       // ct_texture_quality
    ct_sjson_value quality_value;
    uint32_t color_space; // 0 srgb, 1 linear
    ct_sjson_value color_space_value;
    uint32_t filter; // ct_texture_filter
    uint32_t wrap;   // ct_texture_wrap
    uint32_t generate_mips;
    ct_sjson_value generate_mips_value;
    uint32_t premultiply_alpha;
    ct_sjson_value max_size; // a number, or object: source platform or "default" = number
} ct_texture_source;

// The faces of a cube in a source; media. Each is upright and seen from inside; `up` and `down` are
// the views when looking to the front and then up or down.
typedef struct ct_texture_cube_source {
    const char *faces[CT_TEXTURE_CUBE_LAYERS]; // in the order of layers
} ct_texture_cube_source;

extern const ct_schema ct_texture_schema;
extern const ct_schema ct_texture_cube_schema;

// Sets `quality` (ct_texture_quality) to the one of this name ("fast"). Returns false when it is
// unknown.
bool ct_texture_quality_named(const char *name, uint32_t *quality);

// Returns the bytes of one layer of a mip of `width` x `height` pixels (1 to CT_TEXTURE_MAX_SIZE
// each). `format` is one of ct_texture_format.
uint64_t ct_texture_layer_bytes(uint32_t format, uint32_t width, uint32_t height);

// Returns the number of mips from `width` x `height` down to 1 x 1.
uint32_t ct_texture_full_chain(uint32_t width, uint32_t height);

// Returns the size of the mip below one of `size` pixels.
uint32_t ct_texture_half_size(uint32_t size);

// Returns the blob's description of its stream, for ct_resource_type.
const ct_blob_stream *ct_texture_stream(const void *blob);

extern const ct_blob_layout ct_texture_layout, ct_texture_mip_layout;

// Validates a blob of this type after its header was checked: every offset is inside the blob, and
// values are in range. Returns false with `error`, which names the invalid member. libc only.
bool ct_texture_validate(const void *blob, ct_error *error);
