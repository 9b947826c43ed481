#include "script/fake_host.h"

static script_fixture f;

static int set_up(void **state) {
    test_group_setup(state);
    f = start_script();
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    stop_script(&f);
    return test_group_teardown(state);
}

static void has_no_outputs_without_a_window(void **state) {
    (void)state;
    fake_host.has_window = false;
    assert_lua(&f, "DisplayAdapter.num_adapters(), DisplayAdapter.num_outputs(1)", "1\t0");
    assert_lua(&f, "type(DisplayAdapter.name(1))", "string");
    assert_lua_error(&f, "DisplayAdapter.num_modes(1, 1)", "the game has no window");
    assert_lua_error(&f, "DisplayAdapter.mode(1, 1, 1)", "the game has no window");
}

static void gives_the_modes_of_displays(void **state) {
    (void)state;
    fake_host.has_window = true;
    assert_lua(&f, "DisplayAdapter.num_outputs(1)", "2");
    assert_lua(&f, "DisplayAdapter.num_modes(1, 1), DisplayAdapter.num_modes(1, 2)", "3\t4");
    assert_lua(&f, "DisplayAdapter.mode(1, 2, 4)", "2003\t500");
    assert_lua_error(&f, "DisplayAdapter.mode(1, 2, 5)", "argument 3");
    assert_lua_error(&f, "DisplayAdapter.mode(1, 3, 1)", "argument 2");
    assert_lua_error(&f, "DisplayAdapter.mode(2, 1, 1)", "argument 1");
    assert_lua_error(&f, "DisplayAdapter.name(0)", "argument 1");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(has_no_outputs_without_a_window),
        cmocka_unit_test(gives_the_modes_of_displays),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
