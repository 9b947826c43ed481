// render_textures.h: textures on the device, by index.
//
// A name gets an index when it is first mentioned and keeps it for the renderer's life, whether the
// texture is online or not, so users keep indices. Index 0 is invalid. A white pixel, one for each
// kind, is bound in place of a texture that is not online or is of another kind. A texture without
// its upper mips is drawn with the mips it has, and its upper mips are wanted from its first use
// on. Render thread.
#pragma once
#include "foundation/container/hash_map.h"
#include "render/device/render_context.h"
#include "resource/types/texture_resource.h"

typedef struct ct_render_texture {
    ct_render_image image; // zeroed while the texture is not online
    ct_texture_kind kind;
    ct_render_sampler sampler;
    ct_string_id64 name;
    bool is_partial;  // without its upper mips
    bool is_wanted;   // the upper mips were asked for since the texture was set
    bool is_reserved; // its image belongs to a part of the renderer
} ct_render_texture;

typedef struct ct_render_textures {
    ct_render_context *context;
    ct_hash_map index_of_name;
    CT_ARRAY(ct_render_texture) items;
    ct_render_texture white[CT_TEXTURE_KIND_COUNT];
    ct_u64_array wanted; // names of textures whose upper mips are wanted
} ct_render_textures;

// Makes an empty table. It borrows the context, which must outlive it.
void ct_render_textures_init(ct_render_textures *t, ct_render_context *c);

// Uploads the white pixels with the commands of the first frame on a device; does nothing in later
// frames.
void ct_render_textures_begin_frame(ct_render_textures *t);

// Retires all images and frees the table.
void ct_render_textures_shutdown(ct_render_textures *t);

// Retires all images. Names keep their indices; on the next device each texture must be set again.
void ct_render_textures_drop(ct_render_textures *t);

// Returns the index of this name, and issues one when the name is new; 0 for the name 0.
uint32_t ct_render_textures_index(ct_render_textures *t, ct_string_id64 name);

// Uploads the texture in place of the one before, or takes it offline (blob NULL). `stream` holds
// its upper mips; NULL uploads only the others. Records the upload to the frame's command buffer;
// neither is kept.
void ct_render_textures_set(ct_render_textures *t, ct_string_id64 name,
                            const ct_texture_resource *blob, const void *stream);

// Returns the index of this name, whose image is from now on set by ct_render_textures_set_image
// alone: what ct_render_textures_set gets for it is not used.
uint32_t ct_render_textures_reserve(ct_render_textures *t, ct_string_id64 name);

// Sets the image of a reserved texture, an array that shaders filter and clamp, and raises the
// context's version; NULL: it has none. The image is borrowed until it is set again.
void ct_render_textures_set_image(ct_render_textures *t, uint32_t index,
                                  const ct_render_image *image);

// Marks a texture as used: when its upper mips are missing, adds its name to `wanted`, once.
void ct_render_textures_use(ct_render_textures *t, uint32_t index);

// Returns true when the texture is online.
bool ct_render_textures_is_online(const ct_render_textures *t, uint32_t index);

// Returns the texture to bind for this index where a shader reads a texture of `kind`: the texture,
// or a white pixel. Borrowed until the table changes.
const ct_render_texture *ct_render_textures_get(const ct_render_textures *t, uint32_t index,
                                                ct_texture_kind kind);
