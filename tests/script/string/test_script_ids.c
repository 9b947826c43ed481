// IdString32 and IdString64, and Math.
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

static void hashes_strings(void **state) {
    (void)state;
    assert_lua(&f, "IdString32.to_hex(IdString32('root_point'))", "5e43bd96");
    char expected[32];
    snprintf(expected, sizeof(expected), "%016llx",
             (unsigned long long)ct_string_id64_of("units/crate").value);
    assert_lua(&f, "IdString64.to_hex(IdString64('units/crate'))", expected);
    assert_lua(&f, "IdString64.to_hex('units/crate')", expected);
}

static void keeps_an_id_as_it_is(void **state) {
    (void)state;
    assert_lua(&f, "IdString32(IdString32('a')) == IdString32('a')", "true");
    assert_lua(&f, "IdString64.equal(IdString64(IdString64('a')), IdString64('a'))", "true");
}

static void compares_ids_and_strings(void **state) {
    (void)state;
    assert_lua(&f, "IdString32.equal(IdString32('a'), 'a'), IdString32.equal('a', 'b')",
               "true\tfalse");
    assert_lua(&f, "IdString64.equal(IdString64('a'), 'a'), IdString64.equal('a', 'b')",
               "true\tfalse");
}

static void goes_through_hexadecimal(void **state) {
    (void)state;
    assert_lua(&f, "IdString32.from_hex('5e43bd96') == IdString32('root_point')", "true");
    assert_lua(&f, "IdString32.to_hex(IdString32.from_hex('FF'))", "000000ff");
    assert_lua(&f, "IdString64.to_hex(IdString64.from_hex('fedcba9876543210'))",
               "fedcba9876543210");
    assert_lua_error(&f, "local i = IdString32.from_hex('123456789')",
                     "IdString32.from_hex: argument 1 (s): expected 1 to 8 hexadecimal digits, got "
                     "\"123456789\"");
    assert_lua_error(&f, "local i = IdString32.from_hex('')", "expected 1 to 8 hexadecimal digits");
    assert_lua_error(&f, "local i = IdString64.from_hex('-1')",
                     "expected 1 to 16 hexadecimal digits, got \"-1\"");
}

static void shows_ids(void **state) {
    (void)state;
    assert_lua(&f, "IdString32('root_point')", "IdString32(root_point)");
    assert_lua(&f, "IdString32.to_string(IdString32('root_point'))", "root_point");
    assert_lua(&f, "IdString32.to_string(IdString32.from_hex('1'))", "#00000001");
    assert_lua(&f, "IdString64.from_hex('1')", "IdString64(#0000000000000001)");
    assert_lua(&f, "IdString64.to_string(IdString64.from_hex('1'))", "#0000000000000001");
}

// --- Math ----------------------------------------------------------------------------------------

static void gives_the_same_random_numbers_for_a_seed(void **state) {
    (void)state;
    run_lua(&f, "function series(seed, ...) local t, r = {}\n"
                "for i = 1, 5 do seed, r = Math.next_random(seed, ...) t[i] = r end\n"
                "return table.concat(t, ' ') end");
    assert_lua(&f, "series(7) == series(7), series(7) == series(8)", "true\tfalse");
    assert_lua(&f, "series(7, 5, 5)", "5 5 5 5 5");
    assert_lua(&f, "(function() local s, r = Math.next_random(7) return r >= 0 and r < 1 end)()",
               "true");
}

static void keeps_random_numbers_in_bounds_and_spread(void **state) {
    (void)state;
    run_lua(&f, "function spread(...) local least, most, sum = math.huge, -math.huge, 0\n"
                "for i = 1, 10000 do local r = Math.random(...) sum = sum + r\n"
                "least = math.min(least, r) most = math.max(most, r) end\n"
                "return least, most, sum / 10000 end");
    assert_lua(&f,
               "(function() local a, b, mean = spread()\n"
               "return a >= 0 and a < 0.01 and b < 1 and b > 0.99 and math.abs(mean - 0.5) < 0.02\n"
               "end)()",
               "true");
    assert_lua(&f, "(function() local a, b = spread(6) return a, b end)()", "1\t6");
    assert_lua(&f, "(function() local a, b = spread(-3, 3) return a, b end)()", "-3\t3");
    assert_lua_error(
        &f, "local r = Math.random(5, 4)",
        "Math.random: argument 2 (second_bound): expected a bound of at least 5, got 4");
    assert_lua_error(&f, "local r = Math.random(0)",
                     "argument 1 (first_bound): expected a bound of at least 1, got 0");
    assert_lua_error(&f, "local r = Math.random(1.5)", "expected an integer");
}

static void tells_finite_numbers(void **state) {
    (void)state;
    assert_lua(&f, "Math.is_valid(), Math.is_valid(1, 2), Math.is_valid(1, 0/0)",
               "true\ttrue\tfalse");
    assert_lua(&f, "Math.is_valid(1e300)", "false"); // too large for a float
    assert_lua_error(&f, "local v = Math.is_valid(1, 'a')", "argument 2 (inputs): expected number");
}

static void finds_points_in_boxes(void **state) {
    (void)state;
    run_lua(&f, "function pose() return Matrix4x4.from_quaternion_position(\n"
                "Quaternion(Vector3.up(), math.pi / 2), Vector3(10, 0, 0)) end\n"
                "function has(x, y, z)\n"
                "return Math.point_in_box(Vector3(x, y, z), pose(), Vector3(1, 2, 3)) end");
    assert_lua(&f, "has(10, 0, 0), has(11.9, 0, 0), has(12.1, 0, 0)", "true\ttrue\tfalse");
    assert_lua(&f, "has(10, 0.9, 2.9), has(10, 1.1, 0), has(10, 0, 3.1)", "true\tfalse\tfalse");
}

static void meets_boxes_with_rays(void **state) {
    (void)state;
    run_lua(&f, "function hit(from, dir) return Math.ray_box_intersection(from, dir,\n"
                "Matrix4x4.from_translation(Vector3(10, 0, 0)), Vector3(1, 2, 3)) end");
    assert_lua(&f, "hit(Vector3(0, 0, 0), Vector3(1, 0, 0))", "9");
    assert_lua(&f, "hit(Vector3(0, 0, 0), Vector3(3, 0, 0))", "3");
    assert_lua(&f, "hit(Vector3(0, 0, 0), Vector3(-1, 0, 0))", "-1");
    assert_lua(&f, "hit(Vector3(10, 0, 0), Vector3(1, 0, 0))", "0");
    assert_lua(&f, "hit(Vector3(0, 2.5, 0), Vector3(1, 0, 0))", "-1");
    assert_lua(&f, "hit(Vector3(10, 0, 0), Vector3(0, 0, 0))", "0");
    assert_lua(&f, "hit(Vector3(0, 0, 0), Vector3(0, 0, 0))", "-1");
}

static void tests_boxes_against_planes(void **state) {
    (void)state;
    run_lua(&f, "function seen(x, ...) return Math.box_in_frustum(\n"
                "Matrix4x4.from_translation(Vector3(x, 0, 0)), Vector3(1, 1, 1), ...) end");
    // In front of x = 0, and behind x = 10.
    assert_lua(&f, "seen(5, Vector3(1, 0, 0), 0), seen(-0.5, Vector3(1, 0, 0), 0)", "true\ttrue");
    assert_lua(&f, "seen(-1.5, Vector3(1, 0, 0), 0)", "false");
    assert_lua(&f, "seen(11.5, Vector3(1, 0, 0), 0, Vector3(-1, 0, 0), 10)", "false");
    assert_lua(&f, "seen(9, Vector3(1, 0, 0), 0, Vector3(-1, 0, 0), 10)", "true");
    assert_lua_error(&f, "local s = seen(5)", "argument 3 (n): expected Vector3, got nil");
    assert_lua_error(&f, "local s = seen(5, Vector3(1, 0, 0), 0, Vector3(1, 0, 0))",
                     "argument 6 (additional_planes): expected number, got nil");
}

// A frustum that is the unit cube, whose planes are given without the ends in x: what its corners
// tell is needed.
static void tests_boxes_against_a_frustums_corners(void **state) {
    (void)state;
    run_lua(&f, "function seen(x, y) local c = {}\n"
                "for i = 0, 7 do c[i + 1] = Vector3(i % 2 * 2 - 1, math.floor(i / 2) % 2 * 2 - 1,\n"
                "math.floor(i / 4) * 2 - 1) end\n"
                "return Math.box_intersects_frustum(Matrix4x4.from_translation(Vector3(x, y, 0)),\n"
                "Vector3(1, 1, 1), Vector3(0, 1, 0), 1, Vector3(0, -1, 0), 1, unpack(c)) end");
    assert_lua(&f, "seen(0, 0), seen(1.9, 1.9)", "true\ttrue");
    assert_lua(&f, "seen(0, 2.5), seen(2.5, 0), seen(-2.5, 0)", "false\tfalse\tfalse");
    assert_lua_error(&f,
                     "local s = Math.box_intersects_frustum(Matrix4x4.identity(),\n"
                     "Vector3(1, 1, 1), Vector3(0, 1, 0), 1, Vector3(1, 1, 1))",
                     "argument 6 (frustum_corners): expected Vector3, got nil");
}

static void merges_boxes_along_the_first_ones_axes(void **state) {
    (void)state;
    assert_lua(&f,
               "Math.merge_boxes(Matrix4x4.identity(), Vector3(1, 1, 1),\n"
               "Matrix4x4.from_translation(Vector3(4, 0, 0)), Vector3(1, 2, 1))",
               "Matrix4x4(1, 0, 0, 0, 1, 0, 0, 0, 1, 2, 0, 0)\tVector3(3, 2, 1)");
    assert_lua(&f,
               "Math.merge_boxes(Matrix4x4(2, 0, 0, 0, 2, 0, 0, 0, 2, 1, 0, 0), Vector3(1, 1, 1))",
               "Matrix4x4(2, 0, 0, 0, 2, 0, 0, 0, 2, 1, 0, 0)\tVector3(1, 1, 1)");
    assert_lua_error(&f,
                     "local m = Math.merge_boxes(Matrix4x4.identity(), Vector3(1, 1, 1),\n"
                     "Matrix4x4.identity())",
                     "argument 4 (additional_boxes): expected Vector3, got nil");
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(hashes_strings),
        TEST(keeps_an_id_as_it_is),
        TEST(compares_ids_and_strings),
        TEST(goes_through_hexadecimal),
        TEST(shows_ids),
        TEST(gives_the_same_random_numbers_for_a_seed),
        TEST(keeps_random_numbers_in_bounds_and_spread),
        TEST(tells_finite_numbers),
        TEST(finds_points_in_boxes),
        TEST(meets_boxes_with_rays),
        TEST(tests_boxes_against_planes),
        TEST(tests_boxes_against_a_frustums_corners),
        TEST(merges_boxes_along_the_first_ones_axes),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
