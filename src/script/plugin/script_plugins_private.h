// script_plugins_private.h: what the files of this folder share.
#pragma once
#include "plugin/plugin_addition.h"
#include "script/plugin/script_plugins.h"
#include "script/script_private.h"

// A module that plugins have added. It stays until the script ends, as Lua may keep its functions.
typedef struct ct_plugin_module {
    ct_lua_module module; // first: found from the function that runs
    char name[64], doc[256];
    uint32_t number;                                           // among the machine's modules
    ct_lua_function functions[CT_SCRIPT_MAX_PLUGIN_FUNCTIONS]; // texts of our own
    const ct_plugin_addition
        *additions[CT_SCRIPT_MAX_PLUGIN_FUNCTIONS]; // NULL: its plugin has ended
} ct_plugin_module;

struct ct_script_plugins {
    ct_plugin_host *host; // NULL: there are no plugins
    const ct_lua_module *modules[CT_SCRIPT_MAX_PLUGIN_MODULES];
    uint32_t count;
    ct_plugin *caller; // that calls scripts (cuttle_lua_api_1.call), the innermost; NULL: none does
};

// The addition "Module.function"; its description is a cuttle_lua_function.
extern const ct_plugin_kind ct_script_lua_function_kind;

// The addition "Module": its sentence; its description is a cuttle_lua_module.
extern const ct_plugin_kind ct_script_lua_module_kind;

// Returns the plugin whose function of a module runs; NULL: another function runs.
ct_plugin *ct_script_running_plugin(lua_State *L);

// Returns the script of a plugin's program; NULL when it has ended.
ct_script *ct_script_of_plugin(const ct_plugin *plugin);
