#include "render/draw/render_sky.h"

#include <string.h>

#include "foundation/math/math.h"
#include "foundation/profiler/profiler.h"
#include "render/draw/render_step_lists.h"

enum { NUM_SQUARES = 6, NUM_COLUMNS = 3, NUM_ROWS = 2 };

// --- What the sky is -----------------------------------------------------------------------------

static bool is_known(const ct_render_sky *a, const ct_render_sky *b) {
    return a->world == b->world && a->layer == b->layer &&
           a->materials_version == b->materials_version && a->mesh_version == b->mesh_version &&
           a->context_version == b->context_version && a->graph_version == b->graph_version;
}

// Finds the world's objects that have a part in the layer. The walk over all objects is rare: after
// some came or went, or after resources changed.
static void find_objects(ct_render_draws *d, const ct_render_world *w, uint32_t layer) {
    ct_render_sky *const s = &d->sky;
    const ct_render_sky now = {.world = w->id.value,
                               .layer = layer,
                               .materials_version = w->materials_version,
                               .mesh_version = d->meshes->version,
                               .context_version = d->context->version,
                               .graph_version = d->graph->version};
    if (is_known(s, &now))
        return;
    s->objects.count = 0;
    for (uint32_t i = 0; i < w->objects.count; ++i)
        if (ct_render_draws_is_in_layer(d, w, i, layer))
            ct_array_push(&s->objects, i);
    s->world = now.world;
    s->layer = now.layer;
    s->materials_version = now.materials_version;
    s->mesh_version = now.mesh_version;
    s->context_version = now.context_version;
    s->graph_version = now.graph_version;
}

// FNV-1a.
static uint64_t add_bytes(uint64_t hash, const void *bytes, uint64_t size) {
    const uint8_t *const b = bytes;
    for (uint64_t i = 0; i < size; ++i)
        hash = (hash ^ b[i]) * 1099511628211ull;
    return hash;
}

static uint64_t add_number(uint64_t hash, uint64_t number) {
    return add_bytes(hash, &number, sizeof(number));
}

static uint64_t add_material(uint64_t hash, ct_render_draws *d, uint32_t index) {
    const ct_render_material *const m = ct_render_materials_bound(d->graph->materials, index);
    if (!m)
        return add_number(hash, index);
    hash = add_number(hash, ((uint64_t)index << 32) | m->options);
    hash = add_number(hash, m->blob ? m->blob->header.checksum : 0);
    hash = add_bytes(hash, m->block, m->block_bytes);
    for (uint32_t i = 0; i < m->overrides.count; ++i)
        hash = add_number(hash, m->overrides.items[i].texture.value);
    return hash;
}

static uint64_t add_item(uint64_t hash, ct_render_draws *d, const ct_render_world *w,
                         const ct_render_item *item) {
    const float(*const rows)[4] = (const float(*)[4])w->instances[item->object].rows;
    hash = add_number(hash, ((uint64_t)item->mesh << 32) | item->part);
    hash = add_material(hash, d, item->material);
    for (uint32_t row = 0; row < 3; ++row)
        hash = add_bytes(hash, rows[row], sizeof(float[3]));
    for (uint32_t at = w->first_value[item->object]; at; at = w->values.items[at].next) {
        hash = add_number(hash, w->values.items[at].name.value);
        hash = add_bytes(hash, w->values.items[at].value, sizeof(float[4]));
    }
    return hash;
}

static uint64_t add_lights(uint64_t hash, const ct_render_lights *lights) {
    for (uint32_t i = 0; i < lights->count; ++i) {
        const ct_render_light *const x = &lights->items[i];
        if (x->data.type != CT_LIGHT_TYPE_DIRECTIONAL || !x->data.is_enabled)
            continue;
        hash = add_bytes(hash, x->direction, sizeof(x->direction));
        hash = add_bytes(hash, x->data.color, sizeof(x->data.color));
        hash = add_bytes(hash, &x->data.intensity, sizeof(x->data.intensity));
        hash = add_number(hash, x->data.casts_shadows);
    }
    return hash;
}

// A number for all that the squares show; never 0.
static uint64_t describe(ct_render_draws *d, const ct_render_world *w,
                         const ct_render_draw_list *list) {
    const ct_render_graph *const g = d->graph;
    uint64_t hash = 14695981039346656037ull;
    hash = add_number(hash, g->version);
    hash = add_number(hash, d->context->version);
    hash = add_number(hash, d->meshes->version);
    for (uint32_t i = 0; i < list->num_items; ++i)
        hash = add_item(hash, d, w, &list->sorted[i]);
    hash = add_lights(hash, &w->lights);
    const ct_render_view_values *const v = &g->config->view_values;
    for (uint32_t i = 0; i < CT_RENDER_MAX_CUSTOM; ++i)
        hash = add_bytes(hash, ct_render_graph_value(g, &v->custom[i]), sizeof(float[4]));
    hash = add_bytes(hash, ct_render_graph_value(g, &g->config->sky_light), sizeof(float[4]));
    hash = add_bytes(hash, ct_render_graph_value(g, &g->config->ground_light), sizeof(float[4]));
    return hash ? hash : 1;
}

// Whether pipelines are still being made, without which parts would be missing.
static bool is_awaited(const ct_render_draws *d, const ct_render_graph_step *step,
                       const ct_render_draw_list *list) {
    ct_render_graph *const g = d->graph;
    for (uint32_t i = 0; i < list->num_items; ++i) {
        const ct_render_item *const item = &list->sorted[i];
        const ct_render_material *const m = ct_render_materials_bound(g->materials, item->material);
        const ct_render_mesh *const mesh = &d->meshes->items.items[item->mesh];
        const uint32_t vertices =
            CT_RENDER_VERTICES(mesh->format, item->is_posed ? mesh->num_influences : 0);
        if (m && ct_render_shaders_is_awaited(g->shaders, m->shader, m->options,
                                              step->attachments.signature, vertices))
            return true;
    }
    return false;
}

void ct_render_sky_collect(ct_render_draws *d, const ct_render_world *world,
                           const ct_render_graph_step *step) {
    d->is_sky_captured = false;
    d->graph->has_sky_map = false;
    if (!step)
        return;
    CT_PROFILER_SCOPE("collect sky");
    find_objects(d, world, step->layer);
    ct_render_draw_list *const list = ct_render_step_lists_add(d, step);
    ct_render_draws_collect_layer(d, list, world, d->sky.objects.items, d->sky.objects.count,
                                  step->layer);
    const uint64_t shown = list->num_items ? describe(d, world, list) : 0;
    const bool is_shown = shown && d->sky.shown == shown;
    d->is_sky_captured = shown && !is_shown && !is_awaited(d, step, list);
    if (d->is_sky_captured)
        d->sky.shown = shown;
    else
        list->num_items = 0;
    d->graph->has_sky_map = (is_shown || d->is_sky_captured) && ct_render_graph_has_sky(d->graph);
}

// --- Set 0 ---------------------------------------------------------------------------------------

uint32_t ct_render_sky_num_blocks(const ct_render_draws *d) {
    return d->is_sky_captured ? CT_RENDER_SKY_BLOCKS : 0;
}

// The pose of the camera that draws square `i`.
static ct_mat4 find_pose(uint32_t i, const float position[4]) {
    static const float axes[NUM_SQUARES][3][3] = {
        // right, forward, up
        {{0, -1, 0}, {1, 0, 0}, {0, 0, 1}}, {{0, 1, 0}, {-1, 0, 0}, {0, 0, 1}},
        {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},  {{-1, 0, 0}, {0, -1, 0}, {0, 0, 1}},
        {{1, 0, 0}, {0, 0, 1}, {0, -1, 0}}, {{1, 0, 0}, {0, 0, -1}, {0, 1, 0}}};
    ct_mat4 pose = ct_mat4_identity();
    for (uint32_t k = 0; k < 3; ++k)
        memcpy(pose.raw[k], axes[i][k], sizeof(axes[i][k]));
    memcpy(pose.raw[3], position, sizeof(float[3]));
    return pose;
}

static void fill_square(uint32_t i, ct_render_view_block *block) {
    const ct_mat4 pose = find_pose(i, block->camera_position);
    const ct_mat4 projection =
        ct_mat4_perspective(1.57079633f, 1.0f, block->lens[0], block->lens[1]);
    const ct_mat4 m = ct_mat4_mul(projection, ct_mat4_inverse(pose));
    const ct_mat4 inverse = ct_mat4_inverse(m);
    memcpy(block->view_projection, m.raw, sizeof(m.raw));
    memcpy(block->inverse_view_projection, inverse.raw, sizeof(inverse.raw));
    memcpy(block->still_view_projection, m.raw, sizeof(m.raw));
    memcpy(block->previous_view_projection, m.raw, sizeof(m.raw));
    memcpy(block->camera_pose, pose.raw, sizeof(pose.raw));
    memcpy(block->previous_camera_position, block->camera_position,
           sizeof(block->previous_camera_position));
    const float rectangle[] = {(float)(i % NUM_COLUMNS) / NUM_COLUMNS,
                               (float)(i / NUM_COLUMNS) / NUM_ROWS, 1.0f / NUM_COLUMNS,
                               1.0f / NUM_ROWS};
    memcpy(block->rectangle, rectangle, sizeof(rectangle));
    block->lens[2] = 1.0f;
    block->lens[3] = 0.0f;
}

void ct_render_sky_fill(const ct_render_draws *d, uint32_t i, ct_render_view_block *block) {
    static const float whole[] = {0.0f, 0.0f, 1.0f, 1.0f};
    (void)d;
    memset(block->jitter, 0, sizeof(block->jitter));
    memset(block->history, 0, sizeof(block->history));
    block->fog[0] = 0.0f;
    if (i < NUM_SQUARES)
        fill_square(i, block);
    else
        memcpy(block->rectangle, whole, sizeof(whole));
}

// --- Drawing -------------------------------------------------------------------------------------

void ct_render_sky_draw(ct_render_draws *d, const ct_render_graph_step *step) {
    const ct_render_draw_list *const list = ct_render_step_lists_find(d, step);
    if (!d->is_sky_captured || !list)
        return;
    const ct_vulkan_api *const vk = &d->context->device->vk;
    const ct_render_image *const image = &d->graph->targets[step->attachments.colors[0]].image;
    const uint32_t wide = image->width / NUM_COLUMNS, high = image->height / NUM_ROWS;
    const uint32_t size = wide < high ? wide : high, num_awaited = d->num_awaited;
    if (!size)
        return;
    // Where the sky has holes, it is as bright as the ground.
    ct_render_graph_draw_to_whole(d->graph, &step->attachments,
                                  ct_render_graph_value(d->graph, &d->graph->config->ground_light));
    for (uint32_t i = 0; i < NUM_SQUARES; ++i) {
        const uint32_t left = i % NUM_COLUMNS * size, top = i / NUM_COLUMNS * size;
        const VkRect2D area = {{(int32_t)left, (int32_t)top}, {size, size}};
        const VkViewport viewport = {(float)left, (float)top, (float)size, (float)size, 0.0f, 1.0f};
        vk->CmdSetViewport(d->context->commands, 0, 1, &viewport);
        vk->CmdSetScissor(d->context->commands, 0, 1, &area);
        ct_render_draws_unbind(d);
        ct_render_draws_record_list(d, list, step->attachments.signature, &d->sky.sets[i]);
    }
    ct_render_draws_unbind(d);
    // Drawn again when the pipelines that it needs are made.
    if (d->num_awaited != num_awaited)
        d->sky.shown = 0;
}

void ct_render_sky_run(ct_render_draws *d, ct_render_world *world, ct_render_graph_step *step,
                       void (*run)(ct_render_draws *d, ct_render_world *world,
                                   ct_render_graph_step *step, const ct_render_frame_set *set)) {
    ct_render_graph *const g = d->graph;
    float rectangle[4];
    memcpy(rectangle, g->rectangle, sizeof(rectangle));
    memcpy(g->rectangle, (const float[4]){0.0f, 0.0f, 1.0f, 1.0f}, sizeof(g->rectangle));
    run(d, world, step, &d->sky.sets[NUM_SQUARES]);
    memcpy(g->rectangle, rectangle, sizeof(g->rectangle));
}
