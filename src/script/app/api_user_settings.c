#include "script/app/api_user_settings.h"

#include "foundation/error.h"
#include "foundation/log.h"
#include "foundation/os/file.h"
#include "foundation/os/os.h"
#include "lua/lua_json.h"
#include "script/app/script_user_folder.h"
#include "script/entity/api_data.h"

// The settings are data (api_data.h) whose owner is a place in the environment.
static uint64_t key_of(const ct_script *s) {
    return ct_data_key_of_object(&s->user_settings);
}

static bool find_file(const ct_script *s, char path[CT_PATH_BYTES]) {
    char name[CT_PATH_BYTES];
    ct_script_project_name(s, name);
    return ct_script_user_folder(path, name) && ct_path_try_join(path, path, "user_settings.json");
}

static void free_document(ct_sjson **doc) {
    ct_sjson_free(*doc);
}

// Called with a name and a value.
static int take_member(lua_State *L) {
    return ct_script_set_data(L, key_of(ct_script_of(L)), 1);
}

static void take_members(lua_State *L, const ct_sjson *doc) {
    ct_sjson_value member = ct_sjson_first(doc, ct_sjson_root(doc));
    for (; member.entry; member = ct_sjson_next(doc, member)) {
        lua_pushcfunction(L, take_member);
        lua_pushstring(L, ct_sjson_key(doc, member));
        ct_lua_push_json(L, doc, member);
        lua_call(L, 2, 0);
    }
}

// Reads the file when a game first asks; one that is broken stays as it is until the game saves.
static void load_once(lua_State *L) {
    ct_script *const s = ct_script_of(L);
    char path[CT_PATH_BYTES];
    if (s->user_settings != CT_SCRIPT_USER_SETTINGS_NONE)
        return;
    s->user_settings = CT_SCRIPT_USER_SETTINGS_LOADED;
    if (!find_file(s, path) || ct_os_file_info(path).kind == CT_FILE_KIND_NONE)
        return;
    ct_error error;
    CT_CLEANUP(free_document) ct_sjson *doc = ct_sjson_read(s->lua.allocator, path, path, &error);
    if (doc) {
        take_members(L, doc);
        return;
    }
    s->user_settings = CT_SCRIPT_USER_SETTINGS_BROKEN;
    ct_log_report("lua", &error);
}

int ct_script_user_setting(lua_State *L) {
    load_once(L);
    return ct_script_get_data(L, key_of(ct_script_of(L)), 1);
}

int ct_script_set_user_setting(lua_State *L) {
    for (int i = 1; i < lua_gettop(L); ++i)
        if (lua_type(L, i) == LUA_TSTRING)
            ct_check_string(L, i); // the file's keys have no zero bytes
    load_once(L);
    return ct_script_set_data(L, key_of(ct_script_of(L)), 1);
}

int ct_script_user_settings_load_error(lua_State *L) {
    load_once(L);
    lua_pushboolean(L, ct_script_of(L)->user_settings == CT_SCRIPT_USER_SETTINGS_BROKEN);
    return 1;
}

int ct_script_save_user_settings(lua_State *L) {
    const ct_script *const s = ct_script_of(L);
    char path[CT_PATH_BYTES], folder[CT_PATH_BYTES];
    load_once(L);
    if (!find_file(s, path))
        return ct_function_error(L, "there is no place for this user's files: HOME is not set");
    lua_settop(L, 0);
    ct_script_push_data(L, key_of(s));
    if (lua_isnil(L, 1)) {
        lua_newtable(L);
        lua_replace(L, 1);
    }
    CT_CLEANUP(ct_string_builder_free) ct_string_builder json;
    ct_string_builder_init(&json, s->lua.allocator);
    ct_lua_append_json(L, 1, &json);
    ct_error error;
    ct_path_folder(folder, path);
    if (!ct_folder_create(folder, &error) ||
        !ct_file_write(path, ct_string_builder_text(&json), json.length, true, &error))
        return ct_function_error(L, "%s", error.message);
    return 0;
}
