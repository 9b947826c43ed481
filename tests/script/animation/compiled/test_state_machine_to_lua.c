// A state machine from text to Lua: the names that its source has are those that scripts use.
#include "world/compiled_fixture.h"

#include "script/animation/animation_fixture.h"

static const char skeleton[] =
    "joints = [ { id = \"a\" name = \"n1\" position = [0 0 1] }\n"
    "  { id = \"b\" name = \"n2\" parent = \"n1\" position = [0 0 1] }\n"
    "  { id = \"c\" name = \"n3\" parent = \"n2\" position = [0 0 1] } ]\n";

static const char machine[] =
    "skeleton = \"models/stick\"\n"
    "variables = [ { id = \"a\" name = \"speed\" default = 1 min = 0 max = 10 } ]\n"
    "layers = [ { id = \"base\" name = \"base\" start = \"idle\"\n"
    "  states = [\n"
    "    { id = \"i\" type = \"clip\" name = \"idle\" animation = \"clips/idle\"\n"
    "      leave_event = \"sets_off\" }\n"
    "    { id = \"w\" type = \"clip\" name = \"walk\" animation = \"clips/walk\" speed = "
    "\"speed\"\n"
    "      enter_event = \"walks\" } ]\n"
    "  transitions = [ { id = \"a\" from = \"idle\" to = \"walk\" event = \"go\" duration = 0 } ]\n"
    "} ]\n";

static void has_the_names_of_its_source(void **state) {
    (void)state;
    const char *const project = test_scratch_folder();
    load_animations(&f);
    write_text(project, "models/stick.skeleton", skeleton);
    write_text(project, "robot.state_machine", machine);
    load_compiled(&f.world, project, "state_machine", "robot");
    run_lua(&f, "B = EntityManager.animation_blender_component(W) "
                "R = World.spawn_unit(W, 'units/robot') "
                "i = AnimationBlenderComponent.create(B, R, 'body') "
                "AnimationBlenderComponent.set_property(B, i, 'skeleton', 'models/stick') "
                "AnimationBlenderComponent.set_property(B, i, 'state_machine', 'robot') "
                "Unit.animation_set_variable(R, Unit.animation_find_variable(R, 'speed'), 2) "
                "Unit.animation_event(R, 'go') World.update(W, 0.25) heard = {} "
                "for i, e in ipairs(Unit.animation_events(R)) do heard[i] = e.name .. ' ' .. "
                "  string.format('%.3f', e.time) end "
                "time, length, name = Unit.animation_layer_info(R, 1)");
    assert_lua(&f, "table.concat(heard, ', '), name",
               "sets_off 0.000, walks 0.000, left 0.125\twalk");
}

int main(void) {
    const struct CMUnitTest tests[] = {API_TEST(has_the_names_of_its_source)};
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
