// render_shaders.h: shaders by index, and the pipelines made of them.
//
// As with textures, a name gets an index for the renderer's life; index 0 is invalid. A shader
// keeps a copy of its blob. A pipeline is known by (shader, options, signature, form of vertices);
// it is asked for ahead of its first use and made by render_pipeline_maker.h, or made when it is
// first drawn with. A failure is remembered and reported once. A reloaded shader takes the place of
// the old one when all pipelines of the old one are made from it, and only if they can be. Render
// thread.
#pragma once
#include "foundation/container/hash_map.h"
#include "render/object/render_pipeline_maker.h"

typedef struct ct_render_pipeline {
    VkPipeline handle; // VK_NULL_HANDLE: it cannot be made, or is not made yet
    uint32_t shader, options, signature, vertices;
    bool is_awaited; // it was asked for and is not made yet
} ct_render_pipeline;

// A shader that is to take the place of one when its pipelines are made.
typedef struct ct_render_next_shader {
    uint32_t shader; // index; 0: this place is free
    ct_render_shader item;
    ct_render_pipeline_jobs made; // its pipelines so far
    uint32_t num_awaited;
} ct_render_next_shader;

typedef struct ct_render_shaders {
    ct_render_context *context;
    ct_renderer_pipelines mode;
    char cache_folder[CT_PATH_BYTES]; // of the pipeline cache; empty: it has no file
    ct_render_pipeline_maker maker;
    uint64_t version;  // rises when shaders come, change or go
    uint32_t num_late; // pipelines that draws had to wait for, until the owner resets it
    ct_hash_map index_of_name;
    CT_ARRAY(ct_render_shader) items;
    ct_hash_map index_of_pipeline; // position + 1 by shader, options, signature, vertices
    CT_ARRAY(ct_render_pipeline) pipelines;
    uint32_t num_awaited; // of them
    CT_ARRAY(ct_render_next_shader) nexts;
    ct_render_pipeline_jobs taken; // scratch
    CT_ARRAY(ct_render_signature) signatures;
} ct_render_shaders;

// Makes an empty table on the context's device. It borrows the context, which must outlive it, and
// must not move. `mode` is not CT_RENDERER_PIPELINES_DEFAULT; `cache_folder` (may be NULL) is
// copied.
void ct_render_shaders_init(ct_render_shaders *s, ct_render_context *c, ct_renderer_pipelines mode,
                            const char *cache_folder);

// Retires all layouts and pipelines and frees the table with its copies of blobs.
void ct_render_shaders_shutdown(ct_render_shaders *s);

// Takes layouts, pipelines and the pipeline cache from the device. Blobs stay.
void ct_render_shaders_drop(ct_render_shaders *s);

// Makes the pipeline cache and the layouts of all online shaders on the next device, after a drop.
// Pipelines are made when they are asked for or drawn with.
void ct_render_shaders_restore(ct_render_shaders *s);

// Returns the index of this name, and issues one when the name is new; 0 for the name 0.
uint32_t ct_render_shaders_index(ct_render_shaders *s, ct_string_id64 name);

// Brings the shader online in place of the one before, or takes it offline (blob NULL). The blob is
// copied. With CT_RENDERER_PIPELINES_AHEAD, one that was online stays until the pipelines of the new
// one are made.
void ct_render_shaders_set(ct_render_shaders *s, ct_string_id64 name,
                           const ct_shader_resource *blob);

// Returns the index of a signature, which is added when it is new.
uint32_t ct_render_shaders_signature(ct_render_shaders *s, const ct_render_signature *signature);

// Asks for a pipeline that will be drawn with, without waiting. Does nothing when it is known, or
// when the shader is not online or has no such variant.
void ct_render_shaders_ask(ct_render_shaders *s, uint32_t shader, uint32_t options,
                           uint32_t signature, uint32_t vertices);

// Waits until everything that was asked for is made.
void ct_render_shaders_wait(ct_render_shaders *s);

// Takes the pipelines that were made since the last call, and lets shaders whose pipelines are made
// take the place of the old ones. Call it before each frame.
void ct_render_shaders_collect(ct_render_shaders *s);

// Returns the pipeline, which is made now when it is not; VK_NULL_HANDLE when the shader is not
// online or its pipeline cannot be made. `vertices` is made by CT_RENDER_VERTICES, or 0 when no mesh
// is drawn. Making a pipeline takes milliseconds.
VkPipeline ct_render_shaders_pipeline(ct_render_shaders *s, uint32_t shader, uint32_t options,
                                      uint32_t signature, uint32_t vertices);

// Returns true when the pipeline was asked for and is not made yet.
bool ct_render_shaders_is_awaited(const ct_render_shaders *s, uint32_t shader, uint32_t options,
                                  uint32_t signature, uint32_t vertices);
