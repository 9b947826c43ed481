#include <math.h>
#include <string.h>

#include "entity/instance_table.h"
#include "foundation/math/math.h"
#include "render/component/mesh_raycast.h"
#include "script/entity/api_managers.h"
#include "script/entity/api_property.h"
#include "script/render/api_mesh.h"
#include "script/world/api_component.h"

extern const ct_lua_module ct_api_mesh_component;

const ct_lua_object_type ct_type_mesh_component = {.name = "MeshComponent",
                                                   .owner = CT_LUA_OWNER_OBJECT};

// The world whose manager is argument 1.
static ct_world *check_world_of_manager(lua_State *L) {
    return ct_check_object(L, 1, &ct_type_mesh_component, NULL);
}

typedef struct mesh_place {
    const ct_world *world;
    ct_mesh_manager *meshes;
    ct_entity entity;
    ct_mesh_instance instance;
} mesh_place;

// The mesh of the entity at argument 2 whose id is argument 3.
static mesh_place check_mesh_with_id(lua_State *L) {
    mesh_place p = {.world = check_world_of_manager(L)};
    p.meshes = ct_world_meshes(p.world);
    p.entity = ct_check_entity(L, 2);
    const uint32_t id = ct_check_component_id(L, 3);
    p.instance = ct_mesh_with_id(p.meshes, p.entity, id);
    if (!p.instance.index)
        ct_argument_error(L, 3, "the entity has no mesh with the id %s",
                          ct_string_id32_name((ct_string_id32){id}));
    return p;
}

static int push_instance(lua_State *L, const ct_mesh_manager *m, ct_entity e, ct_mesh_instance i) {
    return ct_push_instance(L, e, ct_mesh_number(m, i));
}

static ct_mesh_instance check_instance(lua_State *L, const ct_mesh_manager *m) {
    uint32_t number;
    const ct_entity e = ct_check_instance(L, 2, &number);
    const ct_mesh_instance i = ct_mesh_with_number(m, e, number, CT_INSTANCE_NUMBER_BITS);
    if (!i.index)
        ct_instance_error(L, 2, "mesh");
    return i;
}

// --- Instances -----------------------------------------------------------------------------------

static int create_with_mesh(lua_State *L) {
    ct_mesh_manager *const m = ct_world_meshes(check_world_of_manager(L));
    const ct_entity e = ct_check_entity(L, 2);
    const uint32_t id = ct_check_component_id(L, 3);
    const char *const mesh = ct_check_resource(L, 4, "mesh", NULL);
    if (ct_mesh_with_id(m, e, id).index)
        ct_argument_error(L, 3, "the entity already has a mesh with the id %s",
                          ct_string_id32_name((ct_string_id32){id}));
    const ct_component_manager manager = ct_mesh_component_manager(m);
    ct_check_room(L, &manager);
    ct_mesh_data data;
    ct_schema_defaults(ct_component_type_named("mesh")->schema, &data);
    data.mesh = ct_string_id64_of(mesh);
    const ct_mesh_instance i = ct_mesh_create(m, e, id, &data);
    ct_render_data_give(ct_world_render_data(check_world_of_manager(L)), e);
    return push_instance(L, m, e, i);
}

static int destroy(lua_State *L) {
    ct_mesh_manager *const m = ct_world_meshes(check_world_of_manager(L));
    ct_mesh_destroy(m, check_instance(L, m));
    return 0;
}

static int destroy_all(lua_State *L) {
    ct_mesh_manager *const m = ct_world_meshes(check_world_of_manager(L));
    const ct_entity e = ct_check_entity(L, 2);
    ct_mesh_instance i;
    while ((i = ct_mesh_first(m, e)).index)
        ct_mesh_destroy(m, i);
    return 0;
}

// Pushes the instances, or their ids, of the entity at argument 2.
static int push_instances(lua_State *L, bool wants_ids) {
    const ct_mesh_manager *const m = ct_world_meshes(check_world_of_manager(L));
    const ct_entity e = ct_check_entity(L, 2);
    int count = 0;
    for (ct_mesh_instance i = ct_mesh_first(m, e); i.index; i = ct_mesh_next(m, i)) {
        luaL_checkstack(L, 2, "too many meshes");
        if (wants_ids)
            lua_pushnumber(L, ct_mesh_id(m, i));
        else
            push_instance(L, m, e, i);
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
    const ct_mesh_manager *const m = ct_world_meshes(check_world_of_manager(L));
    const ct_entity e = ct_check_entity(L, 2);
    const ct_mesh_instance i = ct_mesh_with_id(m, e, ct_check_component_id(L, 3));
    if (i.index)
        return push_instance(L, m, e, i);
    lua_pushnil(L);
    return 1;
}

// --- Meshes --------------------------------------------------------------------------------------

static int mesh(lua_State *L) {
    const mesh_place p = check_mesh_with_id(L);
    if (ct_world_of(ct_script_of(L)->worlds, p.entity) != p.world)
        ct_argument_error(L, 2, "expected an entity of this world");
    return ct_push_component_instance(L, 3, &ct_component_mesh, p.world, p.entity,
                                      p.instance.index);
}

static int oobb(lua_State *L) {
    const mesh_place p = check_mesh_with_id(L);
    const ct_mesh_resource *const resource = ct_check_mesh_resource(L, 3, p.world, p.instance);
    const ct_mat4 pose = ct_script_mesh_pose(p.world, p.entity, p.instance);
    return ct_push_box(L, &pose, ct_mesh_resource_box(resource));
}

static int raycast(lua_State *L) {
    const mesh_place p = check_mesh_with_id(L);
    const ct_mesh_resource *const resource = ct_check_mesh_resource(L, 3, p.world, p.instance);
    const ct_vec3 from = ct_check_finite_vector3(L, 4), direction = ct_check_finite_vector3(L, 5);
    const bool includes_hidden = ct_check_boolean(L, 6);
    const float length = ct_vec3_length(direction);
    if (!(length > 0 && isfinite(length)))
        ct_argument_error(L, 5, "expected a direction, got a Vector3 of length %g", (double)length);
    const ct_ray ray = {from, ct_vec3_scale(direction, 1 / length)};
    const float longest = (float)ct_check_number_in(L, 7, 0, 1e7);
    const ct_mat4 pose = ct_script_mesh_pose(p.world, p.entity, p.instance);
    ct_mesh_hit hit;
    if ((!includes_hidden && !ct_mesh_is_visible(p.meshes, p.instance)) ||
        !ct_mesh_raycast(resource, &pose, ray, longest, &hit)) {
        lua_pushnil(L);
        return 1;
    }
    lua_pushnumber(L, (lua_Number)hit.distance);
    ct_push_vector3(L, hit.normal);
    return 2;
}

static int set_material(lua_State *L) {
    const mesh_place p = check_mesh_with_id(L);
    const ct_string_id32 slot = ct_check_id32(L, 4);
    const char *const material = ct_check_resource(L, 5, "material", NULL);
    ct_check_mesh_resource(L, 3, p.world, p.instance);
    if (!ct_script_set_slot_material(L, p.world, p.instance, slot, ct_string_id64_of(material)))
        ct_argument_error(L, 4, "the mesh has no slot with this name");
    return 0;
}

static int set_outline(lua_State *L) {
    const mesh_place p = check_mesh_with_id(L);
    ct_vec3 color;
    ct_mesh_set_outline(p.meshes, p.instance, ct_check_outline(L, 4, &color));
    return 0;
}

// --- Properties ----------------------------------------------------------------------------------

static const ct_schema *schema(void) {
    return ct_component_type_named("mesh")->schema;
}

static int push_property(lua_State *L, const ct_mesh_manager *m, ct_mesh_instance i, int key) {
    const ct_mesh_data data = ct_mesh_data_of(m, i);
    return ct_push_property(L, ct_check_property(L, key, schema()), &data);
}

static int get_property(lua_State *L) {
    const ct_mesh_manager *const m = ct_world_meshes(check_world_of_manager(L));
    return push_property(L, m, check_instance(L, m), 3);
}

static int get_property_by_id(lua_State *L) {
    const mesh_place p = check_mesh_with_id(L);
    return push_property(L, p.meshes, p.instance, 4);
}

// Only whether it is drawn, and casts shadows, can be set: materials are set by slot, another mesh
// is another instance.
static void take_property(lua_State *L, ct_mesh_manager *m, ct_mesh_instance i, int key) {
    ct_mesh_data data = ct_mesh_data_of(m, i);
    const ct_field *const field = ct_check_property(L, key, schema());
    if (strcmp(field->name, "is_visible") != 0 && strcmp(field->name, "casts_shadows") != 0)
        ct_argument_error(L, key, "the property \"%s\" cannot be set", field->name);
    ct_take_property(L, key + 1, field, &data);
    ct_mesh_set_visible(m, i, data.is_visible != 0);
    ct_mesh_set_casts_shadows(m, i, data.casts_shadows != 0);
}

static int set_property(lua_State *L) {
    ct_mesh_manager *const m = ct_world_meshes(check_world_of_manager(L));
    take_property(L, m, check_instance(L, m), 3);
    return 0;
}

static int set_property_by_id(lua_State *L) {
    const mesh_place p = check_mesh_with_id(L);
    take_property(L, p.meshes, p.instance, 4);
    return push_instance(L, p.meshes, p.entity, p.instance);
}

static const ct_lua_function functions[] = {
    {"create_with_mesh", create_with_mesh,
     "(self: MeshComponent, entity: Entity, id: any(integer,string), mesh_resource: string(mesh)) "
     "-> "
     "integer",
     "Adds a mesh to an entity from a loaded resource, under an id that is unique on the entity; "
     "returns the instance."},
    {"destroy", destroy, "(self: MeshComponent, instance: integer) -> nil", "Destroys a mesh."},
    {"destroy_all", destroy_all, "(self: MeshComponent, entity: Entity) -> nil",
     "Destroys all meshes of an entity."},
    {"get_property", get_property,
     "(self: MeshComponent, instance: integer, key: any(string,string[])) -> any",
     "Returns a field of an instance by its name in unit sources: mesh, materials, is_visible or "
     "casts_shadows."},
    {"get_property_by_id", get_property_by_id,
     "(self: MeshComponent, entity: Entity, id: any(integer,string), key: any(string,string[])) "
     "-> any",
     "Returns a field of an entity's mesh by its name in unit sources: mesh, materials, is_visible "
     "or casts_shadows."},
    {"instance_ids", instance_ids, "(self: MeshComponent, entity: Entity) -> integer*",
     "Returns the ids of an entity's meshes."},
    {"instances", instances, "(self: MeshComponent, entity: Entity) -> integer*",
     "Returns the instances of an entity; each is valid until it is destroyed."},
    {"lookup", lookup, "(self: MeshComponent, entity: Entity, id: any(integer,string)) -> integer?",
     "Returns the instance with this id of an entity, or nil."},
    {"mesh", mesh, "(mc: MeshComponent, entity: Entity, id: any(integer,string)) -> Mesh",
     "Returns the mesh with this id of an entity, which must be in this world."},
    {"oobb", oobb,
     "(mc: MeshComponent, entity: Entity, id: any(integer,string)) -> Matrix4x4, Vector3",
     "Returns the mesh's bounding box: its pose in the world, and its half extents before the "
     "pose's scale. A skinned mesh counts as it was modelled."},
    {"raycast", raycast,
     "(mc: MeshComponent, entity: Entity, id: any(integer,string), from: Vector3, dir: Vector3, "
     "hidden_meshes: boolean, distance_along_ray: number) -> number?, Vector3?",
     "Casts a ray at the mesh. Returns the distance to the first triangle and the normal of its "
     "front side, or nil when nothing is hit within the distance or when the mesh is hidden and "
     "`hidden_meshes` is false. A skinned mesh is hit where it was modelled."},
    {"set_material", set_material,
     "(mc: MeshComponent, entity: Entity, id: any(integer,string), slot: string, "
     "material_resource: string(material)) -> nil",
     "Sets the material, which must be loaded, of all parts with a slot."},
    {"set_outline", set_outline,
     "(mc: MeshComponent, entity: Entity, id: any(integer,string), color: Vector3?) -> nil",
     "Gives a mesh an outline of a color (linear red, green and blue from 0 to 1), or, without "
     "one, none. The meshes of an entity are outlined as one."},
    {"set_property", set_property,
     "(self: MeshComponent, instance: integer, key: any(string,string[]), value: any) -> nil",
     "Sets a field of an instance: is_visible or casts_shadows."},
    {"set_property_by_id", set_property_by_id,
     "(self: MeshComponent, entity: Entity, id: any(integer,string), key: any(string,string[]), "
     "value: any) -> integer",
     "Sets a field of an entity's mesh: is_visible or casts_shadows; returns the instance."},
};

const ct_lua_module ct_api_mesh_component = {
    .name = "MeshComponent",
    .doc = "The meshes of a world's entities. Get it with EntityManager.mesh_component.",
    .functions = functions,
    .num_functions = CT_COUNT_OF(functions),
};
