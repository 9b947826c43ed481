// lua_array.h: arrays that Lua holds and the engine fills: Float32Array and EntityArray.
//
// A full userdata that says what is in it, how many, and where: the items, 4 bytes each, lie in a
// block of their own from Lua's allocator, so that Lua's limit of memory covers them, and are
// given back when Lua collects the array. Functions over many units take and fill such arrays:
// nothing is made for each element then. Items count from 1 in Lua, from 0 here.
#pragma once
#include "lua/lua_machine.h"

typedef enum ct_lua_array_kind {
    CT_LUA_ARRAY_KIND_NONE,
    CT_LUA_ARRAY_KIND_FLOATS,   // Float32Array
    CT_LUA_ARRAY_KIND_ENTITIES, // EntityArray; those that died since are in it too, and none
} ct_lua_array_kind;

enum { CT_LUA_ARRAY_MAX_ITEMS = 1 << 28 };

typedef struct ct_lua_array {
    uint32_t mark; // CT_LUA_ARRAY_MARK and the kind
    uint32_t count, capacity, padding;
    union {
        float *floats;
        ct_entity *entities;
        uint32_t *items; // any kind's; NULL without capacity
    };
} ct_lua_array;

// The array of this kind at `index`, or NULL. Two calls of Lua: no box is as large as an array.
ct_lua_array *ct_lua_array_at(lua_State *L, int index, ct_lua_array_kind kind);

// The same; raises an error for anything else.
ct_lua_array *ct_check_array_of(lua_State *L, int argument, ct_lua_array_kind kind);

// Makes an array of `count` zeros, and pushes it.
ct_lua_array *ct_push_array(lua_State *L, ct_lua_array_kind kind, uint32_t count);

// Makes room for `count` items at least, and keeps those that there are. Raises a Lua error when there
// are too many, or no memory.
void ct_lua_array_reserve(lua_State *L, ct_lua_array *array, uint64_t count);

// Gives the array `count` items; new ones are zero. Raises an error when memory does not suffice.
// Never more than CT_LUA_ARRAY_MAX_ITEMS.
void ct_lua_array_resize(lua_State *L, ct_lua_array *array, uint64_t count);

// The array that a function fills: the one at `argument`, or a new one when that is nil or none. It
// gets `count` items, and is on top of the stack: `return 1`.
ct_lua_array *ct_push_result_array(lua_State *L, int argument, ct_lua_array_kind kind,
                                   uint64_t count);

// The number of `size` floats for each of `count` elements at `argument`: raises an error when the
// Float32Array there has another, or holds NaN or infinities (with the element's place).
const float *ct_check_floats_of(lua_State *L, int argument, uint32_t size, uint32_t count);

// A block that lives until the next call of this function: what bulk functions need while they run,
// kept from call to call so that they allocate nothing.
void *ct_lua_scratch(ct_lua *s, uint64_t bytes);

// The entities at `argument`: an EntityArray as it lies there, or a Lua array, which is copied to
// `copies`, room for as many as ct_check_entity_count says. Any entity goes, dead ones too.
uint32_t ct_check_entity_count(lua_State *L, int argument);
const ct_entity *ct_check_entities(lua_State *L, int argument, ct_entity *copies, uint32_t count);

// Pushes `count` entities: into the EntityArray at `argument`, or as a new Lua array when that is
// nil or none. Returns 1. What they lie in does not change.
int ct_push_entities(lua_State *L, int argument, const ct_entity *entities, uint32_t count);

// The bytes that an array at `index` holds beside itself; 0 for anything else.
uint64_t ct_lua_array_bytes(lua_State *L, int index);

// Makes the metatables of the arrays. Opens with the environment.
void ct_lua_open_arrays(lua_State *L);
