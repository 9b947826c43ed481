// A row in the table below, and a function, for each kind of step.
#include "render/graph/render_step.h"

#include "foundation/error.h"
#include "foundation/profiler/profiler.h"
#include "render/draw/render_gui_draw.h"
#include "render/draw/render_shadows.h"
#include "render/draw/render_sky.h"
#include "render/draw/render_step_lists.h"
#include "render/graph/render_pass.h"

static void draw_lines(ct_render_draws *d, const ct_render_world *world, uint32_t signature,
                       const ct_render_frame_set *set) {
    if (!world->num_line_vertices)
        return;
    if (!ct_render_draws_bind(d, d->graph->line_material, signature, 0, set))
        return;
    const ct_vulkan_api *const vk = &d->context->device->vk;
    const VkDeviceSize offset = 0;
    vk->CmdBindVertexBuffers(d->context->commands, 0, 1, &world->lines_buffer, &offset);
    vk->CmdDraw(d->context->commands, world->num_line_vertices, 1, world->first_line_vertex, 0);
    d->mesh = 0;
    ++d->stats.num_draws;
}

// True when debug lines belong to this layer.
static bool is_line_layer(const ct_render_graph *g, uint32_t layer) {
    const ct_shader_resource *const blob = g->shaders->items.items[g->line_shader].blob;
    return blob && blob->vertices == CT_SHADER_VERTICES_LINE &&
           ct_shader_state_of(blob, 0)->layer.value == g->layers[layer].name.value;
}

// --- The table -----------------------------------------------------------------------------------

static void run_clear(ct_render_draws *d, ct_render_world *world, ct_render_graph_step *step,
                      const ct_render_frame_set *set) {
    (void)world, (void)set;
    ct_render_graph_clear(d->graph, step);
}

static void run_draw_layer(ct_render_draws *d, ct_render_world *world, ct_render_graph_step *step,
                           const ct_render_frame_set *set) {
    if (ct_render_step_has_list(step)) {
        ct_render_step_lists_draw(d, step, set);
        return;
    }
    const ct_render_attachments *const x = ct_render_graph_step_attachments(d->graph, step);
    ct_render_graph_draw_to(d->graph, x);
    ct_render_draws_record_layer(d, step, set);
    if (is_line_layer(d->graph, step->layer))
        draw_lines(d, world, x->signature, set);
    ct_render_guis_draw(d, world, step, set);
}

static void run_fullscreen_pass(ct_render_draws *d, ct_render_world *world,
                                ct_render_graph_step *step, const ct_render_frame_set *set) {
    (void)world;
    ct_render_pass_draw(d, step, set);
}

static void run_copy(ct_render_draws *d, ct_render_world *world, ct_render_graph_step *step,
                     const ct_render_frame_set *set) {
    (void)world, (void)set;
    ct_render_graph_copy(d->graph, step);
}

static void run_generate_mips(ct_render_draws *d, ct_render_world *world,
                              ct_render_graph_step *step, const ct_render_frame_set *set) {
    (void)world, (void)set;
    ct_render_graph_generate_mips(d->graph, step);
}

static void run_compute(ct_render_draws *d, ct_render_world *world, ct_render_graph_step *step,
                        const ct_render_frame_set *set) {
    (void)world;
    ct_render_pass_compute(d, step, set);
}

static void run_cascaded_shadows(ct_render_draws *d, ct_render_world *world,
                                 ct_render_graph_step *step, const ct_render_frame_set *set) {
    (void)world, (void)set;
    ct_render_shadows_draw(d, step);
}

static void run_capture_sky(ct_render_draws *d, ct_render_world *world, ct_render_graph_step *step,
                            const ct_render_frame_set *set) {
    (void)world, (void)set;
    ct_render_sky_draw(d, step);
}

static void (*const runners[])(ct_render_draws *d, ct_render_world *world,
                               ct_render_graph_step *step, const ct_render_frame_set *set) = {
    [CT_RENDER_STEP_TYPE_CLEAR] = run_clear,
    [CT_RENDER_STEP_TYPE_DRAW_LAYER] = run_draw_layer,
    [CT_RENDER_STEP_TYPE_FULLSCREEN_PASS] = run_fullscreen_pass,
    [CT_RENDER_STEP_TYPE_COPY] = run_copy,
    [CT_RENDER_STEP_TYPE_GENERATE_MIPS] = run_generate_mips,
    [CT_RENDER_STEP_TYPE_COMPUTE] = run_compute,
    [CT_RENDER_STEP_TYPE_CASCADED_SHADOWS] = run_cascaded_shadows,
    [CT_RENDER_STEP_TYPE_CAPTURE_SKY] = run_capture_sky,
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
