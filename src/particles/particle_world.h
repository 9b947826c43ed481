// particle_world.h: the particle effects that play in a world.
//
// An effect is a number of emitters that play a resource at a place. Each has a random stream of its
// own: its state is a function of the resource, its seed, and the steps of time and moves since it
// started, whatever the number of threads. An effect ends when no emitter makes particles any more
// and all particles are dead, or when it is destroyed; then its id is stale, and functions do
// nothing with it. Update thread.
#pragma once
#include "foundation/math/math_types.h"
#include "particles/particle_field.h"
#include "particles/particle_system.h"
#include "physics/actor/physics_world.h"

typedef struct ct_particle_world ct_particle_world;

// An effect that plays; {0} is no effect.
typedef struct ct_particle_effect_id {
    uint32_t value;
} ct_particle_effect_id;

// Where an effect is, in the world. Scale also scales what it makes.
typedef struct ct_particle_place {
    ct_vec3 position;
    ct_quat rotation;
    ct_vec3 scale;
} ct_particle_place;

typedef struct ct_particle_world_desc {
    ct_allocator *allocator;
    ct_particle_system *system;
    ct_render_world_id render_world;
    ct_physics_world *physics; // for collisions; NULL: particles do not collide
} ct_particle_world_desc;

// Makes the particles of a world. All in `desc` must outlive it.
ct_particle_world *ct_particle_world_create(const ct_particle_world_desc *desc);

// Ends all effects and frees it; NULL is fine.
void ct_particle_world_destroy(ct_particle_world *w);

// --- Effects -------------------------------------------------------------------------------------

// Starts an effect. Returns {0}, and warns once for each name, when it is not loaded or the place
// is not finite. `seed` 0: the resource's, or the next of the world. Its prewarm runs in the next
// update, or before it is drawn: with the variables, place and nodes that it has then.
ct_particle_effect_id ct_particles_create(ct_particle_world *w, ct_string_id64 effect,
                                          const ct_particle_place *place, uint32_t seed);

// Moves an effect: particles are born along the way from the place before. Ignored when the place is
// not finite. `is_jump`: there is no way, and LOCAL particles have no velocity from it.
void ct_particles_move(ct_particle_world *w, ct_particle_effect_id e,
                       const ct_particle_place *place, bool is_jump);

// Ends births; the effect ends when the last particle is dead.
void ct_particles_stop_spawning(ct_particle_world *w, ct_particle_effect_id e);

// Ends an effect with its particles, at once.
void ct_particles_destroy(ct_particle_world *w, ct_particle_effect_id e);

// Returns whether the id is known: the effect plays, or has ended since the last update and is not in
// its list (ct_particles_ended) yet.
bool ct_particles_exists(const ct_particle_world *w, ct_particle_effect_id e);

// Returns whether the effect has not ended.
bool ct_particles_is_playing(const ct_particle_world *w, ct_particle_effect_id e);

// Returns the resource that an effect plays, {0} when it has ended.
ct_string_id64 ct_particles_resource_of(const ct_particle_world *w, ct_particle_effect_id e);

// Gives where an effect is. Returns false when it has ended.
bool ct_particles_place(const ct_particle_world *w, ct_particle_effect_id e,
                        ct_particle_place *place);

// Sets variable `index` (ct_particle_system_variable) of an effect. Ignored when it does not exist or
// the value is not finite.
void ct_particles_set_variable(ct_particle_world *w, ct_particle_effect_id e, uint32_t index,
                               ct_vec4 value);

// Gives the poses (in the world) of `count` nodes with their parents (positions, UINT32_MAX: none),
// where emitters with the shape SKELETON make particles. Copied.
void ct_particles_set_nodes(ct_particle_world *w, ct_particle_effect_id e, const ct_mat4 *nodes,
                            const uint32_t *parents, uint32_t count);

// Returns the number of living particles of emitter `emitter` of an effect, of all its emitters
// (UINT32_MAX), or with {0} of all effects. Those on the GPU count as if they were never killed.
uint32_t ct_particles_count(const ct_particle_world *w, ct_particle_effect_id e, uint32_t emitter);

// Starts an effect again and steps it to a time after its prewarm, at its place; at most 10 minutes.
void ct_particles_seek(ct_particle_world *w, ct_particle_effect_id e, double seconds);

// Returns a hash of the state of all particles of an effect; 0 when it has ended.
uint64_t ct_particles_hash(const ct_particle_world *w, ct_particle_effect_id e);

// Sets the collision filter of steps that name none; {0}: collide with everything.
void ct_particles_set_filter(ct_particle_world *w, ct_string_id32 filter);

// Returns the world's vector fields. Borrowed.
ct_particle_fields *ct_particles_fields(ct_particle_world *w);

// --- Frames --------------------------------------------------------------------------------------

// Adds a camera's position: until the next update, effects wait that are beyond their cull distance
// of all of them.
void ct_particles_add_view(ct_particle_world *w, ct_vec3 position);

// Steps all effects by `dt` seconds. Allocates nothing when there were as many effects before.
void ct_particles_update(ct_particle_world *w, double dt);

// Returns the effects that ended by themselves in the last update. Borrowed until the next.
const ct_particle_effect_id *ct_particles_ended(const ct_particle_world *w, uint32_t *count);

// Sends what is to be drawn to the renderer, if anything changed since the last call.
void ct_particles_send(ct_particle_world *w);
