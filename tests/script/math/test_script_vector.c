// Vector2, Vector3 and Vector4, and the operators of the shared metatable.
#include "script/fake_host.h"

static script_fixture f;

static int set_up(void **state) {
    (void)state;
    f = start_script();
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    stop_script(&f);
    return 0;
}

// Each line: Lua, and what it gives.
typedef struct row {
    const char *lua, *expected;
} row;

static void assert_rows(const row *rows, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i)
        assert_lua(&f, rows[i].lua, rows[i].expected);
}

static void makes_vectors(void **state) {
    (void)state;
    static const row rows[] = {
        {"Vector2(1, 2)", "Vector2(1, 2)"},
        {"Vector3(1, 2.5, -3)", "Vector3(1, 2.5, -3)"},
        {"Vector4(1, 2, 3, 4)", "Vector4(1, 2, 3, 4)"},
        {"Vector3(0.1, 1e20, 1/3)", "Vector3(0.1, 1e+20, 0.33333334)"},
        {"Vector2.zero(), Vector3.zero(), Vector4.zero()",
         "Vector2(0, 0)\tVector3(0, 0, 0)\tVector4(0, 0, 0, 0)"},
        {"Vector3.right(), Vector3.forward(), Vector3.up()",
         "Vector3(1, 0, 0)\tVector3(0, 1, 0)\tVector3(0, 0, 1)"},
        {"Vector3.left(), Vector3.backward(), Vector3.down()",
         "Vector3(-1, 0, 0)\tVector3(0, -1, 0)\tVector3(0, 0, -1)"},
        {"Vector3.base(1), Vector3.base(2), Vector3.base(3)",
         "Vector3(1, 0, 0)\tVector3(0, 1, 0)\tVector3(0, 0, 1)"},
    };
    assert_rows(rows, CT_COUNT_OF(rows));
}

static void computes_with_vector3(void **state) {
    (void)state;
    run_lua(&f, "function v(...) return Vector3(...) end");
    static const row rows[] = {
        {"Vector3.add(v(1, 2, 3), v(10, 20, 30))", "Vector3(11, 22, 33)"},
        {"Vector3.subtract(v(1, 2, 3), v(10, 20, 30))", "Vector3(-9, -18, -27)"},
        {"Vector3.multiply(v(1, 2, 3), 2)", "Vector3(2, 4, 6)"},
        {"Vector3.divide(v(1, 2, 3), 2)", "Vector3(0.5, 1, 1.5)"},
        {"Vector3.multiply_elements(v(1, 2, 3), v(4, 5, 6))", "Vector3(4, 10, 18)"},
        {"Vector3.divide_elements(v(1, 2, 3), v(4, 4, 4))", "Vector3(0.25, 0.5, 0.75)"},
        {"Vector3.min(v(1, 5, 3), v(4, 2, 6))", "Vector3(1, 2, 3)"},
        {"Vector3.max(v(1, 5, 3), v(4, 2, 6))", "Vector3(4, 5, 6)"},
        {"Vector3.cross(v(1, 0, 0), v(0, 1, 0))", "Vector3(0, 0, 1)"},
        {"Vector3.dot(v(1, 2, 3), v(4, 5, 6))", "32"},
        {"Vector3.length(v(2, 3, 6))", "7"},
        {"Vector3.distance(v(1, 1, 1), v(3, 4, 7))", "7"},
        {"Vector3.distance_squared(v(1, 1, 1), v(3, 4, 7))", "49"},
        {"Vector3.normalize(v(0, 0, 4))", "Vector3(0, 0, 1)"},
        {"Vector3.normalize(v(0, 0, 0))", "Vector3(0, 0, 0)"},
        {"Vector3.lerp(v(0, 2, 4), v(10, 4, 0), 0.5)", "Vector3(5, 3, 2)"},
        {"Vector3.equal(v(1, 2, 3), v(1, 2, 3))", "true"},
        {"Vector3.equal(v(1, 2, 3), v(1, 2, 4))", "false"},
        {"Vector3.is_valid(v(1, 2, 3)), Vector3.is_valid(v(1, 0/0, 3))", "true\tfalse"},
        {"Vector3.element(v(7, 8, 9), 3)", "9"},
        {"Vector3.to_elements(v(7, 8, 9))", "7\t8\t9"},
        {"Vector3.to_string(v(7, 8, 9))", "Vector3(7, 8, 9)"},
        {"Vector3.x(v(7, 8, 9)), Vector3.y(v(7, 8, 9)), Vector3.z(v(7, 8, 9))", "7\t8\t9"},
    };
    assert_rows(rows, CT_COUNT_OF(rows));
}

static void computes_with_vector2(void **state) {
    (void)state;
    run_lua(&f, "function v(...) return Vector2(...) end");
    static const row rows[] = {
        {"Vector2.add(v(1, 2), v(10, 20))", "Vector2(11, 22)"},
        {"Vector2.subtract(v(1, 2), v(10, 20))", "Vector2(-9, -18)"},
        {"Vector2.multiply(v(1, 2), 2)", "Vector2(2, 4)"},
        {"Vector2.divide(v(1, 2), 2)", "Vector2(0.5, 1)"},
        {"Vector2.multiply_elements(v(1, 2), v(4, 5))", "Vector2(4, 10)"},
        {"Vector2.divide_elements(v(1, 2), v(4, 4))", "Vector2(0.25, 0.5)"},
        {"Vector2.min(v(1, 5), v(4, 2))", "Vector2(1, 2)"},
        {"Vector2.max(v(1, 5), v(4, 2))", "Vector2(4, 5)"},
        {"Vector2.dot(v(1, 2), v(4, 5))", "14"},
        {"Vector2.length(v(3, 4))", "5"},
        {"Vector2.distance(v(1, 1), v(4, 5))", "5"},
        {"Vector2.distance_squared(v(1, 1), v(4, 5))", "25"},
        {"Vector2.normalize(v(0, 4))", "Vector2(0, 1)"},
        {"Vector2.lerp(v(0, 2), v(10, 4), 0.25)", "Vector2(2.5, 2.5)"},
        {"Vector2.equal(v(1, 2), v(1, 2)), Vector2.equal(v(1, 2), v(2, 2))", "true\tfalse"},
        {"Vector2.is_valid(v(1, 2)), Vector2.is_valid(v(1, 1/0))", "true\tfalse"},
        {"Vector2.element(v(7, 8), 2)", "8"},
        {"Vector2.to_elements(v(7, 8))", "7\t8"},
        {"Vector2.to_string(v(7, 8))", "Vector2(7, 8)"},
        {"Vector2.x(v(7, 8)), Vector2.y(v(7, 8))", "7\t8"},
    };
    assert_rows(rows, CT_COUNT_OF(rows));
}

static void computes_with_vector4(void **state) {
    (void)state;
    run_lua(&f, "function v(...) return Vector4(...) end");
    static const row rows[] = {
        {"Vector4.add(v(1, 2, 3, 4), v(10, 20, 30, 40))", "Vector4(11, 22, 33, 44)"},
        {"Vector4.subtract(v(1, 2, 3, 4), v(1, 1, 1, 1))", "Vector4(0, 1, 2, 3)"},
        {"Vector4.multiply(v(1, 2, 3, 4), 2)", "Vector4(2, 4, 6, 8)"},
        {"Vector4.divide(v(1, 2, 3, 4), 2)", "Vector4(0.5, 1, 1.5, 2)"},
        {"Vector4.multiply_elements(v(1, 2, 3, 4), v(4, 5, 6, 7))", "Vector4(4, 10, 18, 28)"},
        {"Vector4.divide_elements(v(1, 2, 3, 4), v(4, 4, 4, 4))", "Vector4(0.25, 0.5, 0.75, 1)"},
        {"Vector4.min(v(1, 5, 3, 8), v(4, 2, 6, 7))", "Vector4(1, 2, 3, 7)"},
        {"Vector4.max(v(1, 5, 3, 8), v(4, 2, 6, 7))", "Vector4(4, 5, 6, 8)"},
        {"Vector4.dot(v(1, 2, 3, 4), v(4, 5, 6, 7))", "60"},
        {"Vector4.length(v(1, 1, 1, 1))", "2"},
        {"Vector4.distance(v(1, 1, 1, 1), v(2, 2, 2, 2))", "2"},
        {"Vector4.distance_squared(v(1, 1, 1, 1), v(2, 2, 2, 2))", "4"},
        {"Vector4.normalize(v(0, 0, 4, 0))", "Vector4(0, 0, 1, 0)"},
        {"Vector4.lerp(v(0, 2, 4, 6), v(10, 4, 0, 8), 0.5)", "Vector4(5, 3, 2, 7)"},
        {"Vector4.equal(v(1, 2, 3, 4), v(1, 2, 3, 4)), Vector4.equal(v(1, 2, 3, 4), v(1, 2, 3, 5))",
         "true\tfalse"},
        {"Vector4.is_valid(v(1, 2, 3, 4)), Vector4.is_valid(v(1, 2, 3, 0/0))", "true\tfalse"},
        {"Vector4.element(v(6, 7, 8, 9), 4)", "9"},
        {"Vector4.to_elements(v(6, 7, 8, 9))", "6\t7\t8\t9"},
        {"Vector4.to_string(v(6, 7, 8, 9))", "Vector4(6, 7, 8, 9)"},
        {"{Vector4.x(v(6, 7, 8, 9)), Vector4.y(v(6, 7, 8, 9))}", "{6, 7}"},
        {"{Vector4.z(v(6, 7, 8, 9)), Vector4.w(v(6, 7, 8, 9))}", "{8, 9}"},
    };
    assert_rows(rows, CT_COUNT_OF(rows));
}

static void makes_axes_at_right_angles(void **state) {
    (void)state;
    for (uint32_t i = 0; i < 8; ++i) {
        char lua[512];
        snprintf(lua, sizeof(lua),
                 "local v = Vector3(%d, %d, %d) local a, b = Vector3.make_axes(v)\n"
                 "local off = Vector3.cross(a, b) - Vector3.normalize(v)\n"
                 "return Vector3.length(off) < 1e-6 and math.abs(Vector3.length(a) - 1) < 1e-6",
                 i & 1 ? 3 : 0, i & 2 ? -2 : 0, i & 4 || i == 0 ? 5 : 0);
        assert_lua(&f, lua, "true");
    }
    assert_lua_error(&f, "Vector3.make_axes(Vector3.zero())", "without length");
}

static void changes_vectors_in_place(void **state) {
    (void)state;
    static const row rows[] = {
        {"(function() local v = Vector2(1, 2) Vector2.set_x(v, 5) Vector2.set_y(v, 6)\n"
         "return v end)()",
         "Vector2(5, 6)"},
        {"(function() local v = Vector2(1, 2) Vector2.set_xy(v, 5, 6) return v end)()",
         "Vector2(5, 6)"},
        {"(function() local v = Vector2(1, 2) Vector2.set_element(v, 2, 9) return v end)()",
         "Vector2(1, 9)"},
        {"(function() local v = Vector3(1, 2, 3) Vector3.set_x(v, 4) Vector3.set_y(v, 5)\n"
         "Vector3.set_z(v, 6) return v end)()",
         "Vector3(4, 5, 6)"},
        {"(function() local v = Vector3(1, 2, 3) Vector3.set_xyz(v, 4, 5, 6) return v end)()",
         "Vector3(4, 5, 6)"},
        {"(function() local v = Vector3(1, 2, 3) Vector3.set_element(v, 1, 9) return v end)()",
         "Vector3(9, 2, 3)"},
        {"(function() local v = Vector4(1, 2, 3, 4) Vector4.set_x(v, 5) Vector4.set_y(v, 6)\n"
         "Vector4.set_z(v, 7) Vector4.set_w(v, 8) return v end)()",
         "Vector4(5, 6, 7, 8)"},
        {"(function() local v = Vector4(1, 2, 3, 4) Vector4.set_xyzw(v, 5, 6, 7, 8)\n"
         "return v end)()",
         "Vector4(5, 6, 7, 8)"},
        {"(function() local v = Vector4(1, 2, 3, 4) Vector4.set_element(v, 4, 9) return v end)()",
         "Vector4(1, 2, 3, 9)"},
    };
    assert_rows(rows, CT_COUNT_OF(rows));
}

static void leaves_a_vector_as_it_was_when_a_part_is_wrong(void **state) {
    (void)state;
    run_lua(&f, "function try(v) pcall(Vector3.set_xyz, v, 9, 9, 'x') return v end");
    assert_lua(&f, "try(Vector3(1, 2, 3))", "Vector3(1, 2, 3)");
}

static void names_the_argument_that_is_wrong(void **state) {
    (void)state;
    assert_lua_error(&f, "local v = Vector3(1, 2)",
                     "console:1: Vector3: argument 3 (z): expected number, got nil");
    assert_lua_error(&f, "local v = Vector3('1', 2, 3)",
                     "console:1: Vector3: argument 1 (x): expected number, got string");
    assert_lua_error(&f, "local v = Vector3.add(Vector3(1, 2, 3), Vector2(1, 2))",
                     "Vector3.add: argument 2 (vector_b): expected Vector3, got Vector2");
    assert_lua_error(&f, "Vector3.element(Vector3(1, 2, 3), 4)",
                     "Vector3.element: argument 2 (index): expected an integer from 1 to 3, got 4");
    assert_lua_error(&f, "Vector2.set_x(Vector2(1, 2), nil)",
                     "Vector2.set_x: argument 2 (value): expected number, got nil");
}

static void makes_linear_colors(void **state) {
    (void)state;
    assert_lua(&f, "Color(255, 0, 255)", "Vector4(1, 0, 1, 1)");
    assert_lua(&f, "Color(51, 255, 0, 0)", "Vector4(1, 0, 0, 0.2)");
    assert_lua(&f, "math.abs(Color(128, 128, 128).x - 0.21586) < 1e-5", "true"); // sRGB
    assert_lua(&f, "math.abs(Color(10, 0, 0).x - 0.0030353) < 1e-6", "true");    // its linear part
    assert_lua_error(&f, "local c = Color(1, 2)",
                     "Color: argument 3 (blue_or_green): expected number");
    assert_lua_error(&f, "local c = Color(0, 256, 0)",
                     "argument 2 (green_or_red): expected a number from 0 to 255, got 256");
    assert_lua_error(&f, "local c = Color(-1, 0, 0, 0)", "argument 1 (red_or_alpha)");
}

// --- Operators -----------------------------------------------------------------------------------

static void has_operators(void **state) {
    (void)state;
    static const row rows[] = {
        {"Vector3(1, 2, 3) + Vector3(1, 1, 1)", "Vector3(2, 3, 4)"},
        {"Vector2(1, 2) - Vector2(3, 3)", "Vector2(-2, -1)"},
        {"Vector4(1, 2, 3, 4) * 2, 2 * Vector4(1, 2, 3, 4)",
         "Vector4(2, 4, 6, 8)\tVector4(2, 4, 6, 8)"},
        {"Vector3(1, 2, 3) / 2", "Vector3(0.5, 1, 1.5)"},
        {"-Vector3(1, 2, 3), -Vector2(1, -2)", "Vector3(-1, -2, -3)\tVector2(-1, 2)"},
        {"Quaternion(Vector3.up(), 0) * Quaternion.identity()", "Quaternion(0, 0, 0, 1)"},
        {"Matrix4x4.from_translation(Vector3(1, 2, 3)) * Matrix4x4.identity()",
         "Matrix4x4(1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 2, 3)"},
        {"tostring(Vector3(1, 2, 3))", "Vector3(1, 2, 3)"},
        {"'at ' .. Vector2(1, 2) .. '!'", "at Vector2(1, 2)!"},
    };
    assert_rows(rows, CT_COUNT_OF(rows));
}

static void reads_and_writes_members(void **state) {
    (void)state;
    static const row rows[] = {
        {"Vector3(1, 2, 3).x, Vector3(1, 2, 3).y, Vector3(1, 2, 3).z", "1\t2\t3"},
        {"Vector4(1, 2, 3, 4).w, Quaternion.identity().w, Vector2(5, 6).y", "4\t1\t6"},
        {"(function() local v = Vector3(1, 2, 3) v.x = 7 v.z = v.z + 1 return v end)()",
         "Vector3(7, 2, 4)"},
    };
    assert_rows(rows, CT_COUNT_OF(rows));
}

static void refuses_members_that_are_not_there(void **state) {
    (void)state;
    assert_lua_error(&f, "local w = Vector3(1, 2, 3).w",
                     "console:1: member 'w': Vector3 has no such member (its members: x, y and z)");
    assert_lua_error(&f, "Vector4(1, 2, 3, 4)['{']", "Vector4 has no such member");
    assert_lua_error(&f, "Vector3(1, 2, 3)[1]", "member 'number': Vector3 has no such member");
    assert_lua_error(&f, "Vector3(1, 2, 3)['']", "Vector3 has no such member");
    assert_lua_error(&f, "IdString32('a').x", "IdString32 has no such member");
    assert_lua_error(&f, "Vector3(1, 2, 3).x = 'a'", "member 'x': expected number, got string");
    assert_lua_error(&f, "Vector3(1, 2, 3).q = 1", "member 'q': Vector3 has no such member");
}

static void refuses_operands_that_do_not_fit(void **state) {
    (void)state;
    assert_lua_error(&f, "local v = Vector3(1, 2, 3) + 1",
                     "console:1: operator +: expected compatible values, got Vector3 and number");
    assert_lua_error(&f, "Vector3(1, 2, 3) - Vector2(1, 2)", "operator -: expected");
    assert_lua_error(&f, "Vector3(1, 2, 3) * Vector3(1, 2, 3)", "operator *: expected");
    assert_lua_error(&f, "Quaternion.identity() * Vector3(1, 2, 3)", "operator *: expected");
    assert_lua_error(&f, "Matrix4x4.identity() * nil", "got Matrix4x4 and nil");
    assert_lua_error(&f, "1 / Vector3(1, 2, 3)", "operator /: expected");
    assert_lua_error(&f, "-Matrix4x4.identity()", "operator -: expected a vector or Quaternion");
    assert_lua_error(&f, "Vector3(1, 2, 3) .. {}", "operator ..: expected");
}

static void compares_identity(void **state) {
    (void)state;
    assert_lua(&f, "IdString32('a') == IdString32('a'), IdString32('a') == IdString32('b')",
               "true\tfalse");
    assert_lua(&f, "(function() local v = Vector3(1, 2, 3) return v == v end)()", "true");
    assert_lua(&f, "Vector3(1, 2, 3) == Vector3(1, 2, 3)", "false"); // Vector3.equal compares parts
}

static void hides_the_metatable(void **state) {
    (void)state;
    assert_lua(&f, "getmetatable(Vector3(1, 2, 3))", "engine value");
    assert_lua(&f, "pcall(setmetatable, Vector3(1, 2, 3), {}) == false", "true");
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(makes_vectors),
        TEST(computes_with_vector3),
        TEST(computes_with_vector2),
        TEST(computes_with_vector4),
        TEST(makes_axes_at_right_angles),
        TEST(changes_vectors_in_place),
        TEST(leaves_a_vector_as_it_was_when_a_part_is_wrong),
        TEST(names_the_argument_that_is_wrong),
        TEST(makes_linear_colors),
        TEST(has_operators),
        TEST(reads_and_writes_members),
        TEST(refuses_members_that_are_not_there),
        TEST(refuses_operands_that_do_not_fit),
        TEST(compares_identity),
        TEST(hides_the_metatable),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
