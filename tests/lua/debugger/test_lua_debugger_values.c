// What can be seen and done while the machine is stopped.
#include "lua/debugger/lua_debugger_fixture.h"

// A test that fails inside of a stop would leave it: the failures are counted, and the test fails later.
static uint32_t num_failures;

static void note_failure(const char *what, const char *got, const char *expected) {
    print_error("%s\ngave: %s\ninstead of: %s\n", what, got, expected);
    ++num_failures;
}

static void assert_same(const char *got, const char *expected) {
    if (strcmp(got, expected) != 0)
        note_failure("text", got, expected);
}

static uint32_t frame; // the innermost of the stop

static void find_frame(const ct_lua_stop *stop) {
    ct_lua_frame found;
    uint32_t total;
    assert_int_equal(ct_lua_debugger_frames(debugger, stop->coroutine, 0, 1, &found, &total), 1);
    frame = found.frame;
}

static double seconds = 0.2; // of an evaluation

static const char *evaluated(const char *text) {
    static ct_lua_debugger_value result;
    static ct_error error;
    error = (ct_error){0};
    return ct_lua_debugger_evaluate(debugger, frame, text, seconds, &result, &error)
               ? result.text
               : error.message;
}

static void assert_evaluated(const char *text, const char *expected) {
    const char *const got = evaluated(text);
    if (strcmp(got, expected) != 0)
        note_failure(text, got, expected);
}

static void assert_in_evaluated(const char *text, const char *expected) {
    const char *const got = evaluated(text);
    if (!strstr(got, expected))
        note_failure(text, got, expected);
}

// "name=text name=text" of the parts of a value.
static const char *parts_of(uint32_t value) {
    static char text[65536];
    ct_lua_debugger_value parts[100];
    uint32_t total;
    ct_error error = {0};
    const uint32_t count =
        ct_lua_debugger_parts(debugger, value, 0, CT_COUNT_OF(parts), parts, &total, &error);
    text[0] = 0;
    if (error.message[0])
        return strcpy(text, error.message);
    for (uint32_t i = 0; i < count; ++i)
        snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%.100s=%.300s", i ? " " : "",
                 parts[i].name, parts[i].text);
    return text;
}

static void assert_set(uint32_t value, const char *name, const char *text, const char *expected);

static uint32_t value_of(const char *text) {
    ct_lua_debugger_value result;
    ct_error error = {0};
    if (!ct_lua_debugger_evaluate(debugger, frame, text, 1, &result, &error))
        fail_msg("%s", error.message);
    return result.value;
}

static uint32_t scope_of(const char *name) {
    ct_lua_debugger_value scopes[6];
    ct_error error = {0};
    const uint32_t count = ct_lua_debugger_scopes(debugger, frame, scopes, 6, &error);
    for (uint32_t i = 0; i < count; ++i) {
        if (strcmp(scopes[i].name, name) == 0)
            return scopes[i].value;
    }
    return 0;
}

static void assert_set(uint32_t value, const char *name, const char *text, const char *expected) {
    ct_lua_debugger_value result;
    ct_error error = {0};
    const bool is_set = ct_lua_debugger_set(debugger, value, name, frame, text, &result, &error);
    const char *const got = is_set ? result.text : error.message;
    if (!strstr(got, expected))
        note_failure(name, got, expected);
}

// --- Frames --------------------------------------------------------------------------------------

static const char script[] = "Guard = {}\n"
                             "local count = 0\n"
                             "function Guard.update(self, dt, ...)\n"
                             "  local name, x = 'guard', 1\n"
                             "  do\n"
                             "    local x = {1, 2, name = 'in'}\n"
                             "    count = count + 1\n"
                             "    for i = 1, 2 do\n"
                             "      last = i\n" // 9
                             "    end\n"
                             "  end\n"
                             "  return x, name, count\n"
                             "end\n"
                             "local function walk()\n"
                             "  return (Guard.update({id = 5}, 0.5, 'a', nil, 7))\n"
                             "end\n"
                             "function run() return (walk()) end\n";

static void in_guard(uint32_t number, const ct_lua_stop *stop) {
    ct_lua_frame frames[16];
    uint32_t total;
    char text[1024] = "";
    find_frame(stop);
    if (number > 0)
        return;
    const uint32_t count = ct_lua_debugger_frames(debugger, stop->coroutine, 0, 16, frames, &total);
    assert_int_equal(count, total);
    for (uint32_t i = 0; i < 3; ++i)
        snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s %s:%u;", frames[i].name,
                 frames[i].place.script, frames[i].place.line);
    assert_same(text, "Guard.update main.lua:9;(upvalue) walk main.lua:15;run main.lua:17;");
    assert_int_equal(frames[0].kind, CT_LUA_FRAME_KIND_LUA);
    assert_int_equal(frames[3].kind, CT_LUA_FRAME_KIND_ENGINE);
    assert_int_equal(frames[count - 1].kind, CT_LUA_FRAME_KIND_C);
    assert_same(parts_of(scope_of("Locals")),
                "self={id = 5} dt=0.5 name=\"guard\" x={1, 2, name = \"in\"} i=1");
    assert_same(parts_of(scope_of("Varargs")), "[1]=\"a\" [2]=nil [3]=7");
    assert_same(parts_of(scope_of("Upvalues")), "count=1");
    assert_non_null(strstr(parts_of(scope_of("Globals")), "Guard={update = function Guard.update"));
    ct_string_builder names;
    ct_string_builder_init(&names, f.world.allocator);
    ct_lua_debugger_complete(debugger, frame, "return c", &names);
    assert_non_null(strstr(ct_string_builder_text(&names), "coroutine\ncount"));
    ct_string_builder_clear(&names);
    assert_int_equal(ct_lua_debugger_complete(debugger, frame, "x.n", &names), 2);
    assert_same(ct_string_builder_text(&names), "name");
    ct_string_builder_free(&names);
    frame = frames[2].frame;
    assert_same(parts_of(scope_of("Locals")), "");
    assert_same(parts_of(scope_of("Upvalues")), "walk=function main.lua:14");
    assert_same(parts_of(9999), "there is no value 9999: the game has gone on since");
}

static void shows_frames_and_scopes(void **state) {
    (void)state;
    assert_true(boot_script(&f, script));
    BREAK_ON(9);
    seen.inside = in_guard;
    assert_lua(&f, "run()", "1");
    assert_int_equal(num_failures, 0);
    assert_int_equal(seen.num_stops, 2);
    assert_false(ct_lua_debugger_is_stopped(debugger));
}

// --- Evaluation ----------------------------------------------------------------------------------

static void evaluate_in_guard(uint32_t number, const ct_lua_stop *stop) {
    find_frame(stop);
    if (number > 0)
        return;
    assert_evaluated("x.name .. i .. self.id", "\"in15\"");
    assert_evaluated("count, dt, ...", "1, 0.5, \"a\", nil, 7");
    assert_evaluated("count = 10", "");
    assert_evaluated("count", "10");
    assert_evaluated("x = 'y' name = x .. x", "");
    assert_evaluated("name", "\"yy\"");
    assert_evaluated("made = 3 return made", "3");
    assert_evaluated("_G.made", "3");
    assert_evaluated("missing", "nil");
    assert_in_evaluated("missing.x", "attempt to index global 'missing' (a nil value)");
    assert_in_evaluated("x +", "unexpected symbol near '<eof>'");
    assert_in_evaluated("error({})", "(an error value: {})");
    assert_in_evaluated("coroutine.yield()", "attempt to yield");
    assert_in_evaluated("while true do end", "stopped after 0.");
    assert_in_evaluated("pcall(function() while true do end end)", "stopped after 0.");
    assert_in_evaluated("for i = 1, 1e9 do local t = {} end", "stopped after 0.");
    seconds = 10;
    assert_in_evaluated("local t = {} for i = 1, 1e9 do t[i] = {i} end", "not enough memory");
    assert_in_evaluated("('x'):rep(1e9)", "not enough memory");
    seconds = 0.2;
    assert_evaluated("run()", "1"); // breakpoints do not stop it
    assert_evaluated("kept = function() return last, made end", "");
    assert_evaluated("kept()", "2, 3");
    frame = 0;
    assert_evaluated("name", "nil");
    assert_evaluated("made", "3");
    frame = 77;
    assert_in_evaluated("made", "there is no frame 77");
}

static int set_up_with_little_memory(void **state) {
    (void)state;
    f = start_script_with((ct_script_desc){
        .time_limit_seconds = 20, .stops_long_calls = true, .memory_limit_bytes = 16 << 20});
    attach((ct_lua_debugger_desc){0});
    return 0;
}

static void evaluates(void **state) {
    (void)state;
    assert_true(boot_script(&f, script));
    BREAK_ON(9);
    seen.inside = evaluate_in_guard;
    assert_lua(&f, "Guard.update({id = 5}, 0.5, 'a', nil, 7)", "1\tyy\t11");
    seen.inside = NULL;
    assert_lua(&f, "kept()", "2\t3");
    assert_int_equal(num_failures, 0);
    seen.num_stops = 0;
}

static void evaluate_loop_at_error(uint32_t number, const ct_lua_stop *stop) {
    find_frame(stop);
    assert_evaluated("number", "5");
    assert_in_evaluated("while true do end", "stopped after 0.");
    (void)number;
}

static void evaluates_at_errors(void **state) {
    (void)state;
    assert_true(boot_script(&f, "function fail(number)\n"
                                "  local t = {} + number\n"
                                "end\n"));
    ct_lua_debugger_stop_on_errors(debugger, CT_LUA_STOP_ON_ERRORS_UNCAUGHT);
    seen.inside = evaluate_loop_at_error;
    assert_lua_error(&f, "fail(5)", "main.lua:2: attempt to perform arithmetic");
    ASSERT_LINES(2);
}

static void evaluate_without_limits(uint32_t number, const ct_lua_stop *stop) {
    (void)number;
    find_frame(stop);
    assert_in_evaluated("while true do end", "stopped after 0.");
    assert_in_evaluated("spin()", "stopped after 0.");
    assert_evaluated("require('other')", "\"of the other\"");
    assert_in_evaluated("require('missing')", "there is no script");
}

// Its compiled code does not look for interrupts.
static void evaluates_where_calls_have_no_limit(void **state) {
    (void)state;
    tear_down(NULL);
    f = start_script();
    attach((ct_lua_debugger_desc){0});
    load_script(&f, "other", "return 'of the other'");
    assert_true(boot_script(&f, "done = false\n"
                                "function spin()\n"
                                "  while not done do end\n"
                                "end\n"
                                "function stop()\n"
                                "  return 1\n"
                                "end\n"));
    BREAK_ON(6);
    seen.inside = evaluate_without_limits;
    run_lua(&f, "for i = 1, 1000 do done = not done if done then spin() end end");
    assert_lua(&f, "stop()", "1");
    ASSERT_LINES(6);
    assert_int_equal(num_failures, 0);
}

static void evaluate_in_coroutine(uint32_t number, const ct_lua_stop *stop) {
    ct_lua_debugger_thread threads[8];
    ct_lua_frame frames[4];
    uint32_t total;
    (void)number;
    find_frame(stop);
    assert_int_equal(ct_lua_debugger_threads(debugger, threads, 8), 2);
    assert_int_equal(threads[0].thread, 1);
    assert_ptr_equal(threads[0].coroutine, f.script->lua.lua);
    assert_false(threads[0].is_running);
    assert_int_equal(threads[1].thread, 2);
    assert_true(threads[1].is_running);
    assert_ptr_equal(ct_lua_debugger_coroutine(debugger, 2), stop->coroutine);
    assert_int_equal(ct_lua_debugger_thread_of(debugger, stop->coroutine), 2);
    assert_null(ct_lua_debugger_coroutine(debugger, 77));
    assert_evaluated("a", "5");
    assert_evaluated("coroutine.running() == nil", "false");
    assert_true(ct_lua_debugger_frames(debugger, f.script->lua.lua, 0, 4, frames, &total) > 1);
    for (uint32_t i = 0; i < 4 && i < total; ++i) {
        if (frames[i].place.line == 5)
            frame = frames[i].frame;
    }
    assert_evaluated("outer", "7");
    assert_set(scope_of("Locals"), "outer", "8", "8");
}

static void shows_coroutines(void **state) {
    (void)state;
    assert_true(boot_script(&f, "function body(a)\n"
                                "  return a\n"
                                "end\n"
                                "function run(outer)\n"
                                "  coroutine.wrap(body)(5)\n"
                                "  return outer\n"
                                "end\n"));
    BREAK_ON(2);
    seen.inside = evaluate_in_coroutine;
    assert_lua(&f, "run(7)", "8");
    ASSERT_LINES(2);
    assert_int_equal(num_failures, 0);
}

// --- Setting -------------------------------------------------------------------------------------

static void set_in_guard(uint32_t number, const ct_lua_stop *stop) {
    find_frame(stop);
    if (number > 0)
        return;
    assert_set(scope_of("Locals"), "name", "'set' .. i", "\"set1\"");
    assert_set(scope_of("Upvalues"), "count", "41", "41");
    assert_set(scope_of("Varargs"), "[2]", "6", "6");
    assert_evaluated("...", "\"a\", 6, 7");
    assert_set(value_of("x"), "[2]", "{5}", "{5}");
    assert_set(value_of("x"), "name", "nil", "nil");
    assert_evaluated("x", "{1, {…}}");
    assert_set(value_of("x"), "nothing", "1", "there is no nothing in the table");
    assert_set(scope_of("Locals"), "nothing", "1", "there is no local nothing");
    assert_set(scope_of("Locals"), "name", "1 +", "unexpected symbol");
    assert_set(scope_of("Locals"), "name", "nil + 1", "attempt to perform arithmetic");
    assert_evaluated("last = 0", "");
    assert_set(scope_of("Globals"), "last", "'g'", "\"g\"");
    assert_evaluated("_G.last", "\"g\"");
    assert_evaluated("v = Vector3(1, 2, 3)", "");
    assert_set(value_of("v"), "y", "7", "7");
    assert_evaluated("v", "Vector3(1, 7, 3)");
    assert_set(value_of("v"), "y", "'a'", "expected a number for y, got string");
    assert_set(value_of("v"), "q", "1", "q of a Vector3 cannot be set");
    assert_set(1234567, "q", "1", "there is no value 1234567");
}

static void sets_values(void **state) {
    (void)state;
    assert_true(boot_script(&f, script));
    BREAK_ON(9);
    seen.inside = set_in_guard;
    assert_lua(&f, "Guard.update({id = 5}, 0.5, 'a', nil, 7)", "1\tset1\t41");
    assert_int_equal(num_failures, 0);
}

// --- Values --------------------------------------------------------------------------------------

static void see_values(uint32_t number, const ct_lua_stop *stop) {
    (void)number;
    find_frame(stop);
    assert_evaluated("nil, true, 1.5, 1e300, 0/0 ~= 0/0", "nil, true, 1.5, 1e+300, true");
    assert_evaluated("'a\\n\\0\\\\\"ä\\255'", "\"a\\n\\0\\\\\\\"ä\\xff\"");
    assert_evaluated("('ä'):rep(200):sub(1, 20)", "\"ääääääääää\"");
    assert_in_evaluated("('ä'):rep(200)", "äää…\"");
    assert_evaluated("{}", "{}");
    assert_evaluated("{1, 2, nil, 4, ['b c'] = {1}}", "{1, 2, [4] = 4, [\"b c\"] = {…}}");
    assert_evaluated("stop", "function stop main.lua:10");
    assert_evaluated("hidden()", "function main.lua:2");
    assert_evaluated("print", "function print");
    assert_evaluated("World.update", "function World.update");
    assert_evaluated("Vector2(1, 2), Vector4(1, 2, 3, 4)", "Vector2(1, 2), Vector4(1, 2, 3, 4)");
    assert_evaluated("Quaternion.identity()", "Quaternion(0, 0, 0, 1)");
    assert_evaluated("Vector3Box(1, 2, 3)", "Vector3Box(1, 2, 3)");
    assert_evaluated("IdString32('units/a'), IdString64('units/b')",
                     "IdString32(units/a), IdString64(units/b)");
    assert_evaluated("IdString64Box('units/b')", "IdString64Box(units/b)");
    assert_in_evaluated("old", "a Vector3 of an earlier frame");
    assert_evaluated("coroutine.create(stop)", "coroutine (suspended)");
    assert_evaluated("waits", "coroutine (suspended)");
    assert_evaluated("tricky", "{a = 1}");
    assert_same(parts_of(value_of("Vector3(1, 2, 3)")), "x=1 y=2 z=3");
    assert_same(parts_of(value_of("QuaternionBox(Quaternion.identity())")), "x=0 y=0 z=0 w=1");
    assert_non_null(strstr(parts_of(value_of("Matrix4x4.identity()")), "translation.w=1"));
    assert_same(
        parts_of(value_of("{b = 1, a = 2, [3] = 3, [1] = 1, [true] = 5, ['x y'] = 6, [-1] = 0}")),
        "[-1]=0 [1]=1 [3]=3 a=2 b=1 [\"x y\"]=6 [true]=5");
    assert_same(parts_of(value_of("tricky")), "a=1 (metatable)={__index = function main.lua:13}");
    assert_same(parts_of(value_of("waits")),
                "[1]=coroutine.yield [2]=function of line 5 main.lua:7");
    assert_int_equal(value_of("5"), 0);
    assert_int_equal(value_of("{}"), 0);
}

static void shows_values_of_all_kinds(void **state) {
    (void)state;
    assert_true(boot_script(
        &f, "local up = 1\n"
            "local function secret() return up end\n"
            "function hidden() return secret end\n"
            "old = Vector3(1, 2, 3)\n"
            "waits = coroutine.create(function(a)\n"
            "  local b = a\n"
            "  coroutine.yield(b)\n"
            "end)\n"
            "coroutine.resume(waits, 5)\n"
            "function stop()\n"
            "  return 1\n"
            "end\n"
            "tricky = setmetatable({a = 1}, {__index = function() error('called') end})\n"));
    ct_lua_begin_frame(&f.script->lua);
    BREAK_ON(11);
    seen.inside = see_values;
    assert_lua(&f, "stop()", "1");
    assert_int_equal(num_failures, 0);
    ASSERT_LINES(11);
}

static void see_pages(uint32_t number, const ct_lua_stop *stop) {
    ct_lua_debugger_value parts[10];
    uint32_t total;
    ct_error error = {0};
    (void)number;
    find_frame(stop);
    const uint32_t value = value_of("big");
    assert_int_equal(ct_lua_debugger_parts(debugger, value, 995, 10, parts, &total, &error), 5);
    assert_int_equal(total, 1000);
    assert_same(parts[0].name, "[996]");
    assert_same(parts[0].text, "1992");
    assert_int_equal(ct_lua_debugger_parts(debugger, value, 5000, 10, parts, &total, &error), 0);
    const uint32_t tables = value_of("tables");
    assert_int_equal(ct_lua_debugger_parts(debugger, tables, 1, 1, parts, &total, &error), 1);
    assert_int_equal(parts[0].count, 2);
    assert_same(parts_of(parts[0].value), "[1]=2 [2]=2");
}

static void shows_pages_of_parts(void **state) {
    (void)state;
    assert_true(boot_script(&f, "big, tables = {}, {}\n"
                                "for i = 1, 1000 do big[i] = 2 * i tables[i] = {i, i} end\n"
                                "function stop()\n"
                                "  return 1\n"
                                "end\n"));
    BREAK_ON(4);
    seen.inside = see_pages;
    run_lua(&f, "stop()");
    assert_int_equal(num_failures, 0);
    ASSERT_LINES(4);
}

// --- Values of the engine ------------------------------------------------------------------------

static bool expand(void *user, lua_State *L, int index) {
    (void)user;
    if (!lua_islightuserdata(L, index))
        return false;
    lua_newtable(L);
    lua_pushliteral(L, "first");
    lua_rawseti(L, -2, 1);
    ct_push_vector3(L, (ct_vec3){{1, 2, 3}});
    lua_rawseti(L, -2, 2);
    return true;
}
static bool assign_part(void *user, lua_State *L, int index, const char *name) {
    (void)user, (void)index;
    if (lua_type(L, -1) != LUA_TNUMBER)
        luaL_error(L, "expected a number");
    return strcmp(name, "first") == 0;
}
static bool describe(void *user, lua_State *L, int index) {
    (void)user, (void)index;
    lua_pushliteral(L, "described\nso");
    return true;
}

static bool add_scope(void *user, lua_State *L, lua_State *coroutine, int level) {
    (void)user, (void)coroutine;
    assert_int_equal(level, 0);
    lua_pushliteral(L, "Own");
    lua_newtable(L);
    lua_pushinteger(L, 3);
    lua_setfield(L, -2, "three");
    return true;
}

static void see_engine_values(uint32_t number, const ct_lua_stop *stop) {
    (void)number;
    find_frame(stop);
    assert_same(parts_of(scope_of("Own")), "three=3");
    assert_evaluated("old", "described\\nso");
    assert_same(parts_of(value_of("old")), "first=Vector3(1, 2, 3)");
    assert_set(value_of("old"), "first", "5", "5");
    assert_set(value_of("old"), "first", "'a'", "expected a number");
    assert_set(value_of("old"), "second", "5", "second of a Vector3 cannot be set");
}

static void shows_values_of_the_engine(void **state) {
    (void)state;
    ct_lua_debugger_destroy(debugger);
    attach((ct_lua_debugger_desc){
        .values = {
            .expand = expand, .assign = assign_part, .describe = describe, .scope = add_scope}});
    assert_true(boot_script(&f, "old = Vector3(1, 2, 3)\n"
                                "function stop()\n"
                                "  return 1\n"
                                "end\n"));
    ct_lua_begin_frame(&f.script->lua);
    BREAK_ON(3);
    seen.inside = see_engine_values;
    run_lua(&f, "stop()");
    assert_int_equal(num_failures, 0);
    ASSERT_LINES(3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        DEBUGGER_TEST(shows_frames_and_scopes),
        cmocka_unit_test_setup_teardown(evaluates, set_up_with_little_memory, tear_down),
        DEBUGGER_TEST(evaluates_at_errors),
        DEBUGGER_TEST(evaluates_where_calls_have_no_limit),
        DEBUGGER_TEST(shows_coroutines),
        DEBUGGER_TEST(sets_values),
        DEBUGGER_TEST(shows_values_of_all_kinds),
        DEBUGGER_TEST(shows_pages_of_parts),
        DEBUGGER_TEST(shows_values_of_the_engine),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
