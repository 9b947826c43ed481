// api_property.h: converts fields of component data, by their schema's names, to and from Lua.
#pragma once
#include "resource/types/component_resource.h"
#include "script/api_check.h"

// Returns the field named at `argument` (a string, or an array with one string); raises an error
// when the schema has no such field.
const ct_field *ct_check_property(lua_State *L, int argument, const ct_schema *schema);

// Makes a field of `data` that a plugin has written safe to push: texts end, and enums have a name.
void ct_mend_property(const ct_field *field, void *data);

// Pushes the value of a field of `data` and returns 1.
int ct_push_property(lua_State *L, const ct_field *field, const void *data);

// Sets a field of `data` from the value at `argument`; raises an error when it has another type or
// is outside the field's range. The caller must load or register names and references.
void ct_take_property(lua_State *L, int argument, const ct_field *field, void *data);
