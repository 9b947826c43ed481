#include "script/animation/api_animation.h"
#include "script/animation/script_animation_events.h"

// Functions of Unit that a component has too.

int ct_unit_animation_event(lua_State *L) {
    return ct_character_send_event(L, ct_check_character(L, 1));
}

int ct_unit_has_animation_event(lua_State *L) {
    return ct_character_has_event(L, ct_check_character(L, 1));
}

int ct_unit_animation_find_variable(lua_State *L) {
    return ct_character_find_variable(L, ct_check_character(L, 1));
}

int ct_unit_animation_get_variable(lua_State *L) {
    return ct_character_variable(L, ct_check_character(L, 1));
}

int ct_unit_animation_set_variable(lua_State *L) {
    return ct_character_set_variable(L, ct_check_character(L, 1));
}

int ct_unit_set_animation_logging(lua_State *L) {
    return ct_character_set_logging(L, ct_check_character(L, 1));
}

int ct_unit_crossfade_animation(lua_State *L) {
    return ct_character_crossfade(L, ct_check_character(L, 1), true);
}

int ct_unit_crossfade_animation_set_speed(lua_State *L) {
    return ct_character_set_crossfade_speed(L, ct_check_character(L, 1));
}

int ct_unit_crossfade_animation_set_time(lua_State *L) {
    return ct_character_set_crossfade_time(L, ct_check_character(L, 1));
}

int ct_unit_is_crossfading_animation(lua_State *L) {
    return ct_character_is_crossfading(L, ct_check_character(L, 1));
}

int ct_unit_animation_root_mode(lua_State *L) {
    return ct_character_root_mode(L, ct_check_character(L, 1));
}

int ct_unit_set_animation_root_mode(lua_State *L) {
    return ct_character_set_root_mode(L, ct_check_character(L, 1));
}

int ct_unit_animation_bone_mode(lua_State *L) {
    return ct_character_bone_mode(L, ct_check_character(L, 1));
}

int ct_unit_set_animation_bone_mode(lua_State *L) {
    return ct_character_set_bone_mode(L, ct_check_character(L, 1));
}

int ct_unit_set_bones_lod(lua_State *L) {
    return ct_character_set_bones_lod(L, ct_check_character(L, 1));
}

// The events of the last step that this unit had.
int ct_unit_animation_events(lua_State *L) {
    const ct_script_character c = ct_check_character(L, 1);
    uint32_t count;
    const ct_animation_out_event *const events = ct_animation_events(c.manager, &count);
    lua_newtable(L);
    for (uint32_t i = 0, num_found = 0; i < count; ++i) {
        if (events[i].entity.id != c.entity.id)
            continue;
        lua_createtable(L, 0, 2);
        ct_push_animation_name(L, events[i].name);
        lua_setfield(L, -2, "name");
        lua_pushnumber(L, (lua_Number)events[i].time);
        lua_setfield(L, -2, "time");
        lua_rawseti(L, -2, (int)++num_found);
    }
    return 1;
}
