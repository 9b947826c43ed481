// bench_debugger.c: what a debugger of Lua costs a game that it does not stop.
//
// Two frames of a game: `debugger_lua`, agents that think in Lua alone, which LuaJIT compiles as a
// whole; `debugger_engine`, units that are moved by functions of the engine, whose calls it does not
// compile. Both in turn without a debugger and: after one has left; with one; with a breakpoint in a
// function that is not called; with one in a function that each frame calls once, whose condition is
// false. Each attaches, runs frames until its code is compiled, and measures one.
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "bench.h"
#include "bench_game.h"
#include "lua/debugger/lua_debugger.h"
#include "lua/lua_interrupt.h"

enum { WARM_FRAMES = 100, MEASURED_FRAMES = 10, UNCALLED_LINE = 2, SELDOM_LINE = 5 };

static char folder[] = "/tmp/cuttle_bench_XXXXXX";

static const char script[] =
    "function uncalled(x)\n"
    "    return x + 1\n" // UNCALLED_LINE
    "end\n"
    "function seldom(x)\n"
    "    return x + 1\n" // SELDOM_LINE
    "end\n"
    "local agents = {}\n"
    "for i = 1, 2000 do agents[i] = {x = i % 40, y = i % 30, heat = 0, goal = i % 7} end\n"
    "local function heat_of(agent) return agent.heat * 0.9 + (agent.x + agent.y) * 0.01 end\n"
    "local function think(agent)\n"
    "    agent.heat = heat_of(agent)\n"
    "    if agent.heat > 5 then agent.goal = (agent.goal + 1) % 7 end\n"
    "    agent.x = (agent.x + math.sin(agent.goal)) % 40\n"
    "    agent.y = (agent.y + math.cos(agent.goal)) % 30\n"
    "end\n"
    "function lua_frame()\n"
    "    seldom(1)\n"
    "    for i = 1, #agents do think(agents[i]) end\n"
    "end\n"
    "local world, units = Application.new_world(), {}\n"
    "for i = 1, 500 do\n"
    "    units[i] = EntityManager.create(world)\n"
    "    TransformComponent.create(EntityManager.transform_component(world), units[i])\n"
    "end\n"
    "local function move(unit, count)\n"
    "    local at = Unit.local_position(unit, 1)\n"
    "    Unit.set_local_position(unit, 1, at + Vector3(0.01, 0, 0))\n"
    "    Script.set_temp_count(count)\n"
    "end\n"
    "function engine_frame()\n"
    "    seldom(1)\n"
    "    local count = Script.temp_count()\n"
    "    for i = 1, #units do move(units[i], count) end\n"
    "end\n";

static void begin(void) {
    snprintf(folder, sizeof(folder), "/tmp/cuttle_bench_XXXXXX");
    if (!mkdtemp(folder))
        exit(1);
    ct_bench_game_write_script(folder, "game", script);
    ct_bench_game_start_in(folder);
    ct_lua_make_interruptible(ct_lua_of(ct_bench_game_lua())); // as in games that are developed
    ct_bench_game_load_script("game");
    ct_bench_game_run("require 'game'", NULL);
}

static void end(void) {
    char command[256];
    ct_bench_game_stop();
    snprintf(command, sizeof(command), "rm -r %s", folder);
    if (system(command) != 0)
        fprintf(stderr, "cuttle_bench: cannot remove %s\n", folder);
}

static void stopped(void *user, ct_lua_debugger *d, const ct_lua_stop *stop) {
    (void)user, (void)d;
    fprintf(stderr, "cuttle_bench: stopped at line %u\n", stop->place.line);
    exit(1);
}

// The microseconds of a frame, when its code has been compiled.
static double time_frames(const char *frame) {
    double sum = 0;
    for (uint32_t i = 0; i < WARM_FRAMES; ++i)
        ct_bench_game_time(frame);
    for (uint32_t i = 0; i < MEASURED_FRAMES; ++i)
        sum += ct_bench_game_time(frame);
    return sum / MEASURED_FRAMES / 1e3;
}

static double time_attached(const char *frame, const ct_lua_breakpoint *breakpoint) {
    const ct_lua_debugger_desc desc = {.machine = ct_lua_of(ct_bench_game_lua()),
                                       .stopped = stopped};
    ct_lua_debugger *const d = ct_lua_debugger_create(ct_bench_heap(), &desc);
    ct_lua_breakpoint_place place = {.is_verified = true};
    if (breakpoint)
        ct_lua_debugger_set_breakpoints(d, breakpoint, 1, &place);
    if (!place.is_verified) {
        fprintf(stderr, "cuttle_bench: %s\n", place.message);
        exit(1);
    }
    const double time = time_frames(frame);
    ct_lua_debugger_destroy(d);
    return time;
}

static const ct_lua_breakpoint uncalled = {.id = 1, .script = "game.lua", .line = UNCALLED_LINE};
static const ct_lua_breakpoint seldom = {
    .id = 1, .script = "game.lua", .line = SELDOM_LINE, .condition = "x == 2"};

#define RUNS(frame)                                                                                \
    static double frame##_without(void) {                                                          \
        return time_frames(#frame);                                                                \
    }                                                                                              \
    static double frame##_attached(void) {                                                         \
        return time_attached(#frame, NULL);                                                        \
    }                                                                                              \
    static double frame##_uncalled(void) {                                                         \
        return time_attached(#frame, &uncalled);                                                   \
    }                                                                                              \
    static double frame##_seldom(void) {                                                           \
        return time_attached(#frame, &seldom);                                                     \
    }

RUNS(lua_frame)
RUNS(engine_frame)

static double lua_frame_left(void) {
    time_attached("lua_frame", &uncalled);
    return time_frames("lua_frame");
}

static double engine_frame_left(void) {
    time_attached("engine_frame", &uncalled);
    return time_frames("engine_frame");
}

static const ct_bench_case cases[] = {
    {"debugger_lua", "after a debugger left", "before any", "µs", 1.005, 0, begin, end,
     lua_frame_left, lua_frame_without},
    {"debugger_lua", "attached", "without", "µs", 1.05, 0, begin, end, lua_frame_attached,
     lua_frame_without},
    {"debugger_lua", "breakpoint, not called", "without", "µs", 1.3, 0, begin, end,
     lua_frame_uncalled, lua_frame_without},
    {"debugger_lua", "breakpoint, called, false", "without", "µs", 1.3, 0, begin, end,
     lua_frame_seldom, lua_frame_without},
    {"debugger_engine", "after a debugger left", "before any", "µs", 1.005, 0, begin, end,
     engine_frame_left, engine_frame_without},
    {"debugger_engine", "attached", "without", "µs", 1.05, 0, begin, end, engine_frame_attached,
     engine_frame_without},
    {"debugger_engine", "breakpoint, not called", "without", "µs", 1.3, 0, begin, end,
     engine_frame_uncalled, engine_frame_without},
    {"debugger_engine", "breakpoint, called, false", "without", "µs", 1.3, 0, begin, end,
     engine_frame_seldom, engine_frame_without},
};

const ct_bench_group ct_bench_debugger = {"debugger", cases, CT_COUNT_OF(cases)};
