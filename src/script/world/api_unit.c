#include <inttypes.h>
#include <stdio.h>

#include "script/animation/api_animation.h"
#include "script/api_check.h"
#include "script/entity/api_data.h"
#include "script/flow/script_flow.h"
#include "script/physics/api_unit_physics.h"
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
    {"actor", ct_unit_actor, "(self: Unit, actor: any(integer,string)) -> Actor?",
     "Returns the actor with this name, or at this index from 1 among the actors that the unit has "
     "now, in the order in which they were made; nil for one of the unit's resource that is not "
     "made now. A name that neither has is an error."},
    {"alive", alive, "(self: Unit?) -> boolean",
     "Returns whether the unit is alive; false for nil."},
    {"animation_bone_mode", ct_character_bone_mode, "(self: Unit) -> string",
     "Returns which parts of the pose the joints get: \"ignore\", \"position\", \"rotation\", "
     "\"pose\" (position and rotation) or \"transform\" (and scale)."},
    {"animation_event", ct_character_send_event, "(self: Unit, event: string) -> nil",
     "Sends an event to the unit's state machine. An event that no transition waits for is an "
     "error; ask with has_animation_event."},
    {"animation_events", ct_unit_animation_events, "(self: Unit) -> table[]",
     "Returns the events that came out of the unit's clips and states in the last update, by "
     "time: tables with `name` and `time`, the seconds since the start of that update."},
    {"animation_find_variable", ct_character_find_variable, "(self: Unit, name: string) -> integer",
     "Returns the number of a variable of the unit's state machine for animation_get_variable "
     "and animation_set_variable."},
    {"animation_get_curve_value", ct_unit_animation_get_curve_value,
     "(self: Unit, object: string, parameter: string, float_index: integer?) -> boolean, number",
     "Returns whether a clip that plays has a float curve, and the curve's value, weighted over "
     "the clips that play. A curve has one value, whose index is 1."},
    {"animation_get_length", ct_unit_animation_get_length,
     "(animation: string(animation)) -> number", "Returns the length of a loaded clip in seconds."},
    {"animation_get_state", ct_unit_animation_get_state, "(self: Unit) -> integer+",
     "Returns the whole state of the unit's state machine as numbers, for animation_set_state."},
    {"animation_get_variable", ct_character_variable, "(self: Unit, index: integer) -> number",
     "Returns the value of a variable of the unit's state machine by its number."},
    {"animation_has_variable", ct_unit_animation_has_variable,
     "(self: Unit, name: string) -> boolean",
     "Returns whether the unit's state machine has a variable; false without a state machine."},
    {"animation_layer_info", ct_unit_animation_layer_info,
     "(self: Unit, layer: integer) -> number, number, string",
     "Returns the seconds in the state of a layer from 1, the length of the state's clips (0: it "
     "is empty), and the state's name."},
    {"animation_root_mode", ct_character_root_mode, "(self: Unit) -> string",
     "Returns what root motion does with the unit: \"ignore\", \"delta_position\", "
     "\"delta_rotation\" or \"delta_pose\"."},
    {"animation_set_state", ct_unit_animation_set_state, "(self: Unit, state: integer+) -> nil",
     "Sets the whole state of the unit's state machine from the numbers of animation_get_state "
     "of a unit with the same state machine."},
    {"animation_set_variable", ct_character_set_variable,
     "(self: Unit, index: integer, value: number) -> nil",
     "Sets a variable of the unit's state machine by its number. Values outside the variable's "
     "range are clamped."},
    {"animation_wanted_root_pose", ct_unit_animation_wanted_root_pose, "(self: Unit) -> Matrix4x4",
     "Returns the local pose that the root motion of the last update wants for the unit. With "
     "the root mode \"ignore\" the script moves the unit there, or as near as it may."},
    {"bones", ct_unit_bones, "(self: Unit) -> string[]",
     "Returns the names of the joints of the unit's skeleton, parents before their children."},
    {"box", ct_unit_box, "(self: Unit, ignore_invisible_meshes: boolean?) -> Matrix4x4, Vector3",
     "Returns the bounding box of the unit's meshes, all or only visible ones: its pose in the "
     "world and its half extents. Skinned meshes count as they were modelled."},
    {"camera", ct_unit_camera, "(self: Unit, camera: any(integer,string)) -> Camera",
     "Returns the camera with this name, or at this index from 1."},
    {"copy_scene_graph_local_from", ct_unit_copy_scene_graph_local_from,
     "(dest_unit: Unit, src_unit: Unit) -> nil",
     "Copies the local poses of `src_unit`'s nodes, except node 1, the unit itself, to "
     "`dest_unit`."},
    {"create_actor", ct_unit_create_actor,
     "(self: Unit, id: any(integer,string), inherit_velocity: number?) -> Actor",
     "Makes an actor of the unit's resource that was destroyed, by its name or its index from 1 "
     "among the actors of the resource; it is then the last of the unit's actors (see actor). It "
     "gets a share of the velocity that the unit's first actor has at its place (0 if left out)."},
    {"crossfade_animation", ct_character_crossfade,
     "(self: Unit, animation: string(animation), layer: integer?, blend_time: number?, loop: "
     "boolean?, blend_type: string?) -> integer",
     "Fades to a clip within `blend_time` seconds (0) on a layer from 1 (1), which it starts "
     "over at its end with `loop` (false). The blend type \"offset\" starts it at the phase of "
     "the clip before it, \"normal\" at its start. Returns the id of the fade. The unit must "
     "have no state machine."},
    {"crossfade_animation_set_speed", ct_character_set_crossfade_speed,
     "(self: Unit, id: integer, speed: number) -> boolean",
     "Sets the speed of the clip with the id that crossfade_animation returned; 1 is as "
     "recorded, negative numbers play backwards. Returns false when the clip no longer plays."},
    {"crossfade_animation_set_time", ct_character_set_crossfade_time,
     "(self: Unit, id: integer, time: number) -> boolean",
     "Sets the time in seconds of the clip with the id that crossfade_animation returned. "
     "Returns false when the clip no longer plays."},
    {"debug_name", debug_name, "(self: Unit) -> string",
     "Returns the unit's debug name, or the resource from which it was spawned."},
    {"destroy_actor", ct_unit_destroy_actor, "(self: Unit, actor: any(integer,string)) -> nil",
     "Destroys the actor with this name, or at this index (see actor); the indices of those after "
     "it are one less then."},
    {"disable_animation_state_machine", ct_unit_disable_animation_state_machine,
     "(self: Unit) -> nil", "Stops the unit's state machine; joints keep their poses."},
    {"disable_physics", ct_unit_disable_physics, "(self: Unit) -> nil",
     "Takes the unit's actors out of physics: they do not collide, are not found, and follow the "
     "unit."},
    {"enable_animation_state_machine", ct_unit_enable_animation_state_machine,
     "(self: Unit) -> nil", "Lets the unit's state machine run on."},
    {"enable_physics", ct_unit_enable_physics, "(self: Unit) -> nil",
     "Undoes disable_physics: the unit's actors are as they were before."},
    {"find_actor", ct_unit_find_actor, "(self: Unit, name: string) -> integer?",
     "Returns the index of the actor with this name (see actor), or nil."},
    {"find_mover", ct_unit_find_mover, "(self: Unit, name: string) -> integer?",
     "Returns the index from 1 of the mover with this name, or nil."},
    {"flow_event", ct_unit_flow_event, "(self: Unit, name: string) -> nil",
     "Starts an external in event of the unit's flow graph. All that follows runs at once."},
    {"flow_variable", ct_unit_flow_variable, "(self: Unit, name: string) -> any",
     "Returns a variable, external input or external output of the unit's flow graph."},
    {"get_data", get_data, "(self: Unit, indices: any(integer,string)+) -> any",
     "Returns the value stored with the unit under these indices, or nil."},
    {"has_animation_blender", ct_unit_has_animation_blender, "(self: Unit) -> boolean",
     "Returns whether the unit has a component of the type animation."},
    {"has_animation_event", ct_character_has_event, "(self: Unit, event: string) -> boolean",
     "Returns whether a transition of the unit's state machine waits for an event; false without "
     "a state machine."},
    {"has_animation_state_machine", ct_unit_has_animation_state_machine, "(self: Unit) -> boolean",
     "Returns whether the unit has a state machine, also while it is stopped."},
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
    {"is_crossfading_animation", ct_character_is_crossfading, "(self: Unit) -> boolean",
     "Returns whether a clip of the unit is fading in or out."},
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
    {"mover", ct_unit_mover, "(self: Unit) -> Mover?", "Returns the mover that is in use, or nil."},
    {"mover_fits_at", ct_unit_mover_fits_at,
     "(self: Unit, id: any(integer,string), position: Vector3, allow_move: number?) -> boolean, "
     "Vector3?",
     "Returns whether one of the unit's movers fits at a position or within `allow_move` metres of "
     "it, and where."},
    {"name_hash", name_hash, "(self: Unit) -> string",
     "Returns the id of the resource from which the unit was spawned, in hexadecimal."},
    {"node", ct_unit_node, "(self: Unit, name: string) -> integer",
     "Returns the number of the node with this name; \"root_point\" is node 1, the unit itself."},
    {"num_actors", ct_unit_num_actors, "(self: Unit) -> integer",
     "Returns the number of actors, with triggers."},
    {"num_cameras", ct_unit_num_cameras, "(self: Unit) -> integer",
     "Returns the number of the unit's cameras."},
    {"num_lights", ct_unit_num_lights, "(self: Unit) -> integer",
     "Returns the number of the unit's lights."},
    {"num_meshes", ct_unit_num_meshes, "(self: Unit) -> integer",
     "Returns the number of the unit's meshes."},
    {"num_movers", ct_unit_num_movers, "(self: Unit) -> integer", "Returns the number of movers."},
    {"num_scene_graph_items", ct_unit_num_scene_graph_items, "(self: Unit) -> integer",
     "Returns the number of the unit's nodes, including the unit itself."},
    {"scene_graph_link", ct_unit_scene_graph_link,
     "(self: Unit, i: integer, parent: integer?) -> nil",
     "Links a node to another node, or to the unit. Its local pose is then relative to that."},
    {"scene_graph_parent", ct_unit_scene_graph_parent, "(self: Unit, i: integer) -> integer?",
     "Returns the parent of a node; nil for node 1, the unit itself."},
    {"set_animation_bone_mode", ct_character_set_bone_mode, "(self: Unit, mode: string) -> nil",
     "Sets which parts of the pose the joints get: \"ignore\", \"position\", \"rotation\", "
     "\"pose\" or \"transform\". The others stay at rest."},
    {"set_animation_logging", ct_character_set_logging, "(self: Unit, enabled: boolean) -> nil",
     "Starts or stops logging the events and states of the unit."},
    {"set_animation_root_mode", ct_character_set_root_mode, "(self: Unit, mode: string) -> nil",
     "Sets what root motion does with the unit: \"ignore\", \"delta_position\", "
     "\"delta_rotation\" or \"delta_pose\"."},
    {"set_animation_state_machine", ct_unit_set_animation_state_machine,
     "(self: Unit, machine: string(state_machine)?) -> nil",
     "Gives the unit another state machine, which must be loaded, in its start states. nil: "
     "none; scripts fade to clips then."},
    {"set_bones_lod", ct_character_set_bones_lod, "(self: Unit, lod_level: integer) -> nil",
     "Poses only the first `lod_level` joints of the skeleton; the others keep their rest poses. "
     "0 poses all."},
    {"set_data", set_data, "(self: Unit, indices: any(integer,string)+, value: any) -> nil",
     "Stores a value with the unit under one or more indices."},
    {"set_flow_variable", ct_unit_set_flow_variable,
     "(self: Unit, name: string, value: any) -> nil",
     "Sets a variable or external input of the unit's flow graph."},
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
    {"set_mover", ct_unit_set_mover, "(self: Unit, mover: any(integer,string)?) -> Mover?",
     "Takes another mover into use, or none, and returns it. Returns nil, and changes nothing, "
     "when "
     "there is no room for it."},
    {"set_outline", ct_unit_set_outline, "(self: Unit, color: Vector3?) -> nil",
     "Gives all meshes of the unit an outline of a color (linear red, green and blue from 0 to 1), "
     "or, without one, none."},
    {"set_unit_visibility", ct_unit_set_unit_visibility, "(self: Unit, visibility: boolean) -> nil",
     "Shows or hides all meshes of the unit."},
    {"teleport_local_pose", ct_unit_teleport_local_pose,
     "(self: Unit, i: integer, pose: Matrix4x4) -> nil",
     "As set_local_pose, but the unit's meshes jump: they are not blurred, and its kinematic "
     "actors push nothing."},
    {"teleport_local_position", ct_unit_teleport_local_position,
     "(self: Unit, i: integer, position: Vector3) -> nil",
     "As set_local_position, but the unit's meshes jump: they are not blurred, and its kinematic "
     "actors push nothing."},
    {"teleport_local_rotation", ct_unit_teleport_local_rotation,
     "(self: Unit, i: integer, rotation: Quaternion) -> nil",
     "As set_local_rotation, but the unit's meshes jump: they are not blurred, and its kinematic "
     "actors push nothing."},
    {"teleport_local_scale", ct_unit_teleport_local_scale,
     "(self: Unit, i: integer, scale: Vector3) -> nil",
     "As set_local_scale, but the unit's meshes jump: they are not blurred, and its kinematic "
     "actors push nothing."},
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
