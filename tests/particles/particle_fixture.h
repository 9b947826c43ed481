// particle_fixture.h: makes blobs of particle effects in memory, for tests and benchmarks.
//
//     particle_fixture *f = particle_fixture_begin();
//     const uint32_t e = particle_fixture_emitter(f, "sparks", 64); // 64 particles at most
//     particle_fixture_at(f, e)->rate = particle_fixture_value(f, e, particle_fixture_number(10));
//     particle_fixture_channel(f, e, CT_PARTICLE_SIZE);
//     particle_fixture_set(f, e, CT_PARTICLE_SIZE, particle_fixture_range(1, 2, 2));
//     const ct_particle_value down = particle_fixture_vector(0, 0, -9.81f, 0);
//     particle_fixture_step(f, e, &(ct_particle_step){.op = CT_PARTICLE_OP_ACCELERATE}, 1, &down);
//     particle_fixture_move(f, e);
//     ct_particles_resource *effect = particle_fixture_end(f); // free() it
#pragma once
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "resource/types/particles_resource.h"

enum {
    PARTICLE_FIXTURE_EMITTERS = 8,
    PARTICLE_FIXTURE_VALUES = 128,
    PARTICLE_FIXTURE_CURVES = 8,
};

typedef struct particle_fixture_part {
    ct_particle_emitter data;
    char name[32];
    uint32_t num_init, num_update, num_values, num_samples, num_bursts, num_events, num_points;
    const ct_particle_point *points; // borrowed until particle_fixture_end
    ct_particle_step init[CT_PARTICLES_MAX_STEPS], update[CT_PARTICLES_MAX_STEPS];
    ct_particle_value values[PARTICLE_FIXTURE_VALUES];
    ct_particle_sample samples[PARTICLE_FIXTURE_CURVES * CT_PARTICLES_CURVE_SAMPLES];
    ct_particle_burst bursts[CT_PARTICLES_MAX_BURSTS];
    ct_particle_event events[CT_PARTICLES_MAX_EVENTS];
} particle_fixture_part;

typedef struct particle_fixture {
    ct_particles_resource data; // without the arrays
    uint32_t num_emitters, num_variables;
    particle_fixture_part emitters[PARTICLE_FIXTURE_EMITTERS];
    ct_particle_variable variables[CT_PARTICLES_MAX_VARIABLES];
    char variable_names[CT_PARTICLES_MAX_VARIABLES][32];
} particle_fixture;

// --- Values --------------------------------------------------------------------------------------

// Returns a constant.
static inline ct_particle_value particle_fixture_vector(float x, float y, float z, float w) {
    return (ct_particle_value){.source = CT_PARTICLE_SOURCE_CONSTANT, .a = {x, y, z, w}};
}

// Returns a constant, the same in all components.
static inline ct_particle_value particle_fixture_number(float x) {
    return particle_fixture_vector(x, x, x, x);
}

// Returns a range, the same in all components; with one random number for the whole value when
// `num_components` is above 1.
static inline ct_particle_value particle_fixture_range(float least, float most,
                                                       uint32_t num_components) {
    ct_particle_value v = {.source = CT_PARTICLE_SOURCE_RANGE,
                           .flags = num_components > 1 ? CT_PARTICLE_VALUE_UNIFORM : 0};
    for (uint32_t i = 0; i < 4; ++i)
        v.a[i] = least, v.b[i] = most;
    return v;
}

// Adds a value to an emitter and returns its position.
static inline uint32_t particle_fixture_value(particle_fixture *f, uint32_t emitter,
                                              ct_particle_value value) {
    particle_fixture_part *const e = &f->emitters[emitter];
    assert(e->num_values < PARTICLE_FIXTURE_VALUES);
    e->values[e->num_values] = value;
    return e->num_values++;
}

// Adds a curve straight from `from` (at 0) to `to` (at 1) and returns a value of it.
static inline ct_particle_value particle_fixture_line(particle_fixture *f, uint32_t emitter,
                                                      const float from[4], const float to[4],
                                                      ct_particle_clock clock) {
    particle_fixture_part *const e = &f->emitters[emitter];
    const uint32_t first = e->num_samples;
    assert(first + CT_PARTICLES_CURVE_SAMPLES <= CT_COUNT_OF(e->samples));
    for (uint32_t i = 0; i < CT_PARTICLES_CURVE_SAMPLES; ++i) {
        const float at = (float)i / (CT_PARTICLES_CURVE_SAMPLES - 1);
        for (uint32_t k = 0; k < 4; ++k)
            e->samples[first + i].value[k] = from[k] + (to[k] - from[k]) * at;
    }
    e->num_samples += CT_PARTICLES_CURVE_SAMPLES;
    return (ct_particle_value){
        .source = CT_PARTICLE_SOURCE_CURVE, .clock = (uint8_t)clock, .curves = {first, 0}};
}

// --- Emitters ------------------------------------------------------------------------------------

static inline particle_fixture *particle_fixture_begin(void) {
    particle_fixture *const f = calloc(1, sizeof(*f));
    assert(f);
    f->data.header = (ct_blob_header){.magic = CT_BLOB_MAGIC,
                                      .version = CT_PARTICLES_VERSION,
                                      .type = ct_string_id64_of("particles")};
    return f;
}

// Returns an emitter, for the caller to change.
static inline ct_particle_emitter *particle_fixture_at(particle_fixture *f, uint32_t emitter) {
    return &f->emitters[emitter].data;
}

// Gives an emitter the channels of a semantic, zero at birth until particle_fixture_set.
static inline void particle_fixture_channel(particle_fixture *f, uint32_t emitter,
                                            ct_particle_semantic semantic) {
    static const uint8_t counts[CT_PARTICLE_SEMANTIC_COUNT] = {3, 3, 1, 1, 1, 2, 2, 4, 4,
                                                               1, 1, 1, 3, 1, 0, 2, 1};
    ct_particle_emitter *const e = particle_fixture_at(f, emitter);
    if (e->channels[semantic] != CT_PARTICLES_NO_CHANNEL)
        return;
    e->channels[semantic] = (uint8_t)e->num_channels;
    e->num_channels +=
        semantic == CT_PARTICLE_TRAIL ? 3 * e->look.num_trail_points : counts[semantic];
}

// Adds a step with its values to `update`.
static inline void particle_fixture_step(particle_fixture *f, uint32_t emitter,
                                         const ct_particle_step *step, uint32_t num_values,
                                         const ct_particle_value *values) {
    particle_fixture_part *const e = &f->emitters[emitter];
    assert(e->num_update < CT_PARTICLES_MAX_STEPS);
    ct_particle_step *const added = &e->update[e->num_update++];
    *added = *step;
    added->first_value = e->num_values;
    added->number = e->num_init + e->num_update;
    if (added->num_components == 0) // it has no channel
        added->channel = added->input = CT_PARTICLES_NO_CHANNEL, added->num_components = 1;
    for (uint32_t i = 0; i < num_values; ++i)
        particle_fixture_value(f, emitter, values[i]);
    if (num_values == 0)
        added->first_value = 0;
}

// Adds an emitter of up to `capacity` (a multiple of CT_PARTICLES_LANES) billboards that live for a
// second; it makes none. It has the channels that all have, and the step AGE. Value 0 is 0, value 1
// is 1.
static inline uint32_t particle_fixture_emitter(particle_fixture *f, const char *name,
                                                uint32_t capacity) {
    assert(f->num_emitters < PARTICLE_FIXTURE_EMITTERS && capacity % CT_PARTICLES_LANES == 0);
    const uint32_t emitter = f->num_emitters++;
    particle_fixture_part *const e = &f->emitters[emitter];
    strncpy(e->name, name, sizeof(e->name) - 1);
    e->data = (ct_particle_emitter){
        .name = ct_string_id32_of(name),
        .capacity = capacity,
        .period = INFINITY,
        .max_lifetime = 1,
        .lifetime = 1,
        .shape = {.rotation = {0, 0, 0, 1}, .size = {1, 1, 1}, .radius = 1, .arc = 6.2831853f},
        .look = {.renderer = CT_PARTICLE_RENDERER_BILLBOARD,
                 .material = ct_string_id64_of("core/materials/default"),
                 .axis = {0, 0, 1},
                 .pivot = {0.5f, 0.5f},
                 .grid = {1, 1},
                 .light_radius = 1,
                 .light_intensity = 1}};
    memset(e->data.channels, CT_PARTICLES_NO_CHANNEL, sizeof(e->data.channels));
    particle_fixture_value(f, emitter, particle_fixture_number(0));
    particle_fixture_value(f, emitter, particle_fixture_number(1));
    for (uint32_t i = CT_PARTICLE_POSITION; i <= CT_PARTICLE_SEED; ++i)
        particle_fixture_channel(f, emitter, i);
    particle_fixture_step(f, emitter, &(ct_particle_step){.op = CT_PARTICLE_OP_AGE}, 0, NULL);
    return emitter;
}

// Adds the MOVE step, without drag and wind.
static inline void particle_fixture_move(particle_fixture *f, uint32_t emitter) {
    const ct_particle_value values[2] = {particle_fixture_number(0), particle_fixture_number(0)};
    particle_fixture_step(f, emitter, &(ct_particle_step){.op = CT_PARTICLE_OP_MOVE}, 2, values);
}

// Gives an emitter the channels of a semantic and sets them at birth.
static inline void particle_fixture_set(particle_fixture *f, uint32_t emitter,
                                        ct_particle_semantic semantic, ct_particle_value value) {
    particle_fixture_channel(f, emitter, semantic);
    particle_fixture_part *const e = &f->emitters[emitter];
    assert(e->num_init < CT_PARTICLES_MAX_STEPS);
    static const uint8_t counts[CT_PARTICLE_SEMANTIC_COUNT] = {3, 3, 1, 1, 1, 2, 2, 4, 4,
                                                               1, 1, 1, 3, 1, 1, 2, 1};
    e->init[e->num_init++] = (ct_particle_step){.op = CT_PARTICLE_OP_SET,
                                                .first_value = e->num_values,
                                                .channel = e->data.channels[semantic],
                                                .input = CT_PARTICLES_NO_CHANNEL,
                                                .num_components = counts[semantic],
                                                .number = 64 + e->num_init};
    particle_fixture_value(f, emitter, value);
}

// Adds a CURVE step: `semantic` = `value` by life, times `input` (SEMANTIC_COUNT: nothing). It needs
// the channels of both.
static inline void particle_fixture_curve(particle_fixture *f, uint32_t emitter,
                                          ct_particle_semantic semantic, ct_particle_semantic input,
                                          uint32_t num_components, ct_particle_value value) {
    const ct_particle_emitter *const e = particle_fixture_at(f, emitter);
    const ct_particle_step step = {
        .op = CT_PARTICLE_OP_CURVE,
        .channel = e->channels[semantic],
        .input = input == CT_PARTICLE_SEMANTIC_COUNT ? CT_PARTICLES_NO_CHANNEL : e->channels[input],
        .num_components = num_components};
    particle_fixture_step(f, emitter, &step, 1, &value);
}

// Adds a burst; an event rule; a variable.
static inline void particle_fixture_burst(particle_fixture *f, uint32_t emitter, float time,
                                          uint32_t count) {
    particle_fixture_part *const e = &f->emitters[emitter];
    assert(e->num_bursts < CT_PARTICLES_MAX_BURSTS);
    e->bursts[e->num_bursts++] =
        (ct_particle_burst){.time = time, .repeats = 1, .least = count, .most = count};
}
static inline void particle_fixture_event(particle_fixture *f, uint32_t emitter,
                                          ct_particle_event event) {
    particle_fixture_part *const e = &f->emitters[emitter];
    assert(e->num_events < CT_PARTICLES_MAX_EVENTS);
    e->events[e->num_events++] = event;
    particle_fixture_at(f, event.emitter)->flags |= CT_PARTICLE_EMITTER_TARGET;
}
static inline void particle_fixture_variable(particle_fixture *f, const char *name, float value) {
    assert(f->num_variables < CT_PARTICLES_MAX_VARIABLES);
    strncpy(f->variable_names[f->num_variables], name, sizeof(f->variable_names[0]) - 1);
    f->variables[f->num_variables++] = (ct_particle_variable){
        .name = ct_string_id32_of(name), .value = {value, value, value, value}};
}

// --- The blob ------------------------------------------------------------------------------------

// Appends an array at the end of the blob; with `blob` NULL it only counts bytes.
static inline ct_blob_array particle_fixture_append(char *blob, uint32_t *bytes, const void *items,
                                                    uint32_t count, size_t item_bytes) {
    if (count == 0)
        return (ct_blob_array){0};
    const ct_blob_array array = {.offset = (*bytes + 15) & ~15u, .count = count};
    if (blob)
        memcpy(blob + array.offset, items, count * item_bytes);
    *bytes = array.offset + (uint32_t)(count * item_bytes);
    return array;
}

// Writes the blob; with `blob` NULL it only returns its bytes.
static inline uint32_t particle_fixture_write(const particle_fixture *f, char *blob) {
#define APPEND(items, count)                                                                       \
    particle_fixture_append(blob, &bytes, (items), (count), sizeof((items)[0]))
    ct_particles_resource root = f->data;
    uint32_t bytes = sizeof(root);
    ct_particle_emitter emitters[PARTICLE_FIXTURE_EMITTERS] = {0};
    ct_particle_variable variables[CT_PARTICLES_MAX_VARIABLES] = {0};
    root.emitters = APPEND(emitters, f->num_emitters); // written again when they are complete
    root.variables = APPEND(variables, f->num_variables);
    for (uint32_t i = 0; i < f->num_variables; ++i) {
        variables[i] = f->variables[i];
        const char *const name = f->variable_names[i];
        variables[i].name_text.offset = APPEND(name, (uint32_t)sizeof(f->variable_names[i])).offset;
        variables[i].name_text.bytes = (uint32_t)strlen(name);
    }
    for (uint32_t i = 0; i < f->num_emitters; ++i) {
        const particle_fixture_part *const from = &f->emitters[i];
        ct_particle_emitter *const e = &emitters[i];
        *e = from->data;
        e->name_text.offset = APPEND(from->name, (uint32_t)sizeof(from->name)).offset;
        e->name_text.bytes = (uint32_t)strlen(from->name);
        e->bursts = APPEND(from->bursts, from->num_bursts);
        e->points = APPEND(from->points, from->num_points);
        e->events = APPEND(from->events, from->num_events);
        e->init = APPEND(from->init, from->num_init);
        e->update = APPEND(from->update, from->num_update);
        e->values = APPEND(from->values, from->num_values);
        e->samples = APPEND(from->samples, from->num_samples);
    }
#undef APPEND
    bytes = (bytes + 15) & ~15u;
    root.header.size_bytes = bytes;
    if (blob) {
        memcpy(blob, &root, sizeof(root));
        if (f->num_emitters)
            memcpy(blob + root.emitters.offset, emitters, f->num_emitters * sizeof(*emitters));
        if (f->num_variables)
            memcpy(blob + root.variables.offset, variables, f->num_variables * sizeof(*variables));
    }
    return bytes;
}

// Makes the blob and frees the fixture. Give the blob to free().
static inline ct_particles_resource *particle_fixture_end(particle_fixture *f) {
    const uint32_t bytes = particle_fixture_write(f, NULL);
    char *const blob = aligned_alloc(CT_BLOB_ALIGN, bytes);
    assert(blob);
    memset(blob, 0, bytes);
    particle_fixture_write(f, blob);
    free(f);
    return (ct_particles_resource *)(void *)blob;
}
