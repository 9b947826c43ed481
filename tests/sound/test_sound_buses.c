// Snapshots and volumes of players.
#include <math.h>

#include "sound/bus_play.h"

static void expect_sample(const sound_play *p, float expected) {
    const float found = sound_play_sample(p, 0);
    if (!(fabsf(found - expected) < 2e-5f))
        fail_msg("found %g; expected %g", (double)found, (double)expected);
}

static float gain_of(float db) {
    return powf(10, db / 20);
}

// A steady sound of 0.25 on "music"; snapshots "quiet" (-20 dB) and "loud" (+6 dB).
static sound_play start_snapshots(void) {
    sound_play p = sound_play_start(NULL);
    bus_play_set(&p, &(bus_play){.names = {"master", "music"},
                                 .volumes = {0, -6},
                                 .num_buses = 2,
                                 .snapshots = {"quiet", "loud"},
                                 .fades = {0.5f, 0},
                                 .num_snapshots = 2,
                                 .settings = {{1, CT_SOUND_BUS_VOLUME, 0, -20},
                                              {1, CT_SOUND_BUS_VOLUME, 1, 6}},
                                 .num_settings = 2});
    sound_play_level(&p, "steady", 0.25f, 1, 2);
    event_fixture *const f = sound_play_loop("hum", "steady");
    f->data.bus = ct_string_id32_of("music");
    sound_play_event(&p, event_fixture_end(f));
    sound_play_here(&p, "hum");
    sound_play_run(&p, 0.1);
    return p;
}

static void blends_snapshots(void **state) {
    (void)state;
    sound_play p = start_snapshots();
    const ct_string_id32 quiet = ct_string_id32_of("quiet"), loud = ct_string_id32_of("loud");
    expect_sample(&p, 0.25f * gain_of(-6));
    assert_true(ct_sound_system_set_snapshot(p.system, quiet, 1, -1)); // in 0.5 s
    sound_play_run(&p, 0.26);
    assert_true(fabsf(ct_sound_system_snapshot(p.system, quiet) - 0.52f) < 1e-5f);
    assert_true(fabsf(sound_play_sample(&p, 0) - 0.25f * gain_of(-13.28f)) < 1e-3f);
    sound_play_run(&p, 0.3);
    expect_sample(&p, 0.25f * gain_of(-20));
    // The later one over the earlier.
    assert_true(ct_sound_system_set_snapshot(p.system, loud, 0.5f, -1));
    sound_play_run(&p, 0.06);
    expect_sample(&p, 0.25f * gain_of(-7));
    ct_sound_system_set_snapshot(p.system, loud, 1, 0);
    sound_play_run(&p, 0.06);
    expect_sample(&p, 0.25f * gain_of(6));
    ct_sound_system_set_snapshot(p.system, loud, 0, 0);
    ct_sound_system_set_snapshot(p.system, quiet, 0, 0);
    sound_play_run(&p, 0.06);
    expect_sample(&p, 0.25f * gain_of(-6));
    assert_true(ct_sound_system_snapshot(p.system, quiet) == 0);
    sound_play_stop(&p);
}

// Each reader sees the same, however many there are; a meter falls with time alone.
static void meters_fall_with_time(void **state) {
    (void)state;
    sound_play p = start_snapshots();
    const float peak = ct_sound_system_peak(p.system, 1);
    assert_float_equal(peak, 0.25f * gain_of(-6), 1e-4f);
    for (uint32_t i = 0; i < 3; ++i)
        assert_true(ct_sound_system_peak(p.system, 1) == peak);
    ct_sound_stop_all(p.world, 0);
    sound_play_run(&p, 0.1);
    const float before = ct_sound_system_peak(p.system, 1);
    assert_true(before > 0.5f * peak);
    sound_play_run(&p, 0.5);
    assert_true(ct_sound_system_peak(p.system, 1) == ct_sound_system_peak(p.system, 1));
    assert_float_equal(ct_sound_system_peak(p.system, 1), before * gain_of(-12), 1e-4f);
    assert_true(ct_sound_system_peak(p.system, 99) == 0);
    ct_sound_system_set_buses(p.system, NULL);
    assert_true(ct_sound_system_peak(p.system, 1) == 0); // it is another bus
    sound_play_stop(&p);
}

static void refuses_unknown_snapshots(void **state) {
    (void)state;
    sound_play p = start_snapshots();
    assert_false(ct_sound_system_set_snapshot(p.system, ct_string_id32_of("unknown"), 1, 0));
    const uint64_t before = ct_log_warning_count("sound_not_finite");
    ct_sound_system_set_snapshot(p.system, ct_string_id32_of("quiet"), NAN, 0);
    ct_sound_system_set_volume(p.system, ct_string_id32_of("music"), NAN);
    assert_int_equal(ct_log_warning_count("sound_not_finite") - before, 2);
    sound_play_run(&p, 0.1);
    expect_sample(&p, 0.25f * gain_of(-6));
    sound_play_stop(&p);
}

static void multiplies_volumes_of_players(void **state) {
    (void)state;
    sound_play p = start_snapshots();
    const ct_string_id32 music = ct_string_id32_of("music"), master = ct_string_id32_of("master");
    assert_true(ct_sound_system_set_volume(p.system, music, 0.5f));
    assert_true(ct_sound_system_set_volume(p.system, master, 0.5f));
    sound_play_run(&p, 0.06);
    expect_sample(&p, 0.25f * 0.25f * gain_of(-6));
    assert_true(ct_sound_system_set_volume(p.system, music, 7)); // at most 1
    assert_true(ct_sound_system_volume(p.system, music) == 1);
    sound_play_run(&p, 0.06);
    expect_sample(&p, 0.25f * 0.5f * gain_of(-6));
    assert_true(ct_sound_system_volume(p.system, ct_string_id32_of("unknown")) == 1);
    sound_play_stop(&p);
}

static void counts_buses_as_loudness(void **state) {
    (void)state;
    sound_play p = start_snapshots();
    assert_int_equal(ct_sound_world_info(p.world, 0).num_real, 1);
    ct_sound_system_set_volume(p.system, ct_string_id32_of("master"), 0);
    sound_play_run(&p, 0.06);
    assert_int_equal(ct_sound_world_info(p.world, 0).num_real, 0);
    assert_true(ct_sound_world_info(p.world, 0).volume == CT_SOUND_SILENCE_DB);
    sound_play_stop(&p);
}

static void sends_to_the_place(void **state) {
    (void)state;
    sound_play p = sound_play_start(NULL);
    bus_play_set(&p, &(bus_play){.names = {"master", "hall", "music"}, .num_buses = 3, .place = 1});
    sound_play_level(&p, "steady", 0.25f, 1, 2);
    event_fixture *const f = sound_play_loop("hum", "steady");
    f->data.bus = ct_string_id32_of("music");
    event_fixture_value(f, 0, CT_SOUND_TARGET_SEND, -6, -6);
    sound_play_event(&p, event_fixture_end(f));
    sound_play_here(&p, "hum");
    sound_play_run(&p, 0.1);
    expect_sample(&p, 0.25f * (1 + gain_of(-6)));
    ct_sound_set_place_send(p.world, 0.5f);
    sound_play_run(&p, 0.1);
    expect_sample(&p, 0.25f * (1 + 0.5f * gain_of(-6)));
    sound_play_stop(&p);
}

static void changes_sends_by_snapshots(void **state) {
    (void)state;
    sound_play p = sound_play_start(NULL);
    bus_play_set(&p, &(bus_play){.names = {"master", "hall", "music"},
                                 .num_buses = 3,
                                 .snapshots = {"cave"},
                                 .num_snapshots = 1,
                                 .settings = {{2, CT_SOUND_BUS_SEND, 0, 0}},
                                 .num_settings = 1,
                                 .has_send = true,
                                 .send_volume = -20});
    sound_play_level(&p, "steady", 0.25f, 1, 2);
    event_fixture *const f = sound_play_loop("hum", "steady");
    f->data.bus = ct_string_id32_of("music");
    sound_play_event(&p, event_fixture_end(f));
    sound_play_here(&p, "hum");
    sound_play_run(&p, 0.1);
    expect_sample(&p, 0.25f * 1.1f);
    ct_sound_system_set_snapshot(p.system, ct_string_id32_of("cave"), 1, 0);
    sound_play_run(&p, 0.1);
    expect_sample(&p, 0.25f * 2);
    sound_play_stop(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blends_snapshots),
        cmocka_unit_test(meters_fall_with_time),
        cmocka_unit_test(refuses_unknown_snapshots),
        cmocka_unit_test(multiplies_volumes_of_players),
        cmocka_unit_test(sends_to_the_place),
        cmocka_unit_test(changes_sends_by_snapshots),
        cmocka_unit_test(counts_buses_as_loudness),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
