// SaveSystem: saved games in slots.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/log.h"
#include "foundation/os/os.h"
#include "script/api_check.h"
#include "script/app/script_user_folder.h"
#include "script/save/script_save_picture.h"
#include "script/save/script_saves.h"

extern const ct_lua_module ct_api_save_system;

enum { STATUS_UNKNOWN, STATUS_WORKING, STATUS_DONE, STATUS_FAILED, STATUS_REPLACED };

// --- Tokens --------------------------------------------------------------------------------------

enum { MARK = 0x4354534b };

// A full userdata: a request, and what it gave once it was looked at.
typedef struct save_token {
    uint32_t mark;
    ct_script *script;
    ct_save_request *request; // NULL: closed
    ct_script_save_result result;
} save_token;

static save_token *token_at(lua_State *L, int index) {
    save_token *const t = lua_touserdata(L, index);
    const bool is_token = lua_type(L, index) == LUA_TUSERDATA &&
                          lua_objlen(L, index) == sizeof(*t) && t->mark == MARK;
    return is_token ? t : NULL;
}

static void close_token(lua_State *L, save_token *t) {
    if (t->request && t->script->saves)
        ct_save_request_free(t->script->saves->service, t->request);
    t->request = NULL;
    luaL_unref(L, LUA_REGISTRYINDEX, t->result.table);
    t->result.table = LUA_NOREF;
}

static int end_token(lua_State *L) {
    save_token *const t = token_at(L, 1);
    if (t)
        close_token(L, t);
    return 0;
}

static save_token *push_token(lua_State *L) {
    save_token *const t = lua_newuserdata(L, sizeof(*t));
    *t = (save_token){.mark = MARK, .script = ct_script_of(L), .result = {.table = LUA_NOREF}};
    if (luaL_newmetatable(L, "SaveToken")) {
        lua_pushliteral(L, "SaveToken");
        lua_setfield(L, -2, "__name");
        lua_pushliteral(L, "SaveToken"); // what getmetatable gives
        lua_setfield(L, -2, "__metatable");
        lua_pushcfunction(L, end_token);
        lua_setfield(L, -2, "__gc");
    }
    lua_setmetatable(L, -2);
    return t;
}

static save_token *check_token(lua_State *L, int argument) {
    save_token *const t = token_at(L, argument);
    if (!t)
        ct_argument_type_error(L, argument, "SaveToken");
    if (!t->request)
        ct_argument_error(L, argument, "the token was closed");
    return t;
}

// --- Writing -------------------------------------------------------------------------------------

static const char *check_name(lua_State *L, int argument) {
    const char *const name = ct_check_string(L, argument);
    ct_error error = {0};
    if (!ct_save_name_check(name, &error))
        ct_argument_error(L, argument, "%s", error.message);
    return name;
}

static void add_text(ct_byte_array *out, const char *key, const char *text, size_t bytes) {
    ct_save_add_string(out, key, (uint32_t)strlen(key));
    ct_save_add_string(out, text, (uint32_t)bytes);
}

static void add_number(ct_byte_array *out, const char *key, double number) {
    ct_save_add_string(out, key, (uint32_t)strlen(key));
    ct_save_add_number(out, number);
}

// Writes the info of a slot. `options` is the index of the table, or 0.
static void write_info(lua_State *L, ct_script_saves *saves, int options) {
    ct_byte_array *const out = &saves->info;
    char game[CT_PATH_BYTES];
    uint32_t count = 3;
    out->count = 0;
    ct_script_project_name(ct_script_of(L), game);
    const uint32_t begin = ct_save_begin_table(out);
    add_text(out, "game", game, strlen(game));
    add_number(out, "version", saves->version);
    add_number(out, "saved_at", floor((double)ct_os_wall_time_ns() * 1e-9));
    if (options) {
        lua_getfield(L, options, "title");
        if (!lua_isnil(L, -1)) {
            if (lua_type(L, -1) != LUA_TSTRING)
                ct_argument_error(L, options, "the field \"title\" is %s; expected a string",
                                  ct_push_value_description(L, -1));
            size_t bytes;
            const char *const text = lua_tolstring(L, -1, &bytes);
            add_text(out, "title", text, bytes);
            ++count;
        }
        lua_pop(L, 1);
        lua_getfield(L, options, "time_played");
        if (!lua_isnil(L, -1)) {
            if (lua_type(L, -1) != LUA_TNUMBER)
                ct_argument_error(L, options, "the field \"time_played\" is %s; expected a number",
                                  ct_push_value_description(L, -1));
            add_number(out, "time_played", lua_tonumber(L, -1));
            ++count;
        }
        lua_pop(L, 1);
        lua_getfield(L, options, "metadata");
        if (!lua_isnil(L, -1)) {
            ct_save_add_string(out, "metadata", 8);
            ct_save_write_lua(L, lua_gettop(L), "metadata", 1, NULL, out);
            ++count;
        }
        lua_pop(L, 1);
    }
    ct_save_end_table(out, begin, count);
    if (out->count > 64 * 1024)
        ct_argument_error(L, options ? options : 1,
                          "the metadata take %u bytes; expected at most 65536", out->count);
}

static bool is_png(const char *bytes, size_t size) {
    static const char signature[8] = {'\x89', 'P', 'N', 'G', '\r', '\n', '\x1a', '\n'};
    return size > sizeof(signature) && memcmp(bytes, signature, sizeof(signature)) == 0;
}

// Returns the picture that the options ask for, with a holder; NULL: none.
static ct_save_bytes *find_picture(lua_State *L, ct_script_saves *saves, int options) {
    ct_save_bytes *picture = NULL;
    size_t size = 0;
    if (!options)
        return NULL;
    lua_getfield(L, options, "picture");
    if (lua_isboolean(L, -1)) {
        if (lua_toboolean(L, -1) &&
            (!saves->picture || !ct_save_picture_take(saves->picture, &picture)))
            ct_log_warning("save", "no_picture",
                           "a game is saved without its picture, which is not there yet; call "
                           "SaveSystem.take_picture a few frames before");
    } else if (!lua_isnil(L, -1)) {
        const char *const bytes =
            lua_type(L, -1) == LUA_TSTRING ? lua_tolstring(L, -1, &size) : NULL;
        if (!bytes || !is_png(bytes, size))
            ct_argument_error(L, options,
                              "the field \"picture\" is neither true nor the bytes of a PNG");
        ct_byte_array copy;
        ct_array_init(&copy, ct_script_of(L)->backing);
        ct_array_push_many(&copy, (const uint8_t *)bytes, (uint32_t)size);
        picture = ct_save_bytes_create(&copy);
    }
    lua_pop(L, 1);
    return picture;
}

// Starts to write a slot. `data` and `options` are indices of values; options may be 0.
static ct_save_request *start_write(lua_State *L, const char *name, int data, int options) {
    ct_script_saves *const saves = ct_script_saves_of(L);
    saves->data.count = saves->worlds.count = 0;
    write_info(L, saves, options);
    ct_save_write_lua(L, data, "data", 0, saves, &saves->data);
    if (saves->worlds.count > CT_SAVE_MAX_SECTIONS - 3)
        ct_function_error(L, "%u saved worlds are too many", saves->worlds.count);
    ct_save_bytes *const picture = find_picture(L, saves, options);
    ct_save_part parts[CT_SAVE_MAX_SECTIONS];
    uint32_t count = 0;
    parts[count++] = (ct_save_part){CT_SAVE_SECTION_INFO, ct_save_bytes_create(&saves->info)};
    parts[count++] = (ct_save_part){CT_SAVE_SECTION_DATA, ct_save_bytes_create(&saves->data)};
    if (picture)
        parts[count++] = (ct_save_part){CT_SAVE_SECTION_PICTURE, picture};
    const uint32_t num_own = count;
    for (uint32_t i = 0; i < saves->worlds.count; ++i)
        parts[count++] = (ct_save_part){CT_SAVE_SECTION_WORLD, saves->worlds.items[i]};
    ct_save_request *const request = ct_save_service_write(saves->service, name, parts, count);
    for (uint32_t i = 0; i < num_own; ++i)
        ct_save_bytes_release(parts[i].bytes);
    saves->worlds.count = 0;
    return request;
}

// --- Results -------------------------------------------------------------------------------------

// Pushes what a request that is done gave, and keeps it where `place` returns its result for `user`; NULL:
// a migration has freed the request.
typedef ct_script_save_result *find_result(lua_State *L, const void *user);

static void push_once(lua_State *L, const ct_save_request *r, find_result *find, const void *user) {
    ct_script_save_result *result = find(L, user);
    if (result->table != LUA_NOREF) {
        lua_rawgeti(L, LUA_REGISTRYINDEX, result->table);
        return;
    }
    result->is_making = true;
    const bool is_right = ct_save_push_result(L, r);
    result = find(L, user);
    if (!result)
        return;
    lua_pushvalue(L, -1);
    *result = (ct_script_save_result){luaL_ref(L, LUA_REGISTRYINDEX), false, !is_right};
}

// --- Tokens' functions ---------------------------------------------------------------------------

static int options_at(lua_State *L, int argument) {
    if (lua_isnoneornil(L, argument))
        return 0;
    if (lua_type(L, argument) != LUA_TTABLE)
        ct_argument_type_error(L, argument, "table");
    return argument;
}

static void check_table(lua_State *L, int argument) {
    if (lua_type(L, argument) != LUA_TTABLE)
        ct_argument_type_error(L, argument, "table");
}

static int auto_save(lua_State *L) {
    const char *const name = check_name(L, 1);
    check_table(L, 2);
    const int options = options_at(L, 3);
    save_token *const t = push_token(L);
    t->request = start_write(L, name, 2, options);
    return 1;
}

static int auto_load(lua_State *L) {
    const char *const name = check_name(L, 1);
    ct_script_saves *const saves = ct_script_saves_of(L);
    save_token *const t = push_token(L);
    t->request = ct_save_service_read(saves->service, name);
    return 1;
}

static ct_script_save_result *result_of_token(lua_State *L, const void *user) {
    save_token *const t = token_at(L, 1);
    (void)user;
    return t->request ? &t->result : NULL;
}

static int progress(lua_State *L) {
    const save_token *const t = check_token(L, 1);
    lua_settop(L, 1);
    if (ct_save_request_is_done(t->request) && !t->result.is_making) {
        push_once(L, t->request, result_of_token, NULL);
        return 1;
    }
    lua_createtable(L, 0, 2);
    lua_pushboolean(L, false);
    lua_setfield(L, -2, "done");
    lua_pushnumber(L, 0);
    lua_setfield(L, -2, "progress");
    return 1;
}

static int close(lua_State *L) {
    close_token(L, check_token(L, 1));
    return 0;
}

// --- Numbers -------------------------------------------------------------------------------------

static int add_id(lua_State *L, ct_save_request *request) {
    ct_script_saves *const saves = ct_script_saves_of(L);
    saves->last_id = saves->last_id == INT32_MAX ? 1 : saves->last_id + 1;
    ct_array_push(&saves->ids, (ct_script_save_id){saves->last_id, request, {.table = LUA_NOREF}});
    lua_pushinteger(L, (lua_Integer)saves->last_id);
    return 1;
}

// The place of the number at argument 1 in the list.
static uint32_t find_id(lua_State *L, const ct_script_saves *saves) {
    const int64_t id = ct_check_integer(L, 1, 1, INT32_MAX);
    for (uint32_t i = 0; i < saves->ids.count; ++i) {
        if (saves->ids.items[i].id == id)
            return i;
    }
    return UINT32_MAX;
}

// The request with the number at argument 1; NULL: there is none. Valid until Lua code runs.
static ct_script_save_id *id_at(lua_State *L) {
    ct_script_saves *const saves = ct_script_saves_of(L);
    const uint32_t place = find_id(L, saves);
    return place == UINT32_MAX ? NULL : &saves->ids.items[place];
}

static ct_script_save_id *check_id(lua_State *L) {
    ct_script_save_id *const id = id_at(L);
    if (!id)
        ct_argument_error(L, 1, "there is no request with this number; it may have been freed");
    return id;
}

static ct_script_save_result *result_of_id(lua_State *L, const void *user) {
    ct_script_save_id *const id = id_at(L);
    (void)user;
    return id ? &id->result : NULL;
}

// The slot in the table at argument 1.
static const char *check_slot(lua_State *L) {
    ct_error error = {0};
    check_table(L, 1);
    lua_getfield(L, 1, "slot");
    const char *const name = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : NULL;
    if (!name)
        ct_argument_error(L, 1, "the field \"slot\" is %s; expected the name of a slot",
                          ct_push_value_description(L, -1));
    if (!ct_save_name_check(name, &error))
        ct_argument_error(L, 1, "%s", error.message);
    return name; // it stays on the stack
}

static int save(lua_State *L) {
    const char *const name = check_slot(L);
    lua_getfield(L, 1, "data");
    if (!lua_istable(L, -1))
        ct_argument_error(L, 1, "the field \"data\" is %s; expected a table",
                          ct_push_value_description(L, -1));
    return add_id(L, start_write(L, name, lua_gettop(L), 1));
}

static int load(lua_State *L) {
    const char *const name = check_slot(L);
    return add_id(L, ct_save_service_read(ct_script_saves_of(L)->service, name));
}

// Returns how far the request with the number at argument 1 is. One whose data must be migrated has failed
// when that fails, so it is done here.
static int status_of_id(lua_State *L) {
    ct_script_save_id *id = id_at(L);
    if (!id)
        return STATUS_UNKNOWN;
    if (!ct_save_request_is_done(id->request) || id->result.is_making)
        return STATUS_WORKING;
    if (ct_save_needs_migration(ct_script_saves_of(L), id->request)) {
        push_once(L, id->request, result_of_id, NULL);
        lua_pop(L, 1);
        id = id_at(L);
        if (!id)
            return STATUS_UNKNOWN;
    }
    if (id->result.has_failed || ct_save_request_error(id->request)[0])
        return STATUS_FAILED;
    return ct_save_request_is_replaced(id->request) ? STATUS_REPLACED : STATUS_DONE;
}

static int status(lua_State *L) {
    lua_settop(L, 1);
    lua_pushinteger(L, status_of_id(L));
    return 1;
}

static int load_result(lua_State *L) {
    const ct_script_save_id *const id = check_id(L);
    char name[CT_SAVE_NAME_BYTES];
    if (!ct_save_request_is_done(id->request) || id->result.is_making)
        ct_argument_error(L, 1, "the request is not done; ask SaveSystem.status");
    snprintf(name, sizeof(name), "%s", ct_save_request_name(id->request));
    lua_settop(L, 1);
    lua_createtable(L, 1, 0);
    push_once(L, id->request, result_of_id, NULL);
    ct_save_set_text(L, "slot", name);
    lua_rawseti(L, -2, 1);
    return 1;
}

// 0 for a request that went well or is not done, else 1 and why it failed.
static int error_result(lua_State *L) {
    const ct_script_save_id *id = check_id(L);
    lua_settop(L, 1);
    const bool has_failed = status_of_id(L) == STATUS_FAILED;
    lua_pushinteger(L, has_failed);
    if (!has_failed)
        return 1;
    id = check_id(L);
    if (ct_save_request_error(id->request)[0]) {
        lua_pushstring(L, ct_save_request_error(id->request));
        return 2;
    }
    push_once(L, id->request, result_of_id, NULL);
    lua_getfield(L, -1, "error");
    lua_remove(L, -2);
    return 2;
}

static int free_id(lua_State *L) {
    ct_script_saves *const saves = ct_script_saves_of(L);
    const uint32_t place = find_id(L, saves);
    if (place == UINT32_MAX)
        return 0;
    ct_save_request_free(saves->service, saves->ids.items[place].request);
    luaL_unref(L, LUA_REGISTRYINDEX, saves->ids.items[place].result.table);
    ct_array_erase(&saves->ids, place, 1);
    return 0;
}

// --- Slots ---------------------------------------------------------------------------------------

static int exists(lua_State *L) {
    const ct_script_saves *const saves = ct_script_saves_of(L);
    const char *const name = lua_isnoneornil(L, 1) ? NULL : check_name(L, 1);
    ct_save_service_wait(saves->service);
    lua_pushboolean(L, ct_save_store_exists(ct_save_service_folder(saves->service), name));
    return 1;
}

static int delete_slot(lua_State *L) {
    const char *const name = check_name(L, 1);
    const ct_script_saves *const saves = ct_script_saves_of(L);
    ct_error error = {0};
    ct_save_service_wait(saves->service);
    if (!ct_save_store_delete(ct_save_service_folder(saves->service), name, &error))
        return ct_function_error(L, "%s", error.message);
    return 0;
}

// Pushes the info of a slot with its name, or what is wrong with it.
static void push_slot(lua_State *L, const char *name) {
    const ct_script_saves *const saves = ct_script_saves_of(L);
    char warning[512];
    ct_error error = {0};
    ct_save_file *const file =
        ct_save_store_read(ct_script_of(L)->backing, ct_save_service_folder(saves->service), name,
                           true, warning, sizeof(warning), &error);
    if (file)
        ct_save_push_info(L, file);
    else
        lua_newtable(L);
    ct_save_file_free(file);
    ct_save_set_text(L, "slot", name);
    ct_save_set_text(L, "warning", warning);
    ct_save_set_text(L, "error", error.message);
}

static void add_slot(void *user, const char *name) {
    ct_string_array *const names = user;
    ct_array_push(names, ct_copy_string(names->allocator, name));
}

static int list(lua_State *L) {
    const ct_script_saves *const saves = ct_script_saves_of(L);
    ct_allocator *const a = ct_script_of(L)->backing;
    ct_string_array names;
    ct_error error = {0};
    ct_save_service_wait(saves->service);
    ct_array_init(&names, a);
    const bool is_listed =
        ct_save_store_list(a, ct_save_service_folder(saves->service), add_slot, &names, &error);
    lua_createtable(L, (int)names.count, 0);
    for (uint32_t i = 0; i < names.count; ++i) {
        lua_pushstring(L, names.items[i]);
        lua_rawseti(L, -2, (int)i + 1);
        ct_free(a, names.items[i]);
    }
    const int count = (int)names.count;
    ct_array_free(&names);
    if (!is_listed)
        return ct_function_error(L, "%s", error.message);
    for (int i = 1; i <= count; ++i) {
        lua_rawgeti(L, -1, i);
        push_slot(L, lua_tostring(L, -1));
        lua_rawseti(L, -3, i);
        lua_pop(L, 1);
    }
    return 1;
}

static int picture(lua_State *L) {
    const char *const name = check_name(L, 1);
    const ct_script_saves *const saves = ct_script_saves_of(L);
    char warning[512];
    ct_save_service_wait(saves->service);
    ct_save_file *const file =
        ct_save_store_read(ct_script_of(L)->backing, ct_save_service_folder(saves->service), name,
                           false, warning, sizeof(warning), NULL);
    const ct_save_section *const section =
        file ? ct_save_file_find(file, CT_SAVE_SECTION_PICTURE, 0) : NULL;
    if (section)
        lua_pushlstring(L, section->data, section->size_bytes);
    else
        lua_pushnil(L);
    ct_save_file_free(file);
    return 1;
}

static int take_picture(lua_State *L) {
    ct_script *const s = ct_script_of(L);
    ct_script_saves *const saves = ct_script_saves_of(L);
    if (!s->host.take_picture)
        return 0;
    ct_save_picture *const p = ct_save_picture_create(s->backing);
    ct_save_picture_release(saves->picture);
    saves->picture = p;
    s->host.take_picture(s->host.user, ct_save_picture_done, p);
    return 0;
}

static int has_picture(lua_State *L) {
    const ct_script_saves *const saves = ct_script_saves_of(L);
    ct_save_bytes *bytes = NULL;
    if (saves->picture)
        ct_save_picture_take(saves->picture, &bytes);
    lua_pushboolean(L, bytes != NULL);
    ct_save_bytes_release(bytes);
    return 1;
}

static int folder(lua_State *L) {
    lua_pushstring(L, ct_save_service_folder(ct_script_saves_of(L)->service));
    return 1;
}

// --- Versions ------------------------------------------------------------------------------------

static int set_version(lua_State *L) {
    const int64_t version = ct_check_integer(L, 1, 1, CT_SAVE_MAX_VERSION);
    ct_script_saves *const saves = ct_script_saves_of(L);
    const int migrations = options_at(L, 2);
    if (migrations) {
        lua_pushnil(L);
        while (lua_next(L, migrations)) {
            const bool is_version = lua_type(L, -2) == LUA_TNUMBER && lua_tonumber(L, -2) >= 1 &&
                                    lua_tonumber(L, -2) < (double)version &&
                                    lua_tonumber(L, -2) == floor(lua_tonumber(L, -2));
            if (!is_version || !lua_isfunction(L, -1))
                ct_argument_error(L, 2,
                                  "expected functions with the versions 1 to %d that they start "
                                  "from as keys",
                                  (int)version - 1);
            lua_pop(L, 1);
        }
    }
    luaL_unref(L, LUA_REGISTRYINDEX, saves->migrations);
    saves->migrations = LUA_NOREF;
    saves->version = (uint32_t)version;
    if (migrations) {
        lua_pushvalue(L, migrations);
        saves->migrations = luaL_ref(L, LUA_REGISTRYINDEX);
    }
    return 0;
}

static int version(lua_State *L) {
    lua_pushinteger(L, (lua_Integer)ct_script_saves_of(L)->version);
    return 1;
}

static const ct_lua_function functions[] = {
    {"auto_load", auto_load, "(filename: string) -> SaveToken",
     "Starts to load a slot on a thread of its own."},
    {"auto_save", auto_save, "(filename: string, data: table, options: table?) -> SaveToken",
     "Copies `data` and starts to write it to a slot on a thread of its own. Options: title, "
     "time_played, metadata, picture (true: that of take_picture; or the bytes of a PNG)."},
    {"close", close, "(token: SaveToken) -> nil",
     "Frees what a token holds. A save that is being written goes on."},
    {"delete", delete_slot, "(filename: string) -> nil",
     "Deletes a slot and the good one kept before it."},
    {"exists", exists, "(filename: string?) -> boolean",
     "Returns whether a slot exists; without a name, whether any does. Waits for what is being "
     "written, as list, delete and picture do: for menus."},
    {"folder", folder, "() -> string", "Returns the path of the folder of the slots."},
    {"free", free_id, "(id: integer) -> nil", "Frees what a number of save or load holds."},
    {"has_picture", has_picture, "() -> boolean",
     "Returns whether the picture of take_picture is there."},
    {"hash", ct_save_hash, "(saved: SavedWorld) -> string",
     "Returns a hash of a saved world, 16 digits: equal for two that hold the same state."},
    {"list", list, "() -> table[]",
     "Returns the slots by name: slot, title, time_played, saved_at (seconds since 1970), version, "
     "game, metadata; warning or error of damaged ones."},
    {"load", load, "(info: table) -> integer",
     "Starts to load the slot info.slot; returns a number for status and load_result."},
    {"load_error_result", error_result, "(id: integer) -> integer, string?",
     "Returns 0 for a load that went well, else 1 and why it failed."},
    {"load_result", load_result, "(id: integer) -> table[]",
     "Returns a table with one entry, of a load that is done: slot, data, info, error, warning. "
     "Later calls return the same entry until free, whose vectors are those of the first frame."},
    {"load_world", ct_save_load_world, "(world: World, saved: SavedWorld) -> string[]",
     "Brings a world to a saved state. Returns what could not be restored, a text for each cause."},
    {"picture", picture, "(filename: string) -> string?",
     "Returns the picture of a slot, the bytes of a PNG; nil without one."},
    {"progress", progress, "(token: SaveToken) -> table",
     "Returns done, progress (0 or 1) and, when it is done: error, warning; of a load data and "
     "info; replaced for a save in whose place a newer one of its slot is written. Later calls "
     "return the same table, whose vectors are those of the first frame."},
    {"save", save, "(info: table) -> integer",
     "Starts to write info.data to the slot info.slot, with the options of auto_save in info; "
     "returns a number for status."},
    {"save_error_result", error_result, "(id: integer) -> integer, string?",
     "Returns 0 for a save that went well, else 1 and why it failed."},
    {"save_world", ct_save_save_world, "(world: World) -> SavedWorld",
     "Copies the state of a world's units with all components. The value goes into a saved table."},
    {"set_version", set_version, "(version: integer, migrations: table?) -> nil",
     "Sets the version of the game's data, and functions that bring data of an older version to "
     "the next: { [1] = function(data) … return data end }."},
    {"status", status, "(id: integer) -> integer",
     "Returns SaveSystem.WORKING, DONE, FAILED or REPLACED; UNKNOWN for a number that was freed. "
     "The first call for a load that is done runs the migrations of its data."},
    {"take_picture", take_picture, "() -> nil",
     "Takes a small picture of this frame for the next saves; it is there some frames later."},
    {"unit", ct_save_unit, "(saved: SavedWorld, number: integer) -> Unit?",
     "Returns the unit with this number after load_world or save_world; nil when it is not there."},
    {"unit_number", ct_save_unit_number, "(saved: SavedWorld, unit: Unit) -> integer?",
     "Returns the number of a unit in a saved world, which goes into saved tables in place of the "
     "unit; nil when it has none."},
    {"version", version, "() -> integer", "Returns the version of the game's data, at first 1."},
};

static const ct_lua_constant constants[] = {
    {"DONE", STATUS_DONE, "The request went well."},
    {"FAILED", STATUS_FAILED, "The request failed."},
    {"REPLACED", STATUS_REPLACED,
     "A newer save of the same slot came before this one was begun, and is written in its place."},
    {"UNKNOWN", STATUS_UNKNOWN, "There is no such request."},
    {"WORKING", STATUS_WORKING, "The request is being handled."},
};

const ct_lua_module ct_api_save_system = {
    .name = "SaveSystem",
    .doc = "Saved games: slots with data, worlds and a picture, written and read on a thread of "
           "their own.",
    .functions = functions,
    .num_functions = CT_COUNT_OF(functions),
    .constants = constants,
    .num_constants = CT_COUNT_OF(constants),
};
