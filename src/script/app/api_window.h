// api_window.h: the type of windows in Lua.
#pragma once
#include "lua/lua_values.h"

extern const ct_lua_object_type ct_type_window;
