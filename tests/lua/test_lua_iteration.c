// Loops over tables: all keys, each once, also in nested loops that run so often that LuaJIT compiles them,
// or tries to.
#include "script/api_fixture.h"

// Nested loops over `iterator`, each counted 60,000 times, after which what was compiled shows.
static void count_nested(const char *iterator) {
    char text[1024];
    snprintf(text, sizeof(text),
             "local inner = {1, 2, 3, 4, 5} "
             "local outer = {a = inner, b = inner, c = inner, d = inner, e = inner} "
             "local function interpreted(...) for i = 1, 100 do end end "
             "wrong = 0 "
             "for i = 1, 60000 do "
             "  interpreted() "
             "  local count = 0 "
             "  for k, v in %s(outer) do "
             "    for _ in %s(v) do end "
             "    count = count + 1 "
             "  end "
             "  if count ~= 5 then wrong = wrong + 1 end "
             "end",
             iterator, iterator);
    run_lua(&f, text);
    assert_lua(&f, "wrong", "0");
}

static void nested_loops_see_all_keys(void **state) {
    (void)state;
    count_nested("pairs");
    run_lua(&f, "function each(t) return next, t end");
    count_nested("each");
    count_nested("next, ");
}

static void loops_see_each_key_once(void **state) {
    (void)state;
    run_lua(&f, "t = {10, 20, nil, 40, x = 1, y = false} seen = {} n = 0 "
                "for k, v in pairs(t) do seen[k] = v n = n + 1 end");
    assert_lua(&f, "n, seen[1], seen[2], seen[4], seen.x, seen.y", "5\t10\t20\t40\t1\tfalse");
    run_lua(&f, "n = 0 for k in pairs({}) do n = n + 1 end");
    assert_lua(&f, "n, next({}), next({7})", "0\tnil\t1\t7");
    run_lua(&f, "t = {a = 1, b = 2, c = 3} for k in pairs(t) do t[k] = nil end");
    assert_lua(&f, "next(t)", "nil");
}

static void refuses_what_is_no_table(void **state) {
    (void)state;
    assert_lua_error(&f, "for k in pairs(nil) do end", "table expected, got nil");
    assert_lua_error(&f, "pairs()", "table expected, got nil");
    assert_lua_error(&f, "next(5)", "table expected, got number");
    assert_lua_error(&f, "next({}, 'x')", "invalid key");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        API_TEST(nested_loops_see_all_keys),
        API_TEST(loops_see_each_key_once),
        API_TEST(refuses_what_is_no_table),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
