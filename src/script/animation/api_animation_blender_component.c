#include "script/animation/api_animation.h"
#include "script/entity/api_managers.h"

extern const ct_lua_module ct_api_animation_blender_component;

const ct_lua_object_type ct_type_animation_blender_component = {.name = "AnimationBlenderComponent",
                                                                .owner = CT_LUA_OWNER_OBJECT};

static const ct_lua_function functions[] = {
    {"bone_mode", ct_character_bone_mode,
     "(self: AnimationBlenderComponent, entity: Entity) -> string",
     "Returns which parts of the pose the joints get: \"ignore\", \"position\", \"rotation\", "
     "\"pose\" (position and rotation) or \"transform\" (and scale)."},
    {"create", ct_characters_create,
     "(self: AnimationBlenderComponent, entity: Entity, id: any(integer,string)) -> integer",
     "Makes an entity a character without a skeleton, under an id; returns the instance. Set the "
     "property \"skeleton\" next. An entity has at most one component of the type animation, "
     "which both animation components work on."},
    {"crossfade", ct_character_crossfade,
     "(self: AnimationBlenderComponent, entity: Entity, animation: string(animation), layer: "
     "integer?, blend_time: number?, loop: boolean?) -> integer",
     "Fades to a clip within `blend_time` seconds (0) on a layer from 1 (1), which it starts "
     "over at its end with `loop` (false). Returns the id of the fade. The character must have "
     "no state machine."},
    {"delta_transform", ct_character_root_delta,
     "(self: AnimationBlenderComponent, entity: Entity) -> Matrix4x4",
     "Returns how the root moved in the last update, in the space of the entity before it."},
    {"destroy", ct_characters_destroy,
     "(self: AnimationBlenderComponent, instance: integer) -> nil",
     "Destroys the component: the entity is no character any more."},
    {"destroy_all", ct_characters_destroy_all,
     "(self: AnimationBlenderComponent, entity: Entity) -> nil",
     "Destroys the component of an entity, if it has one."},
    {"get_property", ct_characters_get_property,
     "(self: AnimationBlenderComponent, instance: integer, key: any(string,string[])) -> any",
     "Returns a field of an instance by its name in unit sources: skeleton, state_machine, "
     "root_mode or is_always_posed."},
    {"get_property_by_id", ct_characters_get_property_by_id,
     "(self: AnimationBlenderComponent, entity: Entity, id: any(integer,string), key: "
     "any(string,string[])) -> any",
     "Returns a field of an entity's component by its name in unit sources: skeleton, "
     "state_machine, root_mode or is_always_posed."},
    {"instance_ids", ct_characters_instance_ids,
     "(self: AnimationBlenderComponent, entity: Entity) -> integer*",
     "Returns the id of an entity's component, or nothing when it has none."},
    {"instances", ct_characters_instances,
     "(self: AnimationBlenderComponent, entity: Entity) -> integer*",
     "Returns the instance of an entity, valid until it is destroyed, or nothing when it has "
     "none."},
    {"is_crossfading", ct_character_is_crossfading,
     "(self: AnimationBlenderComponent, entity: Entity) -> boolean",
     "Returns whether a clip is fading in or out."},
    {"lookup", ct_characters_lookup,
     "(self: AnimationBlenderComponent, entity: Entity, id: any(integer,string)) -> integer?",
     "Returns the instance with this id of an entity, or nil."},
    {"root_mode", ct_character_root_mode,
     "(self: AnimationBlenderComponent, entity: Entity) -> string",
     "Returns what root motion does with the entity: \"ignore\", \"delta_position\", "
     "\"delta_rotation\" or \"delta_pose\"."},
    {"set_bone_mode", ct_character_set_bone_mode,
     "(self: AnimationBlenderComponent, entity: Entity, bone_mode: string) -> nil",
     "Sets which parts of the pose the joints get: \"ignore\", \"position\", \"rotation\", "
     "\"pose\" or \"transform\". The others stay at rest."},
    {"set_bones_lod", ct_character_set_bones_lod,
     "(self: AnimationBlenderComponent, entity: Entity, lod: integer) -> nil",
     "Poses only the first `lod` joints of the skeleton; the others keep their rest poses. 0 "
     "poses all."},
    {"set_property", ct_characters_set_property,
     "(self: AnimationBlenderComponent, instance: integer, key: any(string,string[]), value: "
     "any) -> nil",
     "Sets a field of an instance: root_mode, is_always_posed, or skeleton or state_machine to "
     "the name of a loaded resource (nil: none). Another skeleton or state machine starts over."},
    {"set_property_by_id", ct_characters_set_property_by_id,
     "(self: AnimationBlenderComponent, entity: Entity, id: any(integer,string), key: "
     "any(string,string[]), value: any) -> integer",
     "Sets a field of an entity's component like set_property; returns the instance."},
    {"set_root_mode", ct_character_set_root_mode,
     "(self: AnimationBlenderComponent, entity: Entity, root_mode: string) -> nil",
     "Sets what root motion does with the entity: \"ignore\", \"delta_position\", "
     "\"delta_rotation\" or \"delta_pose\"."},
    {"set_speed", ct_character_set_crossfade_speed,
     "(self: AnimationBlenderComponent, entity: Entity, id: integer, speed: number) -> boolean",
     "Sets the speed of the clip with the id that crossfade returned; 1 is as recorded, negative "
     "numbers play backwards. Returns false when the clip no longer plays."},
    {"set_time", ct_character_set_crossfade_time,
     "(self: AnimationBlenderComponent, entity: Entity, id: integer, time: number) -> boolean",
     "Sets the time in seconds of the clip with the id that crossfade returned. Returns false "
     "when the clip no longer plays."},
    {"spawned", ct_characters_spawned,
     "(self: AnimationBlenderComponent, entities: any(EntityArray,Entity[])) -> nil",
     "Poses new characters now instead of in the next update, so that their nodes have the poses "
     "of their first clips."},
};

const ct_lua_module ct_api_animation_blender_component = {
    .name = "AnimationBlenderComponent",
    .doc = "The characters of a world: clips that fade into each other, root motion and joints. "
           "Get it with EntityManager.animation_blender_component.",
    .functions = functions,
    .num_functions = CT_COUNT_OF(functions),
};
