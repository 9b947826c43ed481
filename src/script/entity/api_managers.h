// api_managers.h: the component managers that Lua holds, which EntityManager returns. The object of
// a handle is the world, or the manager itself when all worlds share one.
#pragma once
#include "script/script_private.h"

extern const ct_lua_object_type ct_type_transform_component, ct_type_scene_graph_component,
    ct_type_unit_component, ct_type_mesh_component, ct_type_render_data_component,
    ct_type_script_component, ct_type_data_component, ct_type_debug_name_component,
    ct_type_tag_component, ct_type_animation_blender_component,
    ct_type_animation_state_machine_component, ct_type_actor_component, ct_type_particles_component,
    ct_type_sound_source_component, ct_type_flow_component, ct_type_plugin_component;

// Implements EntityManager.plugin_component.
int ct_push_plugin_component(lua_State *L);
