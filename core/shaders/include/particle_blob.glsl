// Particles on the GPU: the blob of an effect, and what a dispatch gets. The structs are those of
// src/resource/types/particles_resource.h and src/render/render_emitter.h, member by member.

struct particle_value {
    uint kind; // bytes: source, clock, variable, flags
    uint curves[2];
    float a[4];
    float b[4];
};

struct particle_step {
    uint op, flags, first_value, channel, source, num_components, number, name;
};

struct particle_shape {
    uint type, flags;
    float offset[3];
    float rotation[4];
    float size[3];
    float radius, inner, angle, arm, arc;
};

struct particle_list {
    uint offset, count;
};

struct particle_look {
    uint renderer, facing, sort, num_trail_points;
    uint names[4];
    float axis[3];
    float stretch;
    float pivot[2];
    uint grid[2];
    uint blends;
    float uv_length, light_radius, light_intensity;
    uint max_lights, casts_shadows;
};

// A step of time.
struct particle_record {
    float seconds; // that living particles go on by; 0: they do not
    float dt;      // in which particles are born
    float time;    // of the effect
    float clock;   // of the emitter, 0 to 1
    float before[3]; // where the effect was
    float position[3];
    float rotation[4];
    float scale[3];
    float velocity[3];
    float size_scale;
    float to_world[12]; // columns
    float from_world[12];
    uint seed;
    uint first_run, num_runs, first_variable, num_variables;
    uint next; // record of the emitter
};

// Births in a row: birth `first` + i happened `age` - i * `interval` seconds before the step's end.
struct particle_run {
    uint first, count;
    float age, interval;
};

layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer particle_emitter {
    uint name_text[2];
    uint name, flags, capacity, num_channels;
    uint channels[5]; // bytes, by semantic
    float delay, period, max_lifetime;
    uint lifetime, speed, velocity, rate, per_metre;
    float inherit_velocity;
    particle_shape shape;
    uint padding;
    particle_look look;
    particle_list bursts, points, events, init, update, values, samples;
};
layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer particle_values {
    particle_value at[];
};
layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer particle_steps {
    particle_step at[];
};
layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer particle_samples {
    vec4 at[];
};
layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer particle_floats {
    float at[];
};
layout(buffer_reference, std430, buffer_reference_align = 4) buffer particle_words {
    uint at[];
};
layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer particle_records {
    particle_record at[];
};
layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer particle_runs {
    particle_run at[];
};

// As ct_render_simulation in src/render/object/render_emitters.c.
layout(push_constant) uniform simulation_block {
    particle_emitter emitter;
    particle_values values;
    particle_steps init, update;
    particle_samples samples;
    particle_floats points;
    particle_words channels;  // channel c of slot i: c * capacity + i
    particle_words instances; // 12 of each slot
    particle_records records;
    particle_runs runs;
    particle_floats variables; // four of each
    uint capacity;
    uint num_slots; // that were ever used
    uint first_record;
    uint index; // of the emitter in its effect
} simulation;

const uint no_record = 0xffffffffu;
const uint no_channel = 255u;

// ct_particle_semantic
const uint semantic_position = 0;
const uint semantic_velocity = 1;
const uint semantic_age = 2;
const uint semantic_ageing = 3;
const uint semantic_seed = 4;
const uint semantic_size = 5;
const uint semantic_color = 7;
const uint semantic_rotation = 9;
const uint semantic_spin = 10;
const uint semantic_frame = 11;
const uint semantic_axis = 12;
const uint semantic_order = 16;

// ct_particle_source
const uint source_range = 1;
const uint source_curve = 2;
const uint source_curve_range = 3;

// ct_particle_op
const uint op_set = 1;
const uint op_age = 2;
const uint op_accelerate = 3;
const uint op_noise = 4;
const uint op_attract = 6;
const uint op_move = 7;
const uint op_orbit = 8;
const uint op_limit_speed = 9;
const uint op_collide_plane = 10;
const uint op_kill_box = 12;
const uint op_kill_sphere = 13;
const uint op_kill_plane = 14;
const uint op_curve = 15;
const uint op_add = 16;

// Flags of values, steps, emitters and shapes.
const uint value_uniform = 1;
const uint step_local = 1;
const uint step_inside = 2;
const uint step_wind = 4;
const uint emitter_local = 1;
const uint shape_surface = 1;

// ct_particle_shape_type
const uint shape_box = 1;
const uint shape_sphere = 2;
const uint shape_cone = 3;
const uint shape_mesh = 4;

// ct_particle_facing
const uint facing_velocity = 3;
const uint facing_stretched = 4;
const uint facing_normal = 6;
const uint facing_motion = 7;

// Uses of random numbers, as in src/particles/particle_random.h.
const uint random_lifetime = 0;
const uint random_speed = 4;
const uint random_velocity = 8;
const uint random_shape = 12;
const uint random_step = 64;
