#include "render/graph/render_pass.h"

#include <string.h>

#include "foundation/log.h"

// --- Materials -----------------------------------------------------------------------------------

// Writes what settings say to a copy of the material's block.
static void fill_parameters(const ct_render_graph *g, const ct_render_graph_step *step,
                            const ct_shader_resource *shader, uint8_t *block) {
    const ct_shader_parameter *const parameters = ct_blob_at(shader, shader->parameters.offset);
    for (uint32_t i = 0; i < shader->parameters.count; ++i)
        for (uint32_t k = 0; k < step->num_parameters; ++k)
            if (parameters[i].name.value == step->parameters[k].name.value &&
                parameters[i].type != CT_SHADER_PARAMETER_TYPE_MATRIX4X4) // no setting is one
                memcpy(block + parameters[i].offset, g->view_values[step->parameters[k].setting],
                       sizeof(float) * ct_shader_parameter_floats(parameters[i].type));
}

// Room for a block in the buffer that the material's set is for; its offset is set. NULL when the
// material cannot be drawn with.
static uint8_t *allocate_block(ct_render_graph *g, uint32_t material, uint32_t *offset) {
    ct_render_frames *const frames = g->materials->frames;
    for (;;) {
        const ct_render_material *const m = ct_render_materials_ready(g->materials, material);
        if (!m || !m->block_bytes)
            return NULL;
        uint8_t *const mapped = ct_render_frames_uniforms(frames, m->block_bytes, offset);
        // A larger buffer may have taken the place of the material's.
        if (m->uploaded_buffer == frames->uniforms.handle)
            return mapped;
    }
}

// The material of a step and where its block lies, with the parameters that settings say. NULL when
// it cannot be drawn with.
static const ct_render_material *ready(ct_render_graph *g, const ct_render_graph_step *step,
                                       uint32_t *offset) {
    uint8_t *const mapped = step->num_parameters ? allocate_block(g, step->material, offset) : NULL;
    const ct_render_material *const m = ct_render_materials_ready(g->materials, step->material);
    if (m && !mapped)
        *offset = m->block_offset;
    if (!m || !mapped)
        return m;
    // Filled aside: mapped memory is only ever written.
    uint8_t block[CT_SHADER_MAX_BLOCK_BYTES];
    memcpy(block, m->block, m->block_bytes);
    fill_parameters(g, step, g->shaders->items.items[m->shader].blob, block);
    memcpy(mapped, block, m->block_bytes);
    return m;
}

static void bind_set(ct_render_draws *d, VkPipelineBindPoint point, VkPipelineLayout layout,
                     uint32_t number, VkDescriptorSet set, const uint32_t *offsets,
                     uint32_t num_offsets) {
    d->context->device->vk.CmdBindDescriptorSets(d->context->commands, point, layout, number, 1,
                                                 &set, num_offsets, offsets);
}

// Binds the pipeline and all three sets of a step. False when the driver refused its shader.
static bool bind_step(ct_render_draws *d, const ct_render_graph_step *step,
                      const ct_render_frame_set *set, VkDescriptorSet inputs,
                      VkPipelineBindPoint point) {
    ct_render_graph *const g = d->graph;
    uint32_t offset = 0;
    const ct_render_material *const m = ready(g, step, &offset);
    if (!m)
        return false;
    const ct_shader_resource *const blob = g->shaders->items.items[m->shader].blob;
    const VkPipeline pipeline = ct_render_shaders_pipeline(
        g->shaders, m->shader, m->options | ct_render_graph_options(g, step, blob, NULL),
        step->attachments.signature, 0);
    if (!pipeline)
        return false;
    const VkPipelineLayout layout = g->shaders->items.items[m->shader].layout;
    d->context->device->vk.CmdBindPipeline(d->context->commands, point, pipeline);
    bind_set(d, point, layout, CT_RENDER_SET_FRAME, set->handle, set->offsets, 2);
    if (m->set.handle)
        bind_set(d, point, layout, CT_RENDER_SET_MATERIAL, m->set.handle, &offset,
                 m->block_bytes ? 1 : 0);
    bind_set(d, point, layout, CT_RENDER_SET_INPUTS, inputs, NULL, 0);
    return true;
}

// The shader of a step, when its material is one of it.
static const ct_shader_resource *shader_of(ct_render_graph *g, const ct_render_graph_step *step) {
    const ct_shader_resource *const blob = g->shaders->items.items[step->shader].blob;
    const ct_render_material *const material =
        ct_render_materials_bound(g->materials, step->material);
    return material && material->shader == step->shader ? blob : NULL;
}

// Whether the targets of a step are large enough for the mips that it names. In a small window some
// steps have nothing to do.
static bool has_mips(const ct_render_graph *g, const ct_render_graph_step *step) {
    const ct_render_attachments *const x = &step->attachments;
    bool has = true;
    for (uint32_t i = 0; i < x->num_colors; ++i)
        has &= x->mip < g->targets[x->colors[i]].image.num_mips;
    for (uint32_t i = 0; i < step->num_outputs; ++i)
        has &= step->output_mips[i] < g->targets[step->outputs[i]].image.num_mips;
    for (uint32_t i = 0; i < step->num_inputs; ++i)
        has &= step->input_mips[i] == CT_RENDER_ALL_MIPS ||
               !g->targets[step->inputs[i]].image.handle ||
               step->input_mips[i] < g->targets[step->inputs[i]].image.num_mips;
    return has;
}

static void warn(const ct_render_graph_step *step) {
    ct_log_warning("render", "pass_not_drawn",
                   "the step \"%s\" of the render config is skipped: its shader or material is not "
                   "loaded, or does not fit the step",
                   step->name);
}

// --- Fullscreen passes ---------------------------------------------------------------------------

void ct_render_pass_draw(ct_render_draws *d, ct_render_graph_step *step,
                         const ct_render_frame_set *set) {
    const ct_shader_resource *const blob = shader_of(d->graph, step);
    if (!blob || blob->is_compute || blob->vertices != CT_SHADER_VERTICES_FULLSCREEN) {
        warn(step);
        return;
    }
    if (!has_mips(d->graph, step))
        return;
    const ct_vulkan_api *const vk = &d->context->device->vk;
    const VkDescriptorSet inputs = ct_render_graph_begin_pass(d->graph, step);
    if (!bind_step(d, step, set, inputs, VK_PIPELINE_BIND_POINT_GRAPHICS))
        return;
    vk->CmdSetFrontFace(d->context->commands, VK_FRONT_FACE_COUNTER_CLOCKWISE);
    vk->CmdDraw(d->context->commands, 3, 1, 0, 0);
    ct_render_draws_unbind(d);
    ++d->stats.num_draws;
}

// --- Compute steps -------------------------------------------------------------------------------

static bool are_outputs_of(const ct_shader_resource *blob, const ct_render_graph *g,
                           const ct_render_graph_step *step) {
    const ct_shader_output *const outputs = ct_blob_at(blob, blob->outputs.offset);
    bool is_same = blob->outputs.count == step->num_outputs;
    for (uint32_t i = 0; i < step->num_outputs && is_same; ++i)
        is_same = outputs[i].format == g->targets[step->outputs[i]].desc.format;
    return is_same;
}

static uint32_t groups_for(uint32_t pixels, uint32_t group_size) {
    return (pixels + group_size - 1) / group_size;
}

void ct_render_pass_compute(ct_render_draws *d, ct_render_graph_step *step,
                            const ct_render_frame_set *set) {
    ct_render_graph *const g = d->graph;
    const ct_shader_resource *const blob = shader_of(g, step);
    if (!blob || !blob->is_compute || blob->vertices == CT_SHADER_VERTICES_PARTICLE ||
        !are_outputs_of(blob, g, step)) {
        warn(step);
        return;
    }
    if (!has_mips(g, step))
        return;
    const VkDescriptorSet inputs = ct_render_graph_begin_compute(g, step);
    if (!bind_step(d, step, set, inputs, VK_PIPELINE_BIND_POINT_COMPUTE))
        return;
    uint32_t groups[3];
    memcpy(groups, step->groups, sizeof(groups));
    if (!groups[0]) {
        const ct_render_image *const image = &g->targets[step->cover].image;
        groups[0] = groups_for(image->width, blob->group_size[0]);
        groups[1] = groups_for(image->height, blob->group_size[1]);
        groups[2] = 1;
    }
    d->context->device->vk.CmdDispatch(d->context->commands, groups[0], groups[1], groups[2]);
}
