// LineObject.
#include "script/api_fixture.h"

static int set_up_lines(void **state) {
    set_up(state);
    run_lua(&f, "O = World.create_line_object(W) Red = Vector4Box(Vector4(1, 0, 0, 1)) "
                "function draw(shape, ...) LineObject.reset(O) "
                "  LineObject['add_' .. shape](O, Red:unbox(), ...) LineObject.dispatch(W, O) end");
    return 0;
}

#define LINE_TEST(test) cmocka_unit_test_setup_teardown(test, set_up_lines, tear_down)

// The number of lines that are drawn by `lua`.
static uint32_t lines_of(const char *lua) {
    recorded()->num_line_vertices = 0;
    run_lua(&f, lua);
    return recorded()->num_line_vertices / 2;
}

static void draws_shapes(void **state) {
    (void)state;
    assert_int_equal(lines_of("draw('line', Vector3(0, 0, 0), Vector3(1, 0, 0))"), 1);
    assert_int_equal(lines_of("draw('box', Matrix4x4.identity(), Vector3(1, 1, 1))"), 12);
    assert_int_equal(lines_of("draw('circle', Vector3(0, 0, 0), 1, Vector3(0, 0, 1), 8)"), 8);
    assert_int_equal(lines_of("draw('sphere', Vector3(0, 0, 0), 1, 8)"), 24);
    assert_int_equal(lines_of("draw('cone', Vector3(0, 0, 0), Vector3(0, 0, 1), 1, 8, 4)"), 12);
    // A circle of 8 and 2 arcs of 5.
    assert_int_equal(lines_of("draw('half_sphere', Vector3(0, 0, 0), 1, Vector3(0, 0, 1), 8, 2)"),
                     18);
    assert_true(lines_of("draw('capsule', Vector3(0, 0, 0), Vector3(0, 0, 1), 1, 8)") > 16);
    assert_int_equal(lines_of("LineObject.reset(O) LineObject.add_axes(O, Matrix4x4.identity()) "
                              "LineObject.dispatch(W, O)"),
                     3);
}

static void keeps_lines_until_reset(void **state) {
    (void)state;
    run_lua(&f, "LineObject.add_line(O, Red:unbox(), Vector3(0, 0, 0), Vector3(1, 0, 0))");
    assert_int_equal(lines_of("LineObject.dispatch(W, O) LineObject.dispatch(W, O)"), 2);
    assert_int_equal(lines_of("LineObject.reset(O) LineObject.dispatch(W, O)"), 0);
}

static void refuses_what_cannot_be_drawn(void **state) {
    (void)state;
    static const char *const calls[][2] = {
        {"add_line(O, 5)", "LineObject.add_line: argument 2 (color): expected Vector4"},
        {"add_line(O, Red:unbox(), Vector3(0/0, 0, 0), Vector3(0, 0, 0))", "argument 3 (from)"},
        {"add_line(O, Red:unbox(), Vector3(0, 0, 0))",
         "argument 4 (to): expected Vector3, got nil"},
        {"add_box(O, Red:unbox(), C, Vector3(0, 0, 0))", "argument 3 (pose): expected Matrix4x4"},
        {"add_sphere(O, Red:unbox(), Vector3(0, 0, 0), -1)", "argument 4 (radius)"},
        {"add_sphere(O, Red:unbox(), Vector3(0, 0, 0), 1, 2)",
         "argument 5 (segments): expected an integer from 3 to 1024, got 2"},
        {"add_circle(O, Red:unbox(), Vector3(0, 0, 0), 1, Vector3(0, 0, 1), 1e9)",
         "argument 6 (segments)"},
        {"add_half_sphere(O, Red:unbox(), Vector3(0, 0, 0), 1)", "argument 5 (normal)"},
        {"add_cone(O, Red:unbox(), Vector3(0, 0, 0), Vector3(0, 0, 1), 0/0)",
         "argument 5 (radius)"},
        {"add_capsule(O, Red:unbox(), Vector3(0, 0, 0), nil, 1)", "argument 4 (to)"},
        {"add_axes(O, Matrix4x4.identity(), 'x')", "argument 3 (length)"},
        {"dispatch(O, W)",
         "LineObject.dispatch: argument 1 (world): expected World, got LineObject"},
        {"reset(W)", "LineObject.reset: argument 1 (self): expected LineObject, got World"},
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(calls); ++i) {
        char lua[256];
        snprintf(lua, sizeof(lua), "LineObject.%s", calls[i][0]);
        assert_lua_error(&f, lua, calls[i][1]);
    }
}

static void is_full_some_time(void **state) {
    (void)state;
    assert_lua_error(&f,
                     "local c, p = Red:unbox(), Vector3(0, 0, 0) "
                     "while true do LineObject.add_sphere(O, c, p, 1, 1024) end",
                     "LineObject.add_sphere: the line object is full");
}

static void is_refused_once_destroyed(void **state) {
    (void)state;
    run_lua(&f, "V = Application.new_world()");
    assert_lua_error(&f, "World.destroy_line_object(V, O)",
                     "World.destroy_line_object: argument 2 (line): expected a LineObject of this");
    run_lua(&f, "World.destroy_line_object(W, O)");
    assert_lua_error(&f, "LineObject.reset(O)", "expected LineObject, got a destroyed LineObject");
    assert_lua_error(&f, "LineObject.dispatch(W, O)", "argument 2 (line_object)");
    assert_lua_error(&f, "World.destroy_line_object(W, O)", "argument 2 (line)");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        LINE_TEST(draws_shapes),
        LINE_TEST(keeps_lines_until_reset),
        LINE_TEST(refuses_what_cannot_be_drawn),
        LINE_TEST(is_full_some_time),
        LINE_TEST(is_refused_once_destroyed),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
