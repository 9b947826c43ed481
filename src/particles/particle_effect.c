// An effect that plays: its block of memory, its start, and how it follows a blob that was saved.
#include <math.h>
#include <string.h>

#include "foundation/log.h"
#include "foundation/math/math.h"
#include "particles/particle_gpu.h"
#include "particles/particle_private.h"
#include "particles/particle_system_private.h"

enum { CACHE_LINE = 64 };

// --- The block -----------------------------------------------------------------------------------

// Hands out parts of a block; with `base` NULL it only counts.
typedef struct block_writer {
    char *base;
    uint64_t bytes;
} block_writer;

static void *take(block_writer *b, uint64_t bytes, uint64_t align) {
    b->bytes = ct_round_up(b->bytes, align);
    void *const at = b->base ? b->base + b->bytes : NULL;
    b->bytes += bytes;
    return at;
}

static bool is_target(const ct_particle_emitter *e) {
    return e->flags & CT_PARTICLE_EMITTER_TARGET;
}

// The parts of one emitter but its channels.
static void take_lists(block_writer *b, const ct_particle_emitter *e,
                       ct_particle_emitter_state *s) {
    const uint64_t capacity = s->capacity;
    s->requests = NULL, s->objects = NULL, s->free_objects = NULL, s->lights = NULL;
    if (is_target(e))
        s->requests = take(b, sizeof(*s->requests) * capacity, 16);
    if (e->look.renderer == CT_PARTICLE_RENDERER_MESH) {
        s->objects = take(b, sizeof(*s->objects) * capacity, 16);
        s->free_objects = take(b, sizeof(*s->free_objects) * capacity, 16);
    }
    if (e->look.renderer == CT_PARTICLE_RENDERER_LIGHT)
        s->lights = take(b, sizeof(*s->lights) * e->look.max_lights, 16);
}

// Lays out a block for emitters with these capacities; those with bits in `on_gpu` have no channels.
// `states` are filled; with `base` NULL for their sizes only.
static ct_particle_effect *lay_out(block_writer *b, const ct_particles_resource *resource,
                                   const uint32_t *capacities, uint32_t on_gpu) {
    const uint32_t num_emitters = resource->emitters.count;
    ct_particle_effect *const fx = take(b, sizeof(*fx), CACHE_LINE);
    ct_particle_emitter_state *const states = take(b, sizeof(*states) * num_emitters, 16);
    ct_vec4 *const variables = take(b, sizeof(*variables) * resource->variables.count, 16);
    if (fx) {
        memset(fx, 0, sizeof(*fx));
        memset(states, 0, sizeof(*states) * num_emitters);
        fx->emitters = states;
        fx->variables = variables;
    }
    for (uint32_t i = 0; i < num_emitters; ++i) {
        const ct_particle_emitter *const e = ct_particle_emitter_at(resource, i);
        ct_particle_emitter_state counted = {.capacity = capacities[i]};
        ct_particle_emitter_state *const s = states ? &states[i] : &counted;
        s->capacity = capacities[i];
        take_lists(b, e, s);
        const bool is_on_gpu = on_gpu >> i & 1;
        const uint64_t room = is_on_gpu ? 0 : s->capacity;
        if (is_on_gpu)
            s->gpu = take(b, sizeof(*s->gpu), 16);
        s->channels = take(b, sizeof(float) * e->num_channels * room, CACHE_LINE);
    }
    return fx;
}

// --- Life cycle ----------------------------------------------------------------------------------

static void reset_objects(ct_particle_emitter_state *s, uint32_t num_used) {
    if (!s->objects)
        return;
    memset(s->objects, 0, sizeof(*s->objects) * s->capacity);
    s->num_free_objects = s->capacity - num_used;
    for (uint32_t i = 0; i < s->num_free_objects; ++i)
        s->free_objects[i] = s->capacity - i; // the lowest is taken first
}

static void start_emitter(const ct_particle_effect *fx, ct_particle_emitter_state *s,
                          uint32_t index) {
    const ct_particle_emitter *const e = ct_particle_emitter_at(fx->resource, index);
    s->count = s->num_born = s->num_requests = s->num_lights = 0;
    s->time = -(double)e->delay;
    s->owed = s->owed_by_way = 0.0;
    s->is_done = fx->is_stopped;
    s->is_updated = false;
    reset_objects(s, 0);
}

// What the budget leaves of the capacity that an emitter asks for.
static uint32_t granted(ct_particle_world *w, const ct_particles_resource *resource,
                        uint32_t emitter, uint32_t reserved) {
    const ct_particle_emitter *const e = ct_particle_emitter_at(resource, emitter);
    const uint32_t budget = w->system->budget, room = budget > reserved ? budget - reserved : 0;
    if (e->capacity <= room)
        return e->capacity;
    if (!w->is_over_budget)
        ct_log_warning("particles", "particle_budget",
                       "the world has room for %u particles, and effects ask for more: some make "
                       "fewer, \"%s\" first (set `particles.budget` in the settings, or lower "
                       "max_particles)",
                       budget, (const char *)ct_blob_at(resource, e->name_text.offset));
    w->is_over_budget = true;
    return room / CT_PARTICLES_LANES * CT_PARTICLES_LANES;
}

ct_particle_effect *ct_particle_effect_create(ct_particle_world *w,
                                              const ct_particles_resource *resource) {
    uint32_t capacities[CT_PARTICLES_MAX_EMITTERS], on_gpu = 0;
    for (uint32_t i = 0; i < resource->emitters.count; ++i) {
        capacities[i] = granted(w, resource, i, w->num_reserved);
        w->num_reserved += capacities[i];
        if (ct_particle_gpu_takes(w, ct_particle_emitter_at(resource, i)))
            on_gpu |= 1u << i;
    }
    block_writer counter = {NULL, 0};
    lay_out(&counter, resource, capacities, on_gpu);
    block_writer b = {ct_particle_blocks_take(w->system, counter.bytes), 0};
    ct_particle_effect *const fx = lay_out(&b, resource, capacities, on_gpu);
    fx->block_bytes = counter.bytes;
    fx->resource = resource;
    fx->num_emitters = resource->emitters.count;
    fx->num_variables = resource->variables.count;
    const ct_particle_variable *const variables = ct_blob_at(resource, resource->variables.offset);
    for (uint32_t i = 0; i < fx->num_variables; ++i)
        memcpy(fx->variables[i].raw, variables[i].value, sizeof(variables[i].value));
    for (uint32_t i = 0; i < fx->num_emitters; ++i)
        start_emitter(fx, &fx->emitters[i], i);
    ct_particle_gpu_start(w, fx);
    return fx;
}

void ct_particle_effect_prepare(ct_particle_system *s, const ct_particles_resource *resource) {
    uint32_t capacities[CT_PARTICLES_MAX_EMITTERS];
    for (uint32_t i = 0; i < resource->emitters.count; ++i)
        capacities[i] = ct_particle_emitter_at(resource, i)->capacity;
    block_writer counter = {NULL, 0};
    lay_out(&counter, resource, capacities, 0);
    ct_particle_blocks_give(s, ct_particle_blocks_take(s, counter.bytes), counter.bytes);
}

void ct_particle_effect_free(ct_particle_world *w, ct_particle_effect *fx) {
    ct_particle_effect_hide(w, fx);
    ct_particle_gpu_stop(w, fx);
    for (uint32_t i = 0; i < fx->num_emitters; ++i)
        w->num_reserved -= fx->emitters[i].capacity;
    ct_particle_blocks_give(w->system, fx->nodes, fx->node_bytes);
    ct_particle_blocks_give(w->system, fx, fx->block_bytes);
}

void ct_particle_effect_restart(ct_particle_world *w, ct_particle_effect *fx) {
    ct_particle_effect_hide(w, fx);
    ct_particle_gpu_stop(w, fx);
    fx->time = 0.0;
    fx->before = fx->now;
    for (uint32_t i = 0; i < fx->num_emitters; ++i)
        start_emitter(fx, &fx->emitters[i], i);
    ct_particle_gpu_start(w, fx);
}

// When the emitter makes its last particle by itself.
static double last_birth(const ct_particle_effect *fx, const ct_particle_emitter *e) {
    if (fx->is_stopped)
        return 0.0;
    if (e->flags & CT_PARTICLE_EMITTER_LOOPS && e->period < INFINITY)
        return INFINITY;
    if (e->period < INFINITY || !ct_particle_is_zero(fx, e, e->rate) ||
        !ct_particle_is_zero(fx, e, e->per_metre))
        return (double)e->delay + (double)e->period;
    double last = 0.0;
    const ct_particle_burst *const bursts = ct_blob_at(fx->resource, e->bursts.offset);
    for (uint32_t i = 0; i < e->bursts.count; ++i)
        last = fmax(last, bursts[i].time + (double)(bursts[i].repeats - 1) * bursts[i].interval);
    return (double)e->delay + last;
}

double ct_particle_effect_seconds(const ct_particle_effect *fx) {
    double last = 0.0, lives = 0.0; // particles may make particles at their end
    for (uint32_t i = 0; i < fx->num_emitters; ++i) {
        const ct_particle_emitter *const e = ct_particle_emitter_at(fx->resource, i);
        last = fmax(last, last_birth(fx, e));
        lives += ct_particle_longest_life(fx, e);
    }
    return last + lives;
}

void ct_particle_effect_set_place(ct_particle_effect *fx, const ct_particle_place *place) {
    fx->now = *place;
    fx->pose = ct_mat4_compose(place->position, place->rotation, place->scale);
}

// --- Following a new blob ------------------------------------------------------------------------

// Copies what an emitter was doing, with its particles, which have the same channels.
static void keep_emitter(const ct_particle_emitter *e, ct_particle_emitter_state *s,
                         const ct_particle_emitter_state *old) {
    const uint32_t count = old->count < s->capacity ? old->count : s->capacity;
    for (uint32_t i = 0; i < e->num_channels; ++i)
        memcpy(s->channels + (size_t)i * s->capacity, old->channels + (size_t)i * old->capacity,
               sizeof(float) * count);
    s->count = count;
    s->num_born = old->num_born;
    s->time = old->time;
    s->owed = old->owed;
    s->owed_by_way = old->owed_by_way;
    s->is_done = false; // there may be more to do now
    reset_objects(s, count);
    uint32_t *const objects = (uint32_t *)ct_particle_channel(e, s, CT_PARTICLE_OBJECT);
    for (uint32_t i = 0; s->objects && i < count; ++i)
        objects[i] = i + 1;
}

// Whether particles of one emitter can go on in the other.
static bool is_alike(const ct_particle_emitter *a, const ct_particle_emitter *b) {
    const uint32_t form = CT_PARTICLE_EMITTER_LOCAL | CT_PARTICLE_EMITTER_ORDERED;
    return a->name.value == b->name.value && a->num_channels == b->num_channels &&
           (a->flags & form) == (b->flags & form) &&
           memcmp(a->channels, b->channels, sizeof(a->channels)) == 0;
}

static void keep_variables(ct_particle_effect *fx, const ct_particle_effect *old) {
    const ct_particle_variable *const now =
        ct_blob_at(fx->resource, fx->resource->variables.offset);
    const ct_particle_variable *const before =
        ct_blob_at(old->resource, old->resource->variables.offset);
    for (uint32_t i = 0; i < fx->num_variables; ++i)
        for (uint32_t k = 0; k < old->num_variables; ++k) {
            // One that nobody set follows its new default.
            const bool is_set =
                memcmp(old->variables[k].raw, before[k].value, sizeof(before[k].value)) != 0;
            if (now[i].name.value == before[k].name.value && is_set)
                fx->variables[i] = old->variables[k];
        }
}

ct_particle_effect *ct_particle_effect_follow(ct_particle_world *w, ct_particle_effect *old,
                                              const ct_particles_resource *resource) {
    ct_particle_effect_hide(w, old);
    ct_particle_gpu_stop(w, old);
    for (uint32_t i = 0; i < old->num_emitters; ++i)
        w->num_reserved -= old->emitters[i].capacity;
    ct_particle_effect *const fx = ct_particle_effect_create(w, resource);
    fx->name = old->name;
    fx->id = old->id;
    fx->seed = old->seed;
    fx->before = old->before;
    fx->time = old->time;
    fx->is_stopped = old->is_stopped;
    fx->is_cold = old->is_cold;
    fx->waited = old->waited;
    fx->nodes = old->nodes;
    fx->node_parents = old->node_parents;
    fx->num_nodes = old->num_nodes;
    fx->node_bytes = old->node_bytes;
    ct_particle_effect_set_place(fx, &old->now);
    keep_variables(fx, old);
    for (uint32_t i = 0; i < fx->num_emitters; ++i) {
        const ct_particle_emitter *const e = ct_particle_emitter_at(resource, i);
        ct_particle_emitter_state *const s = &fx->emitters[i];
        s->is_done = fx->is_stopped;
        for (uint32_t k = 0; k < old->num_emitters; ++k) {
            const ct_particle_emitter *const was = ct_particle_emitter_at(old->resource, k);
            if (!s->gpu && !old->emitters[k].gpu && is_alike(was, e)) {
                keep_emitter(e, s, &old->emitters[k]);
                s->is_done = fx->is_stopped;
            }
        }
    }
    ct_particle_blocks_give(w->system, old, old->block_bytes);
    return fx;
}
