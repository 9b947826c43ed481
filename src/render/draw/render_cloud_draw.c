#include "render/draw/render_cloud_draw.h"

#include <string.h>

#include "foundation/log.h"
#include "foundation/math/math_shapes.h"
#include "foundation/profiler/profiler.h"

// The push constants, as in core/shaders/include/particle.glsl.
typedef struct cloud_block {
    float axis[3], stretch;
    float pivot[2], grid[2];
    uint32_t facing, is_ribbon, blends, padding[5];
} cloud_block;

_Static_assert(sizeof(cloud_block) == CT_SHADER_PUSH_CONSTANT_BYTES, "all is written at once");

// --- Items ---------------------------------------------------------------------------------------

// Returns the material of a cloud and its layer; NULL when it cannot draw particles, or not yet.
static const ct_render_material *find_material(const ct_render_draws *d, uint32_t index,
                                               uint32_t *layer) {
    const ct_render_graph *const g = d->graph;
    const ct_render_material *const m = ct_render_materials_bound(g->materials, index);
    const ct_shader_resource *const blob = m ? g->shaders->items.items[m->shader].blob : NULL;
    if (!blob)
        return NULL;
    if (blob->is_compute || blob->vertices != CT_SHADER_VERTICES_PARTICLE) {
        ct_log_warning("render", "particle_material",
                       "particles are not drawn: the shader \"%s\" of their material is not for "
                       "particles; expected one with vertices = \"particle\", such as "
                       "core/shaders/particle",
                       ct_string_id64_name(m->shader_name));
        return NULL;
    }
    *layer = ct_render_draws_layer_of(d, m);
    return *layer < g->num_layers ? m : NULL;
}

// The distance of a point along the eye's direction.
static float distance_of(const ct_render_eye *eye, const float point[3]) {
    const ct_vec3 offset = ct_vec3_sub(ct_vec3_make(point[0], point[1], point[2]), eye->position);
    return ct_vec3_dot(offset, eye->forward);
}

static uint64_t key_of(const ct_render_draws *d, const ct_render_cloud *cloud, uint32_t shader,
                       uint32_t layer, const ct_render_eye *eye) {
    const uint32_t order = cloud->desc.order & 0xff;
    const float distance = distance_of(eye, cloud->desc.sort_position);
    switch (d->graph->layers[layer].sort) {
    case CT_RENDER_SORT_MATERIAL:
        return ct_render_key_material(layer, shader, cloud->material, 0, order, false);
    case CT_RENDER_SORT_FRONT_BACK:
        return ct_render_key_front_back(layer, distance, cloud->material, 0, order, false);
    default:
        return ct_render_key_back_front(layer, distance, order << 16 | (cloud->material & 0xffff));
    }
}

void ct_render_clouds_collect(ct_render_draws *d, ct_render_draw_list *list,
                              const ct_render_eye *eye) {
    const ct_render_clouds *const clouds = d->clouds;
    for (uint32_t i = 0; i < clouds->items.count; ++i) {
        const ct_render_cloud *const cloud = &clouds->items.items[i];
        const float *const s = cloud->desc.sphere;
        const ct_sphere sphere = {ct_vec3_make(s[0], s[1], s[2]), s[3]};
        uint32_t layer;
        if (!ct_frustum_intersects_sphere(&eye->frustum, sphere))
            continue;
        const ct_render_material *const m = find_material(d, cloud->material, &layer);
        if (!m)
            continue;
        const ct_render_item item = {.key = key_of(d, cloud, m->shader, layer, eye),
                                     .object = i,
                                     .material = cloud->material};
        ct_array_push(&list->items, item);
    }
}

// --- Instances -----------------------------------------------------------------------------------

// Copies the instances, the farthest first.
static void copy_sorted(ct_render_draws *d, const ct_particle_instance *instances, uint32_t count,
                        const ct_render_eye *eye, ct_particle_instance *target) {
    ct_array_reserve(&d->sorted_particles, count);
    ct_array_reserve(&d->sort_scratch, count);
    ct_sort_item32 *const order = d->sorted_particles.items;
    for (uint32_t i = 0; i < count; ++i)
        order[i] =
            (ct_sort_item32){~ct_sort_key_of_float(distance_of(eye, instances[i].position)), i};
    ct_sort_items32(order, d->sort_scratch.items, count);
    for (uint32_t i = 0; i < count; ++i)
        target[i] = instances[order[i].index];
}

static void copy_instances(ct_render_draws *d, const ct_render_cloud *cloud,
                           const ct_render_eye *eye, ct_particle_instance *target) {
    const ct_particle_instance *const instances = d->clouds->instances.items + cloud->first;
    if (!cloud->desc.is_ribbon && cloud->desc.sort == CT_PARTICLE_SORT_DISTANCE) {
        copy_sorted(d, instances, cloud->count, eye, target);
        return;
    }
    memcpy(target, instances, sizeof(*target) * cloud->count);
    // What follows the last point is another cloud's.
    if (cloud->desc.is_ribbon)
        target[cloud->count - 1].frame = 1.0f;
}

// Finds the instances of a cloud that shows an emitter. Returns how many of another are to be placed.
static uint32_t place_emitter(const ct_render_draws *d, ct_render_cloud *cloud) {
    if (!cloud->emitter.value)
        return cloud->count;
    cloud->placed_buffer =
        ct_render_emitters_instances(d->emitters, cloud->emitter, &cloud->placed_count);
    cloud->placed_first = 0;
    return 0;
}

void ct_render_clouds_place(ct_render_draws *d, const ct_render_draw_list *list,
                            const ct_render_eye *eye) {
    ct_render_clouds *const clouds = d->clouds;
    ct_render_frames *const f = d->graph->materials->frames;
    uint32_t total = 0, next;
    for (uint32_t i = 0; i < list->num_items && clouds->items.count; ++i)
        if (ct_render_item_is_cloud(&list->sorted[i]))
            total += place_emitter(d, &clouds->items.items[list->sorted[i].object]);
    if (!total)
        return;
    CT_PROFILER_SCOPE("place particles");
    ct_particle_instance *target = ct_render_frames_particles(f, total, &next);
    for (uint32_t i = 0; i < list->num_items; ++i) {
        if (!ct_render_item_is_cloud(&list->sorted[i]))
            continue;
        ct_render_cloud *const cloud = &clouds->items.items[list->sorted[i].object];
        if (cloud->emitter.value)
            continue;
        copy_instances(d, cloud, eye, target);
        cloud->placed_buffer = f->slot->particles.handle;
        cloud->placed_first = next;
        cloud->placed_count = cloud->count;
        target += cloud->count;
        next += cloud->count;
    }
}

// --- Recording -----------------------------------------------------------------------------------

static void push_block(const ct_render_draws *d, const ct_render_cloud_desc *desc,
                       VkPipelineLayout layout) {
    cloud_block block = {.stretch = desc->stretch,
                         .pivot = {desc->pivot[0], desc->pivot[1]},
                         .grid = {desc->grid[0] ? (float)desc->grid[0] : 1.0f,
                                  desc->grid[1] ? (float)desc->grid[1] : 1.0f},
                         .facing = desc->facing,
                         .is_ribbon = desc->is_ribbon,
                         .blends = desc->blends};
    memcpy(block.axis, desc->axis, sizeof(block.axis));
    d->context->device->vk.CmdPushConstants(d->context->commands, layout,
                                            VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof(block), &block);
}

// Draws `count` instances from `first` of a buffer on.
static void draw(ct_render_draws *d, const ct_render_cloud *look, VkBuffer buffer, uint32_t first,
                 uint32_t count, uint32_t signature, const ct_render_frame_set *set) {
    const ct_render_material *const m = ct_render_draws_bind(d, look->material, signature, 0, set);
    if (!m)
        return;
    const ct_vulkan_api *const vk = &d->context->device->vk;
    const VkCommandBuffer commands = d->context->commands;
    push_block(d, &look->desc, d->graph->shaders->items.items[m->shader].layout);
    // The second binding begins one instance later: it has the next one of each.
    const VkBuffer buffers[] = {buffer, buffer};
    const VkDeviceSize offsets[] = {0, sizeof(ct_particle_instance)};
    vk->CmdBindVertexBuffers(commands, 0, 2, buffers, offsets);
    ct_render_draws_bind_quads(d, 1);
    vk->CmdDrawIndexed(commands, CT_RENDER_QUAD_INDICES, count, 0, 0, first);
    ++d->stats.num_draws;
    d->stats.num_particles += count;
    d->stats.num_triangles += count * 2;
    d->mesh = 0; // its buffers are not bound any more
}

uint32_t ct_render_clouds_record(ct_render_draws *d, const ct_render_draw_list *list,
                                 uint32_t begin, uint32_t end, uint32_t signature,
                                 const ct_render_frame_set *set) {
    const ct_render_cloud *const clouds = d->clouds->items.items;
    const ct_render_cloud *const first = &clouds[list->sorted[begin].object];
    uint32_t count = first->placed_count, next = begin + 1;
    for (; next < end && ct_render_item_is_cloud(&list->sorted[next]); ++next) {
        const ct_render_cloud *const other = &clouds[list->sorted[next].object];
        if (other->placed_buffer != first->placed_buffer ||
            other->placed_first != first->placed_first + count ||
            !ct_render_clouds_look_same(&first->desc, &other->desc))
            break;
        count += other->placed_count;
    }
    if (!first->placed_buffer || !count) // an emitter that made no particles yet
        return next;
    draw(d, first, first->placed_buffer, first->placed_first, count, signature, set);
    return next;
}
