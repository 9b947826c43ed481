#include "render/draw/render_draw.h"

#include <math.h>
#include <string.h>

#include "foundation/log.h"
#include "foundation/math/math.h"
#include "foundation/profiler/profiler.h"
#include "render/draw/render_cloud_draw.h"

void ct_render_draws_init(ct_render_draws *d, ct_render_graph *g, ct_render_meshes *m,
                          ct_task_manager *tasks) {
    *d = (ct_render_draws){.context = g->context, .graph = g, .meshes = m, .tasks = tasks};
    ct_allocator *const a = g->context->allocator;
    ct_array_init(&d->visible, a);
    ct_array_init(&d->seen, a);
    ct_array_init(&d->uses, a);
    ct_array_init(&d->skins, a);
    ct_array_init(&d->step_lists, a);
    ct_array_init(&d->sky.objects, a);
    ct_array_init(&d->sorted_particles, a);
    ct_array_init(&d->sort_scratch, a);
    ct_render_history_init(&d->history, a);
    for (uint32_t i = 0; i < CT_RENDER_MAX_DRAW_LISTS; ++i) {
        ct_array_init(&d->lists[i].items, a);
        ct_array_init(&d->lists[i].scratch, a);
    }
}

void ct_render_draws_drop(ct_render_draws *d) {
    ct_render_retire_buffer(&d->context->retire, &d->quad_indices);
    d->num_indexed_quads = 0;
    d->sky.shown = 0;
    ct_render_history_clear(&d->history);
}

void ct_render_draws_shutdown(ct_render_draws *d) {
    ct_array_free(&d->visible);
    ct_array_free(&d->seen);
    ct_array_free(&d->uses);
    ct_array_free(&d->skins);
    ct_array_free(&d->sky.objects);
    ct_array_free(&d->sorted_particles);
    ct_array_free(&d->sort_scratch);
    for (uint32_t i = 0; i < d->step_lists.count; ++i) {
        ct_array_free(&d->step_lists.items[i].list.items);
        ct_array_free(&d->step_lists.items[i].list.scratch);
    }
    ct_array_free(&d->step_lists);
    ct_render_history_free(&d->history);
    for (uint32_t i = 0; i < CT_RENDER_MAX_DRAW_LISTS; ++i) {
        ct_array_free(&d->lists[i].items);
        ct_array_free(&d->lists[i].scratch);
    }
}

// --- Items ---------------------------------------------------------------------------------------

uint32_t ct_render_shader_num_instanced(const ct_shader_resource *shader) {
    const ct_shader_parameter *const parameters = ct_blob_at(shader, shader->parameters.offset);
    uint32_t count = 0;
    for (uint32_t i = 0; i < shader->parameters.count; ++i)
        count += parameters[i].instanced != 0;
    return count;
}

// A shader of a layer that the render config does not have draws nothing: most likely a mistake.
static void warn_of_layer(const ct_render_graph *g, ct_string_id64 shader, ct_string_id32 layer) {
    const char *name = ct_string_id64_name(shader), *layer_name = ct_string_id32_name(layer);
    if (!layer.value) {
        ct_log_warning("render", "no_layer", "the shader \"%s\" draws nothing: it names no layer",
                       name);
        return;
    }
    const char *names[CT_RENDER_GRAPH_MAX_LAYERS];
    for (uint32_t i = 0; i < g->num_layers; ++i)
        names[i] = ct_string_id32_name(g->layers[i].name);
    const char *const nearest = ct_nearest_name(layer_name, names, g->num_layers);
    ct_log_warning("render", "unknown_layer",
                   "the shader \"%s\" draws nothing: the render config has no layer \"%s\""
                   "%s%s%s",
                   name, layer_name, nearest ? " (did you mean \"" : "", nearest ? nearest : "",
                   nearest ? "\"?)" : "");
}

uint32_t ct_render_draws_layer_of(const ct_render_draws *d, const ct_render_material *m) {
    const ct_render_graph *const g = d->graph;
    const ct_shader_resource *const blob = g->shaders->items.items[m->shader].blob;
    const ct_string_id32 name = ct_shader_state_of(blob, m->options)->layer;
    const uint32_t layer = ct_render_graph_layer_named(g, name);
    if (layer == g->num_layers)
        warn_of_layer(g, m->shader_name, name);
    return layer;
}

static ct_render_material_use find_use(ct_render_draws *d, uint32_t index) {
    ct_render_graph *const g = d->graph;
    ct_render_material_use use = {.view = d->view};
    if (!index)
        index = g->error_material;
    // Materials that are not online yet draw nothing; broken ones draw the error material.
    if (!ct_render_materials_is_online(g->materials, index))
        return use;
    for (uint32_t attempt = 0; attempt < 2; ++attempt) {
        const ct_render_material *const m = ct_render_materials_bound(g->materials, index);
        const ct_shader_resource *blob = m ? g->shaders->items.items[m->shader].blob : NULL;
        if (blob && !blob->is_compute && blob->vertices == CT_SHADER_VERTICES_MESH) {
            use.layer = ct_render_draws_layer_of(d, m);
            use.shader = m->shader;
            use.material = use.layer < g->num_layers ? index : 0;
            use.casts_shadows = ct_shader_state_of(blob, m->options)->casts_shadows;
            use.num_instanced = ct_render_shader_num_instanced(blob);
            return use;
        }
        index = g->error_material;
    }
    return use;
}

static const ct_render_material_use *use_of(ct_render_draws *d, uint32_t material) {
    ct_render_material_use *const use = &d->uses.items[material];
    if (use->view != d->view)
        *use = find_use(d, material);
    return use;
}

static ct_vec3 center_of(const float sphere[4]) {
    return ct_vec3_make(sphere[0], sphere[1], sphere[2]);
}

static uint64_t key_of(const ct_render_draws *d, const ct_render_material_use *use,
                       const ct_render_item *item, const float sphere[4],
                       const ct_render_eye *eye) {
    const uint32_t sort = d->graph->layers[use->layer].sort;
    if (sort == CT_RENDER_SORT_MATERIAL || eye->is_light)
        return ct_render_key_material(use->layer, use->shader, item->material, item->mesh,
                                      item->part, item->is_mirrored);
    const float distance = ct_vec3_dot(ct_vec3_sub(center_of(sphere), eye->position), eye->forward);
    if (sort == CT_RENDER_SORT_FRONT_BACK)
        return ct_render_key_front_back(use->layer, distance, item->material, item->mesh,
                                        item->part, item->is_mirrored);
    return ct_render_key_back_front(use->layer, distance, item->material);
}

static void add_items(ct_render_draws *d, ct_render_draw_list *list, const ct_render_world *w,
                      uint32_t object, const ct_render_eye *eye) {
    const uint32_t mesh = w->meshes[object];
    const ct_render_mesh *const drawn = &d->meshes->items.items[mesh];
    const uint32_t num_parts = drawn->num_parts;
    const float *const sphere = w->spheres[object];
    const uint32_t lod =
        drawn->num_lods ? ct_render_mesh_lod(drawn, ct_render_lod_size(&d->lod_eye, sphere)) : 0;
    const ct_mesh_part *const parts = drawn->parts + lod * num_parts;
    ct_array_reserve(&list->items, (uint64_t)list->items.count + num_parts);
    for (uint32_t part = 0; part < num_parts; ++part) {
        const ct_render_material_use *const use =
            use_of(d, ct_render_world_material(w, object, part));
        if (!use->material || (eye->is_light && !use->casts_shadows) || !parts[part].num_indices)
            continue;
        ct_render_item *const item = &list->items.items[list->items.count++];
        *item = (ct_render_item){.object = object,
                                 .material = use->material,
                                 .mesh = mesh,
                                 .part = lod * num_parts + part,
                                 .lod = lod,
                                 .is_mirrored = (w->flags[object] & CT_RENDER_OBJECT_MIRRORED) != 0,
                                 .is_posed = ct_render_world_is_posed(w, object)};
        item->key = key_of(d, use, item, sphere, eye);
        const float depth = ct_vec3_dot(center_of(sphere), eye->forward) - sphere[3];
        list->nearest = depth < list->nearest ? depth : list->nearest;
    }
}

float ct_render_lod_size(const ct_render_lod_eye *eye, const float sphere[4]) {
    const float size = sphere[3] * eye->scale;
    if (eye->is_orthographic)
        return size;
    return size / ct_vec3_length(ct_vec3_sub(center_of(sphere), eye->position));
}

void ct_render_draws_begin_view(ct_render_draws *d, ct_render_world *world,
                                const ct_render_view *view, float lod_bias) {
    ++d->view;
    d->clouds = &world->clouds;
    const ct_mat4 *const projection = &view->projection;
    d->lod_eye = (ct_render_lod_eye){.position = ct_mat4_position(view->pose),
                                     .scale = fabsf(projection->raw[2][1]) * lod_bias,
                                     .is_orthographic = projection->raw[3][3] == 1.0f};
    ct_array_resize(&d->visible, world->objects.count);
    ct_array_resize(&d->seen, world->objects.count);
    ct_array_resize(&d->uses, d->graph->materials->items.count);
}

void ct_render_draws_collect(ct_render_draws *d, ct_render_draw_list *list, ct_render_world *world,
                             const ct_render_eye *eye) {
    CT_PROFILER_SCOPE("collect draws");
    const uint8_t unseen =
        CT_RENDER_OBJECT_HIDDEN | (eye->is_light ? CT_RENDER_OBJECT_SHADOWLESS : 0);
    const ct_render_culling_query query = {.frustum = eye->frustum,
                                           .spheres = (const float(*)[4])world->spheres,
                                           .flags = world->flags,
                                           .unseen = unseen,
                                           .count = world->objects.count,
                                           .visible = d->visible.items};
    ct_render_culling_see(&world->culling, d->tasks, &query, list->num_seen);
    list->num_seen = ct_render_culling_list(d->visible.items, world->objects.count, d->seen.items);
    list->items.count = 0;
    list->nearest = INFINITY;
    for (uint32_t i = 0; i < list->num_seen; ++i)
        add_items(d, list, world, d->seen.items[i], eye);
    if (!eye->is_light)
        ct_render_clouds_collect(d, list, eye);
    list->num_items = list->items.count;
    if (!list->num_items)
        return;
    ct_array_reserve(&list->scratch, list->num_items);
    list->sorted = ct_render_sort_items(list->items.items, list->scratch.items, list->num_items);
}

bool ct_render_draws_is_in_layer(ct_render_draws *d, const ct_render_world *world, uint32_t object,
                                 uint32_t layer) {
    const uint32_t num_parts = d->meshes->items.items[world->meshes[object]].num_parts;
    for (uint32_t part = 0; part < num_parts; ++part) {
        const ct_render_material_use *const use =
            use_of(d, ct_render_world_material(world, object, part));
        if (use->material && use->layer == layer)
            return true;
    }
    return false;
}

void ct_render_draws_collect_layer(ct_render_draws *d, ct_render_draw_list *list,
                                   const ct_render_world *world, const uint32_t *objects,
                                   uint32_t count, uint32_t layer) {
    const ct_render_eye eye = {.position = d->lod_eye.position};
    list->items.count = 0;
    for (uint32_t i = 0; i < count; ++i)
        if (!(world->flags[objects[i]] & CT_RENDER_OBJECT_HIDDEN))
            add_items(d, list, world, objects[i], &eye);
    uint32_t num_items = 0;
    for (uint32_t i = 0; i < list->items.count; ++i)
        if (ct_render_key_layer(list->items.items[i].key) == layer)
            list->items.items[num_items++] = list->items.items[i];
    list->items.count = num_items;
    list->num_items = num_items;
    if (!num_items)
        return;
    ct_array_reserve(&list->scratch, num_items);
    list->sorted = ct_render_sort_items(list->items.items, list->scratch.items, num_items);
}

// --- Instances -----------------------------------------------------------------------------------

enum { VECTORS_OF_INSTANCE = sizeof(ct_render_instance) / (4 * sizeof(float)) };

// Where values are written: `mapped` is what stands at vector `next` of the buffer.
typedef struct value_writer {
    float (*mapped)[4];
    uint32_t next;
} value_writer;

// The value that the object has of its own, or NULL.
static const float *own_value(const ct_render_world *w, uint32_t object, ct_string_id32 name) {
    for (uint32_t at = w->first_value[object]; at; at = w->values.items[at].next)
        if (w->values.items[at].name.value == name.value)
            return w->values.items[at].value;
    return NULL;
}

// Writes the values of the material's instanced parameters; of an object that has some of its own,
// unless `object` is UINT32_MAX. Returns their position.
static uint32_t write_values(const ct_render_draws *d, const ct_render_world *w,
                             const ct_render_material_use *use, uint32_t object,
                             value_writer *writer) {
    const ct_render_material *const m = &d->graph->materials->items.items[use->material];
    const ct_shader_resource *const shader = d->graph->shaders->items.items[use->shader].blob;
    const ct_shader_parameter *const parameters = ct_blob_at(shader, shader->parameters.offset);
    const uint32_t first = writer->next;
    for (uint32_t i = 0; i < shader->parameters.count; ++i) {
        const ct_shader_parameter *const p = &parameters[i];
        if (!p->instanced)
            continue;
        const float *const own = object == UINT32_MAX ? NULL : own_value(w, object, p->name);
        const void *const value = own ? (const void *)own : m->block + p->offset;
        float target[4] = {0.0f, 0.0f, 0.0f, 0.0f};
        memcpy(target, value, sizeof(float) * ct_shader_parameter_floats(p->type));
        memcpy(writer->mapped[p->instanced - 1], target, sizeof(target));
    }
    writer->mapped += use->num_instanced;
    writer->next += use->num_instanced;
    return first;
}

// Returns the position of an item's values; 0 when its shader has none.
static uint32_t place_values(ct_render_draws *d, const ct_render_world *w,
                             ct_render_material_use *use, const ct_render_item *item,
                             value_writer *writer) {
    if (use->view != d->view || !use->num_instanced)
        return 0;
    if (w->first_value[item->object])
        return write_values(d, w, use, item->object, writer);
    if (!use->shared_values)
        use->shared_values = write_values(d, w, use, UINT32_MAX, writer);
    return use->shared_values;
}

// The use of an item's material; `step` is its list's, or NULL.
static ct_render_material_use *use_of_item(ct_render_draws *d, ct_render_step_list *step,
                                           const ct_render_item *item) {
    return step && step->use.material ? &step->use : &d->uses.items[item->material];
}

// List number `i` of the first `num_lists` and those of steps behind them; NULL behind the last.
// `step` is the step's, or NULL.
static ct_render_draw_list *list_at(ct_render_draws *d, uint32_t i, uint32_t num_lists,
                                    ct_render_step_list **step) {
    *step = i < num_lists || i - num_lists >= d->num_step_lists
                ? NULL
                : &d->step_lists.items[i - num_lists];
    return i < num_lists ? &d->lists[i] : *step ? &(*step)->list : NULL;
}

// The most vectors that the values of the lists' items take.
static uint32_t count_values(ct_render_draws *d, const ct_render_world *w, uint32_t num_lists) {
    uint32_t count = 0;
    const ct_render_draw_list *list;
    ct_render_step_list *step;
    for (uint32_t i = 0; (list = list_at(d, i, num_lists, &step)); ++i)
        for (uint32_t k = 0; k < list->num_items; ++k) {
            const ct_render_item *const item = &list->sorted[k];
            if (!ct_render_item_is_cloud(item) && w->first_value[item->object])
                count += use_of_item(d, step, item)->num_instanced;
        }
    for (uint32_t i = 0; i < d->uses.count; ++i)
        if (d->uses.items[i].view == d->view)
            count += d->uses.items[i].num_instanced;
    for (uint32_t i = 0; i < d->num_step_lists; ++i)
        count += d->step_lists.items[i].use.num_instanced;
    return count;
}

static void set_palette(const ct_render_world *w, uint32_t object, ct_render_instance *instance) {
    const ct_render_palette *const p = &w->skeletons.skins.items[w->skins[object]].palette;
    instance->palette = p->first;
    instance->previous_palette = ct_render_world_is_new(w, object) ? p->first : p->previous;
}

// True for lists whose draws may go to a velocity target: those of the view.
static bool has_velocity(const ct_render_draws *d, uint32_t list, const ct_render_step_list *step) {
    return ct_render_graph_has_velocity(d->graph) && (step ? !step->step->has_targets : list == 0);
}

// How many items are of objects that moved, when their velocity is drawn.
static uint32_t count_moved(ct_render_draws *d, const ct_render_world *w, uint32_t num_lists) {
    uint32_t count = 0;
    const ct_render_draw_list *list;
    ct_render_step_list *step;
    for (uint32_t i = 0; (list = list_at(d, i, num_lists, &step)); ++i)
        for (uint32_t k = 0; k < list->num_items && has_velocity(d, i, step); ++k)
            count += !ct_render_item_is_cloud(&list->sorted[k]) &&
                     ct_render_world_previous_rows(w, list->sorted[k].object) != NULL;
    return count;
}

// Writes the rows that a moved object had in the last frame. Returns their position; 0: it did not
// move.
static uint32_t place_previous(const ct_render_world *w, uint32_t object, value_writer *writer) {
    const float(*const rows)[4] = ct_render_world_previous_rows(w, object);
    if (!rows)
        return 0;
    const uint32_t at = writer->next;
    memcpy(writer->mapped, rows, sizeof(float[3][4]));
    writer->mapped += 3;
    writer->next += 3;
    return at;
}

static void place_list(ct_render_draws *d, const ct_render_world *world, ct_render_draw_list *list,
                       ct_render_step_list *step, bool has_moved, ct_render_instance *instances,
                       value_writer *writer) {
    for (uint32_t k = 0; k < list->num_items; ++k) {
        const ct_render_item *const item = &list->sorted[k];
        if (ct_render_item_is_cloud(item))
            continue; // its particles have a place of their own
        ct_render_instance instance = world->instances[item->object];
        instance.values = place_values(d, world, use_of_item(d, step, item), item, writer);
        if (item->is_posed)
            set_palette(world, item->object, &instance);
        const uint32_t previous = has_moved ? place_previous(world, item->object, writer) : 0;
        instance.previous_and_lod = CT_RENDER_INSTANCE_PREVIOUS(previous, item->lod);
        instances[k] = instance;
    }
}

// All at once: the buffer may be replaced by a larger one, and set 0 has only one. Values stand
// behind the instances.
void ct_render_draws_place(ct_render_draws *d, const ct_render_world *world, uint32_t num_lists) {
    uint32_t total = 0, next;
    ct_render_draw_list *list;
    ct_render_step_list *step;
    for (uint32_t i = 0; (list = list_at(d, i, num_lists, &step)); ++i)
        total += list->num_items;
    if (!total)
        return;
    const uint32_t num_moved = count_moved(d, world, num_lists);
    const uint32_t num_values = count_values(d, world, num_lists) + 3 * num_moved;
    ct_render_instance *instances = ct_render_frames_instances(
        d->graph->materials->frames,
        total + (num_values + VECTORS_OF_INSTANCE - 1) / VECTORS_OF_INSTANCE, &next);
    value_writer writer = {(float(*)[4])(void *)(instances + total),
                           (next + total) * VECTORS_OF_INSTANCE};
    for (uint32_t i = 0; (list = list_at(d, i, num_lists, &step)); ++i) {
        list->first_instance = next;
        place_list(d, world, list, step, num_moved && has_velocity(d, i, step), instances, &writer);
        instances += list->num_items;
        next += list->num_items;
    }
}

// --- Recording -----------------------------------------------------------------------------------

void ct_render_draws_unbind(ct_render_draws *d) {
    d->pipeline = VK_NULL_HANDLE;
    d->material_set = VK_NULL_HANDLE;
    d->block_offset = 0;
    d->mesh = 0;
    d->front_face = VK_FRONT_FACE_MAX_ENUM;
}

// Binds a pipeline, set 0 and the material's set where they differ from what is bound.
static void bind(ct_render_draws *d, const ct_render_material *m, VkPipeline pipeline,
                 const ct_render_frame_set *set) {
    const ct_vulkan_api *const vk = &d->context->device->vk;
    const VkCommandBuffer commands = d->context->commands;
    const VkPipelineLayout layout = d->graph->shaders->items.items[m->shader].layout;
    if (!d->pipeline)
        vk->CmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout,
                                  CT_RENDER_SET_FRAME, 1, &set->handle, 2, set->offsets);
    if (d->pipeline != pipeline) {
        vk->CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
        // A set of another layout would be disturbed: bind the material's set again.
        d->material_set = VK_NULL_HANDLE;
    }
    d->pipeline = pipeline;
    if (m->set.handle && (d->material_set != m->set.handle || d->block_offset != m->block_offset))
        vk->CmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout,
                                  CT_RENDER_SET_MATERIAL, 1, &m->set.handle, m->block_bytes ? 1 : 0,
                                  &m->block_offset);
    d->material_set = m->set.handle;
    d->block_offset = m->block_offset;
    if (d->front_face == VK_FRONT_FACE_MAX_ENUM) {
        d->front_face = VK_FRONT_FACE_COUNTER_CLOCKWISE;
        vk->CmdSetFrontFace(commands, d->front_face);
    }
}

const ct_render_material *ct_render_draws_bind(ct_render_draws *d, uint32_t material,
                                               uint32_t signature, uint32_t vertices,
                                               const ct_render_frame_set *set) {
    const ct_render_material *const m = ct_render_materials_ready(d->graph->materials, material);
    d->is_awaiting = false;
    if (!m)
        return NULL;
    // What is still being made is not drawn.
    d->is_awaiting =
        ct_render_shaders_is_awaited(d->graph->shaders, m->shader, m->options, signature, vertices);
    d->num_awaited += d->is_awaiting;
    if (d->is_awaiting)
        return NULL;
    const VkPipeline pipeline =
        ct_render_shaders_pipeline(d->graph->shaders, m->shader, m->options, signature, vertices);
    if (!pipeline)
        return NULL;
    bind(d, m, pipeline, set);
    return m;
}

void ct_render_draws_bind_quads(ct_render_draws *d, uint32_t num_quads) {
    enum { FIRST_QUADS = 4096 };
    ct_render_context *const c = d->context;
    if (num_quads > d->num_indexed_quads) {
        uint32_t count = d->num_indexed_quads ? d->num_indexed_quads : FIRST_QUADS;
        while (count < num_quads)
            count *= 2;
        ct_render_retire_buffer(&c->retire, &d->quad_indices);
        d->quad_indices = ct_render_buffer_create(
            c->device, (uint64_t)count * CT_RENDER_QUAD_INDICES * sizeof(uint32_t),
            VK_BUFFER_USAGE_INDEX_BUFFER_BIT, CT_RENDER_MEMORY_USE_UPLOAD);
        d->num_indexed_quads = count;
        uint32_t *mapped = d->quad_indices.allocation.mapped;
        for (uint32_t i = 0; i < count; ++i, mapped += CT_RENDER_QUAD_INDICES) {
            const uint32_t v = i * 4;
            mapped[0] = v, mapped[1] = v + 1, mapped[2] = v + 2;
            mapped[3] = v + 2, mapped[4] = v + 3, mapped[5] = v;
        }
    }
    c->device->vk.CmdBindIndexBuffer(c->commands, d->quad_indices.handle, 0, VK_INDEX_TYPE_UINT32);
}

static void bind_mesh(ct_render_draws *d, const ct_render_item *item) {
    const ct_vulkan_api *const vk = &d->context->device->vk;
    const VkCommandBuffer commands = d->context->commands;
    const VkFrontFace front =
        item->is_mirrored ? VK_FRONT_FACE_CLOCKWISE : VK_FRONT_FACE_COUNTER_CLOCKWISE;
    if (d->front_face != front)
        vk->CmdSetFrontFace(commands, front);
    d->front_face = front;
    if (d->mesh == item->mesh)
        return;
    d->mesh = item->mesh;
    ct_render_meshes_bind(d->meshes, item->mesh);
}

static bool is_same_draw(const ct_render_item *a, const ct_render_item *b) {
    return a->material == b->material && a->mesh == b->mesh && a->part == b->part &&
           a->is_mirrored == b->is_mirrored && a->is_posed == b->is_posed;
}

// Draws `count` equal items from position `begin` on.
static void draw_run(ct_render_draws *d, const ct_render_draw_list *list, uint32_t begin,
                     uint32_t count, uint32_t signature, const ct_render_frame_set *set) {
    const ct_render_item *const item = &list->sorted[begin];
    const ct_render_mesh *const mesh = &d->meshes->items.items[item->mesh];
    const uint32_t vertices =
        CT_RENDER_VERTICES(mesh->format, item->is_posed ? mesh->num_influences : 0);
    if (!ct_render_draws_bind(d, item->material, signature, vertices, set) &&
        (d->is_awaiting ||
         !ct_render_draws_bind(d, d->graph->error_material, signature, vertices, set)))
        return;
    bind_mesh(d, item);
    const ct_mesh_part *const part = &mesh->parts[item->part];
    d->context->device->vk.CmdDrawIndexed(d->context->commands, part->num_indices, count,
                                          part->first_index, 0, list->first_instance + begin);
    ++d->stats.num_draws;
    d->stats.num_instances += count;
    d->stats.num_triangles += part->num_indices / 3 * count;
}

static void record_range(ct_render_draws *d, const ct_render_draw_list *list, uint32_t begin,
                         uint32_t end, uint32_t signature, const ct_render_frame_set *set) {
    while (begin < end) {
        uint32_t next = begin + 1;
        if (ct_render_item_is_cloud(&list->sorted[begin])) {
            begin = ct_render_clouds_record(d, list, begin, end, signature, set);
            continue;
        }
        while (next < end && is_same_draw(&list->sorted[begin], &list->sorted[next]))
            ++next;
        draw_run(d, list, begin, next - begin, signature, set);
        begin = next;
    }
}

// The first position whose layer is at least `layer`.
static uint32_t layer_begin(const ct_render_draw_list *list, uint32_t layer) {
    uint32_t low = 0, high = list->num_items;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (ct_render_key_layer(list->sorted[middle].key) < layer)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void ct_render_draws_layer_range(const ct_render_draw_list *list, uint32_t layer, uint32_t *begin,
                                 uint32_t *end) {
    *begin = layer_begin(list, layer);
    *end = layer_begin(list, layer + 1);
}

void ct_render_draws_record_layer(ct_render_draws *d, const ct_render_graph_step *step,
                                  const ct_render_frame_set *set) {
    const ct_render_draw_list *const list = &d->lists[0];
    const ct_render_attachments *const x = ct_render_graph_step_attachments(d->graph, step);
    uint32_t begin, end;
    ct_render_draws_layer_range(list, step->layer, &begin, &end);
    record_range(d, list, begin, end,
                 ct_render_graph_signature(d->graph, x, d->shadows.count > 0, step->is_wireframe),
                 set);
}

void ct_render_draws_record_list(ct_render_draws *d, const ct_render_draw_list *list,
                                 uint32_t signature, const ct_render_frame_set *set) {
    record_range(d, list, 0, list->num_items, signature, set);
}
