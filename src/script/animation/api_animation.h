// api_animation.h: characters (animation/component/animation_component.h) in Lua.
//
// Three modules work on them: Unit, AnimationBlenderComponent and AnimationStateMachineComponent.
// The two components are views of one: both make, find and destroy the component "animation". What
// the modules share are the ct_character_… functions: each is in the tables of several modules, and
// finds its unit where the module that was called has it. The arguments after the unit are its own.
#pragma once
#include "animation/component/animation_component.h"
#include "script/api_check.h"

// A unit that is a character.
typedef struct ct_script_character {
    ct_world *world;
    ct_animation_manager *manager;
    ct_entity entity;
    ct_animation_instance instance;
    int argument; // that has the unit
} ct_script_character;

// Returns the characters of a world; raises an error when worlds have no characters.
ct_animation_manager *ct_check_animations(lua_State *L, const ct_world *world);

// Returns the character that a unit of this world is, or {0}.
static inline ct_animation_instance ct_find_character(const ct_world *world, ct_entity e) {
    const ct_animation_manager *const m = ct_world_animations(world);
    return m ? ct_animation_lookup(m, e) : (ct_animation_instance){0};
}

// Returns the character at `argument`; raises an error when the unit has no animation.
ct_script_character ct_check_character(lua_State *L, int argument);

// Returns the world of the component at argument 1, for a function of one of the two components;
// raises an error when it is another component, or anything else.
ct_world *ct_called_component(lua_State *L);

// Returns the character of the unit that a function was called for: at argument 1 of a function of
// Unit, at argument 2 of one of a component. Raises an error as the functions above.
ct_script_character ct_called_character(lua_State *L);

// --- api_animation_machine.c: state machines -----------------------------------------------------

// Send the event that is the argument after the unit; push whether a transition waits for it.
int ct_character_send_event(lua_State *L);
int ct_character_has_event(lua_State *L);

// Push the number from 1 of the variable with a name, and the value of one with a number; set the
// value, the second argument after the unit.
int ct_character_find_variable(lua_State *L);
int ct_character_variable(lua_State *L);
int ct_character_set_variable(lua_State *L);

// Starts or stops the log, as the argument after the unit says.
int ct_character_set_logging(lua_State *L);

int ct_unit_animation_events(lua_State *L);
int ct_unit_animation_get_state(lua_State *L);
int ct_unit_animation_has_variable(lua_State *L);
int ct_unit_animation_layer_info(lua_State *L);
int ct_unit_animation_set_state(lua_State *L);
int ct_unit_disable_animation_state_machine(lua_State *L);
int ct_unit_enable_animation_state_machine(lua_State *L);
int ct_unit_has_animation_state_machine(lua_State *L);
int ct_unit_set_animation_state_machine(lua_State *L);

// --- api_animation_blend.c: single clips, root motion, joints ------------------------------------

// Fades to a clip: the arguments after the unit are its name, the layer, the blend time, whether it
// loops and, for a function of Unit, the blend type. Pushes the id.
int ct_character_crossfade(lua_State *L);

// Push whether clips are fading; set the speed or the time of the clip with an id, and push whether
// it still plays.
int ct_character_is_crossfading(lua_State *L);
int ct_character_set_crossfade_speed(lua_State *L);
int ct_character_set_crossfade_time(lua_State *L);

// Push and set the root mode and the bone mode, by name.
int ct_character_root_mode(lua_State *L);
int ct_character_set_root_mode(lua_State *L);
int ct_character_bone_mode(lua_State *L);
int ct_character_set_bone_mode(lua_State *L);

// Set the number of joints that are posed; push the root's motion in the last update.
int ct_character_set_bones_lod(lua_State *L);
int ct_character_root_delta(lua_State *L);

int ct_unit_animation_get_curve_value(lua_State *L);
int ct_unit_animation_get_length(lua_State *L);
int ct_unit_animation_wanted_root_pose(lua_State *L);
int ct_unit_bones(lua_State *L);
int ct_unit_has_animation_blender(lua_State *L);

// --- api_animation_instances.c: what the two components share ------------------------------------

// Make and destroy a character in the world of the component at argument 1; pose new ones.
int ct_characters_create(lua_State *L);
int ct_characters_destroy(lua_State *L);
int ct_characters_destroy_all(lua_State *L);
int ct_characters_spawned(lua_State *L);

// Push the ids, the instances, and the instance with an id, of the entity at argument 2.
int ct_characters_instance_ids(lua_State *L);
int ct_characters_instances(lua_State *L);
int ct_characters_lookup(lua_State *L);

// Push and set fields of the instance at argument 2, or of the entity there with an id.
int ct_characters_get_property(lua_State *L);
int ct_characters_get_property_by_id(lua_State *L);
int ct_characters_set_property(lua_State *L);
int ct_characters_set_property_by_id(lua_State *L);
