#include <string.h>

#include "foundation/math/math.h"
#include "script/entity/api_managers.h"
#include "script/entity/api_property.h"
#include "script/world/api_transform.h"

extern const ct_lua_module ct_api_transform_component;

const ct_lua_object_type ct_type_transform_component = {.name = "TransformComponent",
                                                        .owner = CT_LUA_OWNER_OBJECT};

ct_world *ct_check_world_of_transforms(lua_State *L) {
    return ct_check_object(L, 1, &ct_type_transform_component, NULL);
}

ct_script_pose ct_check_transform_pose(lua_State *L) {
    const ct_world *const world = ct_check_world_of_transforms(L);
    return ct_check_transform(L, 2, world, ct_check_entity(L, 2));
}

// --- Poses ---------------------------------------------------------------------------------------

static int local_pose(lua_State *L) {
    return ct_push_local_pose(L, ct_check_transform_pose(L));
}

static int local_position(lua_State *L) {
    return ct_push_local_position(L, ct_check_transform_pose(L));
}

static int local_rotation(lua_State *L) {
    return ct_push_local_rotation(L, ct_check_transform_pose(L));
}

static int local_scale(lua_State *L) {
    return ct_push_local_scale(L, ct_check_transform_pose(L));
}

static int world_pose(lua_State *L) {
    return ct_push_world_pose(L, ct_check_transform_pose(L));
}

static int world_position(lua_State *L) {
    return ct_push_world_position(L, ct_check_transform_pose(L));
}

static int world_rotation(lua_State *L) {
    return ct_push_world_rotation(L, ct_check_transform_pose(L));
}

static int set_local_pose(lua_State *L) {
    return ct_take_local_pose(L, ct_check_transform_pose(L), 3);
}

static int set_local_position(lua_State *L) {
    return ct_take_local_position(L, ct_check_transform_pose(L), 3);
}

static int set_local_rotation(lua_State *L) {
    return ct_take_local_rotation(L, ct_check_transform_pose(L), 3);
}

static int set_local_scale(lua_State *L) {
    return ct_take_local_scale(L, ct_check_transform_pose(L), 3);
}

// --- Instances -----------------------------------------------------------------------------------

static int create(lua_State *L) {
    const ct_world *const world = ct_check_world_of_transforms(L);
    const ct_entity e = ct_check_entity(L, 2);
    ct_transform_manager *const m = ct_world_transforms(world);
    if (ct_transform_lookup(m, e).index)
        ct_argument_error(L, 2, "expected an entity without a transform, got one with a transform");
    ct_transform_create(m, e, ct_vec3_make(0, 0, 0), ct_quat_identity(), ct_vec3_make(1, 1, 1));
    return ct_push_single_instance(L, e);
}

// The transform of the instance at argument 2.
static ct_script_pose check_instance(lua_State *L) {
    ct_transform_manager *const m = ct_world_transforms(ct_check_world_of_transforms(L));
    const ct_transform t = ct_transform_lookup(m, ct_check_single_instance(L, 2));
    if (!t.index)
        ct_instance_error(L, 2, "transform");
    return (ct_script_pose){.transforms = m, .transform = t};
}

static int destroy(lua_State *L) {
    const ct_script_pose p = check_instance(L);
    const ct_entity e = ct_transform_entity(p.transforms, p.transform);
    ct_transform_destroy(p.transforms, &e, 1);
    return 0;
}

static int destroy_all(lua_State *L) {
    const ct_world *const world = ct_check_world_of_transforms(L);
    const ct_entity e = ct_check_entity(L, 2);
    ct_transform_destroy(ct_world_transforms(world), &e, 1);
    return 0;
}

// The entity at argument 2 when it has a transform, or none.
static ct_entity check_owner(lua_State *L) {
    const ct_world *const world = ct_check_world_of_transforms(L);
    const ct_entity e = ct_check_entity(L, 2);
    const ct_transform t = ct_transform_lookup(ct_world_transforms(world), e);
    return t.index ? e : (ct_entity){0};
}

static int lookup(lua_State *L) {
    return ct_push_single_instance(L, check_owner(L));
}

static int instances(lua_State *L) {
    return ct_push_single_instances(L, check_owner(L));
}

static int instance_ids(lua_State *L) {
    return ct_push_single_ids(L, check_owner(L));
}

// --- Properties ----------------------------------------------------------------------------------

static const ct_schema *schema(void) {
    return ct_component_type_named("transform")->schema;
}

static ct_transform_data data_of(ct_script_pose p) {
    ct_transform_data data;
    memcpy(data.position, ct_transform_local_position(p.transforms, p.transform).raw,
           sizeof(data.position));
    memcpy(data.rotation, ct_transform_local_rotation(p.transforms, p.transform).raw,
           sizeof(data.rotation));
    memcpy(data.scale, ct_transform_local_scale(p.transforms, p.transform).raw, sizeof(data.scale));
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
    memcpy(&position, data.position, sizeof(position));
    memcpy(&rotation, data.rotation, sizeof(rotation));
    memcpy(&scale, data.scale, sizeof(scale));
    ct_transform_set_local_pose(p.transforms, p.transform, position, rotation, scale);
    return 0;
}

static int get_property(lua_State *L) {
    return push_property(L, check_instance(L), 3);
}

static int get_property_by_id(lua_State *L) {
    return push_property(L, ct_check_transform_pose(L), 4);
}

static int set_property(lua_State *L) {
    return take_property(L, check_instance(L), 3);
}

static int set_property_by_id(lua_State *L) {
    const ct_script_pose p = ct_check_transform_pose(L);
    take_property(L, p, 4);
    return ct_push_single_instance(L, ct_transform_entity(p.transforms, p.transform));
}

#define INTO ", in a new array, or in `result`, which is resized."
#define RESULT ", in a new table or in `result`."

static const ct_lua_function functions[] = {
    {"children", ct_transforms_children,
     "(self: TransformComponent, parent: Entity, result: EntityArray?) -> "
     "any(Entity[],EntityArray)",
     "Returns the entities linked to an entity, in the order in which they were linked" RESULT},
    {"create", create,
     "(self: TransformComponent, entity: Entity, id: any(integer,string)?) -> integer",
     "Gives an entity a transform at the origin; returns the instance. An entity has at most one "
     "transform, so the id is ignored."},
    {"descendants", ct_transforms_descendants,
     "(self: TransformComponent, entity: Entity, result: EntityArray?) -> "
     "any(Entity[],EntityArray)",
     "Returns everything linked below an entity, parents before their children" RESULT},
    {"destroy", destroy, "(self: TransformComponent, instance: integer) -> nil",
     "Destroys a transform. Entities linked to it keep their pose in the world."},
    {"destroy_all", destroy_all, "(self: TransformComponent, entity: Entity) -> nil",
     "Destroys the transform of an entity, if it has one."},
    {"get_property", get_property,
     "(self: TransformComponent, instance: integer, key: any(string,string[])) -> any",
     "Returns the property \"position\", \"rotation\" or \"scale\" of an instance."},
    {"get_property_by_id", get_property_by_id,
     "(self: TransformComponent, entity: Entity, id: any(integer,string)?, "
     "key: any(string,string[])) -> any",
     "Returns the property \"position\", \"rotation\" or \"scale\" of an entity."},
    {"instance_ids", instance_ids, "(self: TransformComponent, entity: Entity) -> integer*",
     "Returns the id of an entity's transform, 0, or nothing when it has none."},
    {"instances", instances, "(self: TransformComponent, entity: Entity) -> integer*",
     "Returns the instance of an entity, or nothing when it has none."},
    {"is_below", ct_transforms_is_below,
     "(self: TransformComponent, entity: Entity, ancestor: Entity) -> boolean",
     "Returns whether an entity is linked to another, directly or further up."},
    {"link", ct_transforms_link,
     "(self: TransformComponent, child: Entity, parent: Entity, position: Vector3?, "
     "rotation: Quaternion?, scale: Vector3?) -> nil",
     "Links an entity to another. Its local pose, or the given one, is then relative to that "
     "entity."},
    {"link_in_place", ct_transforms_link_in_place,
     "(self: TransformComponent, child: Entity, parent: Entity, node: integer?) -> nil",
     "Works like link_to_scene_graph, or like link when no node is given, but the entity keeps its "
     "pose in the world. If a parent with a scale of 0 makes that impossible, it keeps its local "
     "pose."},
    {"link_to_scene_graph", ct_transforms_link_to_scene_graph,
     "(self: TransformComponent, child: Entity, parent: Entity, node: integer, "
     "position: Vector3?, rotation: Quaternion?, scale: Vector3?) -> nil",
     "Works like link, but links to a node of the other entity's scene graph; 1 is that entity "
     "itself."},
    {"local_pose", local_pose, "(self: TransformComponent, entity: Entity) -> Matrix4x4",
     "Returns the pose relative to the parent."},
    {"local_poses", ct_transforms_local_poses,
     "(self: TransformComponent, entities: any(EntityArray,Entity[]), result: Float32Array?) -> "
     "Float32Array",
     "Returns the poses of many entities relative to their parents, 16 numbers each" INTO},
    {"local_position", local_position, "(self: TransformComponent, entity: Entity) -> Vector3",
     "Returns the position relative to the parent, in metres."},
    {"local_positions", ct_transforms_local_positions,
     "(self: TransformComponent, entities: any(EntityArray,Entity[]), result: Float32Array?) -> "
     "Float32Array",
     "Returns the positions of many entities relative to their parents, x, y and z each, in "
     "metres" INTO},
    {"local_rotation", local_rotation, "(self: TransformComponent, entity: Entity) -> Quaternion",
     "Returns the rotation relative to the parent."},
    {"local_rotations", ct_transforms_local_rotations,
     "(self: TransformComponent, entities: any(EntityArray,Entity[]), result: Float32Array?) -> "
     "Float32Array",
     "Returns the rotations of many entities relative to their parents, x, y, z and w each" INTO},
    {"local_scale", local_scale, "(self: TransformComponent, entity: Entity) -> Vector3",
     "Returns the scale relative to the parent."},
    {"local_scales", ct_transforms_local_scales,
     "(self: TransformComponent, entities: any(EntityArray,Entity[]), result: Float32Array?) -> "
     "Float32Array",
     "Returns the scales of many entities relative to their parents, x, y and z each" INTO},
    {"lookup", lookup,
     "(self: TransformComponent, entity: Entity, id: any(integer,string)?) -> integer?",
     "Returns the instance of an entity, valid until it is destroyed, or nil."},
    {"num_children", ct_transforms_num_children,
     "(self: TransformComponent, parent: Entity) -> integer",
     "Returns the number of entities linked to an entity."},
    {"parent", ct_transforms_parent, "(self: TransformComponent, child: Entity) -> Entity?",
     "Returns the entity to which an entity is linked, or nil."},
    {"root", ct_transforms_root, "(self: TransformComponent, entity: Entity) -> Entity",
     "Returns the topmost entity above an entity, or the entity itself when it is not linked."},
    {"set_local_pose", set_local_pose,
     "(self: TransformComponent, entity: Entity, pose: Matrix4x4) -> nil",
     "Sets the pose relative to the parent."},
    {"set_local_poses", ct_transforms_set_local_poses,
     "(self: TransformComponent, entities: any(EntityArray,Entity[]), poses: Float32Array) -> nil",
     "Sets the poses of many entities, 16 numbers each. An entity linked below several of them is "
     "updated once."},
    {"set_local_position", set_local_position,
     "(self: TransformComponent, entity: Entity, position: Vector3) -> nil",
     "Sets the position relative to the parent, in metres."},
    {"set_local_positions", ct_transforms_set_local_positions,
     "(self: TransformComponent, entities: any(EntityArray,Entity[]), positions: "
     "any(Float32Array,number[],Vector3[])) -> nil",
     "Sets the positions of many entities, in metres: x1, y1, z1, x2 and so on, or Vector3s. An "
     "entity linked below several of them is updated once."},
    {"set_local_rotation", set_local_rotation,
     "(self: TransformComponent, entity: Entity, rotation: Quaternion) -> nil",
     "Sets the rotation relative to the parent."},
    {"set_local_rotations", ct_transforms_set_local_rotations,
     "(self: TransformComponent, entities: any(EntityArray,Entity[]), rotations: Float32Array) -> "
     "nil",
     "Sets the rotations of many entities, x, y, z and w each."},
    {"set_local_scale", set_local_scale,
     "(self: TransformComponent, entity: Entity, scale: Vector3) -> nil",
     "Sets the scale relative to the parent; negative numbers mirror, 0 flattens."},
    {"set_local_scales", ct_transforms_set_local_scales,
     "(self: TransformComponent, entities: any(EntityArray,Entity[]), scales: Float32Array) -> nil",
     "Sets the scales of many entities, x, y and z each."},
    {"set_property", set_property,
     "(self: TransformComponent, instance: integer, key: any(string,string[]), value: any) -> nil",
     "Sets the property \"position\", \"rotation\" or \"scale\" of an instance."},
    {"set_property_by_id", set_property_by_id,
     "(self: TransformComponent, entity: Entity, id: any(integer,string)?, "
     "key: any(string,string[]), value: any) -> integer",
     "Sets the property \"position\", \"rotation\" or \"scale\" of an entity; returns the "
     "instance."},
    {"unlink", ct_transforms_unlink, "(self: TransformComponent, child: Entity) -> nil",
     "Unlinks an entity from its parent; it keeps its pose in the world."},
    {"world_pose", world_pose, "(self: TransformComponent, entity: Entity) -> Matrix4x4",
     "Returns the pose in the world."},
    {"world_poses", ct_transforms_world_poses,
     "(self: TransformComponent, entities: any(EntityArray,Entity[]), result: Float32Array?) -> "
     "Float32Array",
     "Returns the poses of many entities in the world, 16 numbers each" INTO},
    {"world_position", world_position, "(self: TransformComponent, entity: Entity) -> Vector3",
     "Returns the position in the world, in metres."},
    {"world_positions", ct_transforms_world_positions,
     "(self: TransformComponent, entities: any(EntityArray,Entity[]), result: Float32Array?) -> "
     "Float32Array",
     "Returns the positions of many entities in the world, x, y and z each, in metres" INTO},
    {"world_rotation", world_rotation, "(self: TransformComponent, entity: Entity) -> Quaternion",
     "Returns the rotation in the world."},
    {"world_rotations", ct_transforms_world_rotations,
     "(self: TransformComponent, entities: any(EntityArray,Entity[]), result: Float32Array?) -> "
     "Float32Array",
     "Returns the rotations of many entities in the world, x, y, z and w each" INTO},
};

const ct_lua_module ct_api_transform_component = {
    .name = "TransformComponent",
    .doc = "The poses of a world's entities and the links between them. Get it with "
           "EntityManager.transform_component.",
    .functions = functions,
    .num_functions = CT_COUNT_OF(functions),
};
