#include "script/fake_host.h"

static script_fixture f;

static int set_up(void **state) {
    (void)state;
    f = start_script();
    // How far apart two values of numbers are, and what counts as the same.
    run_lua(&f, "function near(a, b)\n"
                "return Vector4.length(Vector4.subtract(a, b)) < 1e-5 end\n"
                "function same(a, b) return near(a, b) or near(a, -b) end\n"
                "function at(a, b) return Vector3.distance(a, b) < 1e-5 end\n"
                "quarter = math.pi / 2");
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

static void makes_rotations(void **state) {
    (void)state;
    assert_lua(&f, "Quaternion.identity()", "Quaternion(0, 0, 0, 1)");
    assert_lua(&f, "Quaternion.from_elements(1, 2, 3, 4)", "Quaternion(1, 2, 3, 4)");
    assert_true_lua("at(Quaternion.rotate(Quaternion(Vector3.up(), quarter), Vector3.right()),\n"
                    "Vector3.forward())");
    assert_true_lua(
        "near(Quaternion(Vector3(0, 0, 5), 1), Quaternion.axis_angle(Vector3.up(), 1))");
}

static void refuses_axes_without_length(void **state) {
    (void)state;
    assert_lua_error(
        &f, "local q = Quaternion(Vector3.zero(), 1)",
        "Quaternion: argument 1 (axis): expected an axis, got a Vector3 without length");
    assert_lua_error(&f, "local q = Quaternion.axis_angle(Vector3(0/0, 0, 0), 1)",
                     "Quaternion.axis_angle: argument 1 (axis): expected an axis");
    assert_lua_error(&f, "local q = Quaternion.look(Vector3.zero())",
                     "Quaternion.look: argument 1 (dir): expected a direction");
}

static void applies_the_right_side_of_a_product_first(void **state) {
    (void)state;
    run_lua(&f, "function turned(q) return Quaternion.rotate(q, Vector3.right()) end");
    assert_true_lua("at(turned(Quaternion(Vector3.right(), quarter) *\n"
                    "Quaternion(Vector3.up(), quarter)), Vector3.up())");
    assert_true_lua("at(turned(Quaternion.multiply(Quaternion(Vector3.up(), quarter),\n"
                    "Quaternion(Vector3.right(), quarter))), Vector3.forward())");
}

static void gives_its_axes(void **state) {
    (void)state;
    run_lua(&f, "function q() return Quaternion(Vector3.up(), quarter) end");
    assert_true_lua("at(Quaternion.right(q()), Vector3(0, 1, 0))");
    assert_true_lua("at(Quaternion.forward(q()), Vector3(-1, 0, 0))");
    assert_true_lua("at(Quaternion.up(q()), Vector3(0, 0, 1))");
}

static void gives_angle_and_axis_back(void **state) {
    (void)state;
    assert_true_lua("math.abs(Quaternion.angle(Quaternion(Vector3(1, 2, 3), 1.25)) - 1.25) < 1e-5");
    assert_true_lua("math.abs(Quaternion.angle(Quaternion(Vector3.up(), 1.5 * math.pi)) -\n"
                    "quarter) < 1e-5"); // the shorter way, about the other side of the axis
    assert_lua(&f,
               "(function() local axis, angle = Quaternion.decompose(Quaternion(\n"
               "Vector3(0, -2, 0), 0.5)) return at(axis, Vector3(0, -1, 0)), \n"
               "math.abs(angle - 0.5) < 1e-5 end)()",
               "true\ttrue");
    assert_lua(&f, "Quaternion.decompose(Quaternion.identity())", "Vector3(1, 0, 0)\t0");
}

static void turns_back(void **state) {
    (void)state;
    run_lua(&f, "function q() return Quaternion(Vector3(1, 2, 3), 1.25) end");
    assert_true_lua("near(q() * Quaternion.inverse(q()), Quaternion.identity())");
    assert_true_lua("near(Quaternion.conjugate(q()), Quaternion.inverse(q()))");
    assert_lua(&f, "Quaternion.conjugate(Quaternion.from_elements(1, 2, 3, 4))",
               "Quaternion(-1, -2, -3, 4)");
    assert_lua(&f, "Quaternion.inverse(Quaternion.from_elements(1, 1, 1, 1))",
               "Quaternion(-0.25, -0.25, -0.25, 0.25)");
}

static void measures_and_normalizes(void **state) {
    (void)state;
    assert_lua(&f, "Quaternion.norm(Quaternion.from_elements(1, 1, 1, 1))", "2");
    assert_lua(&f, "Quaternion.normalize(Quaternion.from_elements(1, 1, 1, 1))",
               "Quaternion(0.5, 0.5, 0.5, 0.5)");
    assert_lua(&f, "Quaternion.normalize(Quaternion.from_elements(0, 0, 0, 0))",
               "Quaternion(0, 0, 0, 1)");
    assert_lua(&f,
               "Quaternion.dot(Quaternion.from_elements(1, 2, 3, 4),\n"
               "Quaternion.from_elements(5, 6, 7, 8))",
               "70");
    assert_lua(&f, "Quaternion.is_valid(Quaternion.from_elements(0, 0/0, 0, 1))", "false");
    assert_lua(&f, "Quaternion.is_valid(Quaternion.identity())", "true");
    assert_lua(&f, "Quaternion.equal(Quaternion.identity(), Quaternion.identity())", "true");
    assert_lua(&f, "Quaternion.equal(Quaternion.identity(), Quaternion(Vector3.up(), 1))", "false");
}

static void mixes_the_shorter_way(void **state) {
    (void)state;
    assert_true_lua(
        "same(Quaternion.lerp(Quaternion.identity(), Quaternion(Vector3.up(), 1), 0.5),\n"
        "Quaternion(Vector3.up(), 0.5))");
    assert_true_lua(
        "same(Quaternion.lerp(Quaternion.identity(), -Quaternion(Vector3.up(), 1), 0.5),\n"
        "Quaternion(Vector3.up(), 0.5))");
    assert_true_lua("same(Quaternion.lerp(Quaternion.identity(), Quaternion(Vector3.up(), 1), 1),\n"
                    "Quaternion(Vector3.up(), 1))");
}

static void looks_along_a_direction(void **state) {
    (void)state;
    assert_true_lua("at(Quaternion.forward(Quaternion.look(Vector3(3, 4, 0))),\n"
                    "Vector3(0.6, 0.8, 0))");
    assert_true_lua("at(Quaternion.up(Quaternion.look(Vector3(3, 4, 0))), Vector3.up())");
    assert_true_lua("at(Quaternion.up(Quaternion.look(Vector3.forward(), Vector3.right())),\n"
                    "Vector3.right())");
}

static void turns_by_euler_angles_x_first(void **state) {
    (void)state;
    assert_true_lua("near(Quaternion.from_euler_angles_xyz(0.3, 0.5, 0.7),\n"
                    "Quaternion(Vector3.up(), 0.7) * Quaternion(Vector3.forward(), 0.5) *\n"
                    "Quaternion(Vector3.right(), 0.3))");
}

// Random angles, and those where y is a quarter turn, come back as the same rotation.
static void gives_euler_angles_back(void **state) {
    (void)state;
    run_lua(&f, "function goes_round(x, y, z)\n"
                "local q = Quaternion.from_euler_angles_xyz(x, y, z)\n"
                "local p = Quaternion.from_euler_angles_xyz(Quaternion.to_euler_angles_xyz(q))\n"
                "return math.abs(Quaternion.dot(p, q)) > 0.99999 end");
    assert_lua(&f,
               "(function() for i = 1, 1000 do\n"
               "local x, y, z = math.random() * 6 - 3, math.random() * 3 - 1.5,\n"
               "math.random() * 6 - 3\n"
               "if not goes_round(x, y, z) then return x, y, z end end end)()",
               "");
    assert_true_lua("goes_round(0.4, quarter, 0) and goes_round(0.4, -quarter, 0.3)");
    assert_true_lua("goes_round(1, quarter, 2)");
}

static void goes_through_matrices(void **state) {
    (void)state;
    run_lua(&f, "function q() return Quaternion(Vector3(1, 2, 3), 1.25) end");
    assert_true_lua("same(Quaternion.from_matrix4x4(Quaternion.matrix4x4(q())), q())");
    assert_true_lua("at(Matrix4x4.x(Quaternion.matrix4x4(q())), Quaternion.right(q()))");
}

static void gives_and_changes_parts(void **state) {
    (void)state;
    assert_lua(&f, "Quaternion.to_elements(Quaternion.from_elements(1, 2, 3, 4))", "1\t2\t3\t4");
    assert_lua(&f, "Quaternion.to_string(Quaternion.identity())", "Quaternion(0, 0, 0, 1)");
    assert_lua(&f,
               "(function() local q = Quaternion.identity()\n"
               "local same = Quaternion.set_xyzw(q, 1, 2, 3, 4) == q return same, q end)()",
               "true\tQuaternion(1, 2, 3, 4)");
}

static void takes_vector4_for_quaternions(void **state) {
    (void)state;
    assert_lua(&f, "Quaternion.norm(Vector4(1, 1, 1, 1))", "2");
    assert_lua(&f, "Vector4.length(Quaternion.identity())", "1");
    assert_lua_error(&f, "local n = Quaternion.norm(Vector3(1, 1, 1))",
                     "Quaternion.norm: argument 1 (quat): expected Quaternion, got Vector3");
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(makes_rotations),
        TEST(refuses_axes_without_length),
        TEST(applies_the_right_side_of_a_product_first),
        TEST(gives_its_axes),
        TEST(gives_angle_and_axis_back),
        TEST(turns_back),
        TEST(measures_and_normalizes),
        TEST(mixes_the_shorter_way),
        TEST(looks_along_a_direction),
        TEST(turns_by_euler_angles_x_first),
        TEST(gives_euler_angles_back),
        TEST(goes_through_matrices),
        TEST(gives_and_changes_parts),
        TEST(takes_vector4_for_quaternions),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
