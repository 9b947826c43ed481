// script_modules.h: the list of the engine's Lua modules.
#pragma once
#include "lua/lua_module.h"

// All modules, in the order of their names; `count` is set.
const ct_lua_module *const *ct_script_modules(uint32_t *count);
