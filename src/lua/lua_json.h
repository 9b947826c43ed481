// lua_json.h: converts Lua values to JSON, for tools, and back.
//
// A table with the keys 1 to n becomes an array, and a table with string keys an object; an empty
// table becomes an object. Vectors and quaternions become arrays of numbers, ids become hexadecimal
// text. Numbers that are not finite become null.
#pragma once
#include "foundation/sjson/sjson.h"
#include "foundation/string/string_builder.h"
#include "lua/lua_machine.h"

// Appends the table at `argument`. Raises an error for values that JSON does not support:
// functions, units, other keys, and tables inside themselves.
void ct_lua_append_json(lua_State *L, int argument, ct_string_builder *out);

// Pushes a value of a document: objects and arrays as tables, null as nil.
void ct_lua_push_json(lua_State *L, const ct_sjson *doc, ct_sjson_value value);
