// api_render_setting.h: the functions of Application that read and change settings of the render
// config.
#pragma once
#include "script/script_private.h"

// Application.render_setting(name: string) -> boolean, number, string, Vector2, Vector3 or Vector4.
int ct_api_render_setting(lua_State *L);

// Application.render_preset() -> string.
int ct_api_render_preset(lua_State *L);

// Application.set_render_preset(name: string?).
int ct_api_set_render_preset(lua_State *L);

// Application.set_render_setting(name: string, value).
int ct_api_set_render_setting(lua_State *L);
