// worker_texture_source.h: what a texture's source asks for, and its images.
#pragma once
#include "compiler/protocol/compile.h"
#include "compiler/types/texture/worker_image.h"
#include "resource/types/texture_resource.h"

typedef struct ct_worker_texture_source {
    ct_texture_source fields;
    ct_texture_kind kind;
    bool is_srgb;      // by color_space, or else the category
    bool has_mips;     // by generate_mips, or else the category
    uint32_t quality;  // ct_texture_quality: the source's, else the settings'
    uint32_t max_size; // for the source platform: the source's, else the settings'; there is one
    const char *paths[CT_TEXTURE_MAX_LAYERS]; // of the layers, in their order
    ct_sjson_value at[CT_TEXTURE_MAX_LAYERS]; // the value of each in the source
    uint32_t num_layers;
} ct_worker_texture_source;

// Reads the job's source. False after reporting what is wrong.
bool ct_worker_texture_source_read(ct_compile *c, ct_worker_texture_source *source);

// Reads and decodes the images, one for each layer, those of a cube turned as its layers are. All
// are of one size. `images` has room for source->num_layers; their pixels are from the job's
// allocator. False after reporting what is wrong.
bool ct_worker_texture_source_load(ct_compile *c, const ct_worker_texture_source *source,
                                   ct_worker_image *images);
