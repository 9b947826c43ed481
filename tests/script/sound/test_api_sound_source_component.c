#include "script/sound/sound_script.h"

static int set_up_component(void **state) {
    set_up_sound(state);
    run_lua(&f, "P, M = SoundSourceComponent, EntityManager.sound_source_component(W) "
                "I = P.create(M, C, 'hum', 'sounds/hum')");
    return 0;
}

#define COMPONENT_TEST(test)                                                                       \
    cmocka_unit_test_setup_teardown(test, set_up_component, tear_down_sound)

// The x of the only sound of W.
static float only_x(void) {
    const ct_sound_world *const w = ct_world_sounds(ct_world_system_world(f.world.system, 1));
    assert_int_equal(ct_sound_world_count(w), 1);
    return ct_sound_world_info(w, 0).position.x;
}

static void makes_finds_and_destroys(void **state) {
    (void)state;
    assert_lua(&f, "P.instances(M, C) == I, P.lookup(M, C, 'hum') == I, P.lookup(M, C, 'other')",
               "true\ttrue\tnil");
    run_lua(&f, "J = P.create(M, C, 'other', 'sounds/knock')");
    assert_lua(&f, "select('#', P.instances(M, C)), select('#', P.instance_ids(M, C))", "2\t2");
    assert_lua(&f, "P.lookup(M, C, (select(2, P.instance_ids(M, C)))) == J", "true");
    run_lua(&f, "P.destroy(M, I)");
    assert_lua(&f, "P.instances(M, C) == J", "true");
    assert_lua_error(&f, "P.play(M, I)",
                     "SoundSourceComponent.play: argument 2 (instance): expected the instance of a "
                     "sound_source component, got a destroyed one");
    run_lua(&f, "P.destroy_all(M, C) P.destroy_all(M, C)");
    assert_lua(&f, "select('#', P.instances(M, C))", "0");
}

static void refuses_what_it_cannot_make(void **state) {
    (void)state;
    assert_lua_error(&f, "P.create(M, C, 'hum', 'sounds/hum')",
                     "SoundSourceComponent.create: argument 3 (id): the entity already has a "
                     "sound_source component with the id");
    assert_lua_error(&f, "P.create(M, C, 'x', 'sounds/hun')", "argument 4 (event)");
    assert_lua_error(&f, "P.get_property_by_id(M, C, 'x', 'event')",
                     "the entity has no sound_source component with the id");
    run_lua(&f, "V = Application.new_world() U = World.spawn_unit(V, 'units/crate')");
    assert_lua_error(&f, "P.create(M, U, 'x', 'sounds/hum')", "argument 2 (entity)");
}

static void plays_and_stops(void **state) {
    (void)state;
    assert_lua(&f, "P.is_playing(M, I), P.sound(M, I)", "false\tnil");
    run_lua(&f, "s = P.play(M, I) run(0.1)");
    assert_lua(&f, "P.is_playing(M, I), P.sound(M, I) == s, S.is_playing(s)", "true\ttrue\ttrue");
    run_lua(&f, "second = P.play(M, I) run(0.2)");
    assert_lua(&f, "S.is_playing(s), P.sound(M, I) == second", "false\ttrue");
    run_lua(&f, "P.stop(M, I, 0) run(0.1)");
    assert_lua(&f, "P.is_playing(M, I), P.sound(M, I), S.num_instances(W)", "false\tnil\t0");
    assert_lua_error(&f, "P.stop(M, I, -1)", "argument 3 (fade)");
}

static void plays_on_nodes(void **state) {
    (void)state;
    run_lua(&f, "R = World.spawn_unit(W, 'units/robot', Vector3(0, 7, 0)) "
                "P.play(M, P.create(M, R, 'x', 'sounds/hum', 'n2'))");
    assert_float_equal(only_x(), 2, 1e-4f);
}

static void sets_parameters_for_good(void **state) {
    (void)state;
    run_lua(&f, "P.set_parameter(M, I, 'force', 2) P.set_parameter(M, I, 'material', 'steel') "
                "s = P.play(M, I)");
    assert_lua_error(&f, "P.set_parameter(M, I, 'froce', 2)",
                     "SoundSourceComponent.set_parameter: argument 3 (name): the event has no "
                     "parameter \"froce\", did you mean \"force\"?");
    assert_lua_error(&f, "P.set_parameter(M, I, 'force', 'x')", "argument 4 (value)");
    const ct_sound_world *const w = ct_world_sounds(ct_world_system_world(f.world.system, 1));
    const ct_sound_instance_info info = ct_sound_world_info(w, 0);
    const ct_sound_parameter *const force = ct_sound_parameter_find(
        ct_sound_system_parameters(f.world.sound), info.parameters, ct_string_id32_of("force"));
    assert_non_null(force);
    assert_float_equal(force->value.number, 2, 0);
}

static void has_the_fields_of_unit_sources_as_properties(void **state) {
    (void)state;
    assert_lua(&f,
               "IdString64.equal(P.get_property(M, I, 'event'), IdString64('sounds/hum')), "
               "P.get_property(M, I, 'orphaned'), P.get_property(M, I, 'plays_at_spawn'), "
               "P.get_property(M, I, 'volume')",
               "true\tstop\tfalse\t0");
    run_lua(&f, "s = P.play(M, I) P.set_property(M, I, 'position', Vector3(4, 0, 0)) "
                "P.set_property(M, I, 'volume', -6)");
    assert_float_equal(only_x(), 5, 1e-4f);
    assert_lua(&f, "P.set_property_by_id(M, C, 'hum', 'orphaned', 'detach') == I", "true");
    run_lua(&f, "World.destroy_unit(W, C) run(0.2)");
    assert_lua(&f, "S.is_playing(s)", "true");
}

static void refuses_wrong_properties(void **state) {
    (void)state;
    assert_lua_error(&f, "P.get_property(M, I, 'evnt')", "did you mean \"event\"?");
    assert_lua_error(&f, "P.set_property(M, I, 'node', 'n1')",
                     "the property \"node\" cannot be set; make another component");
    assert_lua_error(&f, "P.set_property(M, I, 'event', 'sounds/none')", "argument 4 (value)");
    assert_lua_error(&f, "P.set_property(M, I, 'volume', 30)", "argument 4 (value)");
}

static void an_instance_ends_with_its_unit(void **state) {
    (void)state;
    run_lua(&f, "s = P.play(M, I) run(0.1) World.destroy_unit(W, C)");
    assert_lua_error(&f, "P.play(M, I)", "argument 2 (instance)");
    run_lua(&f, "run(0.2)");
    assert_lua(&f, "S.is_playing(s)", "false");
}

static void a_behaviour_hears_of_the_end(void **state) {
    (void)state;
    load_script(&f, "behaviours/ears", "return {sound_ended = function(self, i) heard = i end}");
    run_lua(&f, "ScriptComponent.create(EntityManager.script_component(W), C, 'ears', "
                "'behaviours/ears') s = P.play(M, I) P.stop(M, I) run(0.3)");
    assert_lua(&f, "heard == s", "true");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        COMPONENT_TEST(makes_finds_and_destroys),
        COMPONENT_TEST(refuses_what_it_cannot_make),
        COMPONENT_TEST(plays_and_stops),
        COMPONENT_TEST(plays_on_nodes),
        COMPONENT_TEST(sets_parameters_for_good),
        COMPONENT_TEST(has_the_fields_of_unit_sources_as_properties),
        COMPONENT_TEST(refuses_wrong_properties),
        COMPONENT_TEST(an_instance_ends_with_its_unit),
        COMPONENT_TEST(a_behaviour_hears_of_the_end),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
