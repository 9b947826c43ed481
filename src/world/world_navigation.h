// world_navigation.h: the navigation of worlds.
//
// A level whose resource names a `.navigation` has a mesh of each of its classes, from before its units are
// spawned until it is destroyed, as long as the resource is loaded: when it is loaded later, or gets more classes,
// their meshes are added. The world's step runs in the phase simulate before physics, so that movers
// get their velocities in the same step. Update thread.
#pragma once
#include "navigation/component/navigation_agent_component.h"
#include "world/world.h"

// The world's meshes and agents.
ct_navigation_world *ct_world_navigation(const ct_world *w);
ct_navigation_agent_manager *ct_world_navigation_agents(const ct_world *w);

// Returns the mesh of a class of a level's navigation; class {0}: the first class. {0}: it has no such mesh.
ct_navigation_instance ct_level_navigation(const ct_world *w, ct_level level,
                                           ct_string_id32 class_name);

// Adds meshes that belong to no level: one of a class (by name; {0}: the first) of a resource that is loaded.
// A resource that is not loaded, an unknown class and a pose that is scaled or tilted give `error` and {0}.
ct_navigation_instance ct_world_add_navigation(ct_world *w, ct_string_id64 resource,
                                               ct_string_id32 class_name, ct_mat4 pose,
                                               ct_error *error);

// Sets what a step of any world of the system may do (project settings `navigation`).
void ct_world_system_set_navigation(ct_world_system *s, ct_navigation_settings settings);
