// lua_annotations.h: what the Lua language server reads of modules (https://luals.github.io).
//
// Files of annotations begin with `---@meta`; the callers write that.
#pragma once
#include "foundation/string/string_builder.h"
#include "lua/lua_module.h"

// Appends a module's functions and constants. Their signatures must be valid.
void ct_lua_annotate_module(ct_string_builder *out, const ct_lua_module *module);

// Appends the types of all values that the modules' functions have (fields and operators of vectors
// among them). Scratch memory is from `a` and freed.
void ct_lua_annotate_types(ct_string_builder *out, ct_allocator *a,
                           const ct_lua_module *const *modules, uint32_t count);
