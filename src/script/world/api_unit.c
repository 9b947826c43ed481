#include <inttypes.h>
#include <stdio.h>

#include "script/api_check.h"
#include "script/entity/api_data.h"
#include "script/world/api_unit.h"

extern const ct_lua_module ct_api_unit;

// --- What it is ----------------------------------------------------------------------------------

static int alive(lua_State *L) {
    const ct_entity e = lua_isnil(L, 1) ? (ct_entity){0} : ct_check_entity_id(L, 1);
    lua_pushboolean(L, ct_entity_is_alive(ct_lua_of(L)->entities, e));
    return 1;
}

static int debug_name(lua_State *L) {
    ct_world *world;
    const ct_entity e = ct_check_unit(L, 1, &world);
    ct_script *const s = ct_script_of(L);
    const char *name = ct_debug_name(ct_world_system_debug_names(s->worlds), e);
    if (!name)
        name = ct_string_id64_name(ct_world_unit_resource(world, e));
    lua_pushstring(L, name);
    return 1;
}

static int name_hash(lua_State *L) {
    ct_world *world;
    const ct_entity e = ct_check_unit(L, 1, &world);
    char text[17];
    snprintf(text, sizeof(text), "%016" PRIx64, ct_world_unit_resource(world, e).value);
    lua_pushstring(L, text);
    return 1;
}

static int is_a(lua_State *L) {
    ct_world *world;
    const ct_entity e = ct_check_unit(L, 1, &world);
    lua_pushboolean(L, ct_world_unit_resource(world, e).value == ct_check_id64(L, 2).value);
    return 1;
}

static int world_of_unit(lua_State *L) {
    ct_world *world;
    ct_check_unit(L, 1, &world);
    ct_push_object(L, &ct_type_world, world, 0);
    return 1;
}

static int level(lua_State *L) {
    ct_world *world;
    uint32_t place;
    const ct_entity e = ct_check_unit(L, 1, &world);
    const ct_level found = ct_world_find_level_unit(world, e, &place);
    if (!found.id) {
        lua_pushnil(L);
        return 1;
    }
    ct_check_object_room(L, &ct_type_level);
    ct_push_object(L, &ct_type_level, world, found.id);
    return 1;
}

static int id(lua_State *L) {
    ct_world *world;
    uint32_t place = 0;
    const ct_entity e = ct_check_unit(L, 1, &world);
    const ct_level found = ct_world_find_level_unit(world, e, &place);
    if (found.id)
        ct_push_id32(L, (ct_string_id32){ct_level_unit_ids(world, found)[place]});
    else
        lua_pushnil(L);
    return 1;
}

// --- Data ----------------------------------------------------------------------------------------

static uint64_t data_key(lua_State *L) {
    return ct_data_key_of_entity(ct_check_entity(L, 1));
}

static int get_data(lua_State *L) {
    return ct_script_get_data(L, data_key(L), 2);
}

static int has_data(lua_State *L) {
    return ct_script_has_data(L, data_key(L), 2);
}

static int set_data(lua_State *L) {
    return ct_script_set_data(L, data_key(L), 2);
}

static const ct_lua_function functions[] = {
    {"alive", alive, "(self: Unit?) -> boolean",
     "Returns whether the unit is alive; false for nil."},
    {"box", ct_unit_box, "(self: Unit, ignore_invisible_meshes: boolean?) -> Matrix4x4, Vector3",
     "Returns the bounding box of the unit's meshes, all or only visible ones: its pose in the "
     "world and its half extents. Skinned meshes count as they were modelled."},
    {"camera", ct_unit_camera, "(self: Unit, camera: any(integer,string)) -> Camera",
     "Returns the camera with this name, or at this index from 1."},
    {"copy_scene_graph_local_from", ct_unit_copy_scene_graph_local_from,
     "(dest_unit: Unit, src_unit: Unit) -> nil",
     "Copies the local poses of `src_unit`'s nodes, except node 1, the unit itself, to "
     "`dest_unit`."},
    {"debug_name", debug_name, "(self: Unit) -> string",
     "Returns the unit's debug name, or the resource from which it was spawned."},
    {"get_data", get_data, "(self: Unit, indices: any(integer,string)+) -> any",
     "Returns the value stored with the unit under these indices, or nil."},
    {"has_camera", ct_unit_has_camera, "(self: Unit, camera: string) -> boolean",
     "Returns whether the unit has a camera with this name."},
    {"has_data", has_data, "(self: Unit, indices: any(integer,string)+) -> boolean",
     "Returns whether a value is stored with the unit under these indices."},
    {"has_light", ct_unit_has_light, "(self: Unit, light: string) -> boolean",
     "Returns whether the unit has a light with this name."},
    {"has_mesh", ct_unit_has_mesh, "(self: Unit, mesh: string) -> boolean",
     "Returns whether the unit has a mesh with this component id."},
    {"has_node", ct_unit_has_node, "(self: Unit, name: string) -> boolean",
     "Returns whether the unit has a node with this name."},
    {"id", id, "(self: Unit) -> IdString32?",
     "Returns the unit's id in the level that spawned it, or nil."},
    {"is_a", is_a, "(self: Unit, name: string) -> boolean",
     "Returns whether the unit was spawned from this resource."},
    {"level", level, "(self: Unit) -> Level?", "Returns the level that spawned the unit, or nil."},
    {"light", ct_unit_light, "(self: Unit, light: any(integer,string)) -> Light",
     "Returns the light with this name, or at this index from 1."},
    {"local_pose", ct_unit_local_pose, "(self: Unit, i: integer) -> Matrix4x4",
     "Returns the pose of a node in its parent's space."},
    {"local_position", ct_unit_local_position, "(self: Unit, i: integer) -> Vector3",
     "Returns the position of a node in its parent's space, in metres."},
    {"local_rotation", ct_unit_local_rotation, "(self: Unit, i: integer) -> Quaternion",
     "Returns the rotation of a node in its parent's space."},
    {"local_scale", ct_unit_local_scale, "(self: Unit, i: integer) -> Vector3",
     "Returns the scale of a node in its parent's space."},
    {"mesh", ct_unit_mesh, "(self: Unit, mesh: any(integer,string)) -> Mesh",
     "Returns the mesh with this component id, or at this index from 1."},
    {"mesh_index", ct_unit_mesh_index, "(self: Unit, mesh: string) -> integer",
     "Returns the index, from 1, of the mesh with this component id."},
    {"mesh_pick_raycast", ct_unit_mesh_pick_raycast,
     "(self: Unit, from: Vector3, direction: Vector3, length: number, "
     "include_hidden_meshes: boolean) -> number?, Vector3?, integer?, integer?",
     "Casts a ray at the unit's meshes. Returns the distance to the first triangle, the normal of "
     "its front side, and the indices, from 1, of the mesh and the triangle; nil when nothing is "
     "hit within the length. Skinned meshes are hit where they were modelled."},
    {"name_hash", name_hash, "(self: Unit) -> string",
     "Returns the id of the resource from which the unit was spawned, in hexadecimal."},
    {"node", ct_unit_node, "(self: Unit, name: string) -> integer",
     "Returns the number of the node with this name; \"root_point\" is node 1, the unit itself."},
    {"num_cameras", ct_unit_num_cameras, "(self: Unit) -> integer",
     "Returns the number of the unit's cameras."},
    {"num_lights", ct_unit_num_lights, "(self: Unit) -> integer",
     "Returns the number of the unit's lights."},
    {"num_meshes", ct_unit_num_meshes, "(self: Unit) -> integer",
     "Returns the number of the unit's meshes."},
    {"num_scene_graph_items", ct_unit_num_scene_graph_items, "(self: Unit) -> integer",
     "Returns the number of the unit's nodes, including the unit itself."},
    {"scene_graph_link", ct_unit_scene_graph_link,
     "(self: Unit, i: integer, parent: integer?) -> nil",
     "Links a node to another node, or to the unit. Its local pose is then relative to that."},
    {"scene_graph_parent", ct_unit_scene_graph_parent, "(self: Unit, i: integer) -> integer?",
     "Returns the parent of a node; nil for node 1, the unit itself."},
    {"set_data", set_data, "(self: Unit, indices: any(integer,string)+, value: any) -> nil",
     "Stores a value with the unit under one or more indices."},
    {"set_local_pose", ct_unit_set_local_pose, "(self: Unit, i: integer, pose: Matrix4x4) -> nil",
     "Sets the pose of a node in its parent's space, from the matrix's position, rotation and "
     "scale; shear is ignored."},
    {"set_local_position", ct_unit_set_local_position,
     "(self: Unit, i: integer, position: Vector3) -> nil",
     "Sets the position of a node in its parent's space, in metres."},
    {"set_local_rotation", ct_unit_set_local_rotation,
     "(self: Unit, i: integer, rotation: Quaternion) -> nil",
     "Sets the rotation of a node in its parent's space."},
    {"set_local_scale", ct_unit_set_local_scale, "(self: Unit, i: integer, scale: Vector3) -> nil",
     "Sets the scale of a node in its parent's space; negative numbers mirror, 0 flattens."},
    {"set_material", ct_unit_set_material,
     "(self: Unit, slot_name: string, material_resource: string(material)) -> nil",
     "Sets the material, which must be loaded, of all parts with this slot."},
    {"set_mesh_visibility", ct_unit_set_mesh_visibility,
     "(self: Unit, mesh: any(integer,string), visibility: boolean, context: string?) -> nil",
     "Shows or hides the mesh with this component id, or at this index from 1. With the context "
     "\"shadow_caster\", only for lights: whether it casts shadows."},
    {"set_unit_visibility", ct_unit_set_unit_visibility, "(self: Unit, visibility: boolean) -> nil",
     "Shows or hides all meshes of the unit."},
    {"teleport_local_pose", ct_unit_set_local_pose,
     "(self: Unit, i: integer, pose: Matrix4x4) -> nil", "Same as set_local_pose."},
    {"teleport_local_position", ct_unit_set_local_position,
     "(self: Unit, i: integer, position: Vector3) -> nil", "Same as set_local_position."},
    {"teleport_local_rotation", ct_unit_set_local_rotation,
     "(self: Unit, i: integer, rotation: Quaternion) -> nil", "Same as set_local_rotation."},
    {"teleport_local_scale", ct_unit_set_local_scale,
     "(self: Unit, i: integer, scale: Vector3) -> nil", "Same as set_local_scale."},
    {"world", world_of_unit, "(self: Unit) -> World", "Returns the world of the unit."},
    {"world_pose", ct_unit_world_pose, "(self: Unit, i: integer) -> Matrix4x4",
     "Returns the pose of a node in the world."},
    {"world_position", ct_unit_world_position, "(self: Unit, i: integer) -> Vector3",
     "Returns the position of a node in the world, in metres."},
    {"world_rotation", ct_unit_world_rotation, "(self: Unit, i: integer) -> Quaternion",
     "Returns the rotation of a node in the world."},
    {"world_scale", ct_unit_world_scale, "(self: Unit, i: integer) -> Vector3",
     "Returns the scale of a node in the world."},
};

const ct_lua_module ct_api_unit = {
    .name = "Unit",
    .doc = "A thing in a world: an entity with what its resource gave it; spawned by "
           "World.spawn_unit.",
    .functions = functions,
    .num_functions = CT_COUNT_OF(functions),
};
