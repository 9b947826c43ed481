// Functions of SoundWorld, and the behaviours that hear of markers and ends.
#include "script/sound/sound_script.h"

#include "foundation/math/math.h"
#include "script/sound/api_sound.h"

static ct_sound_system *sounds(void) {
    return f.world.sound;
}

static ct_sound_world *world_sounds(void) {
    return ct_world_sounds(ct_world_system_world(f.world.system, 1));
}

static ct_sound_instance instance_of(const char *global) {
    lua_getglobal(f.script->lua.lua, global);
    const ct_sound_instance i = {(uint32_t)lua_tonumber(f.script->lua.lua, -1)};
    lua_pop(f.script->lua.lua, 1);
    return i;
}

static ct_sound_instance_info info_of(const char *global) {
    const ct_sound_instance i = instance_of(global);
    for (uint32_t k = 0; k < ct_sound_world_count(world_sounds()); ++k) {
        const ct_sound_instance_info info = ct_sound_world_info(world_sounds(), k);
        if (info.instance.value == i.value)
            return info;
    }
    fail_msg("%s does not play", global);
    return (ct_sound_instance_info){0};
}

static void expect_at(const char *global, float x, float y, float z) {
    const ct_vec3 at = info_of(global).position;
    if (ct_vec3_length(ct_vec3_sub(at, ct_vec3_make(x, y, z))) > 1e-4f)
        fail_msg("%s is at %g %g %g", global, (double)at.x, (double)at.y, (double)at.z);
}

static float number_of(const char *global, const char *parameter) {
    const ct_sound_parameter *const p =
        ct_sound_parameter_find(ct_sound_system_parameters(sounds()), info_of(global).parameters,
                                ct_string_id32_of(parameter));
    assert_non_null(p);
    return p->value.number;
}

// --- Playing -------------------------------------------------------------------------------------

static void plays_at_places_units_and_nowhere(void **state) {
    (void)state;
    run_lua(&f, "a = S.play(W, 'sounds/hum', Vector3(1, 2, 3)) b = S.play(W, 'sounds/hum', C) "
                "c = S.play(W, 'sounds/hum')");
    assert_lua(&f, "S.num_instances(W), S.is_playing(a), S.is_playing(b), S.is_playing(c)",
               "3\ttrue\ttrue\ttrue");
    expect_at("a", 1, 2, 3);
    expect_at("b", 1, 2, 3);
    assert_false(info_of("c").is_placed);
    run_lua(&f, "Unit.set_local_position(C, 1, Vector3(4, 4, 4)) step()");
    expect_at("a", 1, 2, 3);
    expect_at("b", 4, 4, 4);
}

static void plays_with_parameters_and_options(void **state) {
    (void)state;
    run_lua(&f, "R = World.spawn_unit(W, 'units/robot', Vector3(0, 7, 0)) "
                "a = S.play(W, 'sounds/hum', R, {force = 3, material = 'steel'}, "
                "{node = 3, volume = 0.5, pitch = 2, offset = 0.5, orphaned = 'detach'}) step()");
    expect_at("a", 2, 7, 0);
    assert_float_equal(number_of("a", "force"), 3, 0);
    assert_lua(&f, "S.time(a) > 0.5 and S.time(a) < 0.6", "true");
    run_lua(&f, "World.destroy_unit(W, R) run(0.2)");
    assert_lua(&f, "S.is_playing(a)", "true");
}

static void starts_when_the_clock_says(void **state) {
    (void)state;
    run_lua(&f, "a = S.play(W, 'sounds/hum', nil, nil, {start = S.clock() + 0.1}) "
                "first = S.render(0.08) World.update(W, 0.08) second = S.render(0.08)");
    assert_lua(&f,
               "Float32Array.size(first), Float32Array.get(first, 7600), "
               "Float32Array.get(second, 7600) > 0.1",
               "7680\t0\ttrue");
}

static void stops_pauses_and_seeks(void **state) {
    (void)state;
    run_lua(&f, "a = S.play(W, 'sounds/hum') run(0.1) S.pause(a) run(0.1) p = S.time(a) "
                "run(0.1)");
    assert_lua(&f, "S.time(a) == p, S.is_playing(a)", "true\ttrue");
    run_lua(&f, "S.resume(a) run(0.1)");
    assert_lua(&f, "S.time(a) > p + 0.05", "true");
    run_lua(&f, "S.seek(a, 0.7) run(0.06)");
    assert_lua(&f, "S.time(a) > 0.7 and S.time(a) < 0.8", "true");
    run_lua(&f, "S.stop(a, 0) run(0.1)");
    assert_lua(&f, "S.is_playing(a), S.time(a), S.num_instances(W)", "false\tnil\t0");
    run_lua(&f, "a, b = S.play(W, 'sounds/hum'), S.play(W, 'sounds/knock') S.stop_all(W, 0) "
                "run(0.1)");
    assert_lua(&f, "S.num_instances(W)", "0");
}

static void instances_that_have_ended_do_nothing(void **state) {
    (void)state;
    run_lua(&f,
            "a = S.play(W, 'sounds/knock') run(0.4) b = S.play(W, 'sounds/hum', Vector3(1, 1, 1))");
    run_lua(&f,
            "S.stop(a) S.pause(a) S.resume(a) S.seek(a, 1) S.set_parameter(a, 'any', 1) "
            "S.set_volume(a, 1) S.set_pitch(a, 1) S.set_position(a, Vector3(0, 0, 0)) "
            "S.teleport(a, Vector3(0, 0, 0)) S.set_rotation(a, Quaternion.identity()) "
            "S.link(W, a, C) S.unlink(a) S.set_positions(W, {a, 0}, {0, 0, 0, 0, 0, 0}) step()");
    assert_lua(&f, "S.is_playing(a), S.is_playing(b), S.transition(W, a, 'sounds/song')",
               "false\ttrue\tnil");
    expect_at("b", 1, 1, 1);
    assert_lua_error(&f, "S.stop(-1)",
                     "SoundWorld.stop: argument 1 (instance): expected an integer");
}

// What play returns when an event may not start.
static void nil_is_no_instance(void **state) {
    (void)state;
    run_lua(&f, "S.stop(nil) S.pause(nil) S.resume(nil) S.seek(nil, 1) S.set_volume(nil, 1) "
                "S.set_parameter(nil, 'any', 1) S.set_pitch(nil, 1) S.unlink(nil) "
                "S.set_position(nil, Vector3(0, 0, 0)) S.teleport(nil, Vector3(0, 0, 0)) "
                "S.set_rotation(nil, Quaternion.identity()) S.link(W, nil, C)");
    assert_lua(&f, "S.is_playing(nil), S.time(nil), S.transition(W, nil, 'sounds/song')",
               "false\tnil\tnil");
    assert_lua_error(&f, "S.set_volume(nil, 17)", "argument 2 (volume)");
}

static void refuses_what_it_cannot_play(void **state) {
    (void)state;
    assert_lua_error(&f, "S.play(W, 'sounds/hun')", "SoundWorld.play: argument 2 (event)");
    assert_lua_error(&f, "S.play(W, 'sounds/hum', 5)",
                     "argument 3 (source): expected Unit, Vector3 or nil, got");
    assert_lua_error(&f, "S.play(W, 'sounds/hum', Vector3(0, 0, 1e9))",
                     "argument 3 (source): expected a position of numbers from");
    assert_lua_error(&f, "S.play(W, 'sounds/hum', Vector3(0, 0/0, 0))", "argument 3 (source)");
    assert_lua_error(&f, "S.play(W, 'sounds/hum', nil, {froce = 1})",
                     "argument 4 (parameters): the event has no parameter \"froce\", did you mean "
                     "\"force\"?");
    assert_lua_error(&f, "S.play(W, 'sounds/hum', nil, {force = 'x'})",
                     "argument 4 (parameters): expected a finite number for the parameter");
    assert_lua_error(&f, "S.play(W, 'sounds/hum', nil, {force = 0/0})", "argument 4 (parameters)");
    assert_lua_error(&f, "S.play(W, 'sounds/hum', nil, {material = 2})",
                     "argument 4 (parameters): expected a string for the parameter");
    assert_lua_error(&f, "S.play(W, 'sounds/hum', nil, {5})",
                     "argument 4 (parameters): expected names of parameters as keys");
    assert_lua_error(
        &f, "S.play(W, 'sounds/hum', nil, nil, {volum = 1})",
        "argument 5 (options): there is no option \"volum\", did you mean \"volume\"?");
    assert_lua_error(&f, "S.play(W, 'sounds/hum', nil, nil, {volume = 17})",
                     "argument 5 (options): volume: expected a number from 0 to 16, got");
    assert_lua_error(&f, "S.play(W, 'sounds/hum', nil, nil, {pitch = 8.1})",
                     "argument 5 (options): pitch: expected a number from 0.015625 to 8, got");
    assert_lua_error(&f, "S.set_pitch(1, 0.0156)", "from 0.015625 to 8");
    assert_lua_error(&f, "S.set_pitch(1, 8.1)", "from 0.015625 to 8");
    run_lua(&f, "S.set_pitch(1, 8) S.set_pitch(1, 1 / 64)");
    assert_lua_error(&f, "S.play(W, 'sounds/hum', nil, nil, {node = 1})",
                     "argument 5 (options): node: expected a unit as argument 3 (source)");
    assert_lua_error(&f, "S.play(W, 'sounds/hum', C, nil, {orphaned = 'x'})",
                     "argument 5 (options): orphaned: expected \"stop\" or \"detach\", got");
    assert_lua_error(&f, "S.play(W, 'sounds/hum', C, nil, {rotation = 1})",
                     "argument 5 (options): rotation: expected a Quaternion");
}

// --- Parameters and places -----------------------------------------------------------------------

static void sets_parameters(void **state) {
    (void)state;
    run_lua(&f, "a = S.play(W, 'sounds/hum') S.set_parameter(a, 'force', 35.25) "
                "S.set_global_parameter('rain', 2) S.set_global_parameter('weather', 'wet')");
    assert_float_equal(number_of("a", "force"), 35.25f, 0);
    assert_lua_error(&f, "S.set_parameter(a, 'froce', 1)",
                     "SoundWorld.set_parameter: argument 2 (name): the event has no parameter "
                     "\"froce\", did you mean \"force\"?");
    assert_lua_error(&f, "S.set_parameter(a, 'force', 'much')",
                     "SoundWorld.set_parameter: argument 3 (value): expected a finite number for "
                     "the parameter \"force\", got");
    assert_lua_error(&f, "S.set_parameter(a, 'material', 1)", "argument 3 (value)");
    assert_lua_error(&f, "S.set_global_parameter('rain', {})", "argument 2 (value)");
    assert_lua_error(
        &f, "S.set_global_parameter('time', 1)",
        "SoundWorld.set_global_parameter: argument 1 (name): the engine sets \"time\": "
        "expected another name");
}

static void moves_instances(void **state) {
    (void)state;
    run_lua(&f, "a, b = S.play(W, 'sounds/hum', Vector3(1, 2, 3)), S.play(W, 'sounds/hum', C) "
                "S.set_position(a, Vector3(5, 6, 7)) S.teleport(b, Vector3(8, 8, 8)) step()");
    expect_at("a", 5, 6, 7);
    expect_at("b", 8, 8, 8);
    run_lua(&f, "Unit.set_local_position(C, 1, Vector3(4, 4, 4)) step()");
    expect_at("b", 8, 8, 8); // it follows no more
    run_lua(&f, "S.link(W, b, C, 1, Vector3(0, 0, 1), 'detach') step()");
    expect_at("b", 4, 4, 5);
    run_lua(&f, "S.unlink(b) Unit.set_local_position(C, 1, Vector3(0, 0, 0)) step()");
    expect_at("b", 4, 4, 5);
    run_lua(&f, "c = S.play(W, 'sounds/hum') S.link(W, c, C) step()"); // it had no place
    expect_at("c", 0, 0, 0);
    assert_true(info_of("c").is_placed);
}

static void moves_many_instances_at_once(void **state) {
    (void)state;
    run_lua(&f, "a, b = S.play(W, 'sounds/hum', Vector3(1, 2, 3)), S.play(W, 'sounds/hum', C) "
                "S.set_positions(W, {a, b}, Float32Array({1, 1, 1, 2, 2, 2})) step()");
    expect_at("a", 1, 1, 1);
    expect_at("b", 2, 2, 2);
    run_lua(&f, "S.set_positions(W, {b, a}, {Vector3(3, 3, 3), Vector3(4, 4, 4)})");
    expect_at("b", 3, 3, 3);
    run_lua(&f, "S.set_positions(W, {}, {})");
    assert_lua_error(&f, "S.set_positions(W, {a}, {1, 2, 3, 4, 5, 6})",
                     "SoundWorld.set_positions: argument 3 (positions): expected one position for "
                     "each of 1 instances, got 2");
    assert_lua_error(&f, "S.set_positions(W, {'a'}, {1, 2, 3})",
                     "argument 2 (instances): expected an instance at index 1, got");
    assert_lua_error(&f, "S.set_positions(W, {a}, {1, 2, 1e9})", "argument 3 (positions)");
}

static void listens_from_units_and_poses(void **state) {
    (void)state;
    ct_sound_listener all[CT_SOUND_MAX_LISTENERS];
    run_lua(&f, "S.set_listener(W, 1, C) S.set_listener(W, 2, Vector3(7, 7, 7)) step()");
    assert_lua(&f, "S.num_listeners(W)", "2");
    run_lua(&f, "Unit.set_local_position(C, 1, Vector3(4, 5, 6)) step()");
    ct_sound_listeners(world_sounds(), all);
    assert_float_equal(all[0].position.y, 5, 1e-5f);
    assert_float_equal(all[1].position.y, 7, 1e-5f);
    run_lua(&f, "S.set_listener(W, 1, Matrix4x4.from_translation(Vector3(1, 9, 1))) step()");
    ct_sound_listeners(world_sounds(), all);
    assert_float_equal(all[0].position.y, 9, 1e-5f);
    run_lua(&f, "S.set_num_listeners(W, 1)");
    assert_lua(&f, "S.num_listeners(W)", "1");
    assert_lua_error(&f, "S.set_listener(W, 5, C)", "argument 2 (index): expected an integer");
    assert_lua_error(&f, "S.set_listener(W, 1, 7)",
                     "argument 3 (source): expected Unit, Vector3 or Matrix4x4");
    assert_lua_error(&f, "S.set_num_listeners(W, 5)", "argument 2 (count)");
}

static void refuses_instances_of_other_worlds(void **state) {
    (void)state;
    run_lua(&f, "V = Application.new_world() a = S.play(V, 'sounds/song') "
                "b = S.play(W, 'sounds/hum', C)");
    assert_lua_error(&f, "S.link(W, a, C)",
                     "SoundWorld.link: argument 2 (instance): expected an instance of this world, "
                     "got one of another world");
    assert_lua_error(&f, "S.transition(W, a, 'sounds/song')",
                     "SoundWorld.transition: argument 2 (instance): expected an instance of this "
                     "world, got one of another world");
    assert_lua_error(&f, "S.set_positions(W, {b, a}, {1, 1, 1, 2, 2, 2})",
                     "SoundWorld.set_positions: argument 2 (instances): expected instances of this "
                     "world, got one of another world at index 2");
    run_lua(&f, "step()");
    expect_at("b", 1, 2, 3); // nothing was done
    assert_lua(&f, "S.is_playing(a), S.num_instances(V)", "true\t1");
    run_lua(&f, "S.set_position(a, Vector3(1, 1, 1)) S.unlink(a) S.stop(a, 0)"); // of any world
}

static void gives_way_to_a_rotation(void **state) {
    (void)state;
    run_lua(&f, "left = Quaternion.axis_angle(Vector3(0, 0, 1), math.pi / 2) "
                "a = S.play(W, 'sounds/hum', C, nil, {rotation = left}) "
                "b = S.play(W, 'sounds/hum', C) c = S.play(W, 'sounds/hum', C) "
                "S.set_rotation(c, left) step() "
                "Unit.set_local_position(C, 1, Vector3(4, 4, 4)) step()");
    const ct_vec3 *const forwards = sounds()->instances.forwards;
    assert_float_equal(forwards[ct_sound_slot_of(sounds(), instance_of("a"))].x, -1, 1e-4f);
    assert_float_equal(forwards[ct_sound_slot_of(sounds(), instance_of("b"))].y, 1, 1e-4f);
    assert_float_equal(forwards[ct_sound_slot_of(sounds(), instance_of("c"))].x, -1, 1e-4f);
    expect_at("a", 4, 4, 4);
    expect_at("c", 4, 4, 4);
}

// --- Music, buses --------------------------------------------------------------------------------

static void changes_music_on_a_beat(void **state) {
    (void)state;
    run_lua(&f,
            "a = S.play(W, 'sounds/song') run(0.1) b = S.transition(W, a, 'sounds/song', 'bar')");
    assert_lua(&f, "S.is_playing(a), S.is_playing(b)", "true\ttrue");
    run_lua(&f, "run(1.8)");
    assert_lua(&f, "S.is_playing(a)", "true");
    run_lua(&f, "run(0.2)");
    assert_lua(&f, "S.is_playing(a), S.is_playing(b)", "false\ttrue");
    assert_lua_error(&f, "S.transition(W, b, 'sounds/song', 'day')", "argument 4 (at)");
}

static void goes_on_with_music_where_it_was(void **state) {
    (void)state;
    run_lua(&f, "a = S.play(W, 'sounds/song', C) run(0.1) b = S.transition(W, a, 'sounds/song') "
                "Unit.set_local_position(C, 1, Vector3(4, 4, 4)) step()");
    expect_at("b", 4, 4, 4);
}

static void needs_loaded_buses(void **state) {
    (void)state;
    ct_sound_system_set_buses(sounds(), NULL);
    static const char *const calls[] = {"bus_peak('music')", "bus_volume('music')",
                                        "set_bus_volume('music', 1)"};
    for (uint32_t i = 0; i < CT_COUNT_OF(calls); ++i) {
        char code[64];
        snprintf(code, sizeof(code), "S.%s", calls[i]);
        assert_lua_error(&f, code, "there is no bus \"music\": the project's buses are not loaded");
    }
    assert_lua_error(&f, "S.set_snapshot('underwater')",
                     "SoundWorld.set_snapshot: argument 1 (name): there is no snapshot "
                     "\"underwater\": the project's buses are not loaded");
    assert_lua_error(&f, "S.snapshot('underwater')", "the project's buses are not loaded");
}

static int apply_volumes(lua_State *L) {
    ct_script_apply_sound_volumes(L);
    return 0;
}

static void sets_volumes_of_buses_and_keeps_them(void **state) {
    (void)state;
    run_lua(&f, "S.set_bus_volume('music', 0.25)");
    assert_lua(&f, "S.bus_volume('music'), S.bus_volume('master')", "0.25\t1");
    assert_lua(&f, "Application.user_setting('sound_volumes', 'music')", "0.25");
    assert_lua_error(&f, "S.set_bus_volume('musik', 1)",
                     "SoundWorld.set_bus_volume: argument 1 (bus): there is no bus \"musik\", did "
                     "you mean \"music\"?");
    assert_lua_error(&f, "S.set_bus_volume('music', 2)", "argument 2 (volume)");
    assert_lua_error(&f, "S.bus_peak('x')", "there is no bus \"x\"");
    run_lua(&f, "Application.set_user_setting('sound_volumes', 'master', 0.5) "
                "Application.set_user_setting('sound_volumes', 'odd', 'x')");
    assert_true(ct_lua_run(&f.script->lua, apply_volumes, NULL));
    assert_lua(&f, "S.bus_volume('master')", "0.5");
}

static void fades_snapshots(void **state) {
    (void)state;
    run_lua(&f, "S.set_snapshot('underwater', 1, 0)");
    ct_sound_system_update(sounds(), 0.02);
    assert_lua(&f, "S.snapshot('underwater')", "1");
    run_lua(&f, "S.set_snapshot('underwater', 0)");
    ct_sound_system_update(sounds(), 0.25);
    assert_lua(&f, "math.abs(S.snapshot('underwater') - 0.5) < 0.01", "true");
    assert_lua_error(&f, "S.set_snapshot('underwator')", "did you mean \"underwater\"?");
    assert_lua_error(&f, "S.set_snapshot('underwater', 2)", "argument 2 (weight)");
}

static void renders_samples(void **state) {
    (void)state;
    run_lua(&f, "a = S.play(W, 'sounds/hum') samples = S.render(0.1) "
                "again = S.render(0.05, samples) t = S.clock()");
    assert_lua(&f, "again == samples, Float32Array.size(samples)", "true\t4800");
    assert_lua(&f, "Float32Array.get(samples, 4799) > 0.1, math.abs(t - 0.15) < 1e-6",
               "true\ttrue");
    assert_lua(&f, "S.bus_peak('master') > 0.1, S.bus_peak('master') > 0.1", "true\ttrue");
    assert_lua(&f, "S.output()", "none");
    assert_lua_error(&f, "S.render(-1)", "argument 1 (seconds)");
}

static void sets_the_reverb_of_the_place(void **state) {
    (void)state;
    run_lua(&f, "S.set_place_reverb(W, -6) run(0.02) S.set_place_reverb(W) run(0.02)");
    assert_lua_error(&f, "S.set_place_reverb(W, 30)", "argument 2 (volume)");
}

// --- Behaviours ----------------------------------------------------------------------------------

static void a_behaviour_hears_of_markers_and_ends(void **state) {
    (void)state;
    load_script(&f, "behaviours/listener",
                "return {sound_marker = function(self, i, name) marker, of = name, i end, "
                "sound_ended = function(self, i) ended = i end}");
    run_lua(&f, "ScriptComponent.create(EntityManager.script_component(W), C, 'ears', "
                "'behaviours/listener') a = S.play(W, 'sounds/knock', C) "
                "S.play(W, 'sounds/knock') run(0.08)");
    assert_lua(&f, "marker, ended", "nil\tnil");
    run_lua(&f, "run(0.06)");
    assert_lua(&f, "IdString32.equal(marker, IdString32('crack')), of == a, ended",
               "true\ttrue\tnil");
    run_lua(&f, "run(0.4)");
    assert_lua(&f, "ended == a", "true");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        SOUND_TEST(plays_at_places_units_and_nowhere),
        SOUND_TEST(plays_with_parameters_and_options),
        SOUND_TEST(starts_when_the_clock_says),
        SOUND_TEST(stops_pauses_and_seeks),
        SOUND_TEST(instances_that_have_ended_do_nothing),
        SOUND_TEST(nil_is_no_instance),
        SOUND_TEST(refuses_what_it_cannot_play),
        SOUND_TEST(sets_parameters),
        SOUND_TEST(moves_instances),
        SOUND_TEST(moves_many_instances_at_once),
        SOUND_TEST(refuses_instances_of_other_worlds),
        SOUND_TEST(gives_way_to_a_rotation),
        SOUND_TEST(listens_from_units_and_poses),
        SOUND_TEST(changes_music_on_a_beat),
        SOUND_TEST(goes_on_with_music_where_it_was),
        SOUND_TEST(needs_loaded_buses),
        SOUND_TEST(sets_volumes_of_buses_and_keeps_them),
        SOUND_TEST(fades_snapshots),
        SOUND_TEST(renders_samples),
        SOUND_TEST(sets_the_reverb_of_the_place),
        SOUND_TEST(a_behaviour_hears_of_markers_and_ends),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
