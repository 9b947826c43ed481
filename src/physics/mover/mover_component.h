// mover_component.h: movers of entities: characters that walk.
//
// An entity may have several movers, of which one is in use: crouching is using another. The capsule
// of the one in use stands on the entity's position; moving it moves the entity. Up is against the
// gravity of the world; while there is none as it was last, z at first. Others collide with the mover, and queries find it,
// through an actor of the entity: a keyframed capsule with the mover's collision filter. The mover
// itself collides with what its filter collides with, but not with its own entity's actors, nor with
// actors whose collision or scene queries are disabled.
//
// A mover only moves when ct_mover_component_move is called, at once: call it once in each step of
// the world, also with an offset of 0, so that platforms carry it and walls push it. An entity
// that was moved by other means has its mover there in the next call; moved up by more than the skin, or
// by more than the radius, it then stands on nothing. An actor that is teleported, as a static one is by
// its node, takes along no mover that stands on it.
//
// Instances by slot: what it was made with, and its place; the state of a move is the entity's, and
// goes on when another mover comes into use. Movers of equal size share a capsule. Functions that
// take an instance assert that it exists; values must be in range (asserted). Update thread.
#pragma once
#include "physics/actor/physics_world.h"
#include "physics/mover/mover.h"

typedef struct ct_mover_manager ct_mover_manager;

typedef struct ct_mover_instance {
    uint32_t index; // {0}: none; stale after any instance is destroyed
} ct_mover_instance;

// --- Life cycle ----------------------------------------------------------------------------------

// Makes the manager of a world's movers. All parameters must outlive it.
ct_mover_manager *ct_mover_manager_create(ct_allocator *a, ct_physics_system *system,
                                          ct_physics_world *physics,
                                          ct_transform_manager *transforms);
void ct_mover_manager_destroy(ct_mover_manager *m); // NULL is fine

// Returns the row for the component registry, which then owns the manager. It comes after actors.
ct_component_manager ct_mover_component_manager(ct_mover_manager *m);

// Gives an entity a mover. The entity must have a transform (asserted). The first of an entity that
// `is_active` comes into use; sizes out of range are moved into it, with a warning. `data` is copied.
ct_mover_instance ct_mover_create(ct_mover_manager *m, ct_entity e, uint32_t id,
                                  const ct_mover_data *data);
void ct_mover_destroy(ct_mover_manager *m, ct_mover_instance i);

// Returns the entity's movers in the order in which they were made: the first; the next, or {0}.
ct_mover_instance ct_mover_first(const ct_mover_manager *m, ct_entity e);
ct_mover_instance ct_mover_next(const ct_mover_manager *m, ct_mover_instance i);
// Returns the entity's first mover with this name, or {0}.
ct_mover_instance ct_mover_named(const ct_mover_manager *m, ct_entity e, ct_string_id32 name);
// Returns the entity's mover in use, or {0}.
ct_mover_instance ct_mover_active(const ct_mover_manager *m, ct_entity e);
uint32_t ct_mover_count_of(const ct_mover_manager *m, ct_entity e);
uint32_t ct_mover_count(const ct_mover_manager *m); // of all entities

// The mover's number among the entity's, as of ct_light_number, and the mover with a number.
uint32_t ct_mover_number(const ct_mover_manager *m, ct_mover_instance i);
ct_mover_instance ct_mover_with_number(const ct_mover_manager *m, ct_entity e, uint32_t number,
                                       uint32_t num_bits);

// What it was made with and has been changed to since. Borrowed until the manager next changes.
const ct_mover_data *ct_mover_data_of(const ct_mover_manager *m, ct_mover_instance i);
bool ct_mover_is_active(const ct_mover_manager *m, ct_mover_instance i);
// Returns the actor that others collide with; {0} while it is not in use.
ct_actor ct_mover_actor(const ct_mover_manager *m, ct_mover_instance i);

// --- Moving --------------------------------------------------------------------------------------

// Moves the entity by `offset` metres in `dt` seconds (positive), in world space: see ct_mover_move.
// The ground turns the entity, too, when it turns about up. Does nothing when `i` is not in use.
void ct_mover_component_move(ct_mover_manager *m, ct_mover_instance i, ct_vec3 offset, float dt);

// Moves `count` movers, one after the other. Skips {0}.
void ct_mover_component_move_many(ct_mover_manager *m, const ct_mover_instance *movers,
                                  const ct_vec3 *offsets, uint32_t count, float dt);

// Returns the lowest point of the capsule, in world space: the entity's position.
ct_vec3 ct_mover_position(const ct_mover_manager *m, ct_mover_instance i);
// Returns the middle of the capsule, in world space.
ct_vec3 ct_mover_center(const ct_mover_manager *m, ct_mover_instance i);
// Puts the entity elsewhere, at once, also inside something; it then stands on nothing. Does nothing
// when `i` is not in use.
void ct_mover_set_position(ct_mover_manager *m, ct_mover_instance i, ct_vec3 position);

// Return what the last move of the entity found. `ground` in the contacts is the id of an actor;
// ct_mover_ground returns it as one, or {0}.
const ct_mover_contacts *ct_mover_contacts_of(const ct_mover_manager *m, ct_mover_instance i);
ct_actor ct_mover_ground(const ct_mover_manager *m, ct_mover_instance i);
uint32_t ct_mover_standing_frames(const ct_mover_manager *m, ct_mover_instance i);
uint32_t ct_mover_flying_frames(const ct_mover_manager *m, ct_mover_instance i);

// Something that a mover ran into or stood on in a move.
typedef struct ct_mover_touch {
    ct_entity entity;         // that moved
    uint32_t number;          // of its mover (ct_mover_number)
    ct_actor actor;           // that it touched; may have ended since
    ct_vec3 position, normal; // where, and from the actor to the mover; length 1
    ct_vec3 offset;           // by which it was to move, metres
} ct_mover_touch;

enum { CT_MOVER_MAX_TOUCHES = 65536 };

// Has the manager keep what movers touch from now on, or not; at first it does not. Up to
// CT_MOVER_MAX_TOUCHES are kept until they are taken; further ones are left out.
void ct_mover_keep_touches(ct_mover_manager *m, bool keeps);
// Returns what movers have touched since the last call, in the order of the moves, each actor once for
// each move. Borrowed until the next call; moves in the meantime do not change it.
const ct_mover_touch *ct_mover_take_touches(ct_mover_manager *m, uint32_t *count);

// --- Room ----------------------------------------------------------------------------------------

// Returns whether the mover, in use or not, fits at `position` or within `allow_move` metres of it;
// then `found` is where.
bool ct_mover_component_fits_at(ct_mover_manager *m, ct_mover_instance i, ct_vec3 position,
                                float allow_move, ct_vec3 *found);

// Takes another mover of the entity into use; {0}: none. Returns false, and changes nothing, when
// there is no room for it where the entity is.
bool ct_mover_set_active(ct_mover_manager *m, ct_entity e, ct_mover_instance i);

// Moves the entity out of what its mover overlaps, by at most `allow_move` metres. Returns whether it
// was inside something; then `actor` is what it is still inside of ({0}: it is free), and `moved` by
// how much it moved. False when `i` is not in use.
bool ct_mover_component_separate(ct_mover_manager *m, ct_mover_instance i, float allow_move,
                                 ct_actor *actor, ct_vec3 *moved);

// --- Settings ------------------------------------------------------------------------------------

// Returns false for a name that the physics resource does not have.
bool ct_mover_set_filter(ct_mover_manager *m, ct_mover_instance i, ct_string_id32 filter);
// Sets the slope (radians, 0 to CT_MOVER_MOST_SLOPE) from which on ground is too steep.
void ct_mover_set_max_slope_angle(ct_mover_manager *m, ct_mover_instance i, float angle);

// Calls `line` for the capsules of movers in use near `center`, up to `radius` metres.
void ct_mover_draw(ct_mover_manager *m, ct_vec3 center, float radius,
                   void (*line)(void *user, ct_vec3 from, ct_vec3 to), void *user);
