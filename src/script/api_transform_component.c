#include <string.h>

#include "foundation/temp_allocator.h"
#include "script/api_pose.h"
#include "script/api_property.h"

enum { MOST_ENTITY = (1 << (CT_ENTITY_INDEX_BITS + CT_ENTITY_GENERATION_BITS)) - 1 };

extern const ct_script_module ct_api_transform_component;

// The world whose manager is argument 1.
static ct_world *check_world_of_manager(lua_State *L) {
    return ct_check_object(L, 1, CT_OBJECT_KIND_TRANSFORM_COMPONENT, NULL);
}

// The transform of the entity at argument 2.
static ct_script_pose check_pose(lua_State *L) {
    const ct_world *const world = check_world_of_manager(L);
    return ct_check_transform(L, 2, world, ct_check_unit_of(L, 2, world));
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
    return ct_take_local_pose(L, check_pose(L), 3);
}

static int set_local_position(lua_State *L) {
    return ct_take_local_position(L, check_pose(L), 3);
}

static int set_local_rotation(lua_State *L) {
    return ct_take_local_rotation(L, check_pose(L), 3);
}

static int set_local_scale(lua_State *L) {
    return ct_take_local_scale(L, check_pose(L), 3);
}

static int set_local_positions(lua_State *L) {
    const ct_world *const world = check_world_of_manager(L);
    ct_transform_manager *const m = ct_world_transforms(world);
    CT_TEMP_ALLOCATOR(temp, ct_script_of(L)->allocator);
    uint32_t num_positions;
    const uint32_t count = ct_check_array(L, 2);
    const ct_vec3 *const positions = ct_check_positions(L, 3, temp, &num_positions);
    if (num_positions != count)
        ct_argument_error(L, 3, "expected a position for each of %u units, got %u", count,
                          num_positions);
    ct_transform *const transforms = ct_alloc(temp, sizeof(ct_transform) * (uint64_t)count);
    for (uint32_t i = 0; i < count; ++i) {
        transforms[i] = ct_transform_lookup(m, ct_check_unit_in(L, 2, i + 1, world));
        if (!transforms[i].index)
            ct_argument_error(L, 2, "expected a Unit with a transform at index %u", i + 1);
    }
    ct_transform_set_local_positions(m, transforms, positions, count);
    return 0;
}

// --- Links ---------------------------------------------------------------------------------------

static ct_quat optional_rotation(lua_State *L, int argument, ct_quat otherwise) {
    return lua_isnoneornil(L, argument) ? otherwise : ct_check_finite_quaternion(L, argument);
}

static ct_vec3 optional_vector(lua_State *L, int argument, ct_vec3 otherwise) {
    return lua_isnoneornil(L, argument) ? otherwise : ct_check_finite_vector3(L, argument);
}

// Links to a node with an optional new local pose at arguments `first` to `first` + 2. `has_node`:
// the node is at the argument before; otherwise it is the entity.
static int link_with_pose(lua_State *L, int first, bool has_node) {
    const ct_world *const world = check_world_of_manager(L);
    const ct_script_pose child = check_pose(L);
    const ct_entity parent = ct_check_unit_of(L, 3, world);
    const uint32_t node = has_node ? ct_check_node(L, first - 1, world, parent) : 0;
    ct_transform_manager *const m = child.transforms;
    const ct_transform t = child.transform;
    const ct_vec3 position = optional_vector(L, first, ct_transform_local_position(m, t));
    const ct_quat rotation = optional_rotation(L, first + 1, ct_transform_local_rotation(m, t));
    const ct_vec3 scale = optional_vector(L, first + 2, ct_transform_local_scale(m, t));
    if (!ct_script_link(L, 3, world, child.entity, parent, node))
        ct_argument_error(L, 3, "the entity is what is to be linked, or is linked below it");
    ct_transform_set_local_pose(m, t, position, rotation, scale);
    return 0;
}

static int link_entity(lua_State *L) {
    return link_with_pose(L, 4, false);
}

static int link_to_scene_graph(lua_State *L) {
    return link_with_pose(L, 5, true);
}

static int unlink_entity(lua_State *L) {
    const ct_script_pose p = check_pose(L);
    ct_transform_unlink(p.transforms, p.transform);
    return 0;
}

static int parent(lua_State *L) {
    const ct_script_pose p = check_pose(L);
    const ct_transform t = ct_transform_parent(p.transforms, p.transform);
    ct_push_entity(L, t.index ? ct_transform_entity(p.transforms, t) : (ct_entity){0});
    return 1;
}

static int children(lua_State *L) {
    const ct_script_pose p = check_pose(L);
    lua_newtable(L);
    int count = 0;
    for (ct_transform t = ct_transform_first_child(p.transforms, p.transform); t.index;
         t = ct_transform_next_sibling(p.transforms, t)) {
        ct_push_entity(L, ct_transform_entity(p.transforms, t));
        lua_rawseti(L, -2, ++count);
    }
    return 1;
}

// --- Instances -----------------------------------------------------------------------------------

// An entity has one, which moves in the arrays: the number of the entity says which it is.
static int push_instance(lua_State *L, const ct_transform_manager *m, ct_transform t) {
    if (t.index)
        lua_pushnumber(L, ct_transform_entity(m, t).id);
    else
        lua_pushnil(L);
    return 1;
}

static int create(lua_State *L) {
    const ct_world *const world = check_world_of_manager(L);
    const ct_entity e = ct_check_unit_of(L, 2, world);
    ct_transform_manager *const m = ct_world_transforms(world);
    if (ct_transform_lookup(m, e).index)
        ct_argument_error(L, 2, "expected an entity without a transform, got one that has one");
    return push_instance(L, m,
                         ct_transform_create(m, e, ct_vec3_make(0, 0, 0), ct_quat_identity(),
                                             ct_vec3_make(1, 1, 1)));
}

// The transform of the instance at argument 2.
static ct_script_pose check_instance(lua_State *L) {
    ct_transform_manager *const m = ct_world_transforms(check_world_of_manager(L));
    const ct_entity e = {(uint32_t)ct_check_integer(L, 2, 1, MOST_ENTITY)};
    const ct_transform t = ct_transform_lookup(m, e);
    if (t.index == 0)
        ct_argument_error(L, 2, "expected an instance, got one that has ended");
    return (ct_script_pose){.transforms = m, .transform = t, .entity = e};
}

static int destroy(lua_State *L) {
    const ct_script_pose p = check_instance(L);
    const ct_entity e = ct_transform_entity(p.transforms, p.transform);
    ct_transform_destroy(p.transforms, &e, 1);
    return 0;
}

static int destroy_all(lua_State *L) {
    const ct_world *const world = check_world_of_manager(L);
    const ct_entity e = ct_check_unit_of(L, 2, world);
    ct_transform_destroy(ct_world_transforms(world), &e, 1);
    return 0;
}

static int lookup(lua_State *L) {
    const ct_world *const world = check_world_of_manager(L);
    const ct_entity e = ct_check_unit_of(L, 2, world);
    const ct_transform_manager *const m = ct_world_transforms(world);
    return push_instance(L, m, ct_transform_lookup(m, e));
}

static int instances(lua_State *L) {
    lookup(L);
    return lua_isnil(L, -1) ? 0 : 1;
}

// --- Properties ----------------------------------------------------------------------------------

static const ct_schema *schema(void) {
    return ct_component_type_named("transform")->schema;
}

static ct_transform_data data_of(ct_script_pose p) {
    ct_transform_data data;
    memcpy(data.position, ct_transform_local_position(p.transforms, p.transform).raw,
           sizeof data.position);
    memcpy(data.rotation, ct_transform_local_rotation(p.transforms, p.transform).raw,
           sizeof data.rotation);
    memcpy(data.scale, ct_transform_local_scale(p.transforms, p.transform).raw, sizeof data.scale);
    return data;
}

static int push_property(lua_State *L, ct_script_pose p, int key) {
    const ct_transform_data data = data_of(p);
    return ct_push_property(L, ct_check_property(L, key, schema()), &data);
}

static int take_property(lua_State *L, ct_script_pose p, int key) {
    ct_transform_data data = data_of(p);
    ct_take_property(L, key + 1, ct_check_property(L, key, schema()), &data);
    ct_vec3 position, scale;
    ct_quat rotation;
    memcpy(&position, data.position, sizeof position);
    memcpy(&rotation, data.rotation, sizeof rotation);
    memcpy(&scale, data.scale, sizeof scale);
    ct_transform_set_local_pose(p.transforms, p.transform, position, rotation, scale);
    return 0;
}

static int get_property(lua_State *L) {
    return push_property(L, check_instance(L), 3);
}

static int get_property_by_id(lua_State *L) {
    return push_property(L, check_pose(L), 4);
}

static int set_property(lua_State *L) {
    return take_property(L, check_instance(L), 3);
}

static int set_property_by_id(lua_State *L) {
    const ct_script_pose p = check_pose(L);
    take_property(L, p, 4);
    return push_instance(L, p.transforms, p.transform);
}

static const ct_script_function functions[] = {
    {"children", children, "(self: TransformComponent, parent: Entity) -> Entity[]",
     "The entities linked to an entity, in the order they were linked."},
    {"create", create,
     "(self: TransformComponent, entity: Entity, id: any(integer,string)?) -> integer",
     "Gives an entity a transform at the origin; it can have one, so the id is not looked at."},
    {"destroy", destroy, "(self: TransformComponent, instance: integer) -> nil",
     "Ends a transform."},
    {"destroy_all", destroy_all, "(self: TransformComponent, entity: Entity) -> nil",
     "Ends the transform of an entity, if it has one."},
    {"get_property", get_property,
     "(self: TransformComponent, instance: integer, key: any(string,string[])) -> any",
     "The position, rotation or scale of an instance, by these names."},
    {"get_property_by_id", get_property_by_id,
     "(self: TransformComponent, entity: Entity, id: any(integer,string)?, "
     "key: any(string,string[])) -> any",
     "The position, rotation or scale of an entity, by these names."},
    {"instances", instances, "(self: TransformComponent, entity: Entity) -> integer*",
     "The instance of an entity; nothing when it has none."},
    {"link", link_entity,
     "(self: TransformComponent, child: Entity, parent: Entity, position: Vector3?, "
     "rotation: Quaternion?, scale: Vector3?) -> nil",
     "Hangs an entity on another; its local pose, or the one given, is relative to that."},
    {"link_to_scene_graph", link_to_scene_graph,
     "(self: TransformComponent, child: Entity, parent: Entity, node: integer, "
     "position: Vector3?, rotation: Quaternion?, scale: Vector3?) -> nil",
     "As link, to a node of the other's scene graph; 1 is the other itself."},
    {"local_pose", local_pose, "(self: TransformComponent, entity: Entity) -> Matrix4x4",
     "The pose relative to the parent."},
    {"local_position", local_position, "(self: TransformComponent, entity: Entity) -> Vector3",
     "The position relative to the parent, in metres."},
    {"local_rotation", local_rotation, "(self: TransformComponent, entity: Entity) -> Quaternion",
     "The rotation relative to the parent."},
    {"local_scale", local_scale, "(self: TransformComponent, entity: Entity) -> Vector3",
     "The scale relative to the parent."},
    {"lookup", lookup,
     "(self: TransformComponent, entity: Entity, id: any(integer,string)?) -> integer?",
     "The instance of an entity, valid while it has a transform, or nil."},
    {"parent", parent, "(self: TransformComponent, child: Entity) -> Entity?",
     "The entity that an entity is linked to, or nil."},
    {"set_local_pose", set_local_pose,
     "(self: TransformComponent, entity: Entity, pose: Matrix4x4) -> nil",
     "Sets the pose relative to the parent."},
    {"set_local_position", set_local_position,
     "(self: TransformComponent, entity: Entity, position: Vector3) -> nil",
     "Sets the position relative to the parent, in metres."},
    {"set_local_positions", set_local_positions,
     "(self: TransformComponent, entities: Entity[], positions: any(number[],Vector3[])) -> nil",
     "Sets many positions at once, given as x1, y1, z1, x2 and so on, or as Vector3s."},
    {"set_local_rotation", set_local_rotation,
     "(self: TransformComponent, entity: Entity, rotation: Quaternion) -> nil",
     "Sets the rotation relative to the parent."},
    {"set_local_scale", set_local_scale,
     "(self: TransformComponent, entity: Entity, scale: Vector3) -> nil",
     "Sets the scale relative to the parent."},
    {"set_property", set_property,
     "(self: TransformComponent, instance: integer, key: any(string,string[]), value: any) -> nil",
     "Sets the position, rotation or scale of an instance, by these names."},
    {"set_property_by_id", set_property_by_id,
     "(self: TransformComponent, entity: Entity, id: any(integer,string)?, "
     "key: any(string,string[]), value: any) -> integer",
     "Sets the position, rotation or scale of an entity, by these names; returns its instance."},
    {"unlink", unlink_entity, "(self: TransformComponent, child: Entity) -> nil",
     "Takes an entity off its parent; it keeps its pose in the world."},
    {"world_pose", world_pose, "(self: TransformComponent, entity: Entity) -> Matrix4x4",
     "The pose in the world."},
    {"world_position", world_position, "(self: TransformComponent, entity: Entity) -> Vector3",
     "The position in the world, in metres."},
    {"world_rotation", world_rotation, "(self: TransformComponent, entity: Entity) -> Quaternion",
     "The rotation in the world."},
};

const ct_script_module ct_api_transform_component = {
    .name = "TransformComponent",
    .doc = "The poses of a world's entities, and what is linked to what.",
    .functions = functions,
    .num_functions = CT_COUNT_OF(functions),
};
