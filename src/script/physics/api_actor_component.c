#include <string.h>

#include "foundation/math/math.h"
#include "foundation/memory/temp_allocator.h"
#include "lua/lua_array.h"
#include "script/entity/api_managers.h"
#include "script/entity/api_property.h"
#include "script/physics/api_physics_spawn.h"

extern const ct_lua_module ct_api_actor_component;

const ct_lua_object_type ct_type_actor_component = {.name = "ActorComponent",
                                                    .owner = CT_LUA_OWNER_OBJECT};

static ct_world *check_component(lua_State *L) {
    ct_world *const world = ct_check_object(L, 1, &ct_type_actor_component, NULL);
    ct_check_physics(L, world);
    return world;
}

// The entity at argument 2, and its world's physics.
typedef struct place {
    ct_world *world;
    ct_physics_world *physics;
    ct_entity entity;
} place;

static place check_place(lua_State *L) {
    ct_world *const world = check_component(L);
    return (place){world, ct_world_physics(world), ct_check_unit_of(L, 2, world)};
}

static ct_actor with_id(const place *p, uint32_t id) {
    ct_actor a = ct_actor_first(p->physics, p->entity);
    while (a.id &&
           (ct_actor_component_id(p->physics, a) != id || ct_actor_is_trigger(p->physics, a)))
        a = ct_actor_next(p->physics, a);
    return a;
}

// --- Making --------------------------------------------------------------------------------------

// The id at argument 3, which the entity must not have yet.
static uint32_t check_new_id(lua_State *L, const place *p) {
    const uint32_t id = ct_check_component_id(L, 3);
    if (with_id(p, id).id)
        ct_argument_error(L, 3, "the entity already has an actor with the id %s",
                          ct_string_id32_name((ct_string_id32){id}));
    return id;
}

static int push_made(lua_State *L, const place *p, uint32_t id, const ct_actor_data *data,
                     const ct_actor_shape_data *shape) {
    const ct_actor_desc desc = {.entity = p->entity,
                                .component_id = id,
                                .data = data,
                                .shapes = shape,
                                .num_shapes = shape ? 1 : 0};
    return ct_push_actor_instance(L, p->world, ct_make_actor(L, p->world, &desc));
}

static int create(lua_State *L) {
    const place p = check_place(L);
    const uint32_t id = check_new_id(L, &p);
    const ct_actor_data data = {.given = 0};
    return push_made(L, &p, id, &data, NULL);
}

// Moves a shape to the pose at argument 4, in the space of the entity.
static void take_pose(lua_State *L, ct_actor_shape_data *shape) {
    const ct_rigid_pose pose = ct_check_rigid_pose(L, 4);
    memcpy(shape->position, pose.position.raw, sizeof(shape->position));
    memcpy(shape->rotation, pose.rotation.raw, sizeof(shape->rotation));
}

static int create_capsule(lua_State *L) {
    const place p = check_place(L);
    const uint32_t id = check_new_id(L, &p);
    ct_actor_shape_data shape = ct_plain_shape(CT_ACTOR_SHAPE_CAPSULE);
    take_pose(L, &shape);
    shape.radius = ct_check_shape_size(L, 5, "radius");
    shape.height = ct_check_shape_size(L, 6, "height");
    if (shape.height < 2 * shape.radius)
        ct_argument_error(L, 6, "expected the height with both ends, %g or more, got %g",
                          2 * (double)shape.radius, (double)shape.height);
    const ct_actor_data data = ct_check_actor_data(L, 7, p.physics, CT_ACTOR_DYNAMIC);
    return push_made(L, &p, id, &data, &shape);
}

static int create_sphere(lua_State *L) {
    const place p = check_place(L);
    const uint32_t id = check_new_id(L, &p);
    ct_actor_shape_data shape = ct_plain_shape(CT_ACTOR_SHAPE_SPHERE);
    take_pose(L, &shape);
    shape.radius = ct_check_shape_size(L, 5, "radius");
    const ct_actor_data data = ct_check_actor_data(L, 6, p.physics, CT_ACTOR_DYNAMIC);
    return push_made(L, &p, id, &data, &shape);
}

static int create_plane(lua_State *L) {
    const place p = check_place(L);
    const uint32_t id = check_new_id(L, &p);
    ct_actor_shape_data shape = ct_plain_shape(CT_ACTOR_SHAPE_PLANE);
    const ct_rigid_pose pose = ct_check_rigid_pose(L, 4);
    const ct_quat rotation = ct_quat_mul(pose.rotation, ct_check_plane_rotation(L, 5));
    memcpy(shape.position, pose.position.raw, sizeof(shape.position));
    memcpy(shape.rotation, rotation.raw, sizeof(shape.rotation));
    const ct_actor_data data = ct_check_actor_data(L, 6, p.physics, CT_ACTOR_STATIC);
    return push_made(L, &p, id, &data, &shape);
}

// --- Ending --------------------------------------------------------------------------------------

static int destroy(lua_State *L) {
    ct_world *const world = check_component(L);
    ct_actor_destroy(ct_world_physics(world), ct_check_actor_instance(L, 2, world));
    return 0;
}

// Triggers are no components of this type.
static ct_actor skip_triggers(const ct_physics_world *p, ct_actor a) {
    while (a.id && ct_actor_is_trigger(p, a))
        a = ct_actor_next(p, a);
    return a;
}

static int destroy_all(lua_State *L) {
    const place p = check_place(L);
    ct_actor a;
    while ((a = skip_triggers(p.physics, ct_actor_first(p.physics, p.entity))).id)
        ct_actor_destroy(p.physics, a);
    return 0;
}

// --- Finding -------------------------------------------------------------------------------------

// Pushes the instances, or their ids, of the entity at argument 2.
static int push_instances(lua_State *L, bool wants_ids) {
    const place p = check_place(L);
    int count = 0;
    ct_actor a = skip_triggers(p.physics, ct_actor_first(p.physics, p.entity));
    for (; a.id; a = skip_triggers(p.physics, ct_actor_next(p.physics, a))) {
        luaL_checkstack(L, 2, "too many actors");
        if (wants_ids)
            lua_pushnumber(L, ct_actor_component_id(p.physics, a));
        else
            ct_push_actor_instance(L, p.world, a);
        ++count;
    }
    return count;
}

static int instances(lua_State *L) {
    return push_instances(L, false);
}

static int instance_ids(lua_State *L) {
    return push_instances(L, true);
}

static int lookup(lua_State *L) {
    const place p = check_place(L);
    const ct_actor a = with_id(&p, ct_check_component_id(L, 3));
    if (a.id)
        return ct_push_actor_instance(L, p.world, a);
    lua_pushnil(L);
    return 1;
}

// Actors are in the world as soon as they are made.
static int spawned(lua_State *L) {
    const ct_world *const world = check_component(L);
    const uint32_t count = ct_check_entity_count(L, 2);
    CT_TEMP_ALLOCATOR(temp, ct_lua_of(L)->allocator);
    ct_entity *const copies = ct_alloc(temp, sizeof(ct_entity) * (count + 1ull));
    const ct_entity *const entities = ct_check_entities(L, 2, copies, count);
    for (uint32_t k = 0; k < count; ++k)
        ct_check_unit_at(L, 2, entities[k], k, world);
    return 0;
}

// --- Properties ----------------------------------------------------------------------------------

// The actor of the entity at argument 2 with the id at argument 3.
static ct_actor check_with_id(lua_State *L, const place *p) {
    const uint32_t id = ct_check_component_id(L, 3);
    const ct_actor a = with_id(p, id);
    if (!a.id)
        ct_argument_error(L, 3, "the entity has no actor with the id %s",
                          ct_string_id32_name((ct_string_id32){id}));
    return a;
}

static int push_property(lua_State *L, const ct_physics_world *p, ct_actor a, int key) {
    const ct_actor_data data = ct_actor_data_of(p, a);
    return ct_push_property(L, ct_check_property(L, key, &ct_actor_head_schema), &data);
}

static void set_body(lua_State *L, ct_physics_world *p, ct_actor a, const ct_actor_data *data) {
    ct_error error = {0};
    if (!ct_actor_set_body(p, a, (ct_actor_body)data->body, &error))
        ct_function_error(L, "%s", error.message);
}

static void set_material(lua_State *L, ct_physics_world *p, ct_actor a, const ct_actor_data *data) {
    (void)L;
    ct_actor_set_material(p, a, data->material);
}

static void set_filter(lua_State *L, ct_physics_world *p, ct_actor a, const ct_actor_data *data) {
    (void)L;
    ct_actor_set_filter(p, a, data->filter);
}

static void set_damping(lua_State *L, ct_physics_world *p, ct_actor a, const ct_actor_data *data) {
    (void)L;
    ct_actor_set_damping(p, a, data->linear_damping, data->angular_damping);
}

static void set_gravity(lua_State *L, ct_physics_world *p, ct_actor a, const ct_actor_data *data) {
    (void)L;
    ct_actor_set_gravity_enabled(p, a, data->has_gravity != 0);
}

static void set_collision(lua_State *L, ct_physics_world *p, ct_actor a,
                          const ct_actor_data *data) {
    (void)L;
    ct_actor_set_collision_enabled(p, a, data->is_collision_enabled != 0);
}

static void set_scene_query(lua_State *L, ct_physics_world *p, ct_actor a,
                            const ct_actor_data *data) {
    (void)L;
    ct_actor_set_scene_query_enabled(p, a, data->is_scene_query_enabled != 0);
}

// What can change while an actor lives: each property, and how it is set to that of the data.
// clang-format off
#define SETTABLE(X)                               \
    X(body, set_body)                             \
    X(material, set_material)                     \
    X(filter, set_filter)                         \
    X(linear_damping, set_damping)                \
    X(angular_damping, set_damping)               \
    X(has_gravity, set_gravity)                   \
    X(is_collision_enabled, set_collision)        \
    X(is_scene_query_enabled, set_scene_query)
// clang-format on
#define AS_ROW(name, set) {#name, set},
#define AS_TEXT(name, set) #name ", "

typedef struct settable_property {
    const char *name;
    void (*set)(lua_State *L, ct_physics_world *p, ct_actor a, const ct_actor_data *data);
} settable_property;

static const settable_property settable[] = {SETTABLE(AS_ROW)};

static const settable_property *find_settable(const char *name) {
    for (uint32_t i = 0; i < CT_COUNT_OF(settable); ++i) {
        if (strcmp(settable[i].name, name) == 0)
            return &settable[i];
    }
    return NULL;
}

// Sets a property, unless that changes nothing: each change may wake the actor.
static void take_property(lua_State *L, ct_physics_world *p, ct_actor a, int key) {
    const ct_field *const field = ct_check_property(L, key, &ct_actor_head_schema);
    const settable_property *const property = find_settable(field->name);
    if (!property) {
        ct_argument_error(L, key, "the property \"%s\" cannot be set; make another actor",
                          field->name);
        return;
    }
    const ct_actor_data before = ct_actor_data_of(p, a);
    ct_actor_data data = before;
    if (property->set == set_filter)
        data.filter = ct_check_filter(L, key + 1, p);
    else if (property->set == set_material)
        data.material = ct_check_material_name(L, key + 1, p);
    else
        ct_take_property(L, key + 1, field, &data);
    if (memcmp(&data, &before, sizeof(data)) != 0)
        property->set(L, p, a, &data);
}

static int get_property(lua_State *L) {
    const ct_world *const world = check_component(L);
    const ct_actor a = ct_check_actor_instance(L, 2, world);
    return push_property(L, ct_world_physics(world), a, 3);
}

static int get_property_by_id(lua_State *L) {
    const place p = check_place(L);
    return push_property(L, p.physics, check_with_id(L, &p), 4);
}

static int set_property(lua_State *L) {
    ct_world *const world = check_component(L);
    take_property(L, ct_world_physics(world), ct_check_actor_instance(L, 2, world), 3);
    return 0;
}

static int set_property_by_id(lua_State *L) {
    const place p = check_place(L);
    const ct_actor a = check_with_id(L, &p);
    take_property(L, p.physics, a, 4);
    return ct_push_actor_instance(L, p.world, a);
}

#define FIELDS                                                                                     \
    "a field of unit sources: name, body, material, filter, mass, linear_damping and others"

static const ct_lua_function functions[] = {
    {"create", create, "(self: ActorComponent, entity: Entity, id: any(integer,string)) -> integer",
     "Adds an actor to an entity under an id that is unique on it: static, with the collision "
     "shapes of the entity's mesh. Returns the instance."},
    {"create_capsule", create_capsule,
     "(self: ActorComponent, entity: Entity, id: any(integer,string), pose: Matrix4x4, radius: "
     "number, height: number, actor_template: string?, shape_template: string?, "
     "material_template: string?) -> integer",
     "Adds an actor that is a capsule along z of a pose in the entity's space; the height is with "
     "both ends. The names are those of PhysicsWorld.spawn_box. Returns the instance."},
    {"create_plane", create_plane,
     "(self: ActorComponent, entity: Entity, id: any(integer,string), pose: Matrix4x4, normal: "
     "Vector3, actor_template: string?, shape_template: string?, material_template: string?) -> "
     "integer",
     "Adds a static actor that is a plane, solid on the side away from the normal, which is in the "
     "space of the pose. Returns the instance."},
    {"create_sphere", create_sphere,
     "(self: ActorComponent, entity: Entity, id: any(integer,string), pose: Matrix4x4, radius: "
     "number, actor_template: string?, shape_template: string?, material_template: string?) -> "
     "integer",
     "Adds an actor that is a sphere in the entity's space. Returns the instance."},
    {"destroy", destroy, "(self: ActorComponent, instance: integer) -> nil", "Destroys an actor."},
    {"destroy_all", destroy_all, "(self: ActorComponent, entity: Entity) -> nil",
     "Destroys all actors of an entity. Triggers stay."},
    {"get_property", get_property,
     "(self: ActorComponent, instance: integer, key: any(string,string[])) -> any",
     "Returns " FIELDS "."},
    {"get_property_by_id", get_property_by_id,
     "(self: ActorComponent, entity: Entity, id: any(integer,string), key: any(string,string[])) "
     "-> any",
     "Returns " FIELDS "."},
    {"instance_ids", instance_ids, "(self: ActorComponent, entity: Entity) -> integer*",
     "Returns the ids of an entity's actors."},
    {"instances", instances, "(self: ActorComponent, entity: Entity) -> integer*",
     "Returns the instances of an entity; each is valid until it is destroyed."},
    {"lookup", lookup,
     "(self: ActorComponent, entity: Entity, id: any(integer,string)) -> integer?",
     "Returns the instance with this id of an entity, or nil."},
    {"set_property", set_property,
     "(self: ActorComponent, instance: integer, key: any(string,string[]), value: any) -> nil",
     "Sets " SETTABLE(AS_TEXT) "and no other property."},
    {"set_property_by_id", set_property_by_id,
     "(self: ActorComponent, entity: Entity, id: any(integer,string), key: any(string,string[]), "
     "value: any) -> integer",
     "Sets " SETTABLE(AS_TEXT) "and no other property; returns the instance."},
    {"spawned", spawned, "(self: ActorComponent, entities: any(EntityArray,Entity[])) -> nil",
     "Does nothing but check the entities: actors are in the world as soon as they are made."},
};

const ct_lua_module ct_api_actor_component = {
    .name = "ActorComponent",
    .doc = "The actors of a world's entities. Get it with EntityManager.actor_component.",
    .functions = functions,
    .num_functions = CT_COUNT_OF(functions),
};
