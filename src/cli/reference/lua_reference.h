// lua_reference.h: the reference of Lua's modules as JSON, as Markdown and for the language server.
//
// All of it comes from the tables that the bindings are registered with (lua/lua_module.h);
// nothing is listed a second time.
#pragma once
#include "foundation/string/string_builder.h"
#include "lua/lua_module.h"

// Appends one JSON object: the engine's version and every module with its functions, their
// arguments and results (docs/lua.md).
void ct_lua_reference_json(ct_string_builder *out);

// Appends the reference of a module as a page of Markdown.
void ct_lua_reference_markdown(ct_string_builder *out, const ct_lua_module *module);

// Appends the list of all modules as a page of Markdown, with links to their pages.
void ct_lua_reference_markdown_index(ct_string_builder *out);

// Writes the files for the language server to `folder`, which is made when it does not exist: one
// for each module and one for the types. Returns false with `error` when a file cannot be written.
bool ct_lua_reference_write_luals(ct_allocator *a, const char *folder, ct_error *error);

// Writes the pages of Markdown and README.md, their list, to `folder`.
bool ct_lua_reference_write_markdown(ct_allocator *a, const char *folder, ct_error *error);
