#include "script/sound/api_sound_buses.h"

#include "foundation/error.h"
#include "script/app/api_user_settings.h"
#include "script/sound/api_sound.h"

#define VOLUMES "sound_volumes" // the user setting

// --- Names ---------------------------------------------------------------------------------------

// Raises the error that there is no bus or snapshot of this name as long as there are no buses.
static void no_buses(lua_State *L, int argument, const char *what) {
    ct_argument_error(L, argument, "there is no %s \"%.64s\": the project's buses are not loaded",
                      what, lua_tostring(L, argument));
}

// Raises the error that there is no bus or snapshot of this name.
static void no_such_name(lua_State *L, int argument, const char *what, const char *const *names,
                         uint32_t count) {
    const char *const name = lua_tostring(L, argument);
    const char *const nearest = ct_nearest_name(name, names, count);
    ct_argument_error(L, argument, "there is no %s \"%.64s\"%s%s%s", what, name,
                      nearest ? ", did you mean \"" : "", nearest ? nearest : "",
                      nearest ? "\"?" : "");
}

// Returns the position of a bus of the buses in use.
static uint32_t check_bus(lua_State *L, int argument, const ct_sound_system *s) {
    const ct_string_id32 name = ct_string_id32_of(ct_check_string(L, argument));
    const ct_sound_bus_resource *const r = ct_sound_system_buses(s);
    if (!r)
        no_buses(L, argument, "bus");
    const uint32_t found = ct_sound_find_bus(r, name);
    if (found != UINT32_MAX)
        return found;
    const ct_sound_bus *const buses = ct_blob_at(r, r->buses.offset);
    const char *names[CT_SOUND_MAX_BUSES];
    for (uint32_t i = 0; i < r->buses.count; ++i)
        names[i] = ct_blob_at(r, buses[i].name_text.offset);
    no_such_name(L, argument, "bus", names, r->buses.count);
    return 0;
}

static ct_string_id32 check_snapshot(lua_State *L, int argument, const ct_sound_system *s) {
    const ct_string_id32 name = ct_string_id32_of(ct_check_string(L, argument));
    const ct_sound_bus_resource *const r = ct_sound_system_buses(s);
    if (!r)
        no_buses(L, argument, "snapshot");
    if (ct_sound_find_snapshot(r, name) != UINT32_MAX)
        return name;
    const ct_sound_snapshot *const snapshots = ct_blob_at(r, r->snapshots.offset);
    const char *names[CT_SOUND_MAX_SNAPSHOTS];
    for (uint32_t i = 0; i < r->snapshots.count; ++i)
        names[i] = ct_blob_at(r, snapshots[i].name_text.offset);
    no_such_name(L, argument, "snapshot", names, r->snapshots.count);
    return name;
}

// --- Buses ---------------------------------------------------------------------------------------

int ct_sound_world_bus_peak(lua_State *L) {
    ct_sound_system *const s = ct_check_sound(L);
    const uint32_t bus = check_bus(L, 1, s);
    lua_pushnumber(L, (double)ct_sound_system_peak(s, bus));
    return 1;
}

int ct_sound_world_bus_volume(lua_State *L) {
    const ct_sound_system *const s = ct_check_sound(L);
    check_bus(L, 1, s);
    const ct_string_id32 bus = ct_string_id32_of(lua_tostring(L, 1));
    lua_pushnumber(L, (double)ct_sound_system_volume(s, bus));
    return 1;
}

int ct_sound_world_set_bus_volume(lua_State *L) {
    ct_sound_system *const s = ct_check_sound(L);
    check_bus(L, 1, s);
    const double volume = ct_check_number_in(L, 2, 0, 1);
    ct_sound_system_set_volume(s, ct_string_id32_of(lua_tostring(L, 1)), (float)volume);
    lua_pushcfunction(L, ct_script_set_user_setting);
    lua_pushliteral(L, VOLUMES);
    lua_pushvalue(L, 1);
    lua_pushnumber(L, volume);
    lua_call(L, 3, 0);
    return 0;
}

void ct_script_apply_sound_volumes(lua_State *L) {
    ct_sound_system *const s = ct_world_system_sound(ct_script_of(L)->worlds);
    if (!s)
        return;
    const int top = lua_gettop(L);
    lua_pushcfunction(L, ct_script_user_setting);
    lua_pushliteral(L, VOLUMES);
    lua_call(L, 1, 1);
    const int volumes = lua_gettop(L);
    // Others may have written the file: what is no volume is left out.
    for (lua_pushnil(L); lua_istable(L, volumes) && lua_next(L, volumes); lua_pop(L, 1)) {
        const double volume = lua_type(L, -1) == LUA_TNUMBER ? lua_tonumber(L, -1) : -1;
        if (lua_type(L, -2) == LUA_TSTRING && volume >= 0 && volume <= 1)
            ct_sound_system_set_volume(s, ct_string_id32_of(lua_tostring(L, -2)), (float)volume);
    }
    lua_settop(L, top);
}

// --- Snapshots -----------------------------------------------------------------------------------

int ct_sound_world_set_snapshot(lua_State *L) {
    ct_sound_system *const s = ct_check_sound(L);
    const ct_string_id32 name = check_snapshot(L, 1, s);
    const double weight = lua_isnoneornil(L, 2) ? 1 : ct_check_number_in(L, 2, 0, 1);
    ct_sound_system_set_snapshot(s, name, (float)weight, ct_check_fade(L, 3, -1));
    return 0;
}

int ct_sound_world_snapshot(lua_State *L) {
    const ct_sound_system *const s = ct_check_sound(L);
    lua_pushnumber(L, (double)ct_sound_system_snapshot(s, check_snapshot(L, 1, s)));
    return 1;
}
