// What forbids a start, what ends for another one, and instances that have ended.
#include <math.h>

#include "foundation/math/math.h"
#include "sound/sound_play.h"

static sound_play start_limited(uint32_t limit, ct_sound_steal steal) {
    sound_play p = sound_play_start(NULL);
    sound_play_level(&p, "steady", 0.1f, 1, 1);
    event_fixture *const f = sound_play_loop("hum", "steady");
    f->data.limit = limit;
    f->data.steal = steal;
    f->data.fade_out = 3; // stealing does not wait for it
    event_fixture_spatial(f, 1, 100);
    sound_play_event(&p, event_fixture_end(f));
    sound_play_listen(&p, 0, 0, 0);
    return p;
}

// Plays three at 5, 2 and 9 m, the second of which is quieter, then a fourth, and expects that number
// `gone` has ended for it (4: the new one did not start).
static void expect_stolen(ct_sound_steal steal, uint32_t gone) {
    sound_play p = start_limited(3, steal);
    ct_sound_instance all[4];
    const float places[] = {5, 2, 9};
    for (uint32_t i = 0; i < 3; ++i) {
        all[i] = sound_play_at(&p, "hum", 0, places[i], 0);
        sound_play_step(&p);
    }
    ct_sound_set_volume(p.system, all[1], 0.01f);
    sound_play_step(&p);
    all[3] = sound_play_at(&p, "hum", 0, 4, 0);
    sound_play_run(&p, 0.1);
    for (uint32_t i = 0; i < 4; ++i)
        if (ct_sound_is_playing(p.system, all[i]) == (i == gone))
            fail_msg("steal %u: instance %u", steal, i);
    assert_int_equal(ct_sound_world_count(p.world), 3);
    assert_int_equal(ct_sound_world_refused(p.world), gone == 3);
    sound_play_stop(&p);
}

static void refuses_more_than_the_limit(void **state) {
    (void)state;
    expect_stolen(CT_SOUND_STEAL_NONE, 3);
}

// In a frame in which the system, but not yet the world, has heard of the end.
static void allows_another_when_one_has_ended(void **state) {
    (void)state;
    sound_play p = start_limited(1, CT_SOUND_STEAL_NONE);
    ct_sound_stop(p.system, sound_play_at(&p, "hum", 0, 1, 0), 0);
    assert_int_not_equal(sound_play_at(&p, "hum", 0, 1, 0).value, 0); // what fades does not count
    sound_play_run(&p, 0.1);
    assert_int_equal(sound_play_at(&p, "hum", 0, 1, 0).value, 0);
    sound_play_level(&p, "short", 0.1f, 0.04f, 1);
    event_fixture *const f = event_fixture_begin("hit");
    event_fixture_sound(f, CT_SOUND_NO_NODE, "short");
    f->data.limit = 1;
    sound_play_event(&p, event_fixture_end(f));
    const ct_sound_instance first = sound_play_here(&p, "hit");
    sound_play_run(&p, 0.04);
    assert_int_equal(sound_play_here(&p, "hit").value, 0);
    ct_sound_system_update(p.system, 0.02);
    assert_false(ct_sound_is_playing(p.system, first));
    assert_int_not_equal(sound_play_here(&p, "hit").value, 0);
    sound_play_stop(&p);
}

static void steals_the_oldest(void **state) {
    (void)state;
    expect_stolen(CT_SOUND_STEAL_OLDEST, 0);
}

static void steals_the_quietest(void **state) {
    (void)state;
    expect_stolen(CT_SOUND_STEAL_QUIETEST, 1);
}

static void steals_the_farthest(void **state) {
    (void)state;
    expect_stolen(CT_SOUND_STEAL_FARTHEST, 2);
}

static void limits_each_world_apart(void **state) {
    (void)state;
    sound_play p = start_limited(1, CT_SOUND_STEAL_NONE);
    ct_sound_world *const other =
        ct_sound_world_create(&(ct_sound_world_desc){.allocator = test_heap(), .system = p.system});
    assert_int_not_equal(sound_play_at(&p, "hum", 0, 1, 0).value, 0);
    assert_int_equal(sound_play_at(&p, "hum", 0, 1, 0).value, 0);
    const ct_sound_start start = {0};
    assert_int_not_equal(ct_sound_play(other, ct_string_id64_of("hum"), &start, NULL, 0).value, 0);
    ct_sound_world_destroy(other);
    sound_play_stop(&p);
}

static void waits_for_the_cooldown(void **state) {
    (void)state;
    sound_play p = sound_play_start(NULL);
    sound_play_level(&p, "steady", 0.1f, 0.02f, 1);
    event_fixture *const f = event_fixture_begin("hit");
    event_fixture_sound(f, CT_SOUND_NO_NODE, "steady");
    f->data.cooldown = 0.1f;
    sound_play_event(&p, event_fixture_end(f));
    uint32_t num_started = 0;
    for (uint32_t i = 0; i < 50; ++i) { // a second
        num_started += sound_play_here(&p, "hit").value != 0;
        num_started += sound_play_here(&p, "hit").value != 0;
        sound_play_step(&p);
    }
    assert_in_range(num_started, 9, 10);
    assert_int_equal(ct_sound_world_refused(p.world), 100 - num_started);
    sound_play_stop(&p);
}

static void survives_thousands_of_plays_in_a_frame(void **state) {
    (void)state;
    sound_play p = sound_play_start(NULL);
    sound_play_level(&p, "steady", 0.1f, 0.1f, 1);
    sound_play_event(&p, event_fixture_single("hit", "steady"));
    const uint64_t before = ct_log_warning_count("sound_too_many");
    uint32_t num_started = 0;
    for (uint32_t i = 0; i < 10000; ++i)
        num_started += sound_play_here(&p, "hit").value != 0;
    assert_int_equal(num_started, CT_SOUND_MAX_INSTANCES);
    assert_int_equal(ct_sound_world_refused(p.world), 10000 - CT_SOUND_MAX_INSTANCES);
    sound_play_step(&p);
    assert_int_equal(ct_log_warning_count("sound_too_many") - before, 1);
    assert_int_equal(ct_sound_world_count(p.world), CT_SOUND_MAX_INSTANCES);
    sound_play_run(&p, 0.2);
    assert_int_equal(ct_log_warning_count("sound_too_many") - before, 1);
    assert_int_equal(ct_sound_world_count(p.world), 0);
    assert_int_not_equal(sound_play_here(&p, "hit").value, 0);
    sound_play_stop(&p);
}

static void steals_thousands_of_times_in_a_frame(void **state) {
    (void)state;
    sound_play p = start_limited(4, CT_SOUND_STEAL_QUIETEST);
    for (uint32_t i = 0; i < 10000; ++i)
        sound_play_at(&p, "hum", 0, 1 + (float)i * 0.001f, 0);
    sound_play_run(&p, 0.2);
    assert_int_equal(ct_sound_world_count(p.world), 4);
    sound_play_stop(&p);
}

static void does_nothing_with_instances_that_ended(void **state) {
    (void)state;
    sound_play p = sound_play_start(NULL);
    sound_play_level(&p, "short", 0.1f, 0.02f, 1);
    sound_play_level(&p, "steady", 0.1f, 1, 1);
    sound_play_event(&p, event_fixture_single("hit", "short"));
    sound_play_event(&p, event_fixture_end(sound_play_loop("hum", "steady")));
    const ct_sound_instance old = sound_play_here(&p, "hit");
    sound_play_run(&p, 0.1);
    const ct_sound_instance none = {0}, invalid = {UINT32_MAX};
    const ct_sound_instance stale[] = {old, none, invalid};
    const ct_sound_instance now = sound_play_here(&p, "hum"); // in the same row
    sound_play_run(&p, 0.06);
    const float before = sound_play_sample(&p, 0);
    const ct_vec3 position = {{1, 2, 3}};
    for (uint32_t i = 0; i < 3; ++i) {
        assert_false(ct_sound_is_playing(p.system, stale[i]));
        ct_sound_stop(p.system, stale[i], 0);
        ct_sound_set_paused(p.system, stale[i], true);
        ct_sound_seek(p.system, stale[i], 0.5);
        ct_sound_set_number(p.system, stale[i], ct_string_id32_of("force"), 1);
        ct_sound_set_text(p.system, stale[i], ct_string_id32_of("force"), ct_string_id32_of("a"));
        ct_sound_set_volume(p.system, stale[i], 0.1f);
        ct_sound_set_pitch(p.system, stale[i], 2);
        ct_sound_move(p.system, &stale[i], &position, 1, false);
        ct_sound_turn(p.system, stale[i], ct_quat_identity());
        assert_true(ct_sound_position(p.system, stale[i]) == 0);
        assert_int_equal(
            ct_sound_transition(p.world, stale[i], ct_string_id64_of("hum"), 0, 0).value, 0);
    }
    sound_play_run(&p, 0.1);
    assert_true(ct_sound_is_playing(p.system, now));
    assert_true(sound_play_sample(&p, 0) == before);
    sound_play_stop(&p);
}

static void reports_what_ended(void **state) {
    (void)state;
    sound_play p = sound_play_start(NULL);
    sound_play_level(&p, "short", 0.1f, 0.1f, 1);
    sound_play_event(&p, event_fixture_single("hit", "short"));
    const ct_sound_instance i = sound_play_here(&p, "hit");
    uint32_t num_ended = 0, last = 0;
    for (uint32_t step = 0; step < 20; ++step) {
        sound_play_step(&p);
        uint32_t count;
        const ct_sound_happening *const happenings = ct_sound_happenings(p.world, &count);
        for (uint32_t k = 0; k < count; ++k) {
            assert_int_equal(happenings[k].instance.value, i.value);
            assert_int_equal(happenings[k].marker.value, 0);
            ++num_ended;
            last = step;
        }
    }
    assert_int_equal(num_ended, 1);
    assert_int_equal(last, 5); // 0.1 s are over after step 4
    sound_play_stop(&p);
}

static void warns_of_what_is_not_loaded(void **state) {
    (void)state;
    sound_play p = sound_play_start(NULL);
    sound_play_event(&p, event_fixture_single("hit", "nothing"));
    const uint64_t events = ct_log_warning_count("sound_event_missing");
    const uint64_t sounds = ct_log_warning_count("sound_missing");
    assert_int_equal(sound_play_here(&p, "unknown").value, 0);
    assert_int_equal(sound_play_here(&p, "hit").value, 0);
    assert_int_equal(ct_log_warning_count("sound_event_missing") - events, 1);
    assert_int_equal(ct_log_warning_count("sound_missing") - sounds, 1);
    assert_int_equal(ct_sound_world_count(p.world), 0);
    sound_play_stop(&p);
}

static void warns_of_parameters_that_are_not_declared(void **state) {
    (void)state;
    sound_play p = sound_play_start(NULL);
    sound_play_level(&p, "steady", 0.25f, 1, 2);
    event_fixture *const f = sound_play_loop("hum", "steady");
    event_fixture_parameter_number(f, "force", 1);
    const ct_sound_point points[] = {{0, 0}, {1, 1}};
    event_fixture_curve(f, 0, CT_SOUND_TARGET_GAIN, "force", 0, points, 2);
    event_fixture_curve(f, 0, CT_SOUND_TARGET_GAIN, "farce", 1, points, 2);
    sound_play_event(&p, event_fixture_end(f));
    const uint64_t unknown = ct_log_warning_count("sound_parameter_unknown");
    const uint64_t kinds = ct_log_warning_count("sound_parameter_kind");
    const ct_sound_instance i = sound_play_here(&p, "hum");
    ct_sound_set_number(p.system, i, ct_string_id32_of("force"), 0.5f);
    sound_play_run(&p, 0.06);
    assert_true(fabsf(sound_play_sample(&p, 0) - 0.125f) < 1e-6f);
    ct_sound_set_number(p.system, i, ct_string_id32_of("farce"), 0.5f); // is set all the same
    sound_play_run(&p, 0.06);
    assert_true(fabsf(sound_play_sample(&p, 0) - 0.0625f) < 1e-6f);
    assert_int_equal(ct_log_warning_count("sound_parameter_unknown") - unknown, 1);
    ct_sound_set_text(p.system, i, ct_string_id32_of("force"), ct_string_id32_of("wood"));
    assert_int_equal(ct_log_warning_count("sound_parameter_kind") - kinds, 1);
    sound_play_run(&p, 0.06);
    assert_true(fabsf(sound_play_sample(&p, 0) - 0.0625f) < 1e-6f);
    sound_play_stop(&p);
}

static void uses_global_parameters(void **state) {
    (void)state;
    sound_play p = sound_play_start(NULL);
    sound_play_level(&p, "steady", 0.25f, 1, 2);
    event_fixture *const f = sound_play_loop("hum", "steady");
    const ct_sound_point points[] = {{0, 0}, {1, 1}};
    event_fixture_curve(f, 0, CT_SOUND_TARGET_GAIN, "wind", 1, points, 2);
    sound_play_event(&p, event_fixture_end(f));
    sound_play_here(&p, "hum");
    sound_play_run(&p, 0.06);
    assert_true(fabsf(sound_play_sample(&p, 0) - 0.25f) < 1e-6f);
    ct_sound_system_set_number(p.system, ct_string_id32_of("wind"), 0.5f);
    sound_play_run(&p, 0.06);
    assert_true(fabsf(sound_play_sample(&p, 0) - 0.125f) < 1e-6f);
    sound_play_stop(&p);
}

// Events as the compiler makes them declare all that they use.
static void sets_declared_parameters_for_all(void **state) {
    (void)state;
    sound_play p = sound_play_start(NULL);
    sound_play_level(&p, "steady", 0.25f, 1, 2);
    event_fixture *const f = event_fixture_begin("hum");
    const uint32_t root = event_fixture_switch(f, CT_SOUND_NO_NODE, "weather");
    event_fixture_node_at(f, root)->flags = CT_SOUND_NODE_FOLLOWS;
    const ct_sound_point points[] = {{0, 0}, {1, 1}};
    event_fixture_curve(f, root, CT_SOUND_TARGET_GAIN, "wind", 1, points, 2);
    event_fixture_parameter_number(f, "wind", 1);
    event_fixture_parameter_text(f, "weather", "dry");
    event_fixture_sound(f, root, "steady");
    event_fixture_case_text(f, root, "wet");
    const uint32_t quiet = event_fixture_sound(f, root, "steady");
    event_fixture_value(f, quiet, CT_SOUND_TARGET_GAIN, 0.5f, 0.5f);
    event_fixture_case_else(f, root);
    event_fixture_node_at(f, quiet)->flags = CT_SOUND_NODE_LOOPS;
    event_fixture_node_at(f, quiet - 1)->flags = CT_SOUND_NODE_LOOPS;
    sound_play_event(&p, event_fixture_end(f));
    const ct_sound_instance i = sound_play_here(&p, "hum");
    sound_play_run(&p, 0.1);
    assert_true(fabsf(sound_play_sample(&p, 0) - 0.125f) < 1e-6f); // as declared
    ct_sound_system_set_number(p.system, ct_string_id32_of("wind"), 0.5f);
    sound_play_run(&p, 0.1);
    assert_true(fabsf(sound_play_sample(&p, 0) - 0.0625f) < 1e-6f);
    ct_sound_system_set_text(p.system, ct_string_id32_of("weather"), ct_string_id32_of("wet"));
    sound_play_run(&p, 0.1);
    assert_true(fabsf(sound_play_sample(&p, 0) - 0.125f) < 1e-6f);
    ct_sound_set_number(p.system, i, ct_string_id32_of("wind"), 0.25f);
    sound_play_run(&p, 0.1);
    assert_true(fabsf(sound_play_sample(&p, 0) - 0.0625f) < 1e-6f); // its own counts first
    sound_play_stop(&p);
}

static void keeps_built_in_parameters(void **state) {
    (void)state;
    sound_play p = sound_play_start(NULL);
    const uint64_t before = ct_log_warning_count("sound_parameter_built_in");
    ct_sound_system_set_number(p.system, ct_string_id32_of("distance"), 3);
    ct_sound_system_set_text(p.system, ct_string_id32_of("time"), ct_string_id32_of("noon"));
    assert_int_equal(ct_log_warning_count("sound_parameter_built_in") - before, 2);
    assert_int_equal(ct_sound_system_globals(p.system).first, 0);
    sound_play_stop(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses_more_than_the_limit),
        cmocka_unit_test(allows_another_when_one_has_ended),
        cmocka_unit_test(steals_the_oldest),
        cmocka_unit_test(steals_the_quietest),
        cmocka_unit_test(steals_the_farthest),
        cmocka_unit_test(limits_each_world_apart),
        cmocka_unit_test(waits_for_the_cooldown),
        cmocka_unit_test(survives_thousands_of_plays_in_a_frame),
        cmocka_unit_test(steals_thousands_of_times_in_a_frame),
        cmocka_unit_test(does_nothing_with_instances_that_ended),
        cmocka_unit_test(reports_what_ended),
        cmocka_unit_test(warns_of_what_is_not_loaded),
        cmocka_unit_test(warns_of_parameters_that_are_not_declared),
        cmocka_unit_test(uses_global_parameters),
        cmocka_unit_test(sets_declared_parameters_for_all),
        cmocka_unit_test(keeps_built_in_parameters),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
