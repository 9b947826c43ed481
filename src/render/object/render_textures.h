// render_textures.h: textures on the device, by index.
//
// An index is issued for a name when it is first spoken of and stays for the renderer's life,
// whether the texture is online or not: users keep indices. Index 0 is none. A white pixel, one for
// each kind, stands in for what is not online or of another kind. A texture whose upper mips are
// not there is drawn with what it has, and wanted from its first use on. Render thread.
#pragma once
#include "foundation/container/hash_map.h"
#include "render/device/render_context.h"
#include "resource/types/texture_resource.h"

typedef struct ct_render_texture {
    ct_render_image image; // none while it is not online
    ct_texture_kind kind;
    ct_render_sampler sampler;
    ct_string_id64 name;
    bool is_partial; // without its upper mips
    bool is_wanted;  // these, since it was set
} ct_render_texture;

typedef struct ct_render_textures {
    ct_render_context *context;
    ct_hash_map index_of_name;
    CT_ARRAY(ct_render_texture) items;
    ct_render_texture white[CT_TEXTURE_KIND_COUNT];
    ct_u64_array wanted; // names of textures whose upper mips are
} ct_render_textures;

void ct_render_textures_init(ct_render_textures *t, ct_render_context *c);

// Uploads the white pixels with the first frame's commands; nothing later.
void ct_render_textures_begin_frame(ct_render_textures *t);
void ct_render_textures_shutdown(ct_render_textures *t);

// Takes all textures from the device: each is to be set anew.
void ct_render_textures_drop(ct_render_textures *t);

// The index of this name; 0 for none.
uint32_t ct_render_textures_index(ct_render_textures *t, ct_string_id64 name);

// Uploads the texture in place of what it was, or takes it offline (blob NULL). `stream` holds its
// upper mips; NULL: only the others are there.
void ct_render_textures_set(ct_render_textures *t, ct_string_id64 name,
                            const ct_texture_resource *blob, const void *stream);

// Notes that a texture is drawn with.
void ct_render_textures_use(ct_render_textures *t, uint32_t index);

// True when it is online.
bool ct_render_textures_is_online(const ct_render_textures *t, uint32_t index);

// What to bind for this index where a shader reads a texture of `kind`.
const ct_render_texture *ct_render_textures_get(const ct_render_textures *t, uint32_t index,
                                                ct_texture_kind kind);
