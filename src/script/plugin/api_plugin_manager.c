#include <string.h>

#include "foundation/error.h"
#include "foundation/os/file.h"
#include "foundation/os/os.h"
#include "script/plugin/script_plugins_private.h"

extern const ct_lua_module ct_api_plugin_manager;

static ct_plugin_host *host_of(lua_State *L) {
    struct ct_script_plugins *const plugins = ct_script_of(L)->plugins;
    if (!plugins || !plugins->host)
        ct_function_error(L, "this program has no plugins");
    return plugins->host;
}

// Loads a library; the name of its plugin, or nil and what is wrong.
static int load(lua_State *L, const char *path) {
    char name[CT_PLUGIN_NAME_BYTES];
    ct_error error = {0};
    const ct_plugin_entry entry = {name, path};
    ct_plugin_name_of_library(path, name);
    if (ct_plugin_host_load_one(host_of(L), &entry, &error)) {
        lua_pushstring(L, name);
        return 1;
    }
    lua_pushnil(L);
    lua_pushstring(L, error.message);
    return 2;
}

static int load_plugin(lua_State *L) {
    const char *const path = ct_check_string(L, 1);
    if (!ct_script_of(L)->lua.is_unsafe)
        return ct_function_error(
            L, "libraries from anywhere need the setting lua = { unsafe = true }; "
               "load_relative_plugin loads one of the project");
    if (path[0] != '/')
        return ct_argument_error(L, 1, "expected an absolute path, got \"%s\"", path);
    return load(L, path);
}

static int load_relative_plugin(lua_State *L) {
    const char *const path = ct_check_string(L, 1);
    const char *const folder = ct_plugin_host_folder(host_of(L));
    char absolute[CT_PATH_BYTES];
    if (!folder[0])
        return ct_function_error(L, "this program has no folder for plugins");
    if (!path[0] || path[0] == '/' || strstr(path, ".."))
        return ct_argument_error(L, 1, "expected a path in the project, got \"%s\"", path);
    if (!ct_path_try_join(absolute, folder, path))
        return ct_argument_error(L, 1, "the path is too long");
    return load(L, absolute);
}

static int loaded_plugins(lua_State *L) {
    const ct_plugin_host *const host = host_of(L);
    const uint32_t count = ct_plugin_host_count(host);
    lua_createtable(L, (int)count, 0);
    for (uint32_t i = 0; i < count; ++i) {
        lua_pushstring(L, ct_plugin_name(ct_plugin_host_at(host, i)));
        lua_rawseti(L, -2, (int)i + 1);
    }
    return 1;
}

static int unload_plugin(lua_State *L) {
    ct_error error = {0};
    if (!ct_plugin_host_unload(host_of(L), ct_check_string(L, 1), &error))
        return ct_function_error(L, "%s", error.message);
    return 0;
}

static int reload_plugin(lua_State *L) {
    ct_error error = {0};
    if (!ct_plugin_host_reload(host_of(L), ct_check_string(L, 1), &error))
        return ct_function_error(L, "%s", error.message);
    return 0;
}

static int add_hot_reload_directory(lua_State *L) {
    const char *const folder = ct_check_string(L, 1);
    char path[CT_PATH_BYTES];
    ct_error error = {0};
    const char *const base = ct_plugin_host_folder(host_of(L));
    if (folder[0] == '/' || strstr(folder, "..") || !base[0] ||
        !ct_path_try_join(path, base, folder))
        return ct_argument_error(L, 1, "expected a folder in the project, got \"%s\"", folder);
    if (!ct_plugin_host_add_folder(host_of(L), path, &error))
        return ct_function_error(L, "%s", error.message);
    return 0;
}

static int remove_hot_reload_directory(lua_State *L) {
    const char *const folder = ct_check_string(L, 1);
    char path[CT_PATH_BYTES];
    if (!ct_path_try_join(path, ct_plugin_host_folder(host_of(L)), folder) ||
        !ct_plugin_host_remove_folder(host_of(L), path))
        return ct_argument_error(L, 1, "\"%s\" is not watched", folder);
    return 0;
}

static const ct_lua_function functions[] = {
    {"add_hot_reload_directory", add_hot_reload_directory, "(dir: string) -> nil",
     "Loads the plugins whose libraries (NAME.so or libNAME.so) are in this folder of the project, "
     "and from then on each that comes. Only while a game is developed."},
    {"load_plugin", load_plugin, "(path: string) -> string?, string?",
     "Loads the library of a plugin, NAME.so or libNAME.so, from an absolute path; needs the "
     "setting "
     "`lua = { unsafe = true }`. Returns the plugin's name, or nil and what is wrong."},
    {"load_relative_plugin", load_relative_plugin, "(relative_path: string) -> string?, string?",
     "Loads the library of a plugin, NAME.so or libNAME.so, from a path in the project. Returns "
     "the "
     "plugin's name, or nil and what is wrong."},
    {"loaded_plugins", loaded_plugins, "() -> string[]",
     "The names of all plugins, in the order in which they were loaded."},
    {"reload_plugin", reload_plugin, "(name: string) -> nil",
     "Loads a plugin's library again, as happens by itself when its file changes."},
    {"remove_hot_reload_directory", remove_hot_reload_directory, "(dir: string) -> nil",
     "Ends what add_hot_reload_directory began. Plugins stay, and are reloaded when they change."},
    {"unload_plugin", unload_plugin, "(name: string) -> nil",
     "Ends a plugin with everything that it added. Where its folder is watched, it comes back when "
     "its file changes. An error when another plugin needs it, or when something that it added is "
     "in "
     "use."},
};

const ct_lua_module ct_api_plugin_manager = {.name = "PluginManager",
                                             .doc = "The plugins of a game: libraries that add to "
                                                    "the engine.",
                                             .functions = functions,
                                             .num_functions = CT_COUNT_OF(functions)};
