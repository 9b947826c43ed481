// Applies the stream of state changes: one function for each kind of command.
#include <string.h>

#include "foundation/error.h"
#include "foundation/profiler/profiler.h"
#include "render/device/vulkan_guard.h"
#include "render/object/render_state.h"

// The world of this id; NULL when it is gone (or was never made).
static ct_render_world *find_world(ct_render_state *s, ct_render_world_id id) {
    for (uint32_t i = 0; i < s->worlds.count; ++i)
        if (s->worlds.items[i]->id.value == id.value)
            return s->worlds.items[i];
    return NULL;
}

// --- Worlds --------------------------------------------------------------------------------------

static void world_create(ct_render_state *s, const void *payload) {
    const ct_render_command_world *const x = payload;
    ct_render_world *const world = CT_NEW(s->allocator, ct_render_world);
    ct_render_world_init(world, s->allocator, x->world);
    world->frame = s->frame;
    ct_array_push(&s->worlds, world);
}

static void world_destroy(ct_render_state *s, const void *payload) {
    const ct_render_command_world *const x = payload;
    for (uint32_t i = 0; i < s->worlds.count; ++i)
        if (s->worlds.items[i]->id.value == x->world.value) {
            ct_render_guis_free(&s->worlds.items[i]->guis, &s->context);
            ct_render_world_shutdown(s->worlds.items[i]);
            ct_free_sized(s->allocator, s->worlds.items[i], sizeof(ct_render_world));
            ct_array_swap_erase(&s->worlds, i);
            return;
        }
}

static void world_time(ct_render_state *s, const void *payload) {
    const ct_render_command_world_time *const x = payload;
    ct_render_world *const world = find_world(s, x->world);
    if (world)
        world->seconds = x->seconds;
}

// --- Objects -------------------------------------------------------------------------------------

static void object_create(ct_render_state *s, const void *payload) {
    const ct_render_command_object_create *const x = payload;
    ct_render_world *const world = find_world(s, x->world);
    if (!world)
        return;
    const ct_string_id64 *const names = (const ct_string_id64 *)(x + 1);
    const uint32_t count = x->num_materials;
    uint32_t materials[CT_MESH_MAX_MATERIALS];
    for (uint32_t i = 0; i < count; ++i)
        materials[i] = ct_render_materials_index(&s->materials, names[i]);
    ct_render_world_add_object(world, x->object, ct_render_meshes_index(&s->meshes, x->mesh),
                               materials, count, &x->pose, &s->meshes);
    if (x->flags)
        ct_render_world_set_flag(world, x->object, x->flags, true);
}

static void objects_destroy(ct_render_state *s, const void *payload) {
    const ct_render_command_objects *const x = payload;
    ct_render_world *const world = find_world(s, x->world);
    if (world)
        ct_render_world_remove_objects(world, (const ct_render_object_id *)(x + 1), x->count);
}

static void objects_set_poses(ct_render_state *s, const void *payload) {
    const ct_render_command_objects *const x = payload;
    ct_render_world *const world = find_world(s, x->world);
    const ct_mat4 *const poses = (const ct_mat4 *)(x + 1);
    const ct_render_object_id *const ids = (const ct_render_object_id *)(poses + x->count);
    if (world)
        ct_render_world_set_poses(world, ids, poses, x->count, &s->meshes);
}

static void object_set_flag(ct_render_state *s, const void *payload) {
    const ct_render_command_object_flag *const x = payload;
    ct_render_world *const world = find_world(s, x->world);
    if (world)
        ct_render_world_set_flag(world, x->object, x->flag, x->is_set);
}

static void object_set_material(ct_render_state *s, const void *payload) {
    const ct_render_command_object_material *const x = payload;
    ct_render_world *const world = find_world(s, x->world);
    if (world)
        ct_render_world_set_material(world, x->object, x->part,
                                     ct_render_materials_index(&s->materials, x->material));
}

static void object_set_value(ct_render_state *s, const void *payload) {
    const ct_render_command_object_value *const x = payload;
    ct_render_world *const world = find_world(s, x->world);
    if (world)
        ct_render_world_set_value(world, x->object, x->name, x->value);
}

static void object_set_skeleton(ct_render_state *s, const void *payload) {
    const ct_render_command_object_skeleton *const x = payload;
    ct_render_world *const world = find_world(s, x->world);
    if (world)
        ct_render_world_set_skeleton(world, x->object, x->skeleton);
}

static void object_set_outline(ct_render_state *s, const void *payload) {
    const ct_render_command_object_outline *const x = payload;
    ct_render_world *const world = find_world(s, x->world);
    if (world)
        ct_render_world_set_outline(world, x->object, x->is_set ? x->value : NULL, x->is_mark);
}

// --- Skeletons -----------------------------------------------------------------------------------

static void skeleton_create(ct_render_state *s, const void *payload) {
    const ct_render_command_skeleton *const x = payload;
    ct_render_world *const world = find_world(s, x->world);
    if (world)
        ct_render_skeletons_add(&world->skeletons, x->skeleton, (const ct_string_id32 *)(x + 1),
                                x->num_joints);
}

static void skeleton_destroy(ct_render_state *s, const void *payload) {
    const ct_render_command_skeleton *const x = payload;
    ct_render_world *const world = find_world(s, x->world);
    if (world)
        ct_render_skeletons_remove(&world->skeletons, x->skeleton);
}

static void skeletons_set_poses(ct_render_state *s, const void *payload) {
    const ct_render_command_skeletons *const x = payload;
    ct_render_world *const world = find_world(s, x->world);
    const ct_render_joint_pose *joints = (const ct_render_joint_pose *)(x + 1);
    const ct_render_skeleton_id *const ids =
        (const ct_render_skeleton_id *)(joints + x->num_joints);
    const uint32_t *const counts = (const uint32_t *)(ids + x->count);
    for (uint32_t i = 0; world && i < x->count; ++i) {
        ct_render_skeletons_set_pose(&world->skeletons, ids[i], joints, counts[i], s->frame);
        joints += counts[i];
    }
}

// --- Lights and lines ----------------------------------------------------------------------------

static void light_set(ct_render_state *s, const void *payload) {
    const ct_render_command_light *const x = payload;
    ct_render_world *const world = find_world(s, x->world);
    if (world)
        ct_render_lights_set(&world->lights, x->light, &x->data, &x->pose);
}

static void light_destroy(ct_render_state *s, const void *payload) {
    const ct_render_command_light *const x = payload;
    ct_render_world *const world = find_world(s, x->world);
    if (world)
        ct_render_lights_remove(&world->lights, x->light);
}

static void lines(ct_render_state *s, const void *payload) {
    const ct_render_command_lines *const x = payload;
    ct_render_world *const world = find_world(s, x->world);
    const ct_render_line_run run = {.vertices = (const ct_line_vertex *)(x + 1), .count = x->count};
    if (world)
        ct_array_push(&world->lines, run);
}

// --- Particles -----------------------------------------------------------------------------------

static void clouds_begin(ct_render_state *s, const void *payload) {
    const ct_render_command_world *const x = payload;
    ct_render_world *const world = find_world(s, x->world);
    if (world)
        ct_render_clouds_clear(&world->clouds);
}

static void cloud(ct_render_state *s, const void *payload) {
    const ct_render_command_cloud *const x = payload;
    ct_render_world *const world = find_world(s, x->world);
    if (world)
        ct_render_clouds_add(&world->clouds, &x->desc,
                             ct_render_materials_index(&s->materials, x->desc.material),
                             (const ct_particle_instance *)(x + 1), x->count, x->emitter);
}

static void effect_create(ct_render_state *s, const void *payload) {
    ct_render_emitters_add_effect(&s->emitters, payload);
}

static void effect_destroy(ct_render_state *s, const void *payload) {
    const ct_render_command_effect *const x = payload;
    ct_render_emitters_remove_effect(&s->emitters, x->effect);
}

static void emitter_create(ct_render_state *s, const void *payload) {
    ct_render_emitters_add(&s->emitters, payload);
}

static void emitter_destroy(ct_render_state *s, const void *payload) {
    const ct_render_command_emitter *const x = payload;
    ct_render_emitters_remove(&s->emitters, x->emitter);
}

static void emitter_step(ct_render_state *s, const void *payload) {
    ct_render_emitters_step(&s->emitters, payload);
}

static void emitter_read(ct_render_state *s, const void *payload) {
    ct_render_emitters_read(&s->emitters, payload);
}

// --- GUIs and glyphs -----------------------------------------------------------------------------

// The GUI of this id in a world; NULL when either is gone.
static ct_render_gui *find_gui(ct_render_state *s, ct_render_world_id world, ct_render_gui_id id) {
    ct_render_world *const w = find_world(s, world);
    return w ? ct_render_guis_find(&w->guis, id) : NULL;
}

static void gui_create(ct_render_state *s, const void *payload) {
    const ct_render_command_gui *const x = payload;
    ct_render_world *const world = find_world(s, x->world);
    if (world)
        ct_render_guis_add(&world->guis, x->gui, &x->desc);
}

static void gui_set(ct_render_state *s, const void *payload) {
    const ct_render_command_gui *const x = payload;
    ct_render_gui *const gui = find_gui(s, x->world, x->gui);
    if (!gui)
        return;
    const bool is_immediate = gui->desc.is_immediate;
    gui->desc = x->desc;
    gui->desc.is_immediate = is_immediate;
}

static void gui_destroy(ct_render_state *s, const void *payload) {
    const ct_render_command_gui *const x = payload;
    ct_render_world *const world = find_world(s, x->world);
    if (world)
        ct_render_guis_remove(&world->guis, x->gui, &s->context);
}

static void gui_clear(ct_render_state *s, const void *payload) {
    const ct_render_command_gui *const x = payload;
    ct_render_gui *const gui = find_gui(s, x->world, x->gui);
    if (gui)
        ct_render_batches_clear(&gui->batches);
}

static void gui_append(ct_render_state *s, const void *payload) {
    const ct_render_command_gui_quads *const x = payload;
    ct_render_gui *const gui = find_gui(s, x->key.world, x->key.gui);
    if (gui)
        ct_render_batches_append(&gui->batches, x->key.layer,
                                 ct_render_materials_index(&s->materials, x->key.material),
                                 (const ct_batch_vertex *)(x + 1), x->num_quads);
}

static void gui_object(ct_render_state *s, const void *payload) {
    const ct_render_command_gui_quads *const x = payload;
    ct_render_gui *const gui = find_gui(s, x->key.world, x->key.gui);
    if (gui)
        ct_render_batches_set(&gui->batches, x->slot, x->key.layer,
                              ct_render_materials_index(&s->materials, x->key.material),
                              (const ct_batch_vertex *)(x + 1), x->num_quads);
}

static void gui_remove(ct_render_state *s, const void *payload) {
    const ct_render_command_gui_remove *const x = payload;
    const uint32_t *const slots = (const uint32_t *)(x + 1);
    ct_render_gui *const gui = find_gui(s, x->world, x->gui);
    for (uint32_t i = 0; gui && i < x->count; ++i)
        ct_render_batches_remove(&gui->batches, slots[i]);
}

static void glyphs(ct_render_state *s, const void *payload) {
    const ct_render_command_glyphs *const x = payload;
    ct_render_glyphs_write(&s->glyphs, &x->area, (const uint8_t *)(x + 1));
}

// --- Resources -----------------------------------------------------------------------------------

static void material_parameter(ct_render_state *s, const void *payload) {
    const ct_render_command_material *const x = payload;
    ct_render_override value = {.name = x->name, .num_values = x->num_values};
    memcpy(value.values, x->values, sizeof(value.values));
    ct_render_materials_override(&s->materials, x->material, &value);
}

static void material_texture(ct_render_state *s, const void *payload) {
    const ct_render_command_material *const x = payload;
    ct_render_materials_override(&s->materials, x->material,
                                 &(ct_render_override){.name = x->name, .texture = x->texture});
}

static void resource(ct_render_state *s, const void *payload) {
    const ct_render_command_resource *const x = payload;
    switch ((ct_render_resource_type)x->type) {
    case CT_RENDER_RESOURCE_TYPE_TEXTURE:
        ct_render_textures_set(&s->textures, x->name, x->blob, x->stream);
        break;
    case CT_RENDER_RESOURCE_TYPE_MESH:
        ct_render_meshes_set(&s->meshes, x->name, x->blob);
        break;
    case CT_RENDER_RESOURCE_TYPE_SHADER:
        ct_render_shaders_set(&s->shaders, x->name, x->blob);
        break;
    case CT_RENDER_RESOURCE_TYPE_MATERIAL:
        ct_render_materials_set(&s->materials, x->name, x->blob);
        break;
    case CT_RENDER_RESOURCE_TYPE_COUNT:
        CT_ASSERT(false, "unknown resource type in the stream");
    }
}

static void config(ct_render_state *s, const void *payload) {
    const ct_render_command_config *const x = payload;
    s->ahead.is_stale = true;
    if (x->blob)
        ct_render_graph_set_config(&s->graph, x->blob, (const float *)(x + 1));
}

static void settings(ct_render_state *s, const void *payload) {
    const ct_render_command_settings *const x = payload;
    s->ahead.is_stale = true;
    ct_render_graph_set_values(&s->graph, x->config_checksum, (const float *)(x + 1), x->count);
}

// --- Frames --------------------------------------------------------------------------------------

static void resize(ct_render_state *s, const void *payload) {
    const ct_render_command_resize *const x = payload;
    s->width = x->width;
    s->height = x->height;
    ct_render_swapchain_resize(&s->swapchain);
}

static void render_world(ct_render_state *s, const void *payload) {
    ct_array_push(&s->views, (const ct_render_command_render_world *)payload);
}

static void screenshot(ct_render_state *s, const void *payload) {
    ct_array_push(&s->screenshots, *(const ct_render_command_screenshot *)payload);
}

static void picture(ct_render_state *s, const void *payload) {
    ct_array_push(&s->pictures.requests, *(const ct_render_command_picture *)payload);
}

static void draw_picture(ct_render_state *s, const void *payload) {
    ct_array_push(&s->pictures.views, (const ct_render_command_draw_picture *)payload);
}

static void keep_picture(ct_render_state *s, const void *payload) {
    (void)payload;
    s->keeps_picture = true;
}

static void split_frame(ct_render_state *s, const void *payload) {
    (void)payload;
    s->keeps_picture = s->is_part = true;
    ct_array_push_many(&s->late_screenshots, s->screenshots.items, s->screenshots.count);
    s->screenshots.count = 0;
}

static void fault(ct_render_state *s, const void *payload) {
    (void)s;
    const ct_render_command_fault *const x = payload;
    ct_vulkan_guard_inject(&(ct_vulkan_fault){.result = (VkResult)x->result,
                                              .call = x->call,
                                              .period = x->period,
                                              .num_times = x->num_times});
}

static void (*const appliers[])(ct_render_state *s, const void *payload) = {
    [CT_RENDER_COMMAND_TYPE_WORLD_CREATE] = world_create,
    [CT_RENDER_COMMAND_TYPE_WORLD_DESTROY] = world_destroy,
    [CT_RENDER_COMMAND_TYPE_WORLD_TIME] = world_time,
    [CT_RENDER_COMMAND_TYPE_OBJECT_CREATE] = object_create,
    [CT_RENDER_COMMAND_TYPE_OBJECTS_DESTROY] = objects_destroy,
    [CT_RENDER_COMMAND_TYPE_OBJECTS_SET_POSES] = objects_set_poses,
    [CT_RENDER_COMMAND_TYPE_OBJECT_SET_FLAG] = object_set_flag,
    [CT_RENDER_COMMAND_TYPE_OBJECT_SET_MATERIAL] = object_set_material,
    [CT_RENDER_COMMAND_TYPE_OBJECT_SET_VALUE] = object_set_value,
    [CT_RENDER_COMMAND_TYPE_OBJECT_SET_SKELETON] = object_set_skeleton,
    [CT_RENDER_COMMAND_TYPE_OBJECT_SET_OUTLINE] = object_set_outline,
    [CT_RENDER_COMMAND_TYPE_SKELETON_CREATE] = skeleton_create,
    [CT_RENDER_COMMAND_TYPE_SKELETON_DESTROY] = skeleton_destroy,
    [CT_RENDER_COMMAND_TYPE_SKELETONS_SET_POSES] = skeletons_set_poses,
    [CT_RENDER_COMMAND_TYPE_LIGHT_SET] = light_set,
    [CT_RENDER_COMMAND_TYPE_LIGHT_DESTROY] = light_destroy,
    [CT_RENDER_COMMAND_TYPE_LINES] = lines,
    [CT_RENDER_COMMAND_TYPE_CLOUDS_BEGIN] = clouds_begin,
    [CT_RENDER_COMMAND_TYPE_CLOUD] = cloud,
    [CT_RENDER_COMMAND_TYPE_EFFECT_CREATE] = effect_create,
    [CT_RENDER_COMMAND_TYPE_EFFECT_DESTROY] = effect_destroy,
    [CT_RENDER_COMMAND_TYPE_EMITTER_CREATE] = emitter_create,
    [CT_RENDER_COMMAND_TYPE_EMITTER_DESTROY] = emitter_destroy,
    [CT_RENDER_COMMAND_TYPE_EMITTER_STEP] = emitter_step,
    [CT_RENDER_COMMAND_TYPE_EMITTER_READ] = emitter_read,
    [CT_RENDER_COMMAND_TYPE_GUI_CREATE] = gui_create,
    [CT_RENDER_COMMAND_TYPE_GUI_SET] = gui_set,
    [CT_RENDER_COMMAND_TYPE_GUI_DESTROY] = gui_destroy,
    [CT_RENDER_COMMAND_TYPE_GUI_CLEAR] = gui_clear,
    [CT_RENDER_COMMAND_TYPE_GUI_APPEND] = gui_append,
    [CT_RENDER_COMMAND_TYPE_GUI_OBJECT] = gui_object,
    [CT_RENDER_COMMAND_TYPE_GUI_REMOVE] = gui_remove,
    [CT_RENDER_COMMAND_TYPE_GLYPHS] = glyphs,
    [CT_RENDER_COMMAND_TYPE_MATERIAL_PARAMETER] = material_parameter,
    [CT_RENDER_COMMAND_TYPE_MATERIAL_TEXTURE] = material_texture,
    [CT_RENDER_COMMAND_TYPE_RESOURCE] = resource,
    [CT_RENDER_COMMAND_TYPE_CONFIG] = config,
    [CT_RENDER_COMMAND_TYPE_SETTINGS] = settings,
    [CT_RENDER_COMMAND_TYPE_RESIZE] = resize,
    [CT_RENDER_COMMAND_TYPE_RENDER_WORLD] = render_world,
    [CT_RENDER_COMMAND_TYPE_SCREENSHOT] = screenshot,
    [CT_RENDER_COMMAND_TYPE_PICTURE] = picture,
    [CT_RENDER_COMMAND_TYPE_DRAW_PICTURE] = draw_picture,
    [CT_RENDER_COMMAND_TYPE_KEEP_PICTURE] = keep_picture,
    [CT_RENDER_COMMAND_TYPE_SPLIT_FRAME] = split_frame,
    [CT_RENDER_COMMAND_TYPE_FAULT] = fault,
};

void ct_render_state_clear_frame(ct_render_state *s) {
    const bool goes_on = s->is_part;
    s->is_part = s->keeps_picture = false;
    s->views.count = 0;
    s->screenshots.count = 0;
    ct_array_push_many(&s->screenshots, s->late_screenshots.items, s->late_screenshots.count);
    s->late_screenshots.count = 0;
    ct_render_emitters_clear_frame(&s->emitters);
    for (uint32_t i = 0; i < s->worlds.count; ++i) {
        ct_render_world *const world = s->worlds.items[i];
        world->frame = s->frame;
        if (goes_on)
            continue;
        world->lines.count = 0;
        ct_render_guis_clear_frame(&world->guis);
    }
}

void ct_render_state_keep_lines(ct_render_state *s) {
    for (uint32_t i = 0; i < s->worlds.count; ++i)
        ct_render_world_keep_lines(s->worlds.items[i]);
}

void ct_render_state_apply(ct_render_state *s, const ct_render_stream *stream) {
    CT_PROFILER_SCOPE("apply changes");
    uint64_t cursor = 0;
    const void *payload;
    const ct_render_command_header *header;
    while ((header = ct_render_stream_next(stream, &cursor, &payload))) {
        CT_ASSERT(header->type > 0 && header->type < CT_COUNT_OF(appliers),
                  "unknown command %u in the stream", header->type);
        appliers[header->type](s, payload);
    }
}
