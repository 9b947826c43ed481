// Events, sounds and buses that are loaded again while they play, and switches that follow.
#include <math.h>

#include "sound/bus_play.h"
#include "sound/sound_play.h"

#define HALF 0.70710678f

static void expect_sample(const sound_play *p, float expected) {
    const float found = sound_play_sample(p, 0);
    if (!(fabsf(found - expected) < 1e-5f))
        fail_msg("found %g; expected %g", (double)found, (double)expected);
}

// An event with a stereo sound that loops, at a volume.
static event_fixture *steady_at(const char *name, const char *sound, float volume) {
    event_fixture *const f = sound_play_loop(name, sound);
    event_fixture_value(f, 0, CT_SOUND_TARGET_VOLUME, volume, volume);
    return f;
}

static sound_play start_steady(void) {
    sound_play p = sound_play_start(NULL);
    sound_play_level(&p, "steady", 0.25f, 1, 2);
    sound_play_level(&p, "other", 0.125f, 0.7f, 2);
    sound_play_level(&p, "third", 0.0625f, 0.3f, 2);
    return p;
}

// --- Events --------------------------------------------------------------------------------------

static void hears_new_constants_and_curves(void **state) {
    (void)state;
    sound_play p = start_steady();
    sound_play_event(&p, event_fixture_end(steady_at("hum", "steady", 0)));
    const ct_sound_instance i = sound_play_here(&p, "hum");
    ct_sound_set_number(p.system, i, ct_string_id32_of("force"), 0.5f);
    sound_play_run(&p, 0.2);
    expect_sample(&p, 0.25f);
    const double before = ct_sound_position(p.system, i);
    sound_play_event(&p, event_fixture_end(steady_at("hum", "steady", -6.0206f)));
    sound_play_run(&p, 0.04);
    expect_sample(&p, 0.125f);
    event_fixture *const f = steady_at("hum", "steady", 0);
    const ct_sound_point points[] = {{0, 0}, {1, 1}};
    const uint32_t curve = event_fixture_curve(f, 0, CT_SOUND_TARGET_GAIN, "force", 0, points, 2);
    event_fixture_shape(f, curve, CT_SOUND_SHAPE_LINEAR);
    sound_play_event(&p, event_fixture_end(f));
    sound_play_run(&p, 0.04);
    expect_sample(&p, 0.125f);
    ct_sound_set_number(p.system, i, ct_string_id32_of("force"), 0.25f);
    sound_play_run(&p, 0.04);
    expect_sample(&p, 0.0625f);
    assert_true(fabs(ct_sound_position(p.system, i) - before - 0.12) < 1e-6); // it played on
    assert_int_equal(sound_play_info(&p, i).num_voices, 1);
    sound_play_stop(&p);
}

static void keeps_the_number_of_a_range(void **state) {
    (void)state;
    sound_play p = start_steady();
    for (uint32_t round = 0; round < 2; ++round) {
        event_fixture *const f = sound_play_loop("hum", "steady");
        event_fixture_value(f, 0, CT_SOUND_TARGET_VOLUME, -20, -1);
        event_fixture_value(f, 0, CT_SOUND_TARGET_GAIN, round ? 0.5f : 1, round ? 0.5f : 1);
        sound_play_event(&p, event_fixture_end(f));
        if (!round)
            sound_play_here(&p, "hum");
        sound_play_run(&p, 0.06);
    }
    const float first = p.out.items[2 * 2 * SOUND_PLAY_FRAMES];
    assert_true(first > 0.02f && first < 0.24f);
    expect_sample(&p, first * 0.5f);
    sound_play_stop(&p);
}

// LAYERS of two loops.
static ct_sound_event_resource *layers_of(const char *a, const char *b) {
    event_fixture *const f = event_fixture_begin("hum");
    const uint32_t root = event_fixture_node(f, CT_SOUND_NO_NODE, CT_SOUND_NODE_LAYERS);
    const char *const sounds[] = {a, b};
    for (uint32_t i = 0; i < 2; ++i)
        if (sounds[i])
            event_fixture_node_at(f, event_fixture_sound(f, root, sounds[i]))->flags =
                CT_SOUND_NODE_LOOPS;
    return event_fixture_end(f);
}

static void picks_loops_again_where_they_would_be(void **state) {
    (void)state;
    sound_play p = start_steady();
    sound_play_event(&p, layers_of("steady", NULL));
    const ct_sound_instance i = sound_play_here(&p, "hum");
    sound_play_run(&p, 1);
    expect_sample(&p, 0.25f);
    sound_play_event(&p, layers_of("other", NULL)); // 0.7 s
    sound_play_run(&p, 0.2);
    expect_sample(&p, 0.125f);
    assert_int_equal(sound_play_info(&p, i).num_voices, 1);
    // It started with clock 0: 1.2 s - 0.7 s.
    assert_true(fabs(ct_sound_position(p.system, i) - 0.5) < 1e-4);
    sound_play_stop(&p);
}

static void keeps_leaves_that_are_still_there(void **state) {
    (void)state;
    sound_play p = start_steady();
    sound_play_event(&p, layers_of("steady", "other"));
    const ct_sound_instance i = sound_play_here(&p, "hum");
    sound_play_run(&p, 0.2);
    expect_sample(&p, 0.375f);
    const uint32_t from = p.out.count / 2;
    sound_play_event(&p, layers_of("steady", "third"));
    sound_play_run(&p, 0.2);
    expect_sample(&p, 0.3125f);
    for (uint32_t frame = from; frame < p.out.count / 2; ++frame) // the first went on
        assert_true(sound_play_frame(&p, frame, 0) > 0.2499f);
    assert_int_equal(sound_play_info(&p, i).num_voices, 2);
    sound_play_stop(&p);
}

static void gives_new_parameters_their_values(void **state) {
    (void)state;
    sound_play p = start_steady();
    sound_play_event(&p, event_fixture_end(steady_at("hum", "steady", 0)));
    sound_play_here(&p, "hum");
    sound_play_run(&p, 0.1);
    event_fixture *const f = steady_at("hum", "steady", 0);
    event_fixture_parameter_number(f, "force", 0.25f);
    event_fixture_parameter_text(f, "material", "wood");
    const ct_sound_point points[] = {{0, 0}, {1, 1}};
    event_fixture_curve(f, 0, CT_SOUND_TARGET_GAIN, "force", 0.25f, points, 2);
    sound_play_event(&p, event_fixture_end(f));
    sound_play_run(&p, 0.1);
    expect_sample(&p, 0.0625f);
    // They are the event's, not the instance's: what is set for all counts before them.
    assert_int_equal(ct_sound_world_info(p.world, 0).parameters.first, 0);
    ct_sound_system_set_number(p.system, ct_string_id32_of("force"), 0.5f);
    sound_play_run(&p, 0.1);
    expect_sample(&p, 0.125f);
    sound_play_stop(&p);
}

static void fades_out_when_an_event_is_unloaded(void **state) {
    (void)state;
    sound_play p = start_steady();
    event_fixture *const f = steady_at("hum", "steady", 0);
    f->data.fade_out = 0.1f;
    event_fixture_marker(f, 0.01f, "early", NULL);
    sound_play_event(&p, event_fixture_end(f));
    const ct_sound_instance i = sound_play_here(&p, "hum");
    sound_play_run(&p, 0.1);
    ct_sound_system_set_event(p.system, ct_string_id64_of("hum"), NULL);
    sound_play_run(&p, 0.06);
    assert_true(sound_play_sample(&p, 0) > 0.05f && sound_play_sample(&p, 0) < 0.2f);
    ct_sound_set_number(p.system, i, ct_string_id32_of("force"), 1);
    ct_sound_seek(p.system, i, 0.5);
    ct_sound_stop(p.system, i, -1);
    sound_play_run(&p, 0.1);
    assert_int_equal(ct_sound_world_count(p.world), 0);
    assert_int_equal(sound_play_here(&p, "hum").value, 0);
    sound_play_stop(&p);
}

// --- Seeks after changes -------------------------------------------------------------------------

static void add_loop(event_fixture *f, uint32_t parent, const char *sound) {
    event_fixture_node_at(f, event_fixture_sound(f, parent, sound))->flags = CT_SOUND_NODE_LOOPS;
}

// A switch that follows `force` between "a" and "b", and another loop.
static event_fixture *switch_and(const char *other) {
    event_fixture *const f = event_fixture_begin("hum");
    const uint32_t root = event_fixture_node(f, CT_SOUND_NO_NODE, CT_SOUND_NODE_LAYERS);
    event_fixture_parameter_number(f, "force", 0);
    const uint32_t node = event_fixture_switch(f, root, "force");
    event_fixture_node_at(f, node)->flags = CT_SOUND_NODE_FOLLOWS;
    add_loop(f, node, "a");
    event_fixture_case_number(f, node, -1, 1);
    add_loop(f, node, "b");
    event_fixture_case_number(f, node, 1, 2);
    add_loop(f, root, other);
    return f;
}

// A seek plays what the event plays now, once.
static void seeks_in_what_plays_now(void **state) {
    (void)state;
    sound_play p = sound_play_start(NULL);
    sound_play_level(&p, "a", 0.125f, 1, 2);
    sound_play_level(&p, "b", 0.25f, 1, 2);
    sound_play_level(&p, "c", 0.015625f, 1, 2);
    sound_play_level(&p, "d", 0.03125f, 1, 2);
    sound_play_event(&p, event_fixture_end(switch_and("c")));
    const ct_sound_instance i = sound_play_here(&p, "hum");
    for (uint32_t k = 0; k < 20; ++k) {
        const bool is_b = k % 2, is_d = k > 10;
        ct_sound_set_number(p.system, i, ct_string_id32_of("force"), is_b ? 1.5f : 0);
        if (k == 11)
            sound_play_event(&p, event_fixture_end(switch_and("d")));
        sound_play_run(&p, 0.1);
        ct_sound_seek(p.system, i, 0.3);
        sound_play_run(&p, 0.1);
        expect_sample(&p, (is_b ? 0.25f : 0.125f) + (is_d ? 0.03125f : 0.015625f));
        assert_int_equal(sound_play_info(&p, i).num_voices, 2);
    }
    sound_play_stop(&p);
}

// --- Sounds --------------------------------------------------------------------------------------

static void goes_on_with_new_samples(void **state) {
    (void)state;
    sound_play p = start_steady();
    sound_play_event(&p, event_fixture_end(steady_at("hum", "steady", 0)));
    const ct_sound_instance i = sound_play_here(&p, "hum");
    sound_play_run(&p, 0.3);
    sound_play_level(&p, "steady", 0.125f, 1, 1); // mono: to both sides
    sound_play_run(&p, 0.1);
    expect_sample(&p, 0.125f * HALF);
    assert_true(fabs(ct_sound_position(p.system, i) - 0.4) < 1e-4);
    sound_play_level(&p, "steady", 0.125f, 1, 2);
    sound_play_run(&p, 0.1);
    expect_sample(&p, 0.125f);
    ct_sound_system_set_sound(p.system, ct_string_id64_of("steady"), NULL);
    sound_play_run(&p, 0.1);
    assert_false(ct_sound_is_playing(p.system, i));
    expect_sample(&p, 0);
    sound_play_stop(&p);
}

// --- Buses ---------------------------------------------------------------------------------------

static void plays_on_with_new_buses(void **state) {
    (void)state;
    sound_play p = start_steady();
    const ct_string_id32 music = ct_string_id32_of("music");
    // Kept from before there are buses.
    assert_false(ct_sound_system_set_volume(p.system, music, 0.5f));
    bus_play_set(&p, &(bus_play){.names = {"master", "effects", "music"}, .num_buses = 3});
    event_fixture *const f = steady_at("hum", "steady", 0);
    f->data.bus = music;
    sound_play_event(&p, event_fixture_end(f));
    sound_play_here(&p, "hum");
    sound_play_run(&p, 0.1);
    expect_sample(&p, 0.125f);
    bus_play_set(&p, &(bus_play){.names = {"master", "music", "effects"},
                                 .volumes = {0, -6.0206f, -96},
                                 .num_buses = 3});
    sound_play_run(&p, 0.1);
    expect_sample(&p, 0.0625f);
    assert_true(ct_sound_system_set_volume(p.system, music, 1));
    sound_play_run(&p, 0.1);
    expect_sample(&p, 0.125f);
    ct_sound_system_set_buses(p.system, NULL); // only a root
    sound_play_run(&p, 0.1);
    expect_sample(&p, 0.25f);
    sound_play_stop(&p);
}

static void returns_to_a_bus_that_was_gone(void **state) {
    (void)state;
    sound_play p = start_steady();
    const bus_play all = {.names = {"master", "music", "effects"},
                          .volumes = {0, -6.0206f, -12.0412f},
                          .num_buses = 3};
    bus_play_set(&p, &all);
    event_fixture *f = steady_at("hum", "steady", 0);
    f->data.bus = ct_string_id32_of("effects");
    sound_play_event(&p, event_fixture_end(f));
    sound_play_here(&p, "hum");
    sound_play_run(&p, 0.1);
    expect_sample(&p, 0.0625f);
    bus_play_set(&p, &(bus_play){.names = {"master", "music"}, .num_buses = 2});
    sound_play_run(&p, 0.1);
    expect_sample(&p, 0.25f);
    bus_play_set(&p, &all);
    sound_play_run(&p, 0.1);
    expect_sample(&p, 0.0625f);
    f = steady_at("hum", "steady", 0); // and to the one that the event has now
    f->data.bus = ct_string_id32_of("music");
    sound_play_event(&p, event_fixture_end(f));
    sound_play_run(&p, 0.1);
    expect_sample(&p, 0.125f);
    sound_play_stop(&p);
}

static void warns_of_unknown_buses(void **state) {
    (void)state;
    sound_play p = start_steady();
    bus_play_set(&p, &(bus_play){.names = {"master"}, .num_buses = 1});
    event_fixture *const f = steady_at("hum", "steady", 0);
    f->data.bus = ct_string_id32_of("muzak");
    sound_play_event(&p, event_fixture_end(f));
    const uint64_t before = ct_log_warning_count("sound_bus_unknown");
    sound_play_here(&p, "hum");
    sound_play_run(&p, 0.1);
    expect_sample(&p, 0.25f);
    assert_int_equal(ct_log_warning_count("sound_bus_unknown") - before, 1);
    sound_play_stop(&p);
}

// --- Switches ------------------------------------------------------------------------------------

// A switch over `material`: "wood" is `steady`, "metal" a layer pair, all else nothing.
static ct_sound_event_resource *switch_of(bool follows) {
    event_fixture *const f = event_fixture_begin("steps");
    const uint32_t root = event_fixture_switch(f, CT_SOUND_NO_NODE, "material");
    event_fixture_node_at(f, root)->flags = follows ? CT_SOUND_NODE_FOLLOWS : 0;
    event_fixture_node_at(f, root)->fade = 0.2f;
    event_fixture_value(f, root, CT_SOUND_TARGET_VOLUME, -6.0206f, -6.0206f);
    const uint32_t wood = event_fixture_sound(f, root, "steady");
    event_fixture_case_text(f, root, "wood");
    const uint32_t metal = event_fixture_sound(f, root, "other");
    event_fixture_case_text(f, root, "metal");
    event_fixture_node_at(f, wood)->flags = CT_SOUND_NODE_LOOPS;
    event_fixture_node_at(f, metal)->flags = CT_SOUND_NODE_LOOPS;
    event_fixture_parameter_text(f, "material", "wood");
    return event_fixture_end(f);
}

static void set_material(const sound_play *p, ct_sound_instance i, const char *material) {
    ct_sound_set_text(p->system, i, ct_string_id32_of("material"), ct_string_id32_of(material));
}

static void follows_a_switch(void **state) {
    (void)state;
    sound_play p = start_steady();
    sound_play_event(&p, switch_of(true));
    const ct_sound_instance i = sound_play_here(&p, "steps");
    sound_play_run(&p, 0.1);
    expect_sample(&p, 0.125f);
    set_material(&p, i, "metal");
    sound_play_run(&p, 0.12); // 0.1 s of the fade
    assert_int_equal(sound_play_info(&p, i).num_voices, 2);
    assert_true(fabsf(sound_play_sample(&p, 0) - 0.5f * (0.125f + 0.0625f)) < 1e-3f);
    sound_play_run(&p, 0.2);
    expect_sample(&p, 0.0625f);
    assert_int_equal(sound_play_info(&p, i).num_voices, 1);
    // Without a case it is silent, and goes on with the next one.
    set_material(&p, i, "water");
    sound_play_run(&p, 0.3);
    expect_sample(&p, 0);
    assert_true(ct_sound_is_playing(p.system, i));
    set_material(&p, i, "wood");
    sound_play_run(&p, 0.3);
    expect_sample(&p, 0.125f);
    ct_sound_stop(p.system, i, 0);
    sound_play_run(&p, 0.1);
    assert_false(ct_sound_is_playing(p.system, i));
    sound_play_stop(&p);
}

static void settles_other_switches_at_the_start(void **state) {
    (void)state;
    sound_play p = start_steady();
    sound_play_event(&p, switch_of(false));
    const ct_sound_instance i = sound_play_here(&p, "steps");
    set_material(&p, i, "metal");
    sound_play_run(&p, 0.3);
    expect_sample(&p, 0.125f);
    // Without a case nothing starts.
    const ct_sound_parameter water = {.key = ct_string_id32_of("material"),
                                      .value.text = ct_string_id32_of("water")};
    const ct_sound_start start = {0};
    assert_int_equal(ct_sound_play(p.world, ct_string_id64_of("steps"), &start, &water, 1).value,
                     0);
    sound_play_stop(&p);
}

static void follows_switches_after_a_reload(void **state) {
    (void)state;
    sound_play p = start_steady();
    sound_play_event(&p, switch_of(false));
    const ct_sound_instance i = sound_play_here(&p, "steps");
    sound_play_run(&p, 0.1);
    sound_play_event(&p, switch_of(true));
    set_material(&p, i, "metal");
    sound_play_run(&p, 0.4);
    expect_sample(&p, 0.0625f);
    sound_play_stop(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hears_new_constants_and_curves),
        cmocka_unit_test(keeps_the_number_of_a_range),
        cmocka_unit_test(picks_loops_again_where_they_would_be),
        cmocka_unit_test(keeps_leaves_that_are_still_there),
        cmocka_unit_test(gives_new_parameters_their_values),
        cmocka_unit_test(fades_out_when_an_event_is_unloaded),
        cmocka_unit_test(seeks_in_what_plays_now),
        cmocka_unit_test(goes_on_with_new_samples),
        cmocka_unit_test(plays_on_with_new_buses),
        cmocka_unit_test(returns_to_a_bus_that_was_gone),
        cmocka_unit_test(warns_of_unknown_buses),
        cmocka_unit_test(follows_a_switch),
        cmocka_unit_test(settles_other_switches_at_the_start),
        cmocka_unit_test(follows_switches_after_a_reload),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
