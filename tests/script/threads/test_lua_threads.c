// LuaThreads: jobs, messages, locks of modules, errors, limits and reloads. Each test runs without
// worker threads, and with two.
#include "script/threads/threads_fixture.h"

static int set_up_alone(void **state) {
    (void)state;
    return begin_test(0, (ct_script_desc){.num_worker_states = 1});
}

static int set_up_threads(void **state) {
    (void)state;
    return begin_test(2, (ct_script_desc){.num_worker_states = 3});
}

static int set_up_limits(void **state) {
    (void)state;
    return begin_test(1, (ct_script_desc){.num_worker_states = 2,
                                          .time_limit_seconds = 1,
                                          .stops_long_calls = true});
}

static int set_up_short_limit(void **state) {
    (void)state;
    return begin_test(1, (ct_script_desc){.num_worker_states = 2,
                                          .time_limit_seconds = 0.05,
                                          .stops_long_calls = true});
}

static int set_up_memory(void **state) {
    (void)state;
    return begin_test(1, (ct_script_desc){.num_worker_states = 2,
                                          .time_limit_seconds = 60,
                                          .stops_long_calls = true,
                                          .worker_memory_limit_bytes = 16 << 20});
}

// --- Jobs ----------------------------------------------------------------------------------------

static void gives_results_in_the_order_of_jobs(void **state) {
    (void)state;
    assert_lua(&f,
               "table.concat(LuaThreads.run({job('double', 1), job('double', 2), "
               "job('double', 3), job('double', 4)}), ' ')",
               "2 4 6 8");
    assert_lua(&f, "#LuaThreads.run({})", "0");
    assert_lua(&f, "one('give')", "nil");
    assert_lua(&f, "LuaThreads.is_worker()", "false");
}

static void factors_numbers_like_the_post(void **state) {
    (void)state;
    load_script(&f, "scripts/factor",
                "function factor(n) local found = {} local p = 2 "
                "while n > 1 do if n % p == 0 then n = n / p found[#found + 1] = p "
                "else p = p + 1 end end return found end");
    assert_lua(&f,
               "(function() local jobs = {} for i, n in ipairs{12, 35, 97, 1001} do "
               "jobs[i] = {script = 'scripts/factor', ['function'] = 'factor', n} end "
               "local text = '' for _, found in ipairs(LuaThreads.run(jobs)) do "
               "text = text .. table.concat(found, '*') .. ' ' end return text end)()",
               "2*2*3 5*7 97 7*11*13 ");
}

static void runs_the_example_of_the_post(void **state) {
    (void)state;
    load_script(&f, "scripts/post",
                "function update(player) "
                "  Unit = LuaThreads.lock_api(\"Unit\", player, LockType.WRITE) "
                "  Unit.set_position(0, Vector3(4,5,6)) "
                "  LuaThreads.unlock_api(Unit) "
                "end");
    run_lua(&f, "LuaThreads.run{{script = 'scripts/post', ['function'] = 'update', U[1]}}");
    assert_lua(&f, "parts(Unit.local_position(U[1], 1))", "4\t5\t6");
}

static void has_only_pure_modules(void **state) {
    (void)state;
    load_script(&f, "scripts/bare",
                "function see(name) return type(_G[name]) end "
                "function use() return Application.new_world() end "
                "function unit() return Unit.alive(nil) end "
                "function worker() return LuaThreads.is_worker() end");
    assert_lua(&f,
               "(function() local seen = {} for i, name in ipairs{'Vector3', 'Quaternion', "
               "'Float32Array', 'Math', 'LuaThreads'} do seen[i] = {script = 'scripts/bare', "
               "['function'] = 'see', name} end return table.concat(LuaThreads.run(seen), ' ') "
               "end)()",
               "table table table table table");
    assert_lua_error(&f, "LuaThreads.run{{script = 'scripts/bare', ['function'] = 'use'}}",
                     "jobs cannot use the module Application");
    assert_lua_error(&f, "LuaThreads.run{{script = 'scripts/bare', ['function'] = 'unit'}}",
                     "jobs have no global Unit; get it with LuaThreads.lock_api(\"Unit\", …)");
    assert_lua(&f, "LuaThreads.run{{script = 'scripts/bare', ['function'] = 'worker'}}[1]", "true");
}

static void gives_the_same_random_numbers_to_the_same_job(void **state) {
    (void)state;
    load_script(&f, "scripts/dice", "function roll() return Math.random() + Math.random() end");
    run_lua(&f, "function rolls() local jobs = {} for i = 1, 20 do jobs[i] = {script = "
                "'scripts/dice', ['function'] = 'roll'} end return LuaThreads.run(jobs) end");
    assert_lua(&f,
               "(function() local a, b = rolls(), rolls() for i = 1, 20 do "
               "if a[i] ~= b[i] then return i end end return a[1] ~= a[2] end)()",
               "true");
}

// --- Messages ------------------------------------------------------------------------------------

static void copies_values(void **state) {
    (void)state;
    assert_lua(&f,
               "(function() local t = one('echo', true, 0.1, 'a\\0b', {x = {1, 2}}, false) "
               "return t[1], t[2] == 0.1, #t[3], t[4].x[2], t[5] end)()",
               "true\ttrue\t3\t2\tfalse");
    assert_lua(&f, "parts(one('give', Vector3(1, 2, 3)))", "1\t2\t3");
    assert_lua(&f, "parts(one('give', Quaternion(Vector3(0, 0, 1), 0)))", "0\t0\t0\t1");
    assert_lua(&f, "parts(one('give', Vector3Box(1, 2, 3)):unbox())", "1\t2\t3");
    assert_lua(&f, "one('give', U[3]) == U[3], one('give', W) == W", "true\ttrue");
    assert_lua(&f,
               "parts(Matrix4x4.translation(one('give', "
               "Matrix4x4.from_translation(Vector3(4, 5, 6)))))",
               "4\t5\t6");
    assert_lua(&f,
               "IdString64.to_hex(one('give', IdString64('a'))) == "
               "IdString64.to_hex(IdString64('a'))",
               "true");
}

static void moves_arrays(void **state) {
    (void)state;
    assert_lua(&f,
               "(function() local a = Float32Array({1, 2, 3}) local b = one('give', a) "
               "return #a, #b, b[2] or Float32Array.get(b, 2) end)()",
               "0\t3\t2");
    assert_lua(&f,
               "(function() local b = one('give', EntityArray(U)) "
               "return EntityArray.size(b), EntityArray.get(b, 8) == U[8] end)()",
               "8\ttrue");
    assert_lua_error(&f, "(function() local a = Float32Array({1}) one('give', {a, a}) end)()",
                     "jobs[1][1][2] is an array that is sent twice");
    // Refused before anything moves.
    assert_lua(&f,
               "(function() local a = Float32Array({1}) pcall(one, 'give', a, print) "
               "return #a end)()",
               "1");
}

static void refuses_what_cannot_be_sent(void **state) {
    (void)state;
    assert_lua_error(&f, "one('give', print)", "jobs[1][1]: expected nil, a boolean, number");
    assert_lua_error(&f, "one('give', {a = {b = {print}}})", "jobs[1][1].a.b[1]: expected nil");
    assert_lua_error(&f, "one('give', {[{}] = 1, [print] = 2})", "jobs[1][1] (a key): expected");
    assert_lua_error(&f, "(function() local t = {} t.x = {t} one('give', t) end)()",
                     "jobs[1][1].x[1] is a table that contains itself");
    assert_lua_error(&f,
                     "(function() local t = {} for i = 1, 200 do t = {t} end "
                     "one('give', t) end)()",
                     "is deeper than 100 tables");
    assert_lua_error(&f, "one('give', coroutine.create(print))", "got thread");
    load_script(&f, "scripts/odd", "function odd() return {x = print} end");
    assert_lua_error(&f, "LuaThreads.run{{script = 'scripts/odd', ['function'] = 'odd'}}",
                     "the result.x: expected nil, a boolean");
}

// They could change what was checked.
static void runs_no_metamethods_of_jobs(void **state) {
    (void)state;
    assert_lua_error(&f,
                     "LuaThreads.run{setmetatable({}, {__index = function(t, key) "
                     "error('called') end})}",
                     "expected at index 1 a table with script");
    assert_lua(&f,
               "(function() local first = {1} local called = 0 "
               "local a, b = job('give', first), job('give', 2) b.name = nil "
               "setmetatable(b, {__index = function() called = called + 1 first[1] = first end}) "
               "return LuaThreads.run({a, b})[1][1], called end)()",
               "1\t0");
}

static void refuses_wrong_jobs(void **state) {
    (void)state;
    assert_lua_error(&f, "LuaThreads.run(1)", "argument 1 (jobs)");
    assert_lua_error(&f, "LuaThreads.run{1}", "expected at index 1 a table with script");
    assert_lua_error(&f, "LuaThreads.run{{script = 'scripts/w'}}", "expected at index 1 a table");
    assert_lua_error(&f, "LuaThreads.run({}, 1)", "expected table or nil, got number");
    assert_lua_error(&f, "LuaThreads.run({}, {states = 0})",
                     "argument 2 (options): expected states from 1 to 64, got 0");
    assert_lua_error(&f, "LuaThreads.run({}, {states = 1.5})", "expected states from 1 to 64");
    assert_lua_error(&f, "LuaThreads.run({}, {return_errors = 1})", "expected true or false");
    assert_lua_error(&f, "LuaThreads.run({}, {state = 1})",
                     "expected the options states and return_errors, got state");
    assert_lua_error(&f, "LuaThreads.run{{script = ('x'):rep(9999), ['function'] = 'x'}}",
                     "expected at index 1 a script of at most");
    assert_lua_error(&f, "LuaThreads.run{{script = 1, ['function'] = 'x'}}",
                     "expected at index 1 a text without zero bytes as script, got");
    assert_lua_error(&f, "LuaThreads.run{{script = 'x', ['function'] = 'x', name = ('x'):rep(64)}}",
                     "expected at index 1 a name of at most 63 bytes");
    assert_lua_error(&f, "one('nothing')", "the script \"scripts/w\" has no function \"nothing\"");
    assert_lua_error(&f, "LuaThreads.run{{script = 'scripts/none', ['function'] = 'x'}}",
                     "there is no script \"scripts/none\"");
    assert_lua_error(&f, "LuaThreads.lock_api('Unit')", "only jobs of LuaThreads.run can call it");
}

static void loads_scripts_before_jobs_only(void **state) {
    (void)state;
    write_script(&f, "scripts/late", "return 3"); // in no loaded package
    load_script(&f, "scripts/early", "return 2");
    load_script(&f, "scripts/lazy", "function lazy(name) return require(name) end");
    assert_lua(&f,
               "LuaThreads.run{{script = 'scripts/lazy', ['function'] = 'lazy', "
               "'scripts/early'}}[1]",
               "2");
    assert_lua_error(&f,
                     "LuaThreads.run{{script = 'scripts/lazy', ['function'] = 'lazy', "
                     "'scripts/late'}}",
                     "the script \"scripts/late\" is not loaded, and jobs cannot load it");
    load_script(&f, "scripts/greedy", "LuaThreads.lock_api('Unit')");
    assert_lua_error(&f, "LuaThreads.run{{script = 'scripts/greedy', ['function'] = 'x'}}",
                     "only jobs can lock, not a script while it loads");
}

// --- Errors --------------------------------------------------------------------------------------

static void reports_failed_jobs_and_runs_the_others(void **state) {
    (void)state;
    assert_lua_error(&f, "LuaThreads.run{job('double', 1), job('fail', 'oh'), job('double', 3)}",
                     "1 of 3 jobs failed, first \"scripts/w:fail\": scripts/w.lua:1: oh");
    assert_lua(&f,
               "(function() local r, e = LuaThreads.run({job('double', 1), job('fail', 'oh'), "
               "job('double', 3)}, {return_errors = true}) "
               "return r[1], r[2], r[3], e[2]:find('stack traceback', 1, true) ~= nil, e[1] "
               "end)()",
               "2\tnil\t6\ttrue\tnil");
    assert_lua(&f, "select(2, LuaThreads.run({job('double', 1)}, {return_errors = true}))", "nil");
}

static void runs_a_script_that_fails_once_for_all_jobs(void **state) {
    (void)state;
    load_script(&f, "scripts/broken",
                "Script.set_temp_count(0) tries = (tries or 0) + 1 error('try ' .. tries)");
    assert_lua(&f,
               "(function() local b = {script = 'scripts/broken', ['function'] = 'x'} "
               "local _, e = LuaThreads.run({b, job('double', 1), b, b}, {return_errors = true}) "
               "return e[1]:match('try %d'), e[2], e[3] == e[1], e[4] == e[1] end)()",
               "try 1\tnil\ttrue\ttrue");
}

static void runs_scripts_again_that_a_job_took_out(void **state) {
    (void)state;
    load_script(&f, "scripts/out",
                "return {out = function() package.loaded['scripts/out'] = nil return 1 end}");
    for (uint32_t i = 0; i < 2; ++i)
        assert_lua(&f, "LuaThreads.run{{script = 'scripts/out', ['function'] = 'out'}}[1]", "1");
}

static void gives_locks_back_when_a_job_fails(void **state) {
    (void)state;
    load_script(&f, "scripts/raise",
                "function raise(u) local Unit = LuaThreads.lock_api('Unit', u) "
                "error('with a lock') end");
    run_lua(&f, "LuaThreads.run({{script = 'scripts/raise', ['function'] = 'raise', U[1]}, "
                "job('move', U[1], 3)}, {return_errors = true})");
    assert_lua(&f, "Unit.local_position(U[1], 1).x", "3");
}

// --- Locks ---------------------------------------------------------------------------------------

static void refuses_what_is_outside_of_the_lock(void **state) {
    (void)state;
    load_script(
        &f, "scripts/out",
        "function other(u, v) local Unit = LuaThreads.lock_api('Unit', u) "
        "  return Unit.local_position(v, 1) end "
        "function reads(u) local Unit = LuaThreads.lock_api('Unit', u, 'read') "
        "  Unit.set_local_position(u, 1, Vector3(0, 0, 0)) end "
        "function later(u) local Unit = LuaThreads.lock_api('Unit', u) "
        "  LuaThreads.unlock_api(Unit) Unit.alive(u) end "
        "function twice(u) local Unit = LuaThreads.lock_api('Unit', u) "
        "  LuaThreads.unlock_api(Unit) LuaThreads.unlock_api(Unit) end "
        "function forbidden(u) return LuaThreads.lock_api('Unit', u).box(u) end "
        "function change(u) LuaThreads.lock_api('Unit', u).box = 1 end "
        "function unknown(u) LuaThreads.lock_api('Light', u) end "
        "function world(u) LuaThreads.lock_api('World', u) end "
        "function mode(u) LuaThreads.lock_api('Unit', u, 'both') end "
        "function unlock(x) LuaThreads.unlock_api(x or {}) end "
        "function nested(u) coroutine.wrap(function() LuaThreads.lock_api('Unit', u) end)() "
        "  end "
        "function linked(u, v) local Unit = LuaThreads.lock_api('Unit', u) "
        "  return Unit.local_position(v, 1).x end "
        "function single(u, tc) local T = LuaThreads.lock_api('TransformComponent', u) "
        "  T.local_position(tc, u) end "
        "function bulk(u, tc) local T = LuaThreads.lock_api('TransformComponent', u) "
        "  T.world_positions(tc, {u}) end");
    run_lua(&f,
            "function out(name, ...) local _, e = LuaThreads.run({{script = 'scripts/out', "
            "['function'] = name, ...}}, {return_errors = true}) return e and e[1] or 'nothing' "
            "end TC = EntityManager.transform_component(W) V = Application.new_world()");
    const char *const cases[][2] = {
        {"out('other', U[1], U[2])", "expected what was locked at scripts/out.lua:1, got Unit"},
        {"out('reads', U[1])", "needs a lock for \"write\"; Unit was locked for \"read\""},
        {"out('later', U[1])", "the lock of Unit was given back"},
        {"out('twice', U[1])", "the lock of Unit was given back already"},
        {"out('forbidden', U[1])", "Unit.box: jobs cannot call it"},
        {"out('change', U[1])", "cannot be changed"},
        {"out('unknown', U[1])", "expected a module that can be locked (DataComponent, Level,"},
        {"out('world', U[1])", "expected World or nil for the module World, got Unit"},
        {"out('mode', U[1])", "\"read\""},
        {"out('unlock')", "expected what LuaThreads.lock_api returned, got table"},
        {"out('unlock', 5)", "expected what LuaThreads.lock_api returned, got number"},
        {"out('nested', U[1])", "call it in the job's own function, not in a coroutine"},
        {"out('single', U[1], TC)", "nothing"},
        {"out('single', U[1], EntityManager.transform_component(V))",
         "got TransformComponent, which belongs to another world"},
        {"out('bulk', U[1], TC)",
         "works on more than a unit; lock TransformComponent of the world"},
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(cases); ++i) {
        const char *const got = run_lua(&f, cases[i][0]);
        if (!strstr(got, cases[i][1]))
            fail_msg("%s\ngave: %s\ninstead of: %s", cases[i][0], got, cases[i][1]);
    }
    run_lua(&f, "World.link_unit(W, U[2], 1, U[1])"); // what is linked belongs to it
    assert_lua(&f, "out('linked', U[1], U[2])", "nothing");
}

static void keeps_locks_of_the_same_job_apart(void **state) {
    (void)state;
    load_script(&f, "scripts/nest",
                "function nest(u) local A = LuaThreads.lock_api('Unit', u, 'read') "
                "  local B = LuaThreads.lock_api('Unit', u, 'write') "
                "  local C = LuaThreads.lock_api('Unit', nil, 'write') "
                "  B.set_local_position(u, 1, Vector3(9, 0, 0)) LuaThreads.unlock_api(B) "
                "  local x = A.local_position(u, 1).x LuaThreads.unlock_api(C) "
                "  return A ~= B and A.local_position(u, 1).x + x end");
    assert_lua(&f, "LuaThreads.run{{script = 'scripts/nest', ['function'] = 'nest', U[1]}}[1]",
               "18");
}

static void refuses_a_lock_given_back_by_another_job(void **state) {
    (void)state;
    load_script(&f, "scripts/steal",
                "function keep(u) stolen = LuaThreads.lock_api('Unit', u) coroutine.yield() "
                "  return stolen.local_position(u, 1).x end "
                "function steal(u) LuaThreads.unlock_api(stolen) end "
                "function use(u) return stolen.local_position(u, 1) end");
    run_lua(&f, "R, E = LuaThreads.run({"
                "{script = 'scripts/steal', ['function'] = 'keep', name = 'keeper', U[1]}, "
                "{script = 'scripts/steal', ['function'] = 'steal', U[1]}, "
                "{script = 'scripts/steal', ['function'] = 'use', U[1]}}, "
                "{return_errors = true, states = 1})");
    assert_lua(&f,
               "R[1], E[2]:match('belongs to the job \"(%w+)\"'), "
               "E[3]:match('belongs to the job \"(%w+)\"')",
               "0\tkeeper\tkeeper");
}

static void counts_every_step_of_jobs_that_share_a_unit(void **state) {
    (void)state;
    assert_lua(&f,
               "(function() Unit.set_local_position(U[1], 1, Vector3(0, 0, 0)) "
               "local jobs = {} for i = 1, 20 do jobs[i] = job('add', U[1], 500) end "
               "LuaThreads.run(jobs) return Unit.local_position(U[1], 1).x end)()",
               "10000");
}

static void finds_deadlocks(void **state) {
    (void)state;
    run_lua(&f, "R, E = LuaThreads.run({"
                "{script = 'scripts/w', ['function'] = 'pair', name = 'first', U[1], U[2], true}, "
                "{script = 'scripts/w', ['function'] = 'pair', name = 'second', U[2], U[1]}}, "
                "{return_errors = true, states = 1})");
    const char *const error = run_lua(&f, "E[1]");
    assert_non_null(strstr(error, "deadlock: \"first\" (Unit) waits at scripts/w.lua:1 to write "
                                  "Unit, which \"second\" has held since scripts/w.lua:1 to write; "
                                  "\"second\" (Unit) waits at scripts/w.lua:1 to write Unit, which "
                                  "\"first\" has held since scripts/w.lua:1 to write"));
    assert_lua(&f, "R[2], E[2]", "done\tnil"); // it got the other's lock
    assert_lua(&f, "LuaThreads.lock_statistics().Unit.deadlocks", "1");
}

// With long names its error is longer than others may be.
static void names_all_jobs_of_a_deadlock(void **state) {
    (void)state;
    run_lua(&f, "function three(options) local jobs = {} for i = 1, 3 do jobs[i] = {script = "
                "'scripts/w', ['function'] = 'pair', name = string.rep('abcdefghij', 6) .. i, "
                "U[i], U[i % 3 + 1], true} end return LuaThreads.run(jobs, options) end "
                "R, E = three({return_errors = true, states = 1}) "
                "function ends_well(text) return #text > 600, "
                "  text:find('2\" has held since scripts/w.lua:1 to write', 1, true) ~= nil, "
                "  text:find('3\" has held since scripts/w.lua:1 to write', 1, true) ~= nil, "
                "  text:find('1\" has held since scripts/w.lua:1 to write', 1, true) ~= nil end");
    assert_lua(&f, "ends_well(E[3])", "true\ttrue\ttrue\ttrue");
    assert_lua(&f, "ends_well(select(2, pcall(three, {states = 1})))", "true\ttrue\ttrue\ttrue");
}

// Which job comes first is the machine's choice: they run until they have met.
static void finds_deadlocks_over_threads(void **state) {
    (void)state;
    load_script(&f, "scripts/meet",
                "function meet(u, v) LuaThreads.lock_api('Unit', u) for i = 1, 3e6 do end "
                "  LuaThreads.lock_api('Unit', v) return 'done' end");
    run_lua(&f,
            "function j(u, v) return {script = 'scripts/meet', ['function'] = 'meet', u, v} end "
            "for i = 1, 500 do R, E = LuaThreads.run({j(U[1], U[2]), j(U[2], U[1])}, "
            "{return_errors = true, states = 2}) if E then break end end");
    assert_lua(&f, "R[1] or R[2], (E[1] or E[2]):match('deadlock'), E[1] and E[2]",
               "done\tdeadlock\tnil");
}

static void warns_of_the_order_of_locks_once(void **state) {
    (void)state;
    for (uint32_t i = 0; i < 3; ++i)
        run_lua(&f, "LuaThreads.run{job('pair', U[1], U[2]), job('pair', U[3], U[4])} "
                    "LuaThreads.run{job('pair', U[4], U[3])}");
    assert_false(is_logged("the other way round")); // jobs of two runs cannot wait for each other
    for (uint32_t i = 0; i < 3; ++i)
        run_lua(&f, "LuaThreads.run{job('pair', U[1], U[2]), job('pair', U[2], U[1])}");
    assert_true(is_logged("locks Unit (scripts/w.lua:1) and then Unit (scripts/w.lua:1), but "));
    const char *const first = strstr(logged, "the other way round");
    assert_non_null(first);
    assert_null(strstr(first + 1, "the other way round"));
}

static void cannot_wait_inside_of_c_functions(void **state) {
    (void)state;
    load_script(
        &f, "scripts/sort",
        "function hold(u) local Unit = LuaThreads.lock_api('Unit', u) coroutine.yield() end "
        "function sort(u) local free, ok = LuaThreads.lock_api('World'), {} "
        "  table.sort({3, 1, 2}, function(a, b) LuaThreads.lock_api('Unit', u) "
        "  return a < b end) end");
    run_lua(&f, "R, E = LuaThreads.run({"
                "{script = 'scripts/sort', ['function'] = 'hold', U[1]}, "
                "{script = 'scripts/sort', ['function'] = 'sort', U[1]}}, "
                "{return_errors = true, states = 1})");
    assert_lua(&f, "E[2]:find('cannot inside of a function that C calls', 1, true) ~= nil", "true");
}

static void lets_jobs_wait_in_protected_calls(void **state) {
    (void)state;
    load_script(&f, "scripts/p",
                "function hold(u) local Unit = LuaThreads.lock_api('Unit', u) coroutine.yield() "
                "  Unit.set_local_position(u, 1, Vector3(5, 0, 0)) end "
                "function see(u) local ok, x = pcall(function() "
                "  return LuaThreads.lock_api('Unit', u).local_position(u, 1).x end) return x end");
    assert_lua(&f,
               "LuaThreads.run({{script = 'scripts/p', ['function'] = 'hold', U[1]}, "
               "{script = 'scripts/p', ['function'] = 'see', U[1]}}, {states = 1})[2]",
               "5");
}

// Jobs of one state share its temporaries: those of one that waits must not be used again.
static void keeps_the_temporaries_of_jobs_that_wait(void **state) {
    (void)state;
    load_script(&f, "scripts/temporary",
                "function keep() local v = Vector3(1, 2, 3) coroutine.yield() return v end "
                "function reuse() for i = 1, 10 do Script.set_temp_count(0) Vector3(9, 9, 9) end "
                "return 1 end");
    assert_lua(&f,
               "parts(LuaThreads.run({{script = 'scripts/temporary', ['function'] = 'keep'}, "
               "{script = 'scripts/temporary', ['function'] = 'reuse'}}, {states = 1})[1])",
               "1\t2\t3");
}

static void ends_the_temporaries_of_jobs_that_ended(void **state) {
    (void)state;
    load_script(
        &f, "scripts/make",
        "function make(waits) local v = Vector3(1, 2, 3) if waits then coroutine.yield() end "
        "for i = 1, 50 do Vector3(9, 9, 9) end return v.x .. ' ' .. Script.temp_count() end");
    run_lua(&f, "function make(waits) local jobs = {} for i = 1, 40 do jobs[i] = {script = "
                "'scripts/make', ['function'] = 'make', waits} end "
                "return LuaThreads.run(jobs, {states = 1}) end");
    assert_lua(&f, "make()[1], make()[40]", "1 51\t1 51");
    assert_lua(&f, "make(true)[1], make(true)[33]", "1 82\t1 90");
}

static void keeps_the_profiler_scopes_of_jobs_that_wait(void **state) {
    (void)state;
    load_script(&f, "scripts/profiled",
                "function profiled() Profiler.start('a') Profiler.start('b') coroutine.yield() "
                "Profiler.stop() coroutine.yield() Profiler.stop() return pcall(Profiler.stop) end "
                "function open() Profiler.start('c') coroutine.yield() end");
    run_lua(&f, "function profiled(name) local p = {script = 'scripts/profiled', ['function'] = "
                "name} return LuaThreads.run({p, p, p}, {states = 1}) end");
    assert_lua(&f,
               "table.concat({profiled('profiled')[1] == false and 'no scope left', "
               "profiled('profiled')[3] == false and 'no scope left'}, ' ')",
               "no scope left no scope left");
    assert_false(is_logged("a Profiler.start has no Profiler.stop"));
    run_lua(&f, "profiled('open')");
}

// Many more jobs than may be open at a time, all for one lock.
static void lets_many_jobs_wait_for_one_lock(void **state) {
    (void)state;
    load_script(&f, "scripts/many",
                "function many(u, i) local Unit = LuaThreads.lock_api('Unit', u, i % 3 == 0 and "
                "'write' or 'read') coroutine.yield() return i end");
    assert_lua(&f,
               "(function() local jobs = {} for i = 1, 300 do jobs[i] = {script = "
               "'scripts/many', ['function'] = 'many', U[1], i} end local sum = 0 "
               "for _, i in ipairs(LuaThreads.run(jobs)) do sum = sum + i end return sum end)()",
               "45150");
}

// --- What jobs may do ----------------------------------------------------------------------------

static void moves_units_nodes_and_data(void **state) {
    (void)state;
    load_script(&f, "scripts/all",
                "function unit(u, i) local Unit = LuaThreads.lock_api('Unit', u) "
                "  for k = 1, 200 do Unit.set_local_position(u, 1, Vector3(i, k, 0)) "
                "  Unit.set_local_rotation(u, 1, Quaternion(Vector3(0, 0, 1), k)) "
                "  Unit.world_pose(u, 1) Script.set_temp_count(1) end end "
                "function node(u) local Unit = LuaThreads.lock_api('Unit', u) "
                "  local n = Unit.node(u, 'n1') for k = 1, 200 do "
                "  Unit.set_local_position(u, n, Vector3(0, 0, k)) "
                "  Unit.world_position(u, n + 1) Script.set_temp_count(1) end end "
                "function look(u) local Unit = LuaThreads.lock_api('Unit', u, 'read') local z "
                "  for k = 1, 200 do z = Unit.world_position(u, 2).z Script.set_temp_count(1) end "
                "  return z end "
                "function bulk(tc, units) for k = 1, 20 do "
                "  local T = LuaThreads.lock_api('TransformComponent', nil) "
                "  local p = T.local_positions(tc, units) T.set_local_positions(tc, units, p) "
                "  LuaThreads.unlock_api(T) end end "
                "function world(w) local World = LuaThreads.lock_api('World', w, 'read') "
                "  for k = 1, 50 do World.units(w) World.time(w) end return World.num_units(w) end "
                "function data(d, u, i) local D = LuaThreads.lock_api('DataComponent') "
                "  D.set_property_by_id(d, u, 'info', 'n', i) "
                "  return D.get_property_by_id(d, u, 'info', 'n') end");
    run_lua(&f,
            "R = World.spawn_unit(W, 'units/robot') R2 = World.spawn_unit(W, 'units/robot') "
            "D = EntityManager.data_component(W) TC = EntityManager.transform_component(W) "
            "for i = 1, 8 do DataComponent.create(D, U[i], 'info') end "
            "function j(name, ...) return {script = 'scripts/all', ['function'] = name, ...} end "
            "jobs = {} for i = 1, 8 do "
            "jobs[#jobs + 1] = j('unit', U[i], i) jobs[#jobs + 1] = j('data', D, U[i], i) "
            "jobs[#jobs + 1] = j('node', i % 2 == 0 and R or R2) jobs[#jobs + 1] = j('look', R) "
            "jobs[#jobs + 1] = j('world', W) "
            "jobs[#jobs + 1] = j('bulk', TC, {U[1], U[2]}) end "
            "results = LuaThreads.run(jobs)");
    assert_lua(&f,
               "Unit.local_position(U[5], 1).x, Unit.local_position(U[8], 1).y, "
               "DataComponent.get_property_by_id(D, U[3], 'info', 'n')",
               "5\t200\t3");
    assert_lua(&f, "Unit.world_position(R, Unit.node(R, 'n1')).z, results[5] == World.num_units(W)",
               "200\ttrue");
    run_lua(&f, "World.update(W, 0.1)");
}

static void looks_at_levels_and_physics(void **state) {
    (void)state;
    load_script(
        &f, "scripts/look",
        "function level(l, w) local Level = LuaThreads.lock_api('Level', w, 'read') "
        "  local n = 0 for k = 1, 50 do n = #Level.units(l) end "
        "  return n .. ' ' .. tostring(Level.is_spawned(l)) end "
        "function ray(p, w) "
        "  local PhysicsWorld = LuaThreads.lock_api('PhysicsWorld', w, 'read') local x "
        "  for k = 1, 100 do local hit, at, distance, normal, actor = PhysicsWorld.raycast(p, "
        "  Vector3(0, 0, 5), Vector3(0, 0, -1), 10) x = at.z a = actor "
        "  Script.set_temp_count(1) end return {x, a} end "
        "function other(p, w) local PhysicsWorld = LuaThreads.lock_api('PhysicsWorld', w) "
        "  PhysicsWorld.gravity(p) end");
    run_lua(&f,
            "LV = World.load_level(W, 'levels/yard') PW = World.physics_world(W) "
            "V = Application.new_world() A = PhysicsWorld.spawn_sphere(PW, Vector3(0, 0, 0), 1) "
            "function l(name, ...) return {script = 'scripts/look', ['function'] = name, ...} end "
            "jobs = {} for i = 1, 10 do jobs[2 * i - 1] = l('level', LV, W) "
            "jobs[2 * i] = l('ray', PW, W) end R = LuaThreads.run(jobs)");
    assert_lua(&f, "R[1], R[2][1], R[20][2] == A", "2 true\t1\ttrue");
    assert_lua_error(&f, "LuaThreads.run{l('other', PW, V)}",
                     "got PhysicsWorld, which belongs to another world; lock it too");
}

static void lets_several_jobs_read_at_once(void **state) {
    (void)state;
    load_script(&f, "scripts/hold",
                "function hold(api, scope, mode) LuaThreads.lock_api(api, scope, mode) "
                "coroutine.yield() coroutine.yield() return 1 end");
    run_lua(&f, "function hold(api, scope, mode) return {script = 'scripts/hold', ['function'] = "
                "'hold', api, scope, mode} end "
                "function waits(...) local before = LuaThreads.lock_statistics() "
                "  LuaThreads.run({...}, {states = 1}) local sum = 0 "
                "  for api, counts in pairs(LuaThreads.lock_statistics()) do "
                "    sum = sum + counts.waited - before[api].waited end return sum end");
    static const char *const apis[] = {"'PhysicsWorld', W", "'DataComponent', nil",
                                       "'World', W",        "'Level', W",
                                       "'Unit', U[1]",      "'TransformComponent', W"};
    run_lua(&f, "one('double', 1)"); // from here on there are statistics
    for (uint32_t i = 0; i < CT_COUNT_OF(apis); ++i) {
        char text[256];
        snprintf(text, sizeof(text),
                 "waits(hold(%s, 'read'), hold(%s, 'read'), hold(%s, 'read')), "
                 "waits(hold(%s, 'read'), hold(%s, 'write'), hold(%s, 'read'))",
                 apis[i], apis[i], apis[i], apis[i], apis[i], apis[i]);
        assert_lua(&f, text, "0\t2");
    }
}

// More keys than the data component notes places of.
static void reads_data_and_casts_rays_together(void **state) {
    (void)state;
    load_script(
        &f, "scripts/see",
        "function data(d, u) local D = LuaThreads.lock_api('DataComponent', nil, 'read') "
        "  local sum = 0 for k = 1, 400 do sum = sum + D.get_property_by_id(d, u, 'info', 'n' .. "
        "k) "
        "  if D.get_property_by_id(d, u, 'info', 'x' .. k) ~= nil then error('x' .. k) end end "
        "  return sum + #D.get_property_by_id(d, u, 'info', 'text') end "
        "function rays(p, w) local P = LuaThreads.lock_api('PhysicsWorld', w, 'read') local sum = "
        "0 "
        "  for k = 0, 199 do local hit, at = P.raycast(p, Vector3(k % 20 - 10, 0, 5), "
        "    Vector3(0, 0, -1), 10) sum = sum + (hit and 1 or 0) "
        "    if k % 20 == 0 then local hits = P.linear_sphere_sweep(p, Vector3(-10, 0, 0), "
        "      Vector3(10, 0, 0), 0.1, 8) sum = sum + #hits * 1000 "
        "      if P.closest_point(p, Vector3(0, 0, 2), 5) then sum = sum + 100000 end end "
        "    Script.set_temp_count(2) end return sum + P.gravity(p).z * 0 end");
    run_lua(&f, "D = EntityManager.data_component(W) PW = World.physics_world(W) "
                "for i = 1, 8 do DataComponent.create(D, U[i], 'info') for k = 1, 400 do "
                "  DataComponent.set_property_by_id(D, U[i], 'info', 'n' .. k, i) end "
                "  DataComponent.set_property_by_id(D, U[i], 'info', 'text', ('t'):rep(i)) end "
                "for i = 1, 5 do PhysicsWorld.spawn_sphere(PW, Vector3(3 * i - 9, 0, 0), 0.25) end "
                "jobs = {} for i = 1, 8 do "
                "jobs[2 * i - 1] = {script = 'scripts/see', ['function'] = 'data', D, U[i]} "
                "jobs[2 * i] = {script = 'scripts/see', ['function'] = 'rays', PW, W} end "
                "R = LuaThreads.run(jobs)");
    assert_lua(&f, "R[1], R[15], R[2], R[16]", "401\t3208\t1050050\t1050050");
}

// --- Limits --------------------------------------------------------------------------------------

static void stops_jobs_that_never_end(void **state) {
    (void)state;
#ifdef __SANITIZE_THREAD__
    skip(); // it holds signals back until the program's own code runs
#endif
    for (uint32_t i = 0; i < 2; ++i)
        assert_lua(&f,
                   "(function() local r, e = LuaThreads.run({job('spin'), job('double', 4), "
                   "job('spin'), job('double', 5)}, {return_errors = true}) "
                   "return r[2], r[4], e[1]:match('stopped after'), e[3]:match('stopped after') "
                   "end)()",
                   "8\t10\tstopped after\tstopped after");
    load_script(&f, "scripts/yields", "function yields() while true do coroutine.yield() end end");
    assert_lua(&f,
               "select(2, LuaThreads.run({{script = 'scripts/yields', ['function'] = 'yields'}}, "
               "{return_errors = true}))[1]:match('yielded again and again')",
               "yielded again and again");
}

// Each step of theirs is short.
static void stops_jobs_that_pass_a_lock_on_for_ever(void **state) {
    (void)state;
    load_script(&f, "scripts/pass",
                "function pass(u) while true do local Unit = LuaThreads.lock_api('Unit', u) "
                "  coroutine.yield() LuaThreads.unlock_api(Unit) end end "
                "function pass_at_once(u) while true do "
                "  LuaThreads.unlock_api(LuaThreads.lock_api('Unit', u)) end end");
    run_lua(&f, "function pass(name) local p = {script = 'scripts/pass', ['function'] = name, "
                "U[1]} local _, e = LuaThreads.run({p, p}, {return_errors = true}) "
                "return e[1]:match('stopped after'), e[2]:match('stopped after') end");
    assert_lua(&f, "pass('pass')", "stopped after\tstopped after");
#ifndef __SANITIZE_THREAD__
    assert_lua(&f, "pass('pass_at_once')", "stopped after\tstopped after");
#endif
}

static void stops_a_game_that_runs_jobs_for_ever(void **state) {
    (void)state;
#ifdef __SANITIZE_THREAD__
    skip();
#endif
    assert_lua_error(&f, "(function() while true do one('double', 1) end end)()", "stopped after ");
}

static void stops_jobs_that_use_too_much_memory(void **state) {
    (void)state;
    for (uint32_t i = 0; i < 3; ++i)
        assert_lua(&f,
                   "(function() local r, e = LuaThreads.run({job('eat'), job('double', 4), "
                   "job('eat')}, {return_errors = true}) "
                   "return r[2], e[1]:match('not enough memory'), "
                   "e[1]:match('lua.worker_memory_limit_mb') end)()",
                   "8\tnot enough memory\tlua.worker_memory_limit_mb");
    assert_lua(&f, "one('double', 8)", "16");
}

// What a state keeps is not what the game may hold; and the game's error says how much it is.
static void counts_the_memory_of_jobs_apart(void **state) {
    (void)state;
    load_script(&f, "scripts/keep",
                "function keep() kept = {Float32Array(2 ^ 20), Float32Array(2 ^ 20)} end");
    run_lua(&f, "one('double', 1) World.spawn_units(W, 'units/crate', Float32Array(3 * 3000))");
    const uint64_t held = ct_allocator_stats_of(f.script->lua.allocator).live_bytes +
                          ct_allocator_stats_of(f.script->lua.worlds_allocator).live_bytes;
    run_lua(&f, "LuaThreads.run{{script = 'scripts/keep', ['function'] = 'keep'}}");
    assert_true(ct_lua_worker_bytes(&f.script->lua) > 8 << 20);
    const uint64_t before = ct_script_memory_bytes(f.script);
    f.script->lua.memory.limit_bytes = f.script->lua.memory.error_bytes = held + (7 << 20);
    run_lua(&f,
            "World.spawn_units(W, 'units/crate', Float32Array(3 * 1500))"); // 1.5 MiB are asked for
    assert_true(ct_script_memory_bytes(f.script) < before + (1 << 20));
    assert_lua_error(&f,
                     "for i = 1, 9 do World.spawn_units(W, 'units/crate', Float32Array(6000)) end",
                     "(lua.memory_limit_mb); ");
    assert_lua_error(&f,
                     "for i = 1, 9 do World.spawn_units(W, 'units/crate', Float32Array(6000)) end",
                     " MiB of jobs do not count (lua.worker_memory_limit_mb)");
}

static int sleep_long(lua_State *L) {
    (void)L;
    const uint64_t end = ct_os_time_ns() + 400000000;
    while (ct_os_time_ns() < end) // signals end a sleep
        ct_os_sleep_ns(10000000);
    return 0;
}

// As a function of the engine that takes long, in both states.
static void names_the_place_of_a_job_that_does_not_answer(void **state) {
    (void)state;
#ifdef __SANITIZE_THREAD__
    skip(); // it holds signals back until the program's own code runs
#endif
    load_script(&f, "scripts/sleepy",
                "function nap()\nlocal co = coroutine.create(function()\nsleep_long()\nend)\n"
                "coroutine.resume(co) end function sleepy()\nsleep_long()\nend");
    run_lua(&f, "LuaThreads.run({job('double', 1), job('double', 1)})");
    for (uint32_t i = 0; i < f.script->threads->num_workers; ++i)
        lua_register(f.script->threads->workers[i]->script.lua.lua, "sleep_long", sleep_long);
    run_lua(&f, "LuaThreads.run({{script = 'scripts/sleepy', ['function'] = 'sleepy'}}, "
                "{return_errors = true})");
    for (int i = 0; i < 300 && !is_logged("cannot be stopped"); ++i)
        ct_os_sleep_ns(10000000);
    assert_true(is_logged("cannot be stopped, called at scripts/sleepy.lua:6; expected at most"));
    logged[0] = 0;
    run_lua(&f, "LuaThreads.run({{script = 'scripts/sleepy', ['function'] = 'nap'}}, "
                "{return_errors = true})"); // in a coroutine of the job: where that was resumed
    for (int i = 0; i < 300 && !is_logged("cannot be stopped"); ++i)
        ct_os_sleep_ns(10000000);
    assert_true(is_logged("cannot be stopped, called at scripts/sleepy.lua:5; expected at most"));
}

static void limits_the_results_of_a_run_together(void **state) {
    (void)state;
    load_script(&f, "scripts/long", "function long() return string.rep('x', 3 * 2 ^ 20) end");
    run_lua(&f, "jobs = {} for i = 1, 100 do jobs[i] = {script = 'scripts/long', ['function'] = "
                "'long'} end R, E = LuaThreads.run(jobs, {return_errors = true}) N = 0 "
                "for i in pairs(E) do N = N + 1 end");
    assert_lua(&f, "N", "15");
    assert_lua(&f, "select(2, next(E)):match('makes those of the run larger than 256 MiB')",
               "makes those of the run larger than 256 MiB");
}

static void makes_states_again_that_stay_full(void **state) {
    (void)state;
    load_script(&f, "scripts/full",
                "function fill() kept = kept or {} "
                "for i = #kept + 1, 1e9 do kept[i] = {i} end end "
                "function count() return kept and #kept or 0 end");
    assert_lua(&f,
               "(function() for i = 1, 3 do LuaThreads.run({{script = 'scripts/full', "
               "['function'] = 'fill'}}, {return_errors = true, states = 1}) end "
               "return LuaThreads.run({{script = 'scripts/full', ['function'] = 'count'}}, "
               "{states = 1})[1], one('double', 2) end)()",
               "0\t4");
}

// --- Reloads -------------------------------------------------------------------------------------

static void runs_scripts_that_changed(void **state) {
    (void)state;
    load_script(&f, "scripts/old", "return {what = function() return 'old' end}");
    run_lua(&f,
            "function what() local jobs = {} for i = 1, 12 do jobs[i] = {script = 'scripts/old', "
            "['function'] = 'what'} end return table.concat(LuaThreads.run(jobs), '', 1, 12) "
            "end");
    assert_lua(&f, "(what():gsub('old', ''))", "");
    reload_script(&f, "scripts/old", "return {what = function() return 'new' end}");
    assert_lua(&f, "(what():gsub('new', ''))", "");
    reload_script(&f, "scripts/old", "return {what = function() return 'bad' en}");
    assert_lua(&f, "(what():gsub('new', ''))", ""); // the error was logged
    assert_true(is_logged("scripts/old.lua:1"));
}

#define ALONE(test) cmocka_unit_test_setup_teardown(test, set_up_alone, end_test)
#define THREADS(test)                                                                              \
    { #test " (threads)", test, set_up_threads, end_test, NULL }
#define BOTH(test) ALONE(test), THREADS(test)
#define LIMITS(test) cmocka_unit_test_setup_teardown(test, set_up_limits, end_test)
#define MEMORY(test) cmocka_unit_test_setup_teardown(test, set_up_memory, end_test)

int main(void) {
    const struct CMUnitTest tests[] = {
        BOTH(gives_results_in_the_order_of_jobs),
        BOTH(factors_numbers_like_the_post),
        BOTH(runs_the_example_of_the_post),
        BOTH(has_only_pure_modules),
        BOTH(gives_the_same_random_numbers_to_the_same_job),
        BOTH(copies_values),
        BOTH(moves_arrays),
        ALONE(refuses_what_cannot_be_sent),
        ALONE(runs_no_metamethods_of_jobs),
        ALONE(refuses_wrong_jobs),
        ALONE(loads_scripts_before_jobs_only),
        BOTH(reports_failed_jobs_and_runs_the_others),
        BOTH(runs_a_script_that_fails_once_for_all_jobs),
        ALONE(runs_scripts_again_that_a_job_took_out),
        BOTH(gives_locks_back_when_a_job_fails),
        ALONE(refuses_what_is_outside_of_the_lock),
        BOTH(keeps_locks_of_the_same_job_apart),
        BOTH(refuses_a_lock_given_back_by_another_job),
        BOTH(counts_every_step_of_jobs_that_share_a_unit),
        BOTH(finds_deadlocks),
        BOTH(names_all_jobs_of_a_deadlock),
        THREADS(finds_deadlocks_over_threads),
        ALONE(warns_of_the_order_of_locks_once),
        ALONE(cannot_wait_inside_of_c_functions),
        ALONE(lets_jobs_wait_in_protected_calls),
        ALONE(keeps_the_temporaries_of_jobs_that_wait),
        ALONE(ends_the_temporaries_of_jobs_that_ended),
        ALONE(keeps_the_profiler_scopes_of_jobs_that_wait),
        BOTH(lets_many_jobs_wait_for_one_lock),
        BOTH(moves_units_nodes_and_data),
        BOTH(looks_at_levels_and_physics),
        BOTH(lets_several_jobs_read_at_once),
        BOTH(reads_data_and_casts_rays_together),
        LIMITS(stops_jobs_that_never_end),
        cmocka_unit_test_setup_teardown(stops_jobs_that_pass_a_lock_on_for_ever, set_up_short_limit,
                                        end_test),
        LIMITS(stops_a_game_that_runs_jobs_for_ever),
        cmocka_unit_test_setup_teardown(names_the_place_of_a_job_that_does_not_answer,
                                        set_up_short_limit, end_test),
        MEMORY(stops_jobs_that_use_too_much_memory),
        MEMORY(counts_the_memory_of_jobs_apart),
        MEMORY(limits_the_results_of_a_run_together),
        MEMORY(makes_states_again_that_stay_full),
        BOTH(runs_scripts_that_changed),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
