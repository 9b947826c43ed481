#include "resource/types/particles_resource.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "foundation/error.h"

typedef ct_particle_emitter emitter;

// --- Layouts -------------------------------------------------------------------------------------

const ct_blob_layout ct_particle_value_layout =
    CT_BLOB_STRUCT(ct_particle_value, CT_BLOB_NUMBERS(1, ct_particle_value, source, flags),
                   CT_BLOB_NUMBERS(4, ct_particle_value, curves, b));
const ct_blob_layout ct_particle_step_layout = CT_BLOB_ALL_NUMBERS(ct_particle_step, 4);
const ct_blob_layout ct_particle_burst_layout = CT_BLOB_ALL_NUMBERS(ct_particle_burst, 4);
const ct_blob_layout ct_particle_point_layout = CT_BLOB_ALL_NUMBERS(ct_particle_point, 4);
const ct_blob_layout ct_particle_event_layout = CT_BLOB_ALL_NUMBERS(ct_particle_event, 4);
const ct_blob_layout ct_particle_sample_layout = CT_BLOB_ALL_NUMBERS(ct_particle_sample, 4);
static const ct_blob_layout shape_layout = CT_BLOB_ALL_NUMBERS(ct_particle_shape, 4);
static const ct_blob_layout look_layout = CT_BLOB_STRUCT(
    ct_particle_look, CT_BLOB_NUMBERS(4, ct_particle_look, renderer, num_trail_points),
    CT_BLOB_NUMBERS(8, ct_particle_look, material, mesh),
    CT_BLOB_NUMBERS(4, ct_particle_look, axis, casts_shadows));

const ct_blob_layout ct_particle_variable_layout =
    CT_BLOB_STRUCT(ct_particle_variable, CT_BLOB_STRING(ct_particle_variable, name_text),
                   CT_BLOB_NUMBERS(4, ct_particle_variable, name, value));

const ct_blob_layout ct_particle_emitter_layout = CT_BLOB_STRUCT(
    emitter, CT_BLOB_STRING(emitter, name_text), CT_BLOB_NUMBERS(4, emitter, name, num_channels),
    CT_BLOB_NUMBERS(1, emitter, channels, channels),
    CT_BLOB_NUMBERS(4, emitter, delay, inherit_velocity),
    CT_BLOB_STRUCTS(emitter, shape, shape_layout), CT_BLOB_NUMBERS(4, emitter, padding, padding),
    CT_BLOB_STRUCTS(emitter, look, look_layout),
    CT_BLOB_ARRAY(emitter, bursts, ct_particle_burst_layout),
    CT_BLOB_ARRAY(emitter, points, ct_particle_point_layout),
    CT_BLOB_ARRAY(emitter, events, ct_particle_event_layout),
    CT_BLOB_ARRAY(emitter, init, ct_particle_step_layout),
    CT_BLOB_ARRAY(emitter, update, ct_particle_step_layout),
    CT_BLOB_ARRAY(emitter, values, ct_particle_value_layout),
    CT_BLOB_ARRAY(emitter, samples, ct_particle_sample_layout));

const ct_blob_layout ct_particles_layout =
    CT_BLOB_ROOT(ct_particles_resource, "a particle effect",
                 CT_BLOB_NUMBERS(4, ct_particles_resource, cull_distance, seed),
                 CT_BLOB_ARRAY(ct_particles_resource, variables, ct_particle_variable_layout),
                 CT_BLOB_ARRAY(ct_particles_resource, emitters, ct_particle_emitter_layout));

// --- Tables --------------------------------------------------------------------------------------

static const uint8_t channels_of[CT_PARTICLE_SEMANTIC_COUNT] = {
    [CT_PARTICLE_POSITION] = 3,    [CT_PARTICLE_VELOCITY] = 3, [CT_PARTICLE_AGE] = 1,
    [CT_PARTICLE_AGEING] = 1,      [CT_PARTICLE_SEED] = 1,     [CT_PARTICLE_SIZE] = 2,
    [CT_PARTICLE_BIRTH_SIZE] = 2,  [CT_PARTICLE_COLOR] = 4,    [CT_PARTICLE_BIRTH_COLOR] = 4,
    [CT_PARTICLE_ROTATION] = 1,    [CT_PARTICLE_SPIN] = 1,     [CT_PARTICLE_FRAME] = 1,
    [CT_PARTICLE_AXIS] = 3,        [CT_PARTICLE_OBJECT] = 1,   [CT_PARTICLE_TRAIL] = 3,
    [CT_PARTICLE_TRAIL_STATE] = 2, [CT_PARTICLE_ORDER] = 1,
};

uint32_t ct_particle_semantic_channels(const ct_particle_emitter *e, uint32_t semantic) {
    if (semantic >= CT_PARTICLE_SEMANTIC_COUNT)
        return 0;
    return channels_of[semantic] * (semantic == CT_PARTICLE_TRAIL ? e->look.num_trail_points : 1);
}

// What steps do to the order of `update`.
typedef enum phase {
    PHASE_NONE,
    PHASE_INIT,
    PHASE_AGE,
    PHASE_FORCE, // before MOVE
    PHASE_MOVE,
    PHASE_AFTER,
} phase;

typedef struct op_info {
    uint8_t phase;
    uint8_t num_values;
    bool has_channel; // writes `channel`
    uint32_t flags;   // that it may have
    uint32_t needs;   // a semantic, as a bit
} op_info;

enum {
    LOCAL = CT_PARTICLE_STEP_LOCAL,
    INSIDE = CT_PARTICLE_STEP_INSIDE,
    WIND = CT_PARTICLE_STEP_WIND,
    VELOCITY = 1 << CT_PARTICLE_VELOCITY,
    TRAIL = 1 << CT_PARTICLE_TRAIL | 1 << CT_PARTICLE_TRAIL_STATE,
};

static const op_info infos[CT_PARTICLE_OP_COUNT] = {
    [CT_PARTICLE_OP_SET] = {PHASE_INIT, 1, true, 0, 0},
    [CT_PARTICLE_OP_AGE] = {PHASE_AGE, 0, false, 0, 0},
    [CT_PARTICLE_OP_ACCELERATE] = {PHASE_FORCE, 1, false, LOCAL, VELOCITY},
    [CT_PARTICLE_OP_NOISE] = {PHASE_FORCE, 3, false, LOCAL | WIND, VELOCITY},
    [CT_PARTICLE_OP_FIELD] = {PHASE_FORCE, 1, false, WIND, VELOCITY},
    [CT_PARTICLE_OP_ATTRACT] = {PHASE_FORCE, 3, false, LOCAL, VELOCITY},
    [CT_PARTICLE_OP_MOVE] = {PHASE_MOVE, 2, false, LOCAL, VELOCITY},
    [CT_PARTICLE_OP_ORBIT] = {PHASE_AFTER, 3, false, LOCAL, VELOCITY},
    [CT_PARTICLE_OP_LIMIT_SPEED] = {PHASE_AFTER, 1, false, 0, VELOCITY},
    [CT_PARTICLE_OP_COLLIDE_PLANE] = {PHASE_AFTER, 2, false, LOCAL, VELOCITY},
    [CT_PARTICLE_OP_COLLIDE_PHYSICS] = {PHASE_AFTER, 2, false, 0, VELOCITY},
    [CT_PARTICLE_OP_KILL_BOX] = {PHASE_AFTER, 2, false, LOCAL | INSIDE, 0},
    [CT_PARTICLE_OP_KILL_SPHERE] = {PHASE_AFTER, 2, false, LOCAL | INSIDE, 0},
    [CT_PARTICLE_OP_KILL_PLANE] = {PHASE_AFTER, 1, false, LOCAL, 0},
    [CT_PARTICLE_OP_CURVE] = {PHASE_AFTER, 1, true, 0, 0},
    [CT_PARTICLE_OP_ADD] = {PHASE_AFTER, 1, true, 0, 0},
    [CT_PARTICLE_OP_TRAIL] = {PHASE_AFTER, 1, false, 0, TRAIL},
};

uint32_t ct_particle_step_values(const ct_particle_step *s) {
    if (s->op >= CT_PARTICLE_OP_COUNT ||
        (s->op == CT_PARTICLE_OP_ADD && s->input != CT_PARTICLES_NO_CHANNEL))
        return 0;
    return infos[s->op].num_values;
}

// --- Numbers -------------------------------------------------------------------------------------

// An emitter that is checked; messages name `emitters[index]`.
typedef struct check {
    const ct_particles_resource *resource;
    const emitter *e;
    uint32_t index;
    ct_error *error;
} check;

static bool refuse(const check *c, const char *format, ...) CT_PRINTF(2, 3);

static bool refuse(const check *c, const char *format, ...) {
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    return ct_error_set(c->error, "emitters[%u].%s", c->index, text);
}

// Not a number fails.
static bool is_between(float x, float least, float most) {
    return x >= least && x <= most;
}

static bool are_finite(const float *x, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        if (!isfinite(x[i]))
            return false;
    }
    return true;
}

static bool is_unit_length(const float *x, uint32_t count) {
    float square = 0;
    for (uint32_t i = 0; i < count; ++i)
        square += x[i] * x[i];
    return is_between(square, 0.99f, 1.01f);
}

static bool is_seconds(float x) {
    return is_between(x, 0, (float)CT_PARTICLES_MAX_SECONDS);
}

static bool has_channel(const emitter *e, uint32_t semantic) {
    return e->channels[semantic] != CT_PARTICLES_NO_CHANNEL;
}

// --- Channels ------------------------------------------------------------------------------------

// Every semantic is wholly inside, and no two overlap: some are no floats.
static bool check_channels(const check *c) {
    const emitter *const e = c->e;
    uint8_t users[CT_PARTICLES_MAX_CHANNELS] = {0};
    if (e->num_channels > CT_PARTICLES_MAX_CHANNELS)
        return refuse(c, "num_channels: found %u, expected at most %d", e->num_channels,
                      CT_PARTICLES_MAX_CHANNELS);
    for (uint32_t s = 0; s < CT_COUNT_OF(e->channels); ++s) {
        const uint32_t first = e->channels[s];
        const uint32_t count = ct_particle_semantic_channels(e, s);
        if (first == CT_PARTICLES_NO_CHANNEL)
            continue;
        if (count == 0 || first + count > e->num_channels)
            return refuse(c, "channels[%u]: found channels %u + %u of %u", s, first, count,
                          e->num_channels);
        for (uint32_t i = first; i < first + count; ++i) {
            if (users[i]++)
                return refuse(c, "channels[%u]: another semantic has its channel %u", s, i);
        }
    }
    static const uint8_t required[] = {CT_PARTICLE_POSITION, CT_PARTICLE_AGE, CT_PARTICLE_AGEING,
                                       CT_PARTICLE_SEED};
    for (uint32_t i = 0; i < CT_COUNT_OF(required); ++i) {
        if (!has_channel(e, required[i]))
            return refuse(c, "channels[%u]: it is required", required[i]);
    }
    return true;
}

// Whether `count` channels from `first` on are of one semantic that SET, CURVE and ADD may write.
static bool is_writable(const emitter *e, uint32_t first, uint32_t count) {
    static const uint8_t writable[] = {
        CT_PARTICLE_SIZE,     CT_PARTICLE_BIRTH_SIZE, CT_PARTICLE_COLOR, CT_PARTICLE_BIRTH_COLOR,
        CT_PARTICLE_ROTATION, CT_PARTICLE_SPIN,       CT_PARTICLE_FRAME, CT_PARTICLE_AXIS,
    };
    if (count == 0 || count > 4 || first >= CT_PARTICLES_NO_CHANNEL)
        return false;
    for (uint32_t i = 0; i < CT_COUNT_OF(writable); ++i) {
        const uint32_t at = e->channels[writable[i]];
        if (at != CT_PARTICLES_NO_CHANNEL && first >= at &&
            first + count <= at + channels_of[writable[i]])
            return true;
    }
    return false;
}

// --- Values --------------------------------------------------------------------------------------

static const ct_particle_value *value_of(const check *c, uint32_t i) {
    return (const ct_particle_value *)ct_blob_at(c->resource, c->e->values.offset) + i;
}

static uint32_t curves_of(const ct_particle_value *v) {
    return v->source == CT_PARTICLE_SOURCE_CURVE         ? 1
           : v->source == CT_PARTICLE_SOURCE_CURVE_RANGE ? 2
                                                         : 0;
}

static bool check_value(const check *c, uint32_t i) {
    const ct_particle_value *const v = value_of(c, i);
    if (v->source >= CT_PARTICLE_SOURCE_COUNT || v->clock >= CT_PARTICLE_CLOCK_COUNT ||
        v->variable > c->resource->variables.count || v->flags > CT_PARTICLE_VALUE_UNIFORM)
        return refuse(c, "values[%u]: found source %u, clock %u, variable %u, flags %u", i,
                      v->source, v->clock, v->variable, v->flags);
    if (!are_finite(v->a, 4) || !are_finite(v->b, 4))
        return refuse(c, "values[%u]: a number is not finite", i);
    const uint32_t num_samples = c->e->samples.count;
    for (uint32_t k = 0; k < curves_of(v); ++k) {
        if (num_samples < CT_PARTICLES_CURVE_SAMPLES ||
            v->curves[k] > num_samples - CT_PARTICLES_CURVE_SAMPLES)
            return refuse(c, "values[%u]: found a curve from %u on of %u samples", i, v->curves[k],
                          num_samples);
    }
    if (curves_of(v) && v->clock == CT_PARTICLE_CLOCK_EMITTER && !isfinite(c->e->period))
        return refuse(c, "values[%u]: a curve by the emitter's time, which has no end", i);
    return true;
}

static bool check_values(const check *c) {
    for (uint32_t i = 0; i < c->e->values.count; ++i) {
        if (!check_value(c, i))
            return false;
    }
    const ct_particle_sample *const samples = ct_blob_at(c->resource, c->e->samples.offset);
    for (uint32_t i = 0; i < c->e->samples.count; ++i) {
        if (!are_finite(samples[i].value, 4))
            return refuse(c, "samples[%u] is not finite", i);
    }
    return true;
}

// What may read a value; see ct_particle_value.
static bool is_of_emitter(const ct_particle_value *v) {
    return v->source == CT_PARTICLE_SOURCE_CONSTANT ||
           (v->source == CT_PARTICLE_SOURCE_CURVE && v->clock == CT_PARTICLE_CLOCK_EMITTER);
}

static bool is_of_birth(const ct_particle_value *v) {
    return curves_of(v) == 0 || v->clock == CT_PARTICLE_CLOCK_EMITTER;
}

static bool is_of_life(const ct_particle_value *v) {
    return v->source != CT_PARTICLE_SOURCE_RANGE;
}

// Checks that the first component of a value is always from `least` to `most`, without variables.
static bool is_value_between(const check *c, const ct_particle_value *v, float least, float most) {
    const ct_particle_sample *const samples = ct_blob_at(c->resource, c->e->samples.offset);
    for (uint32_t k = 0; k < curves_of(v); ++k) {
        for (uint32_t i = 0; i < CT_PARTICLES_CURVE_SAMPLES; ++i) {
            if (!is_between(samples[v->curves[k] + i].value[0], least, most))
                return false;
        }
    }
    if (curves_of(v))
        return true;
    return is_between(v->a[0], least, most) &&
           (v->source == CT_PARTICLE_SOURCE_CONSTANT || is_between(v->b[0], least, most));
}

// The values of the emitter itself.
static bool check_own_values(const check *c) {
    const emitter *const e = c->e;
    const uint32_t positions[] = {e->lifetime, e->speed, e->velocity, e->rate, e->per_metre};
    static const char *const names[] = {"lifetime", "speed", "velocity", "rate", "per_metre"};
    for (uint32_t i = 0; i < CT_COUNT_OF(positions); ++i) {
        if (positions[i] >= e->values.count)
            return refuse(c, "%s: found value %u of %u", names[i], positions[i], e->values.count);
        const ct_particle_value *const v = value_of(c, positions[i]);
        if (i < 3 ? !is_of_birth(v) : !is_of_emitter(v))
            return refuse(c, "%s: found a value of source %u by clock %u", names[i], v->source,
                          v->clock);
        if (i >= 3 && !is_value_between(c, v, 0, CT_PARTICLES_MAX_RATE))
            return refuse(c, "%s: a value is not from 0 to %g", names[i],
                          (double)CT_PARTICLES_MAX_RATE);
    }
    if (!is_between(e->max_lifetime, CT_PARTICLES_LEAST_SECONDS, (float)CT_PARTICLES_MAX_SECONDS))
        return refuse(c, "max_lifetime: found %g", (double)e->max_lifetime);
    if (!is_value_between(c, value_of(c, e->lifetime), 0, e->max_lifetime))
        return refuse(c, "lifetime: expected 0 to max_lifetime, %g", (double)e->max_lifetime);
    return true;
}

// --- Steps ---------------------------------------------------------------------------------------

static bool check_step_values(const check *c, const char *list, uint32_t i,
                              const ct_particle_step *s) {
    const uint32_t count = ct_particle_step_values(s);
    if (s->first_value > c->e->values.count || count > c->e->values.count - s->first_value)
        return refuse(c, "%s[%u]: found values %u + %u of %u", list, i, s->first_value, count,
                      c->e->values.count);
    for (uint32_t k = 0; k < count; ++k) {
        const ct_particle_value *const v = value_of(c, s->first_value + k);
        const bool is_fine = s->op == CT_PARTICLE_OP_SET     ? is_of_birth(v)
                             : s->op == CT_PARTICLE_OP_CURVE ? is_of_life(v)
                                                             : is_of_emitter(v);
        if (!is_fine)
            return refuse(c, "%s[%u]: its value %u has the source %u by clock %u", list, i, k,
                          v->source, v->clock);
    }
    return true;
}

static bool check_step(const check *c, const char *list, uint32_t i, const ct_particle_step *s) {
    if (s->op == CT_PARTICLE_OP_NONE || s->op >= CT_PARTICLE_OP_COUNT)
        return refuse(c, "%s[%u]: unknown operation %u", list, i, s->op);
    const op_info *const info = &infos[s->op];
    if (s->flags & ~info->flags)
        return refuse(c, "%s[%u]: found the flags %u", list, i, s->flags);
    for (uint32_t k = 0; k < CT_PARTICLE_SEMANTIC_COUNT; ++k) {
        if (info->needs >> k & 1 && !has_channel(c->e, k))
            return refuse(c, "%s[%u]: the channels of semantic %u are missing", list, i, k);
    }
    if (info->has_channel) {
        if (!is_writable(c->e, s->channel, s->num_components))
            return refuse(c, "%s[%u]: found channels %u + %u", list, i, s->channel,
                          s->num_components);
        if (s->input != CT_PARTICLES_NO_CHANNEL &&
            (s->op == CT_PARTICLE_OP_SET || !is_writable(c->e, s->input, s->num_components)))
            return refuse(c, "%s[%u]: found input channels %u + %u", list, i, s->input,
                          s->num_components);
    }
    return check_step_values(c, list, i, s);
}

static bool check_init(const check *c) {
    const ct_particle_step *const steps = ct_blob_at(c->resource, c->e->init.offset);
    if (c->e->init.count > CT_PARTICLES_MAX_STEPS)
        return refuse(c, "init: found %u steps, expected at most %d", c->e->init.count,
                      CT_PARTICLES_MAX_STEPS);
    for (uint32_t i = 0; i < c->e->init.count; ++i) {
        if (!check_step(c, "init", i, &steps[i]))
            return false;
        if (infos[steps[i].op].phase != PHASE_INIT)
            return refuse(c, "init[%u]: the operation %u is of `update`", i, steps[i].op);
    }
    return true;
}

// AGE, forces, MOVE (required after forces), others.
static bool check_update(const check *c) {
    const ct_particle_step *const steps = ct_blob_at(c->resource, c->e->update.offset);
    const uint32_t count = c->e->update.count;
    if (count == 0 || count > CT_PARTICLES_MAX_STEPS)
        return refuse(c, "update: found %u steps, expected 1 to %d", count, CT_PARTICLES_MAX_STEPS);
    bool collides = false, moves = false;
    uint32_t last = PHASE_INIT;
    for (uint32_t i = 0; i < count; ++i) {
        if (!check_step(c, "update", i, &steps[i]))
            return false;
        const uint32_t now = infos[steps[i].op].phase;
        const bool is_first = (now == PHASE_AGE) == (i == 0);
        const bool is_twice = now == PHASE_MOVE && last == PHASE_MOVE;
        if (now == PHASE_INIT || !is_first || is_twice || now < last ||
            (last == PHASE_FORCE && now == PHASE_AFTER))
            return refuse(c, "update[%u]: the operation %u is at the wrong place", i, steps[i].op);
        last = now;
        collides |= steps[i].op == CT_PARTICLE_OP_COLLIDE_PHYSICS;
        moves |= now == PHASE_MOVE;
    }
    if (last == PHASE_FORCE)
        return refuse(c, "update: forces without a MOVE");
    if (collides && !moves)
        return refuse(c, "update: COLLIDE_PHYSICS without a MOVE");
    if (collides != ((c->e->flags & CT_PARTICLE_EMITTER_COLLIDES) != 0))
        return refuse(c, "flags: COLLIDES does not match the steps");
    return true;
}

// --- Spawning ------------------------------------------------------------------------------------

static bool check_shape(const check *c) {
    const ct_particle_shape *const s = &c->e->shape;
    if (s->type >= CT_PARTICLE_SHAPE_COUNT ||
        s->flags & ~(uint32_t)(CT_PARTICLE_SHAPE_SURFACE | CT_PARTICLE_SHAPE_BONES))
        return refuse(c, "shape: found type %u, flags %u", s->type, s->flags);
    if (!are_finite(s->offset, 3) || !is_unit_length(s->rotation, 4))
        return refuse(c, "shape: found an invalid offset or rotation");
    for (uint32_t i = 0; i < 3; ++i) {
        if (!is_between(s->size[i], 0, 1e6f))
            return refuse(c, "shape.size[%u]: found %g", i, (double)s->size[i]);
    }
    if (!is_between(s->radius, 0, 1e6f) || !is_between(s->inner, 0, 1) ||
        !is_between(s->angle, 0, 3.15f) || !is_between(s->length, 0, 1e6f) ||
        !is_between(s->arc, 0, 6.29f))
        return refuse(c, "shape: found radius %g, inner %g, angle %g, length %g, arc %g",
                      (double)s->radius, (double)s->inner, (double)s->angle, (double)s->length,
                      (double)s->arc);
    const uint32_t num_points = c->e->points.count;
    if (num_points > CT_PARTICLES_MAX_POINTS ||
        (num_points == 0 && s->type == CT_PARTICLE_SHAPE_MESH))
        return refuse(c, "points: found %u", num_points);
    const float *const numbers = ct_blob_at(c->resource, c->e->points.offset);
    const uint32_t num_numbers = num_points * (uint32_t)(sizeof(ct_particle_point) / sizeof(float));
    return are_finite(numbers, num_numbers) || refuse(c, "points: a number is not finite");
}

static bool check_bursts(const check *c) {
    const ct_particle_burst *const bursts = ct_blob_at(c->resource, c->e->bursts.offset);
    if (c->e->bursts.count > CT_PARTICLES_MAX_BURSTS)
        return refuse(c, "bursts: found %u, expected at most %d", c->e->bursts.count,
                      CT_PARTICLES_MAX_BURSTS);
    for (uint32_t i = 0; i < c->e->bursts.count; ++i) {
        const ct_particle_burst *const b = &bursts[i];
        const float least = b->repeats > 1 ? CT_PARTICLES_LEAST_SECONDS : 0;
        if (!is_seconds(b->time) || !is_between(b->interval, least, CT_PARTICLES_MAX_SECONDS))
            return refuse(c, "bursts[%u]: found the time %g, interval %g", i, (double)b->time,
                          (double)b->interval);
        if (b->repeats == 0 || b->repeats > CT_PARTICLES_MAX_REPEATS || b->least > b->most ||
            b->most > CT_PARTICLES_MAX_PARTICLES)
            return refuse(c, "bursts[%u]: found %u times %u to %u", i, b->repeats, b->least,
                          b->most);
    }
    return true;
}

static bool check_events(const check *c) {
    const emitter *const emitters = ct_blob_at(c->resource, c->resource->emitters.offset);
    const ct_particle_event *const events = ct_blob_at(c->resource, c->e->events.offset);
    if (c->e->events.count > CT_PARTICLES_MAX_EVENTS)
        return refuse(c, "events: found %u, expected at most %d", c->e->events.count,
                      CT_PARTICLES_MAX_EVENTS);
    for (uint32_t i = 0; i < c->e->events.count; ++i) {
        const ct_particle_event *const v = &events[i];
        if (v->type >= CT_PARTICLE_EVENT_TYPE_COUNT)
            return refuse(c, "events[%u]: unknown type %u", i, v->type);
        if (v->emitter <= c->index || v->emitter >= c->resource->emitters.count ||
            !(emitters[v->emitter].flags & CT_PARTICLE_EMITTER_TARGET))
            return refuse(c, "events[%u]: found emitter %u, expected a target behind this one", i,
                          v->emitter);
        if (v->least > v->most || v->most > CT_PARTICLES_MAX_PARTICLES ||
            !is_between(v->probability, 0, 1) || !isfinite(v->inherit_velocity))
            return refuse(c, "events[%u]: found %u to %u, probability %g, velocity %g", i, v->least,
                          v->most, (double)v->probability, (double)v->inherit_velocity);
    }
    return true;
}

// --- The look ------------------------------------------------------------------------------------

static bool check_look_channels(const check *c) {
    const ct_particle_look *const l = &c->e->look;
    uint32_t needs = 0;
    if (l->renderer != CT_PARTICLE_RENDERER_NONE)
        needs |= 1 << CT_PARTICLE_SIZE | 1 << CT_PARTICLE_COLOR;
    if (l->renderer == CT_PARTICLE_RENDERER_TRAIL)
        needs |= TRAIL;
    if (l->renderer == CT_PARTICLE_RENDERER_RIBBON)
        needs |= 1 << CT_PARTICLE_ORDER;
    if (l->renderer == CT_PARTICLE_RENDERER_MESH)
        needs |= 1 << CT_PARTICLE_OBJECT;
    if (l->facing == CT_PARTICLE_FACING_NORMAL)
        needs |= 1 << CT_PARTICLE_AXIS;
    if (l->facing == CT_PARTICLE_FACING_VELOCITY || l->facing == CT_PARTICLE_FACING_STRETCHED ||
        l->facing == CT_PARTICLE_FACING_MOTION)
        needs |= VELOCITY;
    for (uint32_t s = 0; s < CT_PARTICLE_SEMANTIC_COUNT; ++s) {
        if (needs >> s & 1 && !has_channel(c->e, s))
            return refuse(c, "look: the channels of semantic %u are missing", s);
    }
    return true;
}

static bool check_look(const check *c) {
    const ct_particle_look *const l = &c->e->look;
    if (l->renderer >= CT_PARTICLE_RENDERER_COUNT || l->facing >= CT_PARTICLE_FACING_COUNT ||
        l->sort >= CT_PARTICLE_SORT_COUNT || l->blends > 1 || l->casts_shadows > 1)
        return refuse(c, "look: found renderer %u, facing %u, sort %u, blends %u, shadows %u",
                      l->renderer, l->facing, l->sort, l->blends, l->casts_shadows);
    const bool has_trail = l->renderer == CT_PARTICLE_RENDERER_TRAIL;
    if (has_trail ? l->num_trail_points < 2 || l->num_trail_points > CT_PARTICLES_MAX_TRAIL
                  : l->num_trail_points != 0)
        return refuse(c, "look.num_trail_points: found %u", l->num_trail_points);
    for (uint32_t i = 0; i < 2; ++i) {
        if (l->grid[i] == 0 || l->grid[i] > CT_PARTICLES_MAX_GRID)
            return refuse(c, "look.grid[%u]: found %u", i, l->grid[i]);
    }
    if (!is_unit_length(l->axis, 3) || !are_finite(l->pivot, 2) || !isfinite(l->stretch))
        return refuse(c, "look: found an invalid axis, pivot or stretch");
    if (!is_between(l->uv_length, 0, 1e6f) || !is_between(l->light_radius, 0, 1e6f) ||
        !is_between(l->light_intensity, 0, 1e9f) || l->max_lights > CT_PARTICLES_MAX_LIGHTS)
        return refuse(c, "look: found uv_length %g, light %g, %g, at most %u lights",
                      (double)l->uv_length, (double)l->light_radius, (double)l->light_intensity,
                      l->max_lights);
    const bool has_material =
        l->renderer != CT_PARTICLE_RENDERER_NONE && l->renderer != CT_PARTICLE_RENDERER_LIGHT;
    if (has_material && l->material.value == 0)
        return refuse(c, "look.material is missing");
    if (l->renderer == CT_PARTICLE_RENDERER_MESH && l->mesh.value == 0)
        return refuse(c, "look.mesh is missing");
    return check_look_channels(c);
}

// --- Emitters ------------------------------------------------------------------------------------

// The GPU gives no answers and keeps no order, and knows no fields and trails.
static bool has_gpu_steps(const check *c) {
    const ct_particle_step *const steps = ct_blob_at(c->resource, c->e->update.offset);
    for (uint32_t i = 0; i < c->e->update.count; ++i)
        if (steps[i].op == CT_PARTICLE_OP_FIELD || steps[i].op == CT_PARTICLE_OP_COLLIDE_PHYSICS ||
            steps[i].op == CT_PARTICLE_OP_TRAIL)
            return false;
    return true;
}

static bool check_gpu(const check *c) {
    const emitter *const e = c->e;
    const uint32_t forbidden =
        CT_PARTICLE_EMITTER_COLLIDES | CT_PARTICLE_EMITTER_ORDERED | CT_PARTICLE_EMITTER_TARGET;
    if (e->flags & CT_PARTICLE_EMITTER_WANTS_GPU && !(e->flags & CT_PARTICLE_EMITTER_GPU))
        return refuse(c, "flags: WANTS_GPU without GPU");
    if (!(e->flags & CT_PARTICLE_EMITTER_GPU))
        return true;
    if (e->flags & forbidden || e->events.count > 0 ||
        e->shape.type == CT_PARTICLE_SHAPE_SKELETON ||
        e->look.renderer > CT_PARTICLE_RENDERER_BILLBOARD || e->look.sort != CT_PARTICLE_SORT_NONE)
        return refuse(c, "flags: GPU, with flags %u, %u events, shape %u, renderer %u, sort %u",
                      e->flags, e->events.count, e->shape.type, e->look.renderer, e->look.sort);
    return has_gpu_steps(c) || refuse(c, "flags: GPU, with a step that the GPU does not have");
}

static bool check_emitter(const check *c) {
    const emitter *const e = c->e;
    if (ct_string_id32_of(ct_blob_at(c->resource, e->name_text.offset)).value != e->name.value)
        return refuse(c, "name: its id does not match its text");
    if (e->flags >= CT_PARTICLE_EMITTER_TARGET * 2)
        return refuse(c, "flags: found %u", e->flags);
    if (e->capacity == 0 || e->capacity % CT_PARTICLES_LANES ||
        e->capacity > CT_PARTICLES_MAX_PARTICLES)
        return refuse(c, "capacity: found %u, expected a multiple of %d up to %d", e->capacity,
                      CT_PARTICLES_LANES, CT_PARTICLES_MAX_PARTICLES);
    const bool is_endless = isinf(e->period) && e->period > 0;
    if (!is_seconds(e->delay) || (!is_endless && !is_between(e->period, CT_PARTICLES_LEAST_SECONDS,
                                                             (float)CT_PARTICLES_MAX_SECONDS)))
        return refuse(c, "period: found %g after %g seconds", (double)e->period, (double)e->delay);
    if (is_endless && e->flags & CT_PARTICLE_EMITTER_LOOPS)
        return refuse(c, "flags: LOOPS, with a period without end");
    if (!isfinite(e->inherit_velocity))
        return refuse(c, "inherit_velocity is not finite");
    return check_look(c) && check_channels(c) && check_values(c) && check_own_values(c) &&
           check_shape(c) && check_bursts(c) && check_events(c) && check_init(c) &&
           check_update(c) && check_gpu(c);
}

static bool check_variables(const ct_particles_resource *r, ct_error *error) {
    const ct_particle_variable *const variables = ct_blob_at(r, r->variables.offset);
    if (r->variables.count > CT_PARTICLES_MAX_VARIABLES)
        return ct_error_set(error, "variables: found %u, expected at most %d", r->variables.count,
                            CT_PARTICLES_MAX_VARIABLES);
    for (uint32_t i = 0; i < r->variables.count; ++i) {
        const ct_particle_variable *const v = &variables[i];
        if (ct_string_id32_of(ct_blob_at(r, v->name_text.offset)).value != v->name.value)
            return ct_error_set(error, "variables[%u]: its id does not match its name", i);
        if (!are_finite(v->value, 4))
            return ct_error_set(error, "variables[%u]: a number is not finite", i);
    }
    return true;
}

bool ct_particles_validate(const void *blob, ct_error *error) {
    const ct_particles_resource *const r = blob;
    if (!ct_blob_check_layout(&ct_particles_layout, r, error) || !check_variables(r, error))
        return false;
    if (!is_between(r->cull_distance, 0, FLT_MAX) || !is_between(r->bounds_radius, 0, FLT_MAX) ||
        !is_between(r->prewarm, 0, CT_PARTICLES_MAX_PREWARM))
        return ct_error_set(error, "found cull_distance %g, bounds_radius %g, prewarm %g",
                            (double)r->cull_distance, (double)r->bounds_radius, (double)r->prewarm);
    if (r->emitters.count == 0 || r->emitters.count > CT_PARTICLES_MAX_EMITTERS)
        return ct_error_set(error, "emitters: found %u, expected 1 to %d", r->emitters.count,
                            CT_PARTICLES_MAX_EMITTERS);
    const emitter *const emitters = ct_blob_at(r, r->emitters.offset);
    for (uint32_t i = 0; i < r->emitters.count; ++i) {
        if (!check_emitter(&(check){r, &emitters[i], i, error}))
            return false;
    }
    return true;
}
