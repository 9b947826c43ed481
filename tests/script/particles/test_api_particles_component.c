#include "script/api_fixture.h"

static int set_up_component(void **state) {
    set_up(state);
    run_lua(&f,
            "P, M = ParticlesComponent, EntityManager.particles_component(W) "
            "function run(seconds) for i = 1, seconds * 10 + 0.5 do World.update(W, 0.1) end end "
            "function near(a, b) return math.abs(a - b) <= 2 end "
            "function count(i) return World.num_particles(W, P.effect(M, i)) end "
            "I = P.create(M, C, 'dust', 'effects/dust')");
    return 0;
}

#define COMPONENT_TEST(test) cmocka_unit_test_setup_teardown(test, set_up_component, tear_down)

static void makes_finds_and_destroys(void **state) {
    (void)state;
    assert_lua(&f, "P.instances(M, C) == I, P.lookup(M, C, 'dust') == I, P.lookup(M, C, 'smoke')",
               "true\ttrue\tnil");
    run_lua(&f, "J = P.create(M, C, 'smoke', 'effects/dust')");
    assert_lua(&f, "select('#', P.instances(M, C)), select('#', P.instance_ids(M, C))", "2\t2");
    assert_lua(&f, "P.lookup(M, C, (select(2, P.instance_ids(M, C)))) == J", "true");
    run_lua(&f, "P.destroy(M, I)");
    assert_lua(&f, "P.instances(M, C) == J", "true");
    assert_lua_error(&f, "P.play(M, I)",
                     "ParticlesComponent.play: argument 2 (instance): expected the instance of a "
                     "particles component, got a destroyed one");
    run_lua(&f, "P.destroy_all(M, C) P.destroy_all(M, C)");
    assert_lua(&f, "select('#', P.instances(M, C))", "0");
}

static void refuses_what_it_cannot_make(void **state) {
    (void)state;
    assert_lua_error(&f, "P.create(M, C, 'dust', 'effects/dust')",
                     "ParticlesComponent.create: argument 3 (id): the entity already has a "
                     "particles component with the id");
    assert_lua_error(&f, "P.create(M, C, 'x', 'effects/dost')", "argument 4 (effect)");
    assert_lua_error(&f, "P.get_property_by_id(M, C, 'x', 'effect')",
                     "the entity has no particles component with the id");
    run_lua(&f, "V = Application.new_world() U = World.spawn_unit(V, 'units/crate')");
    assert_lua_error(&f, "P.create(M, U, 'x', 'effects/dust')", "argument 2 (entity)");
}

static void plays_and_stops(void **state) {
    (void)state;
    assert_lua(&f, "P.is_playing(M, I), P.effect(M, I)", "false\tnil");
    run_lua(&f, "e = P.play(M, I) run(0.5)");
    assert_lua(&f, "P.is_playing(M, I), P.effect(M, I) == e, near(count(I), 50)",
               "true\ttrue\ttrue");
    run_lua(&f, "second = P.play(M, I) run(0.5)");
    assert_lua(&f,
               "second == e, P.effect(M, I) == second, World.are_particles_playing(W, e), "
               "near(count(I), 50)",
               "false\ttrue\ttrue\ttrue");
    run_lua(&f, "P.stop(M, I) run(1.2)");
    assert_lua(&f, "P.is_playing(M, I), P.effect(M, I), World.num_particles(W)", "false\tnil\t0");
}

static void plays_on_nodes(void **state) {
    (void)state;
    run_lua(&f, "R = World.spawn_unit(W, 'units/robot', Vector3(0, 7, 0)) "
                "e = P.play(M, P.create(M, R, 'x', 'effects/dust', 'n2'))");
    assert_lua(&f, "parts(World.particles_position(W, e))", "2\t7\t0");
}

static void sets_variables_for_good(void **state) {
    (void)state;
    run_lua(&f, "P.set_variable(M, I, 'strength', 2) P.play(M, I) run(0.5)");
    assert_lua(&f, "near(count(I), 100)", "true");
    run_lua(&f, "P.set_variable(M, I, 'strength', 0.5) run(1) P.play(M, I) run(1)");
    assert_lua(&f, "near(count(I), 50)", "true");
    assert_lua_error(&f, "P.set_variable(M, I, 'strenght', 2)",
                     "ParticlesComponent.set_variable: argument 3 (variable): the effect has no "
                     "variable \"strenght\", did you mean \"strength\"?");
    assert_lua_error(&f, "P.set_variable(M, I, 'strength', 0/0)", "argument 4 (value)");
    assert_lua_error(&f, "P.set_variable(M, I, 'strength', true)", "argument 4 (value)");
}

static void has_the_fields_of_unit_sources_as_properties(void **state) {
    (void)state;
    assert_lua(&f,
               "IdString64.equal(P.get_property(M, I, 'effect'), IdString64('effects/dust')), "
               "P.get_property(M, I, 'orphaned'), P.get_property(M, I, 'plays_at_spawn')",
               "true\tstop\tfalse");
    run_lua(&f, "e = P.play(M, I) P.set_property(M, I, 'position', Vector3(0, 0, 4))");
    assert_lua(&f, "parts(World.particles_position(W, e))", "1\t2\t7");
    assert_lua(&f, "P.set_property_by_id(M, C, 'dust', 'orphaned', 'destroy') == I", "true");
    run_lua(&f, "World.destroy_unit(W, C)");
    assert_lua(&f, "World.are_particles_playing(W, e)", "false");
}

static void refuses_wrong_properties(void **state) {
    (void)state;
    assert_lua_error(&f, "P.get_property(M, I, 'efect')", "did you mean \"effect\"?");
    assert_lua_error(&f, "P.set_property(M, I, 'node', 'n1')",
                     "the property \"node\" cannot be set; make another component");
    assert_lua_error(&f, "P.set_property(M, I, 'effect', 'effects/none')", "argument 4 (value)");
    assert_lua_error(&f, "P.set_property(M, I, 'orphaned', 'explode')", "argument 4 (value)");
    assert_lua_error(&f, "P.set_property(M, I, 'position', Vector3(0/0, 0, 0))",
                     "argument 4 (value)");
}

static void an_instance_ends_with_its_unit(void **state) {
    (void)state;
    run_lua(&f, "e = P.play(M, I) run(0.5) World.destroy_unit(W, C)");
    assert_lua_error(&f, "P.play(M, I)", "argument 2 (instance)");
    assert_lua(&f, "World.are_particles_playing(W, e)", "true");
    run_lua(&f, "run(1.2)");
    assert_lua(&f, "World.are_particles_playing(W, e)", "false");
}

static void a_behaviour_hears_of_the_end(void **state) {
    (void)state;
    load_script(&f, "behaviours/smoker",
                "return {particles_ended = function(self, effect) heard = effect end}");
    run_lua(&f, "ScriptComponent.create(EntityManager.script_component(W), C, 'smoker', "
                "'behaviours/smoker') e = P.play(M, I) P.stop(M, I) run(0.3)");
    assert_lua(&f, "heard == e", "true");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        COMPONENT_TEST(makes_finds_and_destroys),
        COMPONENT_TEST(refuses_what_it_cannot_make),
        COMPONENT_TEST(plays_and_stops),
        COMPONENT_TEST(plays_on_nodes),
        COMPONENT_TEST(sets_variables_for_good),
        COMPONENT_TEST(has_the_fields_of_unit_sources_as_properties),
        COMPONENT_TEST(refuses_wrong_properties),
        COMPONENT_TEST(an_instance_ends_with_its_unit),
        COMPONENT_TEST(a_behaviour_hears_of_the_end),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
