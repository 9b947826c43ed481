// lua_interrupt.h: stops Lua between two instructions, to do what may raise an error.
//
// LuaJIT calls a hook at the next instruction that it interprets, whoever asked. Compiled code asks
// no hooks; but while LuaJIT's profiler is on, code is compiled so that at every line it looks
// whether the profiler wants it, and goes back to the interpreter if so. That is how loops in
// compiled code end: the profiler is on, its timer never ticks, and we raise its signal (what this
// costs: docs/decisions). C functions, ours and Lua's own, run to their end.
#pragma once
#include "foundation/types.h"

typedef struct ct_lua ct_lua;

typedef enum ct_lua_interrupt_reason {
    CT_LUA_INTERRUPT_NONE = 0,
    CT_LUA_INTERRUPT_TIME = 1,   // a call takes too long (lua_watch.h)
    CT_LUA_INTERRUPT_MEMORY = 2, // Lua holds too much (lua_memory.h)
} ct_lua_interrupt_reason;

// Lets compiled code be interrupted from now on; the rest can be without. One environment of a
// process at a time: in others nothing happens. Ends when the Lua state is closed.
void ct_lua_make_interruptible(ct_lua *s);

// Has the running Lua interrupted. On the update thread, in a signal handler or an allocator too.
void ct_lua_interrupt(ct_lua *s, ct_lua_interrupt_reason reason);

// Forgets a reason: it has been served, or the call has ended.
void ct_lua_end_interrupt(ct_lua *s, ct_lua_interrupt_reason reason);
