// particles_fixture.h: a small valid particle effect: an emitter with every operation, and one with
// a trail, of which the first makes particles.
#pragma once
#include <math.h>
#include <string.h>

#include "resource/blob/blob_writer.h"
#include "resource/types/particles_resource.h"
#include "support/test_support.h"

enum { PARTICLES_NONE = CT_PARTICLES_NO_CHANNEL };

// Gives an emitter these semantics, in order.
static inline void particles_channels(ct_particle_emitter *e, const uint8_t *semantics,
                                      uint32_t count) {
    memset(e->channels, PARTICLES_NONE, sizeof(e->channels));
    for (uint32_t i = 0; i < count; ++i) {
        e->channels[semantics[i]] = (uint8_t)e->num_channels;
        e->num_channels += ct_particle_semantic_channels(e, semantics[i]);
    }
}

static inline ct_particle_emitter particles_emitter(ct_blob_writer *w, const char *name) {
    return (ct_particle_emitter){
        .name_text = ct_blob_write_string(w, name, strlen(name)),
        .name = ct_string_id32_of(name),
        .capacity = 8,
        .period = INFINITY,
        .max_lifetime = 2,
        .lifetime = 1,
        .shape = {.rotation = {0, 0, 0, 1}},
        .look = {.axis = {0, 0, 1}, .grid = {1, 1}, .pivot = {0.5f, 0.5f}},
    };
}

// Values: 0 zero, 1 one, 2 a range, 3 a curve by life, 4 a range of curves by the emitter's time,
// 5 to 7 ones for steps with several.
static inline void write_particles_values(ct_blob_writer *w, ct_particle_emitter *e) {
    const ct_particle_value values[] = {
        {.source = CT_PARTICLE_SOURCE_CONSTANT},
        {.a = {1, 1, 1, 1}},
        {.source = CT_PARTICLE_SOURCE_RANGE, .variable = 1, .a = {1}, .b = {2}},
        {.source = CT_PARTICLE_SOURCE_CURVE, .clock = CT_PARTICLE_CLOCK_LIFE},
        {.source = CT_PARTICLE_SOURCE_CURVE_RANGE,
         .clock = CT_PARTICLE_CLOCK_EMITTER,
         .flags = CT_PARTICLE_VALUE_UNIFORM,
         .curves = {0, CT_PARTICLES_CURVE_SAMPLES}},
        {.a = {1}},
        {.a = {1}},
        {.a = {1}},
    };
    ct_particle_sample samples[2 * CT_PARTICLES_CURVE_SAMPLES];
    for (uint32_t i = 0; i < CT_COUNT_OF(samples); ++i)
        samples[i] = (ct_particle_sample){{(float)i / 65, 1, 1, 0.5f}};
    const bool has_end = isfinite(e->period);
    e->values = ct_blob_write_items(w, &ct_particle_value_layout, values, has_end ? 8 : 4);
    e->samples = ct_blob_write_items(w, &ct_particle_sample_layout, samples, CT_COUNT_OF(samples));
}

static inline void write_particles_steps(ct_blob_writer *w, ct_particle_emitter *e) {
    const uint32_t size = e->channels[CT_PARTICLE_SIZE], color = e->channels[CT_PARTICLE_COLOR],
                   birth = e->channels[CT_PARTICLE_BIRTH_COLOR],
                   rotation = e->channels[CT_PARTICLE_ROTATION],
                   spin = e->channels[CT_PARTICLE_SPIN];
    const ct_particle_step init[] = {
        {CT_PARTICLE_OP_SET, 0, 4, size, PARTICLES_NONE, 2, 1, {0}},
        {CT_PARTICLE_OP_SET, 0, 1, color, PARTICLES_NONE, 4, 2, {0}},
        {CT_PARTICLE_OP_SET, 0, 2, birth, PARTICLES_NONE, 4, 2, {0}},
        {CT_PARTICLE_OP_SET, 0, 0, rotation, PARTICLES_NONE, 1, 3, {0}},
        {CT_PARTICLE_OP_SET, 0, 2, spin, PARTICLES_NONE, 1, 4, {0}},
    };
    const ct_particle_step update[] = {
        {.op = CT_PARTICLE_OP_AGE},
        {.op = CT_PARTICLE_OP_ACCELERATE, .first_value = 1, .flags = CT_PARTICLE_STEP_LOCAL},
        {.op = CT_PARTICLE_OP_NOISE, .first_value = 5, .flags = CT_PARTICLE_STEP_WIND},
        {.op = CT_PARTICLE_OP_FIELD, .first_value = 1, .name = {77}},
        {.op = CT_PARTICLE_OP_ATTRACT, .first_value = 5},
        {.op = CT_PARTICLE_OP_MOVE, .first_value = 5},
        {.op = CT_PARTICLE_OP_ORBIT, .first_value = 5},
        {.op = CT_PARTICLE_OP_LIMIT_SPEED, .first_value = 1},
        {.op = CT_PARTICLE_OP_COLLIDE_PLANE, .first_value = 5},
        {.op = CT_PARTICLE_OP_COLLIDE_PHYSICS, .first_value = 5},
        {.op = CT_PARTICLE_OP_KILL_BOX, .first_value = 5, .flags = CT_PARTICLE_STEP_INSIDE},
        {.op = CT_PARTICLE_OP_KILL_SPHERE, .first_value = 5},
        {.op = CT_PARTICLE_OP_KILL_PLANE, .first_value = 5},
        {CT_PARTICLE_OP_CURVE, 0, 3, color, birth, 4, 5, {0}},
        {CT_PARTICLE_OP_ADD, 0, 0, rotation, spin, 1, 6, {0}},
    };
    e->init = ct_blob_write_items(w, &ct_particle_step_layout, init, CT_COUNT_OF(init));
    e->update = ct_blob_write_items(w, &ct_particle_step_layout, update, CT_COUNT_OF(update));
}

static inline ct_particle_emitter write_particles_flames(ct_blob_writer *w) {
    static const uint8_t semantics[] = {
        CT_PARTICLE_POSITION, CT_PARTICLE_VELOCITY, CT_PARTICLE_AGE,   CT_PARTICLE_AGEING,
        CT_PARTICLE_SEED,     CT_PARTICLE_SIZE,     CT_PARTICLE_COLOR, CT_PARTICLE_BIRTH_COLOR,
        CT_PARTICLE_ROTATION, CT_PARTICLE_SPIN,
    };
    const ct_particle_burst burst = {.time = 1, .interval = 0.5f, .repeats = 2, .most = 4};
    const ct_particle_point point = {.normal = {0, 0, 1}};
    const ct_particle_event event = {
        .type = CT_PARTICLE_EVENT_DEATH, .emitter = 1, .least = 1, .most = 2, .probability = 1};
    ct_particle_emitter e = particles_emitter(w, "flames");
    particles_channels(&e, semantics, CT_COUNT_OF(semantics));
    e.flags = CT_PARTICLE_EMITTER_LOOPS | CT_PARTICLE_EMITTER_COLLIDES;
    e.period = 3;
    e.shape.type = CT_PARTICLE_SHAPE_MESH;
    e.look.renderer = CT_PARTICLE_RENDERER_BILLBOARD;
    e.look.facing = CT_PARTICLE_FACING_STRETCHED;
    e.look.material = (ct_string_id64){5};
    e.rate = 1;
    e.bursts = ct_blob_write_items(w, &ct_particle_burst_layout, &burst, 1);
    e.points = ct_blob_write_items(w, &ct_particle_point_layout, &point, 1);
    e.events = ct_blob_write_items(w, &ct_particle_event_layout, &event, 1);
    write_particles_values(w, &e);
    write_particles_steps(w, &e);
    return e;
}

static inline ct_particle_emitter write_particles_sparks(ct_blob_writer *w) {
    static const uint8_t semantics[] = {
        CT_PARTICLE_POSITION, CT_PARTICLE_AGE,   CT_PARTICLE_AGEING,      CT_PARTICLE_SEED,
        CT_PARTICLE_SIZE,     CT_PARTICLE_COLOR, CT_PARTICLE_TRAIL_STATE, CT_PARTICLE_TRAIL,
    };
    const ct_particle_step update[] = {{.op = CT_PARTICLE_OP_AGE},
                                       {.op = CT_PARTICLE_OP_TRAIL, .first_value = 1}};
    ct_particle_emitter e = particles_emitter(w, "sparks");
    e.flags = CT_PARTICLE_EMITTER_TARGET;
    e.look.renderer = CT_PARTICLE_RENDERER_TRAIL;
    e.look.num_trail_points = 4;
    e.look.material = (ct_string_id64){5};
    particles_channels(&e, semantics, CT_COUNT_OF(semantics));
    write_particles_values(w, &e);
    e.update = ct_blob_write_items(w, &ct_particle_step_layout, update, CT_COUNT_OF(update));
    return e;
}

static inline void write_particles(ct_blob_writer *w) {
    ct_particles_resource r = {.cull_distance = 60, .prewarm = 1};
    ct_blob_writer_init(w, test_heap(), CT_BYTE_ORDER_LITTLE, "particles", CT_PARTICLES_VERSION);
    ct_blob_begin(w, &ct_particles_layout);
    ct_particle_variable variable = {.name = ct_string_id32_of("wind"), .value = {1, 1, 1, 1}};
    variable.name_text = ct_blob_write_string(w, "wind", 4);
    r.variables = ct_blob_write_items(w, &ct_particle_variable_layout, &variable, 1);
    r.emitters = ct_blob_reserve_items(w, &ct_particle_emitter_layout, 2);
    const ct_particle_emitter emitters[] = {write_particles_flames(w), write_particles_sparks(w)};
    ct_blob_fill_items(w, &ct_particle_emitter_layout, r.emitters, emitters);
    ct_blob_end(w, &ct_particles_layout, &r);
    ct_blob_writer_finish(w);
}
