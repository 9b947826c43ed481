// lua_reference.h: the reference of Lua's modules in the forms that others read.
//
// All of it comes from the tables that the bindings are registered with (script/lua_module.h);
// nothing is listed a second time.
#pragma once
#include "foundation/string/string_builder.h"
#include "lua/lua_module.h"

// One JSON object: the engine's version and every module with its functions, their arguments and
// results (docs/lua.md).
void ct_lua_reference_json(ct_string_builder *out);

// The reference of a module as a page of Markdown, and the list of all pages.
void ct_lua_reference_markdown(ct_string_builder *out, const ct_lua_module *module);
void ct_lua_reference_markdown_index(ct_string_builder *out);

// What the Lua language server reads: a module's functions, and the types of all values (fields and
// operators of vectors among them).
void ct_lua_reference_luals(ct_string_builder *out, const ct_lua_module *module);
void ct_lua_reference_luals_types(ct_string_builder *out, ct_allocator *a);

// Writes what the language server reads, one file for each module and one for the types, to
// `folder`, which is made when it is not there. False with `error` when a file cannot be written.
bool ct_lua_reference_write_luals(ct_allocator *a, const char *folder, ct_error *error);

// Writes the pages of Markdown and README.md, their list, to `folder`.
bool ct_lua_reference_write_markdown(ct_allocator *a, const char *folder, ct_error *error);
