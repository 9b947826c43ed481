// lua_json.h: Lua values as JSON, for tools, and back.
//
// A table whose keys are 1 to n is an array, one whose keys are strings an object; an empty one is
// an object. Vectors and quaternions are arrays of numbers, ids their hexadecimal text. Numbers
// that are not finite are null.
#pragma once
#include "foundation/sjson/sjson.h"
#include "foundation/string/string_builder.h"
#include "lua/lua_machine.h"

// Appends the table at `argument`. Raises an error for what JSON cannot say: functions, units,
// other keys, tables in themselves.
void ct_lua_append_json(lua_State *L, int argument, ct_string_builder *out);

// Pushes a value of a document: objects and arrays as tables, null as nil.
void ct_lua_push_json(lua_State *L, const ct_sjson *doc, ct_sjson_value value);
