// known_modules.h: the Lua modules whose functions take names of resources.
//
// Which arguments are such names follows from the signatures of the modules (lua/lua_module.h). The
// modules themselves are on a higher floor, so the program says which there are.
#pragma once
#include "lua/lua_module.h"

// Makes `count` modules known to all of this folder. Once, at the start of the program, before
// other threads use the folder. Without it only `require` is known to name resources. Borrowed for
// good.
void ct_known_modules_set(const ct_lua_module *const *modules, uint32_t count);

// The modules that are known; `count` is set. Any thread.
const ct_lua_module *const *ct_known_modules(uint32_t *count);
