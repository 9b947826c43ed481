// particle_private.h: how an effect that plays lies in memory; shared by the files of this folder.
//
// An effect is one block of memory: the struct, then the states of its emitters, its variables, and
// the channels of each emitter, one after the other (ct_particle_blocks). Small effects so take few
// cache lines next to each other.
//
// A step of time of an effect runs its emitters in order; those that events make particles of come
// after those that have the events. For each emitter: all particles go through the `update` steps,
// CHUNK particles at a time, so that channels stay in the nearest cache from step to step; the dead
// are removed; the born are added, set by `init`, and go through `update` for the time since their
// birth.
#pragma once
#include <math.h>

#include "foundation/container/array.h"
#include "particles/particle_random.h"
#include "particles/particle_world.h"

enum {
    CT_PARTICLE_CHUNK = 256, // particles
    CT_PARTICLE_MAX_NODES = 256,
};

// A request for births, from an event.
typedef struct ct_particle_request {
    ct_vec3 position, velocity; // in the world
    uint32_t count;
    float seconds; // since it happened
} ct_particle_request;

// What draws a particle of a MESH emitter, by the numbers in OBJECT channels.
typedef struct ct_particle_object {
    ct_render_object_id object; // {0}: not made yet
    uint32_t sent;              // the sending in which it was last shown
    uint32_t seed;              // of the particle that it then showed
} ct_particle_object;

// The exact motion under a constant acceleration a, drag and wind w for some seconds:
// v' = v * keep + a * gain + w * (1 - keep), x' = x + v * go + a * fall + w * (seconds - go).
typedef struct ct_particle_motion {
    float drag, seconds; // that it is for
    float keep, gain, go, fall;
} ct_particle_motion;

typedef struct ct_particle_emitter_state {
    float *channels; // channel c: `capacity` numbers at channels + c * capacity; aligned to 64
    uint32_t capacity, count;
    uint32_t num_born;
    double time;              // since the effect started, less the delay
    double owed, owed_by_way; // births that are due, with a fraction: below 1 after each step
    // Of emitters that events make particles of: room for `capacity`.
    ct_particle_request *requests;
    uint32_t num_requests;
    // Of MESH emitters: `capacity` objects, and the numbers (from 1) of those that no particle has.
    ct_particle_object *objects;
    uint32_t *free_objects;
    uint32_t num_free_objects;
    // Of LIGHT emitters: max_lights.
    ct_render_light_id *lights;
    uint32_t num_lights;                 // that exist
    struct ct_particle_gpu_emitter *gpu; // of one on the GPU (particle_gpu.h): it has no channels,
                                         // and `count` is 0. Else NULL
    ct_particle_motion motion;           // of the last step of time, as most steps are as long
    bool is_done;                        // makes no more particles by itself
    bool is_updated; // its particles went through `update` in this step of time already
} ct_particle_emitter_state;

typedef struct ct_particle_effect {
    const ct_particles_resource *resource; // NULL: it went offline; nothing happens then
    ct_particle_emitter_state *emitters;
    ct_vec4 *variables;
    uint64_t block_bytes;
    ct_string_id64 name;
    ct_particle_effect_id id;
    uint32_t seed, num_emitters, num_variables;
    ct_particle_place before, now; // of the step: births lie between them
    ct_mat4 pose;                  // of `now`
    ct_vec3 velocity;              // of the effect in the step
    double time;
    double gpu_from; // steps before this time are not sent to the GPU
    double waited;   // seconds that it was too far from all cameras since it was last stepped
    bool is_cold;    // it was not stepped by the resource's prewarm yet
    bool is_stopped, has_ended;
    bool is_drawn; // something of it may be on the render thread: objects, lights, GPU
    // Nodes for SKELETON shapes: in a block of their own.
    ct_mat4 *nodes;
    uint32_t *node_parents;
    uint32_t num_nodes;
    uint64_t node_bytes;
} ct_particle_effect;

struct ct_particle_world {
    ct_allocator *allocator; // proxy
    ct_particle_system *system;
    ct_renderer *renderer;
    ct_render_world_id render_world;
    ct_physics_world *physics; // or NULL
    ct_particle_fields *fields;
    struct ct_particle_gpu_queue *gpu;
    CT_ARRAY(ct_particle_effect *) effects; // in the order in which they started
    CT_ARRAY(ct_particle_effect *) slots;   // by slot; NULL: free. Slot 0 is unused
    CT_ARRAY(uint16_t) generations;         // by slot
    ct_u32_array free_slots;
    CT_ARRAY(ct_particle_effect_id) ended;
    CT_ARRAY(ct_vec3) views;
    CT_ARRAY(ct_particle_effect *) stepped; // scratch of particle_update.c
    ct_u32_array task_begins;               //
    uint32_t next_seed;
    uint32_t num_reserved; // particles that effects have room for
    ct_string_id32 filter;
    uint32_t num_sends;
    bool is_over_budget; // the world has warned of it
    bool is_changed;     // since it was last sent
    bool had_clouds;     // when it was last sent
};

// --- Memory (particle_blocks.c) ------------------------------------------------------------------

// Takes a block of at least `bytes`, aligned to 64, whose contents are undefined, and gives one
// back (NULL is fine). Update thread.
void *ct_particle_blocks_take(ct_particle_system *s, uint64_t bytes);
void ct_particle_blocks_give(ct_particle_system *s, void *block, uint64_t bytes);

// --- Effects (particle_effect.c) -----------------------------------------------------------------

// Makes an effect that plays `resource` from its start, with as many particles as the world's budget
// leaves. The caller sets name, id, seed and places.
ct_particle_effect *ct_particle_effect_create(ct_particle_world *w,
                                              const ct_particles_resource *resource);

// Has a block for an effect of this resource ready, so that the first start allocates nothing.
void ct_particle_effect_prepare(ct_particle_system *s, const ct_particles_resource *resource);

// Frees an effect; what the render thread has of it is hidden before.
void ct_particle_effect_free(ct_particle_world *w, ct_particle_effect *fx);

// Resets all emitters to the start.
void ct_particle_effect_restart(ct_particle_world *w, ct_particle_effect *fx);

// Returns an effect like `old` for a new blob, and frees `old`: with its particles where emitters of
// the same name have the same channels; other emitters, and those on the GPU, start again.
ct_particle_effect *ct_particle_effect_follow(ct_particle_world *w, ct_particle_effect *old,
                                              const ct_particles_resource *resource);

// Returns the longest time that an effect can play: infinite for one without an end.
double ct_particle_effect_seconds(const ct_particle_effect *fx);

// Sets the place and what follows from it.
void ct_particle_effect_set_place(ct_particle_effect *fx, const ct_particle_place *place);

// Steps an effect by any time above 0: in pieces when it is long (particle_update.c).
void ct_particle_effect_step(const ct_particle_world *w, ct_particle_effect *fx, double dt);

// Runs the prewarm of effects that are new (particle_world.c).
void ct_particles_warm(ct_particle_world *w);

// Steps all effects of a world that are not too far from its cameras (particle_update.c).
void ct_particle_world_step(ct_particle_world *w, double dt);

// --- Channels ------------------------------------------------------------------------------------

// Returns the first channel of a semantic; NULL when the emitter has none.
static inline float *ct_particle_channel(const ct_particle_emitter *e,
                                         const ct_particle_emitter_state *s, uint32_t semantic) {
    const uint32_t channel = e->channels[semantic];
    return channel == CT_PARTICLES_NO_CHANNEL ? NULL : s->channels + (size_t)channel * s->capacity;
}

// Returns by how much the effect's place scales sizes.
static inline float ct_particle_size_scale(const ct_particle_effect *fx) {
    const ct_vec3 s = fx->now.scale;
    return (fabsf(s.x) + fabsf(s.y) + fabsf(s.z)) * (1.0f / 3.0f);
}

// Returns an emitter of a resource.
static inline const ct_particle_emitter *
ct_particle_emitter_at(const ct_particles_resource *resource, uint32_t emitter) {
    return (const ct_particle_emitter *)ct_blob_at(resource, resource->emitters.offset) + emitter;
}

// --- Values (particle_value.c) -------------------------------------------------------------------

// Returns a value of the emitter: constant or by its clock (0 to 1).
ct_vec4 ct_particle_changing_value(const ct_particle_effect *fx, const ct_particle_emitter *e,
                                   uint32_t value, float clock);
static inline ct_vec4 ct_particle_emitter_value(const ct_particle_effect *fx,
                                                const ct_particle_emitter *e, uint32_t value,
                                                float clock) {
    const ct_particle_value *const v =
        (const ct_particle_value *)ct_blob_at(fx->resource, e->values.offset) + value;
    if (v->source == CT_PARTICLE_SOURCE_CONSTANT && !v->variable)
        return (ct_vec4){{v->a[0], v->a[1], v->a[2], v->a[3]}};
    return ct_particle_changing_value(fx, e, value, clock);
}

// Returns true for a value that is always 0.
static inline bool ct_particle_is_zero(const ct_particle_effect *fx, const ct_particle_emitter *e,
                                       uint32_t value) {
    const ct_particle_value *const v =
        (const ct_particle_value *)ct_blob_at(fx->resource, e->values.offset) + value;
    return v->source == CT_PARTICLE_SOURCE_CONSTANT && v->a[0] == 0.0f;
}

// Returns a value at birth of a particle with this seed; `use` as in particle_random.h.
ct_vec4 ct_particle_birth_value(const ct_particle_effect *fx, const ct_particle_emitter *e,
                                uint32_t value, float clock, uint32_t seed, uint32_t use);

// Returns the longest lifetime that the emitter's particles have with the variables as they are.
double ct_particle_longest_life(const ct_particle_effect *fx, const ct_particle_emitter *e);

// Returns a curve at `at`, which is cut to 0 to 1.
ct_vec4 ct_particle_curve(const ct_particle_effect *fx, const ct_particle_emitter *e,
                          uint32_t first_sample, float at);

// --- Steps (particle_steps.c) --------------------------------------------------------------------

// Particles `begin` to `begin` + `count` of an emitter (at most CHUNK; `begin` is a multiple of 4),
// while steps run over them. Lanes behind `count`, up to a multiple of 4, are computed and mean
// nothing.
typedef struct ct_particle_chunk {
    const ct_particle_world *world;
    const ct_particles_resource *resource;
    ct_particle_effect *effect;
    const ct_particle_emitter *emitter;
    ct_particle_emitter_state *state;
    uint32_t begin, count;
    float clock;                      // of the emitter, 0 to 1
    float dt;                         // of all, or:
    const float *seconds;             // of each, aligned to 16; NULL: dt
    struct ct_particle_gpu_step *gpu; // where births go to of an emitter on the GPU; else NULL
    float drag;                       // of the MOVE step
    ct_particle_motion motion;
    ct_vec3 acceleration; // the same for all, and:
    bool has_forces;      // `forces` are set
    bool has_died;        // set when one of them is dead
    // Of emitters that collide with physics: positions before MOVE. Else not set.
    _Alignas(16) float previous[3][CT_PARTICLE_CHUNK];
    _Alignas(16) float forces[3][CT_PARTICLE_CHUNK]; // metres / s²
} ct_particle_chunk;

// Sets what all chunks of an emitter share in a step of `dt` seconds: dt, drag and motion.
void ct_particle_prepare_steps(ct_particle_chunk *c, float dt);

// Sets the sizes of the chunk that follow curves: of particles that are born, before `update`, whose
// collisions need sizes.
void ct_particle_follow_size(ct_particle_chunk *c);

// Runs steps over the chunk.
void ct_particle_run_steps(ct_particle_chunk *c, const ct_blob_array *steps);

// COLLIDE_PLANE and COLLIDE_PHYSICS (particle_collide.c). Particles that hit something make
// COLLISION events with ct_particle_push_events.
void ct_particle_collide_plane(ct_particle_chunk *c, const ct_particle_step *step);
void ct_particle_collide_physics(ct_particle_chunk *c, const ct_particle_step *step);

// --- Shapes (particle_shape.c) -------------------------------------------------------------------

// A place of birth, in the effect's space (but of SKELETON shapes in the world).
typedef struct ct_particle_origin {
    ct_vec3 position, direction; // direction: length 1
    bool is_in_world;
} ct_particle_origin;

// Returns where the particle with this seed is born.
ct_particle_origin ct_particle_shape_origin(const ct_particle_effect *fx,
                                            const ct_particle_emitter *e, uint32_t seed);

// --- Emitters (particle_emitter.c) ---------------------------------------------------------------

// Steps emitter `index` of an effect by `dt` seconds.
void ct_particle_step_emitter(const ct_particle_world *w, ct_particle_effect *fx, uint32_t index,
                              double dt);

// Runs `update` for particles `begin` (a multiple of 4) to `end` of an emitter: a part of
// ct_particle_step_emitter, which then leaves it out when is_updated is set. Emitters without
// COLLISION events allow several ranges at once, on any threads.
void ct_particle_update_range(const ct_particle_world *w, ct_particle_effect *fx, uint32_t index,
                              double dt, uint32_t begin, uint32_t end);

// Returns true when an event of this type makes particles.
bool ct_particle_emitter_has_event(const ct_particle_effect *fx, const ct_particle_emitter *e,
                                   ct_particle_event_type type);

// Returns where the emitter is in its period: 0 to 1; 0 in one without end.
float ct_particle_emitter_clock(const ct_particle_emitter *e, double time);

// Adds requests of the rules of `type` for particle `i`, to be born `seconds` ago.
void ct_particle_push_events(const ct_particle_effect *fx, const ct_particle_emitter *e,
                             const ct_particle_emitter_state *s, uint32_t i,
                             ct_particle_event_type type, float seconds);

// --- Drawing (particle_draw.c) -------------------------------------------------------------------

// Removes objects, lights and others that the effect has on the render thread. Update thread.
void ct_particle_effect_hide(ct_particle_world *w, ct_particle_effect *fx);
