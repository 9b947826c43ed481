// fake_renderer.h: stands in for the renderer in tests of what feeds it.
//
// Defines the renderer's functions for objects, lights and lines in the test program, which takes
// them before the library's. Everything is kept in plain arrays for the test to look at. Include
// once in a program.
#pragma once
#include <string.h>

#include "render/renderer.h"
#include "support/test_support.h"

enum { FAKE_MAX_ITEMS = 65536 };

typedef struct fake_object {
    bool exists, is_visible, casts_shadows;
    float value; // of base_color, set for it alone
    uint32_t world;
    ct_string_id64 mesh;
    ct_string_id64 materials[CT_MESH_MAX_MATERIALS];
    ct_mat4 pose;
} fake_object;

typedef struct fake_light {
    bool exists;
    uint32_t world;
    ct_light_data data;
    ct_mat4 pose;
} fake_light;

typedef struct fake_renderer_data {
    fake_object objects[FAKE_MAX_ITEMS]; // by id
    fake_light lights[FAKE_MAX_ITEMS];
    uint32_t last_object, last_light, last_world;
    uint32_t num_objects, num_lights, num_worlds; // that exist
    uint32_t pose_calls, poses_sent, destroy_calls, light_sets;
    uint32_t num_line_vertices;
    double time;         // of the world that was told last
    bool takes_any_pose; // else they are to be finite
} fake_renderer_data;

static fake_renderer_data fake;

static ct_renderer *const fake_renderer = (ct_renderer *)&fake;

// Clears what was used, which is little of the arrays.
static inline void fake_reset(void) {
    memset(fake.objects, 0, (fake.last_object + 1) * sizeof(fake.objects[0]));
    memset(fake.lights, 0, (fake.last_light + 1) * sizeof(fake.lights[0]));
    memset(&fake.last_object, 0, sizeof(fake) - offsetof(fake_renderer_data, last_object));
}

static inline fake_object *fake_checked_object(ct_render_world_id world, ct_render_object_id id) {
    assert_true(id.value && id.value <= fake.last_object);
    assert_true(fake.objects[id.value].exists);
    assert_int_equal(fake.objects[id.value].world, world.value);
    return &fake.objects[id.value];
}

static inline fake_light *fake_checked_light(ct_render_world_id world, ct_render_light_id id) {
    assert_true(id.value && id.value <= fake.last_light);
    assert_true(fake.lights[id.value].exists);
    assert_int_equal(fake.lights[id.value].world, world.value);
    return &fake.lights[id.value];
}

ct_render_world_id ct_render_world_create(ct_renderer *r) {
    assert_ptr_equal(r, fake_renderer);
    ++fake.num_worlds;
    return (ct_render_world_id){++fake.last_world};
}

void ct_render_world_destroy(ct_renderer *r, ct_render_world_id world) {
    (void)r, (void)world;
    --fake.num_worlds;
}

void ct_render_world_set_time(ct_renderer *r, ct_render_world_id world, double seconds) {
    (void)r, (void)world;
    fake.time = seconds;
}

ct_render_object_id ct_render_object_create(ct_renderer *r, ct_render_world_id world,
                                            const ct_render_object_desc *desc,
                                            const ct_mat4 *pose) {
    (void)r;
    assert_true(fake.last_object + 1 < FAKE_MAX_ITEMS);
    assert_true(ct_mat4_is_finite(pose));
    fake_object *object = &fake.objects[++fake.last_object];
    *object = (fake_object){.exists = true,
                            .is_visible = !desc->is_hidden,
                            .casts_shadows = !desc->is_shadowless,
                            .world = world.value,
                            .mesh = desc->mesh,
                            .pose = *pose};
    assert_true(desc->num_materials <= CT_MESH_MAX_MATERIALS);
    memcpy(object->materials, desc->materials, sizeof(*desc->materials) * desc->num_materials);
    ++fake.num_objects;
    return (ct_render_object_id){fake.last_object};
}

void ct_render_objects_destroy(ct_renderer *r, ct_render_world_id world,
                               const ct_render_object_id *objects, uint32_t count) {
    (void)r;
    assert_true(count > 0);
    ++fake.destroy_calls;
    for (uint32_t i = 0; i < count; ++i) {
        fake_checked_object(world, objects[i])->exists = false;
        --fake.num_objects;
    }
}

void ct_render_objects_set_poses(ct_renderer *r, ct_render_world_id world,
                                 const ct_render_object_id *objects, const ct_mat4 *poses,
                                 uint32_t count) {
    (void)r;
    assert_true(count > 0);
    ++fake.pose_calls;
    fake.poses_sent += count;
    for (uint32_t i = 0; i < count; ++i) {
        assert_true(fake.takes_any_pose || ct_mat4_is_finite(&poses[i]));
        fake_checked_object(world, objects[i])->pose = poses[i];
    }
}

void ct_render_object_set_visible(ct_renderer *r, ct_render_world_id world,
                                  ct_render_object_id object, bool is_visible) {
    (void)r;
    fake_checked_object(world, object)->is_visible = is_visible;
}

void ct_render_object_set_casts_shadows(ct_renderer *r, ct_render_world_id world,
                                        ct_render_object_id object, bool casts_shadows) {
    (void)r;
    fake_checked_object(world, object)->casts_shadows = casts_shadows;
}

void ct_render_object_set_material(ct_renderer *r, ct_render_world_id world,
                                   ct_render_object_id object, uint32_t part,
                                   ct_string_id64 material) {
    (void)r;
    assert_true(part < CT_MESH_MAX_MATERIALS);
    fake_checked_object(world, object)->materials[part] = material;
}

// Every material has the one instanced parameter base_color.
bool ct_render_material_is_instanced(const ct_renderer *r, ct_string_id64 material,
                                     ct_string_id32 name) {
    (void)r, (void)material;
    return name.value == ct_string_id32_of("base_color").value;
}

void ct_render_object_set_value(ct_renderer *r, ct_render_world_id world,
                                ct_render_object_id object, ct_string_id32 name,
                                const float *values, uint32_t num_values) {
    (void)r, (void)name;
    fake_checked_object(world, object)->value = num_values == 4 ? values[0] : -1.0f;
}

ct_render_light_id ct_render_light_create(ct_renderer *r, ct_render_world_id world,
                                          const ct_light_data *light, const ct_mat4 *pose) {
    (void)r;
    assert_true(fake.last_light + 1 < FAKE_MAX_ITEMS);
    assert_true(ct_mat4_is_finite(pose));
    fake.lights[++fake.last_light] =
        (fake_light){.exists = true, .world = world.value, .data = *light, .pose = *pose};
    ++fake.num_lights;
    return (ct_render_light_id){fake.last_light};
}

void ct_render_light_set(ct_renderer *r, ct_render_world_id world, ct_render_light_id light,
                         const ct_light_data *data, const ct_mat4 *pose) {
    (void)r;
    fake_light *l = fake_checked_light(world, light);
    assert_true(fake.takes_any_pose || ct_mat4_is_finite(pose));
    l->data = *data;
    l->pose = *pose;
    ++fake.light_sets;
}

void ct_render_light_destroy(ct_renderer *r, ct_render_world_id world, ct_render_light_id light) {
    (void)r;
    fake_checked_light(world, light)->exists = false;
    --fake.num_lights;
}

void ct_render_lines(ct_renderer *r, ct_render_world_id world, const ct_line_vertex *vertices,
                     uint32_t count) {
    (void)r, (void)world;
    assert_non_null(vertices);
    fake.num_line_vertices += count;
}
