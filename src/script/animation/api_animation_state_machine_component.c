#include "script/animation/api_animation.h"
#include "script/entity/api_managers.h"

extern const ct_lua_module ct_api_animation_state_machine_component;

const ct_lua_object_type ct_type_animation_state_machine_component = {
    .name = "AnimationStateMachineComponent", .owner = CT_LUA_OWNER_OBJECT};

static const ct_lua_function functions[] = {
    {"create", ct_characters_create,
     "(self: AnimationStateMachineComponent, entity: Entity, id: any(integer,string)) -> integer",
     "Makes an entity a character without a skeleton, under an id; returns the instance. Set the "
     "property \"skeleton\" next. An entity has at most one component of the type animation, "
     "which both animation components work on."},
    {"destroy", ct_characters_destroy,
     "(self: AnimationStateMachineComponent, instance: integer) -> nil",
     "Destroys the component: the entity is no character any more."},
    {"destroy_all", ct_characters_destroy_all,
     "(self: AnimationStateMachineComponent, entity: Entity) -> nil",
     "Destroys the component of an entity, if it has one."},
    {"find_variable", ct_character_find_variable,
     "(self: AnimationStateMachineComponent, entity: Entity, variable: string) -> integer",
     "Returns the number of a variable for get_variable and set_variable."},
    {"get_property", ct_characters_get_property,
     "(self: AnimationStateMachineComponent, instance: integer, key: any(string,string[])) -> "
     "any",
     "Returns a field of an instance by its name in unit sources: skeleton, state_machine, "
     "root_mode or is_always_posed."},
    {"get_property_by_id", ct_characters_get_property_by_id,
     "(self: AnimationStateMachineComponent, entity: Entity, id: any(integer,string), key: "
     "any(string,string[])) -> any",
     "Returns a field of an entity's component by its name in unit sources: skeleton, "
     "state_machine, root_mode or is_always_posed."},
    {"get_variable", ct_character_variable,
     "(self: AnimationStateMachineComponent, entity: Entity, variable: integer) -> number",
     "Returns the value of a variable by its number."},
    {"has_event", ct_character_has_event,
     "(self: AnimationStateMachineComponent, entity: Entity, event: string) -> boolean",
     "Returns whether a transition of the state machine waits for an event; false without a "
     "state machine."},
    {"instance_ids", ct_characters_instance_ids,
     "(self: AnimationStateMachineComponent, entity: Entity) -> integer*",
     "Returns the id of an entity's component, or nothing when it has none."},
    {"instances", ct_characters_instances,
     "(self: AnimationStateMachineComponent, entity: Entity) -> integer*",
     "Returns the instance of an entity, valid until it is destroyed, or nothing when it has "
     "none."},
    {"lookup", ct_characters_lookup,
     "(self: AnimationStateMachineComponent, entity: Entity, id: any(integer,string)) -> "
     "integer?",
     "Returns the instance with this id of an entity, or nil."},
    {"set_logging", ct_character_set_logging,
     "(self: AnimationStateMachineComponent, entity: Entity, logging: boolean) -> nil",
     "Starts or stops logging the events and states of the character."},
    {"set_property", ct_characters_set_property,
     "(self: AnimationStateMachineComponent, instance: integer, key: any(string,string[]), "
     "value: any) -> nil",
     "Sets a field of an instance: root_mode, is_always_posed, or skeleton or state_machine to "
     "the name of a loaded resource (nil: none). Another skeleton or state machine starts over."},
    {"set_property_by_id", ct_characters_set_property_by_id,
     "(self: AnimationStateMachineComponent, entity: Entity, id: any(integer,string), key: "
     "any(string,string[]), value: any) -> integer",
     "Sets a field of an entity's component like set_property; returns the instance."},
    {"set_variable", ct_character_set_variable,
     "(self: AnimationStateMachineComponent, entity: Entity, variable: integer, value: number) "
     "-> nil",
     "Sets a variable by its number. Values outside the variable's range are clamped."},
    {"spawned", ct_characters_spawned,
     "(self: AnimationStateMachineComponent, entities: any(EntityArray,Entity[])) -> nil",
     "Poses new characters now instead of in the next update, so that their nodes have the poses "
     "of their first clips."},
    {"trigger_event", ct_character_send_event,
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
