#include "render/draw/render_shadows.h"

#include <string.h>

#include "foundation/math/math.h"
#include "foundation/profiler/profiler.h"

// Of a cascade's depth: where it begins to blend into the next.
static const float blend_begin = 0.9f;

// Squares in a row of the map.
static uint32_t columns_of(uint32_t num_cascades) {
    return num_cascades > 1 ? 2 : 1;
}

// The size of one cascade's square.
static uint32_t find_map_size(const ct_render_image *image, uint32_t num_cascades) {
    const uint32_t columns = columns_of(num_cascades);
    const uint32_t rows = (num_cascades + columns - 1) / columns;
    const uint32_t width = image->width / columns, height = image->height / rows;
    return width < height ? width : height;
}

static void collect_cascade(ct_render_draws *d, ct_render_world *world, ct_vec3 direction,
                            uint32_t i) {
    ct_render_draw_list *const list = &d->lists[1 + i];
    const ct_render_cascade *const c = &d->shadows.cascades[i];
    const ct_render_eye eye = {.frustum = ct_render_cascade_frustum(c),
                               .position = ct_mat4_position(c->pose),
                               .forward = direction,
                               .is_light = true};
    ct_render_draws_collect(d, list, world, &eye);
    const float front = c->depth - c->radius;
    const float nearest = list->nearest < front ? list->nearest : front;
    d->shadows.matrices[i] = ct_render_cascade_matrix(c, nearest);
}

static float value_of(const ct_render_graph *g, const ct_render_value *value, float least,
                      float most) {
    const float number = ct_render_graph_value(g, value)[0];
    return number < least ? least : number > most ? most : number;
}

// Returns the light whose shadows the step draws; NULL when there is no such light, or shadows are
// off.
static const ct_render_light *find_light(const ct_render_graph *g, const ct_render_world *world,
                                         const ct_render_graph_step *step) {
    if (!step)
        return NULL;
    if (g->context->device->is_cpu && ct_render_graph_value(g, &step->on_cpu)[0] == 0.0f)
        return NULL;
    return ct_render_lights_shadow_caster(&world->lights);
}

void ct_render_shadows_collect(ct_render_draws *d, ct_render_world *world,
                               const ct_render_view *view, const ct_render_graph_step *step) {
    const ct_render_graph *const g = d->graph;
    const ct_render_light *const light = find_light(g, world, step);
    d->shadows.count = 0;
    if (!light)
        return;
    CT_PROFILER_SCOPE("collect shadows");
    const uint32_t count =
        (uint32_t)value_of(g, &step->num_cascades, 1.0f, (float)CT_RENDER_MAX_CASCADES);
    const uint32_t map_size = find_map_size(&g->targets[step->attachments.depth].image, count);
    if (map_size < CT_RENDER_LEAST_CASCADE_SIZE)
        return; // a setting made it so small
    const ct_render_cascades_desc desc = {
        .camera_pose = view->pose,
        .projection = view->projection,
        .direction = ct_vec3_make(light->direction[0], light->direction[1], light->direction[2]),
        .count = count,
        .map_size = map_size,
        .distance = value_of(g, &step->shadow_distance, CT_RENDER_LEAST_SHADOW_DISTANCE,
                             CT_RENDER_MOST_SHADOW_DISTANCE),
        .split_lambda = value_of(g, &step->split_lambda, 0.0f, 1.0f)};
    ct_render_cascades_fit(&desc, d->shadows.cascades);
    d->shadows.count = count;
    d->shadows.map_size = desc.map_size;
    d->shadows.bias = light->data.shadow_depth_bias;
    for (uint32_t i = 0; i < count; ++i)
        collect_cascade(d, world, desc.direction, i);
}

// --- Set 0 ---------------------------------------------------------------------------------------

// The corner of a cascade's square in the map, in texels.
static void find_corner(const ct_render_shadows *s, uint32_t i, uint32_t corner[2]) {
    const uint32_t columns = columns_of(s->count);
    corner[0] = i % columns * s->map_size;
    corner[1] = i / columns * s->map_size;
}

// From the clip space of square `i` to the whole map.
static ct_mat4 square_matrix(const ct_render_shadows *s, uint32_t i, float width, float height) {
    uint32_t corner[2];
    find_corner(s, i, corner);
    const float half = 0.5f * (float)s->map_size;
    ct_mat4 m = ct_mat4_identity();
    m.raw[0][0] = half / width;
    m.raw[1][1] = half / height;
    m.raw[3][0] = ((float)corner[0] + half) / width;
    m.raw[3][1] = ((float)corner[1] + half) / height;
    return m;
}

static void fill_cascade(ct_render_shadow_cascade *target, const ct_render_shadows *s, uint32_t i,
                         const ct_render_image *image) {
    static const float margin = 2.0f; // texels that the filter reaches beyond its centre
    const float width = (float)image->width, height = (float)image->height;
    const ct_render_cascade *const c = &s->cascades[i];
    const ct_mat4 to_map = ct_mat4_mul(square_matrix(s, i, width, height), s->matrices[i]);
    uint32_t corner[2];
    find_corner(s, i, corner);
    memcpy(target->to_map, to_map.raw, sizeof(target->to_map));
    target->rectangle[0] = ((float)corner[0] + margin) / width;
    target->rectangle[1] = ((float)corner[1] + margin) / height;
    target->rectangle[2] = ((float)(corner[0] + s->map_size) - margin) / width;
    target->rectangle[3] = ((float)(corner[1] + s->map_size) - margin) / height;
    target->range[0] = c->begin + (c->end - c->begin) * blend_begin;
    target->range[1] = c->end;
    target->range[2] = c->texel;
    // A row of a pose's inverse has length 1, that of the matrix the depth of a metre.
    const ct_mat4 *const m = &s->matrices[i];
    const ct_vec3 row = ct_vec3_make(m->raw[0][2], m->raw[1][2], m->raw[2][2]);
    target->range[3] = s->bias * ct_vec3_length(row);
}

void ct_render_shadows_fill(const ct_render_draws *d, ct_render_lights_block *lights) {
    const ct_render_graph *const g = d->graph;
    for (uint32_t i = 0; i < d->shadows.count; ++i)
        fill_cascade(&lights->cascades[i], &d->shadows, i, &g->targets[g->shadow_target].image);
}

// --- The map -------------------------------------------------------------------------------------

void ct_render_shadows_draw(ct_render_draws *d, const ct_render_graph_step *step) {
    const ct_render_shadows *const s = &d->shadows;
    if (!s->count)
        return;
    const ct_vulkan_api *const vk = &d->context->device->vk;
    ct_render_graph_draw_to_map(d->graph, &step->attachments);
    for (uint32_t i = 0; i < s->count; ++i) {
        uint32_t corner[2];
        find_corner(s, i, corner);
        const VkRect2D area = {{(int32_t)corner[0], (int32_t)corner[1]},
                               {s->map_size, s->map_size}};
        const VkViewport viewport = {
            (float)corner[0], (float)corner[1], (float)s->map_size, (float)s->map_size, 0.0f, 1.0f};
        vk->CmdSetViewport(d->context->commands, 0, 1, &viewport);
        vk->CmdSetScissor(d->context->commands, 0, 1, &area);
        ct_render_draws_unbind(d);
        ct_render_draws_record_list(d, &d->lists[1 + i], step->attachments.signature, &s->sets[i]);
    }
    ct_render_draws_unbind(d);
}
