#include "foundation/error.h"
#include "foundation/os/file.h"
#include "foundation/os/os.h"
#include "script/app/script_user_folder.h"
#include "script/script_private.h"

// FileSystem: a folder inside of the game's own, made ready by initialize; nothing outside of it.

extern const ct_lua_module ct_api_file_system;

void ct_check_user_path(lua_State *L, int argument, char path[CT_PATH_BYTES]) {
    const ct_script *const s = ct_script_of(L);
    const char *const name = ct_check_string(L, argument);
    if (!s->user_folder)
        ct_function_error(L, "no folder is in use; call FileSystem.initialize first");
    if (!ct_path_is_canonical(name) || !ct_path_try_join(path, s->user_folder, name))
        ct_argument_error(L, argument,
                          "expected a path like \"saves/first.save\", of a to z, 0 to 9, _, - and "
                          "., got \"%s\"",
                          name);
}

static int initialize(lua_State *L) {
    ct_script *const s = ct_script_of(L);
    const char *const name = ct_check_string(L, 1);
    char folder[CT_PATH_BYTES], game[CT_PATH_BYTES];
    ct_script_project_name(s, game);
    if (!ct_path_is_canonical(name))
        ct_argument_error(L, 1, "expected a name like \"saves\", of a to z, 0 to 9, _ and -");
    if (!ct_script_user_folder(folder, game))
        ct_function_error(L, "cannot find a folder for this user's files: HOME is not set");
    if (!ct_path_try_join(folder, folder, name))
        ct_argument_error(L, 1, "the name is too long");
    ct_error error;
    if (!ct_folder_create(folder, &error))
        ct_function_error(L, "%s", error.message);
    ct_free(s->lua.allocator, s->user_folder);
    s->user_folder = ct_copy_string(s->lua.allocator, folder);
    return 0;
}

static int shutdown(lua_State *L) {
    ct_script *const s = ct_script_of(L);
    ct_free(s->lua.allocator, s->user_folder);
    s->user_folder = NULL;
    return 0;
}

static int appdata_path(lua_State *L) {
    const ct_script *const s = ct_script_of(L);
    if (s->user_folder)
        lua_pushstring(L, s->user_folder);
    else
        lua_pushnil(L);
    return 1;
}

static int project_path(lua_State *L) {
    const char *const folder = ct_script_of(L)->host.project_folder;
    lua_pushstring(L, folder ? folder : "");
    return 1;
}

static int exists(lua_State *L) {
    char path[CT_PATH_BYTES];
    ct_check_user_path(L, 1, path);
    lua_pushboolean(L, ct_os_file_info(path).kind != CT_FILE_KIND_NONE);
    return 1;
}

static int make_directory(lua_State *L) {
    char path[CT_PATH_BYTES];
    ct_check_user_path(L, 1, path);
    ct_error error;
    lua_pushboolean(L, ct_folder_create(path, &error));
    return 1;
}

static int remove_file(lua_State *L) {
    char path[CT_PATH_BYTES];
    ct_check_user_path(L, 1, path);
    ct_error error;
    const bool is_file = ct_os_file_info(path).kind == CT_FILE_KIND_FILE;
    lua_pushnumber(L, is_file && ct_os_file_remove(path, &error) ? 1 : 0);
    return 1;
}

static const ct_lua_function functions[] = {
    {"appdata_path", appdata_path, "() -> string?",
     "Returns the absolute path of the folder, or nil before initialize."},
    {"exists", exists, "(path: string) -> boolean",
     "Returns whether the folder has a file or folder at this path."},
    {"initialize", initialize, "(path: string) -> nil",
     "Makes a folder with this name inside the game's own folder for this player, and uses it from "
     "now on."},
    {"make_directory", make_directory, "(path: string) -> boolean",
     "Makes a folder inside the folder, with any missing parents; returns false when that fails."},
    {"project_path", project_path, "() -> string",
     "Returns the absolute path of the project's folder, or \"\" in the player, which has none."},
    {"remove_file", remove_file, "(path: string) -> integer",
     "Removes a file in the folder. Returns the number of removed files: 1, or 0 when there is no "
     "such file or removal fails."},
    {"shutdown", shutdown, "() -> nil", "Stops using the folder. The folder and its files stay."},
};

const ct_lua_module ct_api_file_system = {
    .name = "FileSystem",
    .doc = "One folder of files that belong to the player.",
    .functions = functions,
    .num_functions = CT_COUNT_OF(functions),
};
