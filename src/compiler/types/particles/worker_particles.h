// worker_particles.h: a particle effect while it is compiled.
//
// The emitters are read in the order of the source into arrays that become those of the blob. When
// all are read, it is known which make particles of which; then they are sorted, and get channels
// and steps.
#pragma once
#include "compiler/protocol/compile.h"
#include "compiler/types/particles/worker_particle_value.h"
#include "foundation/container/array.h"
#include "resource/types/particles/particles_source.h"

// An event, before its emitter is found.
typedef struct ct_worker_particle_event {
    ct_particle_event event;
    ct_sjson_value at; // the name of the other emitter
    const char *emitter;
} ct_worker_particle_event;

// What an emitter's particles are born with, and by what it changes over their lives.
typedef struct ct_worker_particle_values {
    ct_worker_value size, color, opacity, rotation, spin, frame, axis;
    ct_worker_value life_size, life_color, life_opacity, life_frame; // constant 1; frame: 0
    float frames_per_second;
    bool has_frame, has_axis; // the source gives them
} ct_worker_particle_values;

// What `simulate` says.
typedef struct ct_worker_particle_motion {
    CT_ARRAY(ct_particle_step) forces; // but for `accelerations`
    CT_ARRAY(ct_particle_step) after;  // MOVE
    float accelerations[2][3];         // constants: in the world, in the effect's space
    ct_worker_value drag, wind;
    ct_sjson_value drag_at, wind_at; // {0}: none
    ct_sjson_value flow_at;          // a noise or field that acts as wind
    bool wind_is_local;
    ct_sjson_value collide_at; // the first that needs physics
    bool needs_size;           // collisions with a radius
} ct_worker_particle_motion;

typedef struct ct_worker_emitter {
    ct_sjson_value at;
    ct_particle_emitter_source source;
    ct_particle_render_source render;
    ct_particle_emitter out;
    ct_worker_value lifetime, speed, velocity, rate, per_metre;
    ct_sjson_value rate_at; // {0}: the source gives none
    ct_worker_particle_values values_of;
    ct_worker_particle_motion motion;
    CT_ARRAY(ct_particle_step) init, update;
    CT_ARRAY(ct_particle_value) values;
    CT_ARRAY(ct_particle_sample) samples;
    CT_ARRAY(ct_particle_burst) bursts;
    CT_ARRAY(ct_particle_point) points;
    CT_ARRAY(ct_worker_particle_event) events;
    bool gets_velocity; // from an event
    bool has_life_frame;
} ct_worker_emitter;

typedef struct ct_worker_particles {
    ct_compile *c;
    const ct_sjson *doc;
    ct_schema_listener listener;
    ct_particles_source source;
    CT_ARRAY(ct_particle_variable) variables;
    CT_ARRAY(const char *) variable_names;
    CT_ARRAY(ct_worker_emitter *) emitters;
    CT_ARRAY(const char *) emitter_names; // in the order of the source
} ct_worker_particles;

// --- particles_compiler.c ------------------------------------------------------------------------

// Reports an error at `v`. Returns false.
bool ct_worker_particle_error(const ct_worker_particles *p, ct_sjson_value v, const char *format,
                              ...) CT_PRINTF(3, 4);

// Reports a warning at `v`.
void ct_worker_particle_warning(const ct_worker_particles *p, ct_sjson_value v, const char *format,
                                ...) CT_PRINTF(3, 4);

// Reports that `name`, at `v`, is not among `names`, which are `what` ("emitter"). Returns false.
bool ct_worker_particle_unknown(const ct_worker_particles *p, ct_sjson_value v, const char *what,
                                const char *name, const char *const *names, uint32_t count);

// Reads an object with a schema; without `v`, sets the defaults. False after an error.
bool ct_worker_particle_object(const ct_worker_particles *p, const ct_schema *schema,
                               ct_sjson_value v, void *out);

// Reads a whole number from 0, or [least most], up to the limit of an emitter's particles.
void ct_worker_particle_counts(const ct_worker_particles *p, ct_sjson_value v, uint32_t *least,
                               uint32_t *most);

// --- worker_particle_spawn.c ---------------------------------------------------------------------

// Reads `spawn`: rates, bursts and shape.
void ct_worker_particle_spawn(ct_worker_particles *p, ct_worker_emitter *e);

// Sets how many particles the emitter has room for. Call it when TARGET flags are known.
void ct_worker_particle_capacity(ct_worker_particles *p, ct_worker_emitter *e);

// --- worker_particle_points.c --------------------------------------------------------------------

// Spreads `count` points evenly over the surface of a mesh. `at`: its name in the source.
void ct_worker_particle_points(ct_worker_particles *p, ct_worker_emitter *e, ct_sjson_value at,
                               uint32_t count);

// --- worker_particle_simulate.c ------------------------------------------------------------------

// Reads `simulate`.
void ct_worker_particle_simulate(ct_worker_particles *p, ct_worker_emitter *e);

// --- worker_particle_look.c ----------------------------------------------------------------------

// Reads `birth` and `life`.
void ct_worker_particle_births(ct_worker_particles *p, ct_worker_emitter *e);

// Reads `render`.
void ct_worker_particle_render(ct_worker_particles *p, ct_worker_emitter *e);

// --- worker_particle_events.c --------------------------------------------------------------------

// Reads `on`.
void ct_worker_particle_events(ct_worker_particles *p, ct_worker_emitter *e);

// Finds the emitters of all events, and sorts emitters behind those that make particles of them.
// False after an error.
bool ct_worker_particle_sort(ct_worker_particles *p);

// --- worker_particle_program.c -------------------------------------------------------------------

// Gives the emitter its channels and steps.
void ct_worker_particle_program(ct_worker_particles *p, ct_worker_emitter *e);

// Appends a value to the emitter's, as the blob has it. Returns its position.
uint32_t ct_worker_particle_add_value(ct_worker_particles *p, ct_worker_emitter *e,
                                      const ct_worker_value *v);

// Sets whether the GPU may simulate the emitter, and reports when it must but cannot.
void ct_worker_particle_gpu(ct_worker_particles *p, ct_worker_emitter *e);

// --- worker_particle_write.c ---------------------------------------------------------------------

// Writes what was read to the blob.
void ct_worker_particle_write(ct_worker_particles *p);
