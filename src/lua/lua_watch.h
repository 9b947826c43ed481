// lua_watch.h: a thread that watches how long Lua calls take.
//
// A call from the engine (update, render, the console's text, …) that takes longer than the limit
// is interrupted (lua_interrupt.h). It then ends with an error that reports where it was; protected
// calls of the script do not stop the error, as it is raised again and again. Where scripts are not
// to be stopped, the place is logged, and the call continues. A C function that takes long, Lua's
// or the engine's, cannot be interrupted: the thread then logs its caller.
#pragma once
#include <lua.h>

#include "foundation/types.h"

typedef struct ct_lua ct_lua;
typedef struct ct_lua_watch ct_lua_watch;

// Starts watching the Lua calls that the calling thread, the update thread, makes with `s`.
// `limit_ns` is above 0.
ct_lua_watch *ct_lua_watch_create(ct_lua *s, uint64_t limit_ns, bool stops_calls);

// Ends the thread. NULL is allowed, here and below.
void ct_lua_watch_destroy(ct_lua_watch *w);

// Watches the calls of the calling thread from now on; that thread runs no call now.
void ct_lua_watch_follow(ct_lua_watch *w);

// Notes that the engine calls Lua from outside all other calls; the other function, that this call
// has ended.
void ct_lua_watch_begin(ct_lua_watch *w);
void ct_lua_watch_end(ct_lua_watch *w);

// Pauses the watch while the engine does something slow that is not the script's doing, such as
// waiting for files. Afterwards the call has the rest of its time.
void ct_lua_watch_pause(ct_lua_watch *w);
void ct_lua_watch_resume(ct_lua_watch *w);

// Returns whether a call is watched now.
bool ct_lua_watch_is_running(const ct_lua_watch *w);

// Sets the limit, from the next call on, and what errors say of it in place of
// "lua.time_limit_seconds". `setting` is borrowed for good.
void ct_lua_watch_set_limit(ct_lua_watch *w, uint64_t limit_ns, const char *setting);

// Notes that the call that runs goes on with what ran for `ran_ns` in earlier calls: it has only the
// rest of the time.
void ct_lua_watch_continue(ct_lua_watch *w, uint64_t ran_ns);

// Raises, from a hook, the error that stops the call, or logs where it is.
void ct_lua_stop_long_call(lua_State *L, lua_Debug *at);

// Returns the traceback of where the call that is being stopped was first interrupted, or NULL.
// Borrowed until the call ends.
const char *ct_lua_watch_traceback(const ct_lua_watch *w);
