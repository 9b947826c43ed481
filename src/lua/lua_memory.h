// lua_memory.h: how much Lua may hold.
//
// Past its limit Lua is interrupted at its next instruction (lua_interrupt.h): garbage is
// collected, and if too much is left an error is raised that says where, and who holds how much.
// Whoever catches it, and every call after it, has a 64th of the limit to go on with, so that a
// game may drop what it holds. What goes a quarter past the limit, or past it by an allocation of
// more than a quarter of it, is refused, which is Lua's own error "not enough memory"; compiled
// code that is not made to be interrupted meets that one too. The console has a little more than
// the game: one can look what is wrong.
//
// Units, broadphases and the like, which Lua makes of the engine, count too: what makes them asks
// first, and gets an error when Lua, the worlds and they hold more than the limit together.
#pragma once
#include <lua.h>

#include "foundation/string/string_builder.h"

typedef struct ct_lua ct_lua;

// What is asked for, about.
enum {
    CT_LUA_COMPONENT_BYTES = 256,
    CT_LUA_UNIT_BYTES = 1024,
    CT_LUA_WORLD_BYTES = 1 << 20, // also a level
};

// What Lua holds, and may hold.
typedef struct ct_lua_memory {
    uint64_t bytes;
    uint64_t limit_bytes;
    uint64_t error_bytes; // from here on the call that runs is interrupted
    uint64_t asked_bytes; // since what is held was last counted
    bool is_console_call;
    bool is_collector_stopped; // by the allocator, until a collection or the end of the call
    // Of the last allocation that was refused: its size, what was held then, and who asked, as far
    // as that is known.
    uint64_t refused_bytes, refused_at_bytes;
    char refused_place[LUA_IDSIZE + 16];
} ct_lua_memory;

// Lua's allocator, with the environment as `user`.
void *ct_lua_allocate(void *user, void *p, size_t old_bytes, size_t new_bytes);

// Lua is called from outside of all other calls; and that call has ended: garbage is collected when
// Lua holds too much.
void ct_lua_begin_memory(ct_lua *s);
void ct_lua_end_memory(ct_lua *s);

// In a hook: collects garbage and raises an error when too much is left.
void ct_lua_check_memory(lua_State *L, lua_Debug *at);

// Raises an error when there is no memory for what the engine is about to make for Lua, of about so
// many bytes. Cheap: it counts what is held once for each MiB that was asked for.
void ct_lua_ask_memory(lua_State *L, uint64_t bytes);

// Writes the message for Lua's own "not enough memory".
void ct_lua_describe_refusal(const ct_lua *s, ct_string_builder *message);
