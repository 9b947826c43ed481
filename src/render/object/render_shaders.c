#include "render/object/render_shaders.h"

#include <string.h>

#include "foundation/error.h"
#include "foundation/log.h"
#include "render/object/render_pipeline.h"

enum { MAX_SIGNATURES = 1 << 16 };

static void create_cache(ct_render_shaders *s) {
    const ct_render_device *const d = s->context->device;
    const VkPipelineCacheCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
    ct_render_check(d->vk.CreatePipelineCache(d->handle, &info, &d->callbacks, &s->cache),
                    "vkCreatePipelineCache");
}

void ct_render_shaders_init(ct_render_shaders *s, ct_render_context *c) {
    *s = (ct_render_shaders){.context = c};
    create_cache(s);
    ct_hash_map_init(&s->index_of_name, c->allocator);
    ct_hash_map_init(&s->index_of_pipeline, c->allocator);
    ct_array_init(&s->items, c->allocator);
    ct_array_init(&s->pipelines, c->allocator);
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

void ct_render_shaders_drop(ct_render_shaders *s) {
    const ct_render_device *const d = s->context->device;
    for (uint32_t i = 0; i < s->pipelines.count; ++i)
        ct_render_retire_pipeline(&s->context->retire, s->pipelines.items[i].handle);
    s->pipelines.count = 0;
    ct_hash_map_clear(&s->index_of_pipeline);
    for (uint32_t i = 0; i < s->items.count; ++i)
        drop_layouts(s->context, &s->items.items[i]);
    if (d->handle)
        d->vk.DestroyPipelineCache(d->handle, s->cache, &d->callbacks);
    s->cache = VK_NULL_HANDLE;
}

void ct_render_shaders_shutdown(ct_render_shaders *s) {
    ct_render_context *c = s->context;
    ct_render_shaders_drop(s);
    for (uint32_t i = 0; i < s->items.count; ++i)
        clear_shader(c, &s->items.items[i]);
    ct_array_free(&s->items);
    ct_array_free(&s->pipelines);
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
        const ct_render_signature *x = &s->signatures.items[i];
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
    const ct_shader_texture *textures = ct_blob_at(blob, blob->textures.offset);
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
    const VkPushConstantRange constants = {VK_SHADER_STAGE_VERTEX_BIT, 0,
                                           CT_SHADER_PUSH_CONSTANT_BYTES};
    const VkPipelineLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                             .setLayoutCount = has_inputs ? 3 : 2,
                                             .pSetLayouts = sets,
                                             .pushConstantRangeCount = is_compute ? 0 : 1,
                                             .pPushConstantRanges = &constants};
    ct_render_check(c->device->vk.CreatePipelineLayout(c->device->handle, &info,
                                                       &c->device->callbacks, &x->layout),
                    "vkCreatePipelineLayout");
}

void ct_render_shaders_restore(ct_render_shaders *s) {
    create_cache(s);
    for (uint32_t i = 0; i < s->items.count; ++i)
        if (s->items.items[i].blob)
            create_layouts(s->context, &s->items.items[i]);
}

// --- Online, offline, reload ---------------------------------------------------------------------

// Makes new pipelines for all that the shader has; handles at their positions in `made`. False when
// one cannot be made.
static bool remake_pipelines(ct_render_shaders *s, uint32_t shader, const ct_render_shader *x,
                             VkPipeline *made) {
    for (uint32_t i = 0; i < s->pipelines.count; ++i) {
        const ct_render_pipeline *const p = &s->pipelines.items[i];
        if (p->shader != shader || p->options >= x->blob->variants.count)
            continue;
        made[i] = ct_render_pipeline_create(s->context, s->cache, x, p->options,
                                            &s->signatures.items[p->signature], p->vertices);
        if (!made[i] && p->handle)
            return false;
    }
    return true;
}

static void drop_pipelines(ct_render_shaders *s, const VkPipeline *made) {
    const ct_render_device *const d = s->context->device;
    for (uint32_t i = 0; i < s->pipelines.count; ++i)
        if (made[i])
            d->vk.DestroyPipeline(d->handle, made[i], &d->callbacks);
}

// Each part has its own bits, from the highest: 24, 16, 8 and 16.
_Static_assert(CT_SHADER_MAX_OPTIONS <= 16, "options take 16 bits of a key");
static uint64_t pipeline_key(uint32_t shader, uint32_t options, uint32_t signature,
                             uint32_t vertices) {
    return (uint64_t)shader << 40 | (uint64_t)options << 24 | vertices << 16 | signature;
}

// Puts `made` in place of the shader's pipelines; those that have no successor are forgotten, and
// made when they are asked for again.
static void replace_pipelines(ct_render_shaders *s, uint32_t shader, const VkPipeline *made) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < s->pipelines.count; ++i) {
        ct_render_pipeline p = s->pipelines.items[i];
        const uint64_t key = pipeline_key(p.shader, p.options, p.signature, p.vertices);
        if (p.shader == shader) {
            ct_render_retire_pipeline(&s->context->retire, p.handle);
            p.handle = made ? made[i] : VK_NULL_HANDLE;
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

static void take_offline(ct_render_shaders *s, uint32_t shader) {
    replace_pipelines(s, shader, NULL);
    clear_shader(s->context, &s->items.items[shader]);
}

static void bring_online(ct_render_shaders *s, uint32_t shader, const ct_shader_resource *blob) {
    ct_render_context *c = s->context;
    ct_render_shader x = {.blob = ct_alloc(c->allocator, blob->header.size_bytes)};
    memcpy(x.blob, blob, blob->header.size_bytes);
    create_layouts(c, &x);
    VkPipeline *const made = CT_NEW_ARRAY(c->allocator, VkPipeline, s->pipelines.count + 1);
    // A lost device makes none; the next one will.
    if (remake_pipelines(s, shader, &x, made) || ct_render_device_is_lost()) {
        replace_pipelines(s, shader, made);
        clear_shader(c, &s->items.items[shader]);
        s->items.items[shader] = x;
    } else {
        ct_log_error("render", "shader_refused",
                     "the driver refused the new shader; the old one stays in use");
        drop_pipelines(s, made);
        clear_shader(c, &x);
    }
    ct_free(c->allocator, made);
}

void ct_render_shaders_set(ct_render_shaders *s, ct_string_id64 name,
                           const ct_shader_resource *blob) {
    const uint32_t shader = ct_render_shaders_index(s, name);
    ++s->context->version;
    if (blob)
        bring_online(s, shader, blob);
    else
        take_offline(s, shader);
}

// --- Pipelines -----------------------------------------------------------------------------------

VkPipeline ct_render_shaders_pipeline(ct_render_shaders *s, uint32_t shader, uint32_t options,
                                      uint32_t signature, uint32_t vertices) {
    const uint64_t key = pipeline_key(shader, options, signature, vertices);
    const uint32_t known = (uint32_t)ct_hash_map_get(&s->index_of_pipeline, key, 0);
    if (known)
        return s->pipelines.items[known - 1].handle;
    const ct_render_shader *x = &s->items.items[shader];
    if (!x->blob || options >= x->blob->variants.count)
        return VK_NULL_HANDLE;
    ct_render_pipeline p = {
        .shader = shader, .options = options, .signature = signature, .vertices = vertices};
    p.handle = ct_render_pipeline_create(s->context, s->cache, x, options,
                                         &s->signatures.items[signature], vertices);
    ct_array_push(&s->pipelines, p);
    ct_hash_map_set(&s->index_of_pipeline, key, s->pipelines.count);
    return p.handle;
}
