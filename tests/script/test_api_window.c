// Window.
#include "script/api_fixture.h"

static void tells_about_the_window(void **state) {
    (void)state;
    assert_lua(&f, "Window.is_open(), Window.has_focus()", "false\tfalse");
    fake_host.has_window = fake_host.has_focus = true;
    assert_lua(&f, "Window.is_open(), Window.has_focus()", "true\ttrue");
    assert_lua(&f, "Window.rect()", "0\t0\t640\t480");
}

static void sets_the_window(void **state) {
    (void)state;
    run_lua(&f, "Window.set_title('Yard') Window.set_show_cursor(true) "
                "Window.set_mouse_focus(true) Window.set_resolution(800, 600)");
    assert_string_equal(fake_host.title, "Yard");
    assert_true(fake_host.show_cursor && fake_host.mouse_focus);
    assert_int_equal(fake_host.width, 800);
    assert_int_equal(fake_host.height, 600);
    assert_lua(&f, "Window.title(), Window.show_cursor(), Window.mouse_focus()",
               "Yard\ttrue\ttrue");
}

static void takes_nil_for_the_window(void **state) {
    (void)state;
    run_lua(&f, "Window.set_title(nil, 'Barn') Window.set_resolution(nil, 320, 200)");
    assert_lua(&f, "Window.title(nil)", "Barn");
    assert_int_equal(fake_host.width, 320);
}

static void refuses_what_a_window_cannot_have(void **state) {
    (void)state;
    assert_lua_error(&f, "Window.set_title(5)",
                     "Window.set_title: argument 2 (title): expected string, got number");
    assert_lua_error(&f, "Window.set_title(nil)",
                     "Window.set_title: argument 2 (title): expected string, got nil");
    assert_lua_error(&f, "Window.set_title(W, 'x')",
                     "Window.set_title: argument 1 (window): expected Window, got World");
    assert_lua_error(&f, "Window.set_resolution(0, 600)",
                     "Window.set_resolution: argument 2 (width): expected an integer from 1 to");
    assert_lua_error(&f, "Window.set_resolution(640)", "argument 3 (height)");
    assert_lua_error(&f, "Window.set_mouse_focus('yes')",
                     "Window.set_mouse_focus: argument 2 (focus): expected boolean, got string");
    assert_int_equal(fake_host.width, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        API_TEST(tells_about_the_window),
        API_TEST(sets_the_window),
        API_TEST(takes_nil_for_the_window),
        API_TEST(refuses_what_a_window_cannot_have),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
