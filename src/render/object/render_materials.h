// render_materials.h: materials by index: a shader's variant with values and textures.
//
// As with textures, an index is issued for a name for the renderer's life; index 0 is none. A
// material keeps a copy of its blob, and is bound to its shader's layout when first used after
// something changed (the context's version): so shaders, textures and materials may come, change
// and go in any order. Its block is copied to the frame's uniform memory once for each frame that
// uses it; its descriptor set holds textures only, beside that buffer. Values set at run time are
// remembered until the material is reloaded. Render thread.
#pragma once
#include "render/object/render_shaders.h"
#include "render/object/render_textures.h"
#include "render/render_frame.h"
#include "resource/types/material_resource.h"

// A value set at run time.
typedef struct ct_render_override {
    ct_string_id32 name;
    uint32_t num_values; // 0: a texture
    float values[CT_SHADER_MAX_FLOATS];
    ct_string_id64 texture;
} ct_render_override;

typedef struct ct_render_material {
    ct_material_resource *blob; // a copy; NULL while it is not online
    ct_string_id64 shader_name; // of what it is bound to
    bool is_shader_default;     // no blob: its shader's defaults
    CT_ARRAY(ct_render_override) overrides;
    uint32_t told_slots; // bits of the textures of which it was said that they do not fit
    // Bound to the shader's layout:
    uint64_t bound_version; // the context's version then; 0: never
    bool is_usable;
    uint32_t shader, options;
    uint8_t *block; // owned
    uint32_t block_bytes;
    ct_render_set set; // none when the shader has neither block nor textures
    // This frame's:
    uint64_t uploaded_frame;
    VkBuffer uploaded_buffer;
    uint32_t block_offset;
} ct_render_material;

typedef struct ct_render_materials {
    ct_render_context *context;
    ct_render_frames *frames;
    ct_render_shaders *shaders;
    ct_render_textures *textures;
    ct_hash_map index_of_name;
    ct_hash_map default_of_shader;
    CT_ARRAY(ct_render_material) items;
} ct_render_materials;

void ct_render_materials_init(ct_render_materials *m, ct_render_context *c, ct_render_frames *f,
                              ct_render_shaders *s, ct_render_textures *t);
void ct_render_materials_shutdown(ct_render_materials *m);

// Gives back all descriptor sets; what materials are and the values set at run time stay.
void ct_render_materials_drop(ct_render_materials *m);

// The index of this name; 0 for none.
uint32_t ct_render_materials_index(ct_render_materials *m, ct_string_id64 name);

// The index of the material that holds a shader's defaults; 0 for none.
uint32_t ct_render_materials_default(ct_render_materials *m, ct_string_id64 shader);

// Brings the material online in place of what it was, or takes it offline (blob NULL).
void ct_render_materials_set(ct_render_materials *m, ct_string_id64 name,
                             const ct_material_resource *blob);

// Remembers a value.
void ct_render_materials_override(ct_render_materials *m, ct_string_id64 name,
                                  const ct_render_override *value);

// True when the material is online, or is a shader's defaults.
bool ct_render_materials_is_online(const ct_render_materials *m, uint32_t index);

// The material bound to its shader as both are now; NULL when it is not online, or cannot be
// bound (its shader is not online).
const ct_render_material *ct_render_materials_bound(ct_render_materials *m, uint32_t index);

// As above, with its block in this frame's memory: what is bound for drawing.
const ct_render_material *ct_render_materials_ready(ct_render_materials *m, uint32_t index);
