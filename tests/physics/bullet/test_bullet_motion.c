// How bodies move: closed forms with tolerances, sleep, teleports, platforms, continuous motion.
#include <math.h>
#include <string.h>

#include "foundation/math/math.h"
#include "foundation/os/os.h"
#include "physics/bullet/bullet_counts.h"
#include "physics/bullet/bullet_scene.h"

static scene s;

static float speed_of(const ct_bullet_body *b) {
    return ct_vec3_length(ct_bullet_body_velocity(b));
}

// A box on level ground; gravity leans by `angle` instead. The friction is 0.5 * 1.
static float slide(float angle) {
    scene_begin(&s, 0);
    ct_bullet_world_set_gravity(s.world, scene_at(10 * sinf(angle), 0, -10 * cosf(angle)));
    ct_bullet_body_desc desc =
        scene_desc(&s, CT_BULLET_STATIC, scene_shape(&s, CT_BULLET_SHAPE_BOX, 100, 100, 1),
                   scene_at(0, 0, -1));
    desc.friction = 1;
    scene_add(&s, &desc);
    desc = scene_desc(&s, CT_BULLET_DYNAMIC, scene_shape(&s, CT_BULLET_SHAPE_BOX, 1, 1, 0.25f),
                      scene_at(0, 0, 0.25f));
    desc.flags = CT_BULLET_NO_SLEEP;
    ct_bullet_body *const box = scene_add(&s, &desc);
    scene_steps(&s, 120);
    const float x = ct_bullet_body_pose(box).position.x;
    scene_end(&s);
    return x;
}

static void friction_holds_up_to_its_angle(void **state) {
    (void)state;
    const float limit = atanf(0.5f);
    assert_true(fabsf(slide(0.95f * limit)) < 0.02f);
    const float angle = 1.3f * limit, time = 2;
    const float exact = 0.5f * 10 * (sinf(angle) - 0.5f * cosf(angle)) * time * time;
    assert_true(fabsf(slide(angle) - exact) < 0.05f * exact);
}

static void a_ball_bounces_to_the_square_of_its_restitution(void **state) {
    (void)state;
    scene_begin(&s, 10);
    ct_bullet_body_desc desc = scene_desc(
        &s, CT_BULLET_STATIC, scene_shape(&s, CT_BULLET_SHAPE_PLANE, 1, 1, 1), scene_at(0, 0, 0));
    desc.restitution = 1;
    scene_add(&s, &desc);
    desc = scene_desc(&s, CT_BULLET_DYNAMIC, scene_shape(&s, CT_BULLET_SHAPE_SPHERE, 0.5f, 0, 0),
                      scene_at(0, 0, 0.5001f + 5 + 5.0f / 240));
    desc.restitution = 0.8f;
    ct_bullet_body *const ball = scene_add(&s, &desc);
    // After 240 steps it is at the ground: Bullet also pushes out what is inside, which adds speed.
    float highest = 0;
    for (uint32_t i = 0; i < 480; ++i) {
        ct_bullet_world_step(s.world, SCENE_STEP / 4);
        const float z = ct_bullet_body_pose(ball).position.z - 0.5f;
        if (i > 300 && z > highest) // it falls for 1 s, and rises for 0.8 s
            highest = z;
    }
    assert_true(fabsf(highest - 0.64f * 5) < 0.02f * 5);
    scene_end(&s);
}

static void collisions_keep_momentum(void **state) {
    (void)state;
    scene_begin(&s, 0);
    ct_bullet_shape *const ball = scene_shape(&s, CT_BULLET_SHAPE_SPHERE, 0.5f, 0, 0);
    ct_bullet_body_desc desc = scene_desc(&s, CT_BULLET_DYNAMIC, ball, scene_at(0, 0, 0));
    desc.velocity = scene_at(6, 0.5f, 0);
    desc.mass = 3;
    ct_bullet_body *const a = scene_add(&s, &desc);
    desc = scene_desc(&s, CT_BULLET_DYNAMIC, ball, scene_at(4, 0.4f, 0.2f));
    desc.velocity = scene_at(-2, 0, 0.3f);
    ct_bullet_body *const b = scene_add(&s, &desc);
    scene_steps(&s, 90);
    assert_true(fabsf(ct_bullet_body_velocity(a).x - 6) > 0.5f); // they met
    const ct_vec3 total =
        ct_vec3_add(ct_vec3_scale(ct_bullet_body_velocity(a), 3), ct_bullet_body_velocity(b));
    assert_true(ct_vec3_length(ct_vec3_sub(total, scene_at(16, 1.5f, 0.3f))) < 1e-4f);
    scene_end(&s);
}

static void impulses_change_velocity_by_mass(void **state) {
    (void)state;
    scene_begin(&s, 0);
    ct_bullet_shape *const box = scene_shape(&s, CT_BULLET_SHAPE_BOX, 0.5f, 0.5f, 0.5f);
    ct_bullet_body_desc desc = scene_desc(&s, CT_BULLET_DYNAMIC, box, scene_at(1, 2, 3));
    desc.mass = 4;
    ct_bullet_body *const b = scene_add(&s, &desc);
    ct_bullet_body_add_impulse(b, scene_at(2, 0, 0), scene_at(1, 2, 3));
    assert_true(fabsf(ct_bullet_body_velocity(b).x - 0.5f) < 1e-6f);
    assert_true(ct_vec3_length(ct_bullet_body_angular_velocity(b)) < 1e-6f);
    // About z: inertia m (1 + 1) / 12.
    ct_bullet_body_add_torque_impulse(b, scene_at(0, 0, 1));
    assert_true(fabsf(ct_bullet_body_angular_velocity(b).z - 1.5f) < 1e-5f);
    assert_true(fabsf(ct_bullet_body_velocity_at(b, scene_at(1, 3, 3)).x - (0.5f - 1.5f)) < 1e-5f);
    ct_bullet_body_add_impulse(b, scene_at(1, 0, 0), scene_at(1, 2.5f, 3));
    assert_true(fabsf(ct_bullet_body_angular_velocity(b).z - (1.5f - 0.75f)) < 1e-5f);
    assert_true(ct_bullet_body_mass(b) == 4);
    scene_end(&s);
}

static void locked_axes_do_not_move(void **state) {
    (void)state;
    scene_begin(&s, 10);
    ct_bullet_shape *const box = scene_shape(&s, CT_BULLET_SHAPE_BOX, 0.5f, 0.5f, 0.5f);
    ct_bullet_body_desc desc = scene_desc(&s, CT_BULLET_DYNAMIC, box, scene_at(0, 0, 0));
    desc.linear_factor = scene_at(1, 0, 1);
    desc.angular_factor = scene_at(0, 1, 0);
    ct_bullet_body *const b = scene_add(&s, &desc);
    ct_bullet_body_add_impulse(b, scene_at(1, 1, 0), scene_at(0.2f, 0.3f, 0.4f));
    scene_steps(&s, 60);
    const ct_rigid_pose pose = ct_bullet_body_pose(b);
    assert_true(pose.position.y == 0 && pose.position.x > 0.5f && pose.position.z < -4);
    assert_true(fabsf(pose.rotation.x) < 1e-6f && fabsf(pose.rotation.z) < 1e-6f);
    assert_true(fabsf(pose.rotation.y) > 1e-3f);
    scene_end(&s);
}

// --- Sleep ---------------------------------------------------------------------------------------

static void what_falls_asleep_is_moved_once_more(void **state) {
    (void)state;
    scene_begin(&s, 10);
    scene_body(&s, CT_BULLET_STATIC, scene_shape(&s, CT_BULLET_SHAPE_PLANE, 1, 1, 1),
               scene_at(0, 0, 0));
    ct_bullet_shape *const box = scene_shape(&s, CT_BULLET_SHAPE_BOX, 0.5f, 0.5f, 0.5f);
    ct_bullet_body *const b = scene_body(&s, CT_BULLET_DYNAMIC, box, scene_at(0, 0, 0.6f));
    uint32_t count = 0, step = 0;
    for (; step < 600 && !ct_bullet_body_is_asleep(b); ++step) {
        scene_steps(&s, 1);
        ct_bullet_world_moved(s.world, &count);
        assert_int_equal(count, 1);
    }
    assert_in_range(step, 60, 599);
    const ct_rigid_pose pose = ct_bullet_body_pose(b);
    const ct_bullet_moved *moved = ct_bullet_world_moved(s.world, &count);
    assert_int_equal(count, 1); // in the step in which it fell asleep
    assert_memory_equal(&moved->pose.position, &pose.position, sizeof(pose.position));
    assert_memory_equal(&moved->pose.rotation, &pose.rotation, sizeof(pose.rotation));
    scene_steps(&s, 1);
    ct_bullet_world_moved(s.world, &count);
    assert_int_equal(count, 0);
    // Putting it to sleep by hand is the same.
    ct_bullet_body_set_velocity(b, scene_at(0, 0, 3));
    assert_false(ct_bullet_body_is_asleep(b));
    scene_steps(&s, 5);
    ct_bullet_body_sleep(b);
    scene_steps(&s, 1);
    moved = ct_bullet_world_moved(s.world, &count);
    assert_int_equal(count, 1);
    assert_int_equal(moved->id, 2);
    scene_steps(&s, 1);
    ct_bullet_world_moved(s.world, &count);
    assert_int_equal(count, 0);
    // One that ends after it moved is not looked at again.
    ct_bullet_body_wake(b);
    scene_steps(&s, 1);
    scene_pop(&s);
    scene_steps(&s, 1);
    ct_bullet_world_moved(s.world, &count);
    assert_int_equal(count, 0);
    scene_end(&s);
}

static void flags_say_who_sleeps_and_falls(void **state) {
    (void)state;
    scene_begin(&s, 10);
    scene_body(&s, CT_BULLET_STATIC, scene_shape(&s, CT_BULLET_SHAPE_PLANE, 1, 1, 1),
               scene_at(0, 0, 0));
    ct_bullet_shape *const box = scene_shape(&s, CT_BULLET_SHAPE_BOX, 0.5f, 0.5f, 0.5f);
    ct_bullet_body *b[4];
    for (uint32_t i = 0; i < 4; ++i) {
        const uint32_t flags[4] = {CT_BULLET_NO_SLEEP, CT_BULLET_NO_GRAVITY,
                                   CT_BULLET_STARTS_ASLEEP,
                                   CT_BULLET_STARTS_ASLEEP | CT_BULLET_NO_SLEEP};
        ct_bullet_body_desc desc = scene_desc(
            &s, CT_BULLET_DYNAMIC, box, scene_at(3 * (float)i, 0, i == 0 || i == 3 ? 0.5f : 2));
        desc.flags = flags[i];
        b[i] = scene_add(&s, &desc);
    }
    scene_steps(&s, 300);
    assert_false(ct_bullet_body_is_asleep(b[0]));
    assert_true(ct_bullet_body_pose(b[1]).position.z == 2);
    assert_true(ct_bullet_body_is_asleep(b[2]) && ct_bullet_body_pose(b[2]).position.z == 2);
    assert_false(ct_bullet_body_is_asleep(b[3]));
    ct_bullet_body_set_flags(b[0], 0);
    ct_bullet_body_set_flags(b[1], 0);
    ct_bullet_body_wake(b[2]);
    scene_steps(&s, 300);
    for (int i = 0; i < 3; ++i) {
        assert_true(ct_bullet_body_is_asleep(b[i]));
        assert_true(fabsf(ct_bullet_body_pose(b[i]).position.z - 0.5f) < 0.02f);
    }
    // Gravity that changes wakes them, and they feel it.
    ct_bullet_world_set_gravity(s.world, scene_at(0, 0, 10));
    scene_steps(&s, 60);
    for (int i = 0; i < 3; ++i)
        assert_true(ct_bullet_body_pose(b[i]).position.z > 4);
    scene_end(&s);
}

// --- Moving by hand ------------------------------------------------------------------------------

static void teleports_give_no_velocity(void **state) {
    (void)state;
    scene_begin(&s, 0);
    ct_bullet_shape *const box = scene_shape(&s, CT_BULLET_SHAPE_BOX, 0.5f, 0.5f, 0.5f);
    ct_bullet_body *const b = scene_body(&s, CT_BULLET_DYNAMIC, box, scene_at(0, 0, 0));
    ct_bullet_body *const k = scene_body(&s, CT_BULLET_KINEMATIC, box, scene_at(0, 5, 0));
    ct_bullet_body *const on_k = scene_body(&s, CT_BULLET_DYNAMIC, box, scene_at(50, 5, 1.02f));
    ct_bullet_body_set_velocity(b, scene_at(1, 0, 0));
    scene_steps(&s, 10);
    ct_bullet_body_set_pose(b, (ct_rigid_pose){scene_at(100, 0, 0), scene_identity});
    ct_bullet_body_set_pose(k, (ct_rigid_pose){scene_at(50, 5, 0), scene_identity});
    scene_steps(&s, 60);
    assert_true(fabsf(ct_bullet_body_velocity(b).x - 1) < 1e-5f);
    assert_true(fabsf(ct_bullet_body_pose(b).position.x - 101) < 1e-3f);
    assert_true(speed_of(k) == 0 && ct_bullet_body_pose(k).position.x == 50);
    assert_true(speed_of(on_k) < 0.5f);
    scene_end(&s);
}

static void a_slow_platform_carries_what_is_on_it(void **state) {
    (void)state;
    scene_begin(&s, 10);
    ct_bullet_shape *const box = scene_shape(&s, CT_BULLET_SHAPE_BOX, 2, 2, 0.2f);
    ct_bullet_shape *const crate = scene_shape(&s, CT_BULLET_SHAPE_BOX, 0.5f, 0.5f, 0.5f);
    ct_bullet_body *const k = scene_body(&s, CT_BULLET_KINEMATIC, box, scene_at(0, 0, -0.2f));
    ct_bullet_body *const b = scene_body(&s, CT_BULLET_DYNAMIC, crate, scene_at(0, 0, 0.5f));
    for (uint32_t i = 1; i <= 600; ++i) { // 0.2 m/s: slower than what falls asleep
        const float x = 0.2f * (float)i * SCENE_STEP;
        ct_bullet_body_move_to(k, (ct_rigid_pose){scene_at(x, 0, -0.2f), scene_identity});
        scene_steps(&s, 1);
        assert_true(fabsf(ct_bullet_body_pose(k).position.x - x) < 1e-5f);
    }
    assert_true(fabsf(ct_bullet_body_pose(b).position.x - 2) < 0.05f);
    scene_steps(&s, 300);
    assert_true(ct_bullet_body_is_asleep(k) && ct_bullet_body_is_asleep(b));
    // Moving it again wakes the crate.
    ct_bullet_body_move_to(k, (ct_rigid_pose){scene_at(2.01f, 0, -0.2f), scene_identity});
    scene_steps(&s, 1);
    assert_false(ct_bullet_body_is_asleep(b));
    scene_end(&s);
}

static void kinds_change_in_place(void **state) {
    (void)state;
    scene_begin(&s, 10);
    ct_bullet_shape *const box = scene_shape(&s, CT_BULLET_SHAPE_BOX, 0.5f, 0.5f, 0.5f);
    ct_bullet_body_desc desc = scene_desc(&s, CT_BULLET_KINEMATIC, box, scene_at(0, 0, 0));
    desc.mass = 2;
    ct_bullet_body *const b = scene_add(&s, &desc);
    scene_steps(&s, 30);
    assert_true(ct_bullet_body_pose(b).position.z == 0 && ct_bullet_body_mass(b) == 0);
    ct_bullet_body_set_kind(b, CT_BULLET_DYNAMIC);
    scene_steps(&s, 30);
    const float fallen = ct_bullet_body_pose(b).position.z;
    assert_true(fallen < -1 && ct_bullet_body_mass(b) == 2);
    ct_bullet_body_set_kind(b, CT_BULLET_STATIC);
    scene_steps(&s, 30);
    assert_true(ct_bullet_body_pose(b).position.z == fallen && speed_of(b) == 0);
    ct_bullet_body_set_kind(b, CT_BULLET_SENSOR);
    scene_steps(&s, 30);
    assert_true(ct_bullet_body_pose(b).position.z == fallen);
    scene_end(&s);
}

// Drops a body of `kind`, a metre high, flat from 3 m; returns its lowest height. `least_turn` gets the
// least w of its rotation, which is 1 while it is not turned.
static float drop_flat(uint32_t ground_kind, uint32_t kind, float *least_turn) {
    scene_begin(&s, 10);
    const bool is_plane = ground_kind == CT_BULLET_SHAPE_PLANE;
    scene_body(&s, CT_BULLET_STATIC,
               is_plane ? scene_shape(&s, ground_kind, 0, 0, 1)
                        : scene_shape(&s, ground_kind, 20, 20, 1),
               scene_at(0, 0, is_plane ? 0 : -1));
    ct_bullet_body *const b = scene_body(
        &s, CT_BULLET_DYNAMIC, scene_shape(&s, kind, 0.5f, 0.5f, 0.5f), scene_at(0, 0, 3));
    float lowest = 3;
    *least_turn = 1;
    for (uint32_t i = 0; i < 240; ++i) {
        scene_steps(&s, 1);
        const ct_rigid_pose pose = ct_bullet_body_pose(b);
        lowest = fminf(lowest, pose.position.z);
        *least_turn = fminf(*least_turn, fabsf(pose.rotation.w));
    }
    const ct_vec3 end = ct_bullet_body_pose(b).position;
    assert_true(fabsf(end.x) < 0.01f && fabsf(end.y) < 0.01f);
    scene_end(&s);
    return lowest;
}

static void what_falls_flat_does_not_sink_or_spin(void **state) {
    (void)state;
    static const struct {
        uint32_t ground, kind;
    } cases[] = {{CT_BULLET_SHAPE_PLANE, CT_BULLET_SHAPE_BOX},
                 {CT_BULLET_SHAPE_PLANE, CT_BULLET_SHAPE_CYLINDER},
                 {CT_BULLET_SHAPE_BOX, CT_BULLET_SHAPE_BOX},
                 {CT_BULLET_SHAPE_BOX, CT_BULLET_SHAPE_CYLINDER}};
    for (uint32_t i = 0; i < CT_COUNT_OF(cases); ++i) {
        float least_turn;
        assert_true(drop_flat(cases[i].ground, cases[i].kind, &least_turn) > 0.48f);
        assert_true(least_turn > 0.9998f); // 2 degrees
    }
}

// --- Continuous motion ---------------------------------------------------------------------------

static float shoot(uint32_t flags, uint32_t filter) {
    scene_begin(&s, 0);
    ct_bullet_body_desc desc =
        scene_desc(&s, CT_BULLET_STATIC, scene_shape(&s, CT_BULLET_SHAPE_BOX, 0.05f, 5, 5),
                   scene_at(52.3f, 0, 0));
    desc.filter = 3;
    scene_add(&s, &desc);
    desc = scene_desc(&s, CT_BULLET_DYNAMIC, scene_shape(&s, CT_BULLET_SHAPE_SPHERE, 0.1f, 0, 0),
                      scene_at(0, 0, 0));
    desc.flags = flags;
    desc.collides = filter;
    desc.velocity = scene_at(300, 0, 0);
    ct_bullet_body *const b = scene_add(&s, &desc);
    scene_steps(&s, 60);
    const float x = ct_bullet_body_pose(b).position.x;
    scene_end(&s);
    return x;
}

static void continuous_bodies_stop_at_thin_walls(void **state) {
    (void)state;
    assert_true(shoot(0, UINT32_MAX) > 200); // the wall is thin: others pass it
    assert_true(shoot(CT_BULLET_CONTINUOUS, UINT32_MAX) < 52.3f);
    assert_true(shoot(CT_BULLET_CONTINUOUS, ~8u) > 200); // the wall's filter is not among its own
}

// --- Many ----------------------------------------------------------------------------------------

static void fill(scene *w) {
    scene_body(w, CT_BULLET_STATIC, scene_shape(w, CT_BULLET_SHAPE_PLANE, 1, 1, 1),
               scene_at(0, 0, 0));
    ct_bullet_shape *const box = scene_shape(w, CT_BULLET_SHAPE_BOX, 0.5f, 0.4f, 0.3f);
    ct_bullet_shape *const ball = scene_shape(w, CT_BULLET_SHAPE_SPHERE, 0.4f, 0, 0);
    for (uint32_t i = 0; i < 200; ++i)
        scene_body(w, CT_BULLET_DYNAMIC, i % 3 ? box : ball,
                   scene_at(0.9f * (float)(i % 5), 0.9f * (float)(i / 5 % 5) + 0.01f * (float)i,
                            1 + (float)(i / 25)));
}

static uint64_t hash_of(const scene *w) {
    uint64_t hash = 14695981039346656037u;
    for (uint32_t i = 0; i < w->num_bodies; ++i) {
        float t[12];
        unsigned char bytes[sizeof(t)];
        ct_bullet_body_transform(w->bodies[i], t);
        memcpy(bytes, t, sizeof(t));
        for (uint32_t k = 0; k < sizeof(t); ++k)
            hash = (hash ^ bytes[k]) * 1099511628211u;
    }
    return hash;
}

typedef struct thread_run {
    scene *w;
    uint64_t hash;
} thread_run;

static void run_scene(void *user) {
    thread_run *const run = user;
    scene_begin(run->w, 10);
    fill(run->w);
    scene_steps(run->w, 240);
    run->hash = hash_of(run->w);
    scene_end(run->w);
}

static void two_worlds_on_two_threads_have_the_bits_of_one(void **state) {
    (void)state;
    static scene other;
    ct_bullet_init(test_heap());
    thread_run alone = {.w = &s}, runs[2] = {{.w = &s}, {.w = &other}};
    run_scene(&alone);
    const ct_thread thread = ct_thread_start("other_world", run_scene, &runs[1]);
    run_scene(&runs[0]);
    ct_thread_join(thread);
    assert_true(runs[0].hash == alone.hash && runs[1].hash == alone.hash);
    ct_bullet_quit();
}

static void memory_stays_flat(void **state) {
    (void)state;
    scene_begin(&s, 10);
    fill(&s);
    scene_steps(&s, 300);
    uint32_t seed = 3;
    uint64_t highest = 0;
    for (uint32_t i = 0; i < 1000; ++i) {
        const uint32_t which = 1 + test_random(&seed) % 200;
        ct_bullet_body_add_impulse(s.bodies[which], scene_at(0, 0, 4),
                                   ct_bullet_body_center(s.bodies[which]));
        scene_steps(&s, 1);
        const uint64_t live = ct_allocator_stats_of(test_heap()).live_bytes;
        if (i == 500)
            highest = live + live / 20;
        assert_true(i <= 500 || live <= highest);
    }
    scene_end(&s);
}

static void a_crowd_at_one_place_is_bounded(void **state) {
    (void)state;
    scene_begin(&s, 0);
    ct_bullet_shape *const ball = scene_shape(&s, CT_BULLET_SHAPE_SPHERE, 0.5f, 0, 0);
    for (uint32_t i = 0; i < 1024; ++i) // half a million pairs would take 2 GB
        scene_body(&s, CT_BULLET_DYNAMIC, ball, scene_at(1e-4f * (float)i, 0, 0));
    scene_steps(&s, 1);
    assert_true(ct_allocator_stats_of(test_heap()).live_bytes < 300u << 20);
    scene_end(&s);
}

static void islands_are_counted_while_awake(void **state) {
    (void)state;
    scene_begin(&s, 10);
    ct_bullet_shape *const box = scene_shape(&s, CT_BULLET_SHAPE_BOX, 0.5f, 0.5f, 0.5f);
    ct_bullet_shape *const floor = scene_shape(&s, CT_BULLET_SHAPE_BOX, 50, 50, 0.5f);
    scene_body(&s, CT_BULLET_STATIC, floor, scene_at(0, 0, -0.5f));
    for (uint32_t i = 0; i < 4; ++i) // two towers of two boxes
        scene_body(&s, CT_BULLET_DYNAMIC, box,
                   scene_at(i < 2 ? -5.0f : 5.0f, 0, i % 2 ? 1.5f : 0.5f));
    ct_bullet_world_step(s.world, SCENE_STEP);
    ct_bullet_counts counts = ct_bullet_world_counts(s.world);
    assert_int_equal(counts.bodies, 5);
    assert_int_equal(counts.dynamic, 4);
    assert_int_equal(counts.awake, 4);
    assert_int_equal(counts.islands, 2);
    assert_int_equal(counts.pairs, 4);
    for (uint32_t i = 0; i < 400; ++i)
        ct_bullet_world_step(s.world, SCENE_STEP);
    counts = ct_bullet_world_counts(s.world);
    assert_int_equal(counts.dynamic, 4);
    assert_int_equal(counts.awake, 0);
    assert_int_equal(counts.islands, 0);
    scene_end(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(islands_are_counted_while_awake),
        cmocka_unit_test(friction_holds_up_to_its_angle),
        cmocka_unit_test(a_ball_bounces_to_the_square_of_its_restitution),
        cmocka_unit_test(collisions_keep_momentum),
        cmocka_unit_test(impulses_change_velocity_by_mass),
        cmocka_unit_test(locked_axes_do_not_move),
        cmocka_unit_test(what_falls_asleep_is_moved_once_more),
        cmocka_unit_test(flags_say_who_sleeps_and_falls),
        cmocka_unit_test(teleports_give_no_velocity),
        cmocka_unit_test(a_slow_platform_carries_what_is_on_it),
        cmocka_unit_test(kinds_change_in_place),
        cmocka_unit_test(what_falls_flat_does_not_sink_or_spin),
        cmocka_unit_test(continuous_bodies_stop_at_thin_walls),
        cmocka_unit_test(two_worlds_on_two_threads_have_the_bits_of_one),
        cmocka_unit_test(memory_stays_flat),
        cmocka_unit_test(a_crowd_at_one_place_is_bounded),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
