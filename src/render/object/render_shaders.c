#include "render/object/render_shaders.h"

#include <stdio.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/log.h"
#include "render/device/vulkan_guard.h"

enum { MAX_SIGNATURES = 1 << 16 };

// Leaves most cores to the game.
static uint32_t num_makers(ct_renderer_pipelines mode) {
    const uint32_t count = ct_os_core_count() / 4;
    if (mode != CT_RENDERER_PIPELINES_AHEAD)
        return 0;
    return count < 1 ? 1 : count > CT_RENDER_MOST_MAKERS ? CT_RENDER_MOST_MAKERS : count;
}

static void start_maker(ct_render_shaders *s) {
    ct_render_pipeline_maker_start(&s->maker, s->context->device, s->cache_folder,
                                   num_makers(s->mode));
}

void ct_render_shaders_init(ct_render_shaders *s, ct_render_context *c, ct_renderer_pipelines mode,
                            const char *cache_folder) {
    *s = (ct_render_shaders){.context = c, .mode = mode};
    snprintf(s->cache_folder, sizeof(s->cache_folder), "%s", cache_folder ? cache_folder : "");
    start_maker(s);
    ct_hash_map_init(&s->index_of_name, c->allocator);
    ct_hash_map_init(&s->index_of_pipeline, c->allocator);
    ct_array_init(&s->items, c->allocator);
    ct_array_init(&s->pipelines, c->allocator);
    ct_array_init(&s->nexts, c->allocator);
    ct_array_init(&s->taken, c->allocator);
    ct_array_init(&s->signatures, c->allocator);
    ct_array_push(&s->items, (ct_render_shader){0});
}

static void drop_layouts(ct_render_context *c, ct_render_shader *x) {
    ct_render_retire_set_layout(&c->retire, x->material_layout);
    ct_render_retire_pipeline_layout(&c->retire, x->layout);
    x->material_layout = VK_NULL_HANDLE;
    x->layout = VK_NULL_HANDLE;
}

static void clear_shader(ct_render_context *c, ct_render_shader *x) {
    drop_layouts(c, x);
    ct_free(c->allocator, x->blob);
    *x = (ct_render_shader){0};
}

// Puts what was to take a shader's place there without its pipelines, which are forgotten.
static void settle(ct_render_shaders *s, ct_render_next_shader *next) {
    if (!next->shader)
        return;
    for (uint32_t i = 0; i < next->made.count; ++i)
        ct_render_retire_pipeline(&s->context->retire, next->made.items[i].made);
    clear_shader(s->context, &s->items.items[next->shader]);
    s->items.items[next->shader] = next->item;
    ct_array_free(&next->made);
    *next = (ct_render_next_shader){.shader = 0};
}

void ct_render_shaders_drop(ct_render_shaders *s) {
    ct_render_pipeline_maker_stop(&s->maker);
    for (uint32_t i = 0; i < s->nexts.count; ++i)
        settle(s, &s->nexts.items[i]);
    s->nexts.count = 0;
    for (uint32_t i = 0; i < s->taken.count; ++i)
        ct_render_retire_pipeline(&s->context->retire, s->taken.items[i].made);
    s->taken.count = 0;
    for (uint32_t i = 0; i < s->pipelines.count; ++i)
        ct_render_retire_pipeline(&s->context->retire, s->pipelines.items[i].handle);
    s->pipelines.count = 0;
    s->num_awaited = 0;
    ct_hash_map_clear(&s->index_of_pipeline);
    for (uint32_t i = 0; i < s->items.count; ++i)
        drop_layouts(s->context, &s->items.items[i]);
}

void ct_render_shaders_shutdown(ct_render_shaders *s) {
    ct_render_context *const c = s->context;
    ct_render_shaders_drop(s);
    for (uint32_t i = 0; i < s->items.count; ++i)
        clear_shader(c, &s->items.items[i]);
    ct_array_free(&s->items);
    ct_array_free(&s->pipelines);
    ct_array_free(&s->nexts);
    ct_array_free(&s->taken);
    ct_array_free(&s->signatures);
    ct_hash_map_free(&s->index_of_name);
    ct_hash_map_free(&s->index_of_pipeline);
}

uint32_t ct_render_shaders_index(ct_render_shaders *s, ct_string_id64 name) {
    if (!name.value)
        return 0;
    const uint32_t known = (uint32_t)ct_hash_map_get(&s->index_of_name, name.value, 0);
    if (known)
        return known;
    ct_array_push(&s->items, (ct_render_shader){0});
    ct_hash_map_set(&s->index_of_name, name.value, s->items.count - 1);
    return s->items.count - 1;
}

uint32_t ct_render_shaders_signature(ct_render_shaders *s, const ct_render_signature *signature) {
    for (uint32_t i = 0; i < s->signatures.count; ++i) {
        const ct_render_signature *const x = &s->signatures.items[i];
        bool is_same = x->num_colors == signature->num_colors && x->depth == signature->depth &&
                       x->is_shadow_map == signature->is_shadow_map &&
                       x->has_shadows == signature->has_shadows &&
                       x->has_velocity == signature->has_velocity &&
                       x->has_sky_map == signature->has_sky_map &&
                       x->surface_view == signature->surface_view &&
                       x->is_wireframe == signature->is_wireframe;
        for (uint32_t k = 0; k < x->num_colors && is_same; ++k)
            is_same = x->colors[k] == signature->colors[k];
        if (is_same)
            return i;
    }
    CT_REQUIRE(s->signatures.count < MAX_SIGNATURES, "too many combinations of target formats");
    ct_array_push(&s->signatures, *signature);
    return s->signatures.count - 1;
}

// --- Layouts -------------------------------------------------------------------------------------

static VkDescriptorSetLayout create_material_layout(ct_render_context *c,
                                                    const ct_shader_resource *blob) {
    const VkShaderStageFlags stages = CT_RENDER_ALL_STAGES;
    const ct_shader_texture *const textures = ct_blob_at(blob, blob->textures.offset);
    VkDescriptorSetLayoutBinding bindings[1 + CT_SHADER_MAX_TEXTURES];
    uint32_t count = 0;
    if (blob->block_bytes)
        bindings[count++] = (VkDescriptorSetLayoutBinding){
            0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, 1, stages, NULL};
    for (uint32_t i = 0; i < blob->textures.count; ++i)
        bindings[count++] = (VkDescriptorSetLayoutBinding){
            textures[i].binding, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, stages, NULL};
    return ct_render_set_layout_create(c, bindings, count);
}

static void create_layouts(ct_render_context *c, ct_render_shader *x) {
    x->material_layout = create_material_layout(c, x->blob);
    const bool is_compute = x->blob->is_compute;
    const VkDescriptorSetLayout sets[] = {c->frame_layout, x->material_layout,
                                          is_compute ? c->compute_layout : c->inputs_layout};
    const bool has_inputs = is_compute || x->blob->vertices == CT_SHADER_VERTICES_FULLSCREEN;
    // All that draw have the same range, so that they agree about set 0.
    const bool has_constants = !is_compute || x->blob->vertices == CT_SHADER_VERTICES_PARTICLE;
    const VkPushConstantRange constants = {
        is_compute ? VK_SHADER_STAGE_COMPUTE_BIT : VK_SHADER_STAGE_VERTEX_BIT, 0,
        is_compute ? CT_SHADER_PARTICLE_PUSH_BYTES : CT_SHADER_PUSH_CONSTANT_BYTES};
    const VkPipelineLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                             .setLayoutCount = has_inputs ? 3 : 2,
                                             .pSetLayouts = sets,
                                             .pushConstantRangeCount = has_constants,
                                             .pPushConstantRanges = &constants};
    ct_render_check(c->device->vk.CreatePipelineLayout(c->device->handle, &info,
                                                       &c->device->callbacks, &x->layout),
                    "vkCreatePipelineLayout");
}

void ct_render_shaders_restore(ct_render_shaders *s) {
    ++s->version;
    start_maker(s);
    for (uint32_t i = 0; i < s->items.count; ++i)
        if (s->items.items[i].blob)
            create_layouts(s->context, &s->items.items[i]);
}

// --- Online, offline, reload ---------------------------------------------------------------------

// Each part has its own bits, from the highest: 24, 16, 8 and 16.
_Static_assert(CT_SHADER_MAX_OPTIONS <= 16, "options take 16 bits of a key");
static uint64_t pipeline_key(uint32_t shader, uint32_t options, uint32_t signature,
                             uint32_t vertices) {
    return (uint64_t)shader << 40 | (uint64_t)options << 24 | vertices << 16 | signature;
}

static uint64_t key_of(const ct_render_pipeline *p) {
    return pipeline_key(p->shader, p->options, p->signature, p->vertices);
}

static bool has_variant(const ct_render_shader *x, uint32_t options) {
    return x->blob && options < x->blob->variants.count;
}

static void add_job(ct_render_shaders *s, const ct_render_shader *x, const ct_render_pipeline *p,
                    bool is_next) {
    ct_render_pipeline_maker_add(
        &s->maker, &(ct_render_pipeline_job){.key = key_of(p),
                                             .shader = *x,
                                             .owner = p->shader,
                                             .is_next = is_next,
                                             .options = p->options,
                                             .vertices = p->vertices,
                                             .signature = s->signatures.items[p->signature]});
}

// The pipeline made of what is to take a shader's place; VK_NULL_HANDLE when there is none.
static VkPipeline successor(const ct_render_next_shader *next, uint64_t key) {
    for (uint32_t i = 0; next && i < next->made.count; ++i)
        if (next->made.items[i].key == key)
            return next->made.items[i].made;
    return VK_NULL_HANDLE;
}

// Puts those of `next` in place of the shader's pipelines; those that have no successor (all, when
// it is NULL) are forgotten, and made when they are asked for again.
static void replace_pipelines(ct_render_shaders *s, uint32_t shader,
                              const ct_render_next_shader *next) {
    ct_render_pipeline_maker_cancel(&s->maker, shader, false);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < s->pipelines.count; ++i) {
        ct_render_pipeline p = s->pipelines.items[i];
        const uint64_t key = key_of(&p);
        if (p.shader == shader) {
            s->num_awaited -= p.is_awaited;
            p.is_awaited = false;
            ct_render_retire_pipeline(&s->context->retire, p.handle);
            p.handle = successor(next, key);
            if (!p.handle) {
                ct_hash_map_erase(&s->index_of_pipeline, key);
                continue;
            }
        }
        s->pipelines.items[kept++] = p;
        ct_hash_map_set(&s->index_of_pipeline, key, kept);
    }
    s->pipelines.count = kept;
}

// What is to take the shader's place, or NULL. With 0, a free place or NULL.
static ct_render_next_shader *find_next(ct_render_shaders *s, uint32_t shader) {
    for (uint32_t i = 0; i < s->nexts.count; ++i)
        if (s->nexts.items[i].shader == shader)
            return &s->nexts.items[i];
    return NULL;
}

static void forget_next(ct_render_shaders *s, ct_render_next_shader *next) {
    const ct_render_device *const d = s->context->device;
    ct_render_pipeline_maker_cancel(&s->maker, next->shader, true);
    for (uint32_t i = 0; i < next->made.count; ++i)
        d->vk.DestroyPipeline(d->handle, next->made.items[i].made, &d->callbacks);
    for (uint32_t i = 0; i < s->taken.count; ++i)
        if (s->taken.items[i].owner == next->shader) {
            d->vk.DestroyPipeline(d->handle, s->taken.items[i].made, &d->callbacks);
            s->taken.items[i] = (ct_render_pipeline_job){.is_next = true};
        }
    clear_shader(s->context, &next->item);
    ct_array_free(&next->made);
    *next = (ct_render_next_shader){.shader = 0};
}

// False when a pipeline that the old shader has cannot be made of the new one.
static bool are_all_made(const ct_render_shaders *s, const ct_render_next_shader *next) {
    for (uint32_t i = 0; i < next->made.count; ++i) {
        const ct_render_pipeline_job *const job = &next->made.items[i];
        const uint32_t at = (uint32_t)ct_hash_map_get(&s->index_of_pipeline, job->key, 0);
        if (!job->made && at && s->pipelines.items[at - 1].handle)
            return false;
    }
    return true;
}

// Lets the new shader take the place of the old one, now that its pipelines are made.
static void take_place(ct_render_shaders *s, ct_render_next_shader *next) {
    // A lost device makes none; the next one will.
    if (!are_all_made(s, next) && !ct_render_device_is_lost()) {
        ct_log_error("render", "shader_refused",
                     "the driver refused the new shader; the old one stays in use");
        forget_next(s, next);
        return;
    }
    replace_pipelines(s, next->shader, next);
    clear_shader(s->context, &s->items.items[next->shader]);
    s->items.items[next->shader] = next->item;
    ct_array_free(&next->made);
    *next = (ct_render_next_shader){.shader = 0};
    ++s->version;
    ++s->context->version;
}

static void take_offline(ct_render_shaders *s, uint32_t shader) {
    replace_pipelines(s, shader, NULL);
    clear_shader(s->context, &s->items.items[shader]);
}

// Asks for all pipelines of the shader, made of what is to take its place.
static void ask_for_next(ct_render_shaders *s, ct_render_next_shader *next) {
    for (uint32_t i = 0; i < s->pipelines.count && !ct_render_device_is_lost(); ++i) {
        const ct_render_pipeline *const p = &s->pipelines.items[i];
        if (p->shader != next->shader || !has_variant(&next->item, p->options))
            continue;
        add_job(s, &next->item, p, true);
        ++next->num_awaited;
    }
}

static void bring_online(ct_render_shaders *s, uint32_t shader, const ct_shader_resource *blob) {
    ct_render_context *const c = s->context;
    ct_render_next_shader *next = find_next(s, 0);
    if (!next) {
        ct_array_push(&s->nexts, (ct_render_next_shader){0});
        next = &s->nexts.items[s->nexts.count - 1];
    }
    *next = (ct_render_next_shader){.shader = shader};
    ct_array_init(&next->made, c->allocator);
    next->item.blob = ct_alloc(c->allocator, blob->header.size_bytes);
    memcpy(next->item.blob, blob, blob->header.size_bytes);
    create_layouts(c, &next->item);
    ask_for_next(s, next);
    if (!next->num_awaited)
        take_place(s, next);
    else if (s->mode != CT_RENDERER_PIPELINES_AHEAD)
        ct_render_shaders_wait(s);
}

void ct_render_shaders_set(ct_render_shaders *s, ct_string_id64 name,
                           const ct_shader_resource *blob) {
    const uint32_t shader = ct_render_shaders_index(s, name);
    ct_render_next_shader *const next = find_next(s, shader);
    ++s->version;
    ++s->context->version;
    if (next && shader)
        forget_next(s, next);
    if (blob)
        bring_online(s, shader, blob);
    else
        take_offline(s, shader);
}

// --- Made by others ------------------------------------------------------------------------------

static void take_job(ct_render_shaders *s, const ct_render_pipeline_job *job) {
    if (job->result == VK_ERROR_DEVICE_LOST || job->result == VK_ERROR_OUT_OF_DEVICE_MEMORY)
        ct_vulkan_guard_lose("vkCreateGraphicsPipelines", job->result);
    if (job->is_next) {
        ct_render_next_shader *const next = find_next(s, job->owner);
        ct_array_push(&next->made, *job);
        if (--next->num_awaited == 0)
            take_place(s, next);
        return;
    }
    const uint32_t at = (uint32_t)ct_hash_map_get(&s->index_of_pipeline, job->key, 0);
    CT_ASSERT(at, "a pipeline was made that is not awaited");
    s->pipelines.items[at - 1].handle = job->made;
    s->pipelines.items[at - 1].is_awaited = false;
    --s->num_awaited;
}

// Takes what is made but shaders that are to take the place of others: the frame being recorded
// uses the old ones.
static void collect_pipelines(ct_render_shaders *s) {
    ct_render_pipeline_maker_take(&s->maker, &s->taken);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < s->taken.count; ++i)
        if (s->taken.items[i].is_next)
            s->taken.items[kept++] = s->taken.items[i];
        else
            take_job(s, &s->taken.items[i]);
    s->taken.count = kept;
}

void ct_render_shaders_collect(ct_render_shaders *s) {
    collect_pipelines(s);
    for (uint32_t i = 0; i < s->taken.count; ++i) {
        const ct_render_pipeline_job job = s->taken.items[i];
        s->taken.items[i] = (ct_render_pipeline_job){.is_next = true};
        if (job.owner)
            take_job(s, &job);
    }
    s->taken.count = 0;
}

void ct_render_shaders_wait(ct_render_shaders *s) {
    ct_render_pipeline_maker_wait(&s->maker);
    ct_render_shaders_collect(s);
}

// --- Pipelines -----------------------------------------------------------------------------------

void ct_render_shaders_ask(ct_render_shaders *s, uint32_t shader, uint32_t options,
                           uint32_t signature, uint32_t vertices) {
    const uint64_t key = pipeline_key(shader, options, signature, vertices);
    const ct_render_shader *const x = &s->items.items[shader];
    if (!has_variant(x, options) || ct_hash_map_get(&s->index_of_pipeline, key, 0) ||
        ct_render_device_is_lost())
        return;
    const ct_render_pipeline p = {.shader = shader,
                                  .options = options,
                                  .signature = signature,
                                  .vertices = vertices,
                                  .is_awaited = true};
    ct_array_push(&s->pipelines, p);
    ct_hash_map_set(&s->index_of_pipeline, key, s->pipelines.count);
    ++s->num_awaited;
    add_job(s, x, &p, false);
}

static void note_late(ct_render_shaders *s, uint32_t shader, uint32_t options, uint32_t vertices) {
    uint32_t cursor = 0;
    const ct_hash_map_entry *entry = ct_hash_map_next(&s->index_of_name, &cursor);
    while (entry && entry->value != shader)
        entry = ct_hash_map_next(&s->index_of_name, &cursor);
    ++s->num_late;
    ct_log_debug("render",
                 "a pipeline of the shader \"%s\" was made late, for options %#x and vertices %#x",
                 ct_string_id64_name((ct_string_id64){entry ? entry->key : 0}), options, vertices);
}

VkPipeline ct_render_shaders_pipeline(ct_render_shaders *s, uint32_t shader, uint32_t options,
                                      uint32_t signature, uint32_t vertices) {
    const uint64_t key = pipeline_key(shader, options, signature, vertices);
    uint32_t at = (uint32_t)ct_hash_map_get(&s->index_of_pipeline, key, 0);
    if (at && !s->pipelines.items[at - 1].is_awaited)
        return s->pipelines.items[at - 1].handle;
    if (!has_variant(&s->items.items[shader], options) || ct_render_device_is_lost())
        return VK_NULL_HANDLE;
    note_late(s, shader, options, vertices);
    ct_render_shaders_ask(s, shader, options, signature, vertices);
    ct_render_pipeline_maker_hurry(&s->maker, key, false);
    collect_pipelines(s);
    at = (uint32_t)ct_hash_map_get(&s->index_of_pipeline, key, 0);
    return at ? s->pipelines.items[at - 1].handle : VK_NULL_HANDLE;
}

bool ct_render_shaders_is_awaited(const ct_render_shaders *s, uint32_t shader, uint32_t options,
                                  uint32_t signature, uint32_t vertices) {
    if (!s->num_awaited)
        return false;
    const uint64_t key = pipeline_key(shader, options, signature, vertices);
    const uint32_t at = (uint32_t)ct_hash_map_get(&s->index_of_pipeline, key, 0);
    return at && s->pipelines.items[at - 1].is_awaited;
}
