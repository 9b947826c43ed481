#include "script/api_lifetime.h"

#include "flow/flow.h"
#include "script/api_check.h"
#include "script/entity/api_data.h"
#include "script/navigation/script_navigation.h"
#include "script/network/script_network.h"
#include "script/network/script_units.h"
#include "script/physics/script_physics.h"
#include "script/resource/api_package_transfer_watcher.h"
#include "script/web/script_web.h"

void ct_script_end_world(lua_State *L, ct_world *world) {
    ct_script_end_units(L, world);
    ct_world_end_levels(world); // flow graphs call Lua, which may make more objects of the world
    ct_end_objects_of(L, world);
    ct_release_object(ct_lua_of(L), &ct_type_world, world, 0);
    ct_script_drop_data(L, ct_data_key_of_object(world));
    ct_script_end_physics(L, world);
    ct_script_end_navigation(L, world);
    ct_script_end_units(L, world); // flow graphs may have set it again
    ct_world_destroy(world);
}

void ct_script_api_shutdown(ct_script *s) {
    lua_State *const L = s->lua.lua;
    // Flow graphs call Lua when their levels and units end; not in worlds that Lua makes meanwhile.
    uint32_t num_left = ct_world_system_num_worlds(s->worlds);
    for (; num_left > 0 && ct_world_system_num_worlds(s->worlds); --num_left)
        ct_script_end_world(L, ct_world_system_world(s->worlds, 0));
    if (s->flow)
        ct_flow_system_set_lua(s->flow, &(ct_flow_lua){0});
    while (ct_world_system_num_worlds(s->worlds))
        ct_script_end_world(L, ct_world_system_world(s->worlds, 0));
    ct_end_objects_of(L, NULL);
    ct_script_end_transfer_watches(s);
    ct_script_data_shutdown(s);
    ct_script_physics_shutdown(s);
    ct_script_navigation_shutdown(s);
    ct_script_units_shutdown(s);
    ct_script_network_shutdown(s);
    ct_script_web_shutdown(s);
}
