// Births, deaths, motion: closed forms and exact counts.
#include <math.h>

#include "foundation/math/math.h"
#include "particles/particle_play.h"

static ct_particle_value vector(float x, float y, float z) {
    return particle_fixture_vector(x, y, z, 0);
}

static uint32_t value(particle_fixture *f, ct_particle_value v) {
    return particle_fixture_value(f, 0, v);
}

// An emitter of one particle that flies off with (3, 0, 4) m/s for 10 s.
static particle_fixture *one_that_flies(uint32_t *emitter) {
    particle_fixture *const f = particle_fixture_begin();
    *emitter = particle_play_emitter(f, "shot", 4);
    ct_particle_emitter *const e = particle_fixture_at(f, *emitter);
    particle_fixture_channel(f, *emitter, CT_PARTICLE_VELOCITY);
    particle_fixture_burst(f, *emitter, 0, 1);
    e->lifetime = value(f, particle_fixture_number(10));
    e->max_lifetime = 10;
    e->velocity = value(f, vector(3, 0, 4));
    e->shape.type = CT_PARTICLE_SHAPE_POINT;
    return f;
}

static void add_force(particle_fixture *f, uint32_t emitter, ct_vec3 force) {
    const ct_particle_value v = vector(force.x, force.y, force.z);
    particle_fixture_step(f, emitter, &(ct_particle_step){.op = CT_PARTICLE_OP_ACCELERATE}, 1, &v);
}

static void add_move(particle_fixture *f, uint32_t emitter, float drag, ct_vec3 wind) {
    const ct_particle_value values[2] = {particle_fixture_number(drag),
                                         vector(wind.x, wind.y, wind.z)};
    particle_fixture_step(f, emitter, &(ct_particle_step){.op = CT_PARTICLE_OP_MOVE}, 2, values);
}

static void assert_near(float x, double expected, double tolerance) {
    if (!(fabs((double)x - expected) <= tolerance))
        fail_msg("found %f, expected %f +- %f", (double)x, expected, tolerance);
}

// The position after `t` seconds of v0 under acceleration a, drag k and wind w.
static double way(double v0, double a, double k, double w, double t) {
    if (k == 0)
        return v0 * t + a * t * t / 2;
    const double end = w + a / k;
    return end * t + (v0 - end) * (1 - exp(-k * t)) / k;
}

static void moves_by_the_formula_at_any_time_step(void **state) {
    (void)state;
    static const double drags[] = {0, 1e-5, 0.4, 30};
    static const double steps[] = {1.0 / 20, 1.0 / 60, 1.0 / 240};
    for (uint32_t i = 0; i < CT_COUNT_OF(drags); ++i)
        for (uint32_t k = 0; k < CT_COUNT_OF(steps); ++k) {
            uint32_t e;
            particle_fixture *const f = one_that_flies(&e);
            add_force(f, e, ct_vec3_make(0, 1, -9.81f));
            add_move(f, e, (float)drags[i], ct_vec3_make(0, 2, 0));
            particle_play p = particle_play_start(particle_fixture_end(f), UINT32_MAX, 0);
            particle_play_create(&p, 1);
            particle_play_run(&p, 2, steps[k]);
            const double d = drags[i];
            assert_near(particle_play_number(&p, 0, CT_PARTICLE_POSITION, 0, 0), way(3, 0, d, 0, 2),
                        2e-3);
            assert_near(particle_play_number(&p, 0, CT_PARTICLE_POSITION, 1, 0), way(0, 1, d, 2, 2),
                        2e-3);
            assert_near(particle_play_number(&p, 0, CT_PARTICLE_POSITION, 2, 0),
                        way(4, -9.81, d, 0, 2), 2e-3);
            particle_play_stop(&p);
        }
}

static void forces_of_each_particle_move_by_the_same_formula(void **state) {
    (void)state;
    uint32_t e;
    particle_fixture *const f = one_that_flies(&e);
    // An attractor at a great distance pulls evenly: power 0.
    const ct_particle_value pull[3] = {vector(0, 0, -1e6f), particle_fixture_number(9.81f),
                                       vector(0, 0, 0)};
    particle_fixture_step(f, e, &(ct_particle_step){.op = CT_PARTICLE_OP_ATTRACT}, 3, pull);
    add_move(f, e, 0.5f, ct_vec3_make(0, 0, 0));
    particle_play p = particle_play_start(particle_fixture_end(f), UINT32_MAX, 0);
    particle_play_create(&p, 1);
    particle_play_run(&p, 1, 1.0 / 60);
    assert_near(particle_play_number(&p, 0, CT_PARTICLE_POSITION, 2, 0), way(4, -9.81, 0.5, 0, 1),
                2e-3);
    particle_play_stop(&p);
}

// --- Counts --------------------------------------------------------------------------------------

static uint32_t births_after(ct_particles_resource *r, const double *steps, uint32_t num_steps,
                             double seconds) {
    particle_play p = particle_play_start(r, UINT32_MAX, 0);
    particle_play_create(&p, 1);
    double time = 0;
    for (uint32_t i = 0; time + steps[i % num_steps] < seconds - 1e-9; ++i) {
        ct_particles_update(p.world, steps[i % num_steps]);
        time += steps[i % num_steps];
    }
    ct_particles_update(p.world, seconds - time);
    const uint32_t births = particle_play_effect(&p, 0)->emitters[0].num_born;
    particle_play_stop(&p);
    return births;
}

static void assert_births(ct_particles_resource *(*make)(void), double seconds, uint32_t expected) {
    static const double step_60[] = {1.0 / 60}, step_7[] = {1.0 / 7}, step_1000[] = {0.001};
    static const double uneven[] = {0.013, 0.041, 0.0007, 0.11, 0.05};
    const struct {
        const double *steps;
        uint32_t count;
    } all[] = {{step_60, 1}, {step_7, 1}, {step_1000, 1}, {uneven, CT_COUNT_OF(uneven)}};
    for (uint32_t i = 0; i < CT_COUNT_OF(all); ++i)
        assert_int_equal(births_after(make(), all[i].steps, all[i].count, seconds), expected);
}

static ct_particles_resource *at_a_rate(void) {
    particle_fixture *const f = particle_fixture_begin();
    const uint32_t e = particle_play_emitter(f, "rate", 256);
    particle_fixture_at(f, e)->rate = value(f, particle_fixture_number(37));
    return particle_fixture_end(f);
}

static ct_particles_resource *at_a_growing_rate(void) {
    particle_fixture *const f = particle_fixture_begin();
    const uint32_t e = particle_play_emitter(f, "curve", 256);
    ct_particle_emitter *const x = particle_fixture_at(f, e);
    x->period = 2;
    x->flags |= CT_PARTICLE_EMITTER_LOOPS;
    static const float from[4] = {0}, to[4] = {40, 40, 40, 40};
    x->rate = value(f, particle_fixture_line(f, e, from, to, CT_PARTICLE_CLOCK_EMITTER));
    return particle_fixture_end(f);
}

static ct_particles_resource *in_bursts(void) {
    particle_fixture *const f = particle_fixture_begin();
    const uint32_t e = particle_play_emitter(f, "bursts", 256);
    ct_particle_emitter *const x = particle_fixture_at(f, e);
    x->period = 1;
    x->flags |= CT_PARTICLE_EMITTER_LOOPS;
    particle_fixture_burst(f, e, 0, 3);
    f->emitters[e].bursts[0].repeats = 3;
    f->emitters[e].bursts[0].interval = 0.25f;
    particle_fixture_burst(f, e, 0.9f, 1);
    return particle_fixture_end(f);
}

static ct_particles_resource *after_a_delay(void) {
    particle_fixture *const f = particle_fixture_begin();
    const uint32_t e = particle_play_emitter(f, "late", 256);
    ct_particle_emitter *const x = particle_fixture_at(f, e);
    x->delay = 0.5f;
    x->period = 1;
    x->rate = value(f, particle_fixture_number(20));
    particle_fixture_burst(f, e, 0, 5);
    // Something that goes on: the effect must not end before it is asked.
    const uint32_t other = particle_play_emitter(f, "other", 4);
    particle_fixture_at(f, other)->rate =
        particle_fixture_value(f, other, particle_fixture_number(1));
    return particle_fixture_end(f);
}

static void makes_as_many_as_the_rate_says_at_any_time_step(void **state) {
    (void)state;
    assert_births(at_a_rate, 3, 111);
    assert_births(at_a_growing_rate, 5, 90); // 40 in each period, 10 in the first half of one
    assert_births(in_bursts, 2.95, 30);
    assert_births(after_a_delay, 3, 25);
}

static void makes_particles_along_the_way(void **state) {
    (void)state;
    particle_fixture *const f = particle_fixture_begin();
    const uint32_t e = particle_play_emitter(f, "track", 64);
    particle_fixture_at(f, e)->per_metre = value(f, particle_fixture_number(4));
    particle_fixture_at(f, e)->lifetime = value(f, particle_fixture_number(100));
    particle_fixture_at(f, e)->max_lifetime = 100;
    particle_play p = particle_play_start(particle_fixture_end(f), UINT32_MAX, 0);
    const ct_particle_effect_id id = particle_play_create(&p, 1);
    for (uint32_t i = 1; i <= 10; ++i) {
        const ct_particle_place place = particle_play_place((float)i, 0, 0);
        ct_particles_move(p.world, id, &place, false);
        ct_particles_update(p.world, 1.0 / 60);
    }
    assert_int_equal(ct_particles_count(p.world, id, 0), 40);
    for (uint32_t i = 0; i < 40; ++i)
        assert_near(particle_play_number(&p, 0, CT_PARTICLE_POSITION, 0, i), 0.25 * (i + 1), 1e-4);
    // A jump leaves none behind.
    const ct_particle_place far = particle_play_place(500, 0, 0);
    ct_particles_move(p.world, id, &far, true);
    ct_particles_update(p.world, 1.0 / 60);
    assert_int_equal(ct_particles_count(p.world, id, 0), 40);
    particle_play_stop(&p);
}

static void particles_die_at_the_end_of_their_lifetime(void **state) {
    (void)state;
    particle_fixture *const f = particle_fixture_begin();
    const uint32_t e = particle_play_emitter(f, "short", 64);
    particle_fixture_burst(f, e, 0, 40);
    particle_fixture_at(f, e)->lifetime = value(f, particle_fixture_range(0.5f, 1, 1));
    particle_play p = particle_play_start(particle_fixture_end(f), UINT32_MAX, 0);
    const ct_particle_effect_id id = particle_play_create(&p, 1);
    particle_play_run(&p, 0.49, 0.01);
    assert_int_equal(ct_particles_count(p.world, id, UINT32_MAX), 40);
    particle_play_run(&p, 0.26, 0.01);
    const uint32_t half = ct_particles_count(p.world, id, UINT32_MAX);
    assert_in_range(half, 8, 32);
    particle_play_run(&p, 0.27, 0.01);
    assert_int_equal(ct_particles_count(p.world, id, UINT32_MAX), 0);
    uint32_t num_ended;
    assert_false(ct_particles_is_playing(p.world, id));
    ct_particles_update(p.world, 0.01);
    ct_particles_ended(p.world, &num_ended);
    assert_int_equal(num_ended, 0); // it was in the list of the update in which it ended
    particle_play_stop(&p);
}

// --- Events --------------------------------------------------------------------------------------

static void events_make_particles_where_things_happen(void **state) {
    (void)state;
    uint32_t e;
    particle_fixture *const f = one_that_flies(&e);
    particle_fixture_at(f, e)->lifetime = value(f, particle_fixture_number(0.5f));
    particle_fixture_at(f, e)->max_lifetime = 0.5f;
    add_move(f, e, 0, ct_vec3_make(0, 0, 0));
    const uint32_t sparks = particle_play_emitter(f, "sparks", 32);
    particle_fixture_at(f, sparks)->shape.type = CT_PARTICLE_SHAPE_POINT;
    particle_fixture_channel(f, sparks, CT_PARTICLE_VELOCITY);
    particle_fixture_event(f, e,
                           (ct_particle_event){.type = CT_PARTICLE_EVENT_DEATH,
                                               .emitter = sparks,
                                               .least = 7,
                                               .most = 7,
                                               .probability = 1,
                                               .inherit_velocity = 0.5f});
    particle_fixture_event(f, e,
                           (ct_particle_event){.type = CT_PARTICLE_EVENT_BIRTH,
                                               .emitter = sparks,
                                               .least = 2,
                                               .most = 2,
                                               .probability = 1});
    particle_play p = particle_play_start(particle_fixture_end(f), UINT32_MAX, 0);
    const ct_particle_effect_id id = particle_play_create(&p, 1);
    ct_particles_update(p.world, 0.05);
    assert_int_equal(ct_particles_count(p.world, id, sparks), 2);
    particle_play_run(&p, 0.5, 0.05);
    assert_int_equal(ct_particles_count(p.world, id, e), 0);
    assert_int_equal(ct_particles_count(p.world, id, sparks), 9);
    for (uint32_t i = 2; i < 9; ++i) {
        assert_near(particle_play_number(&p, sparks, CT_PARTICLE_POSITION, 0, i), 1.5, 0.16);
        assert_near(particle_play_number(&p, sparks, CT_PARTICLE_VELOCITY, 0, i), 1.5, 1e-4);
    }
    particle_play_run(&p, 1.2, 0.05);
    assert_false(ct_particles_is_playing(p.world, id));
    particle_play_stop(&p);
}

// --- What goes wrong -----------------------------------------------------------------------------

static void survives_wild_numbers(void **state) {
    (void)state;
    particle_fixture *const f = particle_fixture_begin();
    const uint32_t e = particle_play_emitter(f, "wild", 64);
    ct_particle_emitter *const x = particle_fixture_at(f, e);
    particle_fixture_variable(f, "much", 1);
    ct_particle_value rate = particle_fixture_number(CT_PARTICLES_MAX_RATE);
    rate.variable = 1;
    x->rate = value(f, rate);
    ct_particle_value lifetime = particle_fixture_number(1);
    lifetime.variable = 1;
    x->lifetime = value(f, lifetime);
    particle_fixture_channel(f, e, CT_PARTICLE_VELOCITY);
    particle_fixture_move(f, e);
    particle_play p = particle_play_start(particle_fixture_end(f), UINT32_MAX, 0);
    const ct_particle_effect_id id = particle_play_create(&p, 1);
    static const float all[] = {0, -1, 1e30f, 1e-30f, 1};
    for (uint32_t i = 0; i < CT_COUNT_OF(all); ++i) {
        ct_particles_set_variable(p.world, id, 0, (ct_vec4){{all[i], all[i], all[i], all[i]}});
        ct_particles_update(p.world, 1.0 / 60);
        ct_particles_update(p.world, 3600);
        assert_true(ct_particles_count(p.world, id, 0) <= 64);
    }
    ct_particles_set_variable(p.world, id, 0, (ct_vec4){{NAN, 0, 0, 0}});
    ct_particles_set_variable(p.world, id, 9, (ct_vec4){{0, 0, 0, 0}});
    ct_particles_update(p.world, NAN);
    ct_particles_update(p.world, INFINITY);
    ct_particles_update(p.world, -1);
    ct_particles_update(p.world, 1.0 / 60);
    assert_int_equal(ct_particles_count(p.world, id, 0), 64);
    particle_play_stop(&p);
}

static void an_hour_leaves_what_a_second_would(void **state) {
    (void)state;
    particle_play p = particle_play_start(at_a_rate(), UINT32_MAX, 0);
    const ct_particle_effect_id id = particle_play_create(&p, 1);
    ct_particles_update(p.world, 3600);
    assert_int_equal(particle_play_effect(&p, 0)->emitters[0].num_born, 37 * 3600);
    assert_in_range(ct_particles_count(p.world, id, 0), 36, 38);
    particle_play_stop(&p);
}

// Particles that die as they are born never fill their room.
static void ends_a_step_of_endless_births(void **state) {
    (void)state;
    particle_fixture *const f = particle_fixture_begin();
    const uint32_t e = particle_play_emitter(f, "doomed", 64);
    particle_fixture_variable(f, "much", 1e9f);
    ct_particle_value rate = particle_fixture_number(CT_PARTICLES_MAX_RATE);
    rate.variable = 1;
    particle_fixture_at(f, e)->rate = value(f, rate);
    particle_fixture_channel(f, e, CT_PARTICLE_VELOCITY);
    particle_fixture_move(f, e);
    const ct_particle_value plane = particle_fixture_vector(0, 0, 1, 100);
    particle_fixture_step(f, e, &(ct_particle_step){.op = CT_PARTICLE_OP_KILL_PLANE}, 1, &plane);
    particle_play p = particle_play_start(particle_fixture_end(f), UINT32_MAX, 0);
    const ct_particle_effect_id id = particle_play_create(&p, 1);
    particle_play_run(&p, 0.1, 1.0 / 60);
    assert_int_equal(ct_particles_count(p.world, id, 0), 0);
    particle_play_stop(&p);
}

static void ends_a_step_of_endless_bursts(void **state) {
    (void)state;
    particle_fixture *const f = particle_fixture_begin();
    const uint32_t e = particle_play_emitter(f, "rattle", 64);
    particle_fixture_at(f, e)->period = CT_PARTICLES_LEAST_SECONDS;
    particle_fixture_at(f, e)->flags |= CT_PARTICLE_EMITTER_LOOPS;
    particle_fixture_at(f, e)->lifetime = value(f, particle_fixture_number(1e5f));
    particle_fixture_at(f, e)->max_lifetime = 1e5f;
    for (uint32_t i = 0; i < CT_PARTICLES_MAX_BURSTS; ++i) {
        particle_fixture_burst(f, e, 0, 0);
        f->emitters[e].bursts[i].repeats = CT_PARTICLES_MAX_REPEATS;
        f->emitters[e].bursts[i].interval = CT_PARTICLES_LEAST_SECONDS;
        f->emitters[e].bursts[i].most = 1;
    }
    particle_play p = particle_play_start(particle_fixture_end(f), UINT32_MAX, 0);
    const ct_particle_effect_id id = particle_play_create(&p, 1);
    ct_particles_update(p.world, 3600);
    assert_int_equal(ct_particles_count(p.world, id, 0), 64);
    particle_play_stop(&p);
}

static void a_variable_lengthens_lives_in_long_steps_too(void **state) {
    (void)state;
    particle_fixture *const f = particle_fixture_begin();
    const uint32_t e = particle_play_emitter(f, "old", 256);
    particle_fixture_variable(f, "age", 100);
    ct_particle_value lifetime = particle_fixture_number(1);
    lifetime.variable = 1;
    particle_fixture_at(f, e)->lifetime = value(f, lifetime);
    particle_fixture_at(f, e)->rate = value(f, particle_fixture_number(1));
    particle_play p = particle_play_start(particle_fixture_end(f), UINT32_MAX, 0);
    const ct_particle_effect_id id = particle_play_create(&p, 1);
    ct_particles_update(p.world, 1000);
    assert_in_range(ct_particles_count(p.world, id, 0), 99, 101);
    particle_play_stop(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moves_by_the_formula_at_any_time_step),
        cmocka_unit_test(forces_of_each_particle_move_by_the_same_formula),
        cmocka_unit_test(makes_as_many_as_the_rate_says_at_any_time_step),
        cmocka_unit_test(makes_particles_along_the_way),
        cmocka_unit_test(particles_die_at_the_end_of_their_lifetime),
        cmocka_unit_test(events_make_particles_where_things_happen),
        cmocka_unit_test(survives_wild_numbers),
        cmocka_unit_test(an_hour_leaves_what_a_second_would),
        cmocka_unit_test(ends_a_step_of_endless_births),
        cmocka_unit_test(ends_a_step_of_endless_bursts),
        cmocka_unit_test(a_variable_lengthens_lives_in_long_steps_too),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
