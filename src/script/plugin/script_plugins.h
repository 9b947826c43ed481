// script_plugins.h: plugins in Lua: their functions, and the module PluginManager.
//
// A function of a plugin is an addition (plugin/plugin_addition.h). In Lua it is a function of the engine
// that looks the addition up for each call, so functions that scripts keep survive reloads.
#pragma once
#include "plugin/plugin_host.h"
#include "script/script.h"

#include <cuttle/lua.h>

enum { CT_SCRIPT_MAX_PLUGIN_MODULES = 64, CT_SCRIPT_MAX_PLUGIN_FUNCTIONS = 256 }; // in a module

// The interface "lua". Its functions find the script by the host's: ct_script_set_plugins.
extern const cuttle_lua_api_1 ct_script_lua_api_1;

// Gives the script the plugins whose functions it may call: once, before any is loaded; or NULL, when
// they end before the script.
void ct_script_set_plugins(ct_script *s, ct_plugin_host *plugins);

// Returns the modules that plugins have added, and sets `count`. Borrowed until plugins change.
const ct_lua_module *const *ct_script_plugin_modules(const ct_script *s, uint32_t *count);

// Writes the annotations of these modules for the Lua language server to the file plugins.lua in
// `folder`, if they have changed; does nothing where there is no such folder. Returns false with `error`.
bool ct_script_annotate_plugins(const ct_script *s, const char *folder, ct_error *error);

// Frees what the script keeps of plugins, after its Lua state was closed.
void ct_script_plugins_free(ct_script *s);
