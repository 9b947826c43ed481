#include "render/draw/render_view.h"

#include <string.h>

#include "foundation/profiler/profiler.h"
#include "render/draw/render_gui_draw.h"
#include "render/draw/render_palettes.h"
#include "render/draw/render_shadows.h"
#include "render/graph/render_step.h"

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
    if (g->config) {
        memcpy(block->sky, ct_render_graph_value(g, &g->config->sky_light), sizeof(block->sky));
        memcpy(block->ground, ct_render_graph_value(g, &g->config->ground_light),
               sizeof(block->ground));
    }
    const float time[4] = {(float)world->seconds};
    memcpy(block->time, time, sizeof(block->time));
}

// Blocks are filled aside: mapped memory is only ever written, in order. The view's block comes
// first, then one for each cascade of the shadow map, then the lights.
static ct_render_frame_set write_frame_sets(ct_render_draws *d, const ct_render_world *world,
                                            const ct_render_view *view,
                                            const ct_mat4 *view_projection,
                                            const ct_render_eye *eye) {
    ct_render_frames *const f = d->graph->materials->frames;
    const uint64_t align = d->context->device->limits.minUniformBufferOffsetAlignment;
    const uint32_t view_bytes =
        (uint32_t)((sizeof(ct_render_view_block) + align - 1) / align * align);
    const uint32_t lights_at = view_bytes * (1 + d->shadows.count);
    uint32_t begin;
    char *const mapped =
        ct_render_frames_uniforms(f, lights_at + (uint32_t)sizeof(ct_render_lights_block), &begin);
    const VkDescriptorSet handle = ct_render_frames_set(f);
    ct_render_view_block view_block = {.view_projection = {0}};
    fill_view(&view_block, d->graph, world, view, view_projection);
    memcpy(mapped, &view_block, sizeof(view_block));
    for (uint32_t i = 0; i < d->shadows.count; ++i) {
        const uint32_t at = view_bytes * (1 + i);
        memcpy(view_block.view_projection, d->shadows.matrices[i].raw,
               sizeof(view_block.view_projection));
        memcpy(mapped + at, &view_block, sizeof(view_block));
        d->shadows.sets[i] = (ct_render_frame_set){handle, {begin + at, begin + lights_at}};
    }
    ct_render_lights_block lights = {0};
    ct_render_lights_choose(&world->lights, &eye->frustum, eye->position, &lights);
    ct_render_shadows_fill(d, &lights);
    memcpy(mapped + lights_at, &lights, sizeof(lights));
    return (ct_render_frame_set){handle, {begin, begin + lights_at}};
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
        const ct_render_line_run *const run = &world->lines.items[i];
        memcpy(mapped, run->vertices, sizeof(*mapped) * run->count);
        mapped += run->count;
    }
}

static bool does_run(const ct_render_draws *d, const ct_render_graph_step *step) {
    return step->when != CT_RENDER_WHEN_SKY_CAPTURED || d->is_sky_captured;
}

void ct_render_view_draw(ct_render_draws *d, ct_render_world *world, const ct_render_view *view,
                         ct_string_id32 viewport, const float rectangle[4],
                         const ct_render_environment_value *values, uint32_t num_values) {
    CT_PROFILER_SCOPE("view");
    ct_render_graph *const g = d->graph;
    ct_render_graph_begin_view(g, rectangle, values, num_values);
    const ct_mat4 view_projection = ct_mat4_mul(view->projection, ct_mat4_inverse(view->pose));
    const ct_render_eye eye = {.frustum = ct_frustum_from(&view_projection),
                               .position = ct_mat4_position(view->pose),
                               .forward = ct_vec3_normalize(ct_vec3_make(
                                   view->pose.col[1].x, view->pose.col[1].y, view->pose.col[1].z))};
    ct_render_world_refresh_bounds(world, d->meshes);
    ct_render_culling_settle(&world->culling, (const float(*)[4])world->spheres);
    const float lod_bias = g->config ? ct_render_graph_value(g, &g->config->lod_bias)[0] : 1.0f;
    ct_render_draws_begin_view(d, world, view, lod_bias);
    d->is_sky_captured = false;
    d->view_projection = view_projection;
    ct_render_draws_collect(d, &d->lists[0], world, &eye);
    ct_render_shadows_collect(
        d, world, view,
        ct_render_graph_find_step(g, viewport, CT_RENDER_STEP_TYPE_CASCADED_SHADOWS));
    ct_render_palettes_place(d, world, 1 + d->shadows.count);
    ct_render_draws_place(d, world, 1 + d->shadows.count);
    upload_lines(g->materials->frames, world);
    ct_render_guis_check_layers(g, world);
    const ct_render_frame_set set = write_frame_sets(d, world, view, &view_projection, &eye);
    ct_render_draws_unbind(d);
    uint32_t first_step, num_steps;
    for (uint32_t i = 0; ct_render_graph_steps(g, viewport, i, &first_step, &num_steps); ++i)
        for (uint32_t k = 0; k < num_steps; ++k)
            if (ct_render_graph_is_enabled(g, &g->steps.items[first_step + k]) &&
                does_run(d, &g->steps.items[first_step + k]))
                ct_render_step_run(d, world, &g->steps.items[first_step + k], &set);
    ct_render_graph_end_view(g);
}
