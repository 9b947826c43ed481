#include "render/renderer.h"

#include <string.h>

#include "foundation/error.h"
#include "foundation/memory/proxy_allocator.h"
#include "render/device/render_recovery.h"
#include "render/device/vulkan_guard.h"
#include "render/render_settings.h"
#include "render/render_skeleton.h"
#include "render/render_thread.h"
#include "render/renderer_picture.h"
#include "render/renderer_private.h"
#include "render/shown_views.h"
#include "resource/types/material_resource.h"
#include "resource/types/mesh_resource.h"
#include "resource/types/shader_resource.h"
#include "resource/types/texture_resource.h"

struct ct_renderer {
    ct_renderer_base base; // first: ct_renderer_recording
    ct_allocator *allocator;
    ct_resource_manager *resources;
    bool only_records;              // `state` and `thread` stay zero then
    ct_render_stats recorded_stats; // what a recorder says that it did
    ct_render_state state;          // the render thread's
    ct_render_thread thread;
    ct_render_surface_api surface; // of the window; no functions: headless
    ct_render_stream streams[2];   // they take turns
    ct_render_stream wanted;       // what the render thread wants after a loss
    uint64_t frame;
    bool has_sent_blobs, has_views; // in the frame being recorded
    ct_shown_view shown_views[CT_MAX_SHOWN_VIEWS];
    uint32_t num_shown_views;
    uint64_t shown_frame; // in which they were noted
    uint32_t width, height;
    uint32_t last_id; // of worlds, objects and lights
    ct_string_id64 config;
    ct_render_settings settings;
};

// --- Resources -----------------------------------------------------------------------------------

// Takes a blob that is about to go out of the frame being recorded. It may be freed as soon as the
// frame before is done: whether it went before or after ct_resource_manager_update is not known.
static void withdraw_blob(ct_renderer *r, const void *blob) {
    if (!r->has_sent_blobs)
        return;
    uint64_t cursor = 0;
    const void *payload;
    const ct_render_command_header *header;
    while ((header = ct_render_stream_next(r->base.stream, &cursor, &payload))) {
        ct_render_command_resource *const resource = (void *)payload;
        ct_render_command_config *const config = (void *)payload;
        if (header->type == CT_RENDER_COMMAND_TYPE_RESOURCE && resource->blob == blob)
            resource->blob = NULL;
        if (header->type == CT_RENDER_COMMAND_TYPE_CONFIG && config->blob == blob)
            config->blob = NULL;
    }
}

// Makes names known by which the render thread speaks of layers.
static void register_layer_names(const void *blob, ct_blob_array names) {
    const ct_blob_string *const texts = ct_blob_at(blob, names.offset);
    for (uint32_t i = 0; i < names.count; ++i)
        ct_string_id32_register(ct_blob_at(blob, texts[i].offset));
}

// Makes the names of a mesh's joints known to the render thread's messages.
static void register_joint_names(const ct_mesh_resource *mesh) {
    uint32_t count;
    const ct_mesh_skin_joint *const joints = ct_mesh_skin_joints(mesh, &count);
    for (uint32_t i = 0; i < count; ++i)
        ct_string_id32_register(ct_blob_at(mesh, joints[i].name_text.offset));
}

// The stream of a texture when it is there, behind its blob.
static const void *stream_of(const ct_renderer *r, ct_render_resource_type type, const void *blob) {
    if (!blob || type != CT_RENDER_RESOURCE_TYPE_TEXTURE ||
        ct_resource_manager_is_streaming(r->resources) || ct_texture_stream(blob)->bytes == 0)
        return NULL;
    return (const char *)blob + ((const ct_blob_header *)blob)->size_bytes;
}

// Sends what a resource is now (NULL: offline), in place of `old_blob` (may be NULL).
static void send_resource(void *user, ct_render_resource_type type, ct_string_id64 name,
                          const void *old_blob, const void *blob) {
    ct_renderer *const r = user;
    if (old_blob)
        withdraw_blob(r, old_blob);
    if (blob && type == CT_RENDER_RESOURCE_TYPE_SHADER)
        register_layer_names(blob, ((const ct_shader_resource *)blob)->layer_names);
    if (blob && type == CT_RENDER_RESOURCE_TYPE_MESH)
        register_joint_names(blob);
    ct_render_command_resource *const x =
        ct_render_stream_push(r->base.stream, CT_RENDER_COMMAND_TYPE_RESOURCE, sizeof(*x));
    *x = (ct_render_command_resource){
        .type = type, .name = name, .blob = blob, .stream = stream_of(r, type, blob)};
    r->has_sent_blobs |= blob != NULL;
}

// The callbacks of one type.
#define RESOURCE_CALLBACKS(type, TYPE)                                                             \
    static void type##_online(void *user, ct_string_id64 name, const void *blob) {                 \
        send_resource(user, CT_RENDER_RESOURCE_TYPE_##TYPE, name, NULL, blob);                     \
    }                                                                                              \
    static void type##_offline(void *user, ct_string_id64 name, const void *blob) {                \
        send_resource(user, CT_RENDER_RESOURCE_TYPE_##TYPE, name, blob, NULL);                     \
    }                                                                                              \
    static void type##_reload(void *user, ct_string_id64 name, const void *old_blob,               \
                              const void *new_blob) {                                              \
        send_resource(user, CT_RENDER_RESOURCE_TYPE_##TYPE, name, old_blob, new_blob);             \
    }

RESOURCE_CALLBACKS(texture, TEXTURE)
RESOURCE_CALLBACKS(mesh, MESH)
RESOURCE_CALLBACKS(shader, SHADER)
RESOURCE_CALLBACKS(material, MATERIAL)

static void texture_streamed(void *user, ct_string_id64 name, const void *blob,
                             const void *stream) {
    ct_renderer *const r = user;
    ct_render_command_resource *const x =
        ct_render_stream_push(r->base.stream, CT_RENDER_COMMAND_TYPE_RESOURCE, sizeof(*x));
    *x = (ct_render_command_resource){
        .type = CT_RENDER_RESOURCE_TYPE_TEXTURE, .name = name, .blob = blob, .stream = stream};
    r->has_sent_blobs = true;
}

static void send_config(ct_renderer *r, ct_string_id64 name, const void *blob) {
    register_layer_names(blob, ((const ct_render_config_resource *)blob)->layer_names);
    ct_render_settings_use(&r->settings, blob);
    const uint64_t values_bytes = sizeof(r->settings.values[0]) * r->settings.count;
    ct_render_command_config *x = ct_render_stream_push(
        r->base.stream, CT_RENDER_COMMAND_TYPE_CONFIG, sizeof(*x) + values_bytes);
    *x = (ct_render_command_config){.name = name, .blob = blob};
    memcpy(x + 1, r->settings.values, values_bytes);
    r->has_sent_blobs = true;
}

static void config_online(void *user, ct_string_id64 name, const void *blob) {
    ct_renderer *const r = user;
    if (name.value == r->config.value)
        send_config(r, name, blob);
}

static void config_reload(void *user, ct_string_id64 name, const void *old_blob,
                          const void *new_blob) {
    withdraw_blob(user, old_blob);
    config_online(user, name, new_blob);
}

static void config_offline(void *user, ct_string_id64 name, const void *blob) {
    (void)name;
    withdraw_blob(user, blob);
}

static void register_types(ct_renderer *r) {
    const struct {
        const char *type;
        ct_resource_callbacks callbacks;
    } types[] = {
        {"texture",
         {.online = texture_online,
          .offline = texture_offline,
          .reload = texture_reload,
          .streamed = texture_streamed}},
        {"mesh", {.online = mesh_online, .offline = mesh_offline, .reload = mesh_reload}},
        {"shader", {.online = shader_online, .offline = shader_offline, .reload = shader_reload}},
        {"material",
         {.online = material_online, .offline = material_offline, .reload = material_reload}},
        {"render_config",
         {.online = config_online, .offline = config_offline, .reload = config_reload}}};
    for (uint32_t i = 0; r->resources && i < CT_COUNT_OF(types); ++i) {
        ct_resource_callbacks callbacks = types[i].callbacks;
        callbacks.user = r;
        ct_resource_manager_register(r->resources, types[i].type, &callbacks);
    }
}

// --- Life cycle ----------------------------------------------------------------------------------

static bool start_state(ct_renderer *r, ct_allocator *a, const ct_renderer_desc *desc,
                        ct_error *error) {
    if (!ct_render_state_init(&r->state, a, desc, error))
        return false;
    ct_render_recover(&r->state);
    r->state.wants = 0; // nothing is online yet
    if (!r->state.has_failed)
        return true;
    ct_render_state_shutdown(&r->state);
    return ct_error_set(error, "the graphics device was lost during start-up");
}

// Makes the update thread's part of the renderer.
static void start_streams(ct_renderer *r, ct_allocator *a, const ct_renderer_desc *desc) {
    r->allocator = a;
    r->resources = desc->resources;
    if (desc->surface)
        r->surface = *desc->surface;
    r->width = desc->width;
    r->height = desc->height;
    r->frame = 1;
    ct_render_stream_init(&r->streams[0], a);
    ct_render_stream_init(&r->streams[1], a);
    ct_render_stream_init(&r->wanted, a);
    r->base.stream = &r->streams[0];
    ct_render_settings_init(&r->settings, a, r->state.device.is_cpu);
    register_types(r);
}

ct_renderer *ct_renderer_create(const ct_renderer_desc *desc, ct_error *error) {
    ct_allocator *const a = ct_proxy_allocator_create(desc->allocator, "render");
    ct_renderer *const r = CT_NEW(a, ct_renderer);
    if (!start_state(r, a, desc, error)) {
        ct_free_sized(a, r, sizeof(*r));
        ct_proxy_allocator_destroy(a);
        return NULL;
    }
    start_streams(r, a, desc);
    ct_render_thread_start(&r->thread, &r->state, desc->tasks);
    return r;
}

ct_renderer *ct_renderer_create_recorder(const ct_renderer_desc *desc) {
    ct_allocator *const a = ct_proxy_allocator_create(desc->allocator, "render");
    ct_renderer *const r = CT_NEW(a, ct_renderer);
    r->only_records = true;
    start_streams(r, a, desc);
    return r;
}

void ct_renderer_record_stats(ct_renderer *r, const ct_render_stats *stats) {
    r->recorded_stats = *stats;
}

uint32_t ct_renderer_issue_id(ct_renderer *r) {
    return ++r->last_id;
}

const ct_render_stream *ct_renderer_stream(const ct_renderer *r) {
    return r->base.stream;
}

void ct_renderer_destroy(ct_renderer *r) {
    if (!r)
        return;
    if (!r->only_records)
        ct_render_thread_end(&r->thread);
    ct_render_stream_refuse_screenshots(r->base.stream);
    if (!r->only_records)
        ct_render_state_shutdown(&r->state);
    ct_render_stream_free(&r->streams[0]);
    ct_render_stream_free(&r->streams[1]);
    ct_render_settings_free(&r->settings);
    ct_render_stream_free(&r->wanted);
    ct_allocator *const a = r->allocator;
    ct_free_sized(a, r, sizeof(*r));
    ct_proxy_allocator_destroy(a);
}

const char *ct_renderer_device_name(const ct_renderer *r) {
    return r->only_records ? "none" : r->state.device.name;
}

// --- Config and size -----------------------------------------------------------------------------

bool ct_renderer_set_config(ct_renderer *r, const char *name, ct_error *error) {
    const ct_string_id64 id = ct_string_id64_of(name);
    const void *const blob =
        r->resources ? ct_resource_manager_get(r->resources, "render_config", id) : NULL;
    if (!blob)
        return ct_error_set(error, "the render config \"%s\" is not loaded", name);
    r->config = id;
    send_config(r, id, blob);
    return true;
}

// The config in use; NULL when it is not online.
static const ct_render_config_resource *config_of(const ct_renderer *r) {
    if (!r->resources)
        return NULL;
    return ct_resource_manager_get(r->resources, "render_config", r->config);
}

const ct_render_config_resource *ct_renderer_config(const ct_renderer *r) {
    return config_of(r);
}

static void send_settings(ct_renderer *r) {
    const uint64_t values_bytes = sizeof(r->settings.values[0]) * r->settings.count;
    ct_render_command_settings *x = ct_render_stream_push(
        r->base.stream, CT_RENDER_COMMAND_TYPE_SETTINGS, sizeof(*x) + values_bytes);
    *x = (ct_render_command_settings){.config_checksum = r->settings.config_checksum,
                                      .count = r->settings.count};
    memcpy(x + 1, r->settings.values, values_bytes);
}

bool ct_renderer_set_setting(ct_renderer *r, const char *name, const ct_render_given *value,
                             ct_error *error) {
    const ct_render_config_resource *const config = config_of(r);
    if (!config)
        return ct_error_set(error, "cannot set \"%.64s\": no render config is loaded", name);
    if (!ct_render_settings_set(&r->settings, config, name, value, error))
        return false;
    send_settings(r);
    return true;
}

ct_renderer_setting ct_renderer_get_setting(const ct_renderer *r, const char *name) {
    ct_renderer_setting x = {.type = CT_RENDER_SETTING_TYPE_NONE};
    const ct_render_config_resource *const config = config_of(r);
    if (!config)
        return x;
    const ct_render_setting *settings = ct_blob_at(config, config->settings.offset);
    const uint32_t i = ct_render_setting_find(config, settings, config->settings.count, name);
    if (i == config->settings.count)
        return x;
    x.type = (ct_render_setting_type)settings[i].type;
    memcpy(x.value, r->settings.values[i], sizeof(x.value));
    if (x.type == CT_RENDER_SETTING_TYPE_CHOICE) {
        x.choice = ct_render_setting_choice(config, &settings[i], (uint32_t)x.value[0]);
    }
    return x;
}

bool ct_renderer_environment_setting(const ct_renderer *r, const char *name,
                                     ct_renderer_setting *setting, ct_error *error) {
    const ct_render_config_resource *const config = config_of(r);
    if (!config)
        return ct_error_set(error, "there is no render config");
    if (!ct_render_settings_check_environment(config, name, error))
        return false;
    *setting = ct_renderer_get_setting(r, name);
    return true;
}

void ct_renderer_reset_settings(ct_renderer *r) {
    const ct_render_config_resource *const config = config_of(r);
    if (!config)
        return;
    ct_render_settings_reset(&r->settings, config);
    send_settings(r);
}

bool ct_renderer_set_preset(ct_renderer *r, const char *name, ct_error *error) {
    const ct_render_config_resource *const config = config_of(r);
    if (!config)
        return ct_error_set(error, "cannot choose a preset: no render config is loaded");
    if (!ct_render_settings_set_preset(&r->settings, config, name, error))
        return false;
    send_settings(r);
    return true;
}

const char *ct_renderer_preset(const ct_renderer *r) {
    const ct_render_config_resource *const config = config_of(r);
    if (!config || !r->settings.preset || r->settings.preset > config->presets.count)
        return "";
    const ct_render_preset *const presets = ct_blob_at(config, config->presets.offset);
    return ct_blob_at(config, presets[r->settings.preset - 1].name.offset);
}

bool ct_renderer_has_viewport(const ct_renderer *r, ct_string_id32 viewport) {
    const ct_render_config_resource *const blob = config_of(r);
    if (!blob)
        return false;
    const ct_render_viewport *const viewports = ct_blob_at(blob, blob->viewports.offset);
    for (uint32_t i = 0; i < blob->viewports.count; ++i)
        if (viewports[i].name.value == viewport.value)
            return true;
    return false;
}

void ct_renderer_size(const ct_renderer *r, uint32_t *width, uint32_t *height) {
    *width = r->width;
    *height = r->height;
}

void ct_renderer_resize(ct_renderer *r, uint32_t width, uint32_t height) {
    if (width && height) {
        r->width = width;
        r->height = height;
    }
    ct_render_command_resize *const x =
        ct_render_stream_push(r->base.stream, CT_RENDER_COMMAND_TYPE_RESIZE, sizeof(*x));
    *x = (ct_render_command_resize){.width = width, .height = height};
}

// --- Worlds --------------------------------------------------------------------------------------

ct_render_world_id ct_render_world_create(ct_renderer *r) {
    ct_render_command_world *const x =
        ct_render_stream_push(r->base.stream, CT_RENDER_COMMAND_TYPE_WORLD_CREATE, sizeof(*x));
    x->world.value = ++r->last_id;
    return x->world;
}

void ct_render_world_destroy(ct_renderer *r, ct_render_world_id world) {
    ct_render_command_world *const x =
        ct_render_stream_push(r->base.stream, CT_RENDER_COMMAND_TYPE_WORLD_DESTROY, sizeof(*x));
    x->world = world;
}

void ct_render_world_set_time(ct_renderer *r, ct_render_world_id world, double seconds) {
    ct_render_command_world_time *const x =
        ct_render_stream_push(r->base.stream, CT_RENDER_COMMAND_TYPE_WORLD_TIME, sizeof(*x));
    *x = (ct_render_command_world_time){.world = world, .seconds = seconds};
}

// --- Objects -------------------------------------------------------------------------------------

static uint32_t flags_of(const ct_render_object_desc *desc) {
    return (desc->is_hidden ? CT_RENDER_OBJECT_HIDDEN : 0u) |
           (desc->is_shadowless ? CT_RENDER_OBJECT_SHADOWLESS : 0u);
}

ct_render_object_id ct_render_object_create(ct_renderer *r, ct_render_world_id world,
                                            const ct_render_object_desc *desc,
                                            const ct_mat4 *pose) {
    const uint64_t material_bytes = sizeof(*desc->materials) * (uint64_t)desc->num_materials;
    ct_render_command_object_create *const x = ct_render_stream_push(
        r->base.stream, CT_RENDER_COMMAND_TYPE_OBJECT_CREATE, sizeof(*x) + material_bytes);
    *x = (ct_render_command_object_create){.pose = *pose,
                                           .world = world,
                                           .object = {++r->last_id},
                                           .mesh = desc->mesh,
                                           .num_materials = desc->num_materials,
                                           .flags = flags_of(desc)};
    if (material_bytes)
        memcpy(x + 1, desc->materials, material_bytes);
    return x->object;
}

void ct_render_objects_destroy(ct_renderer *r, ct_render_world_id world,
                               const ct_render_object_id *objects, uint32_t count) {
    if (!count)
        return;
    ct_render_command_objects *const x =
        ct_render_stream_push(r->base.stream, CT_RENDER_COMMAND_TYPE_OBJECTS_DESTROY,
                              sizeof(*x) + sizeof(*objects) * (uint64_t)count);
    *x = (ct_render_command_objects){.world = world, .count = count};
    memcpy(x + 1, objects, sizeof(*objects) * (uint64_t)count);
}

void ct_render_objects_set_poses(ct_renderer *r, ct_render_world_id world,
                                 const ct_render_object_id *objects, const ct_mat4 *poses,
                                 uint32_t count) {
    if (!count)
        return;
    ct_render_command_objects *const x =
        ct_render_stream_push(r->base.stream, CT_RENDER_COMMAND_TYPE_OBJECTS_SET_POSES,
                              sizeof(*x) + (sizeof(*objects) + sizeof(*poses)) * (uint64_t)count);
    *x = (ct_render_command_objects){.world = world, .count = count};
    ct_mat4 *const pose_target = (ct_mat4 *)(x + 1);
    memcpy(pose_target, poses, sizeof(*poses) * (uint64_t)count);
    memcpy(pose_target + count, objects, sizeof(*objects) * (uint64_t)count);
}

static void set_flag(ct_renderer *r, ct_render_world_id world, ct_render_object_id object,
                     uint32_t flag, bool is_set) {
    ct_render_command_object_flag *const x =
        ct_render_stream_push(r->base.stream, CT_RENDER_COMMAND_TYPE_OBJECT_SET_FLAG, sizeof(*x));
    *x = (ct_render_command_object_flag){
        .world = world, .object = object, .flag = flag, .is_set = is_set};
}

void ct_render_object_set_visible(ct_renderer *r, ct_render_world_id world,
                                  ct_render_object_id object, bool is_visible) {
    set_flag(r, world, object, CT_RENDER_OBJECT_HIDDEN, !is_visible);
}

void ct_render_object_jump(ct_renderer *r, ct_render_world_id world, ct_render_object_id object) {
    set_flag(r, world, object, CT_RENDER_OBJECT_JUMPED, true);
}

void ct_render_object_set_casts_shadows(ct_renderer *r, ct_render_world_id world,
                                        ct_render_object_id object, bool casts_shadows) {
    set_flag(r, world, object, CT_RENDER_OBJECT_SHADOWLESS, !casts_shadows);
}

void ct_render_object_set_material(ct_renderer *r, ct_render_world_id world,
                                   ct_render_object_id object, uint32_t part,
                                   ct_string_id64 material) {
    ct_render_command_object_material *const x = ct_render_stream_push(
        r->base.stream, CT_RENDER_COMMAND_TYPE_OBJECT_SET_MATERIAL, sizeof(*x));
    *x = (ct_render_command_object_material){
        .world = world, .object = object, .part = part, .material = material};
}

void ct_render_object_set_value(ct_renderer *r, ct_render_world_id world,
                                ct_render_object_id object, ct_string_id32 name,
                                const float *values, uint32_t num_values) {
    ct_render_command_object_value *const x =
        ct_render_stream_push(r->base.stream, CT_RENDER_COMMAND_TYPE_OBJECT_SET_VALUE, sizeof(*x));
    *x = (ct_render_command_object_value){.world = world, .object = object, .name = name};
    memcpy(x->value, values, sizeof(float) * (num_values < 4 ? num_values : 4));
}

bool ct_render_mesh_is_skinned(const ct_renderer *r, ct_string_id64 mesh) {
    const ct_mesh_resource *const blob =
        r->resources ? ct_resource_manager_get(r->resources, "mesh", mesh) : NULL;
    return blob && blob->num_influences != 0;
}

static void set_outline(ct_renderer *r, ct_render_world_id world, ct_render_object_id object,
                        const ct_render_outline *outline, bool is_mark) {
    ct_render_command_object_outline *const x = ct_render_stream_push(
        r->base.stream, CT_RENDER_COMMAND_TYPE_OBJECT_SET_OUTLINE, sizeof(*x));
    *x = (ct_render_command_object_outline){.world = world, .object = object, .is_mark = is_mark};
    if (!outline)
        return;
    x->is_set = true;
    memcpy(x->value, outline->color, sizeof(outline->color));
    x->value[3] = (float)(outline->id % 255 + 1) / 255.0f; // 0: nothing is outlined there
}

void ct_render_object_set_outline(ct_renderer *r, ct_render_world_id world,
                                  ct_render_object_id object, const ct_render_outline *outline) {
    set_outline(r, world, object, outline, false);
}

void ct_render_object_mark(ct_renderer *r, ct_render_world_id world, ct_render_object_id object,
                           const ct_render_outline *outline) {
    set_outline(r, world, object, outline, true);
}

// --- Lights and lines ----------------------------------------------------------------------------

ct_render_light_id ct_render_light_create(ct_renderer *r, ct_render_world_id world,
                                          const ct_light_data *light, const ct_mat4 *pose) {
    const ct_render_light_id id = {++r->last_id};
    ct_render_light_set(r, world, id, light, pose);
    return id;
}

void ct_render_light_set(ct_renderer *r, ct_render_world_id world, ct_render_light_id light,
                         const ct_light_data *data, const ct_mat4 *pose) {
    ct_render_command_light *const x =
        ct_render_stream_push(r->base.stream, CT_RENDER_COMMAND_TYPE_LIGHT_SET, sizeof(*x));
    *x = (ct_render_command_light){.pose = *pose, .data = *data, .world = world, .light = light};
}

void ct_render_light_destroy(ct_renderer *r, ct_render_world_id world, ct_render_light_id light) {
    ct_render_command_light *const x =
        ct_render_stream_push(r->base.stream, CT_RENDER_COMMAND_TYPE_LIGHT_DESTROY, sizeof(*x));
    *x = (ct_render_command_light){.world = world, .light = light};
}

void ct_render_lines(ct_renderer *r, ct_render_world_id world, const ct_line_vertex *vertices,
                     uint32_t count) {
    CT_ASSERT(count % 2 == 0, "lines have two vertices each, found %u vertices", count);
    if (!count)
        return;
    ct_render_command_lines *const x =
        ct_render_stream_push(r->base.stream, CT_RENDER_COMMAND_TYPE_LINES,
                              sizeof(*x) + sizeof(*vertices) * (uint64_t)count);
    *x = (ct_render_command_lines){.world = world, .count = count};
    memcpy(x + 1, vertices, sizeof(*vertices) * (uint64_t)count);
}

// --- Materials -----------------------------------------------------------------------------------

// The shader of an online material; NULL when either is not online.
static const ct_shader_resource *shader_of(const ct_renderer *r, ct_string_id64 material) {
    const ct_material_resource *const blob =
        r->resources ? ct_resource_manager_get(r->resources, "material", material) : NULL;
    return blob ? ct_resource_manager_get(r->resources, "shader", blob->shader) : NULL;
}

bool ct_render_material_set_parameter(ct_renderer *r, ct_string_id64 material, ct_string_id32 name,
                                      const float *values, uint32_t num_values) {
    const ct_shader_resource *const shader = shader_of(r, material);
    if (!shader || !num_values)
        return false;
    const ct_shader_parameter *const parameters = ct_blob_at(shader, shader->parameters.offset);
    uint32_t i = 0;
    while (i < shader->parameters.count && parameters[i].name.value != name.value)
        ++i;
    if (i == shader->parameters.count)
        return false;
    if ((num_values > 4) != (parameters[i].type == CT_SHADER_PARAMETER_TYPE_MATRIX4X4))
        return false;
    ct_render_command_material *const x = ct_render_stream_push(
        r->base.stream, CT_RENDER_COMMAND_TYPE_MATERIAL_PARAMETER, sizeof(*x));
    const uint32_t most = CT_SHADER_MAX_FLOATS;
    *x = (ct_render_command_material){
        .material = material, .name = name, .num_values = num_values < most ? num_values : most};
    memcpy(x->values, values, sizeof(float) * x->num_values);
    return true;
}

bool ct_render_material_is_instanced(const ct_renderer *r, ct_string_id64 material,
                                     ct_string_id32 name) {
    const ct_shader_resource *const shader = shader_of(r, material);
    if (!shader)
        return false;
    const ct_shader_parameter *const parameters = ct_blob_at(shader, shader->parameters.offset);
    for (uint32_t i = 0; i < shader->parameters.count; ++i)
        if (parameters[i].name.value == name.value)
            return parameters[i].instanced != 0;
    return false;
}

bool ct_render_material_set_texture(ct_renderer *r, ct_string_id64 material, ct_string_id32 name,
                                    ct_string_id64 texture) {
    const ct_shader_resource *const shader = shader_of(r, material);
    if (!shader)
        return false;
    const ct_shader_texture *const textures = ct_blob_at(shader, shader->textures.offset);
    uint32_t i = 0;
    while (i < shader->textures.count && textures[i].name.value != name.value)
        ++i;
    if (i == shader->textures.count)
        return false;
    ct_render_command_material *const x =
        ct_render_stream_push(r->base.stream, CT_RENDER_COMMAND_TYPE_MATERIAL_TEXTURE, sizeof(*x));
    *x = (ct_render_command_material){.material = material, .name = name, .texture = texture};
    return true;
}

bool ct_render_emitters_are_ready(const ct_renderer *r) {
    const ct_string_id64 shader = ct_string_id64_of(CT_RENDER_EMITTERS_SHADER);
    return !r->only_records && !r->state.has_failed && r->resources &&
           ct_resource_manager_get(r->resources, "shader", shader);
}

// --- Frames --------------------------------------------------------------------------------------

static float clamp(float value, float most) {
    // NaN fails both comparisons and ends as 0.
    return value > 0.0f ? (value < most ? value : most) : 0.0f;
}

static void clamp_rectangle(const float from[4], float rectangle[4]) {
    rectangle[0] = clamp(from[0], 1.0f);
    rectangle[1] = clamp(from[1], 1.0f);
    rectangle[2] = clamp(from[2], 1.0f - rectangle[0]);
    rectangle[3] = clamp(from[3], 1.0f - rectangle[1]);
}

void ct_renderer_render_world(ct_renderer *r, ct_render_world_id world, const ct_render_view *view,
                              ct_string_id32 viewport, const float rectangle[4],
                              const ct_render_environment_value *values, uint32_t num_values) {
    ct_render_command_render_world *const x =
        ct_render_stream_push(r->base.stream, CT_RENDER_COMMAND_TYPE_RENDER_WORLD,
                              sizeof(*x) + sizeof(*values) * num_values);
    *x = (ct_render_command_render_world){
        .view = *view, .world = world, .viewport = viewport, .num_values = num_values};
    if (num_values > 0)
        memcpy(x + 1, values, sizeof(*values) * num_values);
    clamp_rectangle(rectangle, x->rectangle);
    r->has_views = true;
}

void ct_renderer_note_view(ct_renderer *r, const ct_shown_view *view) {
    if (r->shown_frame != r->frame)
        r->num_shown_views = 0;
    r->shown_frame = r->frame;
    if (r->num_shown_views < CT_MAX_SHOWN_VIEWS)
        r->shown_views[r->num_shown_views++] = *view;
}

const ct_shown_view *ct_renderer_shown_views(const ct_renderer *r, uint32_t *count) {
    *count = r->num_shown_views;
    return r->shown_views;
}

static void want_resource(ct_renderer *r, ct_render_resource_type type, ct_string_id64 name,
                          const void *blob) {
    ct_render_command_resource *const x =
        ct_render_stream_push(&r->wanted, CT_RENDER_COMMAND_TYPE_RESOURCE, sizeof(*x));
    *x = (ct_render_command_resource){
        .type = type, .name = name, .blob = blob, .stream = stream_of(r, type, blob)};
}

static void want_texture(void *user, ct_string_id64 name, const void *blob) {
    want_resource(user, CT_RENDER_RESOURCE_TYPE_TEXTURE, name, blob);
}

static void want_mesh(void *user, ct_string_id64 name, const void *blob) {
    want_resource(user, CT_RENDER_RESOURCE_TYPE_MESH, name, blob);
}

// Gives the render thread the surface and resources that it needs to go on after a loss.
static void give(ct_renderer *r, uint32_t wants) {
    uint64_t surface = 0;
    if ((wants & CT_RENDER_WANT_SURFACE) && r->surface.create_surface)
        surface = r->surface.create_surface(r->surface.user, r->state.device.instance);
    ct_render_stream_clear(&r->wanted);
    if (wants & CT_RENDER_WANT_RESOURCES) {
        ct_resource_manager_each_online(r->resources, "texture", want_texture, r);
        ct_resource_manager_each_online(r->resources, "mesh", want_mesh, r);
    }
    ct_render_thread_give(&r->thread, surface, &r->wanted);
}

// Asks for the upper mips of textures that were drawn with.
static void ask_for_streams(ct_renderer *r) {
    ct_u64_array *const names = &r->thread.streams;
    for (uint32_t i = 0; i < names->count; ++i)
        ct_resource_manager_request_stream(r->resources, "texture",
                                           (ct_string_id64){names->items[i]});
    names->count = 0;
}

static void hand_over(ct_renderer *r) {
    uint32_t wants;
    while ((wants = ct_render_thread_frame(&r->thread, r->frame, r->base.stream)))
        give(r, wants);
    ask_for_streams(r);
}

void ct_renderer_end_frame(ct_renderer *r) {
    if (r->only_records)
        ct_render_stream_refuse_screenshots(r->base.stream);
    else
        hand_over(r);
    ++r->frame;
    r->base.stream = &r->streams[r->frame % 2 ? 0 : 1];
    ct_render_stream_clear(r->base.stream);
    r->has_sent_blobs = r->has_views = false;
}

void ct_renderer_keep_picture(ct_renderer *r) {
    ct_render_stream_push(r->base.stream, CT_RENDER_COMMAND_TYPE_KEEP_PICTURE, 0);
}

void ct_renderer_split_frame(ct_renderer *r) {
    ct_render_stream_push(r->base.stream, CT_RENDER_COMMAND_TYPE_SPLIT_FRAME, 0);
}

bool ct_renderer_has_views(const ct_renderer *r) {
    return r->has_views;
}

uint64_t ct_renderer_frame(const ct_renderer *r) {
    return r->frame;
}

uint64_t ct_renderer_completed_frame(const ct_renderer *r) {
    return r->only_records ? r->frame - 1 : ct_render_frames_completed(&r->state.frames);
}

void ct_renderer_flush(ct_renderer *r) {
    uint32_t wants;
    if (r->only_records)
        return;
    while ((wants = ct_render_thread_flush(&r->thread)))
        give(r, wants);
    ask_for_streams(r);
}

bool ct_renderer_has_failed(const ct_renderer *r) {
    return r->state.has_failed;
}

void ct_renderer_inject_fault(ct_renderer *r, const ct_render_fault *fault) {
    static const VkResult results[] = {[CT_RENDER_FAULT_DEVICE_LOST] = VK_ERROR_DEVICE_LOST,
                                       [CT_RENDER_FAULT_OUT_OF_MEMORY] =
                                           VK_ERROR_OUT_OF_DEVICE_MEMORY,
                                       [CT_RENDER_FAULT_SURFACE_LOST] = VK_ERROR_SURFACE_LOST_KHR};
    ct_render_command_fault *const x =
        ct_render_stream_push(r->base.stream, CT_RENDER_COMMAND_TYPE_FAULT, sizeof(*x));
    *x = (ct_render_command_fault){.result = results[fault->kind],
                                   .call = fault->call,
                                   .period = fault->period,
                                   .num_times = fault->num_times};
}

uint32_t ct_renderer_num_faults(ct_renderer *r) {
    ct_renderer_flush(r);
    return ct_vulkan_guard_num_failed();
}

void ct_renderer_screenshot(ct_renderer *r,
                            void (*done)(void *user, const uint8_t *pixels, uint32_t width,
                                         uint32_t height),
                            void *user) {
    ct_render_command_screenshot *const x =
        ct_render_stream_push(r->base.stream, CT_RENDER_COMMAND_TYPE_SCREENSHOT, sizeof(*x));
    *x = (ct_render_command_screenshot){.done = done, .user = user};
}

void ct_renderer_read_picture(ct_renderer *r, const ct_renderer_picture *picture) {
    ct_render_command_picture *const x =
        ct_render_stream_push(r->base.stream, CT_RENDER_COMMAND_TYPE_PICTURE, sizeof(*x));
    *x = (ct_render_command_picture){.done = picture->done, .user = picture->user};
    memcpy(x->rectangle, picture->rectangle, sizeof(x->rectangle));
}

void ct_renderer_draw_picture(ct_renderer *r, ct_render_world_id world, const ct_render_view *view,
                              ct_string_id32 viewport, const ct_render_environment_value *values,
                              uint32_t num_values, const ct_renderer_picture *picture) {
    ct_render_command_draw_picture *const x =
        ct_render_stream_push(r->base.stream, CT_RENDER_COMMAND_TYPE_DRAW_PICTURE,
                              sizeof(*x) + sizeof(*values) * num_values);
    *x = (ct_render_command_draw_picture){
        .picture = {.done = picture->done, .user = picture->user},
        .view = {.view = *view, .world = world, .viewport = viewport, .num_values = num_values}};
    x->view.view.is_single = true;
    if (num_values > 0)
        memcpy(x + 1, values, sizeof(*values) * num_values);
    clamp_rectangle(picture->rectangle, x->view.rectangle);
    memcpy(x->picture.rectangle, x->view.rectangle, sizeof(x->picture.rectangle));
}

ct_render_stats ct_renderer_stats(const ct_renderer *r) {
    return r->only_records ? r->recorded_stats
                           : ct_render_thread_stats((ct_render_thread *)&r->thread);
}
