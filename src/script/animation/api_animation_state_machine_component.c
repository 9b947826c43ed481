#include "script/animation/api_animation.h"
#include "script/entity/api_managers.h"

extern const ct_lua_module ct_api_animation_state_machine_component;

const ct_lua_object_type ct_type_animation_state_machine_component = {
    .name = "AnimationStateMachineComponent", .owner = CT_LUA_OWNER_OBJECT};

// The world whose manager is argument 1.
static ct_world *check_world_of_manager(lua_State *L) {
    return ct_check_object(L, 1, &ct_type_animation_state_machine_component, NULL);
}

// The character of the entity at argument 2.
static ct_script_character check_character(lua_State *L) {
    return ct_check_character_of(L, 2, check_world_of_manager(L));
}

// --- Instances -----------------------------------------------------------------------------------

static int create(lua_State *L) {
    return ct_characters_create(L, check_world_of_manager(L));
}

static int destroy(lua_State *L) {
    return ct_characters_destroy(L, check_world_of_manager(L));
}

static int destroy_all(lua_State *L) {
    return ct_characters_destroy_all(L, check_world_of_manager(L));
}

static int get_property(lua_State *L) {
    return ct_characters_get_property(L, check_world_of_manager(L));
}

static int get_property_by_id(lua_State *L) {
    return ct_characters_get_property_by_id(L, check_world_of_manager(L));
}

static int instance_ids(lua_State *L) {
    return ct_characters_instance_ids(L, check_world_of_manager(L));
}

static int instances(lua_State *L) {
    return ct_characters_instances(L, check_world_of_manager(L));
}

static int lookup(lua_State *L) {
    return ct_characters_lookup(L, check_world_of_manager(L));
}

static int set_property(lua_State *L) {
    return ct_characters_set_property(L, check_world_of_manager(L));
}

static int set_property_by_id(lua_State *L) {
    return ct_characters_set_property_by_id(L, check_world_of_manager(L));
}

static int spawned(lua_State *L) {
    return ct_characters_spawned(L, check_world_of_manager(L));
}

// --- Characters ----------------------------------------------------------------------------------

static int find_variable(lua_State *L) {
    return ct_character_find_variable(L, check_character(L));
}

static int get_variable(lua_State *L) {
    return ct_character_variable(L, check_character(L));
}

static int has_event(lua_State *L) {
    return ct_character_has_event(L, check_character(L));
}

static int set_logging(lua_State *L) {
    return ct_character_set_logging(L, check_character(L));
}

static int set_variable(lua_State *L) {
    return ct_character_set_variable(L, check_character(L));
}

static int trigger_event(lua_State *L) {
    return ct_character_send_event(L, check_character(L));
}

static const ct_lua_function functions[] = {
    {"create", create,
     "(self: AnimationStateMachineComponent, entity: Entity, id: any(integer,string)) -> integer",
     "Makes an entity a character without a skeleton, under an id; returns the instance. Set the "
     "property \"skeleton\" next. An entity has at most one component of the type animation, "
     "which both animation components work on."},
    {"destroy", destroy, "(self: AnimationStateMachineComponent, instance: integer) -> nil",
     "Destroys the component: the entity is no character any more."},
    {"destroy_all", destroy_all, "(self: AnimationStateMachineComponent, entity: Entity) -> nil",
     "Destroys the component of an entity, if it has one."},
    {"find_variable", find_variable,
     "(self: AnimationStateMachineComponent, entity: Entity, variable: string) -> integer",
     "Returns the number of a variable for get_variable and set_variable."},
    {"get_property", get_property,
     "(self: AnimationStateMachineComponent, instance: integer, key: any(string,string[])) -> "
     "any",
     "Returns a field of an instance by its name in unit sources: skeleton, state_machine, "
     "root_mode or is_always_posed."},
    {"get_property_by_id", get_property_by_id,
     "(self: AnimationStateMachineComponent, entity: Entity, id: any(integer,string), key: "
     "any(string,string[])) -> any",
     "Returns a field of an entity's component by its name in unit sources: skeleton, "
     "state_machine, root_mode or is_always_posed."},
    {"get_variable", get_variable,
     "(self: AnimationStateMachineComponent, entity: Entity, variable: integer) -> number",
     "Returns the value of a variable by its number."},
    {"has_event", has_event,
     "(self: AnimationStateMachineComponent, entity: Entity, event: string) -> boolean",
     "Returns whether a transition of the state machine waits for an event; false without a "
     "state machine."},
    {"instance_ids", instance_ids,
     "(self: AnimationStateMachineComponent, entity: Entity) -> integer*",
     "Returns the id of an entity's component, or nothing when it has none."},
    {"instances", instances, "(self: AnimationStateMachineComponent, entity: Entity) -> integer*",
     "Returns the instance of an entity, valid until it is destroyed, or nothing when it has "
     "none."},
    {"lookup", lookup,
     "(self: AnimationStateMachineComponent, entity: Entity, id: any(integer,string)) -> "
     "integer?",
     "Returns the instance with this id of an entity, or nil."},
    {"set_logging", set_logging,
     "(self: AnimationStateMachineComponent, entity: Entity, logging: boolean) -> nil",
     "Starts or stops logging the events and states of the character."},
    {"set_property", set_property,
     "(self: AnimationStateMachineComponent, instance: integer, key: any(string,string[]), "
     "value: any) -> nil",
     "Sets a field of an instance: root_mode, is_always_posed, or skeleton or state_machine to "
     "the name of a loaded resource (nil: none). Another skeleton or state machine starts over."},
    {"set_property_by_id", set_property_by_id,
     "(self: AnimationStateMachineComponent, entity: Entity, id: any(integer,string), key: "
     "any(string,string[]), value: any) -> integer",
     "Sets a field of an entity's component like set_property; returns the instance."},
    {"set_variable", set_variable,
     "(self: AnimationStateMachineComponent, entity: Entity, variable: integer, value: number) "
     "-> nil",
     "Sets a variable by its number. Values outside the variable's range are clamped."},
    {"spawned", spawned,
     "(self: AnimationStateMachineComponent, entities: any(EntityArray,Entity[])) -> nil",
     "Poses new characters now instead of in the next update, so that their nodes have the poses "
     "of their first clips."},
    {"trigger_event", trigger_event,
     "(self: AnimationStateMachineComponent, entity: Entity, event: string) -> nil",
     "Sends an event to the state machine. An event that no transition waits for is an error; "
     "ask with has_event."},
};

const ct_lua_module ct_api_animation_state_machine_component = {
    .name = "AnimationStateMachineComponent",
    .doc = "The characters of a world: their state machines. Get it with "
           "EntityManager.animation_state_machine_component.",
    .functions = functions,
    .num_functions = CT_COUNT_OF(functions),
};
