#include "script/fake_host.h"

static script_fixture f;

static int set_up(void **state) {
    (void)state;
    f = start_script();
    // A pose with rotation, scale and translation; and what counts as the same.
    run_lua(&f, "function pose() local m = Matrix4x4.from_quaternion_position(\n"
                "Quaternion(Vector3.up(), math.pi / 2), Vector3(10, 20, 30))\n"
                "Matrix4x4.set_scale(m, Vector3(2, 3, 4)) return m end\n"
                "function at(a, b) return Vector3.distance(a, b) < 1e-4 end\n"
                "function near(a, b) for i = 1, 4 do\n"
                "if not at(Matrix4x4.axis(a, i), Matrix4x4.axis(b, i)) then return false end\n"
                "end return true end");
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    stop_script(&f);
    return 0;
}

static void assert_true_lua(const char *lua) {
    assert_lua(&f, lua, "true");
}

static void makes_matrices(void **state) {
    (void)state;
    assert_lua(&f, "Matrix4x4.identity()", "Matrix4x4(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0)");
    assert_lua(&f, "Matrix4x4.zero()", "Matrix4x4(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)");
    assert_lua(&f, "Matrix4x4(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)",
               "Matrix4x4(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)");
    assert_lua(&f, "Matrix4x4.from_elements(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)",
               "Matrix4x4(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)");
    assert_lua(&f,
               "Matrix4x4.from_axes(Vector3(1, 2, 3), Vector3(4, 5, 6), Vector3(7, 8, 9),\n"
               "Vector3(10, 11, 12))",
               "Matrix4x4(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)");
    assert_lua(&f, "Matrix4x4.from_translation(Vector3(1, 2, 3))",
               "Matrix4x4(1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 2, 3)");
    assert_true_lua("near(Matrix4x4.from_quaternion(Quaternion(Vector3.up(), 1)),\n"
                    "Quaternion.matrix4x4(Quaternion(Vector3.up(), 1)))");
    assert_lua_error(&f, "local m = Matrix4x4(1, 2)",
                     "Matrix4x4: argument 3 (xz): expected number, got nil");
}

static void transforms_points_and_directions(void **state) {
    (void)state;
    assert_true_lua("at(Matrix4x4.transform(pose(), Vector3(1, 0, 0)), Vector3(10, 22, 30))");
    assert_true_lua("at(Matrix4x4.transform(pose(), Vector3(0, 0, 1)), Vector3(10, 20, 34))");
    assert_true_lua("at(Matrix4x4.transform_without_translation(pose(), Vector3(1, 0, 0)),\n"
                    "Vector3(0, 2, 0))");
}

static void applies_the_right_side_of_a_product_first(void **state) {
    (void)state;
    run_lua(&f, "function move() return Matrix4x4.from_translation(Vector3(1, 0, 0)) end\n"
                "function turn() return Matrix4x4.from_quaternion(Quaternion(Vector3.up(),\n"
                "math.pi / 2)) end");
    assert_true_lua("at(Matrix4x4.translation(turn() * move()), Vector3(0, 1, 0))");
    assert_true_lua("at(Matrix4x4.translation(Matrix4x4.multiply(move(), turn())),\n"
                    "Vector3(1, 0, 0))");
}

static void inverts(void **state) {
    (void)state;
    assert_true_lua("near(pose() * Matrix4x4.inverse(pose()), Matrix4x4.identity())");
    assert_lua(&f, "Matrix4x4.is_valid(Matrix4x4.inverse(Matrix4x4.zero()))", "false");
}

static void takes_poses_apart(void **state) {
    (void)state;
    assert_true_lua("at(Matrix4x4.scale(pose()), Vector3(2, 3, 4))");
    assert_true_lua("at(Matrix4x4.translation(pose()), Vector3(10, 20, 30))");
    assert_true_lua("Quaternion.dot(Matrix4x4.rotation(pose()),\n"
                    "Quaternion(Vector3.up(), math.pi / 2)) > 0.99999");
}

static void gives_axes(void **state) {
    (void)state;
    run_lua(&f, "function m() return Matrix4x4(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12) end");
    assert_lua(&f, "Matrix4x4.axis(m(), 1), Matrix4x4.axis(m(), 4)",
               "Vector3(1, 2, 3)\tVector3(10, 11, 12)");
    assert_lua(&f, "Matrix4x4.x(m()), Matrix4x4.y(m()), Matrix4x4.z(m())",
               "Vector3(1, 2, 3)\tVector3(4, 5, 6)\tVector3(7, 8, 9)");
    assert_lua(&f, "Matrix4x4.right(m()), Matrix4x4.forward(m()), Matrix4x4.up(m())",
               "Vector3(1, 2, 3)\tVector3(4, 5, 6)\tVector3(7, 8, 9)");
    assert_lua(&f, "Matrix4x4.element(m(), 2, 3), Matrix4x4.element(m(), 4, 4)", "6\t1");
    assert_lua(&f, "Matrix4x4.to_elements(m())", "1\t2\t3\t4\t5\t6\t7\t8\t9\t10\t11\t12");
    assert_lua_error(&f, "local v = Matrix4x4.axis(m(), 5)",
                     "Matrix4x4.axis: argument 2 (i): expected an integer from 1 to 4, got 5");
    assert_lua_error(&f, "local v = Matrix4x4.element(m(), 1, 0)",
                     "argument 3 (j): expected an integer from 1 to 4, got 0");
}

static void changes_matrices_in_place(void **state) {
    (void)state;
    run_lua(&f, "function changed(name, ...) local m = Matrix4x4.identity()\n"
                "Matrix4x4['set_' .. name](m, ...) return m end");
    static const struct {
        const char *change, *expected;
    } rows[] = {
        {"'x', Vector3(7, 8, 9)", "Matrix4x4(7, 8, 9, 0, 1, 0, 0, 0, 1, 0, 0, 0)"},
        {"'right', Vector3(7, 8, 9)", "Matrix4x4(7, 8, 9, 0, 1, 0, 0, 0, 1, 0, 0, 0)"},
        {"'y', Vector3(7, 8, 9)", "Matrix4x4(1, 0, 0, 7, 8, 9, 0, 0, 1, 0, 0, 0)"},
        {"'forward', Vector3(7, 8, 9)", "Matrix4x4(1, 0, 0, 7, 8, 9, 0, 0, 1, 0, 0, 0)"},
        {"'z', Vector3(7, 8, 9)", "Matrix4x4(1, 0, 0, 0, 1, 0, 7, 8, 9, 0, 0, 0)"},
        {"'up', Vector3(7, 8, 9)", "Matrix4x4(1, 0, 0, 0, 1, 0, 7, 8, 9, 0, 0, 0)"},
        {"'translation', Vector3(7, 8, 9)", "Matrix4x4(1, 0, 0, 0, 1, 0, 0, 0, 1, 7, 8, 9)"},
        {"'axis', 4, Vector3(7, 8, 9)", "Matrix4x4(1, 0, 0, 0, 1, 0, 0, 0, 1, 7, 8, 9)"},
        {"'element', 1, 3, 7", "Matrix4x4(1, 0, 7, 0, 1, 0, 0, 0, 1, 0, 0, 0)"},
        {"'scale', Vector3(7, 8, 9)", "Matrix4x4(7, 0, 0, 0, 8, 0, 0, 0, 9, 0, 0, 0)"},
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(rows); ++i) {
        char lua[128];
        snprintf(lua, sizeof(lua), "changed(%s)", rows[i].change);
        assert_lua(&f, lua, rows[i].expected);
    }
}

static void keeps_the_rest_of_a_pose_when_one_part_changes(void **state) {
    (void)state;
    assert_true_lua("(function() local m = pose()\n"
                    "Matrix4x4.set_rotation(m, Quaternion(Vector3.right(), 0.5))\n"
                    "return at(Matrix4x4.scale(m), Vector3(2, 3, 4)) and\n"
                    "at(Matrix4x4.translation(m), Vector3(10, 20, 30)) and Quaternion.dot(\n"
                    "Matrix4x4.rotation(m), Quaternion(Vector3.right(), 0.5)) > 0.99999 end)()");
    assert_true_lua("(function() local m = pose()\n"
                    "Matrix4x4.set_scale(m, Vector3(5, 5, 5))\n"
                    "return at(Matrix4x4.scale(m), Vector3(5, 5, 5)) and\n"
                    "at(Matrix4x4.translation(m), Vector3(10, 20, 30)) and Quaternion.dot(\n"
                    "Matrix4x4.rotation(m), Quaternion(Vector3.up(), math.pi / 2)) > 0.99999\n"
                    "end)()");
}

static void copies(void **state) {
    (void)state;
    assert_lua(&f,
               "(function() local m = Matrix4x4.identity() local c = Matrix4x4.copy(m)\n"
               "local was_equal = Matrix4x4.equal(m, c) Matrix4x4.set_x(c, Vector3.zero())\n"
               "return was_equal, Matrix4x4.equal(m, c), Matrix4x4.x(m) end)()",
               "true\tfalse\tVector3(1, 0, 0)");
}

static void mixes_poses(void **state) {
    (void)state;
    assert_true_lua("near(Matrix4x4.lerp(Matrix4x4.identity(), pose(), 1), pose())");
    assert_true_lua("near(Matrix4x4.lerp(Matrix4x4.identity(), pose(), 0), Matrix4x4.identity())");
    assert_true_lua("(function() local m = Matrix4x4.lerp(Matrix4x4.identity(), pose(), 0.5)\n"
                    "return at(Matrix4x4.translation(m), Vector3(5, 10, 15)) and\n"
                    "at(Matrix4x4.scale(m), Vector3(1.5, 2, 2.5)) and Quaternion.dot(\n"
                    "Matrix4x4.rotation(m), Quaternion(Vector3.up(), math.pi / 4)) > 0.99999\n"
                    "end)()");
}

static void tells_what_is_valid(void **state) {
    (void)state;
    assert_lua(&f, "Matrix4x4.is_valid(pose()), Matrix4x4.is_valid_for_physics(pose())",
               "true\tfalse");
    assert_lua(&f,
               "Matrix4x4.is_valid_for_physics(Matrix4x4.from_quaternion_position(\n"
               "Quaternion(Vector3(1, 2, 3), 1), Vector3(1, 2, 3)))",
               "true");
    assert_lua(&f, "Matrix4x4.is_valid_for_physics(Matrix4x4(-1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0))",
               "false"); // mirrored
    assert_lua(&f, "Matrix4x4.is_valid(Matrix4x4(0/0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0))", "false");
}

static void names_the_argument_that_is_wrong(void **state) {
    (void)state;
    assert_lua_error(&f, "Matrix4x4.set_x(Matrix4x4.identity(), 5)",
                     "Matrix4x4.set_x: argument 2 (x): expected Vector3, got number");
    assert_lua_error(&f, "Matrix4x4.set_right(Matrix4x4.identity(), 5)",
                     "Matrix4x4.set_right: argument 2 (right): expected Vector3, got number");
    assert_lua_error(&f, "local m = Matrix4x4.inverse(Quaternion.identity())",
                     "Matrix4x4.inverse: argument 1 (m): expected Matrix4x4, got Quaternion");
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(makes_matrices),
        TEST(transforms_points_and_directions),
        TEST(applies_the_right_side_of_a_product_first),
        TEST(inverts),
        TEST(takes_poses_apart),
        TEST(gives_axes),
        TEST(changes_matrices_in_place),
        TEST(keeps_the_rest_of_a_pose_when_one_part_changes),
        TEST(copies),
        TEST(mixes_poses),
        TEST(tells_what_is_valid),
        TEST(names_the_argument_that_is_wrong),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
