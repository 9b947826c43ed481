// lua_serialize.h: Lua values as text and back, with their types, for saves.
//
// The text is JSON: strings, numbers and booleans as they are; anything else an array that begins
// with its type: ["table", key, value, …], ["Vector3", x, y, z], ["Matrix4x4", 16 numbers by
// columns], ["IdString64", "0123…"] and their boxes (["Vector3Box", …]). Numbers come back to the
// bit, infinite ones and NaN as ["number", "inf"]; strings that are not UTF-8 are
// ["bytes", "ff00"].
#pragma once
#include "lua/lua_machine.h"

// Pushes the text of the value at `argument`. Raises an error for what cannot be told: functions,
// units, tables in themselves.
int ct_lua_serialize(lua_State *L, int argument);

// Pushes the value of the text at `argument`; an error for a text that is none.
int ct_lua_deserialize(lua_State *L, int argument);
