#include "render/draw/render_gui_draw.h"

#include "foundation/log.h"
#include "foundation/math/math.h"
#include "foundation/profiler/profiler.h"

// --- Uploads -------------------------------------------------------------------------------------

static void barrier(const ct_render_context *c, VkPipelineStageFlags2 stage_from,
                    VkAccessFlags2 access_from, VkPipelineStageFlags2 stage_to,
                    VkAccessFlags2 access_to) {
    const VkMemoryBarrier2 b = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
                                .srcStageMask = stage_from,
                                .srcAccessMask = access_from,
                                .dstStageMask = stage_to,
                                .dstAccessMask = access_to};
    const VkDependencyInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO, .memoryBarrierCount = 1, .pMemoryBarriers = &b};
    c->device->vk.CmdPipelineBarrier2(c->commands, &info);
}

void ct_render_guis_upload(ct_render_world *world, ct_render_frames *f) {
    CT_PROFILER_SCOPE("upload GUIs");
    uint64_t pending = 0;
    for (uint32_t i = 0; i < world->guis.count; ++i)
        pending += ct_render_batches_pending_bytes(&world->guis.items[i].batches);
    // The frame before may still read, and have copied to, what is written over.
    if (pending)
        barrier(f->context,
                VK_PIPELINE_STAGE_2_VERTEX_ATTRIBUTE_INPUT_BIT | VK_PIPELINE_STAGE_2_COPY_BIT,
                VK_ACCESS_2_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_2_COPY_BIT,
                VK_ACCESS_2_TRANSFER_WRITE_BIT);
    for (uint32_t i = 0; i < world->guis.count; ++i)
        ct_render_batches_upload(&world->guis.items[i].batches, f);
    if (pending)
        barrier(f->context, VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT,
                VK_PIPELINE_STAGE_2_VERTEX_ATTRIBUTE_INPUT_BIT,
                VK_ACCESS_2_VERTEX_ATTRIBUTE_READ_BIT);
}

// --- Matrices ------------------------------------------------------------------------------------

static ct_mat4 screen_to_clip(const ct_render_gui_desc *desc, float width, float height) {
    float scale = 1.0f, left = 0.0f, bottom = 0.0f;
    if (desc->reference[0] > 0.0f && desc->reference[1] > 0.0f) {
        const float x = width / desc->reference[0], y = height / desc->reference[1];
        scale = x < y ? x : y;
        left = 0.5f * (width - desc->reference[0] * scale);
        bottom = 0.5f * (height - desc->reference[1] * scale);
    }
    ct_mat4 m = {.raw = {{0}}};
    m.raw[0][0] = 2.0f * scale / width;
    m.raw[1][1] = -2.0f * scale / height;
    m.raw[3][0] = 2.0f * (left + desc->offset[0] * scale) / width - 1.0f;
    m.raw[3][1] = 1.0f - 2.0f * (bottom + desc->offset[1] * scale) / height;
    m.raw[3][3] = 1.0f;
    return m;
}

// The GUI's y axis is the pose's z axis; its z axis goes along the pose's y axis.
static ct_mat4 world_to_clip(const ct_render_gui_desc *desc, const ct_mat4 *view_projection) {
    ct_mat4 m = {.raw = {{0}}};
    m.raw[0][0] = desc->scale[0];
    m.raw[1][2] = desc->scale[1];
    m.raw[2][1] = desc->scale[0];
    m.raw[3][3] = 1.0f;
    return ct_mat4_mul(*view_projection, ct_mat4_mul(desc->pose, m));
}

// --- Drawing -------------------------------------------------------------------------------------

// Returns whether the material of a batch can draw quads. Materials that are not online draw
// nothing.
static bool is_drawable(const ct_render_draws *d, ct_render_batch *b) {
    const ct_render_material *const m = ct_render_materials_bound(d->graph->materials, b->material);
    const ct_shader_resource *const blob =
        m ? d->graph->shaders->items.items[m->shader].blob : NULL;
    if (!blob)
        return false;
    const bool is_right = !blob->is_compute && blob->vertices == CT_SHADER_VERTICES_BATCH;
    if (!is_right && !b->has_warned)
        ct_log_warning("render", "gui_material",
                       "objects of a GUI are not drawn: the shader \"%s\" of their material is not "
                       "for GUIs; expected one with vertices = \"batch\", such as core/shaders/gui",
                       ct_string_id64_name(m->shader_name));
    b->has_warned = !is_right;
    return is_right;
}

static void draw_batch(ct_render_draws *d, ct_render_batch *b, uint32_t signature,
                       const ct_render_frame_set *set, const ct_render_gui *gui,
                       const ct_mat4 *to_clip) {
    const uint32_t num_quads = ct_render_batch_num_quads(b);
    if (!num_quads || !b->num_used || !is_drawable(d, b))
        return;
    const ct_render_material *const m = ct_render_draws_bind(d, b->material, signature, 0, set);
    if (!m)
        return;
    const ct_vulkan_api *const vk = &d->context->device->vk;
    const VkCommandBuffer commands = d->context->commands;
    vk->CmdPushConstants(commands, d->graph->shaders->items.items[m->shader].layout,
                         VK_SHADER_STAGE_VERTEX_BIT, 0, CT_SHADER_PUSH_CONSTANT_BYTES,
                         to_clip->raw);
    const bool has_depth_test =
        gui->desc.space == CT_RENDER_GUI_SPACE_WORLD && !gui->desc.is_on_top;
    vk->CmdSetDepthTestEnable(commands, has_depth_test);
    const VkDeviceSize offset = (VkDeviceSize)b->first_vertex * sizeof(ct_batch_vertex);
    vk->CmdBindVertexBuffers(commands, 0, 1, &b->vertex_buffer, &offset);
    ct_render_draws_bind_quads(d, num_quads);
    vk->CmdDrawIndexed(commands, num_quads * CT_RENDER_QUAD_INDICES, 1, 0, 0, 0);
    ++d->stats.num_draws;
    d->stats.num_triangles += num_quads * 2;
    d->mesh = 0; // its buffers are not bound any more
}

static void draw_gui(ct_render_draws *d, const ct_render_gui *gui, uint32_t signature,
                     const ct_render_frame_set *set) {
    ct_mat4 to_clip;
    if (gui->desc.space == CT_RENDER_GUI_SPACE_SCREEN) {
        const VkRect2D area = ct_render_graph_open_area(d->graph);
        to_clip = screen_to_clip(&gui->desc, (float)area.extent.width, (float)area.extent.height);
    } else {
        to_clip = world_to_clip(&gui->desc, &d->view_projection);
    }
    for (uint32_t i = 0; i < gui->batches.order.count; ++i)
        draw_batch(d, &gui->batches.batches.items[gui->batches.order.items[i]], signature, set, gui,
                   &to_clip);
}

void ct_render_guis_draw(ct_render_draws *d, ct_render_world *world,
                         const ct_render_graph_step *step, const ct_render_frame_set *set) {
    const ct_string_id32 layer = d->graph->layers[step->layer].name;
    const ct_render_attachments *const x = ct_render_graph_step_attachments(d->graph, step);
    for (uint32_t i = 0; i < world->guis.count; ++i) {
        const ct_render_gui *const gui = &world->guis.items[i];
        if (gui->desc.layer.value == layer.value && !gui->desc.is_hidden)
            draw_gui(d, gui, x->signature, set);
    }
}

// --- Layers --------------------------------------------------------------------------------------

void ct_render_guis_check_layers(const ct_render_graph *g, ct_render_world *world) {
    for (uint32_t i = 0; i < world->guis.count; ++i) {
        ct_render_gui *const gui = &world->guis.items[i];
        if (gui->has_warned || !g->config ||
            ct_render_graph_layer_named(g, gui->desc.layer) < g->num_layers)
            continue;
        gui->has_warned = true;
        ct_log_warning("render", "no_gui_layer",
                       "a GUI is not drawn: the render config has no layer \"%s\"; add it as "
                       "core/rendering/renderer.render_config does, with a draw_layer step",
                       ct_string_id32_name(gui->desc.layer));
    }
}
