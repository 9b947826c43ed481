// What a request of SaveSystem gave, as a table; with the migrations of what was loaded.
#include <stdio.h>

#include "foundation/error.h"
#include "script/save/script_saves.h"

// Returns the version of the data in a file; 0 when its info has no such number.
static uint32_t version_of(const ct_save_file *file) {
    ct_save_value v;
    const void *const info = ct_save_file_find(file, CT_SAVE_SECTION_INFO, 0)->data;
    const bool is_there = ct_save_find(info, "version", &v) && v.type == CT_SAVE_NUMBER;
    return is_there && v.number >= 1 && v.number <= CT_SAVE_MAX_VERSION ? (uint32_t)v.number : 0;
}

void ct_save_push_info(lua_State *L, const ct_save_file *file) {
    ct_save_reader r = {ct_save_file_find(file, CT_SAVE_SECTION_INFO, 0)->data};
    ct_save_push_lua(L, &r, NULL);
}

// What make_data needs. The request may end meanwhile, so this has its own name of the slot.
typedef struct making {
    const ct_save_file *file;
    char slot[CT_SAVE_NAME_BYTES];
    ct_error error;
} making;

static bool check_version(making *m, uint32_t from, uint32_t to) {
    if (from == 0)
        return ct_error_set(&m->error, "\"%s\" does not say of what version its data are", m->slot);
    return from <= to ||
           ct_error_set(&m->error,
                        "\"%s\" was saved by version %u of its data, which is later than this "
                        "game's %u",
                        m->slot, from, to);
}

// Brings the data on top from a version to the next. False with the error, and another value on top, when
// that cannot be.
static bool migrate(lua_State *L, const ct_script_saves *saves, making *m, uint32_t version) {
    lua_rawgeti(L, LUA_REGISTRYINDEX, saves->migrations);
    if (lua_istable(L, -1))
        lua_rawgeti(L, -1, (int)version);
    else
        lua_pushnil(L);
    lua_remove(L, -2);
    if (!lua_isfunction(L, -1))
        return ct_error_set(&m->error,
                            "there is no migration of \"%s\" from version %u; give "
                            "SaveSystem.set_version the function [%u]",
                            m->slot, version, version);
    lua_insert(L, -2);
    if (lua_pcall(L, 1, 1, 0) != 0) {
        const char *const message = lua_tostring(L, -1);
        return ct_error_set(&m->error, "the migration of \"%s\" from version %u failed: %.600s",
                            m->slot, version, message ? message : "an error that is no text");
    }
    return !lua_isnil(L, -1) ||
           ct_error_set(&m->error,
                        "the migration of \"%s\" from version %u returned nil; expected the data",
                        m->slot, version);
}

// Returns the info, and the data of the game's version; nil for these after an error.
static int make_data(lua_State *L) {
    making *const m = lua_touserdata(L, 1);
    const ct_script_saves *const saves = ct_script_saves_of(L);
    ct_save_reader r = {ct_save_file_find(m->file, CT_SAVE_SECTION_DATA, 0)->data};
    uint32_t version = version_of(m->file);
    ct_save_push_info(L, m->file);
    if (!check_version(m, version, saves->version))
        return 1;
    ct_save_push_lua(L, &r, m->file); // from here on the file may be freed
    for (; version < saves->version; ++version) {
        if (!migrate(L, saves, m, version)) {
            lua_pop(L, 1);
            lua_pushnil(L);
            break;
        }
    }
    return 2;
}

// Adds `info` and `data` to the table on top.
static void add_file(lua_State *L, making *m) {
    lua_pushcfunction(L, make_data);
    lua_pushlightuserdata(L, m);
    if (lua_pcall(L, 1, 2, 0) != 0) {
        const char *const message = lua_tostring(L, -1);
        ct_error_set(&m->error, "cannot make the data of \"%s\": %.600s", m->slot,
                     message ? message : "an error that is no text");
        lua_pop(L, 1);
        return;
    }
    lua_setfield(L, -3, "data");
    lua_setfield(L, -2, "info");
}

void ct_save_set_text(lua_State *L, const char *key, const char *text) {
    if (!text[0])
        return;
    lua_pushstring(L, text);
    lua_setfield(L, -2, key);
}

bool ct_save_needs_migration(const ct_script_saves *saves, const ct_save_request *r) {
    const ct_save_file *const file = ct_save_request_file(r);
    return file && version_of(file) != saves->version;
}

bool ct_save_push_result(lua_State *L, const ct_save_request *r) {
    making m = {.file = ct_save_request_file(r)};
    snprintf(m.slot, sizeof(m.slot), "%s", ct_save_request_name(r));
    lua_createtable(L, 0, 6);
    lua_pushboolean(L, true);
    lua_setfield(L, -2, "done");
    lua_pushnumber(L, 1);
    lua_setfield(L, -2, "progress");
    ct_save_set_text(L, "error", ct_save_request_error(r));
    ct_save_set_text(L, "warning", ct_save_request_warning(r));
    if (ct_save_request_is_replaced(r)) {
        lua_pushboolean(L, true);
        lua_setfield(L, -2, "replaced");
    }
    const bool has_failed = ct_save_request_error(r)[0] != '\0';
    if (m.file) // `r` may be freed in this
        add_file(L, &m);
    ct_save_set_text(L, "error", m.error.message);
    return !has_failed && !m.error.message[0];
}
