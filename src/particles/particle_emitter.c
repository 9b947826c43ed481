// One emitter through one step of time: update, deaths, births.
#include <math.h>
#include <string.h>

#include "foundation/math/math.h"
#include "particles/particle_gpu.h"
#include "particles/particle_private.h"

// --- Update --------------------------------------------------------------------------------------

float ct_particle_emitter_clock(const ct_particle_emitter *e, double time) {
    if (!(time > 0.0) || !(e->period < INFINITY))
        return 0.0f;
    if (!(e->flags & CT_PARTICLE_EMITTER_LOOPS))
        return time < e->period ? (float)(time / e->period) : 1.0f;
    return (float)(fmod(time, e->period) / e->period);
}

static void init_chunk(ct_particle_chunk *c, const ct_particle_world *w, ct_particle_effect *fx,
                       uint32_t index) {
    c->world = w;
    c->resource = fx->resource;
    c->effect = fx;
    c->emitter = ct_particle_emitter_at(fx->resource, index);
    c->state = &fx->emitters[index];
    c->seconds = NULL;
    c->gpu = NULL;
    c->has_died = false;
    c->clock = ct_particle_emitter_clock(c->emitter, c->state->time);
}

static bool update_range(ct_particle_chunk *c, uint32_t begin, uint32_t end) {
    while (begin < end) {
        c->begin = begin;
        c->count = end - begin < CT_PARTICLE_CHUNK ? end - begin : CT_PARTICLE_CHUNK;
        ct_particle_run_steps(c, &c->emitter->update);
        begin += c->count;
    }
    return c->has_died;
}

void ct_particle_update_range(const ct_particle_world *w, ct_particle_effect *fx, uint32_t index,
                              double dt, uint32_t begin, uint32_t end) {
    ct_particle_chunk c;
    init_chunk(&c, w, fx, index);
    c.clock = ct_particle_emitter_clock(c.emitter, c.state->time + dt);
    ct_particle_prepare_steps(&c, (float)dt);
    update_range(&c, begin, end);
}

// --- Events --------------------------------------------------------------------------------------

bool ct_particle_emitter_has_event(const ct_particle_effect *fx, const ct_particle_emitter *e,
                                   ct_particle_event_type type) {
    const ct_particle_event *const events = ct_blob_at(fx->resource, e->events.offset);
    for (uint32_t i = 0; i < e->events.count; ++i)
        if (events[i].type == type)
            return true;
    return false;
}

static ct_vec3 vector_at(const float *x, size_t stride, uint32_t i) {
    return ct_vec3_make(x[i], x[stride + i], x[2 * stride + i]);
}

static void set_vector(float *x, size_t stride, uint32_t i, ct_vec3 v) {
    x[i] = v.x, x[stride + i] = v.y, x[2 * stride + i] = v.z;
}

// The position and velocity of a particle in the world.
static void place_in_world(const ct_particle_effect *fx, const ct_particle_emitter *e,
                           const ct_particle_emitter_state *s, uint32_t i, ct_vec3 *position,
                           ct_vec3 *velocity) {
    const float *const v = ct_particle_channel(e, s, CT_PARTICLE_VELOCITY);
    *position = vector_at(ct_particle_channel(e, s, CT_PARTICLE_POSITION), s->capacity, i);
    *velocity = v ? vector_at(v, s->capacity, i) : ct_vec3_make(0.0f, 0.0f, 0.0f);
    if (!(e->flags & CT_PARTICLE_EMITTER_LOCAL))
        return;
    *position = ct_mat4_transform_point(fx->pose, *position);
    *velocity = ct_quat_rotate(fx->now.rotation, ct_vec3_mul(*velocity, fx->now.scale));
}

void ct_particle_push_events(const ct_particle_effect *fx, const ct_particle_emitter *e,
                             const ct_particle_emitter_state *s, uint32_t i,
                             ct_particle_event_type type, float seconds) {
    const ct_particle_event *const events = ct_blob_at(fx->resource, e->events.offset);
    const uint32_t *const seeds = (const uint32_t *)ct_particle_channel(e, s, CT_PARTICLE_SEED);
    uint32_t seed = seeds[i];
    if (type == CT_PARTICLE_EVENT_COLLISION) { // it may have many: each with other numbers
        const float age = ct_particle_channel(e, s, CT_PARTICLE_AGE)[i];
        seed = ct_particle_hash(seed + (uint32_t)(fminf(fmaxf(age, 0.0f), 1.0f) * 16777216.0f));
    }
    for (uint32_t k = 0; k < e->events.count; ++k) {
        const ct_particle_event *const event = &events[k];
        const uint32_t use = CT_PARTICLE_RANDOM_EVENT + k * 2;
        if (event->type != type || ct_particle_random(seed, use) >= event->probability)
            continue;
        ct_particle_emitter_state *const target = &fx->emitters[event->emitter];
        const uint32_t count = ct_particle_random_between(seed, use + 1, event->least, event->most);
        if (!count || target->num_requests == target->capacity)
            continue; // it could not make as many particles anyway
        ct_particle_request *const r = &target->requests[target->num_requests++];
        place_in_world(fx, e, s, i, &r->position, &r->velocity);
        r->velocity = ct_vec3_scale(r->velocity, event->inherit_velocity);
        r->count = count;
        r->seconds = seconds;
    }
}

// --- Deaths --------------------------------------------------------------------------------------

static void copy_particle(const ct_particle_emitter *e, const ct_particle_emitter_state *s,
                          uint32_t to, uint32_t from) {
    float *channel = s->channels;
    for (uint32_t i = 0; i < e->num_channels; ++i, channel += s->capacity)
        channel[to] = channel[from];
}

static void end_particle(const ct_particle_effect *fx, const ct_particle_emitter *e,
                         ct_particle_emitter_state *s, uint32_t i, bool has_events, float dt) {
    if (has_events) {
        const float age = ct_particle_channel(e, s, CT_PARTICLE_AGE)[i];
        const float ageing = ct_particle_channel(e, s, CT_PARTICLE_AGEING)[i];
        ct_particle_push_events(fx, e, s, i, CT_PARTICLE_EVENT_DEATH,
                                fminf((age - 1.0f) / ageing, dt));
    }
    if (s->objects)
        s->free_objects[s->num_free_objects++] =
            ((const uint32_t *)ct_particle_channel(e, s, CT_PARTICLE_OBJECT))[i];
}

// Removes the dead from `begin` on.
static void remove_dead(const ct_particle_effect *fx, const ct_particle_emitter *e,
                        ct_particle_emitter_state *s, uint32_t begin, float dt) {
    const float *const age = ct_particle_channel(e, s, CT_PARTICLE_AGE);
    const bool has_events = ct_particle_emitter_has_event(fx, e, CT_PARTICLE_EVENT_DEATH);
    const bool is_ordered = e->flags & CT_PARTICLE_EMITTER_ORDERED;
    uint32_t num_kept = begin;
    for (uint32_t i = begin; i < s->count;) {
        if (age[i] < 1.0f) {
            if (is_ordered && num_kept != i)
                copy_particle(e, s, num_kept, i);
            ++num_kept, ++i;
            continue;
        }
        end_particle(fx, e, s, i, has_events, dt);
        if (is_ordered)
            ++i;
        else if (--s->count != i)
            copy_particle(e, s, i, s->count);
    }
    s->count = num_kept;
}

// --- Births --------------------------------------------------------------------------------------

// Births in a row: birth i happened `age` - i * `interval` seconds ago.
typedef struct birth_run {
    const ct_particle_request *request; // NULL: of the emitter itself
    uint64_t count;
    double age, interval;
} birth_run;

// What one birth starts from.
typedef struct birth {
    uint32_t seed;
    float share; // of the step of time that had passed: where the effect was
} birth;

static void place_birth(const ct_particle_chunk *c, const birth_run *run, const birth *b,
                        uint32_t i) {
    const ct_particle_effect *const fx = c->effect;
    const ct_particle_emitter *const e = c->emitter;
    const size_t stride = c->state->capacity;
    const ct_particle_origin o = ct_particle_shape_origin(fx, e, b->seed);
    const ct_vec4 speed =
        ct_particle_birth_value(fx, e, e->speed, c->clock, b->seed, CT_PARTICLE_RANDOM_SPEED);
    const ct_vec4 more =
        ct_particle_birth_value(fx, e, e->velocity, c->clock, b->seed, CT_PARTICLE_RANDOM_VELOCITY);
    ct_vec3 position = o.position, direction = ct_vec3_scale(o.direction, speed.x);
    ct_vec3 velocity = ct_vec3_make(more.x, more.y, more.z);
    if (!o.is_in_world)
        velocity = ct_vec3_add(velocity, direction), direction = ct_vec3_make(0, 0, 0);
    // To the world.
    const ct_particle_place *const now = &fx->now;
    const ct_vec3 center = run->request
                               ? run->request->position
                               : ct_vec3_lerp(fx->before.position, now->position, b->share);
    if (!o.is_in_world)
        position =
            ct_vec3_add(center, ct_quat_rotate(now->rotation, ct_vec3_mul(position, now->scale)));
    velocity = ct_quat_rotate(now->rotation, ct_vec3_mul(velocity, now->scale));
    velocity = ct_vec3_add(velocity, direction);
    velocity =
        ct_vec3_add(velocity, run->request ? run->request->velocity
                                           : ct_vec3_scale(fx->velocity, e->inherit_velocity));
    if (e->flags & CT_PARTICLE_EMITTER_LOCAL) {
        const bool moves_along = !run->request && !o.is_in_world;
        position =
            moves_along ? o.position : ct_mat4_transform_point(ct_mat4_inverse(fx->pose), position);
        velocity = ct_quat_rotate(ct_quat_conjugate(now->rotation), velocity);
        for (uint32_t axis = 0; axis < 3; ++axis)
            if (now->scale.raw[axis] != 0.0f)
                velocity.raw[axis] /= now->scale.raw[axis];
    }
    set_vector(ct_particle_channel(e, c->state, CT_PARTICLE_POSITION), stride, i, position);
    float *const v = ct_particle_channel(e, c->state, CT_PARTICLE_VELOCITY);
    if (v)
        set_vector(v, stride, i, velocity);
}

// Zeroes the particle at `i`: its state must not depend on what was in its memory.
static void clear_particle(const ct_particle_emitter *e, const ct_particle_emitter_state *s,
                           uint32_t i) {
    float *channel = s->channels;
    for (uint32_t k = 0; k < e->num_channels; ++k, channel += s->capacity)
        channel[i] = 0.0f;
}

// Sets what all emitters' particles have, of the particle at `i`.
static void start_particle(ct_particle_chunk *c, const birth_run *run, const birth *b, uint32_t i) {
    const ct_particle_emitter *const e = c->emitter;
    ct_particle_emitter_state *const s = c->state;
    const float lifetime = ct_particle_birth_value(c->effect, e, e->lifetime, c->clock, b->seed,
                                                   CT_PARTICLE_RANDOM_LIFETIME)
                               .x;
    clear_particle(e, s, i);
    ct_particle_channel(e, s, CT_PARTICLE_AGEING)[i] = 1.0f / fmaxf(lifetime, 1e-6f);
    ((uint32_t *)ct_particle_channel(e, s, CT_PARTICLE_SEED))[i] = b->seed;
    uint32_t *const orders = (uint32_t *)ct_particle_channel(e, s, CT_PARTICLE_ORDER);
    if (orders)
        orders[i] = s->num_born;
    if (s->objects)
        ((uint32_t *)ct_particle_channel(e, s, CT_PARTICLE_OBJECT))[i] =
            s->free_objects[--s->num_free_objects];
    place_birth(c, run, b, i);
}

// Makes particles `first` to `first` + `count` of a run: at most CHUNK - 3.
static void bear_chunk(ct_particle_chunk *c, const birth_run *run, uint32_t index, uint64_t first,
                       uint32_t count, float dt) {
    _Alignas(16) float seconds[CT_PARTICLE_CHUNK];
    const ct_particle_emitter *const e = c->emitter;
    ct_particle_emitter_state *const s = c->state;
    const uint32_t begin = s->count, padding = begin % 4; // particles that are there already
    memset(seconds, 0, sizeof(seconds));
    for (uint32_t i = 0; i < count; ++i) {
        const double age = run->age - (double)(first + i) * run->interval;
        seconds[padding + i] = (float)fmax(age, 0.0);
        const float share = dt > 0.0f ? 1.0f - fminf(seconds[padding + i] / dt, 1.0f) : 1.0f;
        const birth b = {ct_particle_seed(c->effect->seed, index, s->num_born), share};
        start_particle(c, run, &b, begin + i);
        ++s->num_born;
    }
    s->count += count;
    c->seconds = NULL;
    c->begin = begin;
    c->count = count;
    ct_particle_run_steps(c, &e->init);
    if (ct_particle_emitter_has_event(c->effect, e, CT_PARTICLE_EVENT_BIRTH))
        for (uint32_t i = 0; i < count; ++i)
            ct_particle_push_events(c->effect, e, s, begin + i, CT_PARTICLE_EVENT_BIRTH,
                                    seconds[padding + i]);
    c->begin = begin - padding;
    c->count = count + padding;
    ct_particle_follow_size(c);
    c->seconds = seconds;
    c->has_died = false;
    ct_particle_run_steps(c, &e->update);
    if (c->has_died)
        remove_dead(c->effect, e, s, begin, dt);
}

// Makes the particles of a run. What was born so long ago that it is dead, or finds no room, is
// counted and left out; as is what is more than all room, of particles that die as they are born.
static void bear(ct_particle_chunk *c, const birth_run *run, uint32_t index, float dt) {
    ct_particle_emitter_state *const s = c->state;
    const double life = ct_particle_longest_life(c->effect, c->emitter);
    uint64_t i = 0;
    if (run->interval > 0.0 && run->age > life) {
        const double num_old = floor((run->age - life) / run->interval);
        i = num_old < (double)run->count ? (uint64_t)num_old : run->count;
        s->num_born += (uint32_t)i;
    }
    if (c->gpu) {
        ct_particle_gpu_bear(c->gpu, s->num_born, run->count - i,
                             run->age - (double)i * run->interval, run->interval);
        s->num_born += (uint32_t)(run->count - i);
        return;
    }
    const uint64_t end = run->count - i < s->capacity ? run->count : i + s->capacity;
    while (i < end && s->count < s->capacity) {
        uint64_t count = end - i;
        const uint32_t most = CT_PARTICLE_CHUNK - 3, room = s->capacity - s->count;
        count = count < most ? count : most;
        count = count < room ? count : room;
        bear_chunk(c, run, index, i, (uint32_t)count, dt);
        i += count;
    }
    s->num_born += (uint32_t)(run->count - i);
}

// The births by rate from the start of the first period to `time`.
static double births_until(const ct_particle_effect *fx, const ct_particle_emitter *e,
                           double time) {
    const ct_particle_value *const v =
        (const ct_particle_value *)ct_blob_at(fx->resource, e->values.offset) + e->rate;
    const double period = e->period;
    if (!(time > 0.0))
        return 0.0;
    if (!(e->flags & CT_PARTICLE_EMITTER_LOOPS) && time > period)
        time = period;
    if (v->source != CT_PARTICLE_SOURCE_CURVE || !(period < (double)INFINITY))
        return time * v->a[0];
    // Curves are linear between samples: the sums of trapezia are exact.
    const ct_particle_sample *const samples =
        (const ct_particle_sample *)ct_blob_at(fx->resource, e->samples.offset) + v->curves[0];
    const double num_periods = floor(time / period), last = CT_PARTICLES_CURVE_SAMPLES - 1;
    const double place = (time - num_periods * period) / period * last;
    double whole = 0.0, part = 0.0;
    for (uint32_t i = 0; i + 1 < CT_PARTICLES_CURVE_SAMPLES; ++i) {
        const double a = samples[i].value[0], b = samples[i + 1].value[0];
        const double share = fmin(fmax(place - i, 0.0), 1.0);
        whole += (a + b) * 0.5;
        part += share * (a + (b - a) * share * 0.5);
    }
    return (num_periods * whole + part) * period / last;
}

// Makes the whole births of what is owed. `added` was owed over the last `dt` seconds.
static void bear_owed(ct_particle_chunk *c, uint32_t index, double *owed, double added, float dt) {
    if (!(added > 0.0))
        return;
    const double before = *owed, total = fmin(before + added, 1e15);
    const double whole = floor(total + 1e-6); // steps that do not sum up exactly count as if
    *owed = total - whole;
    if (whole <= 0.0)
        return;
    const birth_run run = {
        .count = (uint64_t)whole, .age = dt - (1.0 - before) / added * dt, .interval = dt / added};
    bear(c, &run, index, dt);
}

// The multiplier of births that a variable is.
static double variable_of(const ct_particle_effect *fx, const ct_particle_emitter *e,
                          uint32_t value) {
    const ct_particle_value *const v =
        (const ct_particle_value *)ct_blob_at(fx->resource, e->values.offset) + value;
    return v->variable && v->variable <= fx->num_variables ? fx->variables[v->variable - 1].x : 1.0;
}

static void bear_by_rate(ct_particle_chunk *c, uint32_t index, double from, double to, float dt) {
    const ct_particle_effect *const fx = c->effect;
    const ct_particle_emitter *const e = c->emitter;
    if (ct_particle_is_zero(fx, e, e->rate))
        return;
    const double births = births_until(fx, e, to) - births_until(fx, e, from);
    bear_owed(c, index, &c->state->owed, births * variable_of(fx, e, e->rate), dt);
}

static void bear_by_way(ct_particle_chunk *c, uint32_t index, float dt) {
    const ct_particle_effect *const fx = c->effect;
    if (ct_particle_is_zero(fx, c->emitter, c->emitter->per_metre))
        return;
    const double per_metre =
        ct_particle_emitter_value(fx, c->emitter, c->emitter->per_metre, c->clock).x;
    const ct_vec3 way = ct_vec3_sub(fx->now.position, fx->before.position);
    bear_owed(c, index, &c->state->owed_by_way, ct_vec3_length(way) * per_metre, dt);
}

// The times of a burst in a period that begins at `begin`: from the first after `from` to the last
// that is not after `to`. Returns false when there is no such time.
static bool find_repeats(const ct_particle_burst *b, double begin, double from, double to,
                         uint32_t *first, uint32_t *last) {
    const double start = begin + b->time, interval = b->interval;
    const double most = b->repeats - 1;
    if (!(interval > 0.0)) { // all at once
        *first = 0, *last = b->repeats - 1;
        return start > from && start <= to;
    }
    const double low = fmax(floor((from - start) / interval) - 1.0, 0.0);
    const double high = fmin(floor((to - start) / interval) + 1.0, most);
    if (!(low <= high))
        return false;
    *first = (uint32_t)low, *last = (uint32_t)high;
    return true;
}

// Makes a burst's particles of one period, those of (`from`, `to`].
static void bear_period(ct_particle_chunk *c, uint32_t index, uint32_t number, double period_number,
                        double from, double to, float dt) {
    const ct_particle_emitter *const e = c->emitter;
    const ct_particle_burst *const b =
        (const ct_particle_burst *)ct_blob_at(c->resource, e->bursts.offset) + number;
    const double begin = period_number > 0.0 ? period_number * (double)e->period : 0.0;
    uint32_t first, last;
    if (!find_repeats(b, begin, from, to, &first, &last))
        return;
    for (uint32_t i = first; i <= last; ++i) {
        const double time = begin + b->time + (double)i * b->interval;
        if (time <= from || time > to || time >= begin + (double)e->period)
            continue;
        const uint32_t seed =
            ct_particle_seed(c->effect->seed, ~index,
                             (uint32_t)(int64_t)period_number * 65536u + number * 4096u + i);
        const birth_run run = {.count = ct_particle_random_between(seed, 0, b->least, b->most),
                               .age = to - time};
        bear(c, &run, index, dt);
    }
}

// Makes the particles of a burst in (`from`, `to`], period by period. What is dead by now, or from
// more than MOST_PERIODS periods ago, is left out.
static void bear_burst(ct_particle_chunk *c, uint32_t index, uint32_t number, double from,
                       double to, float dt) {
    enum { MOST_PERIODS = 4096 };
    const ct_particle_emitter *const e = c->emitter;
    if (!(e->flags & CT_PARTICLE_EMITTER_LOOPS) || !(e->period < INFINITY)) {
        bear_period(c, index, number, 0.0, from, to, dt);
        return;
    }
    const double period = e->period, life = ct_particle_longest_life(c->effect, e);
    const double least = fmax(from, to - fmin(life, MOST_PERIODS * period));
    for (double p = least > 0.0 ? floor(least / period) : 0.0; p * period <= to; ++p)
        bear_period(c, index, number, p, least, to, dt);
}

static void bear_requests(ct_particle_chunk *c, uint32_t index, float dt) {
    ct_particle_emitter_state *const s = c->state;
    for (uint32_t i = 0; i < s->num_requests; ++i) {
        const birth_run run = {.request = &s->requests[i],
                               .count = s->requests[i].count,
                               .age = s->requests[i].seconds};
        bear(c, &run, index, dt);
    }
    s->num_requests = 0;
}

// Whether the emitter may still make particles by itself after `time`.
static bool makes_more(const ct_particle_effect *fx, const ct_particle_emitter *e, double time) {
    if (e->flags & CT_PARTICLE_EMITTER_LOOPS && e->period < INFINITY)
        return true;
    if (time >= (double)e->period)
        return false;
    if (!ct_particle_is_zero(fx, e, e->rate) || !ct_particle_is_zero(fx, e, e->per_metre))
        return true;
    const ct_particle_burst *const bursts = ct_blob_at(fx->resource, e->bursts.offset);
    for (uint32_t i = 0; i < e->bursts.count; ++i)
        if (time < bursts[i].time + (double)(bursts[i].repeats - 1) * bursts[i].interval)
            return true;
    return false;
}

// --- The step ------------------------------------------------------------------------------------

void ct_particle_step_emitter(const ct_particle_world *w, ct_particle_effect *fx, uint32_t index,
                              double seconds) {
    ct_particle_chunk c;
    ct_particle_gpu_step gpu;
    ct_particle_emitter_state *const s = &fx->emitters[index];
    const double from = s->time, to = from + seconds;
    const float dt = (float)seconds;
    s->time = to;
    init_chunk(&c, w, fx, index);
    ct_particle_prepare_steps(&c, dt);
    s->motion = c.motion;
    if (s->gpu) {
        ct_particle_gpu_begin(&gpu, &c);
        c.gpu = &gpu;
    } else if (s->is_updated || update_range(&c, 0, s->count)) {
        remove_dead(fx, c.emitter, s, 0, dt);
    }
    s->is_updated = false;
    if (!s->is_done && to >= 0.0) {
        bear_by_rate(&c, index, from, to, dt);
        bear_by_way(&c, index, dt);
        for (uint32_t i = 0; i < c.emitter->bursts.count; ++i)
            bear_burst(&c, index, i, from == -(double)c.emitter->delay ? from - 1e-9 : from, to,
                       dt);
        s->is_done = !makes_more(fx, c.emitter, to);
    }
    bear_requests(&c, index, dt);
    if (c.gpu)
        ct_particle_gpu_end(c.gpu);
}
