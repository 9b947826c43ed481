// api_resource_package.h: packages in Lua.
#pragma once
#include "script/script_private.h"

typedef struct ct_script_package {
    ct_resource_package *package;
    bool is_loaded; // or being loaded
} ct_script_package;

// Raises an error while an event of a flow graph runs: its graph may be in a package.
void ct_check_can_unload(lua_State *L);

extern const ct_lua_object_type ct_type_package;
