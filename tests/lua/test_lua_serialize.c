// Script.serialize and Script.deserialize: what goes in comes back, to the bit.
#include "script/api_fixture.h"

static void gives_plain_values_back(void **state) {
    (void)state;
    assert_lua(&f, "Script.serialize(true), Script.serialize(0.5), Script.serialize('a\"b')",
               "true\t0.5\t\"a\\\"b\"");
    assert_lua(&f,
               "local function back(v) return Script.deserialize(Script.serialize(v)) end "
               "local nan = back(0 / 0) "
               "return back(true), back(false), back(1 / 3) == 1 / 3, back(1e300), back(1 / 0), "
               "back(-1 / 0), nan ~= nan",
               "true\tfalse\ttrue\t1e+300\tinf\t-inf\ttrue");
}

static void gives_any_bytes_back(void **state) {
    (void)state;
    run_lua(&f, "local all = {} for i = 0, 255 do all[#all + 1] = string.char(i) end "
                "all = table.concat(all) "
                "assert(Script.deserialize(Script.serialize(all)) == all) "
                "assert(Script.deserialize(Script.serialize('')) == '')");
}

static void gives_tables_back(void **state) {
    (void)state;
    assert_lua(&f,
               "local t = Script.deserialize(Script.serialize({1, 2, a = {b = {}}, [0.5] = 'half', "
               "  [true] = false})) "
               "return #t, t[2], next(t.a.b), t[0.5], t[true]",
               "2\t2\tnil\thalf\tfalse");
}

static void gives_vectors_ids_and_boxes_back(void **state) {
    (void)state;
    assert_lua(&f,
               "local function back(v) return Script.deserialize(Script.serialize(v)) end "
               "return back(Vector2(1, 2)), back(Vector3(1, 2, 0.1)), back(Vector4(1, 2, 3, 4)), "
               "back(Quaternion.from_elements(1, 2, 3, 4)), "
               "back(Vector3Box(1, 2, 3)), back(IdString32('a')) == IdString32('a'), "
               "IdString64.equal(back(IdString64('b')), IdString64('b')), "
               "IdString64.equal(back(IdString64Box('b')):unbox(), IdString64('b'))",
               "Vector2(1, 2)\tVector3(1, 2, 0.1)\tVector4(1, 2, 3, 4)\tQuaternion(1, 2, 3, 4)\t"
               "Vector3Box(1, 2, 3)\ttrue\ttrue\ttrue");
    assert_lua(&f,
               "local m = Matrix4x4.from_quaternion_position(Quaternion(Vector3(1, 2, 3), 1), "
               "  Vector3(4, 5, 6)) "
               "local box = Script.deserialize(Script.serialize(Matrix4x4Box(m))) "
               "return Matrix4x4.equal(Script.deserialize(Script.serialize(m)), m), "
               "Matrix4x4.equal(box:unbox(), m)",
               "true\ttrue");
}

static void refuses_what_has_no_text(void **state) {
    (void)state;
    assert_lua_error(&f, "Script.serialize(C)",
                     "Script.serialize: argument 1 (data): expected a value that can be written as "
                     "text, got Unit");
    assert_lua_error(&f, "Script.serialize({print})", "got function");
    assert_lua_error(&f, "Script.serialize()", "got nil");
    assert_lua_error(&f, "local t = {} t.t = t Script.serialize(t)", "tables are deeper than 100");
    run_lua(&f, "kept = Vector3(1, 2, 3)");
    ct_script_begin_frame(f.script);
    assert_lua_error(&f, "Script.serialize({kept})", "a Vector3 of an earlier frame");
}

static void refuses_texts_that_it_did_not_make(void **state) {
    (void)state;
    assert_lua_error(&f, "Script.deserialize('[\"table\", 1')", "argument 1 (string_rep): line 1");
    assert_lua_error(&f, "Script.deserialize('[\"table\", 1]')", "expected a value for each key");
    assert_lua_error(&f, "Script.deserialize('[\"Vector9\", 1]')",
                     "line 1, column 1: expected the name of a type first, found an array");
    assert_lua_error(&f, "Script.deserialize('[\"Vector3\", 1, 2]')", "expected a number");
    assert_lua_error(&f, "Script.deserialize('[\"IdString32\", \"xyz\"]')",
                     "expected hexadecimal digits");
    assert_lua_error(&f, "Script.deserialize('[\"table\", [\"number\", \"nan\"], 1]')",
                     "expected a key that is a number");
    assert_lua_error(&f, "Script.deserialize('{}')", "found an object");
    assert_lua_error(&f, "Script.deserialize(('['):rep(10000))", "argument 1 (string_rep): line 1");
    assert_lua_error(&f, "Script.deserialize(5)", "expected string, got number");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        API_TEST(gives_plain_values_back),  API_TEST(gives_any_bytes_back),
        API_TEST(gives_tables_back),        API_TEST(gives_vectors_ids_and_boxes_back),
        API_TEST(refuses_what_has_no_text), API_TEST(refuses_texts_that_it_did_not_make),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
