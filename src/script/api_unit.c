#include <inttypes.h>
#include <stdio.h>

#include "script/api_data.h"
#include "script/api_lifetime.h"
#include "script/api_mesh.h"
#include "script/api_pose.h"

extern const ct_script_module ct_api_unit;

// A living unit's transform; argument 2 is its node.
static ct_script_pose check_unit_node(lua_State *L) {
    ct_world *world;
    const ct_entity e = ct_check_unit(L, 1, &world);
    ct_check_node(L, 2);
    return ct_check_transform(L, 1, world, e);
}

// --- Poses ---------------------------------------------------------------------------------------

static int local_pose(lua_State *L) {
    return ct_push_local_pose(L, check_unit_node(L));
}

static int local_position(lua_State *L) {
    return ct_push_local_position(L, check_unit_node(L));
}

static int local_rotation(lua_State *L) {
    return ct_push_local_rotation(L, check_unit_node(L));
}

static int local_scale(lua_State *L) {
    return ct_push_local_scale(L, check_unit_node(L));
}

static int world_pose(lua_State *L) {
    return ct_push_world_pose(L, check_unit_node(L));
}

static int world_position(lua_State *L) {
    return ct_push_world_position(L, check_unit_node(L));
}

static int world_rotation(lua_State *L) {
    return ct_push_world_rotation(L, check_unit_node(L));
}

static int world_scale(lua_State *L) {
    return ct_push_world_scale(L, check_unit_node(L));
}

static int set_local_pose(lua_State *L) {
    return ct_take_local_pose(L, check_unit_node(L), 3);
}

static int set_local_position(lua_State *L) {
    return ct_take_local_position(L, check_unit_node(L), 3);
}

static int set_local_rotation(lua_State *L) {
    return ct_take_local_rotation(L, check_unit_node(L), 3);
}

static int set_local_scale(lua_State *L) {
    return ct_take_local_scale(L, check_unit_node(L), 3);
}

static int node(lua_State *L) {
    ct_world *world;
    ct_check_unit(L, 1, &world);
    const ct_string_id32 name = ct_check_id32(L, 2);
    if (name.value != CT_ID32("root_point", 0x5e43bd96).value)
        ct_argument_error(L, 2, "expected \"root_point\", the only node of a unit so far");
    lua_pushnumber(L, 1);
    return 1;
}

static int has_node(lua_State *L) {
    ct_world *world;
    ct_check_unit(L, 1, &world);
    lua_pushboolean(L, ct_check_id32(L, 2).value == CT_ID32("root_point", 0x5e43bd96).value);
    return 1;
}

static int num_scene_graph_items(lua_State *L) {
    ct_world *world;
    ct_check_unit(L, 1, &world);
    lua_pushnumber(L, 1);
    return 1;
}

// --- What it is ----------------------------------------------------------------------------------

static int alive(lua_State *L) {
    const ct_entity e = lua_isnil(L, 1) ? (ct_entity){0} : ct_check_entity_id(L, 1);
    lua_pushboolean(L, ct_entity_is_alive(ct_script_of(L)->entities, e));
    return 1;
}

static int debug_name(lua_State *L) {
    ct_world *world;
    const ct_entity e = ct_check_unit(L, 1, &world);
    struct ct_script *const s = ct_script_of(L);
    const char *name = ct_debug_name(ct_world_system_debug_names(s->worlds), e);
    if (name == NULL)
        name = ct_string_id64_name(ct_world_unit_resource(world, e));
    lua_pushstring(L, name);
    return 1;
}

static int name_hash(lua_State *L) {
    ct_world *world;
    const ct_entity e = ct_check_unit(L, 1, &world);
    char text[17];
    snprintf(text, sizeof text, "%016" PRIx64, ct_world_unit_resource(world, e).value);
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
    ct_push_object(L, CT_OBJECT_KIND_WORLD, world, 0);
    return 1;
}

// The level whose list of units has this one, {0} for none. Sets its place there.
static ct_level find_level(const ct_world *world, ct_entity e, uint32_t *place) {
    uint32_t num_levels;
    const ct_level *const levels = ct_world_levels(world, &num_levels);
    for (uint32_t i = 0; i < num_levels; ++i) {
        uint32_t count;
        const ct_entity *const units = ct_level_units(world, levels[i], &count);
        for (*place = 0; *place < count; ++*place) {
            if (ct_entity_equal(units[*place], e))
                return levels[i];
        }
    }
    return (ct_level){0};
}

static int level(lua_State *L) {
    ct_world *world;
    uint32_t place;
    const ct_entity e = ct_check_unit(L, 1, &world);
    const ct_level found = find_level(world, e, &place);
    if (!found.id) {
        lua_pushnil(L);
        return 1;
    }
    ct_check_object_room(L);
    ct_push_object(L, CT_OBJECT_KIND_LEVEL, world, found.id);
    return 1;
}

static int id(lua_State *L) {
    ct_world *world;
    uint32_t place = 0;
    const ct_entity e = ct_check_unit(L, 1, &world);
    const ct_level found = find_level(world, e, &place);
    if (found.id)
        ct_push_id32(L, (ct_string_id32){ct_level_unit_ids(world, found)[place]});
    else
        lua_pushnil(L);
    return 1;
}

// --- Cameras, lights, meshes ---------------------------------------------------------------------

static uint32_t count_cameras(const ct_world *world, ct_entity e) {
    const ct_camera_manager *const m = ct_world_cameras(world);
    uint32_t count = 0;
    for (ct_camera_instance i = ct_camera_first(m, e); i.index; i = ct_camera_next(m, i))
        ++count;
    return count;
}

static uint32_t count_lights(const ct_world *world, ct_entity e) {
    const ct_light_manager *const m = ct_world_lights(world);
    uint32_t count = 0;
    for (ct_light_instance i = ct_light_first(m, e); i.index; i = ct_light_next(m, i))
        ++count;
    return count;
}

static uint32_t count_meshes(const ct_world *world, ct_entity e) {
    const ct_mesh_manager *const m = ct_world_meshes(world);
    uint32_t count = 0;
    for (ct_mesh_instance i = ct_mesh_first(m, e); i.index; i = ct_mesh_next(m, i))
        ++count;
    return count;
}

static int num_cameras(lua_State *L) {
    ct_world *world;
    const ct_entity e = ct_check_unit(L, 1, &world);
    lua_pushnumber(L, count_cameras(world, e));
    return 1;
}

static int num_lights(lua_State *L) {
    ct_world *world;
    const ct_entity e = ct_check_unit(L, 1, &world);
    lua_pushnumber(L, count_lights(world, e));
    return 1;
}

static int num_meshes(lua_State *L) {
    ct_world *world;
    const ct_entity e = ct_check_unit(L, 1, &world);
    lua_pushnumber(L, count_meshes(world, e));
    return 1;
}

// Pushes the component that argument 2 tells by its place from 1. `count` are there.
static int push_by_place(lua_State *L, ct_value_kind kind, ct_entity e, uint32_t count,
                         const char *what) {
    if (count == 0)
        ct_argument_error(L, 1, "expected a unit with a %s, got one that has none", what);
    const uint32_t most = count < CT_MAX_COMPONENT_HANDLES ? count : CT_MAX_COMPONENT_HANDLES;
    ct_push_component(L, kind, e, (uint32_t)ct_check_integer(L, 2, 1, most) - 1);
    return 1;
}

static int no_such_name(lua_State *L, const char *what) {
    if (lua_type(L, 2) == LUA_TSTRING)
        return ct_argument_error(L, 2, "the unit has no %s \"%s\"", what, lua_tostring(L, 2));
    return ct_argument_error(L, 2, "the unit has no %s of the id %s", what,
                             ct_string_id32_name(ct_check_id32(L, 2)));
}

// The place from 0 of the first camera of this name; UINT32_MAX when there is none.
static uint32_t find_camera(const ct_world *world, ct_entity e, ct_string_id32 name) {
    ct_camera_manager *const m = ct_world_cameras(world);
    uint32_t which = 0;
    ct_camera_instance i = ct_camera_first(m, e);
    for (; i.index; i = ct_camera_next(m, i), ++which) {
        if (ct_camera_data_of(m, i)->name.value == name.value)
            return which;
    }
    return UINT32_MAX;
}

static uint32_t find_light(const ct_world *world, ct_entity e, ct_string_id32 name) {
    const ct_light_manager *const m = ct_world_lights(world);
    uint32_t which = 0;
    ct_light_instance i = ct_light_first(m, e);
    for (; i.index; i = ct_light_next(m, i), ++which) {
        if (ct_light_data_of(m, i)->name.value == name.value)
            return which;
    }
    return UINT32_MAX;
}

static uint32_t find_mesh(const ct_world *world, ct_entity e, ct_string_id32 id) {
    const ct_mesh_manager *const m = ct_world_meshes(world);
    uint32_t which = 0;
    ct_mesh_instance i = ct_mesh_first(m, e);
    for (; i.index; i = ct_mesh_next(m, i), ++which) {
        if (ct_mesh_id(m, i) == id.value)
            return which;
    }
    return UINT32_MAX;
}

// Pushes the component that was found at place `which` from 0.
static int push_found(lua_State *L, ct_value_kind kind, ct_entity e, uint32_t which,
                      const char *what) {
    if (which == UINT32_MAX)
        return no_such_name(L, what);
    if (which >= CT_MAX_COMPONENT_HANDLES)
        return ct_argument_error(L, 2, "only the first %d of a unit can be had",
                                 CT_MAX_COMPONENT_HANDLES);
    ct_push_component(L, kind, e, which);
    return 1;
}

static int camera(lua_State *L) {
    ct_world *world;
    const ct_entity e = ct_check_unit(L, 1, &world);
    if (lua_type(L, 2) == LUA_TNUMBER)
        return push_by_place(L, CT_VALUE_KIND_CAMERA, e, count_cameras(world, e), "camera");
    return push_found(L, CT_VALUE_KIND_CAMERA, e, find_camera(world, e, ct_check_id32(L, 2)),
                      "camera");
}

static int light(lua_State *L) {
    ct_world *world;
    const ct_entity e = ct_check_unit(L, 1, &world);
    if (lua_type(L, 2) == LUA_TNUMBER)
        return push_by_place(L, CT_VALUE_KIND_LIGHT, e, count_lights(world, e), "light");
    return push_found(L, CT_VALUE_KIND_LIGHT, e, find_light(world, e, ct_check_id32(L, 2)),
                      "light");
}

static int mesh(lua_State *L) {
    ct_world *world;
    const ct_entity e = ct_check_unit(L, 1, &world);
    if (lua_type(L, 2) == LUA_TNUMBER)
        return push_by_place(L, CT_VALUE_KIND_MESH, e, count_meshes(world, e), "mesh");
    return push_found(L, CT_VALUE_KIND_MESH, e, find_mesh(world, e, ct_check_id32(L, 2)), "mesh");
}

static int has_camera(lua_State *L) {
    ct_world *world;
    const ct_entity e = ct_check_unit(L, 1, &world);
    lua_pushboolean(L, find_camera(world, e, ct_check_id32(L, 2)) != UINT32_MAX);
    return 1;
}

static int has_light(lua_State *L) {
    ct_world *world;
    const ct_entity e = ct_check_unit(L, 1, &world);
    lua_pushboolean(L, find_light(world, e, ct_check_id32(L, 2)) != UINT32_MAX);
    return 1;
}

static int has_mesh(lua_State *L) {
    ct_world *world;
    const ct_entity e = ct_check_unit(L, 1, &world);
    lua_pushboolean(L, find_mesh(world, e, ct_check_id32(L, 2)) != UINT32_MAX);
    return 1;
}

static int set_unit_visibility(lua_State *L) {
    ct_world *world;
    const ct_entity e = ct_check_unit(L, 1, &world);
    const bool is_visible = ct_check_boolean(L, 2);
    ct_mesh_manager *const m = ct_world_meshes(world);
    for (ct_mesh_instance i = ct_mesh_first(m, e); i.index; i = ct_mesh_next(m, i))
        ct_mesh_set_visible(m, i, is_visible);
    return 0;
}

static int set_mesh_visibility(lua_State *L) {
    ct_world *world;
    const ct_entity e = ct_check_unit(L, 1, &world);
    ct_mesh_manager *const m = ct_world_meshes(world);
    uint32_t which;
    if (lua_type(L, 2) == LUA_TNUMBER)
        which = (uint32_t)ct_check_integer(L, 2, 1, UINT32_MAX) - 1;
    else
        which = find_mesh(world, e, ct_check_id32(L, 2));
    const bool is_visible = ct_check_boolean(L, 3);
    ct_mesh_instance i = ct_mesh_first(m, e);
    while (i.index && which--)
        i = ct_mesh_next(m, i);
    if (!i.index)
        return ct_argument_error(L, 2, "the unit has no such mesh");
    ct_mesh_set_visible(m, i, is_visible);
    return 0;
}

static int set_material(lua_State *L) {
    ct_world *world;
    const ct_entity e = ct_check_unit(L, 1, &world);
    const ct_string_id32 slot = ct_check_id32(L, 2);
    const ct_string_id64 material = ct_string_id64_of(ct_check_resource(L, 3, "material", NULL));
    const ct_mesh_manager *const m = ct_world_meshes(world);
    bool has_set = false;
    for (ct_mesh_instance i = ct_mesh_first(m, e); i.index; i = ct_mesh_next(m, i))
        has_set |= ct_script_set_slot_material(L, world, i, slot, material);
    return has_set ? 0 : no_such_name(L, "mesh with a slot");
}

// The box around the unit's meshes in its own space; empty at its origin when it has none.
static int box(lua_State *L) {
    ct_world *world;
    const ct_entity e = ct_check_unit(L, 1, &world);
    const ct_mesh_manager *const m = ct_world_meshes(world);
    ct_aabb around = ct_aabb_empty();
    for (ct_mesh_instance i = ct_mesh_first(m, e); i.index; i = ct_mesh_next(m, i)) {
        const ct_mesh_resource *const r = ct_script_mesh_resource(L, world, i);
        if (r)
            around = ct_aabb_merge(around, ct_mesh_resource_box(r));
    }
    const ct_mat4 pose = ct_script_world_pose(world, e);
    return ct_push_box(L, &pose, around);
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

static const ct_script_function functions[] = {
    {"alive", alive, "(self: Unit?) -> boolean", "True while the unit lives; false for nil."},
    {"box", box, "(self: Unit) -> Matrix4x4, Vector3",
     "The pose and half extents of the box around the unit's meshes."},
    {"camera", camera, "(self: Unit, camera: any(integer,string)) -> Camera",
     "The camera of this name, or at this place from 1."},
    {"debug_name", debug_name, "(self: Unit) -> string",
     "The unit's debug name, or the resource it was spawned from."},
    {"get_data", get_data, "(self: Unit, indices: any(integer,string)+) -> any",
     "The value kept with the unit under these indices, or nil."},
    {"has_camera", has_camera, "(self: Unit, camera: string) -> boolean",
     "True when the unit has a camera of this name."},
    {"has_data", has_data, "(self: Unit, indices: any(integer,string)+) -> boolean",
     "True when a value is kept with the unit under these indices."},
    {"has_light", has_light, "(self: Unit, light: string) -> boolean",
     "True when the unit has a light of this name."},
    {"has_mesh", has_mesh, "(self: Unit, mesh: string) -> boolean",
     "True when the unit has a mesh of this component id."},
    {"has_node", has_node, "(self: Unit, name: string) -> boolean",
     "True when the unit has a node of this name."},
    {"id", id, "(self: Unit) -> IdString32?",
     "The unit's id in the level that spawned it, or nil."},
    {"is_a", is_a, "(self: Unit, name: string) -> boolean",
     "True when the unit was spawned from this resource."},
    {"level", level, "(self: Unit) -> Level?", "The level that spawned the unit, or nil."},
    {"light", light, "(self: Unit, light: any(integer,string)) -> Light",
     "The light of this name, or at this place from 1."},
    {"local_pose", local_pose, "(self: Unit, i: integer) -> Matrix4x4",
     "The pose in the parent's space."},
    {"local_position", local_position, "(self: Unit, i: integer) -> Vector3",
     "The position in the parent's space, in metres."},
    {"local_rotation", local_rotation, "(self: Unit, i: integer) -> Quaternion",
     "The rotation in the parent's space."},
    {"local_scale", local_scale, "(self: Unit, i: integer) -> Vector3",
     "The scale in the parent's space."},
    {"mesh", mesh, "(self: Unit, mesh: any(integer,string)) -> Mesh",
     "The mesh of this component id, or at this place from 1."},
    {"name_hash", name_hash, "(self: Unit) -> string",
     "The id of the resource that the unit was spawned from, in hexadecimal."},
    {"node", node, "(self: Unit, name: string) -> integer",
     "The place of the node of this name; a unit's root is \"root_point\", node 1."},
    {"num_cameras", num_cameras, "(self: Unit) -> integer", "The number of the unit's cameras."},
    {"num_lights", num_lights, "(self: Unit) -> integer", "The number of the unit's lights."},
    {"num_meshes", num_meshes, "(self: Unit) -> integer", "The number of the unit's meshes."},
    {"num_scene_graph_items", num_scene_graph_items, "(self: Unit) -> integer",
     "The number of the unit's nodes."},
    {"set_data", set_data, "(self: Unit, indices: any(integer,string)+, value: any) -> nil",
     "Keeps a value with the unit under one or more indices."},
    {"set_local_pose", set_local_pose, "(self: Unit, i: integer, pose: Matrix4x4) -> nil",
     "Sets the pose in the parent's space."},
    {"set_local_position", set_local_position, "(self: Unit, i: integer, position: Vector3) -> nil",
     "Sets the position in the parent's space, in metres."},
    {"set_local_rotation", set_local_rotation,
     "(self: Unit, i: integer, rotation: Quaternion) -> nil",
     "Sets the rotation in the parent's space."},
    {"set_local_scale", set_local_scale, "(self: Unit, i: integer, scale: Vector3) -> nil",
     "Sets the scale in the parent's space."},
    {"set_material", set_material,
     "(self: Unit, slot_name: string, material_resource: string) -> nil",
     "Sets the material, which is loaded, of all parts with this slot."},
    {"set_mesh_visibility", set_mesh_visibility,
     "(self: Unit, mesh: any(integer,string), visibility: boolean) -> nil",
     "Shows or hides the mesh of this component id, or at this place from 1."},
    {"set_unit_visibility", set_unit_visibility, "(self: Unit, visibility: boolean) -> nil",
     "Shows or hides all meshes of the unit."},
    {"teleport_local_pose", set_local_pose, "(self: Unit, i: integer, pose: Matrix4x4) -> nil",
     "As set_local_pose."},
    {"teleport_local_position", set_local_position,
     "(self: Unit, i: integer, position: Vector3) -> nil", "As set_local_position."},
    {"teleport_local_rotation", set_local_rotation,
     "(self: Unit, i: integer, rotation: Quaternion) -> nil", "As set_local_rotation."},
    {"teleport_local_scale", set_local_scale, "(self: Unit, i: integer, scale: Vector3) -> nil",
     "As set_local_scale."},
    {"world", world_of_unit, "(self: Unit) -> World", "The world that the unit lives in."},
    {"world_pose", world_pose, "(self: Unit, i: integer) -> Matrix4x4", "The pose in the world."},
    {"world_position", world_position, "(self: Unit, i: integer) -> Vector3",
     "The position in the world, in metres."},
    {"world_rotation", world_rotation, "(self: Unit, i: integer) -> Quaternion",
     "The rotation in the world."},
    {"world_scale", world_scale, "(self: Unit, i: integer) -> Vector3", "The scale in the world."},
};

const ct_script_module ct_api_unit = {
    .name = "Unit",
    .doc = "A thing in a world: an entity with what its resource gave it; spawned by "
           "World.spawn_unit.",
    .functions = functions,
    .num_functions = CT_COUNT_OF(functions),
};
