// Piles come to rest: bodies that others keep awake are held, and let go.
#include <string.h>

#include "physics/bullet/bullet_scene.h"

static uint32_t num_awake(const scene *s, uint32_t first, uint32_t count) {
    uint32_t awake = 0;
    for (uint32_t i = first; i < first + count; ++i)
        awake += !ct_bullet_body_is_asleep(s->bodies[i]);
    return awake;
}

static void step(scene *s, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i)
        ct_bullet_world_step(s->world, SCENE_STEP);
}

// --- A stack that is knocked over ----------------------------------------------------------------

enum { SIDE = 10, LAYERS = 10, NUM_BOXES = SIDE * SIDE * LAYERS, NUM_BALLS = 9 };

// Boxes of half a metre, and balls that fly into them one after the other. Returns the steps until all
// boxes sleep, or `most`; sets how long it took until 95 in a hundred did, and a hash of where they are.
static uint32_t topple(float rest_distance, uint32_t most, uint32_t *most_asleep, uint64_t *hash) {
    scene s;
    scene_begin(&s, 9.81f);
    ct_bullet_world_set_rest_distance(s.world, rest_distance);
    scene_body(&s, CT_BULLET_STATIC, scene_shape(&s, CT_BULLET_SHAPE_BOX, 90, 90, 1),
               scene_at(0, 0, -1));
    ct_bullet_shape *const box = scene_shape(&s, CT_BULLET_SHAPE_BOX, 0.25f, 0.25f, 0.25f);
    ct_bullet_shape *const ball = scene_shape(&s, CT_BULLET_SHAPE_SPHERE, 0.25f, 0, 0);
    for (uint32_t i = 0; i < NUM_BOXES; ++i) {
        const float x = ((float)(i % SIDE) - 4.5f) * 0.502f;
        const float y = ((float)(i / SIDE % SIDE) - 4.5f) * 0.502f;
        const float z = 0.25f + 0.5f * (float)(i / (SIDE * SIDE));
        ct_bullet_body_desc desc = scene_desc(&s, CT_BULLET_DYNAMIC, box, scene_at(x, y, z));
        desc.mass = 15;
        desc.friction = 0.7f;
        desc.restitution = 0.1f;
        desc.flags = CT_BULLET_STARTS_ASLEEP;
        scene_add(&s, &desc);
    }
    uint32_t steps = 0;
    *most_asleep = most;
    for (; steps < most; ++steps) {
        if (steps % 15 == 0 && steps / 15 < NUM_BALLS) {
            ct_bullet_body_desc desc = scene_desc(&s, CT_BULLET_DYNAMIC, ball, scene_at(0, -9, 1));
            desc.mass = 40;
            desc.rolling_friction = desc.spinning_friction = 0.01f;
            desc.velocity = scene_at(6.2f * ((float)(steps / 15 % 3) - 1), 20.6f, 4.5f);
            desc.flags = CT_BULLET_CONTINUOUS;
            scene_add(&s, &desc);
        }
        step(&s, 1);
        const uint32_t awake = num_awake(&s, 1, NUM_BOXES);
        if (steps > 15 * NUM_BALLS && awake <= NUM_BOXES / 20 && steps < *most_asleep)
            *most_asleep = steps;
        if (steps > 15 * NUM_BALLS && awake == 0)
            break;
    }
    *hash = 14695981039346656037u;
    for (uint32_t i = 0; i < s.num_bodies; ++i) {
        const ct_rigid_pose pose = ct_bullet_body_pose(s.bodies[i]);
        unsigned char bytes[sizeof(pose)];
        memcpy(bytes, &pose, sizeof(pose));
        for (uint32_t k = 0; k < sizeof(bytes); ++k)
            *hash = (*hash ^ bytes[k]) * 1099511628211u;
    }
    scene_end(&s);
    return steps;
}

static void toppled_stack_of_1000_boxes_comes_to_rest(void **state) {
    (void)state;
    uint32_t most_asleep, again_asleep;
    uint64_t hash, again;
    const uint32_t steps = topple(0.02f, 60 * 60, &most_asleep, &hash);
    print_message("most sleep after %g s, all after %g s\n", most_asleep / 60.0, steps / 60.0);
    assert_in_range(most_asleep, 1, 20 * 60);
    assert_in_range(steps, 1, 60 * 60 - 1);
    assert_int_equal(topple(0.02f, 60 * 60, &again_asleep, &again), steps);
    assert_true(again == hash);
}

// If it did, nothing would have to be held.
static void toppled_stack_does_not_rest_when_nothing_is_held(void **state) {
    (void)state;
    uint32_t most_asleep;
    uint64_t hash;
    assert_int_equal(topple(0, 20 * 60, &most_asleep, &hash), 20 * 60);
    assert_int_equal(most_asleep, 20 * 60);
}

// --- What is held, and what ends it --------------------------------------------------------------

// A tower of three boxes on `base`, which the topmost keeps awake. Returns the first.
static uint32_t add_tower(scene *s, float z) {
    ct_bullet_shape *const box = scene_shape(s, CT_BULLET_SHAPE_BOX, 0.25f, 0.25f, 0.25f);
    const uint32_t first = s->num_bodies;
    for (uint32_t i = 0; i < 3; ++i) {
        ct_bullet_body_desc desc =
            scene_desc(s, CT_BULLET_DYNAMIC, box, scene_at(0, 0, z + 0.25f + 0.5f * (float)i));
        desc.flags = i == 2 ? CT_BULLET_NO_SLEEP : 0;
        scene_add(s, &desc);
    }
    return first;
}

static float height(const scene *s, uint32_t body) {
    return ct_bullet_body_pose(s->bodies[body]).position.z;
}

static void begin_held(scene *s, uint32_t kind) {
    scene_begin(s, 9.81f);
    ct_bullet_world_set_rest_distance(s->world, 0.02f);
    scene_body(s, kind, scene_shape(s, CT_BULLET_SHAPE_BOX, 5, 5, 1), scene_at(0, 0, -1));
    assert_int_equal(add_tower(s, 0), 1);
    step(s, 240);
    assert_int_equal(num_awake(s, 1, 3), 3);
}

// A body that is held keeps all bits of its pose.
static void bodies_that_rest_are_held_while_others_are_awake(void **state) {
    (void)state;
    scene s;
    begin_held(&s, CT_BULLET_STATIC);
    const ct_rigid_pose before = ct_bullet_body_pose(s.bodies[2]);
    ct_bullet_body_set_angular_velocity(s.bodies[3], scene_at(0, 0, 0.5f)); // it turns on top
    step(&s, 5);
    const ct_rigid_pose after = ct_bullet_body_pose(s.bodies[2]);
    assert_memory_equal(&after, &before, sizeof(after));
    scene_end(&s);
}

static void held_bodies_fall_when_their_support_goes(void **state) {
    (void)state;
    scene s;
    begin_held(&s, CT_BULLET_STATIC);
    ct_bullet_body_set_pose(s.bodies[1], (ct_rigid_pose){scene_at(3, 0, 0.25f), scene_identity});
    step(&s, 60);
    assert_float_equal(height(&s, 2), 0.25, 0.01);
    assert_float_equal(height(&s, 3), 0.75, 0.01);
    scene_end(&s);
}

static void held_bodies_move_when_they_are_pushed(void **state) {
    (void)state;
    scene s;
    begin_held(&s, CT_BULLET_STATIC);
    const float before = ct_bullet_body_pose(s.bodies[1]).position.x;
    ct_bullet_body_set_velocity(s.bodies[1], scene_at(2, 0, 0));
    step(&s, 30);
    assert_true(ct_bullet_body_pose(s.bodies[1]).position.x > before + 0.05f);
    scene_end(&s);
}

// At 6 mm/s, which is less than what is held.
static void held_bodies_ride_on_slow_platforms(void **state) {
    (void)state;
    scene s;
    begin_held(&s, CT_BULLET_KINEMATIC);
    for (uint32_t i = 0; i < 600; ++i) {
        ct_bullet_body_move_to(
            s.bodies[0],
            (ct_rigid_pose){scene_at(0, 0, -1 + 0.0001f * (float)(i + 1)), scene_identity});
        step(&s, 1);
        for (uint32_t k = 0; k < 3; ++k)
            assert_float_equal(height(&s, k + 1), 0.0001 * i + 0.25 + 0.5 * k, 0.003);
    }
    scene_end(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(toppled_stack_of_1000_boxes_comes_to_rest),
        cmocka_unit_test(toppled_stack_does_not_rest_when_nothing_is_held),
        cmocka_unit_test(bodies_that_rest_are_held_while_others_are_awake),
        cmocka_unit_test(held_bodies_fall_when_their_support_goes),
        cmocka_unit_test(held_bodies_move_when_they_are_pushed),
        cmocka_unit_test(held_bodies_ride_on_slow_platforms),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
