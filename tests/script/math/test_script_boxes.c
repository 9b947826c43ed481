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

// What goes into a box of each kind, and the text of what comes out; the text of a box made empty.
static const struct {
    const char *box, *value, *shown, *empty;
} kinds[] = {
    {"Vector2Box", "Vector2(1, 2)", "Vector2(1, 2)", "Vector2(0, 0)"},
    {"Vector3Box", "Vector3(1, 2, 3)", "Vector3(1, 2, 3)", "Vector3(0, 0, 0)"},
    {"Vector4Box", "Vector4(1, 2, 3, 4)", "Vector4(1, 2, 3, 4)", "Vector4(0, 0, 0, 0)"},
    {"QuaternionBox", "Quaternion.from_elements(1, 2, 3, 4)", "Quaternion(1, 2, 3, 4)",
     "Quaternion(0, 0, 0, 1)"},
    {"Matrix4x4Box", "Matrix4x4(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)",
     "Matrix4x4(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)",
     "Matrix4x4(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0)"},
    {"IdString32Box", "IdString32('root_point')", "IdString32(root_point)",
     "IdString32(#00000000)"},
    {"IdString64Box", "IdString64.from_hex('0123456789abcdef')", "IdString64(#0123456789abcdef)",
     "IdString64(#0000000000000000)"},
};

static void assert_for_kind(const char *format, uint32_t kind, const char *expected) {
    char lua[512];
    snprintf(lua, sizeof(lua), format, kinds[kind].box, kinds[kind].value);
    assert_lua(&f, lua, expected);
}

static void keeps_values_over_frames(void **state) {
    (void)state;
    for (uint32_t i = 0; i < CT_COUNT_OF(kinds); ++i) {
        assert_for_kind("(function() box = %s(%s) end)()", i, "");
        assert_true(ct_script_update(f.script, 0.1));
        assert_for_kind("%s.unbox(box)", i, kinds[i].shown);
        assert_lua(&f, "box:unbox()", kinds[i].shown);
    }
}

static void stores_another_value(void **state) {
    (void)state;
    for (uint32_t i = 0; i < CT_COUNT_OF(kinds); ++i) {
        assert_for_kind("(function() local b = %s() b:store(%s) return b:unbox() end)()", i,
                        kinds[i].shown);
    }
}

static void starts_empty(void **state) {
    (void)state;
    for (uint32_t i = 0; i < CT_COUNT_OF(kinds); ++i)
        assert_for_kind("%s():unbox()", i, kinds[i].empty);
}

static void takes_numbers_too(void **state) {
    (void)state;
    assert_lua(&f, "Vector3Box(1, 2, 3):unbox(), Vector2Box(4, 5):unbox()",
               "Vector3(1, 2, 3)\tVector2(4, 5)");
    assert_lua(&f, "QuaternionBox(1, 2, 3, 4):unbox()", "Quaternion(1, 2, 3, 4)");
    assert_lua(&f, "(function() local b = Vector3Box() b:store(7, 8, 9) return b:unbox() end)()",
               "Vector3(7, 8, 9)");
}

static void takes_strings_for_ids(void **state) {
    (void)state;
    assert_lua(&f, "IdString32Box('root_point'):unbox() == IdString32('root_point')", "true");
    assert_lua(&f, "IdString64.equal(IdString64Box('a'):unbox(), 'a')", "true");
}

static void shows_what_is_inside(void **state) {
    (void)state;
    assert_lua(&f, "Vector3Box(1, 2, 3)", "Vector3Box(1, 2, 3)");
    assert_lua(&f, "IdString32Box('root_point')", "IdString32Box(root_point)");
    assert_lua(&f, "Script.type_name(QuaternionBox())", "QuaternionBox");
}

static void refuses_what_does_not_fit(void **state) {
    (void)state;
    assert_lua_error(&f, "local b = Vector3Box(Vector2(1, 2))",
                     "Vector3Box: argument 1 (vector): expected Vector3, got Vector2");
    assert_lua_error(&f, "local b = Vector3Box(1, 2)",
                     "Vector3Box: argument 3 (z): expected number, got nil");
    assert_lua_error(&f, "Vector3Box():store(nil)",
                     "Vector3Box.store: argument 2 (vector): expected Vector3, got nil");
    assert_lua_error(&f, "local b = IdString32Box(5)", "expected IdString32 or string, got number");
}

static void leaves_a_box_as_it_was_when_storing_fails(void **state) {
    (void)state;
    assert_lua(&f,
               "(function() local b = Vector3Box(1, 2, 3) pcall(b.store, b, 7, 8, 'x')\n"
               "return b:unbox() end)()",
               "Vector3(1, 2, 3)");
}

static void refuses_what_is_no_such_box(void **state) {
    (void)state;
    assert_lua_error(&f, "local v = Vector3Box.unbox(Vector2Box())",
                     "Vector3Box.unbox: argument 1 (self): expected Vector3Box, got Vector2Box");
    assert_lua_error(&f, "local v = Vector3Box.unbox(Vector3(1, 2, 3))",
                     "expected Vector3Box, got Vector3");
    assert_lua_error(&f, "local v = Vector3Box.unbox({})", "expected Vector3Box, got table");
    assert_lua_error(&f, "local v = Vector3Box.unbox()", "expected Vector3Box, got nil");
}

static void refuses_other_full_userdata(void **state) {
    (void)state;
    stop_script(&f);
    f = start_script_with((ct_script_desc){.is_unsafe = true});
    assert_lua_error(&f, "local v = Vector3Box.unbox(io.stdout)",
                     "expected Vector3Box, got userdata");
    assert_lua_error(&f, "local v = Vector3.x(io.stdout)", "expected Vector3, got userdata");
}

static void hides_its_metatable(void **state) {
    (void)state;
    assert_lua(&f, "getmetatable(Vector3Box())", "box");
}

static void keeps_thousands_while_garbage_is_collected(void **state) {
    (void)state;
    assert_lua(&f,
               "(function() local t, sum = {}, 0\n"
               "for i = 1, 10000 do t[i] = Vector3Box(i, 0, 0) end collectgarbage()\n"
               "for i = 1, 10000 do sum = sum + t[i]:unbox().x end return sum end)()",
               "50005000");
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(keeps_values_over_frames),
        TEST(stores_another_value),
        TEST(starts_empty),
        TEST(takes_numbers_too),
        TEST(takes_strings_for_ids),
        TEST(shows_what_is_inside),
        TEST(refuses_what_does_not_fit),
        TEST(leaves_a_box_as_it_was_when_storing_fails),
        TEST(refuses_what_is_no_such_box),
        TEST(refuses_other_full_userdata),
        TEST(hides_its_metatable),
        TEST(keeps_thousands_while_garbage_is_collected),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
