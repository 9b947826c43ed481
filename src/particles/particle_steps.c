// The operations of steps over a chunk of particles.
#include <math.h>
#include <string.h>

#include "foundation/math/math_lanes.h"
#include "particles/particle_noise.h"
#include "particles/particle_private.h"

// --- Access --------------------------------------------------------------------------------------

// The chunk's part of a channel.
static float *channel_of(const ct_particle_chunk *c, uint32_t channel) {
    return c->state->channels + (size_t)channel * c->state->capacity + c->begin;
}

static float *semantic_of(const ct_particle_chunk *c, uint32_t semantic) {
    return channel_of(c, c->emitter->channels[semantic]);
}

static ct_column *columns_of(float *numbers) {
    return (ct_column *)numbers;
}

static uint32_t num_groups(const ct_particle_chunk *c) {
    return (c->count + 3) / 4;
}

// The seconds that group `i` is stepped by.
static ct_column seconds_of(const ct_particle_chunk *c, uint32_t i) {
    return c->seconds ? ct_column_of(c->seconds + 4 * (size_t)i) : ct_column_all(c->dt);
}

static ct_vec4 value_of(const ct_particle_chunk *c, const ct_particle_step *step, uint32_t value) {
    return ct_particle_emitter_value(c->effect, c->emitter, step->first_value + value, c->clock);
}

static ct_vec3 xyz(ct_vec4 v) {
    return ct_vec3_make(v.x, v.y, v.z);
}

static bool is_local(const ct_particle_chunk *c) {
    return c->emitter->flags & CT_PARTICLE_EMITTER_LOCAL;
}

// Brings a direction of a step into the other space than its own.
static ct_vec3 change_space(const ct_particle_chunk *c, const ct_particle_step *step, ct_vec3 v) {
    const ct_particle_place *const place = &c->effect->now;
    if (step->flags & CT_PARTICLE_STEP_LOCAL)
        return ct_quat_rotate(place->rotation, ct_vec3_mul(v, place->scale));
    v = ct_quat_rotate(ct_quat_conjugate(place->rotation), v);
    for (uint32_t axis = 0; axis < 3; ++axis)
        v.raw[axis] = place->scale.raw[axis] != 0.0f ? v.raw[axis] / place->scale.raw[axis] : 0.0f;
    return v;
}

// Brings a direction or a point of a step into the space of the emitter's particles.
static inline ct_vec3 direction_in_space(const ct_particle_chunk *c, const ct_particle_step *step,
                                         ct_vec3 v) {
    const bool step_is_local = step->flags & CT_PARTICLE_STEP_LOCAL;
    return step_is_local == is_local(c) ? v : change_space(c, step, v);
}

static ct_vec3 point_in_space(const ct_particle_chunk *c, const ct_particle_step *step, ct_vec3 v) {
    const bool step_is_local = step->flags & CT_PARTICLE_STEP_LOCAL;
    if (step_is_local == is_local(c))
        return v;
    if (step_is_local)
        return ct_mat4_transform_point(c->effect->pose, v);
    return ct_mat4_transform_point(ct_mat4_inverse(c->effect->pose), v);
}

// Where the particles of group `i` are; `matrix` brings them to another space, or is NULL.
static void points_of_group(const ct_particle_chunk *c, const ct_mat4 *matrix, uint32_t i,
                            ct_column p[3]) {
    const ct_column *const x = columns_of(semantic_of(c, CT_PARTICLE_POSITION));
    const size_t stride = c->state->capacity / 4;
    const ct_column at[3] = {x[i], x[i + stride], x[i + 2 * stride]};
    for (uint32_t axis = 0; axis < 3; ++axis) {
        p[axis] = at[axis];
        if (matrix)
            p[axis] = at[0] * matrix->raw[0][axis] + at[1] * matrix->raw[1][axis] +
                      at[2] * matrix->raw[2][axis] + matrix->raw[3][axis];
    }
}

// --- Forces --------------------------------------------------------------------------------------

static void start_forces(ct_particle_chunk *c) {
    if (c->has_forces)
        return;
    c->has_forces = true;
    for (uint32_t axis = 0; axis < 3; ++axis)
        memset(c->forces[axis], 0, sizeof(float) * 4 * num_groups(c));
}

static void accelerate(ct_particle_chunk *c, const ct_particle_step *step) {
    const ct_vec3 a = direction_in_space(c, step, xyz(value_of(c, step, 0)));
    c->acceleration = ct_vec3_add(c->acceleration, a);
}

// What a flow of 1 m/s adds to the forces: itself, or as a wind what drag makes of it.
static float force_of_flow(const ct_particle_chunk *c, const ct_particle_step *step,
                           float strength) {
    return step->flags & CT_PARTICLE_STEP_WIND ? strength * c->drag : strength;
}

static void add_noise(ct_particle_chunk *c, const ct_particle_step *step) {
    const float force = force_of_flow(c, step, value_of(c, step, 0).x);
    const float frequency = value_of(c, step, 1).x;
    const ct_column way = ct_column_all((float)(value_of(c, step, 2).x * c->effect->time));
    start_forces(c);
    const ct_column *const x = columns_of(semantic_of(c, CT_PARTICLE_POSITION));
    const size_t stride = c->state->capacity / 4;
    for (uint32_t i = 0; i < num_groups(c); ++i) {
        const ct_column point[3] = {x[i] * frequency, x[i + stride] * frequency,
                                    (x[i + 2 * stride] + way) * frequency};
        ct_column flow[3];
        ct_particle_curl_noise(point, flow);
        for (uint32_t axis = 0; axis < 3; ++axis)
            columns_of(c->forces[axis])[i] += flow[axis] * force;
    }
}

static void add_field(ct_particle_chunk *c, const ct_particle_step *step) {
    const uint32_t field = ct_particle_fields_look_up(c->world->fields, step->name);
    if (field == UINT32_MAX)
        return;
    _Alignas(16) float at[3][CT_PARTICLE_CHUNK], flow[3][CT_PARTICLE_CHUNK];
    for (uint32_t i = 0; i < num_groups(c); ++i) {
        ct_column p[3];
        points_of_group(c, is_local(c) ? &c->effect->pose : NULL, i, p);
        for (uint32_t axis = 0; axis < 3; ++axis)
            columns_of(at[axis])[i] = p[axis];
    }
    const float *const points[3] = {at[0], at[1], at[2]};
    float *const vectors[3] = {flow[0], flow[1], flow[2]};
    ct_particle_fields_evaluate(c->world->fields, field, points, vectors, 4 * num_groups(c));
    const float force = force_of_flow(c, step, value_of(c, step, 0).x);
    start_forces(c);
    // The columns of the rotation from the world to the space of the particles.
    ct_vec3 to[3] = {{{force, 0, 0}}, {{0, force, 0}}, {{0, 0, force}}};
    const ct_quat back = ct_quat_conjugate(c->effect->now.rotation);
    for (uint32_t axis = 0; is_local(c) && axis < 3; ++axis)
        to[axis] = ct_quat_rotate(back, to[axis]);
    for (uint32_t i = 0; i < num_groups(c); ++i)
        for (uint32_t axis = 0; axis < 3; ++axis)
            columns_of(c->forces[axis])[i] += columns_of(flow[0])[i] * to[0].raw[axis] +
                                              columns_of(flow[1])[i] * to[1].raw[axis] +
                                              columns_of(flow[2])[i] * to[2].raw[axis];
}

// Marks the particles of a group as dead.
static void kill(ct_particle_chunk *c, ct_column *age, ct_column_bits mask) {
    if (!ct_column_mask(mask))
        return;
    *age = ct_column_select(mask, ct_column_all(1.0f), *age);
    c->has_died = true;
}

static ct_column root_of(ct_column x) {
#ifdef __SSE__
    return (ct_column)_mm_sqrt_ps((__m128)x);
#else
    return (ct_column){sqrtf(x[0]), sqrtf(x[1]), sqrtf(x[2]), sqrtf(x[3])};
#endif
}

static ct_column power_of(ct_column x, float power) {
    if (power == 0.0f)
        return ct_column_all(1.0f);
    if (power == 1.0f)
        return x;
    if (power == 2.0f)
        return x * x;
    return (ct_column){powf(x[0], power), powf(x[1], power), powf(x[2], power), powf(x[3], power)};
}

static void attract(ct_particle_chunk *c, const ct_particle_step *step) {
    const ct_vec3 point = point_in_space(c, step, xyz(value_of(c, step, 0)));
    const float strength = value_of(c, step, 1).x;
    const ct_vec4 how = value_of(c, step, 2); // power, radius, kill radius
    start_forces(c);
    const ct_column *const x = columns_of(semantic_of(c, CT_PARTICLE_POSITION));
    ct_column *const age = columns_of(semantic_of(c, CT_PARTICLE_AGE));
    const size_t stride = c->state->capacity / 4;
    for (uint32_t i = 0; i < num_groups(c); ++i) {
        ct_column way[3], squared = {0};
        for (uint32_t axis = 0; axis < 3; ++axis) {
            way[axis] = point.raw[axis] - x[i + axis * stride];
            squared += way[axis] * way[axis];
        }
        const ct_column distance = ct_column_max(root_of(squared), ct_column_all(0.01f));
        ct_column force = strength / (power_of(distance, how.x) * distance);
        if (how.y > 0.0f)
            force = ct_column_select(distance < how.y, force, ct_column_all(0.0f));
        for (uint32_t axis = 0; axis < 3; ++axis)
            columns_of(c->forces[axis])[i] += way[axis] * force;
        if (how.z > 0.0f)
            kill(c, &age[i], squared < how.z * how.z);
    }
}

// --- Motion --------------------------------------------------------------------------------------

static ct_particle_motion motion_over(float drag_of_all, float of_all) {
    const double drag = drag_of_all, seconds = of_all, product = drag * seconds;
    ct_particle_motion m = {.drag = drag_of_all, .seconds = of_all};
    if (product < 1e-3) { // series, where the differences below lose their digits
        m.keep = (float)exp(-product);
        m.go = (float)(seconds * (1.0 - product / 2 + product * product / 6));
        m.fall = (float)(seconds * seconds * (0.5 - product / 6 + product * product / 24));
    } else {
        const double keep = exp(-product), go = (1.0 - keep) / drag;
        m.keep = (float)keep;
        m.go = (float)go;
        m.fall = (float)((seconds - go) / drag);
    }
    m.gain = m.go;
    return m;
}

// The four columns of motions of a group.
typedef struct motions {
    ct_column keep, gain, go, fall;
} motions;

static motions motions_of_group(const ct_particle_chunk *c, uint32_t i) {
    motions m;
    for (uint32_t lane = 0; lane < 4; ++lane) {
        const float seconds = 4 * i + lane < c->count ? c->seconds[4 * i + lane] : 0.0f;
        const ct_particle_motion one = motion_over(c->drag, seconds);
        m.keep[lane] = one.keep, m.gain[lane] = one.gain;
        m.go[lane] = one.go, m.fall[lane] = one.fall;
    }
    return m;
}

// Where a channel of three numbers is in the chunk, and what all particles get.
typedef struct flight {
    ct_column *x, *v;
    const ct_column *forces;
    float v_more, x_more;
} flight;

static flight flight_of(ct_particle_chunk *c, uint32_t axis, float wind) {
    const ct_particle_motion *const m = &c->motion;
    const size_t stride = c->state->capacity;
    const float a = c->acceleration.raw[axis];
    return (flight){
        .x = columns_of(semantic_of(c, CT_PARTICLE_POSITION) + axis * stride),
        .v = columns_of(semantic_of(c, CT_PARTICLE_VELOCITY) + axis * stride),
        .forces = columns_of(c->forces[axis]),
        .v_more = a * m->gain + wind * (1.0f - m->keep),
        .x_more = a * m->fall + wind * (c->dt - m->go),
    };
}

static void fly(const flight f[3], uint32_t count, float keep, float go) {
    for (uint32_t i = 0; i < count; ++i)
        for (uint32_t axis = 0; axis < 3; ++axis) {
            const ct_column v = f[axis].v[i];
            f[axis].x[i] += v * go + f[axis].x_more;
            f[axis].v[i] = v * keep + f[axis].v_more;
        }
}

static void fly_by_forces(const flight f[3], uint32_t count, const ct_particle_motion *m) {
    for (uint32_t i = 0; i < count; ++i)
        for (uint32_t axis = 0; axis < 3; ++axis) {
            const ct_column v = f[axis].v[i], force = f[axis].forces[i];
            f[axis].x[i] += v * m->go + (force * m->fall + f[axis].x_more);
            f[axis].v[i] = v * m->keep + (force * m->gain + f[axis].v_more);
        }
}

static void move_each(ct_particle_chunk *c, uint32_t axis, float wind) {
    ct_column *const x =
        columns_of(semantic_of(c, CT_PARTICLE_POSITION)) + axis * (size_t)(c->state->capacity / 4);
    ct_column *const v =
        columns_of(semantic_of(c, CT_PARTICLE_VELOCITY)) + axis * (size_t)(c->state->capacity / 4);
    for (uint32_t i = 0; i < num_groups(c); ++i) {
        const motions m = motions_of_group(c, i);
        ct_column a = ct_column_all(c->acceleration.raw[axis]);
        if (c->has_forces)
            a += columns_of(c->forces[axis])[i];
        x[i] += v[i] * m.go + a * m.fall + (seconds_of(c, i) - m.go) * wind;
        v[i] = v[i] * m.keep + a * m.gain + (1.0f - m.keep) * wind;
    }
}

static void move(ct_particle_chunk *c, const ct_particle_step *step) {
    const ct_vec3 wind = direction_in_space(c, step, xyz(value_of(c, step, 1)));
    float *const position = semantic_of(c, CT_PARTICLE_POSITION);
    const size_t stride = c->state->capacity;
    if (c->emitter->flags & CT_PARTICLE_EMITTER_COLLIDES)
        for (uint32_t axis = 0; axis < 3; ++axis)
            memcpy(c->previous[axis], position + axis * stride, sizeof(float) * c->count);
    if (c->seconds) {
        for (uint32_t axis = 0; axis < 3; ++axis)
            move_each(c, axis, wind.raw[axis]);
        return;
    }
    flight f[3];
    for (uint32_t axis = 0; axis < 3; ++axis)
        f[axis] = flight_of(c, axis, wind.raw[axis]);
    if (c->has_forces)
        fly_by_forces(f, num_groups(c), &c->motion);
    else
        fly(f, num_groups(c), c->motion.keep, c->motion.go);
}

static void orbit_one(float *const x[3], float *const v[3], ct_vec3 center, ct_quat turn,
                      ct_vec3 axis, float outwards) {
    const ct_vec3 from = ct_vec3_sub(ct_vec3_make(*x[0], *x[1], *x[2]), center);
    ct_vec3 to = ct_quat_rotate(turn, from);
    const ct_vec3 along = ct_vec3_scale(axis, ct_vec3_dot(to, axis));
    const ct_vec3 radius = ct_vec3_sub(to, along);
    const float length = ct_vec3_length(radius);
    if (length > 1e-6f) { // never through the axis
        const float change = fmaxf(outwards, -length);
        to = ct_vec3_add(to, ct_vec3_scale(radius, change / length));
    }
    to = ct_vec3_add(center, to);
    *x[0] = to.x, *x[1] = to.y, *x[2] = to.z;
    const ct_vec3 speed = ct_quat_rotate(turn, ct_vec3_make(*v[0], *v[1], *v[2]));
    *v[0] = speed.x, *v[1] = speed.y, *v[2] = speed.z;
}

static void orbit(ct_particle_chunk *c, const ct_particle_step *step) {
    const ct_vec3 center = point_in_space(c, step, xyz(value_of(c, step, 0)));
    const ct_vec3 axis = ct_vec3_normalize(direction_in_space(c, step, xyz(value_of(c, step, 1))));
    const ct_vec4 speeds = value_of(c, step, 2); // radians a second, metres a second outwards
    float *const x = semantic_of(c, CT_PARTICLE_POSITION);
    float *const v = semantic_of(c, CT_PARTICLE_VELOCITY);
    const size_t stride = c->state->capacity;
    if (ct_vec3_dot(axis, axis) == 0.0f)
        return;
    ct_quat turn = ct_quat_axis_angle(axis, speeds.x * c->dt);
    for (uint32_t i = 0; i < c->count; ++i) {
        const float seconds = c->seconds ? c->seconds[i] : c->dt;
        if (c->seconds)
            turn = ct_quat_axis_angle(axis, speeds.x * seconds);
        orbit_one((float *const[3]){x + i, x + stride + i, x + 2 * stride + i},
                  (float *const[3]){v + i, v + stride + i, v + 2 * stride + i}, center, turn, axis,
                  speeds.y * seconds);
    }
}

static void limit_speed(ct_particle_chunk *c, const ct_particle_step *step) {
    const float most = fmaxf(value_of(c, step, 0).x, 0.0f);
    ct_column *const v = columns_of(semantic_of(c, CT_PARTICLE_VELOCITY));
    const size_t stride = c->state->capacity / 4;
    for (uint32_t i = 0; i < num_groups(c); ++i) {
        ct_column *const x = &v[i], *const y = &v[i + stride], *const z = &v[i + 2 * stride];
        const ct_column speed = root_of(*x * *x + *y * *y + *z * *z);
        const ct_column share = ct_column_select(
            speed > most, most / ct_column_max(speed, ct_column_all(1e-20f)), ct_column_all(1.0f));
        *x *= share, *y *= share, *z *= share;
    }
}

// --- Volumes that kill ---------------------------------------------------------------------------

// How deep the points are in the volume: above 0 inside.
static ct_column depth_in(uint32_t op, const ct_column p[3], ct_vec4 v0, ct_vec4 v1) {
    if (op == CT_PARTICLE_OP_KILL_PLANE)
        return v0.w - (p[0] * v0.x + p[1] * v0.y + p[2] * v0.z);
    ct_column depth = ct_column_all(INFINITY), squared = {0};
    for (uint32_t axis = 0; axis < 3; ++axis) {
        const ct_column way = p[axis] - v0.raw[axis];
        depth = ct_column_min(depth, v1.raw[axis] - ct_column_max(way, -way));
        squared += way * way;
    }
    if (op == CT_PARTICLE_OP_KILL_SPHERE)
        return v1.x * v1.x - squared;
    return depth;
}

static void kill_by_volume(ct_particle_chunk *c, const ct_particle_step *step) {
    const bool step_is_local = step->flags & CT_PARTICLE_STEP_LOCAL;
    ct_mat4 to_step = c->effect->pose;
    if (step_is_local && !is_local(c))
        to_step = ct_mat4_inverse(to_step);
    const ct_mat4 *const matrix = step_is_local == is_local(c) ? NULL : &to_step;
    const bool kills_inside =
        step->op == CT_PARTICLE_OP_KILL_PLANE || step->flags & CT_PARTICLE_STEP_INSIDE;
    const bool has_size = step->op != CT_PARTICLE_OP_KILL_PLANE;
    const ct_vec4 v0 = value_of(c, step, 0), v1 = has_size ? value_of(c, step, 1) : v0;
    ct_column *const age = columns_of(semantic_of(c, CT_PARTICLE_AGE));
    for (uint32_t i = 0; i < num_groups(c); ++i) {
        ct_column p[3];
        points_of_group(c, matrix, i, p);
        const ct_column depth = depth_in(step->op, p, v0, v1);
        kill(c, &age[i], kills_inside ? depth > 0.0f : depth <= 0.0f);
    }
}

// --- Age and values over life --------------------------------------------------------------------

static void grow_older(ct_particle_chunk *c) {
    ct_column *const age = columns_of(semantic_of(c, CT_PARTICLE_AGE));
    const ct_column *const ageing = columns_of(semantic_of(c, CT_PARTICLE_AGEING));
    ct_column oldest = {0};
    for (uint32_t i = 0; i < num_groups(c); ++i) {
        age[i] += ageing[i] * seconds_of(c, i);
        oldest = ct_column_max(age[i], oldest);
    }
    // A lane behind the last particle may say so too: then nothing is found.
    if (ct_column_mask(oldest >= 1.0f))
        c->has_died = true;
}

// Where the ages of a group are in a curve: the samples before them, and how far they are behind.
static ct_column place_in_curve(ct_column age, ct_column_bits *before) {
    const ct_column last = ct_column_all(CT_PARTICLES_CURVE_SAMPLES - 1);
    // An age that is NaN becomes 0: max returns its second argument then.
    const ct_column place = ct_column_min(ct_column_max(age * last, ct_column_all(0.0f)), last);
    const ct_column whole = ct_column_min(place, last - 1.0f);
    *before = __builtin_convertvector(whole, ct_column_bits);
    return place - __builtin_convertvector(*before, ct_column);
}

// The curve's four components for one particle.
static ct_column sample_at(const ct_column *samples, int32_t before, float share) {
    return samples[before] + (samples[before + 1] - samples[before]) * share;
}

// The components of a curve for the four particles of a group.
static inline void sample_group(const ct_column *samples, ct_column age, ct_column result[4]) {
    ct_column_bits before;
    const ct_column share = place_in_curve(age, &before);
    for (uint32_t lane = 0; lane < 4; ++lane)
        result[lane] = sample_at(samples, before[lane], share[lane]);
    ct_columns_transpose(&result[0], &result[1], &result[2], &result[3]);
}

static void multiply_by_variable(const ct_particle_chunk *c, const ct_particle_value *v,
                                 ct_column result[4]) {
    if (!v->variable || v->variable > c->effect->num_variables)
        return;
    for (uint32_t k = 0; k < 4; ++k)
        result[k] *= c->effect->variables[v->variable - 1].raw[k];
}

// Random numbers of the four particles of a group.
static ct_column random_of_group(const uint32_t *seeds, uint32_t use) {
    const ct_column_words seed = *(const ct_column_words *)seeds;
    const ct_column_words hash = ct_particle_noise_hash(seed ^ use * 0x9e3779b9u);
    return __builtin_convertvector((ct_column_bits)(hash >> 8), ct_column) * 0x1p-24f;
}

static void mix_with_second(const ct_particle_chunk *c, const ct_particle_step *step,
                            const ct_particle_value *v, const ct_column *samples, ct_column age,
                            uint32_t i, ct_column result[4]) {
    ct_column most[4];
    sample_group(samples + v->curves[1], age, most);
    const uint32_t *const seeds = (const uint32_t *)semantic_of(c, CT_PARTICLE_SEED) + 4 * i;
    const bool is_uniform = v->flags & CT_PARTICLE_VALUE_UNIFORM;
    for (uint32_t k = 0; k < step->num_components; ++k) {
        const uint32_t use = CT_PARTICLE_RANDOM_STEP + step->number * 8 + (is_uniform ? 0 : k);
        result[k] += (most[k] - result[k]) * random_of_group(seeds, use);
    }
}

// A plain curve, which most are.
static void copy_curve(const ct_column *samples, const ct_column *age, ct_column *x, size_t stride,
                       uint32_t num_components, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        ct_column result[4];
        sample_group(samples, age[i], result);
        x[i] = result[0];
        if (num_components > 1)
            x[i + stride] = result[1];
        if (num_components > 2)
            x[i + 2 * stride] = result[2];
        if (num_components > 3)
            x[i + 3 * stride] = result[3];
    }
}

static void follow_curve(ct_particle_chunk *c, const ct_particle_step *step) {
    const ct_particle_value *const v =
        (const ct_particle_value *)ct_blob_at(c->resource, c->emitter->values.offset) +
        step->first_value;
    const ct_column *const samples = ct_blob_at(c->resource, c->emitter->samples.offset);
    const ct_column *const age = columns_of(semantic_of(c, CT_PARTICLE_AGE));
    const size_t stride = c->state->capacity / 4;
    ct_column *const x = columns_of(channel_of(c, step->channel));
    const bool has_input = step->input != CT_PARTICLES_NO_CHANNEL;
    const ct_column *const input = has_input ? columns_of(channel_of(c, step->input)) : NULL;
    const bool is_curve =
        v->source == CT_PARTICLE_SOURCE_CURVE || v->source == CT_PARTICLE_SOURCE_CURVE_RANGE;
    if (v->source == CT_PARTICLE_SOURCE_CURVE && !has_input && !v->variable) {
        copy_curve(samples + v->curves[0], age, x, stride, step->num_components, num_groups(c));
        return;
    }
    for (uint32_t i = 0; i < num_groups(c); ++i) {
        ct_column result[4] = {ct_column_all(v->a[0]), ct_column_all(v->a[1]),
                               ct_column_all(v->a[2]), ct_column_all(v->a[3])};
        if (is_curve)
            sample_group(samples + v->curves[0], age[i], result);
        if (v->source == CT_PARTICLE_SOURCE_CURVE_RANGE)
            mix_with_second(c, step, v, samples, age[i], i, result);
        multiply_by_variable(c, v, result);
        for (uint32_t k = 0; k < step->num_components; ++k) {
            if (has_input)
                result[k] *= input[i + k * stride];
            x[i + k * stride] = result[k];
        }
    }
}

static void add_over_time(ct_particle_chunk *c, const ct_particle_step *step) {
    const size_t stride = c->state->capacity / 4;
    const bool has_input = step->input != CT_PARTICLES_NO_CHANNEL;
    const ct_vec4 rate = has_input ? (ct_vec4){{0}} : value_of(c, step, 0);
    ct_column *const x = columns_of(channel_of(c, step->channel));
    const ct_column *const input = has_input ? columns_of(channel_of(c, step->input)) : NULL;
    for (uint32_t k = 0; k < step->num_components; ++k)
        for (uint32_t i = 0; i < num_groups(c); ++i) {
            const ct_column each = has_input ? input[i + k * stride] : ct_column_all(rate.raw[k]);
            x[i + k * stride] += each * seconds_of(c, i);
        }
}

// --- Trails --------------------------------------------------------------------------------------

static void remember_positions(ct_particle_chunk *c, const ct_particle_step *step) {
    const uint32_t num_points = c->emitter->look.num_trail_points;
    const float interval = fmaxf(value_of(c, step, 0).x, 1e-4f);
    const size_t stride = c->state->capacity;
    const float *const x = semantic_of(c, CT_PARTICLE_POSITION);
    float *const trail = semantic_of(c, CT_PARTICLE_TRAIL);
    uint32_t *const points = (uint32_t *)semantic_of(c, CT_PARTICLE_TRAIL_STATE);
    float *const since = semantic_of(c, CT_PARTICLE_TRAIL_STATE) + stride;
    for (uint32_t i = 0; i < c->count; ++i) {
        since[i] += c->seconds ? c->seconds[i] : c->dt;
        if (points[i] && !(since[i] >= interval))
            continue;
        since[i] = points[i] ? fmodf(since[i], interval) : 0.0f;
        const size_t at = (size_t)(points[i]++ % num_points) * 3;
        for (uint32_t axis = 0; axis < 3; ++axis)
            trail[(at + axis) * stride + i] = x[axis * stride + i];
    }
}

// --- The table -----------------------------------------------------------------------------------

// Sets channels at birth.
static void set_values(ct_particle_chunk *c, const ct_particle_step *step) {
    const size_t stride = c->state->capacity;
    float *const x = channel_of(c, step->channel);
    const uint32_t *const seeds = (const uint32_t *)semantic_of(c, CT_PARTICLE_SEED);
    for (uint32_t i = 0; i < c->count; ++i) {
        const ct_vec4 v =
            ct_particle_birth_value(c->effect, c->emitter, step->first_value, c->clock, seeds[i],
                                    CT_PARTICLE_RANDOM_STEP + step->number * 8);
        for (uint32_t k = 0; k < step->num_components; ++k)
            x[k * stride + i] = v.raw[k];
    }
}

static void run_step(ct_particle_chunk *c, const ct_particle_step *step) {
    switch (step->op) {
    case CT_PARTICLE_OP_SET:
        set_values(c, step);
        return;
    case CT_PARTICLE_OP_AGE:
        grow_older(c);
        return;
    case CT_PARTICLE_OP_ACCELERATE:
        accelerate(c, step);
        return;
    case CT_PARTICLE_OP_NOISE:
        add_noise(c, step);
        return;
    case CT_PARTICLE_OP_FIELD:
        add_field(c, step);
        return;
    case CT_PARTICLE_OP_ATTRACT:
        attract(c, step);
        return;
    case CT_PARTICLE_OP_MOVE:
        move(c, step);
        return;
    case CT_PARTICLE_OP_ORBIT:
        orbit(c, step);
        return;
    case CT_PARTICLE_OP_LIMIT_SPEED:
        limit_speed(c, step);
        return;
    case CT_PARTICLE_OP_COLLIDE_PLANE:
        ct_particle_collide_plane(c, step);
        return;
    case CT_PARTICLE_OP_COLLIDE_PHYSICS:
        ct_particle_collide_physics(c, step);
        return;
    case CT_PARTICLE_OP_KILL_BOX:
    case CT_PARTICLE_OP_KILL_SPHERE:
    case CT_PARTICLE_OP_KILL_PLANE:
        kill_by_volume(c, step);
        return;
    case CT_PARTICLE_OP_CURVE:
        follow_curve(c, step);
        return;
    case CT_PARTICLE_OP_ADD:
        add_over_time(c, step);
        return;
    case CT_PARTICLE_OP_TRAIL:
        remember_positions(c, step);
        return;
    default:
        return; // validation refuses others
    }
}

// The drag of the MOVE step, which winds before it need.
static float drag_of(const ct_particle_chunk *c, const ct_particle_step *steps, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i)
        if (steps[i].op == CT_PARTICLE_OP_MOVE) {
            const float drag = value_of(c, &steps[i], 0).x;
            return drag > 0.0f ? drag : 0.0f;
        }
    return 0.0f;
}

void ct_particle_prepare_steps(ct_particle_chunk *c, float dt) {
    const ct_blob_array *const update = &c->emitter->update;
    c->dt = dt;
    c->drag = drag_of(c, ct_blob_at(c->resource, update->offset), update->count);
    c->motion = c->state->motion;
    if (c->motion.drag != c->drag || c->motion.seconds != dt)
        c->motion = motion_over(c->drag, dt);
}

void ct_particle_follow_size(ct_particle_chunk *c) {
    const ct_particle_emitter *const e = c->emitter;
    const ct_particle_step *const steps = ct_blob_at(c->resource, e->update.offset);
    for (uint32_t i = 0; i < e->update.count; ++i)
        if (steps[i].op == CT_PARTICLE_OP_CURVE &&
            steps[i].channel == e->channels[CT_PARTICLE_SIZE])
            follow_curve(c, &steps[i]);
}

void ct_particle_run_steps(ct_particle_chunk *c, const ct_blob_array *steps) {
    const ct_particle_step *const first = ct_blob_at(c->resource, steps->offset);
    c->acceleration = ct_vec3_make(0.0f, 0.0f, 0.0f);
    c->has_forces = false;
    for (uint32_t i = 0; i < steps->count; ++i)
        run_step(c, &first[i]);
}
