// Saved worlds in Lua, and the functions of SaveSystem for them.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "flow/flow_save.h"
#include "foundation/error.h"
#include "foundation/log.h"
#include "script/api_check.h"
#include "script/save/script_saves.h"

enum { MARK = 0x43545357, NUM_KINDS = CT_FLOW_NUM_SAVE_KINDS + 1 };

// --- Values --------------------------------------------------------------------------------------

ct_saved_world_value *ct_saved_world_at(lua_State *L, int index) {
    ct_saved_world_value *const v = lua_touserdata(L, index);
    const bool is_world = lua_type(L, index) == LUA_TUSERDATA &&
                          lua_objlen(L, index) == sizeof(*v) && v->mark == MARK;
    return is_world ? v : NULL;
}

ct_saved_world_value *ct_check_saved_world(lua_State *L, int argument) {
    ct_saved_world_value *const v = ct_saved_world_at(L, argument);
    if (!v)
        ct_argument_type_error(L, argument, "SavedWorld");
    return v;
}

static int end_value(lua_State *L) {
    ct_saved_world_value *const v = ct_saved_world_at(L, 1);
    if (v && v->units)
        ct_free_sized(v->allocator, v->units, sizeof(*v->units) * (uint64_t)v->num_units);
    if (v)
        ct_save_bytes_release(v->bytes);
    if (v)
        v->mark = 0;
    return 0;
}

ct_saved_world_value *ct_push_saved_world(lua_State *L, ct_save_bytes *bytes) {
    const ct_saved_world *const world = (const ct_saved_world *)(const void *)bytes->bytes.items;
    ct_allocator *const a = ct_script_of(L)->backing;
    const uint32_t count = (uint32_t)world->units.count;
    ct_saved_world_value *const v = lua_newuserdata(L, sizeof(*v));
    *v = (ct_saved_world_value){.mark = MARK, .num_units = count, .bytes = bytes, .allocator = a};
    if (luaL_newmetatable(L, "SavedWorld")) {
        lua_pushliteral(L, "SavedWorld");
        lua_setfield(L, -2, "__name");
        lua_pushliteral(L, "SavedWorld"); // what getmetatable gives
        lua_setfield(L, -2, "__metatable");
        lua_pushcfunction(L, end_value);
        lua_setfield(L, -2, "__gc");
    }
    lua_setmetatable(L, -2);
    if (count > 0) {
        v->units = ct_alloc(a, sizeof(*v->units) * (uint64_t)count);
        memset(v->units, 0, sizeof(*v->units) * (uint64_t)count);
    }
    return v;
}

// --- Saving and loading --------------------------------------------------------------------------

static uint32_t kinds_of(lua_State *L, ct_world *world, ct_save_component *kinds) {
    ct_script *const s = ct_script_of(L);
    uint32_t count = 0;
    if (s->flow) {
        ct_flow_save_kinds(ct_flow_world_of(s->flow, world), kinds);
        count = CT_FLOW_NUM_SAVE_KINDS;
    }
    ct_script_save_behaviours(L, world, &kinds[count]);
    return count + 1;
}

int ct_save_save_world(lua_State *L) {
    ct_world *const world = ct_check_world(L, 1);
    ct_save_component kinds[NUM_KINDS];
    const uint32_t count = kinds_of(L, world, kinds);
    ct_byte_array bytes;
    ct_array_init(&bytes, ct_script_of(L)->backing);
    ct_world_save(world, kinds, count, &bytes);
    ct_saved_world_value *const v = ct_push_saved_world(L, ct_save_bytes_create(&bytes));
    const ct_saved_world *const saved = (const ct_saved_world *)(const void *)v->bytes->bytes.items;
    const ct_saved_unit *const units = ct_saved_at(saved, &saved->units);
    for (uint32_t i = 0; i < v->num_units; ++i)
        v->units[i] = (ct_entity){units[i].entity_id};
    return 1;
}

typedef struct problems {
    lua_State *L;
    int table;
    int count;
} problems;

static void add_problem(void *user, const char *text) {
    problems *const p = user;
    ct_log_warning("save", "load_problem", "%s", text);
    lua_pushstring(p->L, text);
    lua_rawseti(p->L, p->table, ++p->count);
}

int ct_save_load_world(lua_State *L) {
    ct_world *const world = ct_check_world(L, 1);
    const ct_saved_world_value *const v = ct_check_saved_world(L, 2);
    ct_save_component kinds[NUM_KINDS];
    const uint32_t count = kinds_of(L, world, kinds);
    ct_error error = {0};
    lua_newtable(L);
    problems found = {.L = L, .table = lua_gettop(L)};
    const ct_world_load_desc desc = {.bytes = v->bytes->bytes.items,
                                     .extra = kinds,
                                     .num_extra = count,
                                     .problem = add_problem,
                                     .user = &found,
                                     .units = v->units};
    if (!ct_world_load(world, &desc, &error))
        return ct_function_error(L, "%s", error.message);
    lua_settop(L, found.table);
    return 1;
}

// --- Units ---------------------------------------------------------------------------------------

int ct_save_unit_number(lua_State *L) {
    const ct_saved_world_value *const v = ct_check_saved_world(L, 1);
    const ct_entity unit = ct_check_entity_id(L, 2);
    for (uint32_t i = 0; i < v->num_units; ++i) {
        if (unit.id && ct_entity_equal(v->units[i], unit)) {
            lua_pushinteger(L, (lua_Integer)i + 1);
            return 1;
        }
    }
    lua_pushnil(L);
    return 1;
}

int ct_save_unit(lua_State *L) {
    const ct_saved_world_value *const v = ct_check_saved_world(L, 1);
    const int64_t number = ct_check_integer(L, 2, 1, 1 << 26);
    const ct_entity unit = number <= v->num_units ? v->units[number - 1] : (ct_entity){0};
    if (unit.id && ct_entity_is_alive(ct_world_system_entities(ct_script_of(L)->worlds), unit))
        ct_push_entity(L, unit);
    else
        lua_pushnil(L);
    return 1;
}

int ct_save_hash(lua_State *L) {
    const ct_saved_world_value *const v = ct_check_saved_world(L, 1);
    char text[17];
    snprintf(text, sizeof(text), "%016" PRIx64, ct_saved_world_hash(v->bytes->bytes.items));
    lua_pushstring(L, text);
    return 1;
}
