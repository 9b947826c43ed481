// api_mesh.h: shared by Unit, Mesh and MeshComponent: a mesh's box, and its materials by slot.
#pragma once
#include "resource/types/mesh_resource.h"
#include "script/api_check.h"

extern const ct_lua_object_type ct_type_material;

// Returns the resource of a mesh instance, or NULL when it is not loaded.
const ct_mesh_resource *ct_script_mesh_resource(lua_State *L, const ct_world *world,
                                                ct_mesh_instance i);

// Returns the same; raises an error about `argument` when it is not loaded.
const ct_mesh_resource *ct_check_mesh_resource(lua_State *L, int argument, const ct_world *world,
                                               ct_mesh_instance i);

// Returns the box of a mesh resource in its own space.
ct_aabb ct_mesh_resource_box(const ct_mesh_resource *mesh);

// Pushes a box as the world pose of its centre and half its size, and returns 2. `pose` is the pose
// of the box's space.
int ct_push_box(lua_State *L, const ct_mat4 *pose, ct_aabb box);

// Returns the world pose of the node that a mesh of an entity is on.
ct_mat4 ct_script_mesh_pose(const ct_world *world, ct_entity e, ct_mesh_instance i);

// Sets the material of all parts with this slot; returns false when there is no such part.
bool ct_script_set_slot_material(lua_State *L, const ct_world *world, ct_mesh_instance i,
                                 ct_string_id32 slot, ct_string_id64 material);

// Returns the color of an outline at `argument`: 3 floats, which are put into `color`, or NULL when
// there is no argument or it is nil. Raises an error for a number below 0 or above 1.
const float *ct_check_outline(lua_State *L, int argument, ct_vec3 *color);
