#include "render/object/render_emitters.h"

#include <string.h>

#include "foundation/log.h"
#include "foundation/profiler/profiler.h"

enum { NO_RECORD = -1, GROUP_THREADS = 64, FIRST_UPLOAD_BYTES = 64 << 10 };
enum { INSTANCE_BYTES = sizeof(ct_particle_instance) };

// The push constants, as in core/shaders/include/particle_blob.glsl: addresses, then numbers.
typedef struct simulation_block {
    uint64_t emitter, values, init, update, samples, points, channels, instances, records, runs,
        variables;
    uint32_t capacity, num_slots, first_record, index;
    uint32_t padding[2];
} simulation_block;

_Static_assert(sizeof(simulation_block) == CT_SHADER_PARTICLE_PUSH_BYTES, "all is written at once");
_Static_assert(sizeof(ct_particle_record) == 4 * 51, "the shader has the same record");
_Static_assert(sizeof(ct_particle_value) == 44 && sizeof(ct_particle_step) == 32 &&
                   sizeof(ct_particle_shape) == 68 && sizeof(ct_particle_look) == 88 &&
                   sizeof(ct_particle_point) == 24 && sizeof(ct_particle_sample) == 16,
               "the shader has the same structs");
_Static_assert(offsetof(ct_particle_emitter, delay) == 44 &&
                   offsetof(ct_particle_emitter, shape) == 80 &&
                   offsetof(ct_particle_emitter, look) == 152 &&
                   offsetof(ct_particle_emitter, bursts) == 240,
               "the shader has the same emitter");

// --- Life cycle ----------------------------------------------------------------------------------

void ct_render_emitters_init(ct_render_emitters *e, ct_render_context *c, ct_render_shaders *s) {
    *e = (ct_render_emitters){.context = c, .shaders = s};
    ct_allocator *const a = c->allocator;
    ct_array_init(&e->effects, a);
    ct_array_init(&e->items, a);
    ct_hash_map_init(&e->place_of_effect, a);
    ct_hash_map_init(&e->place_of_emitter, a);
    ct_array_init(&e->free_effects, a);
    ct_array_init(&e->free_items, a);
    ct_array_init(&e->records, a);
    ct_array_init(&e->runs, a);
    ct_array_init(&e->variables, a);
    ct_array_init(&e->reads, a);
    e->shader = ct_render_shaders_index(s, ct_string_id64_of(CT_RENDER_EMITTERS_SHADER));
    e->signature = ct_render_shaders_signature(s, &(ct_render_signature){.num_colors = 0});
}

static void retire_emitter(ct_render_emitters *e, ct_render_emitter *x) {
    ct_render_retire_buffer(&e->context->retire, &x->channels);
    ct_render_retire_buffer(&e->context->retire, &x->instances);
}

void ct_render_emitters_drop(ct_render_emitters *e) {
    for (uint32_t i = 0; i < e->effects.count; ++i)
        ct_render_retire_buffer(&e->context->retire, &e->effects.items[i].buffer);
    for (uint32_t i = 0; i < e->items.count; ++i)
        retire_emitter(e, &e->items.items[i]);
    for (uint32_t i = 0; i < CT_RENDER_FRAMES_IN_FLIGHT; ++i)
        ct_render_retire_buffer(&e->context->retire, &e->uploads[i]);
}

void ct_render_emitters_shutdown(ct_render_emitters *e) {
    for (uint32_t i = 0; i < e->effects.count; ++i)
        ct_free(e->context->allocator, e->effects.items[i].blob);
    ct_array_free(&e->effects);
    ct_array_free(&e->items);
    ct_hash_map_free(&e->place_of_effect);
    ct_hash_map_free(&e->place_of_emitter);
    ct_array_free(&e->free_effects);
    ct_array_free(&e->free_items);
    ct_array_free(&e->records);
    ct_array_free(&e->runs);
    ct_array_free(&e->variables);
    ct_array_free(&e->reads);
}

// --- Effects and emitters ------------------------------------------------------------------------

void ct_render_emitters_add_effect(ct_render_emitters *e, const ct_render_command_effect *x) {
    uint32_t at = e->effects.count;
    if (e->free_effects.count)
        at = e->free_effects.items[--e->free_effects.count];
    else
        ct_array_push(&e->effects, (ct_render_effect){.id = {0}});
    const uint64_t bytes = ((const ct_blob_header *)(const void *)(x + 1))->size_bytes;
    ct_render_effect *const effect = &e->effects.items[at];
    *effect = (ct_render_effect){.id = x->effect};
    effect->blob = ct_alloc_aligned(e->context->allocator, bytes, CT_BLOB_ALIGN);
    memcpy(effect->blob, x + 1, bytes);
    ct_hash_map_set(&e->place_of_effect, x->effect.value, at + 1);
}

void ct_render_emitters_remove_effect(ct_render_emitters *e, ct_render_effect_id effect) {
    const uint32_t at = (uint32_t)ct_hash_map_get(&e->place_of_effect, effect.value, 0);
    if (!at)
        return;
    ct_render_effect *const x = &e->effects.items[at - 1];
    ct_render_retire_buffer(&e->context->retire, &x->buffer);
    ct_free(e->context->allocator, x->blob);
    *x = (ct_render_effect){.id = {0}};
    ct_hash_map_erase(&e->place_of_effect, effect.value);
    ct_array_push(&e->free_effects, at - 1);
}

void ct_render_emitters_add(ct_render_emitters *e, const ct_render_command_emitter *x) {
    const uint32_t effect = (uint32_t)ct_hash_map_get(&e->place_of_effect, x->desc.effect.value, 0);
    if (!effect || x->desc.index >= e->effects.items[effect - 1].blob->emitters.count)
        return;
    uint32_t at = e->items.count;
    if (e->free_items.count)
        at = e->free_items.items[--e->free_items.count];
    else
        ct_array_push(&e->items, (ct_render_emitter){.id = {0}});
    e->items.items[at] = (ct_render_emitter){.id = x->emitter,
                                             .desc = x->desc,
                                             .effect = effect - 1,
                                             .first_record = (uint32_t)NO_RECORD,
                                             .record = (uint32_t)NO_RECORD};
    ct_hash_map_set(&e->place_of_emitter, x->emitter.value, at + 1);
}

static ct_render_emitter *find(const ct_render_emitters *e, ct_render_emitter_id emitter) {
    const uint32_t at = (uint32_t)ct_hash_map_get(&e->place_of_emitter, emitter.value, 0);
    return at ? &e->items.items[at - 1] : NULL;
}

void ct_render_emitters_remove(ct_render_emitters *e, ct_render_emitter_id emitter) {
    ct_render_emitter *const x = find(e, emitter);
    if (!x)
        return;
    retire_emitter(e, x);
    *x = (ct_render_emitter){.id = {0}};
    ct_hash_map_erase(&e->place_of_emitter, emitter.value);
    ct_array_push(&e->free_items, (uint32_t)(x - e->items.items));
}

// --- Steps ---------------------------------------------------------------------------------------

void ct_render_emitters_step(ct_render_emitters *e, const ct_render_command_emitter_step *x) {
    ct_render_emitter *const emitter = find(e, x->emitter);
    if (!emitter)
        return;
    const ct_particle_run *const runs = (const ct_particle_run *)(x + 1);
    ct_particle_record record = x->record;
    record.first_run = e->runs.count;
    record.first_variable = e->variables.count;
    record.next = (uint32_t)NO_RECORD;
    ct_array_push_many(&e->runs, runs, record.num_runs);
    const uint32_t first = e->variables.count;
    ct_array_resize(&e->variables, first + record.num_variables);
    if (record.num_variables)
        memcpy(e->variables.items + first, runs + record.num_runs,
               sizeof(float[4]) * record.num_variables);
    for (uint32_t i = 0; i < record.num_runs; ++i) {
        const uint64_t end = (uint64_t)runs[i].first + runs[i].count;
        const uint32_t used = end < emitter->desc.capacity ? (uint32_t)end : emitter->desc.capacity;
        emitter->num_slots = used > emitter->num_slots ? used : emitter->num_slots;
    }
    const uint32_t at = e->records.count;
    ct_array_push(&e->records, record);
    if (emitter->record == (uint32_t)NO_RECORD)
        emitter->first_record = at;
    else
        e->records.items[emitter->record].next = at;
    emitter->record = at;
}

void ct_render_emitters_read(ct_render_emitters *e, const ct_render_command_emitter_read *x) {
    ct_array_push(&e->reads, *x);
}

void ct_render_emitters_clear_frame(ct_render_emitters *e) {
    if (e->keeps_steps) {
        e->keeps_steps = false;
        return;
    }
    e->records.count = 0;
    e->runs.count = 0;
    e->variables.count = 0;
    for (uint32_t i = 0; i < e->items.count; ++i)
        e->items.items[i].first_record = e->items.items[i].record = (uint32_t)NO_RECORD;
}

void ct_render_emitters_ask(ct_render_emitters *e) {
    ct_render_shaders_ask(e->shaders, e->shader, 0, e->signature, 0);
}

// --- Simulation ----------------------------------------------------------------------------------

static const ct_particle_emitter *blob_of(const ct_render_emitters *e, const ct_render_emitter *x) {
    const ct_particles_resource *const blob = e->effects.items[x->effect].blob;
    return (const ct_particle_emitter *)ct_blob_at(blob, blob->emitters.offset) + x->desc.index;
}

static ct_render_buffer create_buffer(ct_render_emitters *e, uint64_t bytes,
                                      VkBufferUsageFlags usage, ct_render_memory_use use) {
    return ct_render_buffer_create(e->context->device, bytes,
                                   usage | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                                       VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT,
                                   use);
}

// Makes what an emitter needs on the device, unless it has it.
static void make(ct_render_emitters *e, ct_render_emitter *x) {
    enum { ONE = 0x3f800000 }; // as a float: an age at which a particle is dead
    ct_render_context *const c = e->context;
    ct_render_effect *const effect = &e->effects.items[x->effect];
    if (!effect->buffer.handle) {
        const uint64_t bytes = effect->blob->header.size_bytes;
        effect->buffer =
            create_buffer(e, bytes, VK_BUFFER_USAGE_TRANSFER_DST_BIT, CT_RENDER_MEMORY_USE_DEVICE);
        memcpy(ct_render_upload_buffer(c, &effect->buffer, 0, bytes), effect->blob, bytes);
    }
    if (x->channels.handle)
        return;
    const uint64_t capacity = x->desc.capacity;
    x->channels = create_buffer(e, sizeof(float) * blob_of(e, x)->num_channels * capacity,
                                VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT,
                                CT_RENDER_MEMORY_USE_DEVICE);
    x->instances =
        create_buffer(e, INSTANCE_BYTES * (capacity + 1),
                      VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_VERTEX_BUFFER_BIT,
                      CT_RENDER_MEMORY_USE_DEVICE);
    const ct_vulkan_api *const vk = &c->device->vk;
    vk->CmdFillBuffer(c->commands, x->channels.handle, 0, VK_WHOLE_SIZE, ONE);
    vk->CmdFillBuffer(c->commands, x->instances.handle, 0, VK_WHOLE_SIZE, 0);
}

// Waits in the command buffer, for all memory.
static void wait_for(ct_render_context *c, VkPipelineStageFlags2 from, VkAccessFlags2 written,
                     VkPipelineStageFlags2 to, VkAccessFlags2 used) {
    const VkMemoryBarrier2 barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
                                      .srcStageMask = from,
                                      .srcAccessMask = written,
                                      .dstStageMask = to,
                                      .dstAccessMask = used};
    const VkDependencyInfo info = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                                   .memoryBarrierCount = 1,
                                   .pMemoryBarriers = &barrier};
    c->device->vk.CmdPipelineBarrier2(c->commands, &info);
}

// Copies the frame's arrays to memory that the device reads. Sets the addresses of them in `block`.
static void upload(ct_render_emitters *e, simulation_block *block) {
    const uint64_t record_bytes = sizeof(e->records.items[0]) * (uint64_t)e->records.count;
    const uint64_t run_bytes = sizeof(e->runs.items[0]) * (uint64_t)e->runs.count;
    const uint64_t variable_bytes = sizeof(e->variables.items[0]) * (uint64_t)e->variables.count;
    ct_render_context *const c = e->context;
    ct_render_buffer *const b = &e->uploads[c->frame % CT_RENDER_FRAMES_IN_FLIGHT];
    const uint64_t wanted = record_bytes + run_bytes + variable_bytes;
    if (b->size_bytes < wanted) {
        uint64_t bytes = b->size_bytes ? b->size_bytes : (uint64_t)FIRST_UPLOAD_BYTES;
        while (bytes < wanted)
            bytes *= 2;
        ct_render_retire_buffer(&c->retire, b);
        *b = create_buffer(e, bytes, 0, CT_RENDER_MEMORY_USE_UPLOAD);
    }
    char *const mapped = b->allocation.mapped;
    memcpy(mapped, e->records.items, record_bytes);
    if (run_bytes)
        memcpy(mapped + record_bytes, e->runs.items, run_bytes);
    if (variable_bytes)
        memcpy(mapped + record_bytes + run_bytes, e->variables.items, variable_bytes);
    block->records = ct_render_buffer_address(c->device, b);
    block->runs = block->records + record_bytes;
    block->variables = block->runs + run_bytes;
}

static void dispatch(ct_render_emitters *e, const ct_render_emitter *x, VkPipelineLayout layout,
                     const simulation_block *of_frame) {
    ct_render_context *const c = e->context;
    const ct_render_device *const d = c->device;
    const ct_render_effect *const effect = &e->effects.items[x->effect];
    const ct_particle_emitter *const emitter = blob_of(e, x);
    const uint64_t blob = ct_render_buffer_address(d, &effect->buffer);
    simulation_block block = *of_frame;
    block.emitter = blob + (uint64_t)((const char *)emitter - (const char *)effect->blob);
    block.values = blob + emitter->values.offset;
    block.init = blob + emitter->init.offset;
    block.update = blob + emitter->update.offset;
    block.samples = blob + emitter->samples.offset;
    block.points = blob + emitter->points.offset;
    block.channels = ct_render_buffer_address(d, &x->channels);
    block.instances = ct_render_buffer_address(d, &x->instances);
    block.capacity = x->desc.capacity;
    block.num_slots = x->num_slots;
    block.first_record = x->first_record;
    block.index = x->desc.index;
    d->vk.CmdPushConstants(c->commands, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(block),
                           &block);
    d->vk.CmdDispatch(c->commands, (x->num_slots + GROUP_THREADS - 1) / GROUP_THREADS, 1, 1);
}

// Whether the core's shader is loaded and is what it must be.
static bool has_shader(const ct_render_emitters *e) {
    const ct_shader_resource *const blob = e->shaders->items.items[e->shader].blob;
    if (blob && blob->is_compute && blob->vertices == CT_SHADER_VERTICES_PARTICLE &&
        blob->group_size[0] == GROUP_THREADS)
        return true;
    ct_log_warning("render", "particle_simulation",
                   "particles on the GPU do not move: the shader \"%s\" is not loaded, or is not a "
                   "compute shader with vertices = \"particle\" and groups of %d threads",
                   CT_RENDER_EMITTERS_SHADER, GROUP_THREADS);
    return false;
}

void ct_render_emitters_simulate(ct_render_emitters *e) {
    enum { MOST_KEPT = 4096 }; // steps; a pipeline takes less than a second
    if (!e->records.count || !has_shader(e))
        return;
    CT_PROFILER_SCOPE("simulate particles");
    ct_render_context *const c = e->context;
    const VkPipeline pipeline =
        ct_render_shaders_pipeline(e->shaders, e->shader, 0, e->signature, 0);
    if (!pipeline) { // it is being made
        e->keeps_steps = e->records.count < MOST_KEPT;
        return;
    }
    for (uint32_t i = 0; i < e->items.count; ++i)
        if (e->items.items[i].id.value && e->items.items[i].num_slots)
            make(e, &e->items.items[i]);
    simulation_block block = {.emitter = 0};
    upload(e, &block);
    const VkAccessFlags2 storage =
        VK_ACCESS_2_SHADER_STORAGE_READ_BIT | VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT;
    wait_for(c,
             VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT | VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT |
                 VK_PIPELINE_STAGE_2_VERTEX_ATTRIBUTE_INPUT_BIT,
             VK_ACCESS_2_TRANSFER_WRITE_BIT | VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT,
             VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT, storage);
    c->device->vk.CmdBindPipeline(c->commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    const VkPipelineLayout layout = e->shaders->items.items[e->shader].layout;
    for (uint32_t i = 0; i < e->items.count; ++i) {
        const ct_render_emitter *const x = &e->items.items[i];
        if (x->id.value && x->num_slots && x->first_record != (uint32_t)NO_RECORD)
            dispatch(e, x, layout, &block);
    }
    wait_for(c, VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT, VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT,
             VK_PIPELINE_STAGE_2_VERTEX_ATTRIBUTE_INPUT_BIT | VK_PIPELINE_STAGE_2_COPY_BIT,
             VK_ACCESS_2_VERTEX_ATTRIBUTE_READ_BIT | VK_ACCESS_2_TRANSFER_READ_BIT);
}

VkBuffer ct_render_emitters_instances(const ct_render_emitters *e, ct_render_emitter_id emitter,
                                      uint32_t *count) {
    const ct_render_emitter *const x = find(e, emitter);
    *count = x ? x->num_slots : 0;
    return x ? x->instances.handle : VK_NULL_HANDLE;
}

// --- Reading back --------------------------------------------------------------------------------

static uint64_t channel_bytes(const ct_render_emitters *e, const ct_render_emitter *x) {
    return x && x->channels.handle
               ? sizeof(float) * blob_of(e, x)->num_channels * (uint64_t)x->desc.capacity
               : 0;
}

ct_render_buffer ct_render_emitters_copy(ct_render_emitters *e) {
    ct_render_context *const c = e->context;
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < e->reads.count; ++i)
        bytes += channel_bytes(e, find(e, e->reads.items[i].emitter));
    if (!bytes)
        return (ct_render_buffer){0};
    const ct_render_buffer copies = ct_render_buffer_create(
        c->device, bytes, VK_BUFFER_USAGE_TRANSFER_DST_BIT, CT_RENDER_MEMORY_USE_READBACK);
    VkBufferCopy copy = {.dstOffset = 0};
    for (uint32_t i = 0; i < e->reads.count; ++i) {
        const ct_render_emitter *const x = find(e, e->reads.items[i].emitter);
        copy.size = channel_bytes(e, x);
        if (copy.size)
            c->device->vk.CmdCopyBuffer(c->commands, x->channels.handle, copies.handle, 1, &copy);
        copy.dstOffset += copy.size;
    }
    wait_for(c, VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT,
             VK_PIPELINE_STAGE_2_HOST_BIT, VK_ACCESS_2_HOST_READ_BIT);
    return copies;
}

void ct_render_emitters_deliver(ct_render_emitters *e, const ct_render_buffer *copies) {
    const char *from = copies->allocation.mapped;
    for (uint32_t i = 0; i < e->reads.count; ++i) {
        const ct_render_command_emitter_read *const read = &e->reads.items[i];
        const ct_render_emitter *const x = find(e, read->emitter);
        const uint64_t bytes = from ? channel_bytes(e, x) : 0;
        read->done(read->user, bytes ? (const float *)(const void *)from : NULL,
                   bytes ? blob_of(e, x)->num_channels : 0, bytes ? x->desc.capacity : 0);
        from = from ? from + bytes : NULL;
    }
    e->reads.count = 0;
}
