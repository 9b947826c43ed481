// Characters without a state machine: the two animation components, clips that fade into each
// other, root motion, joints, curves and events.
#include "script/animation/animation_fixture.h"

// Lua finds the globals of api_fixture.h, and R: a robot, B and M: the components.
static int set_up_characters(void **state) {
    set_up(state);
    load_animations(&f);
    run_lua(&f, "R = World.spawn_unit(W, 'units/robot') "
                "B = EntityManager.animation_blender_component(W) "
                "M = EntityManager.animation_state_machine_component(W) "
                "function animate(unit) "
                "  local i = AnimationBlenderComponent.create(B, unit, 'body') "
                "  AnimationBlenderComponent.set_property(B, i, 'skeleton', 'models/stick') "
                "  AnimationBlenderComponent.set_property(B, i, 'is_always_posed', true) "
                "  return i end "
                "function near(a, b) return math.abs(a - b) < 1e-3 end "
                "function names(events) local t = {} for i, e in ipairs(events) do "
                "  t[i] = string.format('%s %.2f', e.name, e.time) end "
                "  return table.concat(t, ', ') end");
    return 0;
}

#define CHARACTER_TEST(test) cmocka_unit_test_setup_teardown(test, set_up_characters, tear_down)

// --- Instances -----------------------------------------------------------------------------------

static void makes_finds_and_destroys(void **state) {
    (void)state;
    assert_lua(&f, "Unit.has_animation_blender(R)", "false");
    run_lua(&f, "i = animate(R)");
    assert_lua(&f, "Unit.has_animation_blender(R), Unit.has_animation_state_machine(R)",
               "true\tfalse");
    assert_lua(&f, "AnimationBlenderComponent.instances(B, R) == i", "true");
    assert_lua(&f, "AnimationStateMachineComponent.instances(M, R) == i", "true");
    assert_lua(&f, "AnimationBlenderComponent.lookup(B, R, 'body') == i", "true");
    assert_lua(&f, "AnimationStateMachineComponent.lookup(M, R, 'legs')", "nil");
    assert_lua(
        &f,
        "AnimationBlenderComponent.lookup(B, R, AnimationBlenderComponent.instance_ids(B, R)) == i",
        "true");
    run_lua(&f, "AnimationStateMachineComponent.destroy(M, i)");
    assert_lua(&f, "select('#', AnimationBlenderComponent.instances(B, R))", "0");
    run_lua(&f, "animate(R) AnimationBlenderComponent.destroy_all(B, R) "
                "AnimationBlenderComponent.destroy_all(B, R)");
    assert_lua(&f, "Unit.has_animation_blender(R)", "false");
    assert_lua_error(&f, "AnimationBlenderComponent.destroy(B, i)",
                     "AnimationBlenderComponent.destroy: argument 2 (instance): expected the "
                     "instance of a component of the type animation, got a destroyed one");
}

static void refuses_a_second_component(void **state) {
    (void)state;
    run_lua(&f, "animate(R)");
    assert_lua_error(&f, "AnimationStateMachineComponent.create(M, R, 'more')",
                     "AnimationStateMachineComponent.create: argument 2 (entity): expected an "
                     "entity without a component of the type animation, got one with one");
}

static void has_the_fields_of_unit_sources_as_properties(void **state) {
    (void)state;
    run_lua(&f, "i = animate(R)");
    assert_lua(&f,
               "IdString64.equal(AnimationBlenderComponent.get_property(B, i, 'skeleton'), "
               "'models/stick')",
               "true");
    assert_lua(&f, "AnimationBlenderComponent.get_property(B, i, 'root_mode')", "ignore");
    run_lua(&f, "AnimationBlenderComponent.set_property_by_id(B, R, 'body', 'root_mode', "
                "'delta_pose')");
    assert_lua(&f, "Unit.animation_root_mode(R)", "delta_pose");
    assert_lua(&f,
               "AnimationStateMachineComponent.get_property_by_id(M, R, 'body', "
               "'is_always_posed')",
               "true");
    assert_lua_error(&f, "AnimationBlenderComponent.get_property(B, i, 'root_mod')",
                     "an animation has no property \"root_mod\", did you mean \"root_mode\"?");
    assert_lua_error(&f, "AnimationBlenderComponent.set_property(B, i, 'skeleton', 'models/stik')",
                     "argument 4 (value): there is no skeleton \"models/stik\"");
    assert_lua_error(&f, "AnimationBlenderComponent.get_property_by_id(B, R, 'legs', 'skeleton')",
                     "argument 3 (id): the entity has no component of the type animation with the "
                     "id legs");
}

static void names_what_lacks(void **state) {
    (void)state;
    assert_lua_error(&f, "Unit.animation_root_mode(R)",
                     "Unit.animation_root_mode: argument 1 (self): expected a unit with a "
                     "component of the type animation, got one without");
    run_lua(&f, "animate(R)");
    assert_lua_error(&f, "Unit.animation_event(R, 'jump')",
                     "Unit.animation_event: argument 1 (self): the unit has no state machine; set "
                     "state_machine of its component animation, or call "
                     "Unit.set_animation_state_machine");
    assert_lua(&f, "Unit.has_animation_event(R, 'jump'), Unit.animation_has_variable(R, 'speed')",
               "false\tfalse");
    assert_lua_error(&f, "Unit.set_animation_root_mode(R, 'all')",
                     "argument 2 (mode): expected \"ignore\" or \"delta_position\" or "
                     "\"delta_rotation\" or \"delta_pose\", got \"all\"");
    assert_lua_error(&f, "Unit.crossfade_animation(R, 'clips/wlak')",
                     "argument 2 (animation): there is no animation \"clips/wlak\"");
    assert_lua_error(&f, "Unit.crossfade_animation(R, 'clips/walk', 17)",
                     "argument 3 (layer): expected an integer from 1 to 16, got 17");
}

// The modules share functions, but each takes its own component, and Unit takes units.
static void takes_the_component_of_the_module(void **state) {
    (void)state;
    run_lua(&f, "animate(R)");
    assert_lua_error(&f, "AnimationStateMachineComponent.instances(B, R)",
                     "AnimationStateMachineComponent.instances: argument 1 (self): expected "
                     "AnimationStateMachineComponent, got AnimationBlenderComponent");
    assert_lua_error(&f, "AnimationBlenderComponent.bone_mode(M, R)",
                     "AnimationBlenderComponent.bone_mode: argument 1 (self): expected "
                     "AnimationBlenderComponent, got AnimationStateMachineComponent");
    assert_lua_error(&f, "AnimationBlenderComponent.bone_mode(R)", "argument 1 (self): expected");
    assert_lua_error(&f, "Unit.animation_bone_mode(B, R)", "argument 1 (self): expected");
    assert_lua(&f, "AnimationBlenderComponent.bone_mode(B, R), Unit.animation_bone_mode(R)",
               "transform\ttransform");
}

// --- Clips ---------------------------------------------------------------------------------------

static void plays_clips(void **state) {
    (void)state;
    run_lua(&f, "animate(R) id = Unit.crossfade_animation(R, 'clips/wave') World.update(W, 0.5)");
    assert_lua(&f, "near(Unit.local_position(R, 4).z, 1.5)", "true");
    assert_lua(&f, "Unit.crossfade_animation_set_time(R, id, 0.25)", "true");
    run_lua(&f, "World.update(W, 0)");
    assert_lua(&f, "near(Unit.local_position(R, 4).z, 1.25)", "true");
    assert_lua(&f, "Unit.crossfade_animation_set_speed(R, id, 2)", "true");
    run_lua(&f, "World.update(W, 0.25)");
    assert_lua(&f, "near(Unit.local_position(R, 4).z, 1.75)", "true");
    assert_lua(&f, "Unit.is_crossfading_animation(R)", "false");
    run_lua(&f, "Unit.crossfade_animation(R, 'clips/idle', nil, 1, true) World.update(W, 0.5)");
    assert_lua(&f, "Unit.is_crossfading_animation(R)", "true");
    run_lua(&f, "World.update(W, 1)");
    assert_lua(&f, "Unit.crossfade_animation_set_speed(R, id, 1)", "false"); // it has ended
    assert_lua(&f, "near(Unit.local_position(R, 4).z, 1)", "true");
    assert_lua(&f, "Unit.animation_get_length('clips/walk')", "1");
}

static void poses_before_the_first_update(void **state) {
    (void)state;
    run_lua(&f, "animate(R) id = Unit.crossfade_animation(R, 'clips/wave') "
                "Unit.crossfade_animation_set_time(R, id, 0.5) "
                "AnimationBlenderComponent.spawned(B, {R})");
    assert_lua(&f, "near(Unit.local_position(R, 2).z, 1)", "true");
    assert_lua_error(&f, "AnimationBlenderComponent.spawned(B, {1})", "argument 2 (entities)");
}

static void writes_only_what_the_bone_mode_says(void **state) {
    (void)state;
    run_lua(&f, "animate(R) Unit.set_animation_bone_mode(R, 'rotation') "
                "Unit.crossfade_animation(R, 'clips/wave') World.update(W, 0.5)");
    assert_lua(&f, "Unit.animation_bone_mode(R), Unit.local_position(R, 4).z", "rotation\t1");
    run_lua(&f, "Unit.set_animation_bone_mode(R, 'transform') Unit.set_bones_lod(R, 2) "
                "World.update(W, 0.25)");
    assert_lua(&f, "near(Unit.local_position(R, 3).z, 1)", "true");
    assert_lua(&f, "near(Unit.local_position(R, 4).z, 1.75)", "false");
    run_lua(&f, "Unit.set_bones_lod(R, 0) World.update(W, 0)");
    assert_lua(&f, "near(Unit.local_position(R, 4).z, 1.75)", "true");
}

static void lists_joints(void **state) {
    (void)state;
    run_lua(&f, "animate(R)");
    assert_lua(&f, "table.concat(Unit.bones(R), ' ')", "n1 n2 n3");
    assert_lua_error(&f,
                     "AnimationBlenderComponent.set_property_by_id(B, R, 'body', 'skeleton', nil) "
                     "Unit.bones(R)",
                     "is not loaded");
}

// --- Root motion, curves, events -----------------------------------------------------------------

static void gives_the_roots_motion(void **state) {
    (void)state;
    run_lua(&f, "animate(R) Unit.crossfade_animation(R, 'clips/walk', 1, 0, true) "
                "World.update(W, 0.25)");
    assert_lua(&f,
               "near(Matrix4x4.translation(AnimationBlenderComponent.delta_transform(B, R)).y, "
               "0.5)",
               "true");
    assert_lua(&f, "Unit.local_position(R, 1).y", "0");
    assert_lua(&f, "near(Matrix4x4.translation(Unit.animation_wanted_root_pose(R)).y, 0.5)",
               "true");
    // The unit's own rotation turns the way.
    run_lua(&f,
            "Unit.set_local_rotation(R, 1, Quaternion(Vector3(0, 0, 1), math.pi / 2)) "
            "local p = Matrix4x4.translation(Unit.animation_wanted_root_pose(R)) x, y = p.x, p.y "
            "Unit.set_local_rotation(R, 1, Quaternion.identity())");
    assert_lua(&f, "near(x, -0.5), near(y, 0)", "true\ttrue");
    run_lua(&f, "Unit.set_animation_root_mode(R, 'delta_position') World.update(W, 1.25)");
    assert_lua(&f, "near(Unit.local_position(R, 1).y, 2.5)", "true");
    assert_lua(&f, "near(Matrix4x4.translation(Unit.animation_wanted_root_pose(R)).y, 2.5)",
               "true");
}

static void gives_curves_that_play(void **state) {
    (void)state;
    run_lua(&f, "animate(R) Unit.crossfade_animation(R, 'clips/walk', 1, 0, true) "
                "World.update(W, 0.5) has, value = Unit.animation_get_curve_value(R, 'face', "
                "'smile', 1)");
    assert_lua(&f, "has, near(value, 0.5)", "true\ttrue");
    assert_lua(&f, "Unit.animation_get_curve_value(R, 'face', 'frown')", "false\t0");
    assert_lua_error(&f, "Unit.animation_get_curve_value(R, 'face', 'smile', 2)",
                     "argument 4 (float_index)");
}

static void samples_curves_without_playing(void **state) {
    (void)state;
    run_lua(&f, "K = AnimationCurves('clips/walk')");
    assert_lua(&f, "near(AnimationCurves.sample(K, 'face', 'smile', 0.25), 0.25)", "true");
    assert_lua(&f, "near(AnimationCurves.sample(K, 'face', 'smile', 0.25, true), 0.2)", "true");
    assert_lua(&f, "near(AnimationCurves.sample(K, 'face', 'smile', 0.3, true), 0.3)", "true");
    assert_lua(&f, "near(AnimationCurves.sample(K, 'face', 'smile', 99), 1)", "true");
    assert_lua(&f, "near(AnimationCurves.sample(K, 'face', 'smile', -1), 0)", "true");
    assert_lua_error(&f, "AnimationCurves.sample(K, 'face', 'frown', 0)",
                     "AnimationCurves.sample: argument 3 (parameter): the object \"face\" of the "
                     "animation has no curve \"frown\"");
    assert_lua_error(&f, "AnimationCurves.sample(K, 'hand', 'smile', 0)",
                     "argument 2 (object): the animation has no curves of an object \"hand\"");
    assert_lua_error(&f, "AnimationCurves.sample(K, 'face', 'smile', 0/0)", "argument 4 (time)");
    assert_lua_error(
        &f, "AnimationCurves('clips/none')",
        "AnimationCurves: argument 1 (resource): there is no animation \"clips/none\"");
}

static void lists_the_events_of_the_last_update(void **state) {
    (void)state;
    run_lua(&f, "animate(R) Unit.crossfade_animation(R, 'clips/walk', 1, 0, true) "
                "World.update(W, 0.5)");
    assert_lua(&f, "names(Unit.animation_events(R))", "left 0.25");
    run_lua(&f, "World.update(W, 0.1)");
    assert_lua(&f, "#Unit.animation_events(R)", "0");
    run_lua(&f, "World.update(W, 2)"); // from 0.6 to 2.6
    assert_lua(&f, "names(Unit.animation_events(R))",
               "right 0.15, left 0.65, right 1.15, left 1.65");
}

// --- Behaviours ----------------------------------------------------------------------------------

static const char foot[] = "local F = {} "
                           "function F.animation_event(self, event, time) "
                           "  heard[#heard + 1] = {name = event, time = time} "
                           "  if self.breaks then error('ouch') end "
                           "  if self.dies then World.destroy_unit(self.world, self.entity) end "
                           "end return F";

static void add_foot(void) {
    load_script(&f, "behaviours/foot", foot);
    run_lua(&f, "heard = {} animate(R) Unit.crossfade_animation(R, 'clips/walk', 1, 0, true) "
                "S = EntityManager.script_component(W) "
                "F = ScriptComponent.create(S, R, 'foot', 'behaviours/foot')");
}

static void calls_behaviours_for_events(void **state) {
    (void)state;
    add_foot();
    run_lua(&f, "World.update(W, 0.5) World.update(W, 2)");
    assert_lua(&f, "names(heard)", "left 0.25, right 0.25, left 0.75, right 1.25, left 1.75");
    run_lua(&f, "ScriptComponent.set_enabled(S, F, false) heard = {} World.update(W, 1)");
    assert_lua(&f, "#heard, #Unit.animation_events(R)", "0\t2");
}

static void calls_all_behaviours_of_a_unit(void **state) {
    (void)state;
    add_foot();
    run_lua(&f, "for k = 1, 100 do ScriptComponent.create(S, R, k, 'behaviours/foot') end "
                "World.update(W, 0.5)");
    assert_lua(&f, "#heard", "101"); // of one event
}

// The first of two events of a step destroys the unit, whose events are logged.
static void forgets_the_events_of_a_unit_that_one_destroys(void **state) {
    (void)state;
    add_foot();
    run_lua(&f, "local d = ScriptComponent.state(S, F) d.dies = true d.world = W "
                "Unit.set_animation_logging(R, true) World.update(W, 1)");
    assert_lua(&f, "names(heard), Unit.alive(R)", "left 0.25\tfalse");
    run_lua(&f, "World.update(W, 1)");
    assert_lua(&f, "#heard", "1");
}

static void disables_a_behaviour_that_fails_in_an_event(void **state) {
    (void)state;
    add_foot();
    run_lua(&f, "ScriptComponent.state(S, F).breaks = true World.update(W, 2)");
    assert_lua(&f, "names(heard), ScriptComponent.is_enabled(S, F)", "left 0.25\tfalse");
    assert_true(is_logged("ouch"));
    assert_true(is_logged("in animation_event of the behaviour behaviours/foot"));
}

static void lets_a_unit_die_of_an_event(void **state) {
    (void)state;
    add_foot();
    run_lua(&f, "ScriptComponent.state(S, F).dies = true World.update(W, 2) World.update(W, 1)");
    assert_lua(&f, "names(heard), Unit.alive(R)", "left 0.25\tfalse");
}

static void refuses_an_update_in_an_event(void **state) {
    (void)state;
    load_script(&f, "behaviours/loop",
                "return {animation_event = function(self) World.update(self.world, 1) end}");
    run_lua(&f, "animate(R) Unit.crossfade_animation(R, 'clips/walk', 1, 0, true) "
                "ScriptComponent.create(EntityManager.script_component(W), R, 'a', "
                "'behaviours/loop') World.update(W, 0.5)");
    assert_true(is_logged("behaviours of this world are being called"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        CHARACTER_TEST(makes_finds_and_destroys),
        CHARACTER_TEST(refuses_a_second_component),
        CHARACTER_TEST(has_the_fields_of_unit_sources_as_properties),
        CHARACTER_TEST(names_what_lacks),
        CHARACTER_TEST(takes_the_component_of_the_module),
        CHARACTER_TEST(plays_clips),
        CHARACTER_TEST(poses_before_the_first_update),
        CHARACTER_TEST(writes_only_what_the_bone_mode_says),
        CHARACTER_TEST(lists_joints),
        CHARACTER_TEST(gives_the_roots_motion),
        CHARACTER_TEST(gives_curves_that_play),
        CHARACTER_TEST(samples_curves_without_playing),
        CHARACTER_TEST(lists_the_events_of_the_last_update),
        CHARACTER_TEST(calls_behaviours_for_events),
        CHARACTER_TEST(calls_all_behaviours_of_a_unit),
        CHARACTER_TEST(forgets_the_events_of_a_unit_that_one_destroys),
        CHARACTER_TEST(disables_a_behaviour_that_fails_in_an_event),
        CHARACTER_TEST(lets_a_unit_die_of_an_event),
        CHARACTER_TEST(refuses_an_update_in_an_event),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
