// bench_lua_threads.c: jobs in Lua states of their own, on several threads.
//
// `lua_threads`: 8 jobs that share nothing, each a loop of some milliseconds, over two states on two
// threads; the peer is the same over one state. Beside it, what the machine gives: two processes
// that count at the same time, and the same one after the other. Where that ratio is above 0.55 the
// machine was busy, and the first does not count.
//
// `lua_lock`: LuaThreads.lock_api and unlock_api of a unit that no other job wants, in a loop; the peer
// is the goal of lock_api alone. `lua_jobs`: a run of 8 jobs that do nothing, for each job.
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"
#include "bench_game.h"

enum { NUM_JOBS = 8, NUM_LOCKS = 100000 };

static char folder[] = "/tmp/cuttle_bench_XXXXXX";

static const char script[] =
    "function count(n) local x = 0 for i = 1, n do x = (x * 1103515245 + i) % 2147483648 end "
    "return x end "
    "function nothing() end "
    "function lock(u, n) for i = 1, n do LuaThreads.unlock_api(LuaThreads.lock_api('Unit', u)) end "
    "end";

static void begin(void) {
    snprintf(folder, sizeof(folder), "/tmp/cuttle_bench_XXXXXX");
    if (!mkdtemp(folder))
        exit(1);
    ct_bench_game_write_script(folder, "jobs", script);
    ct_bench_game_start_jobs(folder, 1, 2);
    ct_bench_game_load_script("jobs");
    ct_bench_game_run("W = Application.new_world() U = EntityManager.create(W) "
                      "TransformComponent.create(EntityManager.transform_component(W), U) "
                      "function jobs(name, ...) local all = {} for i = 1, 8 do "
                      "all[i] = {script = 'jobs', ['function'] = name, ...} end return all end "
                      "counts, nothings = jobs('count', 2000000), jobs('nothing') "
                      "one, two = {states = 1}, {states = 2}",
                      NULL);
    ct_bench_game_run("return function() LuaThreads.run(counts, one) end", "run_one");
    ct_bench_game_run("return function() LuaThreads.run(counts, two) end", "run_two");
    ct_bench_game_run("return function() LuaThreads.run(nothings, one) end", "run_nothing");
    ct_bench_game_run("locks = {{script = 'jobs', ['function'] = 'lock', U, 100000}} "
                      "return function() LuaThreads.run(locks, one) end",
                      "run_lock");
}

static void end(void) {
    char command[256];
    ct_bench_game_stop();
    snprintf(command, sizeof(command), "rm -r %s", folder);
    if (system(command) != 0)
        fprintf(stderr, "cuttle_bench: cannot remove %s\n", folder);
}

static double run_two(void) {
    return ct_bench_game_time("run_two") / 1e6;
}

static double run_one(void) {
    return ct_bench_game_time("run_one") / 1e6;
}

static double run_lock(void) {
    return ct_bench_game_time("run_lock") / NUM_LOCKS;
}

static double run_goal(void) {
    return 200;
}

static double run_nothing(void) {
    return ct_bench_game_time("run_nothing") / NUM_JOBS;
}

static double run_microsecond(void) {
    return 1000;
}

// --- What the machine gives ----------------------------------------------------------------------

static pid_t start_counting(void) {
    const pid_t child = fork();
    if (child != 0)
        return child;
    uint64_t x = 1;
    for (uint64_t i = 0; i < 40000000; ++i)
        x = x * 6364136223846793005u + i;
    ct_bench_use(x);
    _exit(0);
}

static double count(bool at_once) {
    const double start = ct_bench_now_ns();
    const pid_t first = start_counting();
    if (!at_once)
        waitpid(first, NULL, 0);
    const pid_t second = start_counting();
    if (at_once)
        waitpid(first, NULL, 0);
    waitpid(second, NULL, 0);
    return (ct_bench_now_ns() - start) / 1e6;
}

static double count_together(void) {
    return count(true);
}

static double count_in_turn(void) {
    return count(false);
}

static const ct_bench_case cases[] = {
    {"lua_threads", "8 jobs over 2 states", "over 1 state", "ms", 1 / 1.7, 0, begin, end, run_two,
     run_one},
    {"lua_threads", "two processes count", "in turn", "ms", 0, 0, NULL, NULL, count_together,
     count_in_turn},
    {"lua_lock", "lock_api and unlock_api", "the goal", "ns", 1, 0, begin, end, run_lock, run_goal},
    {"lua_jobs", "a job that does nothing", "a microsecond", "ns", 0, 0, begin, end, run_nothing,
     run_microsecond},
};

const ct_bench_group ct_bench_lua_threads = {"lua_threads", cases, CT_COUNT_OF(cases)};
