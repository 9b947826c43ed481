#include "foundation/error.h"
#include "foundation/math/math.h"
#include "lua/lua_array.h"
#include "script/api_check.h"
#include "script/behaviour/script_behaviour.h"
#include "script/entity/api_managers.h"
#include "script/particles/api_particles.h"
#include "script/sound/api_sound.h"

extern const ct_lua_module ct_api_entity_manager;

static int alive(lua_State *L) {
    const ct_entity e = ct_check_entity_id(L, 1);
    lua_pushboolean(L, ct_entity_is_alive(ct_lua_of(L)->entities, e));
    return 1;
}

// Raises an error when the indices of entities would run out.
static void check_room(lua_State *L, uint32_t count) {
    ct_error error = {0};
    ct_lua_ask_memory(L, (uint64_t)count * CT_LUA_COMPONENT_BYTES);
    if (!ct_entity_has_room(ct_lua_of(L)->entities, count, &error))
        ct_function_error(L, "%s", error.message);
}

static int create(lua_State *L) {
    const ct_script *const s = ct_script_of(L);
    ct_world *const world = lua_isnoneornil(L, 1) ? NULL : ct_check_world(L, 1);
    check_room(L, 1);
    ct_entity e;
    if (world)
        e = ct_world_create_entity(world);
    else
        ct_entity_create(s->lua.entities, &e, 1);
    ct_push_entity(L, e);
    return 1;
}

static int destroy(lua_State *L) {
    const ct_entity e = ct_check_entity(L, 1);
    ct_entity_destroy(ct_lua_of(L)->entities, &e, 1);
    return 0;
}

static int create_many(lua_State *L) {
    ct_script *const s = ct_script_of(L);
    ct_world *const world = lua_isnoneornil(L, 1) ? NULL : ct_check_world(L, 1);
    const uint32_t count = (uint32_t)ct_check_integer(L, 2, 0, CT_ENTITY_MAX_INDICES);
    if (!lua_isnoneornil(L, 3))
        ct_check_array_of(L, 3, CT_LUA_ARRAY_KIND_ENTITIES); // before anything is made
    check_room(L, count);
    ct_entity *const made = ct_lua_scratch(&s->lua, sizeof(ct_entity) * (count + 1ull));
    if (world)
        ct_world_create_entities(world, made, count);
    else
        ct_entity_create(s->lua.entities, made, count);
    return ct_push_entities(L, 3, made, count);
}

static int destroy_many(lua_State *L) {
    ct_script *const s = ct_script_of(L);
    const uint32_t count = ct_check_entity_count(L, 1);
    ct_entity *const copies = ct_lua_scratch(&s->lua, sizeof(ct_entity) * (count + 1ull));
    const ct_entity *const dying = ct_check_entities(L, 1, copies, count);
    for (uint32_t i = 0; i < count; ++i) {
        if (!ct_entity_is_alive(s->lua.entities, dying[i]))
            ct_argument_error(L, 1, "expected a living Unit at index %u, got a destroyed one",
                              i + 1);
    }
    ct_entity_destroy(s->lua.entities, dying, count);
    return 0;
}

static int spawn(lua_State *L) {
    ct_world *const world = ct_check_world(L, 1);
    const char *const name = ct_check_resource(L, 2, "unit", NULL);
    const ct_vec3 position = ct_check_finite_vector3(L, 3);
    const bool has_rotation = !lua_isnoneornil(L, 4);
    const ct_quat rotation = has_rotation ? ct_check_finite_quaternion(L, 4) : ct_quat_identity();
    ct_entity root;
    ct_error error = {0};
    ct_lua_ask_memory(L, CT_LUA_UNIT_BYTES);
    if (!ct_world_spawn_units(world, name, &position, has_rotation ? &rotation : NULL, NULL, 1,
                              &root, &error))
        return ct_function_error(L, "%s", error.message);
    ct_push_entity(L, root);
    return 1;
}

// --- Components ----------------------------------------------------------------------------------

static ct_debug_name_manager *names_of(lua_State *L) {
    return ct_world_system_debug_names(ct_script_of(L)->worlds);
}

static int debug_name(lua_State *L) {
    const char *const name = ct_debug_name(names_of(L), ct_check_entity(L, 1));
    lua_pushstring(L, name ? name : "");
    return 1;
}

static int set_debug_name(lua_State *L) {
    const ct_entity e = ct_check_entity(L, 1);
    ct_debug_name_set(names_of(L), e, ct_check_string(L, 2));
    return 0;
}

static int debug_name_component(lua_State *L) {
    ct_push_object(L, &ct_type_debug_name_component, names_of(L), 0);
    return 1;
}

static int data_component(lua_State *L) {
    ct_push_object(L, &ct_type_data_component, ct_world_system_data(ct_script_of(L)->worlds), 0);
    return 1;
}

static int tag_component(lua_State *L) {
    ct_tag_manager *const tags = ct_world_system_tags(ct_script_of(L)->worlds);
    ct_push_object(L, &ct_type_tag_component, tags, 0);
    return 1;
}

static int transform_component(lua_State *L) {
    ct_push_object(L, &ct_type_transform_component, ct_check_world(L, 1), 0);
    return 1;
}

static int scene_graph_component(lua_State *L) {
    ct_push_object(L, &ct_type_scene_graph_component, ct_check_world(L, 1), 0);
    return 1;
}

static int animation_blender_component(lua_State *L) {
    ct_push_object(L, &ct_type_animation_blender_component, ct_check_world(L, 1), 0);
    return 1;
}

static int animation_state_machine_component(lua_State *L) {
    ct_push_object(L, &ct_type_animation_state_machine_component, ct_check_world(L, 1), 0);
    return 1;
}

static int actor_component(lua_State *L) {
    ct_push_object(L, &ct_type_actor_component, ct_check_world(L, 1), 0);
    return 1;
}

static int particles_component(lua_State *L) {
    ct_world *const world = ct_check_world(L, 1);
    ct_check_particles(L, world);
    ct_push_object(L, &ct_type_particles_component, world, 0);
    return 1;
}

static int sound_source_component(lua_State *L) {
    ct_world *const world = ct_check_world(L, 1);
    ct_check_sounds(L, world);
    ct_push_object(L, &ct_type_sound_source_component, world, 0);
    return 1;
}

static int flow_component(lua_State *L) {
    ct_world *const world = ct_check_world(L, 1);
    if (!ct_script_of(L)->flow)
        ct_function_error(L, "this program runs no flow graphs");
    ct_push_object(L, &ct_type_flow_component, world, 0);
    return 1;
}

static int mesh_component(lua_State *L) {
    ct_push_object(L, &ct_type_mesh_component, ct_check_world(L, 1), 0);
    return 1;
}

static int render_data_component(lua_State *L) {
    ct_push_object(L, &ct_type_render_data_component, ct_check_world(L, 1), 0);
    return 1;
}

static int unit_component(lua_State *L) {
    ct_push_object(L, &ct_type_unit_component, ct_check_world(L, 1), 0);
    return 1;
}

static int script_component(lua_State *L) {
    ct_world *const world = ct_check_world(L, 1);
    ct_behaviours_of(L, world);
    ct_push_object(L, &ct_type_script_component, world, 0);
    return 1;
}

static const ct_lua_function functions[] = {
    {"actor_component", actor_component, "(world: World) -> ActorComponent",
     "Returns the manager of a world's actors."},
    {"alive", alive, "(entity: Entity) -> boolean", "Returns whether the entity is alive."},
    {"animation_blender_component", animation_blender_component,
     "(world: World) -> AnimationBlenderComponent",
     "Returns the manager of a world's characters, with its functions for clips and root motion."},
    {"animation_state_machine_component", animation_state_machine_component,
     "(world: World) -> AnimationStateMachineComponent",
     "Returns the manager of a world's characters, with its functions for state machines."},
    {"create", create, "(world: World?) -> Entity",
     "Makes an entity without components. With a world, it is destroyed together with that world."},
    {"create_many", create_many,
     "(world: World?, count: integer, result: EntityArray?) -> any(Entity[],EntityArray)",
     "Works like create, for `count` entities, in a new table or in `result`."},
    {"data_component", data_component, "() -> DataComponent",
     "Returns the manager of data, one for all worlds."},
    {"debug_name", debug_name, "(entity: Entity) -> string",
     "Returns the entity's name for people, or \"\" when it has none."},
    {"debug_name_component", debug_name_component, "() -> DebugNameComponent",
     "Returns the manager of debug names, one for all worlds."},
    {"destroy", destroy, "(entity: Entity) -> nil",
     "Destroys an entity with its components and the entities that its template linked to it."},
    {"destroy_many", destroy_many, "(entities: any(EntityArray,Entity[])) -> nil",
     "Works like destroy, for many entities at once."},
    {"flow_component", flow_component, "(world: World) -> FlowComponent",
     "Returns the manager of the flow graphs of a world's entities."},
    {"mesh_component", mesh_component, "(world: World) -> MeshComponent",
     "Returns the manager of a world's meshes."},
    {"particles_component", particles_component, "(world: World) -> ParticlesComponent",
     "Returns the manager of the particle effects of a world's entities."},
    {"plugin_component", ct_push_plugin_component,
     "(world: World, type: string) -> PluginComponent",
     "Returns the manager of a world's components of a type that a plugin added."},
    {"render_data_component", render_data_component, "(world: World) -> RenderDataComponent",
     "Returns the manager of the values of a world's meshes."},
    {"scene_graph_component", scene_graph_component, "(world: World) -> SceneGraphComponent",
     "Returns the manager of a world's scene graphs."},
    {"script_component", script_component, "(world: World) -> ScriptComponent",
     "Returns the manager of a world's behaviours."},
    {"set_debug_name", set_debug_name, "(entity: Entity, name: string) -> nil",
     "Sets the entity's name for people; longer names are cut to 63 bytes."},
    {"sound_source_component", sound_source_component, "(world: World) -> SoundSourceComponent",
     "Returns the manager of the sounds of a world's entities."},
    {"spawn", spawn,
     "(world: World, entity_resource: string(unit), position: Vector3, orientation: Quaternion?) "
     "-> "
     "Entity",
     "Same as World.spawn_unit."},
    {"tag_component", tag_component, "() -> TagComponent",
     "Returns the manager of tags, one for all worlds."},
    {"transform_component", transform_component, "(world: World) -> TransformComponent",
     "Returns the manager of a world's transforms."},
    {"unit_component", unit_component, "(world: World) -> UnitComponent",
     "Returns the manager that knows which entities of a world are units."},
};

const ct_lua_module ct_api_entity_manager = {
    .name = "EntityManager",
    .doc = "Entities of all worlds, and the managers of their components.",
    .functions = functions,
    .num_functions = CT_COUNT_OF(functions),
};
