// particles_resource.h: the blob of a particle effect: emitters, each a program of steps over
// channels.
//
// A particle is a column: number i of each channel of its emitter. A channel is an array of
// `capacity` numbers of 32 bits; a semantic such as POSITION has several channels in a row (x, y, z).
// An emitter has only the channels that its steps need. Two lists of steps make its program: `init`
// runs for particles that are born, `update` for all particles in each step of time. A step writes
// some channels, and reads those channels, others, and values. A value is constant, random, a curve
// or a variable; those that do not differ between particles are evaluated once for an emitter. Curves
// are tables of samples, linear between them.
//
// Everything is found by offsets from the blob's start, on the GPU too, which gets the blob as it
// is. (The example of "The Blob and I", Bitsquid blog, 2010-02-12.)
//
// Metres, seconds, radians; colours are linear and not multiplied by opacity.
#pragma once
#include "resource/blob/blob_layout.h"

enum {
    CT_PARTICLES_VERSION = 1,
    CT_PARTICLES_MAX_EMITTERS = 32,
    CT_PARTICLES_MAX_VARIABLES = 32,
    CT_PARTICLES_MAX_PARTICLES = 1 << 17, // of an emitter
    CT_PARTICLES_MAX_STEPS = 64,          // of a list
    CT_PARTICLES_MAX_VALUES = 3,          // of a step
    CT_PARTICLES_MAX_TRAIL = 32,          // points of a particle's trail
    CT_PARTICLES_MAX_CHANNELS = 40 + 3 * CT_PARTICLES_MAX_TRAIL,
    CT_PARTICLES_NO_CHANNEL = 255,
    CT_PARTICLES_CURVE_SAMPLES = 65,    // of a curve, at 0, 1/64 … 1
    CT_PARTICLES_LANES = 4,             // capacities are multiples of it
    CT_PARTICLES_MAX_REPEATS = 4096,    // of a burst
    CT_PARTICLES_MAX_BURSTS = 16,       // of an emitter
    CT_PARTICLES_MAX_EVENTS = 8,        // rules of an emitter
    CT_PARTICLES_MAX_POINTS = 4096,     // of a mesh's surface
    CT_PARTICLES_MAX_SECONDS = 1000000, // of delays, periods, lifetimes
    CT_PARTICLES_MAX_PREWARM = 60,      // seconds
    CT_PARTICLES_MAX_LIGHTS = 64,       // of an emitter
    CT_PARTICLES_MAX_GRID = 255,        // columns and rows
};

// Of periods, intervals of bursts, and max_lifetime.
#define CT_PARTICLES_LEAST_SECONDS 0.001f
// Births a second, and for a metre.
#define CT_PARTICLES_MAX_RATE 1e6f

// What the channels of an emitter mean, and how many each takes. Every emitter has POSITION, AGE,
// AGEING and SEED. `init` sets the others of floats but for those that CURVE steps set, which also run
// at birth.
typedef enum ct_particle_semantic {
    CT_PARTICLE_POSITION,    // 3; in the emitter's space (CT_PARTICLE_EMITTER_LOCAL) or the world's
    CT_PARTICLE_VELOCITY,    // 3; metres a second
    CT_PARTICLE_AGE,         // 1; 0 at birth, dead from 1 on
    CT_PARTICLE_AGEING,      // 1; 1 / lifetime
    CT_PARTICLE_SEED,        // 1; uint32_t, the particle's random stream
    CT_PARTICLE_SIZE,        // 2; metres, width and height
    CT_PARTICLE_BIRTH_SIZE,  // 2
    CT_PARTICLE_COLOR,       // 4
    CT_PARTICLE_BIRTH_COLOR, // 4
    CT_PARTICLE_ROTATION,    // 1; radians
    CT_PARTICLE_SPIN,        // 1; radians a second
    CT_PARTICLE_FRAME,       // 1; of the texture's grid
    CT_PARTICLE_AXIS,        // 3; length 1: normal or axis, for facings that need one
    CT_PARTICLE_OBJECT,      // 1; uint32_t: what a mesh particle is drawn as; 0: nothing yet
    CT_PARTICLE_TRAIL,       // 3 * trail_points; positions, the oldest is overwritten
    CT_PARTICLE_TRAIL_STATE, // 2; uint32_t points so far; float seconds since the last
    CT_PARTICLE_ORDER,       // 1; uint32_t, counts births: ribbons connect in this order
    CT_PARTICLE_SEMANTIC_COUNT,
} ct_particle_semantic;

// Where the numbers of a value come from. A random number belongs to the particle, the step and the
// value; in LIFE values it is the same in each step of time.
typedef enum ct_particle_source {
    CT_PARTICLE_SOURCE_CONSTANT,    // a
    CT_PARTICLE_SOURCE_RANGE,       // random between a and b
    CT_PARTICLE_SOURCE_CURVE,       // curves[0]
    CT_PARTICLE_SOURCE_CURVE_RANGE, // random between curves[0] and curves[1]
    CT_PARTICLE_SOURCE_COUNT,
} ct_particle_source;

// What is 0 to 1 along a curve.
typedef enum ct_particle_clock {
    CT_PARTICLE_CLOCK_LIFE,    // the particle's age
    CT_PARTICLE_CLOCK_EMITTER, // the emitter's time within its `period`
    CT_PARTICLE_CLOCK_COUNT,
} ct_particle_clock;

typedef enum ct_particle_value_flag {
    CT_PARTICLE_VALUE_UNIFORM = 1, // one random number for all components
} ct_particle_value_flag;

// A value of up to four components. Values of simulators and rates are of the emitter: CONSTANT or
// CURVE by EMITTER. Values of `init` steps, lifetimes, speeds and velocities may be any but by LIFE;
// of LIFE steps (CURVE op) any but RANGE.
typedef struct ct_particle_value {
    uint8_t source;     // ct_particle_source
    uint8_t clock;      // ct_particle_clock
    uint8_t variable;   // 1 + position in `variables`, multiplied in; 0: none
    uint8_t flags;      // ct_particle_value_flag
    uint32_t curves[2]; // positions in `samples` of the first of CURVE_SAMPLES
    float a[4], b[4];
} ct_particle_value;

// The operations of steps. `v0` to `v2` are the step's values, x its channel.
typedef enum ct_particle_op {
    CT_PARTICLE_OP_NONE,
    // In `init`, after position, velocity, age and seed are set:
    CT_PARTICLE_OP_SET, // x = v0
    // In `update`. Forces first add up, MOVE then uses the sum:
    CT_PARTICLE_OP_AGE,        // age += ageing * dt; always the first step of `update`
    CT_PARTICLE_OP_ACCELERATE, // v0 is a direction in the world or (LOCAL flag) the effect's space
    CT_PARTICLE_OP_NOISE, // curl noise: v0 strength; v1 frequency (1/m); v2 metres a second it moves
    CT_PARTICLE_OP_FIELD,   // the world's vector field `name`: v0 strength
    CT_PARTICLE_OP_ATTRACT, // v0 point; v1 strength; v2 falloff power, radius (0: any), kill radius
    CT_PARTICLE_OP_MOVE,    // exact for a constant force and drag: v0 drag (1/s); v1 wind (m/s)
    // After MOVE:
    CT_PARTICLE_OP_ORBIT,       // v0 centre; v1 axis; v2 radians a second, metres a second outwards
    CT_PARTICLE_OP_LIMIT_SPEED, // v0 metres a second
    CT_PARTICLE_OP_COLLIDE_PLANE, // v0 normal and distance; v1 bounce, friction, lifetime lost (0 to
                                  // 1), radius as share of the size
    CT_PARTICLE_OP_COLLIDE_PHYSICS, // the same v1, v0 unused; `name` collision filter or 0
    CT_PARTICLE_OP_KILL_BOX,        // v0 centre, v1 half size; INSIDE flag: those inside
    CT_PARTICLE_OP_KILL_SPHERE,     // v0 centre, v1 radius; the same
    CT_PARTICLE_OP_KILL_PLANE,      // v0 normal and distance: those below
    CT_PARTICLE_OP_CURVE,           // x = v0 by life, times `input` when it has one
    CT_PARTICLE_OP_ADD,             // x += v0 * dt, or x += `input` * dt when it has one
    CT_PARTICLE_OP_TRAIL,           // remembers the position each v0 seconds
    CT_PARTICLE_OP_COUNT,
} ct_particle_op;

typedef enum ct_particle_step_flag {
    CT_PARTICLE_STEP_LOCAL = 1,  // vectors and points are in the effect's space, not the world's
    CT_PARTICLE_STEP_INSIDE = 2, // KILL_BOX, KILL_SPHERE
    CT_PARTICLE_STEP_WIND = 4,   // FIELD, NOISE: a velocity that drag pulls to, not a force
} ct_particle_step_flag;

typedef struct ct_particle_step {
    uint32_t op;             // ct_particle_op
    uint32_t flags;          // ct_particle_step_flag
    uint32_t first_value;    // in `values`
    uint32_t channel, input; // the first of each; NO_CHANNEL: none
    uint32_t num_components; // of `channel` and `input`: 1 to 4
    uint32_t number;         // for random numbers: another for each step
    ct_string_id32 name;     // FIELD, COLLIDE_PHYSICS
} ct_particle_step;

// Particles at a time of the emitter.
typedef struct ct_particle_burst {
    float time;       // seconds, from the start of each period
    float interval;   // seconds until it repeats
    uint32_t repeats; // times in all: at least 1
    uint32_t least, most;
} ct_particle_burst;

// Where particles are born.
typedef enum ct_particle_shape_type {
    CT_PARTICLE_SHAPE_POINT,
    CT_PARTICLE_SHAPE_BOX,      // size: half the lengths
    CT_PARTICLE_SHAPE_SPHERE,   // radius
    CT_PARTICLE_SHAPE_CONE,     // radius at the base, angle, length; along z
    CT_PARTICLE_SHAPE_MESH,     // `points`
    CT_PARTICLE_SHAPE_SKELETON, // the nodes of the unit that the effect is linked to
    CT_PARTICLE_SHAPE_COUNT,
} ct_particle_shape_type;

typedef enum ct_particle_shape_flag {
    CT_PARTICLE_SHAPE_SURFACE = 1, // of boxes and spheres; edge of cones: not inside
    CT_PARTICLE_SHAPE_BONES = 2,   // of skeletons: between nodes, not only at them
} ct_particle_shape_flag;

// In the effect's space, then moved by `rotation` and `offset`.
typedef struct ct_particle_shape {
    uint32_t type, flags; // ct_particle_shape_type, ct_particle_shape_flag
    float offset[3];
    float rotation[4]; // x y z w
    float size[3];
    float radius, inner; // `inner`: share of the radius that stays empty, 0 to 1
    float angle;         // of a cone, radians from its axis
    float length;
    float arc; // radians around z: 2 pi for all of it
} ct_particle_shape;

// A point of a mesh's surface.
typedef struct ct_particle_point {
    float position[3], normal[3];
} ct_particle_point;

// What can happen to a particle.
typedef enum ct_particle_event_type {
    CT_PARTICLE_EVENT_BIRTH,
    CT_PARTICLE_EVENT_DEATH,
    CT_PARTICLE_EVENT_COLLISION,
    CT_PARTICLE_EVENT_TYPE_COUNT,
} ct_particle_event_type;

// Particles of another emitter are born where something happens to a particle.
typedef struct ct_particle_event {
    uint32_t type;    // ct_particle_event_type
    uint32_t emitter; // position of the other; always behind this one
    uint32_t least, most;
    float probability;      // 0 to 1
    float inherit_velocity; // share of the particle's velocity
} ct_particle_event;

typedef enum ct_particle_renderer {
    CT_PARTICLE_RENDERER_NONE,
    CT_PARTICLE_RENDERER_BILLBOARD,
    CT_PARTICLE_RENDERER_RIBBON, // one through all particles, by order of birth
    CT_PARTICLE_RENDERER_TRAIL,  // one behind each particle
    CT_PARTICLE_RENDERER_MESH,
    CT_PARTICLE_RENDERER_LIGHT,
    CT_PARTICLE_RENDERER_COUNT,
} ct_particle_renderer;

// Which way billboards, ribbons and meshes look.
typedef enum ct_particle_facing {
    CT_PARTICLE_FACING_CAMERA,    // parallel to the picture
    CT_PARTICLE_FACING_POINT,     // to the camera's position
    CT_PARTICLE_FACING_AXIS,      // upright along `axis`, turned to the camera
    CT_PARTICLE_FACING_VELOCITY,  // upright along its velocity, turned to the camera
    CT_PARTICLE_FACING_STRETCHED, // the same, and longer by `stretch` seconds of its way
    CT_PARTICLE_FACING_FIXED,     // normal `axis`
    CT_PARTICLE_FACING_NORMAL,    // normal is the particle's AXIS
    CT_PARTICLE_FACING_MOTION,    // normal is its velocity
    CT_PARTICLE_FACING_COUNT,
} ct_particle_facing;

// The order in which the particles of an emitter are drawn.
typedef enum ct_particle_sort {
    CT_PARTICLE_SORT_NONE,
    CT_PARTICLE_SORT_DISTANCE, // the farthest first
    CT_PARTICLE_SORT_OLDEST,   // the oldest first
    CT_PARTICLE_SORT_YOUNGEST, // the youngest first
    CT_PARTICLE_SORT_COUNT,
} ct_particle_sort;

typedef struct ct_particle_look {
    uint32_t renderer, facing, sort; // enums above
    uint32_t num_trail_points;
    ct_string_id64 material, mesh;
    float axis[3];
    float stretch;      // seconds
    float pivot[2];     // of the picture; 0 0: its lower left, 0.5 0.5: its middle
    uint32_t grid[2];   // columns and rows of the texture's frames
    uint32_t blends;    // 1: neighbouring frames are blended
    float uv_length;    // ribbons, trails: metres that the texture is long; 0: the ribbon's length
    float light_radius; // metres for a size of 1
    float light_intensity; // for an opacity of 1
    uint32_t max_lights;
    uint32_t casts_shadows; // MESH
} ct_particle_look;

typedef enum ct_particle_emitter_flag {
    CT_PARTICLE_EMITTER_LOCAL = 1,      // particles move with the effect
    CT_PARTICLE_EMITTER_LOOPS = 2,      // a new period follows the end of one
    CT_PARTICLE_EMITTER_ORDERED = 4,    // particles stay in order of birth
    CT_PARTICLE_EMITTER_COLLIDES = 8,   // has a COLLIDE_PHYSICS step
    CT_PARTICLE_EMITTER_GPU = 16,       // may be simulated on the GPU: needs no answers
    CT_PARTICLE_EMITTER_WANTS_GPU = 32, // the effect asks for it whatever the threshold is
    CT_PARTICLE_EMITTER_TARGET = 64,    // an event of another emitter makes particles of it
} ct_particle_emitter_flag;

typedef struct ct_particle_emitter {
    ct_blob_string name_text;
    ct_string_id32 name;
    uint32_t flags;    // ct_particle_emitter_flag
    uint32_t capacity; // particles at the same time: a multiple of CT_PARTICLES_LANES
    uint32_t num_channels;
    uint8_t channels[20]; // by ct_particle_semantic: the first channel; NO_CHANNEL: none
    float delay;          // seconds before the first period
    float period;         // seconds; particles are born only in periods. INFINITY: one without end
    float max_lifetime;   // seconds, without variables
    uint32_t lifetime, speed, velocity; // positions in `values`: at birth; velocity is in the
                                        // effect's space, speed along the shape's direction
    uint32_t rate;                      // births a second; position in `values`
    uint32_t per_metre;                 // births for a metre of the effect's way
    float inherit_velocity;             // share of the effect's velocity that particles get
    ct_particle_shape shape;
    uint32_t padding;
    ct_particle_look look;
    ct_blob_array bursts;       // ct_particle_burst
    ct_blob_array points;       // ct_particle_point
    ct_blob_array events;       // ct_particle_event
    ct_blob_array init, update; // ct_particle_step
    ct_blob_array values;       // ct_particle_value
    ct_blob_array samples;      // ct_particle_sample
} ct_particle_emitter;

// A sample of a curve; aligned for SIMD.
typedef struct ct_particle_sample {
    _Alignas(16) float value[4];
} ct_particle_sample;

typedef struct ct_particle_variable {
    ct_blob_string name_text;
    ct_string_id32 name;
    float value[4]; // the default; numbers are in all components
} ct_particle_variable;

typedef struct ct_particles_resource {
    ct_blob_header header;
    float cull_distance;     // metres from all cameras beyond which it waits; 0: never
    float prewarm;           // seconds that it is ahead when it starts
    float bounds_radius;     // metres around the effect for culling, fixed; 0: found from particles
    uint32_t seed;           // of its random stream; 0: each effect has another
    ct_blob_array variables; // ct_particle_variable
    ct_blob_array emitters;  // ct_particle_emitter; those that events make follow their makers
} ct_particles_resource;

extern const ct_blob_layout ct_particles_layout, ct_particle_emitter_layout,
    ct_particle_variable_layout, ct_particle_value_layout, ct_particle_step_layout,
    ct_particle_burst_layout, ct_particle_point_layout, ct_particle_event_layout,
    ct_particle_sample_layout;

// Returns how many channels a semantic takes in an emitter.
uint32_t ct_particle_semantic_channels(const ct_particle_emitter *e, uint32_t semantic);

// Returns how many values a step has: those from `first_value` on that its operation reads.
uint32_t ct_particle_step_values(const ct_particle_step *s);

// Validates a blob of this type after its header was checked: every offset is inside the blob,
// steps use channels and values that exist, numbers are in range and finite. Returns false with
// `error`, which names the invalid member. libc only.
bool ct_particles_validate(const void *blob, ct_error *error);
