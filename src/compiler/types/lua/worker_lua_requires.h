// worker_lua_requires.h: which scripts a Lua script requires while it is loaded.
#pragma once
#include "compiler/protocol/compile.h"

// Adds a reference for each `require "name"` that runs when the script does: outside of functions,
// with a name written out. What stands inside of functions, conditions and loops may never run, or
// later. `text` is Lua source without errors of syntax, zero-terminated.
void ct_worker_lua_requires(ct_compile *c, const char *text);
