// particles_source.h: the fields that the schemas read from the source of a particle effect
// (docs/formats/particles.md). Values that may be random, curves or variables are read by the
// compiler.
#pragma once
#include "resource/types/particles_resource.h"

// The root.
typedef struct ct_particles_source {
    float cull_distance, prewarm, bounds_radius;
    int32_t seed;
    ct_sjson_value variables, emitters;
} ct_particles_source;

// An element of `emitters`.
typedef struct ct_particle_emitter_source {
    const char *name;
    ct_sjson_value name_value, max_particles_value, duration, gpu_value;
    int32_t max_particles; // 0: the source does not say
    float delay;
    uint32_t loop;  // bool
    uint32_t space; // 0: world, 1: local
    uint32_t gpu;   // ct_particle_gpu
    ct_sjson_value spawn, birth, simulate, life, on, render;
} ct_particle_emitter_source;

// What `gpu` of an emitter says.
typedef enum ct_particle_gpu {
    CT_PARTICLE_GPU_AUTO,
    CT_PARTICLE_GPU_NEVER,
    CT_PARTICLE_GPU_ALWAYS,
} ct_particle_gpu;

// `spawn` of an emitter.
typedef struct ct_particle_spawn_source {
    ct_sjson_value rate, per_metre, bursts, shape;
    float inherit_velocity;
} ct_particle_spawn_source;

// An element of `bursts`.
typedef struct ct_particle_burst_source {
    ct_sjson_value count;
    float time, interval;
    int32_t repeats;
} ct_particle_burst_source;

// `shape` of `spawn`.
typedef struct ct_particle_shape_source {
    uint32_t type; // ct_particle_shape_type
    float position[3], rotation[4], size[3];
    float radius, inner, angle_degrees, length, arc_degrees;
    uint32_t surface, bones; // bool
    ct_string_id64 mesh;
    ct_sjson_value mesh_value;
    int32_t points;
} ct_particle_shape_source;

// `birth` of an emitter.
typedef struct ct_particle_birth_source {
    ct_sjson_value lifetime, speed, velocity, size, color, opacity, rotation_degrees, spin_degrees,
        frame, axis;
} ct_particle_birth_source;

// `life` of an emitter.
typedef struct ct_particle_life_source {
    ct_sjson_value size, color, opacity, frame;
    float frames_per_second;
} ct_particle_life_source;

// Of all kinds of simulators; the schema of a kind has those of its fields.
typedef struct ct_particle_simulator_source {
    ct_sjson_value strength, value, amount, velocity, frequency, speed, point, center,
        turns_per_second, outwards, size, radius_value;
    float power, radius, kill_radius, axis[3], normal[3], distance;
    float bounce, friction, lifetime_loss;
    uint32_t space;   // of directions; 0: world, 1: local
    uint32_t place;   // space of points; 0: local, 1: world
    uint32_t acts;    // 0: force, 1: wind
    uint32_t outside; // 1: `keep = "outside"`
    const char *name; // of a field or filter; NULL: none
} ct_particle_simulator_source;

// An element of `on`.
typedef struct ct_particle_event_source {
    uint32_t event; // ct_particle_event_type
    const char *emitter;
    ct_sjson_value emitter_value, count;
    float probability, inherit_velocity;
} ct_particle_event_source;

// `render` of an emitter.
typedef struct ct_particle_render_source {
    uint32_t type, facing, sort; // ct_particle_renderer, less 1; ct_particle_facing, _sort
    ct_string_id64 material, mesh;
    ct_sjson_value material_value, mesh_value, grid, type_value;
    float stretch, axis[3], pivot[2];
    uint32_t blend_frames, casts_shadows; // bool
    int32_t points, max_lights;
    float point_seconds, uv_length, radius, intensity;
} ct_particle_render_source;

// What a value is written as when it is an object.
typedef struct ct_particle_value_source {
    ct_sjson_value least, most, curve, value, variable_value;
    const char *variable;
    uint32_t smooth; // bool
} ct_particle_value_source;

extern const ct_schema ct_particles_schema, ct_particle_emitter_schema, ct_particle_spawn_schema,
    ct_particle_burst_schema, ct_particle_shape_schema, ct_particle_birth_schema,
    ct_particle_life_schema, ct_particle_event_schema, ct_particle_render_schema,
    ct_particle_value_schema;

// The kinds of simulators. Their names are the `type` of an element of `simulate`.
typedef enum ct_particle_simulator {
    CT_PARTICLE_SIMULATOR_GRAVITY,
    CT_PARTICLE_SIMULATOR_ACCELERATION,
    CT_PARTICLE_SIMULATOR_DRAG,
    CT_PARTICLE_SIMULATOR_WIND,
    CT_PARTICLE_SIMULATOR_CURL_NOISE,
    CT_PARTICLE_SIMULATOR_VECTOR_FIELD,
    CT_PARTICLE_SIMULATOR_ATTRACT,
    CT_PARTICLE_SIMULATOR_ORBIT,
    CT_PARTICLE_SIMULATOR_LIMIT_SPEED,
    CT_PARTICLE_SIMULATOR_COLLIDE_PLANE,
    CT_PARTICLE_SIMULATOR_COLLIDE,
    CT_PARTICLE_SIMULATOR_KILL_BOX,
    CT_PARTICLE_SIMULATOR_KILL_SPHERE,
    CT_PARTICLE_SIMULATOR_KILL_PLANE,
    CT_PARTICLE_SIMULATOR_COUNT,
} ct_particle_simulator;

// By ct_particle_simulator; NULL-terminated.
extern const ct_schema *const ct_particle_simulator_schemas[];
