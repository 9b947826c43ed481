// Window.
#include "script/api_fixture.h"

static void tells_about_the_window(void **state) {
    (void)state;
    assert_lua(&f, "Window.is_open(), Window.has_focus(), Window.is_closing()",
               "false\tfalse\tfalse");
    fake_host.has_window = true;
    fake_host.flags[CT_SCRIPT_WINDOW_FOCUS] = fake_host.flags[CT_SCRIPT_WINDOW_CLOSING] = true;
    assert_lua(&f, "Window.is_open(), Window.has_focus(), Window.is_closing()", "true\ttrue\ttrue");
    assert_lua(&f, "Window.get_dpi_scale()", "1.5");
}

static void sets_the_window(void **state) {
    (void)state;
    run_lua(&f, "Window.set_title('Yard') Window.set_show_cursor(true) "
                "Window.set_mouse_focus(true)");
    assert_lua(&f, "Window.set_resolution(800, 600)", "true");
    assert_string_equal(fake_host.title, "Yard");
    assert_int_equal(fake_host.width, 800);
    assert_int_equal(fake_host.height, 600);
    assert_lua(&f, "Window.title(), Window.show_cursor(), Window.mouse_focus()",
               "Yard\ttrue\ttrue");
}

// Each pair of functions has a flag of its own.
static void sets_and_tells_flags_of_the_window(void **state) {
    (void)state;
    run_lua(&f, "Window.set_clip_cursor(true) Window.set_resizable(true) "
                "Window.set_fullscreen(true)");
    assert_lua(&f, "Window.clip_cursor(), Window.is_resizable(), Window.is_fullscreen()",
               "true\ttrue\ttrue");
    assert_lua(&f, "Window.show_cursor(), Window.mouse_focus(), Window.is_minimized()",
               "false\tfalse\tfalse");
    run_lua(&f, "Window.set_clip_cursor(nil, false)");
    assert_lua(&f, "Window.clip_cursor(nil)", "false");
    run_lua(&f, "Window.minimize() Window.maximize() Window.set_focus() Window.close()");
    assert_lua(&f, "Window.is_minimized(), Window.is_maximized(), Window.has_focus()",
               "true\ttrue\ttrue");
    assert_lua(&f, "Window.is_closing()", "true");
    run_lua(&f, "Window.restore()");
    assert_lua(&f, "Window.is_minimized()", "false");
}

static void moves_the_window(void **state) {
    (void)state;
    run_lua(&f, "Window.set_rect(-10, 20, 300, 200)");
    assert_lua(&f, "Window.rect()", "-10\t20\t300\t200");
    run_lua(&f, "Window.trigger_resize()");
    assert_int_equal(recorded()->num_resizes, 1);
}

static void shows_cursors_by_name(void **state) {
    (void)state;
    run_lua(&f, "Window.set_cursor('hand')");
    assert_int_equal(fake_host.cursor, CT_SCRIPT_CURSOR_HAND);
    run_lua(&f, "Window.set_cursor(nil, 'size_rising')");
    assert_int_equal(fake_host.cursor, CT_SCRIPT_CURSOR_SIZE_RISING);
    assert_lua_error(&f, "Window.set_cursor('paw')", "paw");
    assert_lua_error(&f, "Window.set_icon('textures/nothing')", "textures/nothing");
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

static void passes_text_through_the_clipboard(void **state) {
    (void)state;
    assert_lua(&f, "Window.clipboard()", "");
    run_lua(&f, "Window.set_clipboard('Zürich')");
    assert_string_equal(fake_host.clipboard, "Zürich");
    assert_lua(&f, "Window.clipboard(), Window.clipboard(nil)", "Zürich\tZürich");
    run_lua(&f, "Window.set_clipboard(nil, '')");
    assert_string_equal(fake_host.clipboard, "");
    assert_lua_error(&f, "Window.set_clipboard('ab\\0c')",
                     "expected a text without zero bytes, got one at byte 3");
    assert_lua_error(&f, "Window.set_clipboard('\\255')", "expected valid UTF-8");
    assert_lua_error(&f, "Window.set_clipboard({})", "expected string");
}

static void says_where_text_is_typed(void **state) {
    (void)state;
    run_lua(&f, "Window.set_text_area(10.4, -20.6, 300, 0)");
    assert_int_equal(fake_host.text_area[0], 10);
    assert_int_equal(fake_host.text_area[1], -21);
    assert_int_equal(fake_host.text_area[2], 300);
    assert_int_equal(fake_host.text_area[3], 0);
    assert_lua_error(&f, "Window.set_text_area(0, 0, -1, 5)", "argument 4 (width)");
    assert_lua_error(&f, "Window.set_text_area(0/0, 0, 1, 5)", "argument 2 (x)");
    assert_lua_error(&f, "Window.set_text_area(1e7, 0, 1, 5)", "argument 2 (x)");
    run_lua(&f, "Window.set_text_input(true)");
    assert_lua(&f, "Window.text_input()", "true");
    run_lua(&f, "Window.set_text_input(false)");
    assert_lua(&f, "Window.text_input()", "false");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        API_TEST(tells_about_the_window),
        API_TEST(sets_the_window),
        API_TEST(sets_and_tells_flags_of_the_window),
        API_TEST(moves_the_window),
        API_TEST(shows_cursors_by_name),
        API_TEST(takes_nil_for_the_window),
        API_TEST(refuses_what_a_window_cannot_have),
        API_TEST(passes_text_through_the_clipboard),
        API_TEST(says_where_text_is_typed),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
