#include "stand_in_renderer.h"

#include <string.h>

#include "bench.h"
#include "foundation/error.h"
#include "render/render_stream.h"

static ct_render_stream stream;
static uint32_t last_id;

ct_renderer *ct_stand_in_renderer(void) {
    if (!stream.bytes.allocator)
        ct_render_stream_init(&stream, ct_bench_heap());
    return (ct_renderer *)&stream;
}

void ct_stand_in_renderer_end_frame(void) {
    ct_render_stream_clear(&stream);
}

void ct_stand_in_renderer_free(void) {
    ct_render_stream_free(&stream);
    stream.bytes.allocator = NULL;
}

uint32_t ct_stand_in_renderer_bytes(void) {
    return stream.bytes.count;
}

// --- What worlds call ----------------------------------------------------------------------------

ct_render_world_id ct_render_world_create(ct_renderer *r) {
    (void)r;
    return (ct_render_world_id){++last_id};
}

void ct_render_world_destroy(ct_renderer *r, ct_render_world_id world) {
    (void)r, (void)world;
}

void ct_render_world_set_time(ct_renderer *r, ct_render_world_id world, double seconds) {
    (void)r;
    ct_render_command_world_time *const x = ct_render_stream_push(
        &stream, CT_RENDER_COMMAND_TYPE_WORLD_TIME, sizeof(ct_render_command_world_time));
    *x = (ct_render_command_world_time){world, seconds};
}

static uint32_t flags_of(const ct_render_object_desc *desc) {
    return (desc->is_hidden ? CT_RENDER_OBJECT_HIDDEN : 0u) |
           (desc->is_shadowless ? CT_RENDER_OBJECT_SHADOWLESS : 0u);
}

ct_render_object_id ct_render_object_create(ct_renderer *r, ct_render_world_id world,
                                            const ct_render_object_desc *desc,
                                            const ct_mat4 *pose) {
    (void)r;
    const uint64_t material_bytes = sizeof(*desc->materials) * (uint64_t)desc->num_materials;
    ct_render_command_object_create *const x = ct_render_stream_push(
        &stream, CT_RENDER_COMMAND_TYPE_OBJECT_CREATE, sizeof(*x) + material_bytes);
    *x = (ct_render_command_object_create){.pose = *pose,
                                           .world = world,
                                           .object = {++last_id},
                                           .mesh = desc->mesh,
                                           .num_materials = desc->num_materials,
                                           .flags = flags_of(desc)};
    memcpy(x + 1, desc->materials, material_bytes);
    return x->object;
}

void ct_render_objects_destroy(ct_renderer *r, ct_render_world_id world,
                               const ct_render_object_id *objects, uint32_t count) {
    (void)r;
    ct_render_command_objects *const x =
        ct_render_stream_push(&stream, CT_RENDER_COMMAND_TYPE_OBJECTS_DESTROY,
                              sizeof(*x) + sizeof(*objects) * (uint64_t)count);
    *x = (ct_render_command_objects){.world = world, .count = count};
    memcpy(x + 1, objects, sizeof(*objects) * (uint64_t)count);
}

void ct_render_objects_set_poses(ct_renderer *r, ct_render_world_id world,
                                 const ct_render_object_id *objects, const ct_mat4 *poses,
                                 uint32_t count) {
    (void)r;
    const uint64_t pose_bytes = sizeof(*poses) * (uint64_t)count;
    ct_render_command_objects *const x =
        ct_render_stream_push(&stream, CT_RENDER_COMMAND_TYPE_OBJECTS_SET_POSES,
                              sizeof(*x) + pose_bytes + sizeof(*objects) * (uint64_t)count);
    *x = (ct_render_command_objects){.world = world, .count = count};
    memcpy(x + 1, poses, pose_bytes);
    memcpy((char *)(x + 1) + pose_bytes, objects, sizeof(*objects) * (uint64_t)count);
}

static void push_flag(ct_render_world_id world, ct_render_object_id object, bool is_set) {
    ct_render_command_object_flag *const x =
        ct_render_stream_push(&stream, CT_RENDER_COMMAND_TYPE_OBJECT_SET_FLAG, sizeof(*x));
    *x = (ct_render_command_object_flag){.world = world, .object = object, .is_set = is_set};
}

void ct_render_object_set_visible(ct_renderer *r, ct_render_world_id world,
                                  ct_render_object_id object, bool is_visible) {
    (void)r;
    push_flag(world, object, is_visible);
}

void ct_render_object_set_casts_shadows(ct_renderer *r, ct_render_world_id world,
                                        ct_render_object_id object, bool casts_shadows) {
    (void)r;
    push_flag(world, object, casts_shadows);
}

// --- What worlds could call, but no benchmark makes them -----------------------------------------

void ct_render_object_set_material(ct_renderer *r, ct_render_world_id world,
                                   ct_render_object_id object, uint32_t part,
                                   ct_string_id64 material) {
    (void)r, (void)world, (void)object, (void)part, (void)material;
}

bool ct_render_material_is_instanced(const ct_renderer *r, ct_string_id64 material,
                                     ct_string_id32 name) {
    (void)r, (void)material, (void)name;
    return false;
}

void ct_render_object_set_value(ct_renderer *r, ct_render_world_id world,
                                ct_render_object_id object, ct_string_id32 name,
                                const float *values, uint32_t num_values) {
    (void)r, (void)world, (void)object, (void)name, (void)values, (void)num_values;
}

ct_render_light_id ct_render_light_create(ct_renderer *r, ct_render_world_id world,
                                          const ct_light_data *light, const ct_mat4 *pose) {
    (void)r, (void)world, (void)light, (void)pose;
    return (ct_render_light_id){++last_id};
}

void ct_render_light_set(ct_renderer *r, ct_render_world_id world, ct_render_light_id light,
                         const ct_light_data *data, const ct_mat4 *pose) {
    (void)r, (void)world, (void)light, (void)data, (void)pose;
}

void ct_render_light_destroy(ct_renderer *r, ct_render_world_id world, ct_render_light_id light) {
    (void)r, (void)world, (void)light;
}

// --- What scripts could call, but no benchmark does ----------------------------------------------

bool ct_renderer_has_viewport(const ct_renderer *r, ct_string_id32 viewport) {
    (void)r, (void)viewport;
    return false;
}

const char *ct_renderer_device_name(const ct_renderer *r) {
    (void)r;
    return "none";
}

void ct_renderer_size(const ct_renderer *r, uint32_t *width, uint32_t *height) {
    (void)r;
    *width = *height = 64;
}

void ct_renderer_resize(ct_renderer *r, uint32_t width, uint32_t height) {
    (void)r, (void)width, (void)height;
}

ct_renderer_setting ct_renderer_get_setting(const ct_renderer *r, const char *name) {
    (void)r, (void)name;
    return (ct_renderer_setting){0};
}

bool ct_renderer_set_setting(ct_renderer *r, const char *name, const ct_render_given *value,
                             ct_error *error) {
    (void)r, (void)value;
    return ct_error_set(error, "there is no setting %s", name);
}

ct_render_stats ct_renderer_stats(const ct_renderer *r) {
    (void)r;
    return (ct_render_stats){0};
}

void ct_renderer_render_world(ct_renderer *r, ct_render_world_id world, const ct_render_view *view,
                              ct_string_id32 viewport, const float rectangle[4]) {
    (void)r, (void)world, (void)view, (void)viewport, (void)rectangle;
}

bool ct_render_material_set_parameter(ct_renderer *r, ct_string_id64 material, ct_string_id32 name,
                                      const float *values, uint32_t num_values) {
    (void)r, (void)material, (void)name, (void)values, (void)num_values;
    return false;
}

bool ct_render_material_set_texture(ct_renderer *r, ct_string_id64 material, ct_string_id32 name,
                                    ct_string_id64 texture) {
    (void)r, (void)material, (void)name, (void)texture;
    return false;
}

void ct_render_lines(ct_renderer *r, ct_render_world_id world, const ct_line_vertex *vertices,
                     uint32_t count) {
    (void)r, (void)world, (void)vertices, (void)count;
}
