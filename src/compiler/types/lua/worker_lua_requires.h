// worker_lua_requires.h: finds the scripts that a Lua script requires while it is loaded.
#pragma once
#include "compiler/protocol/compile.h"

// Adds a reference for each `require "name"` that runs when the script does: outside of functions,
// conditions and loops (these may never run, or later), with a literal name. `text` is Lua source
// without syntax errors, zero-terminated.
void ct_worker_lua_requires(ct_compile *c, const char *text);
