// render_frame.h: frames in flight: command buffers, the timeline, and memory that lives for one
// frame.
//
// Two slots take turns. The processor writes a slot's instance and line buffers, and the device
// reads them in place. The uniform blocks of both slots are in one buffer, so that a material's
// descriptor set is valid for every frame and only offsets differ. A buffer that is too small is
// replaced by a larger one, which is kept: nothing is allocated after warm-up. Render thread,
// except where noted.
#pragma once
#include <stdatomic.h>

#include "render/device/render_timing.h"
#include "render/render_gui.h"
#include "render/render_particles.h"
#include "resource/types/shader_resource.h"

enum { CT_RENDER_MAX_DIRECTIONAL_LIGHTS = 4, CT_RENDER_MAX_LOCAL_LIGHTS = 64 };

// Set 0, binding 0, std140. Keep it the same as in core/shaders/include/frame.glsl.
typedef struct ct_render_view_block {
    float view_projection[16];
    float inverse_view_projection[16];
    float still_view_projection[16];    // without jitter
    float previous_view_projection[16]; // of the last frame, without jitter
    float jitter[4]; // x, y of this frame, then of the last, in fractions of the viewport
    float camera_pose[16];
    float camera_position[4];
    float previous_camera_position[4];
    float rectangle[4]; // x, y, width, height of the viewport, in fractions of the target
    float size[4];      // of the back buffer: width, height in pixels, and their inverses
    float time[4];      // seconds of the world
    // 1 when pictures of the last frame are of use, else 0; frames since the last cut; seconds since
    // the last frame
    float history[4];
    // Near and far in metres; the tangent of half the vertical angle, or half the height in metres;
    // 1 if orthographic
    float lens[4];
    float sky[4];    // light from above, everywhere; linear
    float ground[4]; // and from below
    float fog_color[4], fog_sun_color[4];
    float fog[4]; // density, falloff, height, start
    float sky_intensity[4];
    float custom[CT_RENDER_MAX_CUSTOM][4];
} ct_render_view_block;

_Static_assert(offsetof(ct_render_view_block, camera_pose) == CT_SHADER_VIEW_CAMERA_POSE_OFFSET &&
                   offsetof(ct_render_view_block, camera_position) ==
                       CT_SHADER_VIEW_CAMERA_POSITION_OFFSET &&
                   offsetof(ct_render_view_block, time) == CT_SHADER_VIEW_TIME_OFFSET,
               "the compiler knows members of `view` by their offsets");

// Set 0, binding 1, std430: the first three rows of the world matrix, and the position of the
// values of instanced parameters, counted in vectors of four floats from the start of the buffer
// (which is binding 4, too). Of an object that is posed by a skeleton, the positions of the
// matrices of its joints in binding 5, counted likewise. Of one that moved since the last frame, the
// position of the rows of then, counted as `values`; and the number of its level of detail.
typedef struct ct_render_instance {
    float rows[3][4];
    uint32_t values, palette, previous_palette;
    uint32_t previous_and_lod; // CT_RENDER_INSTANCE_PREVIOUS
} ct_render_instance;

// Both in one word. `previous` is 0 when the object did not move.
enum { CT_RENDER_INSTANCE_LOD_SHIFT = 28 };
#define CT_RENDER_INSTANCE_PREVIOUS(previous, lod)                                                 \
    ((uint32_t)(previous) | (uint32_t)(lod) << CT_RENDER_INSTANCE_LOD_SHIFT)

typedef struct ct_render_directional_light {
    float direction[4]; // in which it shines; w is 1 when the light is used
    float color[4];     // linear, times intensity
} ct_render_directional_light;

// A point light, or a spot light. The share of its light that goes in a direction is the square of
// clamp(dot(direction, cone.xyz) + cone.w, 0, 1), so a point light's cone is 0 0 0 1.
typedef struct ct_render_local_light {
    float position_reach[4]; // metres
    float color_start[4];    // linear, times intensity; where its falloff starts, in metres
    float cone[4];
} ct_render_local_light;

// A cascade of the shadow map.
typedef struct ct_render_shadow_cascade {
    float to_map[16];   // world to the map: x, y from 0 to 1 over all of it, and depth
    float rectangle[4]; // the least and the greatest x, y where the filter may be centred
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
    ct_render_buffer instances, lines, batch_vertices, particles;
    ct_render_set set; // set 0 for the buffers below
    VkBuffer set_instances, set_uniforms, set_palettes;
    uint64_t set_picture_version;
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
    uint32_t num_batch_vertices;                          // used in slot->batch_vertices
    uint32_t num_particles;                               // used in slot->particles
    ct_render_buffer palettes;    // a part for each frame in flight and the one before
    uint64_t palette_generation;  // rises when the palettes go, also for a larger buffer
    uint32_t num_palette_vectors; // used in this frame's part
    VkImageView shadow_map;
    VkImageView pictures[CT_RENDER_FRAME_PICTURES]; // never VK_NULL_HANDLE when drawing
    uint64_t picture_version;                       // counts changes of these images
} ct_render_frames;

// Makes slots, timeline and uniform memory on the context's device. `c` must outlive it.
void ct_render_frames_init(ct_render_frames *f, ct_render_context *c);

// Destroys everything made on the device, which must be idle.
void ct_render_frames_drop(ct_render_frames *f);

// Makes all of that on the next device, after a drop. The first frame there is the one after
// `completed`.
void ct_render_frames_restore(ct_render_frames *f, uint64_t completed);

// Waits until the slot is free, and starts recording `frame`.
void ct_render_frames_begin(ct_render_frames *f, uint64_t frame);

// Ends recording and submits. When `presented` is not VK_NULL_HANDLE, the device waits for the
// slot's `acquired` and signals `presented` when it is done.
void ct_render_frames_submit(ct_render_frames *f, VkSemaphore presented);

// Returns the last frame that the device finished, as of the last frame's begin or the last wait.
// Any thread.
uint64_t ct_render_frames_completed(const ct_render_frames *f);

// Waits until the device has finished `frame`, or is lost.
void ct_render_frames_wait(ct_render_frames *f, uint64_t frame);

// Returns `size_bytes` of this frame's uniform memory to fill; `offset` is its place in `uniforms`.
// When a larger buffer replaces the old one, the context's version rises.
void *ct_render_frames_uniforms(ct_render_frames *f, uint32_t size_bytes, uint32_t *offset);

// Returns room for `count` instances to fill; `first` is the position of the first. A larger buffer
// may replace the old one, whose content stays valid for draws recorded with the set of that time.
ct_render_instance *ct_render_frames_instances(ct_render_frames *f, uint32_t count,
                                               uint32_t *first);

// Returns room for `count` vertices of lines in slot->lines to fill; `first` is the position of the
// first.
ct_line_vertex *ct_render_frames_lines(ct_render_frames *f, uint32_t count, uint32_t *first);

// Returns room for `count` vertices of batches in slot->batch_vertices to fill, to draw with or to
// copy from; `first` is the position of the first.
ct_batch_vertex *ct_render_frames_batch_vertices(ct_render_frames *f, uint32_t count,
                                                 uint32_t *first);

// Returns room for `count` particles in slot->particles to fill; `first` is the position of the
// first. Behind the last is room for one more, which stays as it is: a particle is drawn with the
// next one.
ct_particle_instance *ct_render_frames_particles(ct_render_frames *f, uint32_t count,
                                                 uint32_t *first);

// Returns all palettes, with room for `count` vectors to fill from vector `first` on. What was
// written in this frame and the one before stays there, unless the generation rises.
float (*ct_render_frames_palettes(ct_render_frames *f, uint32_t count, uint32_t *first))[4];

// Sets the image that set 0 has as shadow map from now on. The caller keeps it alive while it is
// used.
void ct_render_frames_set_shadow_map(ct_render_frames *f, VkImageView view);

// Sets the images that set 0 has from CT_RENDER_FIRST_PICTURE_BINDING on. The caller keeps them
// alive while they are used.
void ct_render_frames_set_pictures(ct_render_frames *f,
                                   const VkImageView views[CT_RENDER_FRAME_PICTURES]);

// Returns set 0 for the current buffers, shadow map and pictures. It is written again only when one of them
// has changed.
VkDescriptorSet ct_render_frames_set(ct_render_frames *f);
