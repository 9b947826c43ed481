// render_frame.h: frames in flight: command buffers, the timeline, and memory that lives for one
// frame.
//
// Two slots take turns. A slot's instance and line buffers are written by the processor and read
// by the device in place; uniform blocks of both slots lie in one buffer, so that a material's
// descriptor set holds for every frame and only offsets differ. Buffers that are too small are
// replaced by larger ones and kept: nothing is allocated once warm. Render thread, except where
// noted.
#pragma once
#include <stdatomic.h>

#include "render/device/render_timing.h"

enum { CT_RENDER_MAX_DIRECTIONAL_LIGHTS = 4, CT_RENDER_MAX_LOCAL_LIGHTS = 64 };

// Set 0, binding 0, std140; core/shaders/include/frame.glsl says the same.
typedef struct ct_render_view_block {
    float view_projection[16];
    float inverse_view_projection[16];
    float camera_pose[16];
    float camera_position[4];
    float rectangle[4]; // x, y, width, height of the viewport, in fractions of the target
    float size[4];      // of the back buffer: width, height in pixels, and their inverses
    float time[4];      // seconds of the world
    float sky[4];       // light from above, everywhere; linear
    float ground[4];    // and from below
} ct_render_view_block;

// Set 0, binding 1, std430: the first three rows of the world matrix, and where the values of
// instanced parameters stand, counted in vectors of four floats from the start of the buffer (which
// is binding 4, too).
typedef struct ct_render_instance {
    float rows[3][4];
    uint32_t values, padding[3];
} ct_render_instance;

typedef struct ct_render_directional_light {
    float direction[4]; // in which it shines; 1: it is used
    float color[4];     // linear, times intensity
} ct_render_directional_light;

// A point light, or a spot light. What a direction gets of it is the square of
// clamp(dot(direction, cone.xyz) + cone.w, 0, 1), so a point light's cone is 0 0 0 1.
typedef struct ct_render_local_light {
    float position_reach[4]; // metres
    float color_start[4];    // linear, times intensity; where its falloff starts, in metres
    float cone[4];
} ct_render_local_light;

// A cascade of the shadow map.
typedef struct ct_render_shadow_cascade {
    float to_map[16];   // world to the map: x, y from 0 to 1 over all of it, and depth
    float rectangle[4]; // the least and the greatest x, y that the filter may be centred on
    // Where the cascade begins to blend into the next and where it ends, metres in front of the
    // camera (0: not used); metres of a texel; the light's bias, as depth.
    float range[4];
} ct_render_shadow_cascade;

// Set 0, binding 2, std140.
typedef struct ct_render_lights_block {
    uint32_t num_directional, num_local, padding[2];
    ct_render_directional_light directional[CT_RENDER_MAX_DIRECTIONAL_LIGHTS];
    ct_render_local_light local[CT_RENDER_MAX_LOCAL_LIGHTS];
    ct_render_shadow_cascade cascades[CT_RENDER_MAX_CASCADES];
} ct_render_lights_block;

typedef struct ct_render_frame_slot {
    VkCommandPool pool;
    VkCommandBuffer commands;
    VkSemaphore acquired; // signalled when the swapchain's image may be drawn to
    ct_render_buffer instances, lines;
    ct_render_set set; // set 0 for the buffers below
    VkBuffer set_instances, set_uniforms;
    uint64_t set_shadow_version;
} ct_render_frame_slot;

typedef struct ct_render_frames {
    ct_render_context *context;
    VkSemaphore timeline;       // counts frames that the device has finished
    _Atomic uint64_t completed; // the last that is known
    ct_render_frame_slot slots[CT_RENDER_FRAMES_IN_FLIGHT];
    ct_render_frame_slot *slot; // of the frame being recorded
    ct_render_timing timing;
    ct_render_buffer uniforms;
    uint64_t uniforms_begin, uniforms_end, uniforms_used; // of this frame, in `uniforms`
    uint32_t num_instances;                               // used in slot->instances
    uint32_t num_line_vertices;                           // used in slot->lines
    VkImageView shadow_map;
    uint64_t shadow_version; // counts shadow maps
} ct_render_frames;

void ct_render_frames_init(ct_render_frames *f, ct_render_context *c);

// Destroys what lies on the device, which must be idle; and makes it on the next one, which begins
// with the frame after `completed`.
void ct_render_frames_drop(ct_render_frames *f);
void ct_render_frames_restore(ct_render_frames *f, uint64_t completed);

// Waits until the slot is free, and starts recording `frame`.
void ct_render_frames_begin(ct_render_frames *f, uint64_t frame);

// Ends recording and submits. `presented` is signalled when the device is done, and the slot's
// `acquired` waited for, when it is not none.
void ct_render_frames_submit(ct_render_frames *f, VkSemaphore presented);

// The last frame that the device finished, as known when the last one began or was waited for. Any
// thread.
uint64_t ct_render_frames_completed(const ct_render_frames *f);

// Waits until the device has finished `frame`, or is lost.
void ct_render_frames_wait(ct_render_frames *f, uint64_t frame);

// `size_bytes` of this frame's uniform memory; `offset` is its place in `uniforms`. When a larger
// buffer takes the old one's place, the context's version is raised.
void *ct_render_frames_uniforms(ct_render_frames *f, uint32_t size_bytes, uint32_t *offset);

// Room for `count` instances; `first` is the position of the first. What was given before stays
// valid for what was recorded with the set of then.
ct_render_instance *ct_render_frames_instances(ct_render_frames *f, uint32_t count,
                                               uint32_t *first);

// Room for `count` vertices of lines in slot->lines.
ct_line_vertex *ct_render_frames_lines(ct_render_frames *f, uint32_t count, uint32_t *first);

// The image that set 0 has as shadow map from now on; alive while it is used.
void ct_render_frames_set_shadow_map(ct_render_frames *f, VkImageView view);

// Set 0 for what was given last.
VkDescriptorSet ct_render_frames_set(ct_render_frames *f);
