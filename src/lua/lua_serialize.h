// lua_serialize.h: converts Lua values, with their types, to text and back, for saves.
//
// The text is JSON: strings, numbers and booleans are themselves; everything else is an array that
// begins with its type: ["table", key, value, …], ["Vector3", x, y, z], ["Matrix4x4", 16 numbers by
// columns], ["IdString64", "0123…"] and their boxes (["Vector3Box", …]). Numbers are restored bit
// for bit, infinite ones and NaN as ["number", "inf"]; strings that are not UTF-8 are ["bytes",
// "ff00"].
#pragma once
#include "lua/lua_machine.h"

// Pushes the text of the value at `argument`. Raises an error for values without a text form:
// functions, units, and tables inside themselves.
int ct_lua_serialize(lua_State *L, int argument);

// Pushes the value of the text at `argument`. Raises an error when the text is invalid.
int ct_lua_deserialize(lua_State *L, int argument);
