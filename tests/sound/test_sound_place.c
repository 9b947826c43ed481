// Places, listeners and movement through the whole chain, against the formulas of sound_spatial.h.
#include <math.h>

#include "foundation/math/math.h"
#include "sound/sound_play.h"

#define LEVEL 0.25f
#define HALF 0.70710678f
#define TOLERANCE 1e-5f

static void near(float found, float expected, float tolerance) {
    if (!(fabsf(found - expected) <= tolerance))
        fail_msg("found %g; expected %g", (double)found, (double)expected);
}

static sound_play start_spatial(ct_sound_attenuation attenuation) {
    sound_play p = sound_play_start(NULL);
    sound_play_level(&p, "steady", LEVEL, 1, 1);
    event_fixture *const f = sound_play_loop("hum", "steady");
    ct_sound_spatial *const s = event_fixture_spatial(f, 1, 50);
    s->attenuation = attenuation;
    sound_play_event(&p, event_fixture_end(f));
    sound_play_listen(&p, 0, 0, 0);
    return p;
}

static void expect_levels(sound_play *p, float left, float right) {
    sound_play_run(p, 0.06);
    near(sound_play_sample(p, 0), LEVEL * left, TOLERANCE);
    near(sound_play_sample(p, 1), LEVEL * right, TOLERANCE);
}

static void attenuates_with_the_inverse_of_the_distance(void **state) {
    (void)state;
    sound_play p = start_spatial(CT_SOUND_ATTENUATION_INVERSE);
    const ct_sound_instance i = sound_play_at(&p, "hum", 0, 0.5f, 0);
    expect_levels(&p, HALF, HALF);
    for (float y = 2; y < 64; y *= 2) {
        ct_sound_move(p.system, &i, &(ct_vec3){{0, y, 0}}, 1, true);
        expect_levels(&p, HALF / fminf(y, 50), HALF / fminf(y, 50));
    }
    sound_play_stop(&p);
}

static void attenuates_in_a_line(void **state) {
    (void)state;
    sound_play p = start_spatial(CT_SOUND_ATTENUATION_LINEAR);
    const ct_sound_instance i = sound_play_at(&p, "hum", 0, 25.5f, 0);
    expect_levels(&p, HALF * 0.5f, HALF * 0.5f);
    ct_sound_move(p.system, &i, &(ct_vec3){{0, 60, 0}}, 1, true);
    expect_levels(&p, 0, 0);
    sound_play_stop(&p);
}

static void attenuates_by_a_curve(void **state) {
    (void)state;
    sound_play p = sound_play_start(NULL);
    sound_play_level(&p, "steady", LEVEL, 1, 1);
    event_fixture *const f = sound_play_loop("hum", "steady");
    event_fixture_spatial(f, 1, 50)->attenuation = CT_SOUND_ATTENUATION_CURVE;
    const ct_sound_point points[] = {{0, 1}, {10, 0.5f}, {20, 0}};
    event_fixture_curve(f, 0, CT_SOUND_TARGET_GAIN, "distance", 0, points, 3);
    sound_play_event(&p, event_fixture_end(f));
    sound_play_listen(&p, 0, 0, 0);
    const ct_sound_instance i = sound_play_at(&p, "hum", 0, 5, 0);
    expect_levels(&p, HALF * 0.75f, HALF * 0.75f);
    ct_sound_move(p.system, &i, &(ct_vec3){{0, -15, 0}}, 1, true);
    expect_levels(&p, HALF * 0.25f, HALF * 0.25f);
    sound_play_stop(&p);
}

static void pans_with_equal_power(void **state) {
    (void)state;
    sound_play p = start_spatial(CT_SOUND_ATTENUATION_INVERSE);
    const ct_sound_instance i = sound_play_at(&p, "hum", 1, 0, 0);
    expect_levels(&p, 0, 1);
    ct_sound_move(p.system, &i, &(ct_vec3){{-1, 0, 0}}, 1, true);
    expect_levels(&p, 1, 0);
    ct_sound_move(p.system, &i, &(ct_vec3){{0.5f, 0.8660254f, 0}}, 1, true);
    expect_levels(&p, 0.38268343f, 0.92387953f); // cos and sin of 67.5 degrees
    // The listener turns to the left: what was in front is on its right.
    ct_sound_move(p.system, &i, &(ct_vec3){{0, 1, 0}}, 1, true);
    ct_sound_set_listener(p.world, 0, ct_vec3_make(0, 0, 0),
                          ct_quat_axis_angle(ct_vec3_make(0, 0, 1), 1.57079633f), false);
    expect_levels(&p, 0, 1);
    sound_play_stop(&p);
}

static void keeps_the_power_of_stereo(void **state) {
    (void)state;
    sound_play p = sound_play_start(NULL);
    sound_play_level(&p, "wide", LEVEL, 1, 2);
    sound_play_event(&p, event_fixture_end(sound_play_loop("hum", "wide")));
    event_fixture *const f = sound_play_loop("placed", "wide");
    event_fixture_spatial(f, 1, 50);
    sound_play_event(&p, event_fixture_end(f));
    sound_play_listen(&p, 0, 0, 0);
    const ct_sound_instance i = sound_play_here(&p, "hum");
    expect_levels(&p, 1, 1);
    ct_sound_stop(p.system, i, 0);
    sound_play_run(&p, 0.04);
    sound_play_at(&p, "placed", 0, 1, 0);
    expect_levels(&p, 1, 1);
    sound_play_stop(&p);
}

static void hears_by_the_listener_that_is_loudest(void **state) {
    (void)state;
    sound_play p = start_spatial(CT_SOUND_ATTENUATION_INVERSE);
    ct_sound_set_listeners(p.world, 2);
    ct_sound_set_listener(p.world, 1, ct_vec3_make(0, 100, 0), ct_quat_identity(), false);
    sound_play_at(&p, "hum", 4, 100, 0);
    expect_levels(&p, 0, 0.25f);
    ct_sound_set_listeners(p.world, 1);
    sound_play_run(&p, 0.02);
    assert_true(sound_play_sample(&p, 1) < LEVEL * 0.03f);
    sound_play_stop(&p);
}

static uint32_t rising_crossings(const sound_play *p, uint32_t first, uint32_t last) {
    uint32_t count = 0;
    for (uint32_t i = first + 1; i < last; ++i)
        count += sound_play_frame(p, i - 1, 0) < 0 && sound_play_frame(p, i, 0) >= 0;
    return count;
}

// Moves a source of a tone from 100 m behind the listener to itself, and returns the crossings of a
// second.
static uint32_t crossings_at_speed(float speed, float doppler, bool is_jump) {
    sound_play p = sound_play_start(NULL);
    sound_play_sine(&p, "tone", 0.5, 1, 1000, 0);
    event_fixture *const f = sound_play_loop("hum", "tone");
    ct_sound_spatial *const s = event_fixture_spatial(f, 1, 2000);
    s->doppler = doppler;
    s->rolloff = 0;
    sound_play_event(&p, event_fixture_end(f));
    sound_play_listen(&p, 0, 0, 0);
    const ct_sound_instance i = sound_play_at(&p, "hum", 0, -100, 0);
    for (uint32_t step = 1; step <= 60; ++step) {
        const ct_vec3 position = ct_vec3_make(0, -100 + speed * 0.02f * (float)step, 0);
        ct_sound_move(p.system, &i, &position, 1, is_jump);
        sound_play_step(&p);
    }
    const uint32_t count = rising_crossings(&p, 9600, 9600 + CT_MIXER_RATE);
    sound_play_stop(&p);
    return count;
}

static void shifts_the_pitch_of_what_moves(void **state) {
    (void)state;
    // 343.3 / (343.3 - v)
    assert_in_range(crossings_at_speed(34.33f, 1, false), 1108, 1114);
    assert_in_range(crossings_at_speed(34.33f, 0, false), 999, 1001);
    assert_in_range(crossings_at_speed(34.33f, 1, true), 999, 1001);
    assert_in_range(crossings_at_speed(-34.33f, 1, false), 906, 912);
}

static float speed_of_listener(sound_play *p, float y) {
    sound_play_listen(p, 0, y, 0);
    sound_play_step(p);
    return ct_vec3_length(p->world->listeners[0].velocity);
}

static void a_camera_that_cuts_has_no_speed(void **state) {
    (void)state;
    sound_play p = sound_play_start(NULL);
    speed_of_listener(&p, 0);
    assert_float_equal(speed_of_listener(&p, 6), 300, 0.1f);
    assert_float_equal(speed_of_listener(&p, 600), 0, 0);
    assert_float_equal(speed_of_listener(&p, 606), 300, 0.1f);
    sound_play_stop(&p);
}

static void a_place_may_come_later(void **state) {
    (void)state;
    sound_play p = start_spatial(CT_SOUND_ATTENUATION_INVERSE);
    const ct_sound_instance i = sound_play_here(&p, "hum");
    sound_play_run(&p, 0.1);
    assert_false(sound_play_info(&p, i).is_placed);
    const ct_vec3 position = ct_vec3_make(4, 0, 0);
    ct_sound_move(p.system, &i, &position, 1, false);
    sound_play_step(&p);
    const uint32_t slot = ct_sound_slot_of(p.system, i);
    assert_float_equal(ct_vec3_length(p.system->instances.velocities[slot]), 0, 0);
    expect_levels(&p, 0, 0.25f);
    sound_play_stop(&p);
}

// --- Occlusion -----------------------------------------------------------------------------------

typedef struct rays {
    uint32_t num_calls, num_sources;
    float answer;
} rays;

static void count_rays(void *user, ct_vec3 listener, const ct_vec3 *sources, const float *radii,
                       uint32_t count, float *occlusion) {
    (void)listener, (void)sources;
    rays *const r = user;
    ++r->num_calls;
    r->num_sources += count;
    for (uint32_t i = 0; i < count; ++i) {
        assert_true(radii[i] > 0);
        occlusion[i] = r->answer;
    }
}

static void hides_sources_by_turns(void **state) {
    (void)state;
    sound_play p = start_spatial(CT_SOUND_ATTENUATION_INVERSE);
    event_fixture *const f = sound_play_loop("hidden", "steady");
    ct_sound_spatial *const s = event_fixture_spatial(f, 1, 50);
    s->occlusion_radius = 0.3f;
    s->occlusion_volume = -20;
    sound_play_event(&p, event_fixture_end(f));
    rays r = {.answer = 1};
    ct_sound_world *const w = ct_sound_world_create(&(ct_sound_world_desc){
        .allocator = test_heap(), .system = p.system, .occlude = count_rays, .user = &r});
    ct_sound_set_listeners(w, 1);
    const ct_sound_start start = {
        .position = {{0, 1, 0}}, .rotation = ct_quat_identity(), .is_placed = true};
    for (uint32_t i = 0; i < 100; ++i)
        ct_sound_play(w, ct_string_id64_of("hidden"), &start, NULL, 0);
    ct_sound_play(w, ct_string_id64_of("hum"), &start, NULL, 0); // without rays
    ct_sound_world_update(w, 0.02);
    assert_int_equal(r.num_calls, 1);
    assert_int_equal(r.num_sources, CT_SOUND_MAX_OCCLUDED);
    ct_sound_world_update(w, 0.02);
    ct_sound_world_update(w, 0.02);
    for (uint32_t i = 0; i < 100; ++i) {
        const float volume = ct_sound_world_info(w, i).volume;
        near(volume, 20 * log10f(HALF) - 20, 0.01f);
    }
    near(ct_sound_world_info(w, 100).volume, 20 * log10f(HALF), 0.01f);
    r.answer = 0; // free again: not at once
    for (uint32_t i = 0; i < 2; ++i)
        ct_sound_world_update(w, 0.02);
    const float volume = ct_sound_world_info(w, 0).volume;
    assert_true(volume > -22 && volume < -4);
    for (uint32_t i = 0; i < 20; ++i)
        ct_sound_world_update(w, 0.02);
    near(ct_sound_world_info(w, 0).volume, 20 * log10f(HALF), 0.01f);
    ct_sound_world_destroy(w);
    sound_play_stop(&p);
}

// Answers 1 for the listener at 100 m, 0 for others.
static void hide_from_the_far_one(void *user, ct_vec3 listener, const ct_vec3 *sources,
                                  const float *radii, uint32_t count, float *occlusion) {
    (void)user, (void)sources, (void)radii;
    for (uint32_t i = 0; i < count; ++i)
        occlusion[i] = listener.y > 50 ? 1 : 0;
}

static void asks_for_the_nearest_listener(void **state) {
    (void)state;
    sound_play p = start_spatial(CT_SOUND_ATTENUATION_INVERSE);
    event_fixture *const f = sound_play_loop("hidden", "steady");
    ct_sound_spatial *const s = event_fixture_spatial(f, 1, 50);
    s->occlusion_radius = 0.3f;
    s->occlusion_volume = -20;
    sound_play_event(&p, event_fixture_end(f));
    ct_sound_world *const w = ct_sound_world_create(&(ct_sound_world_desc){
        .allocator = test_heap(), .system = p.system, .occlude = hide_from_the_far_one});
    ct_sound_set_listeners(w, 2);
    ct_sound_set_listener(w, 1, ct_vec3_make(0, 100, 0), ct_quat_identity(), false);
    for (uint32_t i = 0; i < 2; ++i) {
        const ct_sound_start start = {
            .position = {{0, i ? 99 : 1, 0}}, .rotation = ct_quat_identity(), .is_placed = true};
        ct_sound_play(w, ct_string_id64_of("hidden"), &start, NULL, 0);
    }
    ct_sound_world_update(w, 0.02);
    near(ct_sound_world_info(w, 0).volume, 20 * log10f(HALF), 0.01f);
    near(ct_sound_world_info(w, 1).volume, 20 * log10f(HALF) - 20, 0.01f);
    ct_sound_world_destroy(w);
    sound_play_stop(&p);
}

static void muffles_what_is_hidden(void **state) {
    (void)state;
    sound_play p = sound_play_start(NULL);
    sound_play_sine(&p, "tone", 0.5, 1, 8000, 0);
    event_fixture *const f = sound_play_loop("hidden", "tone");
    ct_sound_spatial *const s = event_fixture_spatial(f, 1, 50);
    s->occlusion_radius = 0.3f;
    s->occlusion_low_pass = 500;
    sound_play_event(&p, event_fixture_end(f));
    float loudest[2] = {0};
    for (uint32_t hidden = 0; hidden < 2; ++hidden) {
        rays r = {.answer = (float)hidden};
        ct_sound_world *const w = ct_sound_world_create(&(ct_sound_world_desc){
            .allocator = test_heap(), .system = p.system, .occlude = count_rays, .user = &r});
        ct_sound_set_listeners(w, 1);
        const ct_sound_start start = {
            .position = {{0, 1, 0}}, .rotation = ct_quat_identity(), .is_placed = true};
        ct_sound_play(w, ct_string_id64_of("hidden"), &start, NULL, 0);
        ct_sound_world_update(w, 0.02);
        sound_play_run(&p, 0.2);
        for (uint32_t i = 0; i < SOUND_PLAY_FRAMES * 2; ++i)
            loudest[hidden] = fmaxf(loudest[hidden], fabsf(p.out.items[p.out.count - 1 - i]));
        ct_sound_world_destroy(w);
        sound_play_run(&p, 0.04);
    }
    near(loudest[0], 0.5f * HALF * 0.8660254f, 0.01f); // 6 samples a period
    assert_true(loudest[1] < 0.1f * loudest[0]);
    sound_play_stop(&p);
}

static void ignores_places_that_are_not_finite(void **state) {
    (void)state;
    sound_play p = start_spatial(CT_SOUND_ATTENUATION_INVERSE);
    const ct_sound_instance i = sound_play_at(&p, "hum", 0, 1, 0);
    const uint64_t before = ct_log_warning_count("sound_not_finite");
    ct_sound_move(p.system, &i, &(ct_vec3){{0, NAN, 0}}, 1, false);
    ct_sound_turn(p.system, i, (ct_quat){{NAN, 0, 0, 1}});
    ct_sound_set_listener(p.world, 0, ct_vec3_make(INFINITY, 0, 0), ct_quat_identity(), false);
    ct_sound_set_number(p.system, i, ct_string_id32_of("force"), NAN);
    ct_sound_set_volume(p.system, i, INFINITY);
    ct_sound_set_pitch(p.system, i, NAN);
    ct_sound_seek(p.system, i, NAN);
    ct_sound_set_place_send(p.world, NAN);
    assert_int_equal(ct_log_warning_count("sound_not_finite") - before, 8);
    assert_int_equal(sound_play_at(&p, "hum", NAN, 0, 0).value, 0);
    expect_levels(&p, HALF, HALF);
    // Far beyond all that can be counted.
    ct_sound_move(p.system, &i, &(ct_vec3){{3e38f, 3e38f, 3e38f}}, 1, false);
    sound_play_run(&p, 0.06);
    assert_true(isfinite(sound_play_sample(&p, 0)));
    sound_play_stop(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(attenuates_with_the_inverse_of_the_distance),
        cmocka_unit_test(attenuates_in_a_line),
        cmocka_unit_test(attenuates_by_a_curve),
        cmocka_unit_test(pans_with_equal_power),
        cmocka_unit_test(keeps_the_power_of_stereo),
        cmocka_unit_test(hears_by_the_listener_that_is_loudest),
        cmocka_unit_test(shifts_the_pitch_of_what_moves),
        cmocka_unit_test(a_camera_that_cuts_has_no_speed),
        cmocka_unit_test(a_place_may_come_later),
        cmocka_unit_test(hides_sources_by_turns),
        cmocka_unit_test(asks_for_the_nearest_listener),
        cmocka_unit_test(muffles_what_is_hidden),
        cmocka_unit_test(ignores_places_that_are_not_finite),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
