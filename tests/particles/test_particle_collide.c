// Particles that bounce off planes and actors.
#include <math.h>

#include "foundation/math/math.h"
#include "particles/particle_play.h"
#include "physics/actor/actor_fixture.h"

#define GRAVITY 10.0f

// One ball that a burst makes at the effect's place, with gravity.
typedef struct ball {
    float bounce, friction, lifetime_lost, radius;
    float velocity[3];
    float size;            // 0: without SIZE
    float spin;            // 0: without SPIN
    bool follows_curve;    // the size: known when curves have run
    uint32_t flags;        // of the emitter
    uint32_t step_flags;   // of the collision
    float plane[4];        // COLLIDE_PLANE
    bool has_physics;      // COLLIDE_PHYSICS
    ct_string_id32 filter; // its filter
    float gravity;
} ball;

static const ball usual = {.bounce = 0.5f, .plane = {0, 0, 1, 0}, .gravity = GRAVITY};

static ct_particles_resource *make_ball(const ball *b) {
    particle_fixture *const f = particle_fixture_begin();
    const uint32_t e = particle_play_emitter(f, "ball", 4);
    ct_particle_emitter *const x = particle_fixture_at(f, e);
    x->flags = b->flags | (b->has_physics ? CT_PARTICLE_EMITTER_COLLIDES : 0);
    x->max_lifetime = 1000;
    x->lifetime = particle_fixture_value(f, e, particle_fixture_number(1000));
    x->velocity = particle_fixture_value(
        f, e, particle_fixture_vector(b->velocity[0], b->velocity[1], b->velocity[2], 0));
    particle_fixture_burst(f, e, 0, 1);
    if (b->size > 0 && b->follows_curve)
        particle_fixture_channel(f, e, CT_PARTICLE_SIZE);
    else if (b->size > 0)
        particle_fixture_set(f, e, CT_PARTICLE_SIZE,
                             particle_fixture_vector(b->size * 0.5f, b->size, 0, 0));
    if (b->spin > 0)
        particle_fixture_set(f, e, CT_PARTICLE_SPIN, particle_fixture_number(b->spin));
    const ct_particle_value down = particle_fixture_vector(0, 0, -b->gravity, 0);
    particle_fixture_step(f, e, &(ct_particle_step){.op = CT_PARTICLE_OP_ACCELERATE}, 1, &down);
    particle_fixture_move(f, e);
    const ct_particle_step step = {.op = b->has_physics ? CT_PARTICLE_OP_COLLIDE_PHYSICS
                                                        : CT_PARTICLE_OP_COLLIDE_PLANE,
                                   .flags = b->step_flags,
                                   .name = b->filter};
    const ct_particle_value values[2] = {
        particle_fixture_vector(b->plane[0], b->plane[1], b->plane[2], b->plane[3]),
        particle_fixture_vector(b->bounce, b->friction, b->lifetime_lost, b->radius)};
    particle_fixture_step(f, e, &step, 2, values);
    if (b->follows_curve)
        particle_fixture_curve(f, e, CT_PARTICLE_SIZE, CT_PARTICLE_SEMANTIC_COUNT, 2,
                               particle_fixture_vector(b->size, b->size, 0, 0));
    const uint32_t sparks = particle_play_emitter(f, "sparks", 64);
    particle_fixture_at(f, sparks)->max_lifetime = 1000;
    particle_fixture_at(f, sparks)->lifetime =
        particle_fixture_value(f, sparks, particle_fixture_number(1000));
    particle_fixture_event(f, e,
                           (ct_particle_event){.type = CT_PARTICLE_EVENT_COLLISION,
                                               .emitter = sparks,
                                               .least = 1,
                                               .most = 1,
                                               .probability = 1});
    return particle_fixture_end(f);
}

static particle_play start_at(const ball *b, ct_particle_place place) {
    const particle_play p = particle_play_start(make_ball(b), UINT32_MAX, 0);
    ct_particles_create(p.world, p.name, &place, 1);
    return p;
}

static particle_play start(const ball *b, float x, float y, float z) {
    return start_at(b, particle_play_place(x, y, z));
}

static ct_vec3 vector(const particle_play *p, uint32_t semantic) {
    return ct_vec3_make(particle_play_number(p, 0, semantic, 0, 0),
                        particle_play_number(p, 0, semantic, 1, 0),
                        particle_play_number(p, 0, semantic, 2, 0));
}

static ct_vec3 position(const particle_play *p) {
    return vector(p, CT_PARTICLE_POSITION);
}

static uint32_t num_events(const particle_play *p) {
    return particle_play_effect(p, 0)->emitters[1].num_born;
}

// The heights to which a ball rises after its first bounces.
static void find_peaks(const particle_play *p, double dt, float *peaks, uint32_t count) {
    float before = position(p).z;
    bool rises = false;
    uint32_t found = 0;
    for (uint32_t i = 0; i < 10000 && found < count; ++i) {
        ct_particles_update(p->world, dt);
        const float z = position(p).z;
        if (rises && z < before)
            peaks[found++] = before;
        rises = z > before;
        before = z;
    }
    assert_int_equal(found, count);
}

static void bounces_as_high_as_the_formula(void **state) {
    (void)state;
    static const double steps[] = {1.0 / 240, 1.0 / 60, 1.0 / 21};
    for (uint32_t i = 0; i < CT_COUNT_OF(steps); ++i) {
        particle_play p = start(&usual, 0, 0, 2);
        float peaks[3];
        // Of the top, a step may miss what the ball falls in half of it.
        const double missed = 0.5 * GRAVITY * steps[i] * steps[i] / 4 + 1e-3;
        ct_particles_update(p.world, 1e-3);
        find_peaks(&p, steps[i], peaks, 3);
        assert_float_equal(peaks[0], 2 * 0.25, missed);
        assert_float_equal(peaks[1], 2 * 0.0625, missed);
        assert_float_equal(peaks[2], 2 * 0.015625, missed);
        particle_play_stop(&p);
    }
}

static void comes_to_rest(void **state) {
    (void)state;
    ball b = usual;
    b.size = 1;
    b.radius = 0.5f;
    particle_play p = start(&b, 0, 0, 2);
    particle_play_run(&p, 10, 1.0 / 60);
    const uint32_t events = num_events(&p);
    for (uint32_t i = 0; i < 200; ++i) {
        ct_particles_update(p.world, 1.0 / 60);
        assert_float_equal(position(&p).z, 0.5, 1e-5);
        assert_float_equal(vector(&p, CT_PARTICLE_VELOCITY).z, 0, 1e-5);
    }
    assert_in_range(events, 4, 8); // hits of 6.3, 3.2, 1.6 … m/s, not its resting
    assert_int_equal(num_events(&p), events);
    particle_play_stop(&p);
}

static void never_is_below_a_plane(void **state) {
    (void)state;
    ball b = usual;
    b.velocity[0] = 3;
    b.velocity[2] = -100;
    particle_play p = start(&b, 0, 0, 10);
    for (uint32_t i = 0; i < 200; ++i) {
        ct_particles_update(p.world, 0.05);
        assert_true(position(&p).z >= 0);
    }
    particle_play_stop(&p);
}

static void friction_takes_its_share_of_each_hit(void **state) {
    (void)state;
    ball b = usual;
    b.friction = 0.2f;
    b.velocity[0] = 3;
    b.spin = 4;
    particle_play p = start(&b, 0, 0, 2);
    particle_play_run(&p, 1, 1.0 / 60); // it hit once, after 0.63 s
    assert_int_equal(num_events(&p), 1);
    assert_float_equal(vector(&p, CT_PARTICLE_VELOCITY).x, 2.4, 1e-4);
    assert_float_equal(position(&p).x, 3 * 0.6325 + 2.4 * (1 - 0.6325), 1e-2);
    assert_float_equal(particle_play_number(&p, 0, CT_PARTICLE_SPIN, 0, 0), 3.2, 1e-4);
    particle_play_stop(&p);
}

static void friction_ends_sliding_in_any_steps(void **state) {
    (void)state;
    ball b = usual;
    b.friction = 0.5f;
    b.bounce = 0;
    b.velocity[0] = 3;
    b.spin = 4;
    static const double steps[] = {1.0 / 200, 1.0 / 20};
    for (uint32_t i = 0; i < CT_COUNT_OF(steps); ++i) {
        particle_play p = start(&b, 0, 0, 0);
        particle_play_run(&p, 0.2, steps[i]);
        assert_float_equal(vector(&p, CT_PARTICLE_VELOCITY).x, 3 - 0.2 * 5, 0.26);
        particle_play_run(&p, 1, steps[i]);
        assert_true(vector(&p, CT_PARTICLE_VELOCITY).x == 0);
        assert_true(particle_play_number(&p, 0, CT_PARTICLE_SPIN, 0, 0) == 0);
        particle_play_stop(&p);
    }
}

static void hits_cost_lifetime(void **state) {
    (void)state;
    ball b = usual;
    b.bounce = 1;
    b.lifetime_lost = 0.3f;
    particle_play p = start(&b, 0, 0, 2);
    while (num_events(&p) < 3)
        ct_particles_update(p.world, 1.0 / 60);
    assert_int_equal(particle_play_effect(&p, 0)->emitters[0].count, 1);
    assert_float_equal(particle_play_number(&p, 0, CT_PARTICLE_AGE, 0, 0), 0.9, 0.02);
    particle_play_run(&p, 2, 1.0 / 60);
    assert_int_equal(particle_play_effect(&p, 0)->emitters[0].count, 0);
    assert_int_equal(num_events(&p), 4);
    particle_play_stop(&p);
}

// An effect that is turned by a quarter (its z is the world's x), moved, and twice as large.
static const ct_particle_place turned = {
    {{5, 0, 0}}, {{0, 0.70710678f, 0, 0.70710678f}}, {{2, 2, 2}}};

static void planes_and_particles_may_be_in_two_spaces(void **state) {
    (void)state;
    static const struct {
        uint32_t flags, step_flags;
        float plane[4];
    } cases[] = {
        // The plane x = 3 of the world, which the ball comes to from 5 with 1 m/s along the
        // effect's -z.
        {0, 0, {1, 0, 0, 3}},
        {0, CT_PARTICLE_STEP_LOCAL, {0, 0, 2, -1}},
        {CT_PARTICLE_EMITTER_LOCAL, 0, {1, 0, 0, 3}},
        {CT_PARTICLE_EMITTER_LOCAL, CT_PARTICLE_STEP_LOCAL, {0, 0, 1, -1}},
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(cases); ++i) {
        ball b = usual;
        b.flags = cases[i].flags;
        b.step_flags = cases[i].step_flags;
        b.velocity[2] = -1; // of the effect's space: 2 m/s along -x
        b.gravity = 0;
        memcpy(b.plane, cases[i].plane, sizeof(b.plane));
        particle_play p = start_at(&b, turned);
        particle_play_run(&p, 2, 1.0 / 60); // 1 s to it, 1 s at half the speed
        const bool is_local = b.flags & CT_PARTICLE_EMITTER_LOCAL;
        ct_vec3 x = position(&p);
        if (is_local)
            x = ct_mat4_transform_point(particle_play_effect(&p, 0)->pose, x);
        assert_float_equal(x.x, 4, 1e-3);
        assert_float_equal(x.z, 0, 1e-4);
        assert_int_equal(num_events(&p), 1);
        particle_play_stop(&p);
    }
}

// Sizes that follow curves are set behind collisions.
static void sizes_count_from_the_first_step_on(void **state) {
    (void)state;
    ball b = usual;
    b.size = 1;
    b.radius = 0.5f;
    b.follows_curve = true;
    particle_play p = start(&b, 0, 0, 0.1f);
    ct_particles_update(p.world, 1.0 / 60);
    assert_float_equal(position(&p).z, 0.5, 1e-4);
    particle_play_stop(&p);
}

static void planes_that_are_none_do_nothing(void **state) {
    (void)state;
    ball b = usual;
    memset(b.plane, 0, sizeof(b.plane));
    particle_play p = start(&b, 0, 0, 1);
    particle_play_run(&p, 1, 1.0 / 60);
    assert_true(position(&p).z < -3);
    particle_play_stop(&p);
}

// --- Physics -------------------------------------------------------------------------------------

// A floor 100 m wide, whose top is at 0.
static void make_floor(actor_fixture *f) {
    make_actor(f, make_entity(f, 0, 0, -0.5f), CT_ACTOR_STATIC, box_shape(50, 50, 0.5f));
}

static void stop_both(particle_play *p, actor_fixture *f) {
    particle_play_stop(p);
    stop_actors(f);
}

static ball physical(void) {
    ball b = usual;
    b.has_physics = true;
    return b;
}

static void bounces_off_actors_as_high_as_the_formula(void **state) {
    (void)state;
    actor_fixture f = start_actors();
    const ball b = physical();
    make_floor(&f);
    particle_play p = start(&b, 0, 0, 2);
    float peaks[3];
    p.world->physics = f.world;
    ct_particles_update(p.world, 1e-3);
    find_peaks(&p, 1.0 / 60, peaks, 3);
    assert_float_equal(peaks[0], 2 * 0.25, 5e-3);
    assert_float_equal(peaks[1], 2 * 0.0625, 5e-3);
    assert_float_equal(peaks[2], 2 * 0.015625, 5e-3);
    stop_both(&p, &f);
}

static void rests_on_actors(void **state) {
    (void)state;
    static const float sizes[] = {0, 0.2f, 2};
    for (uint32_t i = 0; i < CT_COUNT_OF(sizes); ++i) {
        actor_fixture f = start_actors();
        ball b = physical();
        b.size = sizes[i];
        b.radius = sizes[i] > 0 ? 0.5f : 0;
        b.velocity[0] = 2; // it goes on sliding
        b.bounce = 0.3f;
        make_floor(&f);
        particle_play p = start(&b, 0, 0, 3);
        p.world->physics = f.world;
        particle_play_run(&p, 5, 1.0 / 60);
        const uint32_t events = num_events(&p);
        float least = 1e9f, most = -1e9f;
        for (uint32_t k = 0; k < 300; ++k) {
            ct_particles_update(p.world, 1.0 / 60);
            least = fminf(least, position(&p).z);
            most = fmaxf(most, position(&p).z);
        }
        assert_true(most - least < 1e-4f);
        assert_float_equal(least, b.size * b.radius, 0.01);
        assert_float_equal(position(&p).x, 20, 0.1);
        assert_int_equal(num_events(&p), events);
        stop_both(&p, &f);
    }
}

static void passes_through_nothing_thin(void **state) {
    (void)state;
    static const float speeds[] = {1, 10, 100, 1000};
    for (uint32_t i = 0; i < CT_COUNT_OF(speeds); ++i) {
        actor_fixture f = start_actors();
        ball b = physical();
        b.velocity[0] = speeds[i];
        b.gravity = 0;
        b.size = 0.1f;
        b.radius = 0.5f;
        make_actor(&f, make_entity(&f, 3.01f, 0, 0), CT_ACTOR_STATIC, box_shape(0.01f, 5, 5));
        particle_play p = start(&b, 0, 0, 0);
        p.world->physics = f.world;
        for (uint32_t k = 0; k < 300; ++k) {
            ct_particles_update(p.world, 1.0 / 60);
            assert_true(position(&p).x < 3);
        }
        assert_int_equal(num_events(&p), 1);
        assert_float_equal(vector(&p, CT_PARTICLE_VELOCITY).x, -0.5 * speeds[i], 1e-3 * speeds[i]);
        stop_both(&p, &f);
    }
}

static void stays_in_corners(void **state) {
    (void)state;
    actor_fixture f = start_actors();
    ball b = physical();
    b.bounce = 0.9f;
    b.velocity[0] = 60;
    b.velocity[1] = 45;
    make_floor(&f);
    for (uint32_t i = 0; i < 4; ++i) { // a room 2 m wide with thin walls, and a ceiling
        const float x = i == 0 ? 1 : i == 1 ? -1 : 0, y = i == 2 ? 1 : i == 3 ? -1 : 0;
        make_actor(&f, make_entity(&f, x * 1.01f, y * 1.01f, 1), CT_ACTOR_STATIC,
                   box_shape(x != 0 ? 0.01f : 1.1f, y != 0 ? 0.01f : 1.1f, 2));
    }
    make_actor(&f, make_entity(&f, 0, 0, 2.01f), CT_ACTOR_STATIC, box_shape(1.1f, 1.1f, 0.01f));
    particle_play p = start(&b, 0, 0, 1);
    p.world->physics = f.world;
    for (uint32_t i = 0; i < 600; ++i) {
        ct_particles_update(p.world, 1.0 / 60);
        const ct_vec3 x = position(&p);
        assert_true(fabsf(x.x) < 1 && fabsf(x.y) < 1 && x.z > 0 && x.z < 2);
    }
    stop_both(&p, &f);
}

static void actors_that_move_are_in_the_way(void **state) {
    (void)state;
    actor_fixture f = start_actors();
    const ball b = physical();
    make_actor(&f, make_entity(&f, 0, 0, 1), CT_ACTOR_DYNAMIC, box_shape(0.5f, 0.5f, 0.5f));
    particle_play p = start(&b, 0, 0, 3);
    p.world->physics = f.world;
    particle_play_run(&p, 0.75, 1.0 / 60);
    assert_int_equal(num_events(&p), 1);
    stop_both(&p, &f);
}

static void local_particles_meet_the_world(void **state) {
    (void)state;
    actor_fixture f = start_actors();
    ball b = physical();
    b.flags = CT_PARTICLE_EMITTER_LOCAL;
    b.velocity[2] = -1; // 2 m/s along the world's -x
    b.gravity = 0;
    make_actor(&f, make_entity(&f, 2.5f, 0, 0), CT_ACTOR_STATIC, box_shape(0.5f, 5, 5));
    particle_play p = start_at(&b, turned);
    p.world->physics = f.world;
    particle_play_run(&p, 2, 1.0 / 60);
    const ct_vec3 x = ct_mat4_transform_point(particle_play_effect(&p, 0)->pose, position(&p));
    assert_float_equal(x.x, 4, 0.01);
    assert_float_equal(vector(&p, CT_PARTICLE_VELOCITY).z, 0.5, 1e-3);
    stop_both(&p, &f);
}

static void unknown_filters_mean_all(void **state) {
    (void)state;
    actor_fixture f = start_actors();
    ball b = physical();
    make_floor(&f);
    b.filter = ct_string_id32_of("nothing");
    const uint64_t before = ct_log_warning_count("unknown_collision_filter");
    particle_play p = start(&b, 0, 0, 2);
    p.world->physics = f.world;
    particle_play_run(&p, 1, 1.0 / 60);
    assert_int_equal(num_events(&p), 1);
    assert_true(ct_log_warning_count("unknown_collision_filter") > before);
    stop_both(&p, &f);
}

static void survives_numbers_that_are_none(void **state) {
    (void)state;
    static const float bad[] = {NAN, INFINITY, 1e30f, -1e30f};
    for (uint32_t i = 0; i < CT_COUNT_OF(bad); ++i)
        for (uint32_t k = 0; k < 2; ++k) {
            actor_fixture f = start_actors();
            ball b = usual;
            b.has_physics = k;
            make_floor(&f);
            particle_play p = start(&b, 0, 0, 2);
            p.world->physics = f.world;
            particle_play_run(&p, 0.1, 1.0 / 60);
            const ct_particle_emitter_state *const s = &particle_play_effect(&p, 0)->emitters[0];
            ct_particle_channel(ct_particle_emitter_at(p.effect, 0), s,
                                CT_PARTICLE_VELOCITY)[2 * s->capacity] = bad[i];
            particle_play_run(&p, 0.1, 1.0 / 60);
            stop_both(&p, &f);
        }
}

static void physics_without_a_world_does_nothing(void **state) {
    (void)state;
    const ball b = physical();
    particle_play p = start(&b, 0, 0, 1);
    particle_play_run(&p, 1, 1.0 / 60);
    assert_true(position(&p).z < -3);
    particle_play_stop(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounces_as_high_as_the_formula),
        cmocka_unit_test(comes_to_rest),
        cmocka_unit_test(never_is_below_a_plane),
        cmocka_unit_test(friction_takes_its_share_of_each_hit),
        cmocka_unit_test(friction_ends_sliding_in_any_steps),
        cmocka_unit_test(hits_cost_lifetime),
        cmocka_unit_test(planes_and_particles_may_be_in_two_spaces),
        cmocka_unit_test(sizes_count_from_the_first_step_on),
        cmocka_unit_test(planes_that_are_none_do_nothing),
        cmocka_unit_test(bounces_off_actors_as_high_as_the_formula),
        cmocka_unit_test(rests_on_actors),
        cmocka_unit_test(passes_through_nothing_thin),
        cmocka_unit_test(stays_in_corners),
        cmocka_unit_test(actors_that_move_are_in_the_way),
        cmocka_unit_test(local_particles_meet_the_world),
        cmocka_unit_test(unknown_filters_mean_all),
        cmocka_unit_test(survives_numbers_that_are_none),
        cmocka_unit_test(physics_without_a_world_does_nothing),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
