// bench_behaviour.c: Lua behaviours of many entities, beside one Lua loop over an array.
//
// `behaviours`: a step of a world with 10,000 instances of one behaviour whose `update` moves a
// point and turns it back at the end; times are for each instance. The subject is a function of one
// instance, for which the engine writes the loop, or the behaviour's own loop (`update_all`). The
// peer is a Lua loop with the same arithmetic over an array of 10,000 tables.
// `behaviours_five`: the same in five behaviours of 2,000, beside the one loop.
#include <stdio.h>

#include "bench.h"
#include "bench_game.h"

enum { NUM = 10000 };

#define ARITHMETIC                                                                                 \
    "local x = o.x + o.speed * dt if x > 100 then x = x - 100 o.turns = o.turns + 1 end o.x = x "

// Behaviours `one1` to `one5` of a function for one instance, and `all`.
static const char make_scripts[] =
    "for k = 1, 5 do package.loaded['one' .. k] = loadstring([[return {update = function(o, "
    "dt) " ARITHMETIC " end}]], '@one' .. k)() end "
    "package.loaded.all = {update_all = function(selves, first, last, at, dt) "
    "for i = first, last do local o = selves[i] if o then at[1] = i " ARITHMETIC " end end end}";

static const char make_loop[] =
    "objects = {} for i = 1, 10000 do objects[i] = {x = i % 100, speed = 1 + i % 7, turns = 0} end "
    "return function() local objects, dt = objects, 1 / 60 "
    "for i = 1, #objects do local o = objects[i] " ARITHMETIC " end end";

static void begin_with(const char *script, uint32_t num_scripts, bool is_compiled) {
    char text[512];
    ct_bench_game_start();
    ct_bench_game_set_jit(is_compiled);
    ct_bench_game_run(make_scripts, NULL);
    ct_bench_game_run(make_loop, "loop");
    ct_bench_game_run("W = Application.new_world() SC = EntityManager.script_component(W) "
                      "return function() World.update(W, 1 / 60) end",
                      "step");
    snprintf(text, sizeof(text),
             "for i = 1, 10000 do local s = ScriptComponent.state(SC, ScriptComponent.create(SC, "
             "EntityManager.create(W), 1, '%s'%s)) "
             "s.x, s.speed, s.turns = i %% 100, 1 + i %% 7, 0 end",
             script, num_scripts > 1 ? " .. math.ceil(i / 2000)" : "");
    ct_bench_game_run(text, NULL);
    for (uint32_t i = 0; i < 100; ++i) {
        ct_bench_game_time("step");
        ct_bench_game_time("loop");
    }
}

static void begin_one(void) {
    begin_with("one1", 1, true);
}

static void begin_all(void) {
    begin_with("all", 1, true);
}

static void begin_five(void) {
    begin_with("one", 5, true);
}

static void begin_one_interpreted(void) {
    begin_with("one1", 1, false);
}

static void begin_all_interpreted(void) {
    begin_with("all", 1, false);
}

static double run_step(void) {
    return ct_bench_game_time("step") / NUM;
}

static double run_loop(void) {
    return ct_bench_game_time("loop") / NUM;
}

static const ct_bench_case cases[] = {
    {"behaviours", "10,000, engine's loop", "a Lua loop", "ns", 1.3, 101, begin_one,
     ct_bench_game_stop, run_step, run_loop},
    {"behaviours", "10,000, own loop", "a Lua loop", "ns", 1.3, 101, begin_all, ct_bench_game_stop,
     run_step, run_loop},
    {"behaviours_five", "5 of 2,000", "a Lua loop", "ns", 1.3, 101, begin_five, ct_bench_game_stop,
     run_step, run_loop},
    {"behaviours", "interpreted, engine's loop", "a Lua loop", "ns", 0, 0, begin_one_interpreted,
     ct_bench_game_stop, run_step, run_loop},
    {"behaviours", "interpreted, own loop", "a Lua loop", "ns", 1.3, 0, begin_all_interpreted,
     ct_bench_game_stop, run_step, run_loop},
};

const ct_bench_group ct_bench_behaviour = {"lua", cases, CT_COUNT_OF(cases)};
