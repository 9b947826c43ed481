// lua_watch.h: a thread that watches how long calls of Lua take.
//
// A call that the engine makes (update, render, the console's text, …) and that takes longer than
// the limit is interrupted (lua_interrupt.h). Then it ends with an error that tells where it
// was, which protected calls of the script do not stop: they get it again and again. Or, where
// scripts are not to be stopped, where it was is logged, and it goes on. A C function that takes
// its time, Lua's or the engine's, cannot be interrupted: the thread logs who called it.
#pragma once
#include <lua.h>

#include "foundation/types.h"

typedef struct ct_lua ct_lua;
typedef struct ct_lua_watch ct_lua_watch;

// Starts watching the calls of `s` that the calling thread, the update thread, makes. `limit_ns` is
// more than 0.
ct_lua_watch *ct_lua_watch_create(ct_lua *s, uint64_t limit_ns, bool stops_calls);

// Ends the thread. NULL is fine here and below.
void ct_lua_watch_destroy(ct_lua_watch *w);

// The engine calls Lua from outside of all other calls; and that call has ended.
void ct_lua_watch_begin(ct_lua_watch *w);
void ct_lua_watch_end(ct_lua_watch *w);

// The engine does something that takes its time and is none of the script's: waits for files, say.
// After it the call has all its time again.
void ct_lua_watch_pause(ct_lua_watch *w);
void ct_lua_watch_resume(ct_lua_watch *w);

// In a hook: raises the error that stops the call, or logs where it is.
void ct_lua_stop_long_call(lua_State *L, lua_Debug *at);

// The traceback where the call that is being stopped was first interrupted, or NULL. Borrowed until
// the call ends.
const char *ct_lua_watch_traceback(const ct_lua_watch *w);
