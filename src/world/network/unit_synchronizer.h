// unit_synchronizer.h: units of one world as game objects of a session, and the other way round.
//
// A tie is a game object and a unit that show each other. Of own objects, fields follow the unit; of
// those of other peers, units are spawned and follow the fields, somewhat later than they came, so
// that they move evenly (network_interpolation.h). What a field is, its name says:
//
// | field | kind | part of the unit |
// | --- | --- | --- |
// | `unit` | id | the name of its resource; such objects are spawned |
// | `level`, `level_unit` | id | its level's resource, its id there; such objects are linked |
// | `position`, `rotation`, `scale` | vector3, rotation, vector3 | its root in the world |
// | `velocity`, `angular_velocity` | vector3 | those of the root's first actor, if it has one |
// | others | all but id, object, and arrays of these | the value of this name in its data |
//
// Data is the first data component of the root: bools; integers and floats as numbers; vectors,
// rotations and arrays of numbers as arrays of numbers; strings, names of lookups, and peers (16
// hexadecimal digits) as texts. A value that its field does not take is a warning, and the field
// stays as it is.
//
// Objects of types with neither `unit` nor `level_unit` are not of the synchronizer's concern.
//
// Dynamic actors of other peers' units are kinematic as long as they belong to others, and get their
// velocity from what the fields say of the root; when the unit becomes this peer's, or its tie ends,
// those become dynamic again, with the velocity of the fields. Actors that are made in the meantime
// stay as they are.
//
//     ct_network_session_update(session, now);
//     ct_unit_synchronizer_receive(s, now);   // once for each update, before the game's own events
//     ... the game; ct_world_advance ...
//     ct_unit_synchronizer_send(s);
//     ct_network_session_transmit(session, now);
//
// Update thread.
#pragma once
#include "network/session/network_session.h"
#include "world/world.h"

typedef struct ct_unit_synchronizer ct_unit_synchronizer;

// Makes a synchronizer without a world; objects that the session has already are its, too. The
// session is borrowed and must outlive it. `a` has all of its memory.
ct_unit_synchronizer *ct_unit_synchronizer_create(ct_allocator *a, ct_network_session *session);

// Frees it (NULL is fine). Units and objects stay; actors become dynamic again.
void ct_unit_synchronizer_destroy(ct_unit_synchronizer *s);

// Sets the world (NULL: none), which is borrowed: set another one before it ends. Units of other
// peers' objects are destroyed in the old world and come in the new one; own objects of units of the
// old world are destroyed, and the units stay. Units of levels stay.
void ct_unit_synchronizer_set_world(ct_unit_synchronizer *s, ct_world *w);

// Returns the world, or NULL; and the session.
ct_world *ct_unit_synchronizer_world(const ct_unit_synchronizer *s);
ct_network_session *ct_unit_synchronizer_session(const ct_unit_synchronizer *s);

// Spawns a unit and creates an object of type `type` (index in the config), with what the unit has
// in its fields. NULL: position 0, no rotation. Returns {0} with `error`, and changes nothing, when
// there is no world or session, the unit is not loaded, or a field of the type fits no part of a
// unit.
ct_entity ct_unit_synchronizer_spawn_unit(ct_unit_synchronizer *s, uint32_t type, const char *name,
                                          const ct_vec3 *position, const ct_quat *rotation,
                                          ct_error *error);

// Creates an object for a unit that a level spawned, in this world and in those of the other peers:
// they find it by the level's resource (the first such level in which it lives) and its id. Where it
// is not there yet, they wait for it. Returns 0 with `error` for other units, for one that has a tie,
// and as ct_unit_synchronizer_spawn_unit. Choose a shared type where units should outlive the stay
// of their owner.
ct_network_object_id ct_unit_synchronizer_link_unit(ct_unit_synchronizer *s, ct_entity unit,
                                                    uint32_t type, ct_error *error);

// Destroys a unit of an own object, and the object: at all peers. Returns false with `error` when the
// unit has no object or belongs to another peer.
bool ct_unit_synchronizer_destroy_unit(ct_unit_synchronizer *s, ct_entity unit, ct_error *error);

// Return the other end of a tie: {0} and 0 without one. Units are alive.
ct_entity ct_unit_synchronizer_unit(const ct_unit_synchronizer *s, ct_network_object_id object);
ct_network_object_id ct_unit_synchronizer_object(const ct_unit_synchronizer *s, ct_entity unit);

// Returns how many ties there are, and how many objects wait for a unit that is not loaded or not
// there.
uint32_t ct_unit_synchronizer_count(const ct_unit_synchronizer *s);
uint32_t ct_unit_synchronizer_num_waiting(const ct_unit_synchronizer *s);

// Sets how many seconds ago the moment is that units of others show (ct_network_delay_set); negative:
// as the connection needs, as at first.
void ct_unit_synchronizer_set_delay(ct_unit_synchronizer *s, double seconds);
// Returns the delay that was set in seconds; negative: as the connection needs.
double ct_unit_synchronizer_delay(const ct_unit_synchronizer *s);

// Takes the events of the session's last update, spawns and destroys units, and places those of
// others. `now` as given to ct_network_session_update. A unit that is not loaded is a warning, and
// tried again each time. When the session is over, all ties end, and units stay.
void ct_unit_synchronizer_receive(ct_unit_synchronizer *s, double now);

// Copies what changed of own units to their fields, and destroys the objects of own units that are
// dead. A dead unit of another peer ends its tie, with a warning. Before ct_network_session_transmit.
void ct_unit_synchronizer_send(ct_unit_synchronizer *s);
