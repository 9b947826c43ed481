#include "script/entity/api_managers.h"
#include "script/world/api_pose.h"

extern const ct_lua_module ct_api_scene_graph_component;

const ct_lua_object_type ct_type_scene_graph_component = {.name = "SceneGraphComponent",
                                                          .owner = CT_LUA_OWNER_OBJECT};

// The world whose manager is argument 1.
static ct_world *check_world_of_manager(lua_State *L) {
    return ct_check_object(L, 1, &ct_type_scene_graph_component, NULL);
}

// The node, at argument 3, of the entity at argument 2.
static ct_script_pose check_pose(lua_State *L) {
    const ct_world *const world = check_world_of_manager(L);
    const ct_entity e = ct_check_unit_of(L, 2, world);
    return ct_check_node_pose(L, 2, world, e, ct_check_node(L, 3, world, e));
}

// --- Poses ---------------------------------------------------------------------------------------

static int local_pose(lua_State *L) {
    return ct_push_local_pose(L, check_pose(L));
}

static int local_position(lua_State *L) {
    return ct_push_local_position(L, check_pose(L));
}

static int local_rotation(lua_State *L) {
    return ct_push_local_rotation(L, check_pose(L));
}

static int local_scale(lua_State *L) {
    return ct_push_local_scale(L, check_pose(L));
}

static int world_pose(lua_State *L) {
    return ct_push_world_pose(L, check_pose(L));
}

static int world_position(lua_State *L) {
    return ct_push_world_position(L, check_pose(L));
}

static int world_rotation(lua_State *L) {
    return ct_push_world_rotation(L, check_pose(L));
}

static int set_local_pose(lua_State *L) {
    return ct_take_local_pose(L, check_pose(L), 4);
}

static int set_local_position(lua_State *L) {
    return ct_take_local_position(L, check_pose(L), 4);
}

static int set_local_rotation(lua_State *L) {
    return ct_take_local_rotation(L, check_pose(L), 4);
}

static int set_local_scale(lua_State *L) {
    return ct_take_local_scale(L, check_pose(L), 4);
}

// --- Nodes ---------------------------------------------------------------------------------------

static int node_index(lua_State *L) {
    const ct_world *const world = check_world_of_manager(L);
    const ct_entity e = ct_check_unit_of(L, 2, world);
    const ct_string_id32 name = ct_check_id32(L, 3);
    const uint32_t node = ct_scene_graph_node_of(ct_world_scene_graphs(world), e, name);
    if (!node && name.value != CT_ID32("root_point", 0x5e43bd96).value)
        return ct_argument_error(L, 3, "the entity has no node \"%s\"", ct_string_id32_name(name));
    lua_pushnumber(L, node + 1);
    return 1;
}

static int num_nodes(lua_State *L) {
    const ct_world *const world = check_world_of_manager(L);
    lua_pushnumber(L, ct_script_num_nodes(world, ct_check_unit_of(L, 2, world)));
    return 1;
}

static int parent(lua_State *L) {
    const ct_script_pose p = check_pose(L);
    if (p.node)
        lua_pushnumber(L, ct_scene_graph_parent(p.graphs, p.graph, p.node) + 1);
    else
        lua_pushnil(L);
    return 1;
}

// --- Instances -----------------------------------------------------------------------------------

static int destroy(lua_State *L) {
    ct_scene_graph_manager *const m = ct_world_scene_graphs(check_world_of_manager(L));
    const ct_entity e = ct_check_single_instance(L, 2);
    if (!ct_scene_graph_lookup(m, e).index)
        return ct_instance_error(L, 2, "scene graph");
    ct_scene_graph_destroy(m, &e, 1);
    return 0;
}

static int destroy_all(lua_State *L) {
    const ct_world *const world = check_world_of_manager(L);
    const ct_entity e = ct_check_unit_of(L, 2, world);
    ct_scene_graph_destroy(ct_world_scene_graphs(world), &e, 1);
    return 0;
}

// The graph of the entity at argument 2, or {0}.
static ct_scene_graph check_graph(lua_State *L) {
    const ct_world *const world = check_world_of_manager(L);
    return ct_scene_graph_lookup(ct_world_scene_graphs(world), ct_check_unit_of(L, 2, world));
}

static int instances(lua_State *L) {
    const ct_scene_graph g = check_graph(L);
    if (!g.index)
        return 0;
    const ct_world *const world = check_world_of_manager(L);
    return ct_push_single_instance(L, ct_scene_graph_entity(ct_world_scene_graphs(world), g));
}

static int instance_ids(lua_State *L) {
    const ct_scene_graph g = check_graph(L);
    if (g.index)
        lua_pushnumber(L, ct_scene_graph_id(ct_world_scene_graphs(check_world_of_manager(L)), g));
    return g.index ? 1 : 0;
}

static int lookup(lua_State *L) {
    const ct_scene_graph g = check_graph(L);
    const uint32_t id = ct_check_component_id(L, 3);
    const ct_scene_graph_manager *const m = ct_world_scene_graphs(check_world_of_manager(L));
    const bool is_it = g.index && ct_scene_graph_id(m, g) == id;
    return ct_push_single_instance(L, is_it ? ct_scene_graph_entity(m, g) : (ct_entity){0});
}

static const ct_lua_function functions[] = {
    {"destroy", destroy, "(self: SceneGraphComponent, instance: integer) -> nil",
     "Destroys a scene graph."},
    {"destroy_all", destroy_all, "(self: SceneGraphComponent, entity: Entity) -> nil",
     "Destroys the scene graph of an entity, if it has one."},
    {"instance_ids", instance_ids, "(self: SceneGraphComponent, entity: Entity) -> integer*",
     "Returns the id of an entity's scene graph, or nothing when it has none."},
    {"instances", instances, "(self: SceneGraphComponent, entity: Entity) -> integer*",
     "Returns the instance of an entity, valid until it is destroyed, or nothing when it has "
     "none."},
    {"local_pose", local_pose,
     "(self: SceneGraphComponent, entity: Entity, node: integer) -> Matrix4x4",
     "Returns the pose of a node in its parent's space; node 1 is the entity itself."},
    {"local_position", local_position,
     "(self: SceneGraphComponent, entity: Entity, node: integer) -> Vector3",
     "Returns the position of a node in its parent's space, in metres."},
    {"local_rotation", local_rotation,
     "(self: SceneGraphComponent, entity: Entity, node: integer) -> Quaternion",
     "Returns the rotation of a node in its parent's space."},
    {"local_scale", local_scale,
     "(self: SceneGraphComponent, entity: Entity, node: integer) -> Vector3",
     "Returns the scale of a node in its parent's space."},
    {"lookup", lookup,
     "(self: SceneGraphComponent, entity: Entity, id: any(integer,string)) -> integer?",
     "Returns the instance with this id of an entity, or nil."},
    {"node_index", node_index,
     "(self: SceneGraphComponent, entity: Entity, name: string) -> integer",
     "Returns the number of the node with this name; \"root_point\" is 1, the entity itself."},
    {"num_nodes", num_nodes, "(self: SceneGraphComponent, entity: Entity) -> integer",
     "Returns the number of an entity's nodes, including the entity itself."},
    {"parent", parent, "(self: SceneGraphComponent, entity: Entity, node: integer) -> integer?",
     "Returns the parent of a node; nil for node 1."},
    {"set_local_pose", set_local_pose,
     "(self: SceneGraphComponent, entity: Entity, node: integer, pose: Matrix4x4) -> nil",
     "Sets the pose of a node in its parent's space."},
    {"set_local_position", set_local_position,
     "(self: SceneGraphComponent, entity: Entity, node: integer, position: Vector3) -> nil",
     "Sets the position of a node in its parent's space, in metres."},
    {"set_local_rotation", set_local_rotation,
     "(self: SceneGraphComponent, entity: Entity, node: integer, rotation: Quaternion) -> nil",
     "Sets the rotation of a node in its parent's space."},
    {"set_local_scale", set_local_scale,
     "(self: SceneGraphComponent, entity: Entity, node: integer, scale: Vector3) -> nil",
     "Sets the scale of a node in its parent's space; negative numbers mirror, 0 flattens."},
    {"world_pose", world_pose,
     "(self: SceneGraphComponent, entity: Entity, node: integer) -> Matrix4x4",
     "Returns the pose of a node in the world."},
    {"world_position", world_position,
     "(self: SceneGraphComponent, entity: Entity, node: integer) -> Vector3",
     "Returns the position of a node in the world, in metres."},
    {"world_rotation", world_rotation,
     "(self: SceneGraphComponent, entity: Entity, node: integer) -> Quaternion",
     "Returns the rotation of a node in the world."},
};

const ct_lua_module ct_api_scene_graph_component = {
    .name = "SceneGraphComponent",
    .doc = "The nodes of a world's entities: trees of named poses. Get it with "
           "EntityManager.scene_graph_component.",
    .functions = functions,
    .num_functions = CT_COUNT_OF(functions),
};
