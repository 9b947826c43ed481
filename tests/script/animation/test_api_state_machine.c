// State machines in Lua: events, variables, states, what comes out of them and when, and their log.
#include "script/animation/machine_fixture.h"

// Lua finds R, a robot with the state machine, M, the component, and functions.
static int set_up_machine(void **state) {
    set_up(state);
    load_animations(&f);
    load_robot_machine(&f);
    run_lua(&f, "function animate(unit) "
                "  local B = EntityManager.animation_blender_component(W) "
                "  local i = AnimationBlenderComponent.create(B, unit, 'body') "
                "  AnimationBlenderComponent.set_property(B, i, 'skeleton', 'models/stick') "
                "  AnimationBlenderComponent.set_property(B, i, 'state_machine', 'robot') end "
                "R = World.spawn_unit(W, 'units/robot') animate(R) "
                "M = EntityManager.animation_state_machine_component(W) "
                "function state(layer) local t, l, n = Unit.animation_layer_info(R, layer or 1) "
                "  return string.format('%s %.2f of %.2f', n, t, l) end "
                "function names(events) local t = {} for i, e in ipairs(events) do "
                "  t[i] = string.format('%s %.2f', e.name, e.time) end "
                "  return table.concat(t, ', ') end");
    return 0;
}

#define MACHINE_TEST(test) cmocka_unit_test_setup_teardown(test, set_up_machine, tear_down)

// --- Events --------------------------------------------------------------------------------------

static void goes_from_state_to_state_by_events(void **state) {
    (void)state;
    assert_lua(&f, "Unit.has_animation_state_machine(R), Unit.has_animation_event(R, 'go')",
               "true\ttrue");
    run_lua(&f, "World.update(W, 0.5)");
    assert_lua(&f, "state()", "idle 0.50 of 1.00");
    run_lua(&f, "Unit.animation_event(R, 'go') World.update(W, 0.25)");
    assert_lua(&f, "state()", "walk 0.25 of 1.00");
    run_lua(&f, "AnimationStateMachineComponent.trigger_event(M, R, 'greet') "
                "World.update(W, 0.5)");
    assert_lua(&f, "state()", "wave 0.50 of 1.00");
    assert_lua(&f, "state(2)", "wave 0.50 of 1.00");
    run_lua(&f, "World.update(W, 0.75)");
    assert_lua(&f, "state()", "idle 0.25 of 1.00");
}

static void refuses_events_that_no_transition_knows(void **state) {
    (void)state;
    assert_lua(&f, "Unit.has_animation_event(R, 'jump')", "false");
    assert_lua(&f, "AnimationStateMachineComponent.has_event(M, R, 'jump')", "false");
    assert_lua_error(&f, "Unit.animation_event(R, 'jump')",
                     "Unit.animation_event: argument 2 (event): no transition of the state machine "
                     "\"robot\" waits for the event \"jump\"; ask with Unit.has_animation_event");
    // One that another state waits for is no error, and does nothing.
    run_lua(&f, "Unit.animation_event(R, 'stop') World.update(W, 0.5)");
    assert_lua(&f, "state()", "idle 0.50 of 1.00");
}

// --- Events out ----------------------------------------------------------------------------------

static const char listener[] = "local L = {} "
                               "function L.animation_event(self, event, time) "
                               "  heard[#heard + 1] = {name = event, time = time} "
                               "  if event == 'leaves_wave' then "
                               "    Unit.animation_event(self.entity, 'go') end "
                               "end return L";

static void calls_behaviours_in_the_order_of_times(void **state) {
    (void)state;
    load_script(&f, "behaviours/listener", listener);
    run_lua(&f, "heard = {} ScriptComponent.create(EntityManager.script_component(W), R, 'a', "
                "'behaviours/listener') World.update(W, 0.5) "
                "Unit.animation_event(R, 'go') World.update(W, 2)");
    assert_lua(&f, "names(heard)",
               "leaves_idle 0.00, enters_walk 0.00, left 0.25, right 0.75, left 1.25, right 1.75");
    assert_lua(&f, "names(heard) == names(Unit.animation_events(R))", "true");
    // The wave ends after a second of the step; the behaviour's answer shows in the next.
    run_lua(&f, "heard = {} Unit.animation_event(R, 'greet') World.update(W, 1.5)");
    assert_lua(&f, "names(heard)", "enters_wave 0.00, leaves_wave 1.00");
    run_lua(&f, "heard = {} World.update(W, 0.5)");
    assert_lua(&f, "names(heard)", "leaves_idle 0.00, enters_walk 0.00, left 0.25");
}

// The same events whatever the steps are.
static void gives_each_event_once_at_any_step(void **state) {
    (void)state;
    run_lua(&f, "Unit.animation_event(R, 'go') all = {} time = 0 "
                "for _, dt in ipairs{0.125, 0.5, 0, 0.0625, 1, 0.3125} do World.update(W, dt) "
                "  for _, e in ipairs(Unit.animation_events(R)) do "
                "    all[#all + 1] = {name = e.name, time = e.time + time} end "
                "  time = time + dt end");
    assert_lua(&f, "time, names(all)",
               "2\tleaves_idle 0.00, enters_walk 0.00, left 0.25, right 0.75, left 1.25, "
               "right 1.75");
}

// --- Variables -----------------------------------------------------------------------------------

static void sets_variables(void **state) {
    (void)state;
    run_lua(&f, "speed = Unit.animation_find_variable(R, 'speed') "
                "smile = AnimationStateMachineComponent.find_variable(M, R, 'smile')");
    assert_lua(&f, "speed, smile, Unit.animation_get_variable(R, smile)", "1\t2\t0.5");
    run_lua(&f, "Unit.animation_set_variable(R, speed, 3) "
                "AnimationStateMachineComponent.set_variable(M, R, smile, 99)");
    assert_lua(&f,
               "Unit.animation_get_variable(R, speed), "
               "AnimationStateMachineComponent.get_variable(M, R, smile)",
               "3\t1");
    run_lua(&f, "Unit.animation_event(R, 'go') World.update(W, 0) Unit.animation_event(R, 'stop') "
                "World.update(W, 0)");
    assert_lua(&f, "state()", "walk 0.00 of 1.00"); // it is too fast to stop
    run_lua(&f, "Unit.animation_set_variable(R, speed, 0) Unit.animation_event(R, 'stop') "
                "World.update(W, 0)");
    assert_lua(&f, "state()", "idle 0.00 of 1.00");
    assert_lua(&f, "Unit.animation_has_variable(R, 'speed'), Unit.animation_has_variable(R, 'x')",
               "true\tfalse");
    assert_lua_error(&f, "Unit.animation_find_variable(R, 'spead')",
                     "Unit.animation_find_variable: argument 2 (name): the state machine \"robot\" "
                     "has no variable \"spead\", did you mean \"speed\"?");
    assert_lua_error(&f, "Unit.animation_set_variable(R, 4, 1)",
                     "argument 2 (index): expected a variable from 1 to 3, got 4");
    assert_lua_error(&f, "Unit.animation_set_variable(R, 1, 0/0)", "argument 3 (value)");
    assert_lua(&f, "Unit.animation_get_variable(R, 1)", "0");
}

// --- State ---------------------------------------------------------------------------------------

static void restores_a_saved_state(void **state) {
    (void)state;
    run_lua(&f, "Unit.animation_set_variable(R, 1, 4) Unit.animation_event(R, 'go') "
                "World.update(W, 0.3) saved = {Unit.animation_get_state(R)} before = state() "
                "Unit.animation_set_variable(R, 1, 0) Unit.animation_event(R, 'greet') "
                "World.update(W, 0.5)");
    assert_lua(&f, "state()", "wave 0.50 of 1.00");
    run_lua(&f, "Unit.animation_set_state(R, unpack(saved))");
    assert_lua(&f, "before, state() == before, Unit.animation_get_variable(R, 1)",
               "walk 0.30 of 1.00\ttrue\t4");
    // It also goes on in another unit.
    run_lua(&f, "first = R R = World.spawn_unit(W, 'units/robot') animate(R) "
                "Unit.animation_set_state(R, unpack(saved)) World.update(W, 0.3) "
                "other = state() R = first");
    assert_lua(&f, "other == state(), other", "true\twalk 0.60 of 1.00");
    assert_lua(&f, "names(Unit.animation_events(R))", "");
}

static void refuses_states_of_other_machines(void **state) {
    (void)state;
    run_lua(&f, "saved = {Unit.animation_get_state(R)} Unit.animation_event(R, 'go') "
                "World.update(W, 0.25)");
    assert_lua_error(&f, "Unit.animation_set_state(R, 1, 2, 3)",
                     "Unit.animation_set_state: argument 2 (state): the state is not of the state "
                     "machine \"robot\"");
    assert_lua_error(&f, "Unit.animation_set_state(R)", "argument 2 (state)");
    assert_lua_error(&f, "saved[#saved] = nil Unit.animation_set_state(R, unpack(saved))",
                     "the state is not of the state machine \"robot\"");
    assert_lua_error(&f, "Unit.animation_set_state(R, -1)", "argument 2 (state)");
    assert_lua(&f, "state()", "walk 0.25 of 1.00");
}

static void stops_and_continues(void **state) {
    (void)state;
    run_lua(&f, "World.update(W, 0.25) Unit.disable_animation_state_machine(R) "
                "World.update(W, 0.25)");
    assert_lua(&f, "Unit.has_animation_state_machine(R)", "true");
    assert_lua_error(&f, "Unit.animation_event(R, 'go')",
                     "the unit's state machine is disabled; call "
                     "Unit.enable_animation_state_machine first");
    run_lua(&f, "Unit.enable_animation_state_machine(R)");
    assert_lua(&f, "state()", "idle 0.25 of 1.00");
    assert_lua_error(&f, "Unit.animation_layer_info(R, 3)",
                     "argument 2 (layer): expected a layer from 1 to 2, got 3");
}

static void takes_another_machine(void **state) {
    (void)state;
    assert_lua_error(&f, "Unit.crossfade_animation(R, 'clips/walk')", "state machine");
    run_lua(&f, "Unit.set_animation_state_machine(R, nil) "
                "Unit.crossfade_animation(R, 'clips/walk') World.update(W, 0.25)");
    assert_lua(&f, "Unit.has_animation_state_machine(R)", "false");
    run_lua(&f, "Unit.set_animation_state_machine(R, 'robot')");
    assert_lua(&f, "state()", "idle 0.00 of 1.00");
    assert_lua_error(&f, "Unit.set_animation_state_machine(R, 'robut')",
                     "argument 2 (machine): there is no state_machine \"robut\"");
}

// --- Curves --------------------------------------------------------------------------------------

static void variables_are_curves_while_there_is_a_machine(void **state) {
    (void)state;
    run_lua(&f, "grin = Unit.animation_find_variable(R, 'grin') "
                "Unit.animation_event(R, 'go') World.update(W, 0.25)");
    assert_lua(&f, "math.abs(Unit.animation_get_variable(R, grin) - 0.25) < 0.01", "true");
    run_lua(&f, "Unit.set_animation_state_machine(R, nil) World.update(W, 0.25)");
    assert_lua(&f, "Unit.has_animation_state_machine(R)", "false");
}

// --- Log -----------------------------------------------------------------------------------------

static void logs_events_and_states(void **state) {
    (void)state;
    run_lua(&f, "Unit.animation_event(R, 'go') World.update(W, 0.125)");
    assert_false(is_logged("info animation"));
    run_lua(&f, "Unit.set_animation_logging(R, true) World.update(W, 0.25) "
                "Unit.animation_event(R, 'greet') World.update(W, 0.5)");
    assert_true(is_logged("info animation: robot: layer 1 is in the state \"walk\" at 0.375 s"));
    assert_true(is_logged("info animation: robot sends the event \"left\" after 0.125 s"));
    assert_true(is_logged("info animation: robot gets the event \"greet\""));
    assert_true(is_logged("info animation: robot: layer 2 is in the state \"wave\" at 0.5 s"));
    logged[0] = 0;
    run_lua(&f, "World.update(W, 0.125)"); // nothing has changed
    assert_false(is_logged("info animation"));
    run_lua(&f, "Unit.set_animation_logging(R, false)");
    run_lua(&f, "World.update(W, 2)");
    assert_false(is_logged("info animation"));
    run_lua(&f, "Unit.set_animation_logging(R, true) World.destroy_unit(W, R) World.update(W, 1)");
    assert_int_equal(f.script->logged_characters.count, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        MACHINE_TEST(goes_from_state_to_state_by_events),
        MACHINE_TEST(refuses_events_that_no_transition_knows),
        MACHINE_TEST(calls_behaviours_in_the_order_of_times),
        MACHINE_TEST(gives_each_event_once_at_any_step),
        MACHINE_TEST(sets_variables),
        MACHINE_TEST(restores_a_saved_state),
        MACHINE_TEST(refuses_states_of_other_machines),
        MACHINE_TEST(stops_and_continues),
        MACHINE_TEST(takes_another_machine),
        MACHINE_TEST(variables_are_curves_while_there_is_a_machine),
        MACHINE_TEST(logs_events_and_states),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
