// lua_debugger_events.h: what the machine reports to its debugger.
//
// All take NULL for a machine without a debugger, and run on the machine's thread.
#pragma once
#include <lua.h>

#include "foundation/types.h"

struct ct_lua_debugger;

// A hook of calls, returns or lines was called.
void ct_lua_debugger_on_event(struct ct_lua_debugger *d, lua_State *L, lua_Debug *at);

// The machine was interrupted to be stopped at the next line; or for the debugger to ask whether it is to.
void ct_lua_debugger_on_pause(struct ct_lua_debugger *d);
void ct_lua_debugger_on_ask(struct ct_lua_debugger *d);

// An error is raised; its value is at index 1, in a handler that runs on top of the failed function. May
// stop the machine. `is_caught`: a pcall, xpcall or coroutine of a script gets it.
void ct_lua_debugger_on_error(struct ct_lua_debugger *d, lua_State *L, bool is_caught);

// A call takes longer than allowed: stops the machine in a hook, before the error.
void ct_lua_debugger_on_time_limit(struct ct_lua_debugger *d, lua_State *L);

// The chunk of the script with this path of its source has been loaded, and will run; it is kept in the
// registry (CT_LUA_CHUNKS). `is_new`: there was none before.
void ct_lua_debugger_on_chunk(struct ct_lua_debugger *d, const char *path, bool is_new);

// A script has called jit.on or jit.off for functions: what has breakpoints must not be compiled.
void ct_lua_debugger_on_modes(struct ct_lua_debugger *d);

// A script calls jit.on or jit.off for everything. Returns true when that is noted for later, since a step
// or a pause keeps the compiler off.
bool ct_lua_debugger_on_compiler(struct ct_lua_debugger *d, bool is_on);

// A call from outside of all others has ended.
void ct_lua_debugger_on_call_end(struct ct_lua_debugger *d);
