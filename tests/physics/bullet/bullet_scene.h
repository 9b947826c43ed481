// bullet_scene.h: small worlds for the tests of bullet.h. In Bullet's memory from the test's heap.
#pragma once
#include <math.h>

#include "physics/bullet/bullet.h"
#include "support/test_support.h"

#define SCENE_STEP (1.0f / 60)
static const ct_quat scene_identity = {{0, 0, 0, 1}};
static const ct_bullet_find scene_find_all = {
    .kinds = CT_BULLET_FIND_SOLID | CT_BULLET_FIND_SENSORS, .filters = UINT32_MAX};

enum { SCENE_MOST = 4200 };

// A world with its shapes and bodies, which scene_end ends.
typedef struct scene {
    ct_bullet_world *world;
    ct_bullet_shape *shapes[16];
    ct_bullet_body *bodies[SCENE_MOST];
    uint32_t num_shapes, num_bodies;
} scene;

static inline ct_vec3 scene_at(float x, float y, float z) {
    return (ct_vec3){{x, y, z}};
}

static inline void scene_begin(scene *s, float gravity) {
    ct_bullet_init(test_heap());
    s->num_shapes = s->num_bodies = 0;
    s->world = ct_bullet_world_create(
        &(ct_bullet_world_desc){.gravity = {{0, 0, -gravity}}, .solver_iterations = 10});
}

static inline void scene_end(scene *s) {
    for (uint32_t i = s->num_bodies; i-- > 0;)
        ct_bullet_body_destroy(s->bodies[i]);
    ct_bullet_world_destroy(s->world);
    for (uint32_t i = 0; i < s->num_shapes; ++i)
        ct_bullet_shape_destroy(s->shapes[i]);
    ct_bullet_quit();
}

static inline ct_bullet_shape *scene_shape(scene *s, uint32_t kind, float x, float y, float z) {
    ct_bullet_shape *const shape = ct_bullet_shape_create(
        &(ct_bullet_shape_part){
            .kind = kind, .pose = {.rotation = scene_identity}, .size = scene_at(x, y, z)},
        1);
    s->shapes[s->num_shapes++] = shape;
    return shape;
}

// What a body is like if the test does not say otherwise. Ids start at 1.
static inline ct_bullet_body_desc scene_desc(const scene *s, uint32_t kind, ct_bullet_shape *shape,
                                             ct_vec3 position) {
    return (ct_bullet_body_desc){.id = s->num_bodies + 1,
                                 .kind = kind,
                                 .shape = shape,
                                 .pose = {position, scene_identity},
                                 .mass = kind == CT_BULLET_DYNAMIC ? 1 : 0,
                                 .friction = 0.5f,
                                 .linear_factor = {{1, 1, 1}},
                                 .angular_factor = {{1, 1, 1}},
                                 .sleep_linear = 0.8f,
                                 .sleep_angular = 1,
                                 .collides = UINT32_MAX};
}

static inline ct_bullet_body *scene_add(scene *s, const ct_bullet_body_desc *desc) {
    ct_bullet_body *const b = ct_bullet_body_create(s->world, desc);
    assert_true(s->num_bodies < SCENE_MOST);
    s->bodies[s->num_bodies++] = b;
    return b;
}

static inline ct_bullet_body *scene_body(scene *s, uint32_t kind, ct_bullet_shape *shape,
                                         ct_vec3 position) {
    const ct_bullet_body_desc desc = scene_desc(s, kind, shape, position);
    return scene_add(s, &desc);
}

// Ends the last body.
static inline void scene_pop(scene *s) {
    ct_bullet_body_destroy(s->bodies[--s->num_bodies]);
}

static inline void scene_steps(scene *s, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i)
        ct_bullet_world_step(s->world, SCENE_STEP);
}

// The contact of two bodies in the last step, or NULL.
static inline const ct_bullet_contact *scene_contact(scene *s, const ct_bullet_body *a,
                                                     const ct_bullet_body *b) {
    const uint32_t x = ct_bullet_body_id(a), y = ct_bullet_body_id(b);
    uint32_t count;
    const ct_bullet_contact *const all = ct_bullet_world_contacts(s->world, &count);
    const ct_bullet_contact *found = NULL;
    for (uint32_t i = 0; i < count; ++i) {
        assert_true(all[i].a < all[i].b);
        assert_true(i == 0 || all[i - 1].a < all[i].a ||
                    (all[i - 1].a == all[i].a && all[i - 1].b < all[i].b));
        if ((all[i].a == x && all[i].b == y) || (all[i].a == y && all[i].b == x))
            found = &all[i];
    }
    return found;
}
