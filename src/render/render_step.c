// A row in the table below, and a function, for each kind of step.
#include "render/render_step.h"

#include <string.h>

#include "foundation/error.h"
#include "foundation/log.h"
#include "foundation/profiler.h"

static void draw_lines(ct_render_draws *d, const ct_render_world *world, uint32_t signature,
                       const ct_render_frame_set *set) {
    if (!world->num_line_vertices)
        return;
    if (!ct_render_draws_bind(d, d->graph->line_material, signature, set))
        return;
    const ct_vulkan_api *vk = &d->context->device->vk;
    const VkDeviceSize offset = 0;
    vk->CmdBindVertexBuffers(d->context->commands, 0, 1, &world->lines_buffer, &offset);
    vk->CmdDraw(d->context->commands, world->num_line_vertices, 1, world->first_line_vertex, 0);
    d->mesh = 0;
    ++d->stats.num_draws;
}

// True when debug lines belong to this layer.
static bool is_line_layer(const ct_render_graph *g, uint32_t layer) {
    const ct_shader_resource *blob = g->shaders->items.items[g->line_shader].blob;
    return blob && blob->vertices == CT_SHADER_VERTICES_LINE &&
           blob->layer.value == g->layers[layer].name.value;
}

static void draw_layer(ct_render_draws *d, ct_render_world *world, uint32_t layer,
                       const ct_render_frame_set *set) {
    ct_render_graph *g = d->graph;
    ct_render_graph_draw_to(g, &g->layers[layer].attachments);
    ct_render_draws_record(d, layer, set);
    if (is_line_layer(g, layer))
        draw_lines(d, world, g->layers[layer].attachments.signature, set);
}

// Writes what settings say to a copy of the material's block.
static void fill_parameters(const ct_render_graph *g, const ct_render_graph_step *step,
                            const ct_shader_resource *shader, uint8_t *block) {
    const ct_shader_parameter *parameters = ct_blob_at(shader, shader->parameters.offset);
    for (uint32_t i = 0; i < shader->parameters.count; ++i)
        for (uint32_t k = 0; k < step->num_parameters; ++k)
            if (parameters[i].name.value == step->parameters[k].name.value)
                memcpy(block + parameters[i].offset, g->values[step->parameters[k].setting],
                       sizeof(float) * ct_shader_parameter_floats(parameters[i].type));
}

// Room for a block in the buffer that the material's set is for; its offset is set. NULL when the
// material cannot be drawn with.
static uint8_t *allocate_block(ct_render_graph *g, uint32_t material, uint32_t *offset) {
    ct_render_frames *frames = g->materials->frames;
    for (;;) {
        const ct_render_material *m = ct_render_materials_ready(g->materials, material);
        if (!m || !m->block_bytes)
            return NULL;
        uint8_t *mapped = ct_render_frames_uniforms(frames, m->block_bytes, offset);
        // A larger buffer may have taken the place of the material's.
        if (m->uploaded_buffer == frames->uniforms.handle)
            return mapped;
    }
}

// As ct_render_draws_bind, with the parameters that settings say.
static bool bind_pass(ct_render_draws *d, const ct_render_graph_step *step,
                      const ct_render_frame_set *set) {
    ct_render_graph *g = d->graph;
    uint32_t offset = 0;
    uint8_t *mapped = step->num_parameters ? allocate_block(g, step->material, &offset) : NULL;
    const ct_render_material *m =
        ct_render_draws_bind(d, step->material, step->attachments.signature, set);
    if (!m || !mapped)
        return m != NULL;
    uint8_t block[CT_SHADER_MAX_BLOCK_BYTES];
    memcpy(block, m->block, m->block_bytes);
    fill_parameters(g, step, g->shaders->items.items[m->shader].blob, block);
    memcpy(mapped, block, m->block_bytes);
    d->context->device->vk.CmdBindDescriptorSets(
        d->context->commands, VK_PIPELINE_BIND_POINT_GRAPHICS,
        g->shaders->items.items[m->shader].layout, CT_RENDER_SET_MATERIAL, 1, &m->set.handle, 1,
        &offset);
    d->block_offset = offset;
    return true;
}

static void fullscreen_pass(ct_render_draws *d, ct_render_graph_step *step,
                            const ct_render_frame_set *set) {
    ct_render_graph *g = d->graph;
    const ct_shader_resource *blob = g->shaders->items.items[step->shader].blob;
    const ct_render_material *material = ct_render_materials_bound(g->materials, step->material);
    if (!blob || blob->vertices != CT_SHADER_VERTICES_FULLSCREEN || !material ||
        material->shader != step->shader) {
        ct_log_warning("render", "pass_not_drawn",
                       "a fullscreen pass of the render config is left out: its shader or material "
                       "is not loaded, or they do not belong together");
        return;
    }
    const VkDescriptorSet inputs = ct_render_graph_begin_pass(g, step);
    if (!bind_pass(d, step, set))
        return;
    const ct_vulkan_api *vk = &d->context->device->vk;
    vk->CmdBindDescriptorSets(d->context->commands, VK_PIPELINE_BIND_POINT_GRAPHICS,
                              g->shaders->items.items[step->shader].layout, CT_RENDER_SET_INPUTS, 1,
                              &inputs, 0, NULL);
    vk->CmdDraw(d->context->commands, 3, 1, 0, 0);
    ++d->stats.num_draws;
}

// --- The table -----------------------------------------------------------------------------------

static void run_clear(ct_render_draws *d, ct_render_world *world, ct_render_graph_step *step,
                      const ct_render_frame_set *set) {
    (void)world, (void)set;
    ct_render_graph_clear(d->graph, step);
}

static void run_draw_layer(ct_render_draws *d, ct_render_world *world, ct_render_graph_step *step,
                           const ct_render_frame_set *set) {
    draw_layer(d, world, step->layer, set);
}

static void run_fullscreen_pass(ct_render_draws *d, ct_render_world *world,
                                ct_render_graph_step *step, const ct_render_frame_set *set) {
    (void)world;
    fullscreen_pass(d, step, set);
}

static void (*const runners[])(ct_render_draws *d, ct_render_world *world,
                               ct_render_graph_step *step, const ct_render_frame_set *set) = {
    [CT_RENDER_STEP_TYPE_CLEAR] = run_clear,
    [CT_RENDER_STEP_TYPE_DRAW_LAYER] = run_draw_layer,
    [CT_RENDER_STEP_TYPE_FULLSCREEN_PASS] = run_fullscreen_pass,
};

void ct_render_step_run(ct_render_draws *d, ct_render_world *world, ct_render_graph_step *step,
                        const ct_render_frame_set *set) {
    CT_PROFILER_SCOPE(step->name);
    ct_render_timing *const timing = &d->graph->materials->frames->timing;
    const uint32_t timed = ct_render_timing_enter(timing, step->name);
    CT_ASSERT(step->type > 0 && step->type < CT_COUNT_OF(runners), "step of type %u", step->type);
    runners[step->type](d, world, step, set);
    ct_render_timing_leave(timing, timed);
}
