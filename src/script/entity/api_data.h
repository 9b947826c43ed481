// api_data.h: Lua values that a game stores with units, cameras, levels, worlds and viewports.
//
// Each of these has one Lua table, made when something is first set, in which indices lead from
// table to table: set_data(unit, "stats", "health", 10). Dead owners lose their tables: a callback
// of the entity manager notes the tables of dead entities (Lua must not be called there), and the
// next call here, or ct_script_collect_data, releases them to Lua.
#pragma once
#include "script/script_private.h"

// Keys that identify the owner of the data. An entity's key ends in its kind, its cameras' key in
// theirs, a level's in that of objects, and addresses end in zeros.
static inline uint64_t ct_data_key_of_entity(ct_entity e) {
    return (uint64_t)e.id << CT_VALUE_KIND_BITS | CT_VALUE_KIND_ENTITY;
}
// Returns the key of all cameras of an entity: the first index in the table is the camera's place.
static inline uint64_t ct_data_key_of_cameras(ct_entity e) {
    return (uint64_t)e.id << CT_VALUE_KIND_BITS | CT_VALUE_KIND_COMPONENT;
}
static inline bool ct_data_key_is_of_entity(uint64_t key) {
    const ct_value_kind kind = ct_value_kind_of(key);
    return kind == CT_VALUE_KIND_ENTITY || kind == CT_VALUE_KIND_COMPONENT;
}
static inline uint64_t ct_data_key_of_level(ct_level level) {
    return (uint64_t)level.id << CT_VALUE_KIND_BITS | CT_VALUE_KIND_OBJECT;
}
static inline uint64_t ct_data_key_of_object(const void *object) {
    return (uint64_t)(uintptr_t)object;
}

// Implement get_data, has_data and set_data. `first` is the argument with the first index.
int ct_script_get_data(lua_State *L, uint64_t key, int first);
int ct_script_has_data(lua_State *L, uint64_t key, int first);
int ct_script_set_data(lua_State *L, uint64_t key, int first);

// Pushes the table of `key`, or nil when nothing was set.
void ct_script_push_data(lua_State *L, uint64_t key);

// Removes the data of `key`, if there is any.
void ct_script_drop_data(lua_State *L, uint64_t key);

// Releases the tables of dead units to Lua. Call it once a frame; cheap when there are none.
void ct_script_collect_data(lua_State *L);

// Removes all data. Call it before the Lua state closes.
void ct_script_data_shutdown(ct_script *s);
