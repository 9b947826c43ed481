// script_modules.h: the list of the engine's Lua modules.
#pragma once
#include "lua/lua_module.h"

// Returns all modules, sorted by name, and sets `count`.
const ct_lua_module *const *ct_script_modules(uint32_t *count);
