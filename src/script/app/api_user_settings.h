// api_user_settings.h: the player's settings, which Application gives to games.
//
// They are stored as JSON in user_settings.json in the player's folder for the project
// (script_user_folder.h), and are read when a game first asks for one. Any value that JSON supports
// is allowed.
#pragma once
#include <lua.h>

// Implement the functions of Application with these names.
int ct_script_user_setting(lua_State *L);
int ct_script_set_user_setting(lua_State *L);
int ct_script_save_user_settings(lua_State *L);
int ct_script_user_settings_load_error(lua_State *L);
