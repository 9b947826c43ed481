// bench_particles.c: particles on one thread: their simulation, and what is sent of them.
//
// `particles_simulate`: a step of 100,000 billboards with gravity, drag, a size curve (times the size
// at birth) and a colour curve, all at other ages. The peer is the same as one loop of SIMD written
// by hand, over arrays of the same kind and the same tables of samples. Time for each particle.
//
// `particles_vertices`: the instances of these, written into the renderer's stream, with their
// sphere. The first peer is a loop that writes finished instances of 48 bytes there, from an array;
// the second one writes 48 bytes without reading any. Time for each particle.
//
// `particles_small`: a step of 1,000 effects of 10 such particles, beside the 100,000. Time for each
// particle.
#include <math.h>

#include "bench.h"
#include "foundation/math/math_lanes.h"
#include "foundation/math/random.h"
#include "particles/particle_fixture.h"
#include "particles/particle_private.h"
#include "render/render_particles.h"

enum {
    NUM_PARTICLES = 100000,
    NUM_EFFECTS = 1000,
    NUM_SMALL = 10, // particles of a small effect
    NUM_STEPS = 5,  // of a run, whose time is that of the fastest: other work only adds to it
    NUM_SAMPLES = CT_PARTICLES_CURVE_SAMPLES,
};

static const float dt = 1.0f / 60, gravity = -9.81f, drag = 0.5f;

static struct {
    ct_renderer *renderer;
    ct_render_world_id render_world;
    ct_particle_system *system;
    ct_particle_world *large, *small;
    ct_particles_resource *large_effect, *small_effect;
} b;

// The peer's particles: arrays in one block, as a program for just these would have them.
static struct {
    float *block;
    float *x[3], *v[3], *age, *ageing, *size[2], *birth_size[2], *color[4];
    const ct_column *size_samples, *color_samples;
    ct_particle_instance *instances;
    uint32_t num_dead;
} peer;

// --- Effects -------------------------------------------------------------------------------------

// An effect whose particles all are born at once, and live for a day.
static ct_particles_resource *make_effect(uint32_t count, uint32_t capacity) {
    static const float small[4] = {0.2f, 0.2f, 0, 0}, large[4] = {1, 1, 0, 0};
    static const float bright[4] = {1, 0.8f, 0.5f, 1}, dark[4] = {0.3f, 0.2f, 0.2f, 0};
    particle_fixture *const f = particle_fixture_begin();
    const uint32_t e = particle_fixture_emitter(f, "cloud", capacity);
    ct_particle_emitter *const x = particle_fixture_at(f, e);
    x->max_lifetime = 86400;
    x->lifetime = particle_fixture_value(f, e, particle_fixture_number(86400));
    x->speed = particle_fixture_value(f, e, particle_fixture_range(1, 5, 1));
    particle_fixture_burst(f, e, 0, count);
    particle_fixture_channel(f, e, CT_PARTICLE_VELOCITY);
    particle_fixture_set(f, e, CT_PARTICLE_BIRTH_SIZE, particle_fixture_range(0.1f, 0.3f, 2));
    particle_fixture_set(f, e, CT_PARTICLE_SIZE, particle_fixture_number(1));
    particle_fixture_set(f, e, CT_PARTICLE_COLOR, particle_fixture_number(1));
    const ct_particle_value down = particle_fixture_vector(0, 0, gravity, 0);
    particle_fixture_step(f, e, &(ct_particle_step){.op = CT_PARTICLE_OP_ACCELERATE}, 1, &down);
    const ct_particle_value move[2] = {particle_fixture_number(drag), particle_fixture_number(0)};
    particle_fixture_step(f, e, &(ct_particle_step){.op = CT_PARTICLE_OP_MOVE}, 2, move);
    particle_fixture_curve(f, e, CT_PARTICLE_SIZE, CT_PARTICLE_BIRTH_SIZE, 2,
                           particle_fixture_line(f, e, small, large, CT_PARTICLE_CLOCK_LIFE));
    particle_fixture_curve(f, e, CT_PARTICLE_COLOR, CT_PARTICLE_SEMANTIC_COUNT, 4,
                           particle_fixture_line(f, e, bright, dark, CT_PARTICLE_CLOCK_LIFE));
    return particle_fixture_end(f);
}

// Starts `count` effects in a world of their own. All particles get other ages, as after a while.
static ct_particle_world *make_world(const char *effect, uint32_t count) {
    ct_particle_world *const w = ct_particle_world_create(
        &(ct_particle_world_desc){ct_bench_heap(), b.system, b.render_world, NULL});
    const ct_particle_place place = {.rotation = ct_quat_identity(),
                                     .scale = ct_vec3_make(1, 1, 1)};
    for (uint32_t i = 0; i < count; ++i)
        ct_particles_create(w, ct_string_id64_of(effect), &place, i + 1);
    ct_particles_update(w, (double)dt);
    ct_random random = ct_random_seeded(7, 0);
    for (uint32_t i = 0; i < count; ++i) {
        const ct_particle_effect *const fx = w->effects.items[i];
        const ct_particle_emitter_state *const s = &fx->emitters[0];
        float *const age =
            ct_particle_channel(ct_particle_emitter_at(fx->resource, 0), s, CT_PARTICLE_AGE);
        for (uint32_t k = 0; k < s->count; ++k)
            age[k] = 0.9f * ct_random_float(&random);
    }
    return w;
}

// --- The peer ------------------------------------------------------------------------------------

static float *take(float **block) {
    float *const array = *block;
    *block += NUM_PARTICLES;
    return array;
}

// Copies the particles of the large effect.
static void start_peer(void) {
    const ct_particle_effect *const fx = b.large->effects.items[0];
    const ct_particle_emitter *const e = ct_particle_emitter_at(fx->resource, 0);
    const ct_particle_emitter_state *const s = &fx->emitters[0];
    const ct_column *const samples = ct_blob_at(fx->resource, e->samples.offset);
    peer.block = ct_alloc_aligned(ct_bench_heap(), sizeof(float) * NUM_PARTICLES * 16, 64);
    float *block = peer.block;
    const struct {
        float **arrays;
        uint32_t semantic, count;
    } copied[] = {{peer.x, CT_PARTICLE_POSITION, 3}, {peer.v, CT_PARTICLE_VELOCITY, 3},
                  {&peer.age, CT_PARTICLE_AGE, 1},   {&peer.ageing, CT_PARTICLE_AGEING, 1},
                  {peer.size, CT_PARTICLE_SIZE, 2},  {peer.birth_size, CT_PARTICLE_BIRTH_SIZE, 2},
                  {peer.color, CT_PARTICLE_COLOR, 4}};
    for (uint32_t i = 0; i < CT_COUNT_OF(copied); ++i)
        for (uint32_t k = 0; k < copied[i].count; ++k) {
            copied[i].arrays[k] = take(&block);
            memcpy(copied[i].arrays[k],
                   ct_particle_channel(e, s, copied[i].semantic) + (size_t)k * s->capacity,
                   sizeof(float) * NUM_PARTICLES);
        }
    peer.instances =
        ct_alloc_aligned(ct_bench_heap(), sizeof(ct_particle_instance) * NUM_PARTICLES, 64);
    memset(peer.instances, 1, sizeof(ct_particle_instance) * NUM_PARTICLES);
    peer.size_samples = samples;
    peer.color_samples = samples + NUM_SAMPLES;
}

// The four components of a curve at a group's places in it.
static inline void sample(const ct_column *samples, ct_column_bits before, ct_column share,
                          ct_column result[4]) {
    for (uint32_t lane = 0; lane < 4; ++lane) {
        const ct_column *const s = samples + before[lane];
        result[lane] = s[0] + (s[1] - s[0]) * share[lane];
    }
    ct_columns_transpose(&result[0], &result[1], &result[2], &result[3]);
}

static inline ct_column *at(float *array, uint32_t i) {
    return (ct_column *)(array + i);
}

static void step_peer(void) {
    const float keep = expf(-drag * dt), go = (1 - keep) / drag, fall = (dt - go) / drag;
    const float v_more = gravity * go, x_more = gravity * fall;
    const ct_column last = ct_column_all(NUM_SAMPLES - 1);
    ct_column oldest = {0};
    for (uint32_t i = 0; i < NUM_PARTICLES; i += 4) {
        const ct_column age = *at(peer.age, i) += *at(peer.ageing, i) * dt;
        oldest = ct_column_max(age, oldest);
        for (uint32_t axis = 0; axis < 3; ++axis) {
            const ct_column v = *at(peer.v[axis], i);
            *at(peer.x[axis], i) += v * go + (axis == 2 ? x_more : 0);
            *at(peer.v[axis], i) = v * keep + (axis == 2 ? v_more : 0);
        }
        const ct_column place = ct_column_min(ct_column_max(age * last, ct_column_all(0)), last);
        const ct_column_bits before =
            __builtin_convertvector(ct_column_min(place, last - 1), ct_column_bits);
        const ct_column share = place - __builtin_convertvector(before, ct_column);
        ct_column size[4], color[4];
        sample(peer.size_samples, before, share, size);
        sample(peer.color_samples, before, share, color);
        for (uint32_t k = 0; k < 2; ++k)
            *at(peer.size[k], i) = size[k] * *at(peer.birth_size[k], i);
        for (uint32_t k = 0; k < 4; ++k)
            *at(peer.color[k], i) = color[k];
    }
    peer.num_dead += ct_column_mask(oldest >= 1) != 0; // then they would be removed
}

// --- Runs ----------------------------------------------------------------------------------------

static void begin(void) {
    b.renderer = ct_renderer_create_recorder(
        &(ct_renderer_desc){.allocator = ct_bench_heap(), .width = 64, .height = 64});
    b.render_world = ct_render_world_create(b.renderer);
    b.system = ct_particle_system_create(
        &(ct_particle_system_desc){.allocator = ct_bench_heap(), .renderer = b.renderer});
    b.large_effect = make_effect(NUM_PARTICLES, NUM_PARTICLES);
    b.small_effect = make_effect(NUM_SMALL, 12);
    ct_particle_system_set_effect(b.system, ct_string_id64_of("large"), b.large_effect);
    ct_particle_system_set_effect(b.system, ct_string_id64_of("small"), b.small_effect);
    b.large = make_world("large", 1);
    b.small = make_world("small", NUM_EFFECTS);
    start_peer();
}

static void end(void) {
    ct_bench_use(peer.num_dead);
    ct_free(ct_bench_heap(), peer.block);
    ct_free(ct_bench_heap(), peer.instances);
    ct_particle_world_destroy(b.large);
    ct_particle_world_destroy(b.small);
    ct_particle_system_destroy(b.system);
    ct_renderer_destroy(b.renderer);
    free(b.large_effect);
    free(b.small_effect);
}

static void step_large(void) {
    ct_particles_update(b.large, (double)dt);
}

static void step_small(void) {
    ct_particles_update(b.small, (double)dt);
}

static void send(void) {
    b.large->is_changed = true;
    ct_particles_send(b.large);
}

// Room for all instances in the stream.
static ct_column *add_cloud(void) {
    const ct_render_cloud_desc desc = {.sphere = {0, 0, 0, 1}};
    ct_render_particles_begin(b.renderer, b.render_world);
    return (ct_column *)(void *)ct_render_particles_add(b.renderer, b.render_world, &desc,
                                                        NUM_PARTICLES);
}

static void write_finished(void) {
    const ct_column *const from = (const ct_column *)(const void *)peer.instances;
    ct_column *const to = add_cloud();
    for (uint32_t i = 0; i < 3 * NUM_PARTICLES; i += 3) {
        to[i] = from[i];
        to[i + 1] = from[i + 1];
        to[i + 2] = from[i + 2];
    }
    ct_bench_use((uint64_t)(uintptr_t)to);
}

static void write_constants(void) {
    ct_column *const to = add_cloud();
    for (uint32_t i = 0; i < 3 * NUM_PARTICLES; i += 3) {
        to[i] = (ct_column){1, 2, 3, 4};
        to[i + 1] = (ct_column){5, 6, 7, 8};
        to[i + 2] = (ct_column){9, 10, 11, 12};
    }
    ct_bench_use((uint64_t)(uintptr_t)to);
}

// The nanoseconds for each of `count` particles of the fastest of some steps. The stream starts
// anew for each.
static double fastest(void (*step)(void), uint32_t count) {
    double least = 1e18;
    for (uint32_t i = 0; i < NUM_STEPS; ++i) {
        ct_renderer_end_frame(b.renderer);
        const double start = ct_bench_now_ns();
        step();
        const double time = ct_bench_now_ns() - start;
        least = time < least ? time : least;
    }
    return least / count;
}

static double run_simulate(void) {
    return fastest(step_large, NUM_PARTICLES);
}

static double run_simulate_peer(void) {
    return fastest(step_peer, NUM_PARTICLES);
}

static double run_vertices(void) {
    return fastest(send, NUM_PARTICLES);
}

static double run_finished(void) {
    return fastest(write_finished, NUM_PARTICLES);
}

static double run_constants(void) {
    return fastest(write_constants, NUM_PARTICLES);
}

static double run_small(void) {
    return fastest(step_small, NUM_EFFECTS * NUM_SMALL);
}

static const ct_bench_case cases[] = {
    {"particles_simulate", "100,000, a step", "one loop by hand", "ns", 1.3, 0, begin, end,
     run_simulate, run_simulate_peer},
    {"particles_vertices", "100,000 instances", "finished ones", "ns", 1.5, 0, begin, end,
     run_vertices, run_finished},
    {"particles_vertices", "100,000 instances", "48 bytes of nothing", "ns", 0, 0, begin, end,
     run_vertices, run_constants},
    {"particles_small", "1,000 effects of 10", "100,000 in one", "ns", 2, 0, begin, end, run_small,
     run_simulate},
};

const ct_bench_group ct_bench_particles = {"particles", cases, CT_COUNT_OF(cases)};
