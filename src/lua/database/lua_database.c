#include "lua/database/lua_database.h"

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/memory/allocator.h"
#include "foundation/string/hex.h"

static ct_database *database_of(lua_State *L) {
    return lua_touserdata(L, lua_upvalueindex(1));
}

static ct_guid check_guid(lua_State *L, int argument) {
    size_t length;
    const char *const text = luaL_checklstring(L, argument, &length);
    ct_guid guid;
    ct_error why = {0};
    if (!ct_guid_parse(text, length, &guid, &why))
        luaL_argerror(L, argument, lua_pushfstring(L, "%s", why.message));
    return guid;
}

static void push_guid(lua_State *L, ct_guid guid) {
    char text[CT_GUID_TEXT_BYTES];
    ct_guid_format(guid, text);
    lua_pushstring(L, text);
}

// --- Values ----------------------------------------------------------------------------------------

static void push_blob(lua_State *L, const ct_database_blob *blob) {
    char hash[33];
    for (uint32_t i = 0; i < sizeof(blob->hash); ++i)
        snprintf(hash + 2 * i, 3, "%02x", blob->hash[i]);
    lua_createtable(L, 0, 2);
    lua_pushstring(L, hash);
    lua_setfield(L, -2, "blob");
    lua_pushnumber(L, (lua_Number)blob->size_bytes);
    lua_setfield(L, -2, "bytes");
}

static void push_value(lua_State *L, const ct_database_value *value) {
    luaL_checkstack(L, 6, "too many values");
    switch (value->kind) {
    case CT_DATABASE_BOOL:
        lua_pushboolean(L, value->truth);
        return;
    case CT_DATABASE_NUMBER:
        lua_pushnumber(L, value->number);
        return;
    case CT_DATABASE_STRING:
        lua_pushlstring(L, value->string.text, value->string.length);
        return;
    case CT_DATABASE_BLOB:
        push_blob(L, &value->blob);
        return;
    case CT_DATABASE_REFERENCE:
        lua_createtable(L, 0, 1);
        push_guid(L, value->reference);
        lua_setfield(L, -2, "reference");
        return;
    case CT_DATABASE_SET:
        lua_createtable(L, 0, 1);
        lua_createtable(L, (int)value->set.count, 0);
        for (uint32_t i = 0; i < value->set.count; ++i) {
            push_guid(L, value->set.items[i]);
            lua_rawseti(L, -2, (int)i + 1);
        }
        lua_setfield(L, -2, "set");
        return;
    case CT_DATABASE_NULL:
    case CT_DATABASE_NUM_KINDS:
        lua_pushnil(L);
        return;
    }
}

// A set of Lua, the table on the top of the stack: its elements go into a userdata there, sorted and without doubles.
static ct_database_value check_set(lua_State *L, int argument) {
    const int table = lua_gettop(L);
    const uint32_t count = (uint32_t)lua_objlen(L, table);
    ct_guid *const items = lua_newuserdata(L, ((size_t)count + 1) * sizeof(ct_guid));
    for (uint32_t i = 0; i < count; ++i) {
        ct_error why = {0};
        size_t length = 0;
        lua_rawgeti(L, table, (int)i + 1);
        const bool is_text = lua_type(L, -1) == LUA_TSTRING;
        const char *const text = is_text ? lua_tolstring(L, -1, &length) : NULL;
        if (!text)
            luaL_argerror(L, argument,
                          lua_pushfstring(L, "element %d of the set is a %s; expected a GUID",
                                          (int)i + 1, luaL_typename(L, -1)));
        if (!ct_guid_parse(text, length, &items[i], &why))
            luaL_argerror(L, argument,
                          lua_pushfstring(L, "element %d of the set: %s", (int)i + 1, why.message));
        lua_pop(L, 1);
    }
    ct_database_set_sort(items, count);
    uint32_t num_different = 0;
    for (uint32_t i = 0; i < count; ++i)
        if (i == 0 || !ct_guid_is_equal(items[num_different - 1], items[i]))
            items[num_different++] = items[i];
    return (ct_database_value){.kind = CT_DATABASE_SET, .set = {items, num_different}};
}

// {blob = hash, bytes = n}; the blob is on the top of the stack.
static ct_database_value check_blob(lua_State *L, int argument) {
    ct_database_value value = {.kind = CT_DATABASE_BLOB};
    size_t length = 0;
    const char *const hash = lua_type(L, -1) == LUA_TSTRING ? lua_tolstring(L, -1, &length) : NULL;
    if (!hash || length != 2 * sizeof(value.blob.hash) ||
        !ct_hex_read(hash, sizeof(value.blob.hash), value.blob.hash))
        luaL_argerror(L, argument, "the \"blob\" is no text of 32 hexadecimal digits");
    lua_getfield(L, argument, "bytes");
    const double bytes = lua_type(L, -1) == LUA_TNUMBER ? lua_tonumber(L, -1) : -1;
    if (!(bytes >= 0 && bytes <= 0x1p53 && bytes == floor(bytes)))
        luaL_argerror(L, argument,
                      "the blob has no size: expected {blob = hash, bytes = a whole number}");
    value.blob.size_bytes = (uint64_t)bytes;
    return value;
}

static ct_database_value check_table(lua_State *L, int argument) {
    lua_getfield(L, argument, "reference");
    size_t length;
    if (lua_type(L, -1) == LUA_TSTRING) {
        ct_database_value value = {.kind = CT_DATABASE_REFERENCE};
        const char *const text = lua_tolstring(L, -1, &length);
        ct_error why = {0};
        if (!ct_guid_parse(text, length, &value.reference, &why))
            luaL_argerror(L, argument, lua_pushfstring(L, "the reference: %s", why.message));
        return value;
    }
    lua_getfield(L, argument, "set");
    if (lua_istable(L, -1))
        return check_set(L, argument);
    lua_getfield(L, argument, "blob");
    if (lua_isnil(L, -1))
        luaL_argerror(
            L, argument,
            "expected {reference = GUID}, {set = {GUID, ...}} or {blob = hash, bytes = n}");
    return check_blob(L, argument);
}

static ct_database_value check_value(lua_State *L, int argument) {
    ct_database_value value = {.kind = CT_DATABASE_NULL};
    size_t length;
    switch (lua_type(L, argument)) {
    case LUA_TNIL:
    case LUA_TNONE:
        return value;
    case LUA_TBOOLEAN:
        value.kind = CT_DATABASE_BOOL;
        value.truth = lua_toboolean(L, argument);
        return value;
    case LUA_TNUMBER:
        value.kind = CT_DATABASE_NUMBER;
        value.number = lua_tonumber(L, argument);
        return value;
    case LUA_TSTRING:
        value.kind = CT_DATABASE_STRING;
        value.string.text = lua_tolstring(L, argument, &length);
        if (length > CT_DATABASE_MAX_STRING_BYTES)
            luaL_argerror(L, argument, "the string is too long; write it as a blob");
        value.string.length = (uint32_t)length;
        return value;
    case LUA_TTABLE:
        return check_table(L, argument);
    default:
        luaL_argerror(L, argument, "expected nil, a boolean, a number, a string or a table");
        return value;
    }
}

// --- The module ------------------------------------------------------------------------------------

// Database.objects() -> {GUID, ...}
static int objects(lua_State *L) {
    ct_database *const db = database_of(L);
    uint32_t place = 0;
    ct_guid object;
    lua_newtable(L);
    for (int i = 1; ct_database_next_object(db, &place, &object); ++i) {
        push_guid(L, object);
        lua_rawseti(L, -2, i);
    }
    return 1;
}

// Database.exists(object) -> boolean
static int exists(lua_State *L) {
    lua_pushboolean(L, ct_database_has(database_of(L), check_guid(L, 1)));
    return 1;
}

// Database.get(object, key) -> value
static int get(lua_State *L) {
    size_t length;
    const ct_guid object = check_guid(L, 1);
    const char *const key = luaL_checklstring(L, 2, &length);
    const ct_database_value value =
        ct_database_get_bytes(database_of(L), object, key, (uint32_t)length);
    push_value(L, &value);
    return 1;
}

// Database.keys(object) -> {key = value, ...}
static int keys(lua_State *L) {
    ct_database *const db = database_of(L);
    const ct_guid object = check_guid(L, 1);
    uint32_t place = 0, length;
    const char *key;
    lua_newtable(L);
    while (ct_database_next_key(db, object, &place, &key, &length)) {
        const ct_database_value value = ct_database_get_bytes(db, object, key, length);
        lua_pushlstring(L, key, length);
        push_value(L, &value);
        lua_rawset(L, -3);
    }
    return 1;
}

static int change(lua_State *L, const ct_database_operation *operation) {
    ct_error why = {0};
    if (!ct_database_change(database_of(L), operation, &why))
        return luaL_error(L, "%s", why.message);
    return 0;
}

// Database.create([object]) -> GUID
static int create(lua_State *L) {
    const ct_guid object = lua_isnoneornil(L, 1) ? ct_guid_make() : check_guid(L, 1);
    change(L, &(ct_database_operation){.type = CT_DATABASE_CREATE, .object = object});
    push_guid(L, object);
    return 1;
}

// Database.destroy(object)
static int destroy(lua_State *L) {
    return change(
        L, &(ct_database_operation){.type = CT_DATABASE_DESTROY, .object = check_guid(L, 1)});
}

static ct_database_operation check_key(lua_State *L, ct_database_operation_type type) {
    size_t length;
    ct_database_operation op = {
        .type = type, .object = check_guid(L, 1), .key = luaL_checklstring(L, 2, &length)};
    if (length > CT_DATABASE_MAX_KEY_BYTES)
        luaL_argerror(L, 2, "the key is too long");
    op.key_length = (uint32_t)length;
    return op;
}

// Database.set(object, key, value)
static int set(lua_State *L) {
    ct_database_operation op = check_key(L, CT_DATABASE_CHANGE_KEY);
    op.value = check_value(L, 3);
    return change(L, &op);
}

// Database.add(object, key, element) and Database.remove(object, key, element)
static int change_element(lua_State *L, ct_database_operation_type type) {
    ct_database_operation op = check_key(L, type);
    op.value = (ct_database_value){.kind = CT_DATABASE_REFERENCE, .reference = check_guid(L, 3)};
    return change(L, &op);
}

static int add(lua_State *L) {
    return change_element(L, CT_DATABASE_ADD_TO_SET);
}

static int remove_element(lua_State *L) {
    return change_element(L, CT_DATABASE_REMOVE_FROM_SET);
}

// Database.commit([message])
static int commit(lua_State *L) {
    ct_error why = {0};
    if (!ct_database_commit_local(database_of(L), NULL, 0, luaL_optstring(L, 1, NULL), &why))
        return luaL_error(L, "%s", why.message);
    return 0;
}

static const luaL_Reg functions[] = {
    {"add", add},         {"commit", commit},   {"create", create},
    {"destroy", destroy}, {"exists", exists},   {"get", get},
    {"keys", keys},       {"objects", objects}, {"remove", remove_element},
    {"set", set},         {NULL, NULL},
};

static int with_traceback(lua_State *L) {
    luaL_traceback(L, L, lua_tostring(L, 1), 1);
    return 1;
}

static void *allocate(void *user, void *p, size_t old_bytes, size_t new_bytes) {
    return ct_realloc(user, p, p ? old_bytes : 0, new_bytes);
}

bool ct_lua_database_run(ct_allocator *a, ct_database *db, const char *path, ct_error *error) {
    lua_State *const L = lua_newstate(allocate, a);
    if (!L)
        return ct_error_set(error, "Lua does not start: not enough memory");
    luaL_openlibs(L);
    lua_newtable(L);
    for (const luaL_Reg *f = functions; f->name; ++f) {
        lua_pushlightuserdata(L, db);
        lua_pushcclosure(L, f->func, 1);
        lua_setfield(L, -2, f->name);
    }
    lua_setglobal(L, "Database");
    lua_pushcfunction(L, with_traceback);
    const bool is_done = luaL_loadfile(L, path) == 0 && lua_pcall(L, 0, 0, -2) == 0;
    if (!is_done)
        ct_error_set(error, "%s", lua_tostring(L, -1));
    lua_close(L);
    return is_done;
}
