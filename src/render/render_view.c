#include "render/render_view.h"

#include <string.h>

#include "foundation/log.h"
#include "foundation/profiler.h"

// --- Set 0 ---------------------------------------------------------------------------------------

static void fill_view(ct_render_view_block *block, const ct_render_graph *g,
                      const ct_render_world *world, const ct_render_view *view,
                      const ct_mat4 *view_projection) {
    const ct_mat4 inverse = ct_mat4_inverse(*view_projection);
    memcpy(block->view_projection, view_projection->raw, sizeof(block->view_projection));
    memcpy(block->inverse_view_projection, inverse.raw, sizeof(block->inverse_view_projection));
    memcpy(block->camera_pose, view->pose.raw, sizeof(block->camera_pose));
    memcpy(block->camera_position, view->pose.raw[3], sizeof(block->camera_position));
    memcpy(block->rectangle, g->rectangle, sizeof(block->rectangle));
    const float size[] = {(float)g->width, (float)g->height, 1.0f / (float)g->width,
                          1.0f / (float)g->height};
    memcpy(block->size, size, sizeof(block->size));
    const float time[4] = {(float)world->seconds};
    memcpy(block->time, time, sizeof(block->time));
}

// Blocks are filled aside: mapped memory is only ever written, in order.
static ct_render_frame_set write_frame_set(ct_render_frames *f, const ct_render_graph *g,
                                           const ct_render_world *world, const ct_render_view *view,
                                           const ct_mat4 *view_projection,
                                           const ct_render_eye *eye) {
    uint32_t begin;
    const uint64_t align = g->context->device->limits.minUniformBufferOffsetAlignment;
    const uint64_t lights_at = (sizeof(ct_render_view_block) + align - 1) / align * align;
    char *mapped = ct_render_frames_uniforms(
        f, (uint32_t)(lights_at + sizeof(ct_render_lights_block)), &begin);
    ct_render_view_block view_block = {.view_projection = {0}};
    fill_view(&view_block, g, world, view, view_projection);
    memcpy(mapped, &view_block, sizeof(view_block));
    ct_render_lights_block lights = {0};
    ct_render_world_choose_lights(world, &eye->frustum, eye->position, &lights);
    memcpy(mapped + lights_at, &lights, sizeof(lights));
    return (ct_render_frame_set){.handle = ct_render_frames_set(f),
                                 .offsets = {begin, begin + (uint32_t)lights_at}};
}

// --- Steps ---------------------------------------------------------------------------------------

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
    if (!ct_render_draws_bind(d, step->material, step->attachments.signature, set))
        return;
    const ct_vulkan_api *vk = &d->context->device->vk;
    vk->CmdBindDescriptorSets(d->context->commands, VK_PIPELINE_BIND_POINT_GRAPHICS,
                              g->shaders->items.items[step->shader].layout, CT_RENDER_SET_INPUTS, 1,
                              &inputs, 0, NULL);
    vk->CmdDraw(d->context->commands, 3, 1, 0, 0);
    ++d->stats.num_draws;
}

static void run_step(ct_render_draws *d, ct_render_world *world, ct_render_graph_step *step,
                     const ct_render_frame_set *set) {
    CT_PROFILER_SCOPE(step->name);
    ct_render_timing *const timing = &d->graph->materials->frames->timing;
    const uint32_t timed = ct_render_timing_enter(timing, step->name);
    switch (step->type) {
    case CT_RENDER_STEP_TYPE_CLEAR:
        ct_render_graph_clear(d->graph, step);
        break;
    case CT_RENDER_STEP_TYPE_DRAW_LAYER:
        draw_layer(d, world, step->layer, set);
        break;
    case CT_RENDER_STEP_TYPE_FULLSCREEN_PASS:
        fullscreen_pass(d, step, set);
        break;
    default:
        break;
    }
    ct_render_timing_leave(timing, timed);
}

// --- The view ------------------------------------------------------------------------------------

// Copies the world's lines of this frame to the device, once however many views show them.
static void upload_lines(ct_render_frames *f, ct_render_world *world) {
    if (world->lines_frame == f->context->frame)
        return;
    world->lines_frame = f->context->frame;
    world->num_line_vertices = 0;
    for (uint32_t i = 0; i < world->lines.count; ++i)
        world->num_line_vertices += world->lines.items[i].count;
    if (!world->num_line_vertices)
        return;
    ct_line_vertex *mapped =
        ct_render_frames_lines(f, world->num_line_vertices, &world->first_line_vertex);
    world->lines_buffer = f->slot->lines.handle;
    for (uint32_t i = 0; i < world->lines.count; ++i) {
        const ct_render_line_run *run = &world->lines.items[i];
        memcpy(mapped, run->vertices, sizeof(*mapped) * run->count);
        mapped += run->count;
    }
}

void ct_render_view_draw(ct_render_draws *d, ct_render_world *world, const ct_render_view *view,
                         ct_string_id32 viewport, const float rectangle[4]) {
    CT_PROFILER_SCOPE("view");
    ct_render_graph *g = d->graph;
    ct_render_frames *f = g->materials->frames;
    const ct_mat4 view_projection = ct_mat4_mul(view->projection, ct_mat4_inverse(view->pose));
    const ct_render_eye eye = {.frustum = ct_frustum_from(&view_projection),
                               .position = ct_mat4_position(view->pose),
                               .forward = ct_vec3_normalize(ct_vec3_make(
                                   view->pose.col[1].x, view->pose.col[1].y, view->pose.col[1].z))};
    ct_render_world_refresh_bounds(world, d->meshes);
    ct_render_draws_collect(d, world, &eye);
    upload_lines(f, world);
    ct_render_graph_begin_view(g, rectangle);
    const ct_render_frame_set set = write_frame_set(f, g, world, view, &view_projection, &eye);
    ct_render_draws_unbind(d);
    uint32_t first_step, num_steps;
    for (uint32_t i = 0; ct_render_graph_steps(g, viewport, i, &first_step, &num_steps); ++i)
        for (uint32_t k = 0; k < num_steps; ++k)
            run_step(d, world, &g->steps.items[first_step + k], &set);
    ct_render_graph_end_view(g);
}
