// render_context.h: the state that all parts of the render thread share: the device, the command
// buffer of the frame being recorded, the retire queue, samplers and descriptor sets.
//
// Descriptor sets come from pools. A pool is added when all are full and is kept to the end; a set
// goes back to its pool through the retire queue. Render thread.
#pragma once
#include "foundation/container/array.h"
#include "render/device/render_retire.h"
#include "resource/types/render_config_resource.h"

enum {
    CT_RENDER_FRAMES_IN_FLIGHT = 2,
    CT_RENDER_SET_FRAME = 0,    // view, instances, lights, shadow map, pictures of the frame
    CT_RENDER_SET_MATERIAL = 1, // block and textures
    CT_RENDER_SET_INPUTS = 2,   // of a pass or compute step, and the outputs of the latter
};

// The shader stages that see the sets of frame and material.
#define CT_RENDER_ALL_STAGES                                                                       \
    (VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT | VK_SHADER_STAGE_COMPUTE_BIT)

typedef enum ct_render_sampler {
    CT_RENDER_SAMPLER_LINEAR_REPEAT, // trilinear, anisotropic
    CT_RENDER_SAMPLER_LINEAR_CLAMP,
    CT_RENDER_SAMPLER_NEAREST_REPEAT,
    CT_RENDER_SAMPLER_NEAREST_CLAMP,
    CT_RENDER_SAMPLER_LINEAR_INPUT, // of passes: clamped; anisotropy would blur
    CT_RENDER_SAMPLER_SHADOW,       // of shadow maps: compares, and filters the results
    CT_RENDER_SAMPLER_COUNT,
} ct_render_sampler;

// A descriptor set and the pool that it came from. Zeroed: no set.
typedef struct ct_render_set {
    VkDescriptorPool pool;
    VkDescriptorSet handle;
} ct_render_set;

// The pictures that a frame gives to all shaders, and their bindings in set 0.
typedef enum ct_render_frame_picture {
    CT_RENDER_FRAME_PICTURE_SKY_MAP,
    CT_RENDER_FRAME_PICTURE_SCENE_COLOR,
    CT_RENDER_FRAME_PICTURE_SCENE_DEPTH,
    CT_RENDER_FRAME_PICTURES, // how many there are
} ct_render_frame_picture;

enum { CT_RENDER_FIRST_PICTURE_BINDING = 6 };

typedef struct ct_render_context {
    ct_render_device *device;
    ct_allocator *allocator;
    ct_render_retire retire;
    VkCommandBuffer commands; // of the frame being recorded
    uint64_t frame;           // being recorded
    uint64_t version; // rises when something changes that materials and their sets are made from
    VkSampler samplers[CT_RENDER_SAMPLER_COUNT];
    CT_ARRAY(VkDescriptorPool) pools;
    VkDescriptorSetLayout frame_layout; // set 0
    VkDescriptorSetLayout empty_layout;
    VkDescriptorSetLayout inputs_layout;  // set 2 of fullscreen passes
    VkDescriptorSetLayout compute_layout; // set 2 of compute steps: inputs, then outputs
} ct_render_context;

// Makes samplers and layouts on `d`, which must outlive the context. Memory comes from the device's
// allocator.
void ct_render_context_init(ct_render_context *c, ct_render_device *d);

// Destroys everything. The device must be idle, and everything that was made on it retired or
// destroyed.
void ct_render_context_shutdown(ct_render_context *c);

// Destroys everything that this part made on the device, and everything retired, before the device
// ends. Each part of the render thread has such a function. A part with state that is not sent
// again also has a restore function, which recreates it on the next device. Does nothing when there
// is no device.
void ct_render_context_drop(ct_render_context *c);

// Makes samplers and layouts on the next device, after a drop, and raises `version`.
void ct_render_context_restore(ct_render_context *c);

// Makes a layout of these bindings. The caller retires or destroys it.
VkDescriptorSetLayout ct_render_set_layout_create(ct_render_context *c,
                                                  const VkDescriptorSetLayoutBinding *bindings,
                                                  uint32_t count);

// Allocates a set of this layout. Its bindings are undefined until they are written.
ct_render_set ct_render_set_create(ct_render_context *c, VkDescriptorSetLayout layout);

// Gives a set to the retire queue and zeroes it; a zeroed one is fine.
void ct_render_set_retire(ct_render_context *c, ct_render_set *set);

// Writes a buffer's first `range` bytes to a binding of a set that the device does not use yet.
void ct_render_set_write_buffer(ct_render_context *c, const ct_render_set *set, uint32_t binding,
                                VkDescriptorType type, VkBuffer buffer, uint64_t range);

// Writes a view with a sampler to a binding of a set that the device does not use yet. `layout` is
// the layout of the image when it is read.
void ct_render_set_write_texture(ct_render_context *c, const ct_render_set *set, uint32_t binding,
                                 VkImageView view, ct_render_sampler sampler, VkImageLayout layout);

// Writes the view of a storage image to a binding of a set that the device does not use yet. The
// image must be in VK_IMAGE_LAYOUT_GENERAL when a shader uses it.
void ct_render_set_write_storage(ct_render_context *c, const ct_render_set *set, uint32_t binding,
                                 VkImageView view);

// Records a copy of `size_bytes` to `target` at `offset` through a staging buffer that retires with
// the frame. Returns the staging memory, for the caller to fill before the frame is submitted.
// Barriers are up to the caller.
void *ct_render_upload_buffer(ct_render_context *c, const ct_render_buffer *target, uint64_t offset,
                              uint64_t size_bytes);
