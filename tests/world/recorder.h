// recorder.h: a renderer that only records, and its objects and lights in plain arrays, which tests
// read. Include once in a program.
#pragma once
#include <string.h>

#include "foundation/container/hash_map.h"
#include "foundation/math/math.h"
#include "render/render_stream.h"
#include "support/test_support.h"

enum { RECORDED_MAX_ITEMS = 65536 };

typedef struct recorded_object {
    bool exists, is_visible, casts_shadows;
    float value; // of the last parameter that was set for it alone
    uint32_t world;
    ct_string_id64 mesh;
    ct_string_id64 materials[CT_MESH_MAX_MATERIALS];
    ct_mat4 pose;
    ct_render_skeleton_id skeleton;
    float outline[4]; // 0: it has none
} recorded_object;

typedef struct recorded_light {
    bool exists;
    uint32_t world;
    ct_light_data data;
    ct_mat4 pose;
} recorded_light;

// Since start_recorder. Objects and lights are numbered from 1 in the order they were made.
typedef struct recorded_data {
    recorded_object objects[RECORDED_MAX_ITEMS];
    recorded_light lights[RECORDED_MAX_ITEMS];
    uint32_t last_object, last_light;
    uint32_t num_objects, num_lights, num_worlds; // that exist
    uint32_t pose_calls, poses_sent, jumps, destroy_calls, light_sets;
    uint32_t num_line_vertices, num_resizes, num_rendered;
    double time;                             // of the world whose time was set last
    ct_render_command_render_world rendered; // the last
    ct_render_command_material material;     // what was set last of a material
    bool takes_any_pose;                     // else they are to be finite
} recorded_data;

static ct_renderer *recorder;
static recorded_data recorded_now;
static ct_hash_map recorded_numbers; // by id, of objects and lights that exist

static inline void record_object(const ct_render_command_object_create *x) {
    assert_true(recorded_now.last_object + 1 < RECORDED_MAX_ITEMS);
    assert_true(ct_mat4_is_finite(&x->pose));
    assert_true(x->num_materials <= CT_MESH_MAX_MATERIALS);
    const uint32_t number = ++recorded_now.last_object;
    recorded_object *const object = &recorded_now.objects[number];
    *object = (recorded_object){.exists = true,
                                .is_visible = !(x->flags & CT_RENDER_OBJECT_HIDDEN),
                                .casts_shadows = !(x->flags & CT_RENDER_OBJECT_SHADOWLESS),
                                .world = x->world.value,
                                .mesh = x->mesh,
                                .pose = x->pose};
    memcpy(object->materials, x + 1, sizeof(object->materials[0]) * x->num_materials);
    ct_hash_map_set(&recorded_numbers, x->object.value, number);
    ++recorded_now.num_objects;
}

static inline recorded_object *object_recorded(ct_render_world_id world, ct_render_object_id id) {
    const uint64_t number = ct_hash_map_get(&recorded_numbers, id.value, 0);
    assert_true(number != 0 && recorded_now.objects[number].exists);
    assert_int_equal(recorded_now.objects[number].world, world.value);
    return &recorded_now.objects[number];
}

static inline void record_destroyed(const ct_render_command_objects *x) {
    const ct_render_object_id *const objects = (const void *)(x + 1);
    assert_true(x->count > 0);
    ++recorded_now.destroy_calls;
    for (uint32_t i = 0; i < x->count; ++i) {
        object_recorded(x->world, objects[i])->exists = false;
        ct_hash_map_erase(&recorded_numbers, objects[i].value);
        --recorded_now.num_objects;
    }
}

static inline void record_poses(const ct_render_command_objects *x) {
    const ct_mat4 *const poses = (const void *)(x + 1);
    const ct_render_object_id *const objects = (const void *)(poses + x->count);
    assert_true(x->count > 0);
    ++recorded_now.pose_calls;
    recorded_now.poses_sent += x->count;
    for (uint32_t i = 0; i < x->count; ++i) {
        assert_true(recorded_now.takes_any_pose || ct_mat4_is_finite(&poses[i]));
        object_recorded(x->world, objects[i])->pose = poses[i];
    }
}

static inline void record_flag(const ct_render_command_object_flag *x) {
    recorded_object *const object = object_recorded(x->world, x->object);
    recorded_now.jumps += x->flag == CT_RENDER_OBJECT_JUMPED;
    if (x->flag == CT_RENDER_OBJECT_JUMPED)
        return;
    *(x->flag == CT_RENDER_OBJECT_HIDDEN ? &object->is_visible : &object->casts_shadows) =
        !x->is_set;
}

static inline void record_material(const ct_render_command_object_material *x) {
    assert_true(x->part < CT_MESH_MAX_MATERIALS);
    object_recorded(x->world, x->object)->materials[x->part] = x->material;
}

static inline void record_light(const ct_render_command_light *x) {
    uint64_t number = ct_hash_map_get(&recorded_numbers, x->light.value, 0);
    assert_true(recorded_now.takes_any_pose || ct_mat4_is_finite(&x->pose));
    if (number) {
        assert_int_equal(recorded_now.lights[number].world, x->world.value);
        ++recorded_now.light_sets;
    } else {
        assert_true(recorded_now.last_light + 1 < RECORDED_MAX_ITEMS);
        number = ++recorded_now.last_light;
        ct_hash_map_set(&recorded_numbers, x->light.value, number);
        ++recorded_now.num_lights;
    }
    recorded_now.lights[number] =
        (recorded_light){.exists = true, .world = x->world.value, .data = x->data, .pose = x->pose};
}

static inline void record_light_destroyed(const ct_render_command_light *x) {
    const uint64_t number = ct_hash_map_get(&recorded_numbers, x->light.value, 0);
    assert_true(number != 0 && recorded_now.lights[number].exists);
    recorded_now.lights[number].exists = false;
    ct_hash_map_erase(&recorded_numbers, x->light.value);
    --recorded_now.num_lights;
}

static inline void record_rendered(const ct_render_command_render_world *x) {
    assert_true(ct_mat4_is_finite(&x->view.pose));
    recorded_now.rendered = *x;
    ++recorded_now.num_rendered;
}

static inline void record_command(ct_render_command_type type, const void *payload) {
    switch (type) {
    case CT_RENDER_COMMAND_TYPE_WORLD_CREATE:
        ++recorded_now.num_worlds;
        break;
    case CT_RENDER_COMMAND_TYPE_WORLD_DESTROY:
        --recorded_now.num_worlds;
        break;
    case CT_RENDER_COMMAND_TYPE_WORLD_TIME:
        recorded_now.time = ((const ct_render_command_world_time *)payload)->seconds;
        break;
    case CT_RENDER_COMMAND_TYPE_OBJECT_CREATE:
        record_object(payload);
        break;
    case CT_RENDER_COMMAND_TYPE_OBJECTS_DESTROY:
        record_destroyed(payload);
        break;
    case CT_RENDER_COMMAND_TYPE_OBJECTS_SET_POSES:
        record_poses(payload);
        break;
    case CT_RENDER_COMMAND_TYPE_OBJECT_SET_FLAG:
        record_flag(payload);
        break;
    case CT_RENDER_COMMAND_TYPE_OBJECT_SET_MATERIAL:
        record_material(payload);
        break;
    case CT_RENDER_COMMAND_TYPE_OBJECT_SET_VALUE: {
        const ct_render_command_object_value *const x = payload;
        object_recorded(x->world, x->object)->value = x->value[0];
        break;
    }
    case CT_RENDER_COMMAND_TYPE_OBJECT_SET_SKELETON: {
        const ct_render_command_object_skeleton *const x = payload;
        object_recorded(x->world, x->object)->skeleton = x->skeleton;
        break;
    }
    case CT_RENDER_COMMAND_TYPE_OBJECT_SET_OUTLINE: {
        const ct_render_command_object_outline *const x = payload;
        memcpy(object_recorded(x->world, x->object)->outline, x->value, sizeof(x->value));
        break;
    }
    case CT_RENDER_COMMAND_TYPE_LIGHT_SET:
        record_light(payload);
        break;
    case CT_RENDER_COMMAND_TYPE_LIGHT_DESTROY:
        record_light_destroyed(payload);
        break;
    case CT_RENDER_COMMAND_TYPE_LINES:
        recorded_now.num_line_vertices += ((const ct_render_command_lines *)payload)->count;
        break;
    case CT_RENDER_COMMAND_TYPE_MATERIAL_PARAMETER:
    case CT_RENDER_COMMAND_TYPE_MATERIAL_TEXTURE:
        recorded_now.material = *(const ct_render_command_material *)payload;
        break;
    case CT_RENDER_COMMAND_TYPE_RESIZE:
        ++recorded_now.num_resizes;
        break;
    case CT_RENDER_COMMAND_TYPE_RENDER_WORLD:
        record_rendered(payload);
        break;
    default: // resources, the config and what only pictures show
        break;
    }
}

// Takes what was recorded since the last call, ends the renderer's frame, and returns all that was
// recorded until now. Tests may set counts in it.
static inline recorded_data *recorded(void) {
    const ct_render_stream *const stream = ct_renderer_stream(recorder);
    const ct_render_command_header *header;
    uint64_t cursor = 0;
    const void *payload;
    while ((header = ct_render_stream_next(stream, &cursor, &payload)))
        record_command((ct_render_command_type)header->type, payload);
    ct_renderer_end_frame(recorder);
    return &recorded_now;
}

// Starts the renderer. `resources` may be NULL: nothing is loaded then.
static inline void start_recorder(ct_resource_manager *resources) {
    memset(recorded_now.objects, 0,
           (recorded_now.last_object + 1) * sizeof(recorded_now.objects[0]));
    memset(recorded_now.lights, 0, (recorded_now.last_light + 1) * sizeof(recorded_now.lights[0]));
    memset(&recorded_now.last_object, 0,
           sizeof(recorded_now) - offsetof(recorded_data, last_object));
    ct_hash_map_init(&recorded_numbers, test_heap());
    recorder = ct_renderer_create_recorder(&(ct_renderer_desc){
        .allocator = test_heap(), .resources = resources, .width = 640, .height = 480});
}

// Ends it. Nothing may be left in it.
static inline void stop_recorder(void) {
    assert_int_equal(recorded()->num_objects, 0);
    assert_int_equal(recorded()->num_lights, 0);
    assert_int_equal(recorded()->num_worlds, 0);
    ct_renderer_destroy(recorder);
    ct_hash_map_free(&recorded_numbers);
}
