#include <string.h>

#include "script/entity/api_managers.h"
#include "script/entity/api_property.h"
#include "script/sound/api_sound.h"

extern const ct_lua_module ct_api_sound_source_component;

const ct_lua_object_type ct_type_sound_source_component = {.name = "SoundSourceComponent",
                                                           .owner = CT_LUA_OWNER_OBJECT};

static ct_world *check_world_of_manager(lua_State *L) {
    return ct_check_object(L, 1, &ct_type_sound_source_component, NULL);
}

static ct_sound_source_components *check_manager(lua_State *L) {
    return ct_world_sound_sources(check_world_of_manager(L));
}

static int push_instance(lua_State *L, const ct_sound_source_components *m,
                         ct_sound_source_component c) {
    return ct_push_instance(L, ct_sound_source_component_entity(m, c),
                            ct_sound_source_component_number(m, c));
}

static ct_sound_source_component check_instance(lua_State *L, const ct_sound_source_components *m) {
    uint32_t number;
    const ct_entity e = ct_check_instance(L, 2, &number);
    const ct_sound_source_component c =
        ct_sound_source_component_with_number(m, e, number, CT_INSTANCE_NUMBER_BITS);
    if (!c.index)
        ct_instance_error(L, 2, "sound_source component");
    return c;
}

// The component of the entity at argument 2 whose id is argument 3.
static ct_sound_source_component check_with_id(lua_State *L, const ct_sound_source_components *m) {
    const ct_entity e = ct_check_entity(L, 2);
    const uint32_t id = ct_check_component_id(L, 3);
    const ct_sound_source_component c = ct_sound_source_component_with_id(m, e, id);
    if (!c.index)
        ct_argument_error(L, 3, "the entity has no sound_source component with the id %s",
                          ct_string_id32_name((ct_string_id32){id}));
    return c;
}

// --- Instances -----------------------------------------------------------------------------------

static int create(lua_State *L) {
    ct_world *const world = check_world_of_manager(L);
    ct_sound_source_components *const m = ct_world_sound_sources(world);
    const ct_entity e = ct_check_unit_of(L, 2, world);
    const uint32_t id = ct_check_component_id(L, 3);
    const char *const event = ct_check_resource(L, 4, "sound_event", NULL);
    const ct_string_id32 node = lua_isnoneornil(L, 5) ? (ct_string_id32){0} : ct_check_id32(L, 5);
    if (ct_sound_source_component_with_id(m, e, id).index)
        ct_argument_error(L, 3, "the entity already has a sound_source component with the id %s",
                          ct_string_id32_name((ct_string_id32){id}));
    const ct_component_manager manager = ct_sound_source_component_manager(m);
    ct_check_room(L, &manager);
    ct_sound_source_data data;
    ct_schema_defaults(&ct_sound_source_data_head_schema, &data);
    data.event = ct_string_id64_of(event);
    data.node = node;
    data.plays_at_spawn = false;
    return push_instance(L, m, ct_sound_source_component_add(m, e, id, &data));
}

static int destroy(lua_State *L) {
    ct_sound_source_components *const m = check_manager(L);
    ct_sound_source_component_remove(m, check_instance(L, m));
    return 0;
}

static int destroy_all(lua_State *L) {
    ct_sound_source_components *const m = check_manager(L);
    const ct_entity e = ct_check_entity(L, 2);
    ct_sound_source_component c;
    while ((c = ct_sound_source_component_first(m, e)).index)
        ct_sound_source_component_remove(m, c);
    return 0;
}

// Pushes the instances, or their ids, of the entity at argument 2.
static int push_instances(lua_State *L, bool wants_ids) {
    const ct_sound_source_components *const m = check_manager(L);
    const ct_entity e = ct_check_entity(L, 2);
    int count = 0;
    for (ct_sound_source_component c = ct_sound_source_component_first(m, e); c.index;
         c = ct_sound_source_component_next(m, c)) {
        luaL_checkstack(L, 2, "too many sound_source components");
        if (wants_ids)
            lua_pushnumber(L, ct_sound_source_component_id(m, c));
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
    const ct_sound_source_components *const m = check_manager(L);
    const ct_entity e = ct_check_entity(L, 2);
    const ct_sound_source_component c =
        ct_sound_source_component_with_id(m, e, ct_check_component_id(L, 3));
    if (c.index)
        return push_instance(L, m, c);
    lua_pushnil(L);
    return 1;
}

// --- Playing -------------------------------------------------------------------------------------

static int play(lua_State *L) {
    ct_sound_source_components *const m = check_manager(L);
    return ct_push_sound_instance(L, ct_sound_source_component_play(m, check_instance(L, m)));
}

static int stop(lua_State *L) {
    ct_sound_source_components *const m = check_manager(L);
    const ct_sound_source_component c = check_instance(L, m);
    ct_sound_source_component_stop(m, c, ct_check_fade(L, 3, -1));
    return 0;
}

static bool plays(const ct_sound_source_components *m, ct_sound_instance instance) {
    return ct_sound_is_playing(ct_sound_source_components_system(m), instance);
}

static int sound(lua_State *L) {
    const ct_sound_source_components *const m = check_manager(L);
    const ct_sound_instance i = ct_sound_source_component_instance(m, check_instance(L, m));
    return ct_push_sound_instance(L, plays(m, i) ? i : (ct_sound_instance){0});
}

static int is_playing(lua_State *L) {
    const ct_sound_source_components *const m = check_manager(L);
    lua_pushboolean(L, plays(m, ct_sound_source_component_instance(m, check_instance(L, m))));
    return 1;
}

static int set_parameter(lua_State *L) {
    ct_sound_source_components *const m = check_manager(L);
    const ct_sound_source_component c = check_instance(L, m);
    const ct_sound_event_resource *const event = ct_sound_system_event(
        ct_sound_source_components_system(m), ct_sound_source_component_data(m, c)->event);
    const ct_sound_source_parameter p = ct_check_sound_parameter(L, 3, event);
    if (!ct_sound_source_component_set_parameter(m, c, &p))
        return ct_function_error(L, "the component has values for %d other parameters",
                                 CT_SOUND_SOURCE_MAX_PARAMETERS);
    return 0;
}

// --- Properties ----------------------------------------------------------------------------------

static int push_property(lua_State *L, const ct_sound_source_components *m,
                         ct_sound_source_component c, int key) {
    return ct_push_property(L, ct_check_property(L, key, &ct_sound_source_data_head_schema),
                            ct_sound_source_component_data(m, c));
}

static int get_property(lua_State *L) {
    const ct_sound_source_components *const m = check_manager(L);
    return push_property(L, m, check_instance(L, m), 3);
}

static int get_property_by_id(lua_State *L) {
    const ct_sound_source_components *const m = check_manager(L);
    return push_property(L, m, check_with_id(L, m), 4);
}

static void take_property(lua_State *L, ct_sound_source_components *m, ct_sound_source_component c,
                          int key) {
    ct_sound_source_data data = *ct_sound_source_component_data(m, c);
    const ct_field *const field = ct_check_property(L, key, &ct_sound_source_data_head_schema);
    if (strcmp(field->name, "node") == 0)
        ct_argument_error(L, key, "the property \"node\" cannot be set; make another component");
    if (field->type == CT_FIELD_TYPE_REFERENCE)
        data.event = ct_string_id64_of(ct_check_resource(L, key + 1, "sound_event", NULL));
    else
        ct_take_property(L, key + 1, field, &data);
    ct_sound_source_component_set_data(m, c, &data);
}

static int set_property(lua_State *L) {
    ct_sound_source_components *const m = check_manager(L);
    take_property(L, m, check_instance(L, m), 3);
    return 0;
}

static int set_property_by_id(lua_State *L) {
    ct_sound_source_components *const m = check_manager(L);
    const ct_sound_source_component c = check_with_id(L, m);
    take_property(L, m, c, 4);
    return push_instance(L, m, c);
}

#define FIELDS "event, position, node, volume, plays_at_spawn or orphaned"

static const ct_lua_function functions[] = {
    {"create", create,
     "(self: SoundSourceComponent, entity: Entity, id: any(integer,string), event: "
     "string(sound_event), node: string?) -> integer",
     "Adds a component to an entity of this world for a loaded event, under an id that is unique "
     "on "
     "the entity; returns the instance. Call play next."},
    {"destroy", destroy, "(self: SoundSourceComponent, instance: integer) -> nil",
     "Destroys a component. Its sound fades out."},
    {"destroy_all", destroy_all, "(self: SoundSourceComponent, entity: Entity) -> nil",
     "Destroys all sound_source components of an entity."},
    {"get_property", get_property,
     "(self: SoundSourceComponent, instance: integer, key: any(string,string[])) -> any",
     "Returns a field of an instance by its name in unit sources: " FIELDS "."},
    {"get_property_by_id", get_property_by_id,
     "(self: SoundSourceComponent, entity: Entity, id: any(integer,string), key: "
     "any(string,string[])) -> any",
     "Returns a field of an entity's component by its name in unit sources: " FIELDS "."},
    {"instance_ids", instance_ids, "(self: SoundSourceComponent, entity: Entity) -> integer*",
     "Returns the ids of an entity's sound_source components."},
    {"instances", instances, "(self: SoundSourceComponent, entity: Entity) -> integer*",
     "Returns the instances of an entity; each is valid until it is destroyed."},
    {"is_playing", is_playing, "(self: SoundSourceComponent, instance: integer) -> boolean",
     "Returns whether the sound that was played last has not ended."},
    {"lookup", lookup,
     "(self: SoundSourceComponent, entity: Entity, id: any(integer,string)) -> integer?",
     "Returns the instance with this id of an entity, or nil."},
    {"play", play, "(self: SoundSourceComponent, instance: integer) -> integer?",
     "Starts the event and returns the sound, for functions of SoundWorld; nil when its limit or "
     "cooldown does not allow one. The one that played before fades out."},
    {"set_parameter", set_parameter,
     "(self: SoundSourceComponent, instance: integer, name: string, value: any(number,string)) -> "
     "nil",
     "Sets a parameter of the event, for what plays and for what is played later."},
    {"set_property", set_property,
     "(self: SoundSourceComponent, instance: integer, key: any(string,string[]), value: any) -> "
     "nil",
     "Sets a field of an instance: position, volume, orphaned, plays_at_spawn, or event, which the "
     "next play starts."},
    {"set_property_by_id", set_property_by_id,
     "(self: SoundSourceComponent, entity: Entity, id: any(integer,string), key: "
     "any(string,string[]), value: any) -> integer",
     "Sets a field of an entity's component like set_property; returns the instance."},
    {"sound", sound, "(self: SoundSourceComponent, instance: integer) -> integer?",
     "Returns the sound that plays, for functions of SoundWorld, or nil."},
    {"stop", stop, "(self: SoundSourceComponent, instance: integer, fade: number?) -> nil",
     "Stops the sound in so many seconds, or as its event says."},
};

const ct_lua_module ct_api_sound_source_component = {
    .name = "SoundSourceComponent",
    .doc = "The sounds of a world's entities. Get it with EntityManager.sound_source_component.",
    .functions = functions,
    .num_functions = CT_COUNT_OF(functions),
};
