// lua_message.h: values on their way from one Lua machine to another.
//
// A message is a run of bytes: for each value a tag and what it holds, tables as their pairs. It
// belongs to no machine, so that one thread can write it and another read it later. Numbers,
// strings, booleans, tables without cycles, engine values and their boxes are copied. A table that
// occurs twice becomes two. Float32Array and EntityArray are moved: the message owns their items,
// and the array that was written is empty. Handles of objects are those of the game's machine, which
// its workers share (ct_lua_desc.parent). One thread at a time.
#pragma once
#include "lua/lua_machine.h"

enum {
    CT_LUA_MESSAGE_MAX_DEPTH = 100,         // of tables in tables
    CT_LUA_MESSAGE_MAX_BYTES = 256u << 20u, // without the items of arrays
};

// An array's items on their way; they came from the allocator of Lua's memory.
typedef struct ct_lua_moved {
    uint32_t *items; // NULL: it was read
    uint32_t count, capacity;
} ct_lua_moved;

typedef struct ct_lua_message {
    ct_byte_array bytes;
    CT_ARRAY(ct_lua_moved) arrays;
    ct_allocator *lua_allocator; // of the items
    uint32_t num_values;
} ct_lua_message;

// Makes an empty message. Its bytes come from `a`, the items of arrays from `m`'s memory, which is
// that of all machines that may write or read it.
void ct_lua_message_init(ct_lua_message *message, ct_allocator *a, const ct_lua *m);

// Frees a message, with the items of arrays that were not read.
void ct_lua_message_free(ct_lua_message *message);

// Removes all values; the memory stays.
void ct_lua_message_clear(ct_lua_message *message);

// Removes all values, and frees memory of more than `most_bytes`.
void ct_lua_message_shrink(ct_lua_message *message, uint64_t most_bytes);

// What a check knows of the values before: no array may be sent twice. {.seen.allocator = a} is one of
// nothing; free `seen` at the end.
typedef struct ct_lua_message_check {
    ct_u64_array seen;
    uint64_t bytes;
} ct_lua_message_check;

// Raises an error unless the value at `index` can be sent: for functions, coroutines, other userdata,
// cycles, temporaries of an earlier frame, and messages that get too deep or too large. `name` is
// what the error calls the value ("the result"); members are named by their path from there.
void ct_lua_message_check_value(lua_State *L, int index, const char *name,
                                ct_lua_message_check *check);

// Appends the value at `index`, which was checked, and empties arrays in it. Returns false, with part
// of the value in the message, when the value has changed since so that it cannot be sent.
bool ct_lua_message_add(lua_State *L, int index, ct_lua_message *message);

// Pushes all values in the order in which they were written, and returns how many. Arrays become
// those of `L`. A message can be read once when it has arrays. Raises an error when memory runs out,
// or too many temporaries.
int ct_lua_message_push(lua_State *L, ct_lua_message *message);
