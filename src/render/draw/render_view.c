#include "render/draw/render_view.h"

#include <math.h>
#include <string.h>

#include "foundation/math/math.h"
#include "foundation/profiler/profiler.h"
#include "render/draw/render_cloud_draw.h"
#include "render/draw/render_gui_draw.h"
#include "render/draw/render_palettes.h"
#include "render/draw/render_shadows.h"
#include "render/draw/render_sky.h"
#include "render/draw/render_step_lists.h"
#include "render/graph/render_step.h"

// --- Set 0 ---------------------------------------------------------------------------------------

// Near, far and height of what a projection sees; clip depth is linear in metres times w.
static void fill_lens(float lens[4], const ct_mat4 *projection) {
    const bool is_orthographic = projection->raw[3][3] == 1.0f;
    const float a = projection->raw[1][2], b = projection->raw[3][2];
    lens[0] = -b / a;
    lens[1] = is_orthographic ? (1.0f - b) / a : b / (1.0f - a);
    lens[2] = 1.0f / fabsf(projection->raw[2][1]);
    lens[3] = is_orthographic;
}

static void copy_value(float target[4], const ct_render_graph *g, const ct_render_value *value) {
    memcpy(target, ct_render_graph_value(g, value), sizeof(float[4]));
}

static void fill_values(ct_render_view_block *block, const ct_render_graph *g) {
    const ct_render_view_values *const v = &g->config->view_values;
    const ct_render_value *const fog[] = {&v->fog_density, &v->fog_falloff, &v->fog_height,
                                          &v->fog_start};
    copy_value(block->sky, g, &g->config->sky_light);
    copy_value(block->ground, g, &g->config->ground_light);
    copy_value(block->fog_color, g, &v->fog_color);
    copy_value(block->fog_sun_color, g, &v->fog_sun_color);
    copy_value(block->sky_intensity, g, &v->sky_intensity);
    for (uint32_t i = 0; i < 4; ++i)
        block->fog[i] = ct_render_graph_value(g, fog[i])[0];
    for (uint32_t i = 0; i < CT_RENDER_MAX_CUSTOM; ++i)
        copy_value(block->custom[i], g, &v->custom[i]);
}

// A projection whose picture is moved by a part of a pixel.
static ct_mat4 jittered(const ct_mat4 *view_projection, const float jitter[2]) {
    ct_mat4 m = ct_mat4_identity();
    m.raw[3][0] = 2.0f * jitter[0]; // clip space is two rectangles wide
    m.raw[3][1] = 2.0f * jitter[1];
    return ct_mat4_mul(m, *view_projection);
}

static void fill_view(ct_render_view_block *block, const ct_render_graph *g,
                      const ct_render_world *world, const ct_render_view *view,
                      const ct_mat4 *still, const ct_render_history_last *last) {
    const bool has_jitter = last->jitter[0] != 0.0f || last->jitter[1] != 0.0f;
    const ct_mat4 view_projection = has_jitter ? jittered(still, last->jitter) : *still;
    const ct_mat4 inverse = ct_mat4_inverse(view_projection);
    memcpy(block->view_projection, view_projection.raw, sizeof(block->view_projection));
    memcpy(block->inverse_view_projection, inverse.raw, sizeof(block->inverse_view_projection));
    memcpy(block->still_view_projection, still->raw, sizeof(block->still_view_projection));
    memcpy(block->previous_view_projection, last->view_projection.raw,
           sizeof(block->previous_view_projection));
    memcpy(block->jitter, last->jitter, sizeof(block->jitter));
    memcpy(block->camera_pose, view->pose.raw, sizeof(block->camera_pose));
    memcpy(block->camera_position, view->pose.raw[3], sizeof(block->camera_position));
    memcpy(block->previous_camera_position, last->camera_position,
           sizeof(block->previous_camera_position));
    memcpy(block->rectangle, g->rectangle, sizeof(block->rectangle));
    const float size[] = {(float)g->width, (float)g->height, 1.0f / (float)g->width,
                          1.0f / (float)g->height};
    memcpy(block->size, size, sizeof(block->size));
    if (g->config)
        fill_values(block, g);
    block->time[0] = (float)world->seconds;
    block->history[0] = last->has_pictures;
    block->history[1] = (float)last->number;
    block->history[2] = last->seconds;
    fill_lens(block->lens, &view->projection);
}

// Blocks are filled aside: mapped memory is only ever written, in order. The view's block comes
// first, then one for each cascade of the shadow map, those of the sky, then the lights.
static ct_render_frame_set write_frame_sets(ct_render_draws *d, const ct_render_world *world,
                                            const ct_render_view *view,
                                            const ct_render_history_last *last,
                                            const ct_render_eye *eye) {
    ct_render_frames *const f = d->graph->materials->frames;
    const uint64_t align = d->context->device->limits.minUniformBufferOffsetAlignment;
    const uint32_t view_bytes =
        (uint32_t)((sizeof(ct_render_view_block) + align - 1) / align * align);
    const uint32_t num_sky = ct_render_sky_num_blocks(d);
    const uint32_t lights_at = view_bytes * (1 + d->shadows.count + num_sky);
    uint32_t begin;
    char *const mapped =
        ct_render_frames_uniforms(f, lights_at + (uint32_t)sizeof(ct_render_lights_block), &begin);
    const VkDescriptorSet handle = ct_render_frames_set(f);
    ct_render_view_block view_block = {.view_projection = {0}};
    fill_view(&view_block, d->graph, world, view, &d->view_projection, last);
    memcpy(mapped, &view_block, sizeof(view_block));
    const ct_render_view_block of_view = view_block;
    for (uint32_t i = 0; i < d->shadows.count; ++i) {
        const uint32_t at = view_bytes * (1 + i);
        memcpy(view_block.view_projection, d->shadows.matrices[i].raw,
               sizeof(view_block.view_projection));
        memcpy(mapped + at, &view_block, sizeof(view_block));
        d->shadows.sets[i] = (ct_render_frame_set){handle, {begin + at, begin + lights_at}};
    }
    for (uint32_t i = 0; i < num_sky; ++i) {
        const uint32_t at = view_bytes * (1 + d->shadows.count + i);
        ct_render_view_block block = of_view;
        ct_render_sky_fill(d, i, &block);
        memcpy(mapped + at, &block, sizeof(block));
        d->sky.sets[i] = (ct_render_frame_set){handle, {begin + at, begin + lights_at}};
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

// The size in pixels of what the first layer draws to of the view.
static void find_pixels(const ct_render_graph *g, float pixels[2]) {
    const ct_render_attachments *const x = &g->layers[0].attachments;
    const bool has_color = g->num_layers > 0 && x->num_colors > 0;
    const bool is_made = has_color && g->targets[x->colors[0]].image.handle;
    const ct_render_image *const image = &g->targets[is_made ? x->colors[0] : 0].image;
    pixels[0] = fmaxf((float)image->width * g->rectangle[2], 1.0f);
    pixels[1] = fmaxf((float)image->height * g->rectangle[3], 1.0f);
}

// Remembers the view for the next frame, and finds what it was in the last one.
static ct_render_history_last take_history(ct_render_draws *d, const ct_render_world *world,
                                           const ct_render_view *view, ct_string_id32 viewport) {
    const ct_render_graph *const g = d->graph;
    ct_render_history_view now = {.world = world->id,
                                  .viewport = viewport,
                                  .frame = d->context->frame,
                                  .shot = view->shot,
                                  .version = g->version,
                                  .steps = g->view_steps,
                                  .view_projection = d->view_projection,
                                  .seconds = world->seconds};
    now.is_jittered = g->config && g->config->jitter.count &&
                      ct_render_conditions_hold(&g->config->jitter, g->view_values[0]);
    memcpy(now.rectangle, g->rectangle, sizeof(now.rectangle));
    memcpy(now.camera_position, view->pose.raw[3], sizeof(now.camera_position));
    find_pixels(g, now.pixels);
    return view->is_single ? ct_render_history_none(&now)
                           : ct_render_history_take(&d->history, &now);
}

static bool does_run(const ct_render_draws *d, const ct_render_world *world,
                     const ct_render_graph_step *step) {
    if (step->when == CT_RENDER_WHEN_OUTLINED)
        return world->num_outlined > 0;
    return step->when != CT_RENDER_WHEN_SKY_CAPTURED || d->is_sky_captured;
}

static void run_step(ct_render_draws *d, ct_render_world *world, ct_render_graph_step *step,
                     const ct_render_frame_set *set) {
    if (!ct_render_graph_is_enabled(d->graph, step) || !does_run(d, world, step))
        return;
    if (step->when == CT_RENDER_WHEN_SKY_CAPTURED)
        ct_render_sky_run(d, world, step, ct_render_step_run);
    else
        ct_render_step_run(d, world, step, set);
}

void ct_render_view_draw(ct_render_draws *d, ct_render_world *world, const ct_render_view *view,
                         ct_string_id32 viewport, const float rectangle[4],
                         const ct_render_environment_value *values, uint32_t num_values) {
    CT_PROFILER_SCOPE("view");
    ct_render_graph *const g = d->graph;
    ct_render_graph_begin_view(g, rectangle, values, num_values);
    ct_render_graph_use_viewport(g, viewport);
    const ct_mat4 view_projection = ct_mat4_mul(view->projection, ct_mat4_inverse(view->pose));
    const ct_render_eye eye = {.frustum = ct_frustum_from(&view_projection),
                               .position = ct_mat4_position(view->pose),
                               .forward = ct_vec3_normalize(ct_vec3_make(
                                   view->pose.col[1].x, view->pose.col[1].y, view->pose.col[1].z))};
    ct_render_world_refresh_bounds(world, d->meshes);
    ct_render_culling_settle(&world->culling, (const float(*)[4])world->spheres);
    const float lod_bias = g->config ? ct_render_graph_value(g, &g->config->lod_bias)[0] : 1.0f;
    ct_render_draws_begin_view(d, world, view, lod_bias);
    d->view_projection = view_projection;
    ct_render_draws_collect(d, &d->lists[0], world, &eye);
    ct_render_shadows_collect(
        d, world, view,
        ct_render_graph_find_step(g, viewport, CT_RENDER_STEP_TYPE_CASCADED_SHADOWS));
    ct_render_step_lists_collect(d, world, viewport);
    ct_render_sky_collect(d, world,
                          ct_render_graph_find_step(g, viewport, CT_RENDER_STEP_TYPE_CAPTURE_SKY));
    ct_render_palettes_place(d, world, 1 + d->shadows.count);
    ct_render_draws_place(d, world, 1 + d->shadows.count);
    ct_render_clouds_place(d, &d->lists[0], &eye);
    upload_lines(g->materials->frames, world);
    ct_render_guis_check_layers(g, world);
    const ct_render_history_last last = take_history(d, world, view, viewport);
    const ct_render_frame_set set = write_frame_sets(d, world, view, &last, &eye);
    ct_render_draws_unbind(d);
    uint32_t first_step, num_steps;
    for (uint32_t i = 0; ct_render_graph_steps(g, viewport, i, &first_step, &num_steps); ++i)
        for (uint32_t k = 0; k < num_steps; ++k)
            run_step(d, world, &g->steps.items[first_step + k], &set);
    ct_render_graph_end_view(g);
}
