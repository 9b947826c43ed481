// api_animation.h: characters (animation/component/animation_component.h) in Lua.
//
// Three modules work on them: Unit, AnimationBlenderComponent and AnimationStateMachineComponent.
// The two components are views of one: both make, find and destroy the component "animation". What
// the modules share is here, as functions of a character and the place of its unit among the
// arguments; the arguments after it are the function's own.
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

// Return the character at `argument`; raise an error when the unit has no animation. The second
// function is for a unit of the world of a component.
ct_script_character ct_check_character(lua_State *L, int argument);
ct_script_character ct_check_character_of(lua_State *L, int argument, ct_world *world);

// --- api_animation_machine.c: state machines -----------------------------------------------------

// Sends the event that is the argument after the unit; returns whether the machine has it.
int ct_character_send_event(lua_State *L, ct_script_character c);
int ct_character_has_event(lua_State *L, ct_script_character c);

// Push the number from 1 of the variable with a name, and the value of one with a number; set the
// value, the second argument after the unit.
int ct_character_find_variable(lua_State *L, ct_script_character c);
int ct_character_variable(lua_State *L, ct_script_character c);
int ct_character_set_variable(lua_State *L, ct_script_character c);

// Starts or stops the log, as the argument after the unit says.
int ct_character_set_logging(lua_State *L, ct_script_character c);

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
// loops and, if it is taken, the blend type. Pushes the id.
int ct_character_crossfade(lua_State *L, ct_script_character c, bool takes_blend_type);

// Push whether clips are fading; set the speed or the time of the clip with an id, and push whether
// it still plays.
int ct_character_is_crossfading(lua_State *L, ct_script_character c);
int ct_character_set_crossfade_speed(lua_State *L, ct_script_character c);
int ct_character_set_crossfade_time(lua_State *L, ct_script_character c);

// Push and set the root mode and the bone mode, by name.
int ct_character_root_mode(lua_State *L, ct_script_character c);
int ct_character_set_root_mode(lua_State *L, ct_script_character c);
int ct_character_bone_mode(lua_State *L, ct_script_character c);
int ct_character_set_bone_mode(lua_State *L, ct_script_character c);

// Set the number of joints that are posed; push the root's motion in the last update.
int ct_character_set_bones_lod(lua_State *L, ct_script_character c);
int ct_character_root_delta(lua_State *L, ct_script_character c);

int ct_unit_animation_get_curve_value(lua_State *L);
int ct_unit_animation_get_length(lua_State *L);
int ct_unit_animation_wanted_root_pose(lua_State *L);
int ct_unit_bones(lua_State *L);
int ct_unit_has_animation_blender(lua_State *L);

// --- api_animation_instances.c: what the two components share ------------------------------------

// Make and destroy a character in `world`, whose component is argument 1; pose new ones.
int ct_characters_create(lua_State *L, ct_world *world);
int ct_characters_destroy(lua_State *L, ct_world *world);
int ct_characters_destroy_all(lua_State *L, ct_world *world);
int ct_characters_spawned(lua_State *L, ct_world *world);

// Push the ids, the instances, and the instance with an id, of the entity at argument 2.
int ct_characters_instance_ids(lua_State *L, ct_world *world);
int ct_characters_instances(lua_State *L, ct_world *world);
int ct_characters_lookup(lua_State *L, ct_world *world);

// Push and set fields of the instance at argument 2, or of the entity there with an id.
int ct_characters_get_property(lua_State *L, ct_world *world);
int ct_characters_get_property_by_id(lua_State *L, ct_world *world);
int ct_characters_set_property(lua_State *L, ct_world *world);
int ct_characters_set_property_by_id(lua_State *L, ct_world *world);

// --- api_unit_animation.c: functions of Unit that only name another ------------------------------

int ct_unit_animation_bone_mode(lua_State *L);
int ct_unit_animation_event(lua_State *L);
int ct_unit_animation_events(lua_State *L);
int ct_unit_animation_find_variable(lua_State *L);
int ct_unit_animation_get_variable(lua_State *L);
int ct_unit_animation_root_mode(lua_State *L);
int ct_unit_animation_set_variable(lua_State *L);
int ct_unit_crossfade_animation(lua_State *L);
int ct_unit_crossfade_animation_set_speed(lua_State *L);
int ct_unit_crossfade_animation_set_time(lua_State *L);
int ct_unit_has_animation_event(lua_State *L);
int ct_unit_is_crossfading_animation(lua_State *L);
int ct_unit_set_animation_bone_mode(lua_State *L);
int ct_unit_set_animation_logging(lua_State *L);
int ct_unit_set_animation_root_mode(lua_State *L);
int ct_unit_set_bones_lod(lua_State *L);
