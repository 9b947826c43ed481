// render_emitter.h: emitters of particles that the GPU simulates (core/shaders/particle_simulate).
//
// The GPU gets the blob of an effect once, as it is, and for each emitter the steps of time with
// the births that the update thread counted. An emitter has room for `capacity` particles; birth
// number n has slot n % capacity, and is left out while a particle lives there. Steps of a frame are
// simulated before its views are drawn, in their order. When the device was lost, an emitter goes on
// without the particles that it had.
//
// Ids are issued as those of worlds and objects; a change for an id that does not exist is ignored.
// All functions are for the update thread.
#pragma once
#include "render/render_particles.h"

#define CT_RENDER_EMITTERS_SHADER "core/shaders/particle_simulate"

// The blob of an effect; {0} is invalid.
typedef struct ct_render_effect_id {
    uint32_t value;
} ct_render_effect_id;

// An emitter; {0} is invalid.
typedef struct ct_render_emitter_id {
    uint32_t value;
} ct_render_emitter_id;

typedef struct ct_render_emitter_desc {
    ct_render_effect_id effect;
    uint32_t index;    // of the emitter in the effect
    uint32_t capacity; // 1 to CT_PARTICLES_MAX_PARTICLES
} ct_render_emitter_desc;

// Births in a row: birth `first` + i happened `age` - i * `interval` seconds before the step's end.
typedef struct ct_particle_run {
    uint32_t first, count; // count: at most the capacity
    float age, interval;
} ct_particle_run;

// A step of time, read by the GPU as it is (core/shaders/include/particle_blob.glsl).
typedef struct ct_particle_record {
    float seconds;                // that living particles go on by; 0: they do not
    float dt;                     // in which particles are born
    float time;                   // of the effect
    float clock;                  // of the emitter, 0 to 1
    float before[3], position[3]; // of the effect, at its start and its end
    float rotation[4], scale[3];  // at its end
    float velocity[3];
    float size_scale;                   // of sizes that are drawn
    float to_world[12], from_world[12]; // columns of the effect's pose, and of its inverse
    uint32_t seed;                      // of the effect
    uint32_t first_run, num_runs, first_variable, num_variables; // the renderer sets the firsts
    uint32_t next;                                               // the renderer sets it
} ct_particle_record;

// Returns whether emitters can be simulated: there is a device, and the core's shader is loaded.
bool ct_render_emitters_are_ready(const ct_renderer *r);

// Sends the blob of an effect, which is copied. It was validated.
ct_render_effect_id ct_render_effect_create(ct_renderer *r, const ct_particles_resource *effect);

// Removes a blob. Its emitters must have been removed.
void ct_render_effect_destroy(ct_renderer *r, ct_render_effect_id effect);

// Adds an emitter without particles.
ct_render_emitter_id ct_render_emitter_create(ct_renderer *r, const ct_render_emitter_desc *desc);

// Removes an emitter with its particles.
void ct_render_emitter_destroy(ct_renderer *r, ct_render_emitter_id emitter);

// Steps an emitter. All is copied: `record->num_runs` runs, and `record->num_variables` variables.
void ct_render_emitter_step(ct_renderer *r, ct_render_emitter_id emitter,
                            const ct_particle_record *record, const ct_particle_run *runs,
                            const float (*variables)[4]);

// Adds a cloud of an emitter's particles to the clouds of a world (render_particles.h). They are not
// sorted: `desc` says so.
void ct_render_particles_add_emitter(ct_renderer *r, ct_render_world_id world,
                                     const ct_render_cloud_desc *desc,
                                     ct_render_emitter_id emitter);

// Asks for the channels of an emitter as they are after this frame, for tests and tools. `done` is
// called on the render thread: channel c of slot i is at `channels[c * capacity + i]`, NULL when
// the emitter does not exist. A slot whose AGE is 1 or more is empty.
void ct_render_emitter_read(ct_renderer *r, ct_render_emitter_id emitter,
                            void (*done)(void *user, const float *channels, uint32_t num_channels,
                                         uint32_t capacity),
                            void *user);
