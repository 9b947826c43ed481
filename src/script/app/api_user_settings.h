// api_user_settings.h: settings that the player makes, as Application gives them to games.
//
// They are JSON in user_settings.json of the player's folder for the project
// (script_user_folder.h), read when a game first asks. Any value that JSON can say.
#pragma once
#include <lua.h>

// Bodies of the functions of Application with these names.
int ct_script_user_setting(lua_State *L);
int ct_script_set_user_setting(lua_State *L);
int ct_script_save_user_settings(lua_State *L);
int ct_script_user_settings_load_error(lua_State *L);
