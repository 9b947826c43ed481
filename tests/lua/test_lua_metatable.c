// Methods on handles, which have none: errors say what to write.
#include "script/api_fixture.h"

static void methods_of_handles_name_the_function_to_call(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"C:local_position(1)", "write Unit.local_position(unit, ...)"},
        {"C.alive", "write Unit.alive(unit)"},
        {"W:num_units()", "write World.num_units(world)"},
        {"W:spawn_unit('units/crate')", "write World.spawn_unit(world, ...)"},
        {"Unit.camera(World.spawn_unit(W, 'units/robot'), 1):near_range()",
         "write Camera.near_range(camera"},
        {"EntityManager.transform_component(W):local_position(1)",
         "write TransformComponent.local_position(transform_component, ...)"},
        {"Vector3(1, 2, 3):length()", "write Vector3.length(vector3)"},
        {"Quaternion.identity():inverse()", "write Quaternion.inverse(quaternion)"},
        {"IdString64('a'):to_hex()", "write IdString64.to_hex(id_string64)"},
        {"EntityManager.transform_component(W).nothing", "has no such member"},
        {"World.spawn_unit(W, 'units/crate').nothing", "has no such member"},
        // Instances of components are numbers.
        {"local i = 7 i:get_property('unit')",
         "(member 'get_property'); the instance of a component is an argument, as in "},
        {"local hp = 5 return hp.left", "attempt to index a number value (member 'left')"},
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(cases); ++i)
        assert_lua_error(&f, cases[i][0], cases[i][1]);
    assert_lua(&f, "tostring(5), 2 .. 'x', getmetatable(5)", "5\t2x\tnumber");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(methods_of_handles_name_the_function_to_call, set_up,
                                        tear_down),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
