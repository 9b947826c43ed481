// render_materials.h: materials by index: a shader's variant with values and textures.
//
// As with textures, a name gets an index for the renderer's life; index 0 is invalid. A material
// keeps a copy of its blob. It is bound to its shader's layout when it is first used after a change
// (the context's version), so shaders, textures and materials may come, change and go in any order.
// Its block is copied to the frame's uniform memory once for each frame that uses it; its
// descriptor set holds only textures, beside that buffer. Values set at run time are kept until the
// material is reloaded. Render thread.
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
    ct_string_id64 shader_name; // of the shader that it is bound to
    bool is_shader_default;     // no blob: its shader's defaults
    CT_ARRAY(ct_render_override) overrides;
    uint32_t told_slots; // bits of the textures that were already reported not to fit
    // Bound to the shader's layout:
    uint64_t bound_version; // the context's version then; 0: never
    bool is_usable;
    uint32_t shader, options;
    uint8_t *block; // owned
    uint32_t block_bytes;
    ct_render_set set; // zeroed when the shader has neither block nor textures
    // This frame's:
    uint64_t uploaded_frame;
    VkBuffer uploaded_buffer;
    uint32_t block_offset;
} ct_render_material;

// All materials that are loaded, by name. Render thread.
typedef struct ct_render_materials {
    ct_render_context *context;
    ct_render_frames *frames;
    ct_render_shaders *shaders;
    ct_render_textures *textures;
    uint64_t version; // rises when materials come, change or go
    ct_hash_map index_of_name;
    ct_hash_map default_of_shader;
    CT_ARRAY(ct_render_material) items;
} ct_render_materials;

// Makes an empty table. It borrows the context, frames, shaders and textures, which must outlive
// it.
void ct_render_materials_init(ct_render_materials *m, ct_render_context *c, ct_render_frames *f,
                              ct_render_shaders *s, ct_render_textures *t);

// Retires all descriptor sets and frees the table.
void ct_render_materials_shutdown(ct_render_materials *m);

// Retires all descriptor sets. Blobs and the values set at run time stay.
void ct_render_materials_drop(ct_render_materials *m);

// Returns the index of this name, and issues one when the name is new; 0 for the name 0.
uint32_t ct_render_materials_index(ct_render_materials *m, ct_string_id64 name);

// Returns the index of the material that holds a shader's defaults, which is issued now when it is
// new; 0 for the name 0.
uint32_t ct_render_materials_default(ct_render_materials *m, ct_string_id64 shader);

// Brings the material online in place of the one before, and drops the values set at run time; or
// takes it offline (blob NULL). The blob is copied.
void ct_render_materials_set(ct_render_materials *m, ct_string_id64 name,
                             const ct_material_resource *blob);

// Sets a value of the material until it is reloaded. The value is copied.
void ct_render_materials_override(ct_render_materials *m, ct_string_id64 name,
                                  const ct_render_override *value);

// Returns true when the material is online, or holds a shader's defaults.
bool ct_render_materials_is_online(const ct_render_materials *m, uint32_t index);

// Gives the shader of a material, and the variant of it that the material chooses; does not bind
// it. Returns the shader's blob, borrowed until shaders change; NULL when one of the two is not
// online.
const ct_shader_resource *ct_render_materials_variant(ct_render_materials *m, uint32_t index,
                                                      uint32_t *shader, uint32_t *options);

// Returns the material bound to its shader as both are now; NULL when it is not online, or cannot
// be bound because its shader is not online. Borrowed until the table changes.
const ct_render_material *ct_render_materials_bound(ct_render_materials *m, uint32_t index);

// Does the same as ct_render_materials_bound, and copies the material's block to this frame's
// memory, once a frame: the result can be bound for drawing.
const ct_render_material *ct_render_materials_ready(ct_render_materials *m, uint32_t index);
