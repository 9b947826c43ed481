// lua_interrupt.h: stops Lua between two instructions, to run code that may raise an error.
//
// LuaJIT calls a hook at the next instruction that it interprets, whichever thread set the hook.
// Compiled code does not check hooks. But while LuaJIT's profiler is on, compiled code checks at
// every line whether the profiler needs it, and returns to the interpreter if so. This is how loops
// in compiled code are stopped: the profiler is on, its timer never ticks, and we raise its signal
// (for the cost, see docs/decisions). C functions, ours and Lua's own, run to their end.
#pragma once
#include "foundation/types.h"

typedef struct ct_lua ct_lua;

typedef enum ct_lua_interrupt_reason {
    CT_LUA_INTERRUPT_NONE = 0,
    CT_LUA_INTERRUPT_TIME = 1,   // a call takes too long (lua_watch.h)
    CT_LUA_INTERRUPT_MEMORY = 2, // Lua holds too much memory (lua_memory.h)
    CT_LUA_INTERRUPT_PAUSE = 4,  // the debugger is to stop it (debugger/lua_debugger.h)
    CT_LUA_INTERRUPT_ASK = 8,    // the debugger is to ask whether to stop it
} ct_lua_interrupt_reason;

// Makes compiled code interruptible from now on; interpreted code always is. Works for one
// environment of a process at a time, and for any number of workers (ct_lua_desc.parent), for which
// it finds LuaJIT's mask of hooks: for other environments it does nothing. Ends when the Lua state
// is closed. Call it on the thread that makes the state.
void ct_lua_make_interruptible(ct_lua *s);

// Undoes it for the environment that had it; workers stay interruptible. On the same thread.
void ct_lua_end_interruptible(ct_lua *s);

// Interrupts the running Lua. Callable on the thread that runs it, also in a signal handler or an
// allocator.
void ct_lua_interrupt(ct_lua *s, ct_lua_interrupt_reason reason);

// Clears a reason after it was handled, or when the call has ended.
void ct_lua_end_interrupt(ct_lua *s, ct_lua_interrupt_reason reason);

// Sets LuaJIT's hook for what is wanted of it now: interrupts, and the events of the debugger. Gives it
// back to debug.sethook when nothing is.
void ct_lua_update_hook(ct_lua *s);

// Returns the byte of LuaJIT's state that has the mask of hooks, whose low four bits are Lua's masks;
// NULL when another LuaJIT than this was made for does not have just one such byte. Call it outside of
// hooks.
uint8_t *ct_lua_find_hook_mask(ct_lua *s);

// Returns whether the hook is ours, not one of debug.sethook.
bool ct_lua_has_hook(const ct_lua *s);
