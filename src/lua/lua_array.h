// lua_array.h: arrays that Lua owns and the engine fills: Float32Array and EntityArray.
//
// An array is a full userdata with the kind, the count and a pointer to the items, 4 bytes each.
// The items are in a separate block from Lua's allocator, so that Lua's memory limit covers them;
// the block is freed when Lua collects the array. Functions that work on many units take and fill
// such arrays, so that no Lua value is made for each element. Items count from 1 in Lua and from 0
// here.
#pragma once
#include "lua/lua_machine.h"

typedef enum ct_lua_array_kind {
    CT_LUA_ARRAY_KIND_NONE,
    CT_LUA_ARRAY_KIND_FLOATS,   // Float32Array
    CT_LUA_ARRAY_KIND_ENTITIES, // EntityArray; can hold entities that have died, and invalid ones
} ct_lua_array_kind;

enum { CT_LUA_ARRAY_MAX_ITEMS = 1 << 28 };

typedef struct ct_lua_array {
    uint32_t mark; // CT_LUA_ARRAY_MARK and the kind
    uint32_t count, capacity, padding;
    union {
        float *floats;
        ct_entity *entities;
        uint32_t *items; // of any kind; NULL without capacity
    };
} ct_lua_array;

// Returns the array of this kind at `index`, or NULL. Costs two calls of Lua: no box is as large as
// an array.
ct_lua_array *ct_lua_array_at(lua_State *L, int index, ct_lua_array_kind kind);

// Same as ct_lua_array_at, but raises an error for anything else.
ct_lua_array *ct_check_array_of(lua_State *L, int argument, ct_lua_array_kind kind);

// Makes an array of `count` zeros and pushes it.
ct_lua_array *ct_push_array(lua_State *L, ct_lua_array_kind kind, uint32_t count);

// Reserves room for at least `count` items and keeps the existing ones. Raises a Lua error when
// there are too many, or not enough memory.
void ct_lua_array_reserve(lua_State *L, ct_lua_array *array, uint64_t count);

// Sets the number of items to `count`; new ones are zero. Raises an error when there is not enough
// memory, or when `count` is above CT_LUA_ARRAY_MAX_ITEMS.
void ct_lua_array_resize(lua_State *L, ct_lua_array *array, uint64_t count);

// Returns the array for a function's results, resized to `count` items: the one at `argument`, or a
// new one when that is nil or absent. The array is on top of the stack, so a binding can `return
// 1`.
ct_lua_array *ct_push_result_array(lua_State *L, int argument, ct_lua_array_kind kind,
                                   uint64_t count);

// Returns the floats at `argument`, `size` for each of `count` elements. Raises an error when the
// Float32Array there has another number of floats, or contains NaN or infinities (naming the
// element's place).
const float *ct_check_floats_of(lua_State *L, int argument, uint32_t size, uint32_t count);

// Returns a block that is valid until the next call of this function. Bulk functions use it while
// they run; it is kept between calls so that they allocate nothing.
void *ct_lua_scratch(ct_lua *s, uint64_t bytes);

// Returns the entities at `argument`: those of an EntityArray in place, or of a Lua array, copied
// to `copies`, which has room for ct_check_entity_count entities. Any entity is accepted, dead ones
// too.
uint32_t ct_check_entity_count(lua_State *L, int argument);
const ct_entity *ct_check_entities(lua_State *L, int argument, ct_entity *copies, uint32_t count);

// Pushes `count` entities: into the EntityArray at `argument`, or as a new Lua array when that is
// nil or absent. Returns 1. `entities` does not change.
int ct_push_entities(lua_State *L, int argument, const ct_entity *entities, uint32_t count);

// Returns the bytes that an array at `index` holds besides its userdata; 0 for anything else.
uint64_t ct_lua_array_bytes(lua_State *L, int index);

// Makes the metatables of the arrays. Called when the environment opens.
void ct_lua_open_arrays(lua_State *L);
