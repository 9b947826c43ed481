#include "render/render_frame.h"

#include <string.h>

#include "foundation/error.h"
#include "foundation/profiler/profiler.h"

#define FIRST_UNIFORM_BYTES (128ull << 10)

enum { PALETTE_PARTS = CT_RENDER_FRAMES_IN_FLIGHT + 1, FIRST_PALETTE_VECTORS = 3 * 256 };
enum { FIRST_INSTANCES = 4096, FIRST_LINE_VERTICES = 4096, FIRST_BATCH_VERTICES = 4096 };
enum { FIRST_PARTICLES = 4096 };

// --- Life cycle ----------------------------------------------------------------------------------

static void init_slot(ct_render_context *c, ct_render_frame_slot *slot) {
    const ct_render_device *const d = c->device;
    const VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                          .flags = VK_COMMAND_POOL_CREATE_TRANSIENT_BIT,
                                          .queueFamilyIndex = d->queue_family};
    ct_render_check(d->vk.CreateCommandPool(d->handle, &pool, &d->callbacks, &slot->pool),
                    "vkCreateCommandPool");
    const VkCommandBufferAllocateInfo buffer = {.sType =
                                                    VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                                .commandPool = slot->pool,
                                                .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                                .commandBufferCount = 1};
    ct_render_check(d->vk.AllocateCommandBuffers(d->handle, &buffer, &slot->commands),
                    "vkAllocateCommandBuffers");
    const VkSemaphoreCreateInfo semaphore = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
    ct_render_check(d->vk.CreateSemaphore(d->handle, &semaphore, &d->callbacks, &slot->acquired),
                    "vkCreateSemaphore");
}

static ct_render_buffer create_uniforms(const ct_render_device *d, uint64_t slot_bytes) {
    return ct_render_buffer_create(d, slot_bytes * CT_RENDER_FRAMES_IN_FLIGHT,
                                   VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT, CT_RENDER_MEMORY_USE_UPLOAD);
}

void ct_render_frames_init(ct_render_frames *f, ct_render_context *c) {
    *f = (ct_render_frames){.context = c};
    ct_render_timing_init(&f->timing, c);
    ct_render_frames_restore(f, 0);
}

void ct_render_frames_restore(ct_render_frames *f, uint64_t completed) {
    ct_render_context *const c = f->context;
    const ct_render_device *const d = c->device;
    const VkSemaphoreTypeCreateInfo type = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
                                            .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE,
                                            .initialValue = completed};
    const VkSemaphoreCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
                                        .pNext = &type};
    ct_render_check(d->vk.CreateSemaphore(d->handle, &info, &d->callbacks, &f->timeline),
                    "vkCreateSemaphore");
    for (uint32_t i = 0; i < CT_RENDER_FRAMES_IN_FLIGHT; ++i)
        init_slot(c, &f->slots[i]);
    f->uniforms = create_uniforms(d, FIRST_UNIFORM_BYTES);
}

void ct_render_frames_drop(ct_render_frames *f) {
    ct_render_context *const c = f->context;
    const ct_render_device *const d = c->device;
    if (!d->handle)
        return;
    for (uint32_t i = 0; i < CT_RENDER_FRAMES_IN_FLIGHT; ++i) {
        ct_render_frame_slot *const slot = &f->slots[i];
        d->vk.DestroyCommandPool(d->handle, slot->pool, &d->callbacks);
        d->vk.DestroySemaphore(d->handle, slot->acquired, &d->callbacks);
        ct_render_retire_buffer(&c->retire, &slot->instances);
        ct_render_retire_buffer(&c->retire, &slot->lines);
        ct_render_retire_buffer(&c->retire, &slot->batch_vertices);
        ct_render_retire_buffer(&c->retire, &slot->particles);
        ct_render_set_retire(c, &slot->set);
        *slot = (ct_render_frame_slot){0};
    }
    ct_render_timing_drop(&f->timing);
    ct_render_retire_buffer(&c->retire, &f->uniforms);
    ct_render_retire_buffer(&c->retire, &f->palettes);
    ++f->palette_generation; // nothing is written any more
    d->vk.DestroySemaphore(d->handle, f->timeline, &d->callbacks);
    f->timeline = VK_NULL_HANDLE;
    f->slot = NULL;
}

// --- Frames --------------------------------------------------------------------------------------

uint64_t ct_render_frames_completed(const ct_render_frames *f) {
    return atomic_load(&f->completed);
}

static void ask_completed(ct_render_frames *f) {
    const ct_render_device *const d = f->context->device;
    uint64_t value = 0;
    ct_render_check(d->vk.GetSemaphoreCounterValue(d->handle, f->timeline, &value),
                    "vkGetSemaphoreCounterValue");
    if (!ct_render_device_is_lost())
        atomic_store(&f->completed, value);
}

void ct_render_frames_wait(ct_render_frames *f, uint64_t frame) {
    CT_PROFILER_SCOPE("wait for device");
    const ct_render_device *const d = f->context->device;
    const VkSemaphoreWaitInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
                                      .semaphoreCount = 1,
                                      .pSemaphores = &f->timeline,
                                      .pValues = &frame};
    ct_render_check(d->vk.WaitSemaphores(d->handle, &info, UINT64_MAX), "vkWaitSemaphores");
    ask_completed(f);
}

void ct_render_frames_begin(ct_render_frames *f, uint64_t frame) {
    ct_render_context *const c = f->context;
    const ct_render_device *const d = c->device;
    ct_render_frames_wait(f, frame > CT_RENDER_FRAMES_IN_FLIGHT ? frame - CT_RENDER_FRAMES_IN_FLIGHT
                                                                : 0);
    ct_render_retire_begin_frame(&c->retire, frame, ct_render_frames_completed(f));
    const uint64_t position = frame % CT_RENDER_FRAMES_IN_FLIGHT;
    const uint64_t slot_bytes = f->uniforms.size_bytes / CT_RENDER_FRAMES_IN_FLIGHT;
    f->slot = &f->slots[position];
    f->uniforms_begin = f->uniforms_used = position * slot_bytes;
    f->uniforms_end = f->uniforms_begin + slot_bytes;
    f->num_instances = 0;
    f->num_line_vertices = 0;
    f->num_batch_vertices = 0;
    f->num_particles = 0;
    f->num_palette_vectors = 0;
    c->frame = frame;
    c->commands = f->slot->commands;
    ct_render_check(d->vk.ResetCommandPool(d->handle, f->slot->pool, 0), "vkResetCommandPool");
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                            .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
    ct_render_check(d->vk.BeginCommandBuffer(c->commands, &begin), "vkBeginCommandBuffer");
    ct_render_timing_begin_frame(&f->timing, (uint32_t)position);
}

void ct_render_frames_submit(ct_render_frames *f, VkSemaphore presented) {
    CT_PROFILER_SCOPE("submit");
    const ct_render_context *const c = f->context;
    const ct_render_device *const d = c->device;
    ct_render_timing_end_frame(&f->timing);
    ct_render_check(d->vk.EndCommandBuffer(c->commands), "vkEndCommandBuffer");
    const VkCommandBufferSubmitInfo commands = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO, .commandBuffer = c->commands};
    const VkSemaphoreSubmitInfo wait = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
                                        .semaphore = f->slot->acquired,
                                        .stageMask = VK_PIPELINE_STAGE_2_BLIT_BIT};
    const VkSemaphoreSubmitInfo signals[] = {{.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
                                              .semaphore = f->timeline,
                                              .value = c->frame,
                                              .stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT},
                                             {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
                                              .semaphore = presented,
                                              .stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT}};
    const VkSubmitInfo2 info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
                                .waitSemaphoreInfoCount = presented ? 1 : 0,
                                .pWaitSemaphoreInfos = &wait,
                                .commandBufferInfoCount = 1,
                                .pCommandBufferInfos = &commands,
                                .signalSemaphoreInfoCount = presented ? 2 : 1,
                                .pSignalSemaphoreInfos = signals};
    ct_render_check(d->vk.QueueSubmit2(d->queue, 1, &info, VK_NULL_HANDLE), "vkQueueSubmit2");
}

// --- Memory of one frame -------------------------------------------------------------------------

static void grow_uniforms(ct_render_frames *f, uint64_t wanted) {
    ct_render_context *const c = f->context;
    uint64_t slot_bytes = f->uniforms.size_bytes / CT_RENDER_FRAMES_IN_FLIGHT * 2;
    while (slot_bytes < wanted)
        slot_bytes *= 2;
    ct_render_retire_buffer(&c->retire, &f->uniforms);
    f->uniforms = create_uniforms(c->device, slot_bytes);
    f->uniforms_begin = f->uniforms_used = c->frame % CT_RENDER_FRAMES_IN_FLIGHT * slot_bytes;
    f->uniforms_end = f->uniforms_begin + slot_bytes;
    ++c->version;
}

void *ct_render_frames_uniforms(ct_render_frames *f, uint32_t size_bytes, uint32_t *offset) {
    const uint64_t align = f->context->device->limits.minUniformBufferOffsetAlignment;
    const uint64_t rounded = (size_bytes + align - 1) / align * align;
    if (f->uniforms_used + rounded > f->uniforms_end)
        grow_uniforms(f, rounded);
    *offset = (uint32_t)f->uniforms_used;
    f->uniforms_used += rounded;
    return (char *)f->uniforms.allocation.mapped + *offset;
}

// Replaces `b` by one of at least `count` items when it is smaller; false when it was large enough.
static bool grow(ct_render_context *c, ct_render_buffer *b, uint64_t count, uint64_t item_bytes,
                 uint64_t first_count, VkBufferUsageFlags usage) {
    if (b->size_bytes >= count * item_bytes)
        return false;
    uint64_t new_bytes = b->size_bytes ? b->size_bytes : first_count * item_bytes;
    while (new_bytes < count * item_bytes)
        new_bytes *= 2;
    ct_render_retire_buffer(&c->retire, b);
    *b = ct_render_buffer_create(c->device, new_bytes, usage, CT_RENDER_MEMORY_USE_UPLOAD);
    return true;
}

ct_render_instance *ct_render_frames_instances(ct_render_frames *f, uint32_t count,
                                               uint32_t *first) {
    ct_render_buffer *const b = &f->slot->instances;
    const uint64_t total = (uint64_t)f->num_instances + count;
    if (grow(f->context, b, total, sizeof(ct_render_instance), FIRST_INSTANCES,
             VK_BUFFER_USAGE_STORAGE_BUFFER_BIT))
        f->num_instances = 0;
    *first = f->num_instances;
    f->num_instances += count;
    return (ct_render_instance *)b->allocation.mapped + *first;
}

ct_line_vertex *ct_render_frames_lines(ct_render_frames *f, uint32_t count, uint32_t *first) {
    ct_render_buffer *const b = &f->slot->lines;
    const uint64_t total = (uint64_t)f->num_line_vertices + count;
    if (grow(f->context, b, total, sizeof(ct_line_vertex), FIRST_LINE_VERTICES,
             VK_BUFFER_USAGE_VERTEX_BUFFER_BIT))
        f->num_line_vertices = 0;
    *first = f->num_line_vertices;
    f->num_line_vertices += count;
    return (ct_line_vertex *)b->allocation.mapped + *first;
}

ct_batch_vertex *ct_render_frames_batch_vertices(ct_render_frames *f, uint32_t count,
                                                 uint32_t *first) {
    ct_render_buffer *const b = &f->slot->batch_vertices;
    const uint64_t total = (uint64_t)f->num_batch_vertices + count;
    if (grow(f->context, b, total, sizeof(ct_batch_vertex), FIRST_BATCH_VERTICES,
             VK_BUFFER_USAGE_VERTEX_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT))
        f->num_batch_vertices = 0;
    *first = f->num_batch_vertices;
    f->num_batch_vertices += count;
    return (ct_batch_vertex *)b->allocation.mapped + *first;
}

ct_particle_instance *ct_render_frames_particles(ct_render_frames *f, uint32_t count,
                                                 uint32_t *first) {
    ct_render_buffer *const b = &f->slot->particles;
    const uint64_t total = (uint64_t)f->num_particles + count + 1;
    if (grow(f->context, b, total, sizeof(ct_particle_instance), FIRST_PARTICLES,
             VK_BUFFER_USAGE_VERTEX_BUFFER_BIT))
        f->num_particles = 0;
    *first = f->num_particles;
    f->num_particles += count;
    return (ct_particle_instance *)b->allocation.mapped + *first;
}

// Makes a buffer whose parts have room for `count` vectors.
static void grow_palettes(ct_render_frames *f, uint64_t count) {
    ct_render_context *const c = f->context;
    const uint64_t vector_bytes = sizeof(float[4]) * PALETTE_PARTS;
    uint64_t part = f->palettes.size_bytes ? f->palettes.size_bytes / vector_bytes
                                           : (uint64_t)FIRST_PALETTE_VECTORS;
    while (part < count)
        part *= 2;
    ct_render_retire_buffer(&c->retire, &f->palettes);
    f->palettes =
        ct_render_buffer_create(c->device, part * vector_bytes, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT,
                                CT_RENDER_MEMORY_USE_UPLOAD);
    f->num_palette_vectors = 0;
    ++f->palette_generation;
}

float (*ct_render_frames_palettes(ct_render_frames *f, uint32_t count, uint32_t *first))[4] {
    const uint64_t vector_bytes = sizeof(float[4]) * PALETTE_PARTS;
    const uint64_t total = (uint64_t)f->num_palette_vectors + count;
    if (f->palettes.size_bytes < total * vector_bytes)
        grow_palettes(f, total);
    const uint64_t part = f->palettes.size_bytes / vector_bytes;
    *first = (uint32_t)(f->context->frame % PALETTE_PARTS * part) + f->num_palette_vectors;
    f->num_palette_vectors += count;
    return f->palettes.allocation.mapped;
}

void ct_render_frames_set_shadow_map(ct_render_frames *f, VkImageView view) {
    f->shadow_map = view;
    ++f->picture_version;
}

void ct_render_frames_set_pictures(ct_render_frames *f,
                                   const VkImageView views[CT_RENDER_FRAME_PICTURES]) {
    memcpy(f->pictures, views, sizeof(f->pictures));
    ++f->picture_version;
}

VkDescriptorSet ct_render_frames_set(ct_render_frames *f) {
    ct_render_context *const c = f->context;
    ct_render_frame_slot *const slot = f->slot;
    if (!slot->instances.handle) {
        uint32_t first;
        ct_render_frames_instances(f, 1, &first);
    }
    if (!f->palettes.handle)
        grow_palettes(f, 0);
    if (slot->set_instances == slot->instances.handle && slot->set_uniforms == f->uniforms.handle &&
        slot->set_palettes == f->palettes.handle && slot->set_picture_version == f->picture_version)
        return slot->set.handle;
    ct_render_set_retire(c, &slot->set);
    slot->set = ct_render_set_create(c, c->frame_layout);
    slot->set_instances = slot->instances.handle;
    slot->set_uniforms = f->uniforms.handle;
    slot->set_palettes = f->palettes.handle;
    slot->set_picture_version = f->picture_version;
    ct_render_set_write_buffer(c, &slot->set, 0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC,
                               f->uniforms.handle, sizeof(ct_render_view_block));
    ct_render_set_write_buffer(c, &slot->set, 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                               slot->instances.handle, VK_WHOLE_SIZE);
    ct_render_set_write_buffer(c, &slot->set, 4, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                               slot->instances.handle, VK_WHOLE_SIZE);
    ct_render_set_write_buffer(c, &slot->set, 5, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                               f->palettes.handle, VK_WHOLE_SIZE);
    ct_render_set_write_buffer(c, &slot->set, 2, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC,
                               f->uniforms.handle, sizeof(ct_render_lights_block));
    ct_render_set_write_texture(c, &slot->set, 3, f->shadow_map, CT_RENDER_SAMPLER_SHADOW,
                                VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
    for (uint32_t i = 0; i < CT_RENDER_FRAME_PICTURES; ++i)
        ct_render_set_write_texture(
            c, &slot->set, CT_RENDER_FIRST_PICTURE_BINDING + i, f->pictures[i],
            i == CT_RENDER_FRAME_PICTURE_SCENE_DEPTH ? CT_RENDER_SAMPLER_NEAREST_CLAMP
                                                     : CT_RENDER_SAMPLER_LINEAR_INPUT,
            VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
    return slot->set.handle;
}
