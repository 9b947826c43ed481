// lua_memory.h: limits how much memory Lua may hold.
//
// Above its limit, Lua is interrupted at its next instruction (lua_interrupt.h). Garbage is
// collected, and if too much is left, an error is raised that names the place and the largest
// holders. Code that catches the error, and every call after it, has a 64th of the limit to go on
// with, so that a game can release memory. Allocations that reach a quarter above the limit, or
// that pass it and are larger than a quarter of it, are refused with Lua's own error "not enough
// memory"; compiled code that is not interruptible gets that error too. The console may use a
// little more than the game, so that problems can be examined.
//
// Units, broadphases and other engine objects that Lua makes count too. The code that makes them
// asks first, and gets an error when Lua, the worlds and these objects together exceed the limit.
//
// Each worker machine has a limit of its own. What workers hold does not count as the game's.
#pragma once
#include <lua.h>

#include "foundation/string/string_builder.h"

typedef struct ct_lua ct_lua;

// Approximate sizes to ask for.
enum {
    CT_LUA_COMPONENT_BYTES = 256,
    CT_LUA_UNIT_BYTES = 1024,
    CT_LUA_WORLD_BYTES = 1 << 20, // also a level
};

// What Lua holds and may hold.
typedef struct ct_lua_memory {
    uint64_t bytes;
    uint64_t limit_bytes;
    uint64_t error_bytes; // from here on the running call is interrupted
    uint64_t asked_bytes; // since what is held was last counted
    const char *setting;  // what errors name
    bool is_console_call;
    bool is_collector_stopped; // by the allocator, until a collection or the end of the call
    // The last refused allocation: its size, how much was held then, and the place that asked, if
    // known.
    uint64_t refused_bytes, refused_at_bytes;
    char refused_place[LUA_IDSIZE + 16];
} ct_lua_memory;

// Lua's allocator, with the environment as `user`.
void *ct_lua_allocate(void *user, void *p, size_t old_bytes, size_t new_bytes);

// Notes that Lua is called from outside all other calls; the other function, that this call has
// ended: it collects garbage when Lua holds too much.
void ct_lua_begin_memory(ct_lua *s);
void ct_lua_end_memory(ct_lua *s);

// Collects garbage, from a hook, and raises an error when too much is left.
void ct_lua_check_memory(lua_State *L, lua_Debug *at);

// Raises an error when there is no memory for something of about `bytes` bytes that the engine will
// make for Lua. Cheap: it counts the held memory only once for each MiB that was asked for.
void ct_lua_ask_memory(lua_State *L, uint64_t bytes);

// Returns what the Lua states of all workers of the game's machine `s` hold, with arrays. While no
// worker runs.
uint64_t ct_lua_worker_bytes(const ct_lua *s);

// Writes the message for Lua's own "not enough memory".
void ct_lua_describe_refusal(const ct_lua *s, ct_string_builder *message);
