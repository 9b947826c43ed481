// lua_search.h: finds modules and functions of Lua's reference by words.
#pragma once
#include "lua/lua_module.h"

// A match: a function of a module, or the module itself.
typedef struct ct_lua_match {
    const ct_lua_module *module;
    const ct_lua_function *function; // NULL: the module
} ct_lua_match;

// Finds the modules and functions that contain every word, in their name ("World.spawn_unit") or
// their doc. Upper and lower case of ASCII are equal. Writes up to `max` of them to `matches`,
// which borrow from `modules`: those with more words in the name come first, then in the order of
// the modules. Returns the number of all matches. Without words, everything matches.
uint32_t ct_lua_search(const ct_lua_module *const *modules, uint32_t num_modules,
                       const char *const *words, uint32_t num_words, ct_lua_match *matches,
                       uint32_t max);
