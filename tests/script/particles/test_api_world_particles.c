// Functions of World for particle effects, and the behaviours that hear of their ends.
#include "script/api_fixture.h"

static int set_up_particles(void **state) {
    set_up(state);
    run_lua(&f,
            "function run(seconds) for i = 1, seconds * 10 + 0.5 do World.update(W, 0.1) end end "
            "function start(x, ...) return World.create_particles(W, 'effects/dust', "
            "  Vector3(x or 0, 0, 0), ...) end "
            "function near(a, b) return math.abs(a - b) <= 2 end "
            "function playing(e) return World.are_particles_playing(W, e) end "
            "function at(e) local p = World.particles_position(W, e) "
            "  return p and string.format('%g %g %g', p.x, p.y, p.z) end");
    return 0;
}

#define PARTICLES_TEST(test) cmocka_unit_test_setup_teardown(test, set_up_particles, tear_down)

// --- Life of effects -----------------------------------------------------------------------------

static void starts_stops_and_ends_effects(void **state) {
    (void)state;
    run_lua(&f, "e = start() run(0.5)");
    assert_lua(&f, "playing(e), near(World.num_particles(W, e), 50)", "true\ttrue");
    run_lua(&f, "World.stop_spawning_particles(W, e) run(0.5)");
    assert_lua(&f, "playing(e), near(World.num_particles(W, e), 50)", "true\ttrue");
    run_lua(&f, "run(1)");
    assert_lua(&f, "playing(e), World.num_particles(W, e), at(e)", "false\t0\tnil");
    run_lua(&f, "e = start() run(0.5) World.destroy_particles(W, e)");
    assert_lua(&f, "playing(e), World.num_particles(W)", "false\t0");
}

static void counts_particles(void **state) {
    (void)state;
    run_lua(&f, "a, b = start(), start() run(0.5)");
    assert_lua(&f,
               "near(World.num_particles(W), 100), near(World.num_particles(W, a), 50), "
               "near(World.num_particles(W, a, 1), 50), World.num_particles(W, a, 2)",
               "true\ttrue\ttrue\t0");
    assert_lua_error(&f, "World.num_particles(W, nil, 1)",
                     "World.num_particles: argument 2 (effect_id): expected the effect whose "
                     "emitter is counted, got nil");
    assert_lua_error(&f, "World.num_particles(W, a, 0)", "argument 3 (cloud_index): expected");
}

static void ids_of_ended_effects_do_nothing(void **state) {
    (void)state;
    run_lua(&f, "e = start() World.destroy_particles(W, e) other = start(3)");
    run_lua(&f, "World.move_particles(W, e, Vector3(1, 2, 3)) World.seek_particles(W, e, 1) "
                "World.teleport_particles(W, e, Vector3(1, 2, 3)) "
                "World.stop_spawning_particles(W, e) World.destroy_particles(W, e) "
                "World.set_particles_variable(W, e, 1, 3) World.link_particles(W, e, C) "
                "World.unlink_particles(W, e) World.destroy_particles(W, 0) run(0.2)");
    assert_lua(&f, "playing(e), playing(other), at(other)", "false\ttrue\t3 0 0");
    assert_lua_error(&f, "World.destroy_particles(W, -1)",
                     "World.destroy_particles: argument 2 (effect_id): expected an integer");
    assert_lua_error(&f, "World.destroy_particles(W, 1.5)", "argument 2 (effect_id)");
    assert_lua_error(&f, "World.destroy_particles(W, 0/0)", "argument 2 (effect_id)");
    assert_lua_error(&f, "World.destroy_particles(W, 2^40)", "argument 2 (effect_id)");
    assert_lua_error(&f, "World.destroy_particles(W)", "argument 2 (effect_id)");
}

static void refuses_what_it_cannot_start(void **state) {
    (void)state;
    assert_lua_error(&f, "World.create_particles(W, 'effects/dus', Vector3(0, 0, 0))",
                     "World.create_particles: argument 2 (effect_name)");
    assert_lua_error(&f, "start(1e8)",
                     "argument 3 (position): expected a position of numbers from -1e+07 to 1e+07");
    assert_lua_error(&f, "start(0, nil, Vector3(1, 1e9, 1))", "argument 5 (scale)");
    assert_lua_error(&f, "start(0, nil, nil, -3)", "argument 6 (seed)");
    assert_lua(&f, "World.num_particles(W)", "0");
}

static void a_seed_repeats_an_effect(void **state) {
    (void)state;
    run_lua(&f, "a, b = start(0, nil, nil, 7), start(0, nil, nil, 7) run(1)");
    ct_world *const world = ct_world_system_world(f.world.system, 1);
    ct_particle_world *const particles = ct_world_particles(world);
    const ct_particle_effect_id a = {(uint32_t)atof(run_lua(&f, "return a"))};
    const ct_particle_effect_id b = {(uint32_t)atof(run_lua(&f, "return b"))};
    assert_int_not_equal(ct_particles_hash(particles, a), 0);
    assert_true(ct_particles_hash(particles, a) == ct_particles_hash(particles, b));
}

static void seeks(void **state) {
    (void)state;
    run_lua(&f, "e = start() World.seek_particles(W, e, 0.5)");
    assert_lua(&f, "near(World.num_particles(W, e), 50)", "true");
    run_lua(&f, "World.seek_particles(W, e, 0)");
    assert_lua(&f, "World.num_particles(W, e)", "0");
    assert_lua_error(&f, "World.seek_particles(W, e, 601)", "argument 3 (seconds)");
    assert_lua_error(&f, "World.seek_particles(W, e, 0/0)", "argument 3 (seconds)");
}

static void takes_an_hour_in_one_step(void **state) {
    (void)state;
    run_lua(&f, "e = start() World.update(W, 3600)");
    assert_lua(&f, "near(World.num_particles(W, e), 100)", "true");
}

// --- Places --------------------------------------------------------------------------------------

static void moves_effects(void **state) {
    (void)state;
    run_lua(&f, "e = start(1)");
    assert_lua(&f, "at(e)", "1 0 0");
    run_lua(&f, "World.move_particles(W, e, Vector3(4, 5, 6))");
    assert_lua(&f, "at(e)", "4 5 6");
    run_lua(&f, "World.teleport_particles(W, e, Vector3(7, 8, 9), Quaternion.identity(), "
                "Vector3(2, 2, 2)) run(0.1)");
    assert_lua(&f, "at(e)", "7 8 9");
}

static void links_effects_to_units(void **state) {
    (void)state;
    run_lua(&f, "e, far = start(), start(40) World.link_particles(W, e, C) "
                "World.link_particles(W, far, C, 1, Matrix4x4.from_translation(Vector3(0, 0, 5)))");
    assert_lua(&f, "at(e), at(far)", "1 2 3\t1 2 8");
    run_lua(&f, "Unit.set_local_position(C, 1, Vector3(4, 2, 3)) World.update(W, 0.1)");
    assert_lua(&f, "at(e), at(far)", "4 2 3\t4 2 8");
    run_lua(&f, "World.unlink_particles(W, e) World.move_particles(W, far, Vector3(0, 0, 0)) "
                "Unit.set_local_position(C, 1, Vector3(9, 9, 9)) World.update(W, 0.1)");
    assert_lua(&f, "at(e), at(far)", "4 2 3\t0 0 0");
}

static void links_effects_to_nodes(void **state) {
    (void)state;
    run_lua(&f, "R = World.spawn_unit(W, 'units/robot', Vector3(0, 7, 0)) e = start() "
                "World.link_particles(W, e, R, Unit.node(R, 'n2'))");
    assert_lua(&f, "at(e)", "2 7 0");
    run_lua(&f, "Unit.set_local_position(R, Unit.node(R, 'n1'), Vector3(1, 1, 0)) "
                "World.update(W, 0.1)");
    assert_lua(&f, "at(e)", "2 8 0");
}

static void a_destroyed_unit_decides_about_its_effects(void **state) {
    (void)state;
    run_lua(&f, "a, b, c = start(), start(), start() "
                "World.link_particles(W, a, C, 1, nil, 'stop') "
                "World.link_particles(W, b, C, 1, nil, 'destroy') "
                "World.link_particles(W, c, C, 1, nil, 'detach') run(0.5) "
                "World.destroy_unit(W, C)");
    assert_lua(&f, "playing(a), playing(b), playing(c)", "true\tfalse\ttrue");
    run_lua(&f, "run(1.5)");
    assert_lua(&f, "playing(a), playing(c), near(World.num_particles(W, c), 100)",
               "false\ttrue\ttrue");
}

static void refuses_wrong_links(void **state) {
    (void)state;
    run_lua(&f, "e = start() V = Application.new_world() "
                "U = World.spawn_unit(V, 'units/crate', Vector3(0, 0, 0))");
    assert_lua_error(&f, "World.link_particles(W, e, C, 1, nil, 'detached')",
                     "World.link_particles: argument 6 (orphaned_policy): expected \"stop\" or "
                     "\"destroy\" or \"detach\", got \"detached\"");
    assert_lua_error(&f, "World.link_particles(W, e, C, 99)", "argument 4 (object)");
    assert_lua_error(&f, "World.link_particles(W, e, U)", "argument 3 (unit)");
    assert_lua_error(&f, "World.link_particles(W, e, nil)", "argument 3 (unit)");
}

static void particles_end_with_their_world(void **state) {
    (void)state;
    run_lua(&f, "V = Application.new_world() "
                "e = World.create_particles(V, 'effects/dust', Vector3(0, 0, 0)) "
                "field = World.vector_field(V, 'wind') World.update(V, 1) "
                "Application.release_world(V)");
    assert_lua_error(&f, "World.are_particles_playing(V, e)", "World");
    assert_lua_error(&f, "VectorField.remove(field, 1)", "VectorField");
}

// --- Variables -----------------------------------------------------------------------------------

static void sets_variables_by_number(void **state) {
    (void)state;
    assert_lua(&f, "World.find_particles_variable(W, 'effects/dust', 'strength')", "1");
    run_lua(&f, "e = start() World.set_particles_variable(W, e, 1, 2) run(0.5)");
    assert_lua(&f, "near(World.num_particles(W, e), 100)", "true");
    run_lua(&f, "World.set_particles_variable(W, e, 1, Vector3(0, 0, 0)) run(1.2)");
    assert_lua(&f, "World.num_particles(W, e)", "0");
    run_lua(&f, "World.set_particles_variable(W, e, 9, 2)"); // there is no such variable
    assert_lua_error(&f, "World.find_particles_variable(W, 'effects/dust', 'strenght')",
                     "World.find_particles_variable: argument 3 (variable_name): the effect "
                     "has no variable \"strenght\", did you mean \"strength\"?");
    assert_lua_error(&f, "World.set_particles_variable(W, e, 1, 'much')",
                     "expected number, Vector2, Vector3 or Vector4, got string");
    assert_lua_error(&f, "World.set_particles_variable(W, e, 1, 0/0)", "argument 4 (value)");
    assert_lua_error(&f, "World.set_particles_variable(W, e, 0, 1)", "argument 3 (variable_index)");
}

static void sets_the_collision_filter(void **state) {
    (void)state;
    run_lua(&f, "World.set_particles_collision_filter(W, 'default')");
    assert_lua_error(&f, "World.set_particles_collision_filter(W, 'defaul')",
                     "did you mean \"default\"?");
}

// --- Ends ----------------------------------------------------------------------------------------

static void tells_behaviours_of_ends(void **state) {
    (void)state;
    load_script(&f, "behaviours/smoker",
                "local S = {} ended = {} "
                "function S.particles_ended(self, effect) "
                "  ended[#ended + 1] = {self.entity, effect} "
                "  if destroy then World.destroy_unit(W, C) end end "
                "return S");
    run_lua(&f, "s = EntityManager.script_component(W) "
                "ScriptComponent.create(s, C, 'smoker', 'behaviours/smoker') "
                "a, b = start(), start() World.link_particles(W, a, C) "
                "World.stop_spawning_particles(W, a) World.stop_spawning_particles(W, b) run(0.2)");
    assert_lua(&f, "#ended, ended[1][1] == C, ended[1][2] == a", "1\ttrue\ttrue");
    // What was destroyed, or is not linked, is not told; nor what ends with the unit.
    run_lua(&f, "a, b = start(), start() World.link_particles(W, a, C) "
                "World.link_particles(W, b, C) run(0.5) World.destroy_particles(W, a) "
                "World.destroy_unit(W, C) run(2)");
    assert_lua(&f, "#ended, playing(b)", "1\tfalse");
}

static void a_behaviour_may_destroy_its_unit(void **state) {
    (void)state;
    load_script(&f, "behaviours/smoker",
                "return {particles_ended = function(self, effect) heard = (heard or 0) + 1 "
                "World.destroy_unit(W, C) end}");
    run_lua(&f, "ScriptComponent.create(EntityManager.script_component(W), C, 'smoker', "
                "'behaviours/smoker') for i = 1, 3 do local e = start() "
                "World.link_particles(W, e, C) World.stop_spawning_particles(W, e) end run(0.2)");
    assert_lua(&f, "heard", "1");
}

// --- New data ------------------------------------------------------------------------------------

// An effect that is saved while it plays keeps its particles and its links.
static void keeps_playing_when_an_effect_is_saved(void **state) {
    (void)state;
    run_lua(&f, "e = start() World.link_particles(W, e, C) run(1)");
    assert_lua(&f, "near(World.num_particles(W, e), 100)", "true");
    save_particles(&f, dust_effect(300), "effects/dust");
    const ct_resource_id id = ct_resource_id_of("particles", "effects/dust");
    assert_int_equal(ct_resource_manager_reload(f.world.resources, &id, 1), 1);
    assert_lua(&f, "near(World.num_particles(W, e), 100)", "true");
    run_lua(&f, "Unit.set_local_position(C, 1, Vector3(4, 2, 3)) run(1.2)");
    assert_lua(&f, "playing(e), near(World.num_particles(W, e), 300), at(e)", "true\ttrue\t4 2 3");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        PARTICLES_TEST(starts_stops_and_ends_effects),
        PARTICLES_TEST(counts_particles),
        PARTICLES_TEST(ids_of_ended_effects_do_nothing),
        PARTICLES_TEST(refuses_what_it_cannot_start),
        PARTICLES_TEST(a_seed_repeats_an_effect),
        PARTICLES_TEST(seeks),
        PARTICLES_TEST(takes_an_hour_in_one_step),
        PARTICLES_TEST(moves_effects),
        PARTICLES_TEST(links_effects_to_units),
        PARTICLES_TEST(links_effects_to_nodes),
        PARTICLES_TEST(a_destroyed_unit_decides_about_its_effects),
        PARTICLES_TEST(refuses_wrong_links),
        PARTICLES_TEST(particles_end_with_their_world),
        PARTICLES_TEST(sets_variables_by_number),
        PARTICLES_TEST(sets_the_collision_filter),
        PARTICLES_TEST(tells_behaviours_of_ends),
        PARTICLES_TEST(a_behaviour_may_destroy_its_unit),
        PARTICLES_TEST(keeps_playing_when_an_effect_is_saved),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
