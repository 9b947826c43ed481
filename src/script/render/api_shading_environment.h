// api_shading_environment.h: environments of worlds in Lua, and the functions of World for them.
#pragma once
#include "script/script_private.h"
#include "world/world_environment.h"

// The environment at `argument`, which must belong to the world.
ct_world_environment *ct_check_environment_of(lua_State *L, int argument, const ct_world *world);

// World.create_shading_environment(self: World, name: string) -> ShadingEnvironment.
int ct_api_create_shading_environment(lua_State *L);

// World.destroy_shading_environment(self: World, environment: ShadingEnvironment).
int ct_api_destroy_shading_environment(lua_State *L);

// World.set_shading_environment(self: World, environment: ShadingEnvironment, name: string).
int ct_api_set_shading_environment(lua_State *L);
