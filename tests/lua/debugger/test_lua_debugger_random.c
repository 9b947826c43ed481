// Breakpoints on random lines, set and removed as the game runs: each is hit as often as its line runs, in
// compiled code or not, in coroutines, after errors, with steps between.
#include "lua/debugger/lua_debugger_fixture.h"

static const char script[] = "n = {} for i = 1, 11 do n[i] = 0 end\n"
                             "local function leaf(a)\n"
                             "  n[1] = n[1] + 1\n" // 3
                             "  return a\n"
                             "end\n"
                             "local function tail(a)\n"
                             "  n[2] = n[2] + 1\n" // 7
                             "  return leaf(a)\n"
                             "end\n"
                             "local function varied(...)\n"
                             "  n[3] = n[3] + 1\n" // 11
                             "  return select('#', ...)\n"
                             "end\n"
                             "local function fails(a)\n"
                             "  n[4] = n[4] + 1\n" // 15
                             "  error('x')\n"
                             "end\n"
                             "local function body(a)\n"
                             "  while true do\n"
                             "    n[5] = n[5] + 1\n" // 20
                             "    coroutine.yield(leaf(a))\n"
                             "    n[6] = n[6] + 1\n" // 22
                             "  end\n"
                             "end\n"
                             "local meta = setmetatable({}, {__index = function(t, k)\n"
                             "  n[7] = n[7] + 1\n" // 26
                             "  return leaf(k)\n"
                             "end})\n"
                             "local waits, made = coroutine.wrap(body), {}\n"
                             "function update(r)\n"
                             "  n[8] = n[8] + 1\n" // 31
                             "  for i = 1, 300 do\n"
                             "    n[9] = n[9] + 1\n" // 33
                             "    tail(i)\n"
                             "    if i % 7 == r % 7 then\n"
                             "      n[10] = n[10] + 1\n" // 36
                             "      pcall(fails, i)\n"
                             "      varied(i, meta[i], leaf(i) + leaf(2))\n"
                             "    end\n"
                             "    if i % 50 == 0 then waits(i) end\n"
                             "  end\n"
                             "  made[#made + 1] = coroutine.create(body)\n"
                             "  for i = 1, #made do coroutine.resume(made[i], i) end\n"
                             "  if #made > 5 then table.remove(made, 1) end\n"
                             "  local s = 0\n"
                             "  for i = 1, 2000 do s = s + leaf(i) end\n"
                             "  n[11] = n[11] + 1\n" // 47
                             "  return s\n"
                             "end\n";
static const uint32_t lines[] = {3, 7, 11, 15, 20, 22, 26, 31, 33, 36, 47};

enum { NUM_LINES = CT_COUNT_OF(lines), NUM_ROUNDS = 300 };

static uint32_t random_state, hits[NUM_LINES + 1], num_stops;

static uint32_t random_below(uint32_t n) {
    random_state = random_state * 1664525 + 1013904223;
    return (random_state >> 8) % n;
}

static void count_stop(void *user, ct_lua_debugger *d, const ct_lua_stop *stop) {
    static const ct_lua_step steps[] = {CT_LUA_STEP_INTO, CT_LUA_STEP_OVER, CT_LUA_STEP_OUT};
    ct_lua_frame frames[4];
    ct_lua_debugger_value result;
    uint32_t total;
    (void)user;
    ++num_stops;
    for (uint32_t i = 0; i < stop->num_breakpoints; ++i)
        ++hits[stop->breakpoints[i] - 1];
    if (random_below(100) == 0 &&
        ct_lua_debugger_frames(d, stop->coroutine, 0, 4, frames, &total) > 0)
        ct_lua_debugger_evaluate(d, frames[0].frame, "collectgarbage() or n", 1, &result, NULL);
    if (random_below(200) == 0)
        ct_lua_debugger_go_on(d, steps[random_below(3)]);
}

static void set_random(ct_lua_debugger *d) {
    ct_lua_breakpoint b[NUM_LINES];
    uint32_t count = 0;
    for (uint32_t i = 0; i < NUM_LINES; ++i) {
        if (random_below(4) == 0)
            b[count++] = (ct_lua_breakpoint){.id = i + 1,
                                             .script = "main.lua",
                                             .line = lines[i],
                                             .condition = random_below(4) == 0 ? "n[1] > 0" : NULL};
    }
    memset(hits, 0, sizeof(hits));
    for (uint32_t i = 0; i < NUM_LINES; ++i)
        hits[i] = UINT32_MAX / 2; // has none
    for (uint32_t i = 0; i < count; ++i)
        hits[b[i].id - 1] = 0;
    ct_lua_debugger_set_breakpoints(d, b, count, NULL);
}

static void read_counts(uint32_t counts[NUM_LINES]) {
    for (uint32_t i = 0; i < NUM_LINES; ++i) {
        char text[32];
        snprintf(text, sizeof(text), "n[%u]", i + 1);
        counts[i] = (uint32_t)atof(run_lua(&f, text));
    }
}

static void stops_as_often_as_lines_run(void **state) {
    (void)state;
    f = start_script_with((ct_script_desc){.time_limit_seconds = 60, .stops_long_calls = true});
    assert_true(boot_script(&f, script));
    ct_lua_debugger *const d =
        ct_lua_debugger_create(f.world.allocator, &(ct_lua_debugger_desc){.machine = &f.script->lua,
                                                                          .stopped = count_stop});
    random_state = 7;
    for (uint32_t round = 0; round < NUM_ROUNDS; ++round) {
        uint32_t before[NUM_LINES], after[NUM_LINES];
        char text[32];
        if (random_below(3) == 0)
            ct_lua_debugger_set_breakpoints(d, NULL, 0, NULL);
        snprintf(text, sizeof(text), "update(%u)", round);
        run_lua(&f, text);
        set_random(d);
        read_counts(before);
        const uint32_t num_updates = 1 + random_below(3);
        for (uint32_t i = 0; i < num_updates; ++i)
            run_lua(&f, text);
        read_counts(after);
        for (uint32_t i = 0; i < NUM_LINES; ++i) {
            if (hits[i] < UINT32_MAX / 2 && hits[i] != after[i] - before[i])
                fail_msg("round %u: line %u ran %u times and stopped %u times", round, lines[i],
                         after[i] - before[i], hits[i]);
        }
    }
    assert_true(num_stops > 10000);
    ct_lua_debugger_destroy(d);
    stop_script(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stops_as_often_as_lines_run),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
