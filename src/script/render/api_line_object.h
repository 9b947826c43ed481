// api_line_object.h: line objects in Lua. The `data` of a handle is the world.
#pragma once
#include "render/component/line_object.h"
#include "script/script_private.h"

extern const ct_lua_object_type ct_type_line_object;
