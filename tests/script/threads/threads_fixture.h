// threads_fixture.h: a script environment with jobs to run, without worker threads or with some. Include
// once in a program.
//
// Lua finds U (8 crates in W), `job(name, ...)` (of scripts/w: double, echo, give, fail, read, add, move,
// pair, spin, eat), `one(name, ...)` (the result of that job) and `fails(name, ...)` (its error).
#pragma once
#include "script/api_fixture.h"

#include "script/threads/script_threads_private.h"

static inline int begin_test(uint32_t count, ct_script_desc desc) {
    world_tasks = ct_task_manager_create(
        &(ct_task_manager_desc){.allocator = test_heap(), .num_workers = count});
    ct_task_register_thread(world_tasks, 1);
    f = start_api_with(desc);
    load_script(&f, "scripts/w",
                "local M = {} "
                "function M.double(x) return 2 * x end "
                "function M.echo(...) return {...} end "
                "function M.give(x) return x end "
                "function M.fail(text) error(text) end "
                "function M.read(u) local Unit = LuaThreads.lock_api('Unit', u, 'read') "
                "  return Unit.local_position(u, 1).x end "
                "function M.add(u, count) for i = 1, count do "
                "  local Unit = LuaThreads.lock_api('Unit', u, 'write') "
                "  local p = Unit.local_position(u, 1) p.x = p.x + 1 "
                "  Unit.set_local_position(u, 1, p) LuaThreads.unlock_api(Unit) "
                "  Script.set_temp_count(1) end end "
                "function M.move(u, x) local Unit = LuaThreads.lock_api('Unit', u) "
                "  Unit.set_local_position(u, 1, Vector3(x, 0, 0)) end "
                "function M.pair(u, v, yields) local A = LuaThreads.lock_api('Unit', u) "
                "  if yields then coroutine.yield() end "
                "  local B = LuaThreads.lock_api('Unit', v) "
                "  A.set_local_position(u, 1, Vector3(7, 0, 0)) return 'done' end "
                "function M.spin() while true do end end "
                "function M.eat() local t = {} for i = 1, 1e9 do t[i] = {i} end end "
                "return M");
    run_lua(&f,
            "function job(name, ...) return {script = 'scripts/w', ['function'] = name, ...} end "
            "function one(name, ...) return LuaThreads.run({job(name, ...)})[1] end "
            "function fails(name, ...) local _, e = LuaThreads.run({job(name, ...)}, "
            "  {return_errors = true}) return e and e[1] or 'nothing' end "
            "U = {} for i = 1, 8 do U[i] = World.spawn_unit(W, 'units/crate') end");
    return 0;
}

static inline int end_test(void **state) {
    (void)state;
    if (f.script->threads)
        assert_int_equal(ct_api_locks_count(f.script->threads->locks), 0);
    stop_script(&f);
    ct_task_manager_destroy(world_tasks);
    world_tasks = NULL;
    return 0;
}
