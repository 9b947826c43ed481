#include <string.h>

#include "script/entity/api_managers.h"
#include "script/entity/api_property.h"
#include "script/particles/api_particles.h"

extern const ct_lua_module ct_api_particles_component;

const ct_lua_object_type ct_type_particles_component = {.name = "ParticlesComponent",
                                                        .owner = CT_LUA_OWNER_OBJECT};

static ct_world *check_world_of_manager(lua_State *L) {
    return ct_check_object(L, 1, &ct_type_particles_component, NULL);
}

static ct_particles_components *check_manager(lua_State *L) {
    return ct_world_particles_components(check_world_of_manager(L));
}

static int push_instance(lua_State *L, const ct_particles_components *m, ct_particles_component c) {
    return ct_push_instance(L, ct_particles_component_entity(m, c),
                            ct_particles_component_number(m, c));
}

static ct_particles_component check_instance(lua_State *L, const ct_particles_components *m) {
    uint32_t number;
    const ct_entity e = ct_check_instance(L, 2, &number);
    const ct_particles_component c =
        ct_particles_component_with_number(m, e, number, CT_INSTANCE_NUMBER_BITS);
    if (!c.index)
        ct_instance_error(L, 2, "particles component");
    return c;
}

// The component of the entity at argument 2 whose id is argument 3.
static ct_particles_component check_with_id(lua_State *L, const ct_particles_components *m) {
    const ct_entity e = ct_check_entity(L, 2);
    const uint32_t id = ct_check_component_id(L, 3);
    const ct_particles_component c = ct_particles_component_with_id(m, e, id);
    if (!c.index)
        ct_argument_error(L, 3, "the entity has no particles component with the id %s",
                          ct_string_id32_name((ct_string_id32){id}));
    return c;
}

// --- Instances -----------------------------------------------------------------------------------

static int create(lua_State *L) {
    ct_world *const world = check_world_of_manager(L);
    ct_particles_components *const m = ct_world_particles_components(world);
    const ct_entity e = ct_check_unit_of(L, 2, world);
    const uint32_t id = ct_check_component_id(L, 3);
    const char *const effect = ct_check_resource(L, 4, "particles", NULL);
    const ct_string_id32 node = lua_isnoneornil(L, 5) ? (ct_string_id32){0} : ct_check_id32(L, 5);
    if (ct_particles_component_with_id(m, e, id).index)
        ct_argument_error(L, 3, "the entity already has a particles component with the id %s",
                          ct_string_id32_name((ct_string_id32){id}));
    const ct_component_manager manager = ct_particles_component_manager(m);
    ct_check_room(L, &manager);
    ct_particles_data data;
    ct_schema_defaults(&ct_particles_data_head_schema, &data);
    data.effect = ct_string_id64_of(effect);
    data.node = node;
    data.plays_at_spawn = false;
    return push_instance(L, m, ct_particles_component_add(m, e, id, &data));
}

static int destroy(lua_State *L) {
    ct_particles_components *const m = check_manager(L);
    ct_particles_component_remove(m, check_instance(L, m));
    return 0;
}

static int destroy_all(lua_State *L) {
    ct_particles_components *const m = check_manager(L);
    const ct_entity e = ct_check_entity(L, 2);
    ct_particles_component c;
    while ((c = ct_particles_component_first(m, e)).index)
        ct_particles_component_remove(m, c);
    return 0;
}

// Pushes the instances, or their ids, of the entity at argument 2.
static int push_instances(lua_State *L, bool wants_ids) {
    const ct_particles_components *const m = check_manager(L);
    const ct_entity e = ct_check_entity(L, 2);
    int count = 0;
    for (ct_particles_component c = ct_particles_component_first(m, e); c.index;
         c = ct_particles_component_next(m, c)) {
        luaL_checkstack(L, 2, "too many particles components");
        if (wants_ids)
            lua_pushnumber(L, ct_particles_component_id(m, c));
        else
            push_instance(L, m, c);
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
    const ct_particles_components *const m = check_manager(L);
    const ct_entity e = ct_check_entity(L, 2);
    const ct_particles_component c =
        ct_particles_component_with_id(m, e, ct_check_component_id(L, 3));
    if (c.index)
        return push_instance(L, m, c);
    lua_pushnil(L);
    return 1;
}

// --- Effects -------------------------------------------------------------------------------------

static int play(lua_State *L) {
    ct_particles_components *const m = check_manager(L);
    return ct_push_effect(L, ct_particles_component_play(m, check_instance(L, m)));
}

static int stop(lua_State *L) {
    ct_particles_components *const m = check_manager(L);
    ct_particles_stop_spawning(ct_particles_components_world(m),
                               ct_particles_component_effect(m, check_instance(L, m)));
    return 0;
}

static int effect_of(lua_State *L) {
    const ct_particles_components *const m = check_manager(L);
    const ct_particle_effect_id effect = ct_particles_component_effect(m, check_instance(L, m));
    if (ct_particles_is_playing(ct_particles_components_world(m), effect))
        return ct_push_effect(L, effect);
    lua_pushnil(L);
    return 1;
}

static int is_playing(lua_State *L) {
    const ct_particles_components *const m = check_manager(L);
    const ct_particle_effect_id effect = ct_particles_component_effect(m, check_instance(L, m));
    lua_pushboolean(L, ct_particles_is_playing(ct_particles_components_world(m), effect));
    return 1;
}

// Checks that the loaded effect has the variable with the name at argument 3.
static ct_string_id32 check_variable(lua_State *L, const ct_particles_components *m,
                                     ct_particles_component c) {
    const ct_string_id32 name = ct_check_id32(L, 3);
    const ct_string_id64 effect = ct_particles_component_data(m, c)->effect;
    const ct_particle_system *const system = ct_particles_components_system(m);
    const ct_particles_resource *const r = ct_particle_system_effect(system, effect);
    if (r && ct_particle_system_variable(system, effect, name) == UINT32_MAX)
        ct_no_such_variable(L, 3, r);
    return name;
}

static int set_variable(lua_State *L) {
    ct_particles_components *const m = check_manager(L);
    const ct_particles_component c = check_instance(L, m);
    const ct_string_id32 name = check_variable(L, m, c);
    if (!ct_particles_component_set_variable(m, c, name, ct_check_variable_value(L, 4)))
        return ct_function_error(L, "the component has values for %d other variables",
                                 CT_PARTICLES_DATA_MAX_VARIABLES);
    return 0;
}

// --- Properties ----------------------------------------------------------------------------------

static int push_property(lua_State *L, const ct_particles_components *m, ct_particles_component c,
                         int key) {
    return ct_push_property(L, ct_check_property(L, key, &ct_particles_data_head_schema),
                            ct_particles_component_data(m, c));
}

static int get_property(lua_State *L) {
    const ct_particles_components *const m = check_manager(L);
    return push_property(L, m, check_instance(L, m), 3);
}

static int get_property_by_id(lua_State *L) {
    const ct_particles_components *const m = check_manager(L);
    return push_property(L, m, check_with_id(L, m), 4);
}

static void take_property(lua_State *L, ct_particles_components *m, ct_particles_component c,
                          int key) {
    ct_particles_data data = *ct_particles_component_data(m, c);
    const ct_field *const field = ct_check_property(L, key, &ct_particles_data_head_schema);
    if (strcmp(field->name, "node") == 0)
        ct_argument_error(L, key, "the property \"node\" cannot be set; make another component");
    if (field->type == CT_FIELD_TYPE_REFERENCE)
        data.effect = ct_string_id64_of(ct_check_resource(L, key + 1, "particles", NULL));
    else
        ct_take_property(L, key + 1, field, &data);
    ct_particles_component_set_data(m, c, &data);
}

static int set_property(lua_State *L) {
    ct_particles_components *const m = check_manager(L);
    take_property(L, m, check_instance(L, m), 3);
    return 0;
}

static int set_property_by_id(lua_State *L) {
    ct_particles_components *const m = check_manager(L);
    const ct_particles_component c = check_with_id(L, m);
    take_property(L, m, c, 4);
    return push_instance(L, m, c);
}

#define FIELDS "effect, position, rotation, node, plays_at_spawn or orphaned"

static const ct_lua_function functions[] = {
    {"create", create,
     "(self: ParticlesComponent, entity: Entity, id: any(integer,string), effect: "
     "string(particles), node: string?) -> integer",
     "Adds a component to an entity of this world for a loaded effect, under an id that is unique "
     "on the entity; returns the instance. Call play next."},
    {"destroy", destroy, "(self: ParticlesComponent, instance: integer) -> nil",
     "Destroys a component. Its effect makes no more particles."},
    {"destroy_all", destroy_all, "(self: ParticlesComponent, entity: Entity) -> nil",
     "Destroys all particles components of an entity."},
    {"effect", effect_of, "(self: ParticlesComponent, instance: integer) -> integer?",
     "Returns the id of the effect that plays, for functions of World, or nil."},
    {"get_property", get_property,
     "(self: ParticlesComponent, instance: integer, key: any(string,string[])) -> any",
     "Returns a field of an instance by its name in unit sources: " FIELDS "."},
    {"get_property_by_id", get_property_by_id,
     "(self: ParticlesComponent, entity: Entity, id: any(integer,string), key: "
     "any(string,string[])) -> any",
     "Returns a field of an entity's component by its name in unit sources: " FIELDS "."},
    {"instance_ids", instance_ids, "(self: ParticlesComponent, entity: Entity) -> integer*",
     "Returns the ids of an entity's particles components."},
    {"instances", instances, "(self: ParticlesComponent, entity: Entity) -> integer*",
     "Returns the instances of an entity; each is valid until it is destroyed."},
    {"is_playing", is_playing, "(self: ParticlesComponent, instance: integer) -> boolean",
     "Returns whether the effect that was played last has not ended."},
    {"lookup", lookup,
     "(self: ParticlesComponent, entity: Entity, id: any(integer,string)) -> integer?",
     "Returns the instance with this id of an entity, or nil."},
    {"play", play, "(self: ParticlesComponent, instance: integer) -> integer",
     "Starts the effect and returns its id. The one that played before makes no more particles."},
    {"set_property", set_property,
     "(self: ParticlesComponent, instance: integer, key: any(string,string[]), value: any) -> nil",
     "Sets a field of an instance: position, rotation, orphaned, plays_at_spawn, or effect, which "
     "the next play starts."},
    {"set_property_by_id", set_property_by_id,
     "(self: ParticlesComponent, entity: Entity, id: any(integer,string), key: "
     "any(string,string[]), value: any) -> integer",
     "Sets a field of an entity's component like set_property; returns the instance."},
    {"set_variable", set_variable,
     "(self: ParticlesComponent, instance: integer, variable: string, value: "
     "any(number,Vector2,Vector3,Vector4)) -> nil",
     "Sets a variable of the effect, for what plays and for what is played later."},
    {"stop", stop, "(self: ParticlesComponent, instance: integer) -> nil",
     "Makes no more particles. The effect ends when the last one is dead."},
};

const ct_lua_module ct_api_particles_component = {
    .name = "ParticlesComponent",
    .doc = "The particle effects of a world's entities. Get it with "
           "EntityManager.particles_component.",
    .functions = functions,
    .num_functions = CT_COUNT_OF(functions),
};
