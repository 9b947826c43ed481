// api_property.h: fields of component data by their schema's names, to and from Lua.
#pragma once
#include "resource/types/component_resource.h"
#include "script/api_check.h"

// The field named at `argument` (a string, or an array with one), an error when the schema has
// none.
const ct_field *ct_check_property(lua_State *L, int argument, const ct_schema *schema);

// Pushes the value of a field of `data` and returns 1.
int ct_push_property(lua_State *L, const ct_field *field, const void *data);

// Sets a field of `data` from the value at `argument`; an error when it has another type or lies
// outside the field's range. Names and references must be loaded or known by the caller.
void ct_take_property(lua_State *L, int argument, const ct_field *field, void *data);
