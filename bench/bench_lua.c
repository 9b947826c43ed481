// bench_lua.c: what calls from Lua into the engine cost, interpreted and compiled.
//
// `lua_set`: `Unit.set_local_position(u, 1, v)` in a loop, of a unit without children; `lua_get` is
// `Unit.world_position(u, 1)`. The peer is the same loop calling a C function that does nothing,
// without arguments, held in a local. A second peer is that function called as ours is, by a member
// of a global and with three arguments: the rest of our time goes to the binding, which calls a
// function of Lua's C interface for each of them.
//
// `lua_set_bulk`: 1,000 such units in an EntityArray get positions from a Float32Array by one call
// of TransformComponent.set_local_positions; `lua_get_bulk` is world_positions into one. Times are
// for each unit, and the peer is one call of that empty function.

#include "bench.h"
#include "bench_game.h"

enum { NUM_UNITS = 1000, NUM_ROUNDS = 100, NUM_CALLS = NUM_UNITS * NUM_ROUNDS };

static int empty(lua_State *L) {
    (void)L;
    return 0;
}

static void begin_with(bool is_compiled) {
    ct_bench_game_start();
    ct_bench_game_set_jit(is_compiled);
    lua_State *const L = ct_bench_game_lua();
    lua_pushcfunction(L, empty);
    lua_setglobal(L, "empty");
    ct_bench_game_run("W = Application.new_world() TC = EntityManager.transform_component(W) "
                      "U = {} "
                      "for i = 1, 1000 do U[i] = EntityManager.create(W) "
                      "TransformComponent.create(TC, U[i]) end "
                      "P = Vector3(1, 2, 3) E = EntityArray(U) F = Float32Array(3000)",
                      NULL);
    ct_bench_game_run("return function() local tc, units, positions = TC, E, F "
                      "for round = 1, 100 do "
                      "TransformComponent.set_local_positions(tc, units, positions) end end",
                      "set_bulk");
    ct_bench_game_run("return function() local tc, units, positions = TC, E, F "
                      "for round = 1, 100 do "
                      "TransformComponent.world_positions(tc, units, positions) end end",
                      "get_bulk");
    ct_bench_game_run("return function() local u, p = U[1], P "
                      "for i = 1, 100000 do Unit.set_local_position(u, 1, p) end end",
                      "set");
    ct_bench_game_run("return function() local empty = empty for i = 1, 100000 do empty() end end",
                      "call");
    ct_bench_game_run("Module = { empty = empty } return function() local u, p = U[1], P "
                      "for i = 1, 100000 do Module.empty(u, 1, p) end end",
                      "call_alike");
    ct_bench_game_run("return function() local u = U[1] "
                      "for i = 1, 100000 do Unit.world_position(u, 1) end "
                      "Script.set_temp_count(1) end",
                      "get");
}

static void begin(void) {
    begin_with(true);
}

static void begin_interpreted(void) {
    begin_with(false);
}

static double run_set(void) {
    return ct_bench_game_time("set") / NUM_CALLS;
}

static double run_get(void) {
    return ct_bench_game_time("get") / NUM_CALLS;
}

static double run_set_bulk(void) {
    return ct_bench_game_time("set_bulk") / NUM_CALLS;
}

static double run_get_bulk(void) {
    return ct_bench_game_time("get_bulk") / NUM_CALLS;
}

static double run_empty(void) {
    return ct_bench_game_time("call") / NUM_CALLS;
}

static double run_empty_alike(void) {
    return ct_bench_game_time("call_alike") / NUM_CALLS;
}

static const ct_bench_case cases[] = {
    {"lua_set", "interpreted", "empty C function", "ns", 5, 0, begin_interpreted,
     ct_bench_game_stop, run_set, run_empty},
    {"lua_set", "compiled", "empty C function", "ns", 5, 0, begin, ct_bench_game_stop, run_set,
     run_empty},
    {"lua_set", "interpreted", "the same call, empty", "ns", 0, 0, begin_interpreted,
     ct_bench_game_stop, run_set, run_empty_alike},
    {"lua_get", "interpreted", "empty C function", "ns", 5, 0, begin_interpreted,
     ct_bench_game_stop, run_get, run_empty},
    {"lua_get", "compiled", "empty C function", "ns", 5, 0, begin, ct_bench_game_stop, run_get,
     run_empty},
    {"lua_set_bulk", "interpreted", "empty C function", "ns", 1, 0, begin_interpreted,
     ct_bench_game_stop, run_set_bulk, run_empty},
    {"lua_set_bulk", "compiled", "empty C function", "ns", 1, 0, begin, ct_bench_game_stop,
     run_set_bulk, run_empty},
    {"lua_get_bulk", "interpreted", "empty C function", "ns", 1, 0, begin_interpreted,
     ct_bench_game_stop, run_get_bulk, run_empty},
};

const ct_bench_group ct_bench_lua = {"lua", cases, CT_COUNT_OF(cases)};
