#include "script/app/api_user_settings.h"

#include "foundation/error.h"
#include "foundation/log.h"
#include "foundation/os/file.h"
#include "foundation/os/os.h"
#include "foundation/string/utf8.h"
#include "lua/lua_json.h"
#include "script/app/script_user_folder.h"
#include "script/entity/api_data.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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

// Reads the file when a game first asks; one that is broken stays as it is until the game saves,
// and then as user_settings.json.old.
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
    if (doc && ct_sjson_type_of(doc, ct_sjson_root(doc)) != CT_SJSON_TYPE_OBJECT) {
        ct_error_set(&error, "%s: expected an object with the settings", path);
    } else if (doc) {
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

// --- What can be saved ---------------------------------------------------------------------------

enum { MAX_DEPTH = 60 }; // JSON may be a little deeper

// The keys that lead to a setting, as errors show them: keys.jump.1
typedef struct setting_path {
    char text[256];
    uint32_t length, depth;
} setting_path;

// The path with the key at `index` behind it.
static setting_path path_with(lua_State *L, const setting_path *path, int index) {
    setting_path longer = *path;
    lua_pushvalue(L, index); // converting a key where it is would confuse lua_next
    const int length = snprintf(longer.text + path->length, sizeof(longer.text) - path->length,
                                "%s%s", path->length ? "." : "", lua_tostring(L, -1));
    lua_pop(L, 1);
    longer.length = (uint32_t)strnlen(longer.text, path->length + (uint32_t)length);
    ++longer.depth;
    return longer;
}

static void refuse(lua_State *L, const setting_path *path, const char *why) {
    ct_function_error(
        L,
        "the setting \"%s\" %s, which cannot be saved; expected nil, a boolean, a finite number, "
        "UTF-8 text, or a table of these whose keys are names or 1 to n",
        path->text, why);
}

static bool is_text(lua_State *L, int index) {
    size_t bytes;
    const char *const text = lua_tolstring(L, index, &bytes);
    return ct_utf8_is_valid(text, bytes);
}

static void check_value(lua_State *L, const setting_path *path);

// The keys of the table on top are names, or 1 to n.
static void check_keys(lua_State *L, const setting_path *path) {
    uint32_t num_names = 0, num_numbers = 0;
    double highest = 0;
    for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
        const bool is_number = lua_type(L, -2) == LUA_TNUMBER;
        const double number = is_number ? lua_tonumber(L, -2) : 1;
        if (!is_number && lua_type(L, -2) != LUA_TSTRING)
            refuse(L, path, "has a key that is neither a name nor a number");
        if (!is_number && (!ct_lua_name_at(L, -2) || !is_text(L, -2)))
            refuse(L, path, "has a name that is not UTF-8 text without zero bytes");
        if (!(number >= 1) || number != floor(number))
            refuse(L, path, "has a number as a key that is not one of 1 to n");
        highest = is_number && number > highest ? number : highest;
        num_numbers += is_number;
        num_names += !is_number;
    }
    if (num_names && num_numbers)
        refuse(L, path, "has both names and numbers as keys");
    if (highest > num_numbers)
        refuse(L, path, "is an array with holes");
}

static void check_table(lua_State *L, const setting_path *path) {
    if (path->depth > MAX_DEPTH)
        refuse(L, path, "is a table inside itself, or inside too many tables");
    luaL_checkstack(L, 8, "too many tables");
    check_keys(L, path);
    for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
        const setting_path longer = path_with(L, path, -2);
        check_value(L, &longer);
    }
}

// Raises an error unless the value on top can be saved.
static void check_value(lua_State *L, const setting_path *path) {
    char why[128];
    switch (lua_type(L, -1)) {
    case LUA_TNIL:
    case LUA_TBOOLEAN:
        return;
    case LUA_TNUMBER:
        snprintf(why, sizeof(why), "is the number %g", lua_tonumber(L, -1));
        if (!isfinite(lua_tonumber(L, -1)))
            refuse(L, path, why);
        return;
    case LUA_TSTRING:
        if (!is_text(L, -1))
            refuse(L, path, "is a string that is not UTF-8 text");
        return;
    case LUA_TTABLE:
        check_table(L, path);
        return;
    default:
        snprintf(why, sizeof(why), "is a value of the type %s", ct_value_type_name(L, -1));
        refuse(L, path, why);
    }
}

// The table on top, or nil where there is none yet, takes a value at the index at `argument` and
// stays one that can be saved.
static void check_place(lua_State *L, const setting_path *path, int argument) {
    const bool is_number = lua_type(L, argument) == LUA_TNUMBER;
    const size_t length = lua_istable(L, -1) ? lua_objlen(L, -1) : 0;
    bool has_names = path->depth == 0; // the file's root
    if (lua_istable(L, -1)) {
        lua_pushnil(L);
        if (lua_next(L, -2)) {
            has_names |= lua_type(L, -2) == LUA_TSTRING;
            lua_pop(L, 2);
        }
    }
    if (is_number && has_names)
        refuse(L, path,
               path->depth == 0 ? "has a number as its first index"
                                : "would have both names and numbers as keys");
    if (!is_number && length > 0)
        refuse(L, path, "would have both names and numbers as keys");
    if (is_number && !(lua_tonumber(L, argument) >= 1 && lua_tonumber(L, argument) <= length + 1))
        refuse(L, path, "would be an array with holes");
}

// The arguments are indices and a value. Takes time for the value alone, not for all settings.
static void check_setting(lua_State *L) {
    const int value = lua_gettop(L);
    setting_path path = {.length = 0};
    ct_script_push_data(L, key_of(ct_script_of(L)));
    for (int i = 1; i < value; ++i) {
        if (lua_type(L, i) == LUA_TSTRING && !is_text(L, i))
            ct_argument_error(L, i, "expected UTF-8 text");
        if (lua_type(L, i) == LUA_TSTRING)
            ct_check_string(L, i);
        else
            ct_check_integer(L, i, INT32_MIN, INT32_MAX);
        check_place(L, &path, i);
        const bool is_removed = i == value - 1 && lua_isnil(L, value) && lua_istable(L, -1);
        if (is_removed && lua_type(L, i) == LUA_TNUMBER &&
            lua_tonumber(L, i) < (double)lua_objlen(L, -1))
            refuse(L, &path, "would be an array with holes");
        path = path_with(L, &path, i);
        if (lua_istable(L, -1)) {
            lua_pushvalue(L, i);
            lua_rawget(L, -2);
            lua_replace(L, -2);
        }
    }
    lua_settop(L, value);
    check_value(L, &path);
}

int ct_script_set_user_setting(lua_State *L) {
    load_once(L);
    if (lua_gettop(L) > 1) // else it is an error below
        check_setting(L);
    return ct_script_set_data(L, key_of(ct_script_of(L)), 1);
}

int ct_script_user_settings_load_error(lua_State *L) {
    load_once(L);
    lua_pushboolean(L, ct_script_of(L)->user_settings == CT_SCRIPT_USER_SETTINGS_BROKEN);
    return 1;
}

int ct_script_save_user_settings(lua_State *L) {
    ct_script *const s = ct_script_of(L);
    char path[CT_PATH_BYTES], folder[CT_PATH_BYTES];
    load_once(L);
    if (!find_file(s, path))
        return ct_function_error(L, "cannot find a folder for this user's files: HOME is not set");
    lua_settop(L, 0);
    ct_script_push_data(L, key_of(s));
    if (lua_isnil(L, 1)) {
        lua_newtable(L);
        lua_replace(L, 1);
    }
    const setting_path root = {.text = "",
                               .length = 0}; // the game may have changed its tables since
    check_value(L, &root);
    CT_CLEANUP(ct_string_builder_free) ct_string_builder json;
    ct_string_builder_init(&json, s->lua.allocator);
    ct_lua_append_json(L, 1, &json);
    ct_error error;
    ct_path_folder(folder, path);
    const bool is_broken = s->user_settings == CT_SCRIPT_USER_SETTINGS_BROKEN;
    if (!ct_folder_create(folder, &error) || (is_broken && !ct_file_put_aside(path, &error)) ||
        !ct_file_write(path, ct_string_builder_text(&json), json.length, true, &error))
        return ct_function_error(L, "%s", error.message);
    s->user_settings = CT_SCRIPT_USER_SETTINGS_LOADED;
    return 0;
}
