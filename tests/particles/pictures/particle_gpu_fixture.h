// particle_gpu_fixture.h: the same effect on the CPU and on the GPU, in one renderer.
#pragma once
#include "foundation/math/math.h"
#include "particles/particle_fixture.h"
#include "particles/particle_gpu.h"
#include "particles/particle_system_private.h"
#include "render/effect_fixture.h"

// One system whose emitters are all on the GPU, one whose are none.
typedef enum gpu_side { GPU_SIDE_CPU, GPU_SIDE_GPU, GPU_SIDES } gpu_side;

typedef struct gpu_play {
    effect_scene s;
    ct_string_id64 name;
    ct_particle_system *systems[GPU_SIDES];
    ct_particle_world *worlds[GPU_SIDES]; // of the scene's world
    ct_particles_resource *effect;        // freed when another comes, and at the end
    // What was read last:
    float *channels;
    uint32_t num_channels, capacity, num_reads;
} gpu_play;

static inline void gpu_play_start(gpu_play *p) {
    *p = (gpu_play){.name = ct_string_id64_of("effect")};
    effect_start(&p->s);
    for (uint32_t i = 0; i < GPU_SIDES; ++i) {
        p->systems[i] = ct_particle_system_create(
            &(ct_particle_system_desc){.allocator = test_heap(),
                                       .renderer = p->s.f.renderer,
                                       .tasks = p->s.f.tasks,
                                       .gpu_threshold = i == GPU_SIDE_GPU ? 1 : 0});
        p->worlds[i] = ct_particle_world_create(&(ct_particle_world_desc){
            .allocator = test_heap(), .system = p->systems[i], .render_world = p->s.f.world});
    }
}

static inline void gpu_play_stop(gpu_play *p) {
    for (uint32_t i = 0; i < GPU_SIDES; ++i) {
        ct_particle_world_destroy(p->worlds[i]);
        ct_particle_system_destroy(p->systems[i]);
    }
    free(p->effect);
    free(p->channels);
    fixture_stop(&p->s.f);
}

// Gives both systems an effect, which is freed with the fixture.
static inline void gpu_play_load(gpu_play *p, particle_fixture *f) {
    ct_particles_resource *const old = p->effect;
    ct_error error = {0};
    p->effect = particle_fixture_end(f);
    if (!ct_particles_validate(p->effect, &error))
        fail_msg("%s", error.message);
    for (uint32_t i = 0; i < GPU_SIDES; ++i)
        ct_particle_system_set_effect(p->systems[i], p->name, p->effect);
    free(old);
}

static inline ct_particle_effect_id gpu_play_create(const gpu_play *p, gpu_side side,
                                                    const ct_particle_place *place, uint32_t seed) {
    return ct_particles_create(p->worlds[side], p->name, place, seed);
}

static inline void gpu_play_frame(gpu_play *p) {
    fixture_frame(&p->s.f);
}

static inline ct_particle_effect *gpu_play_effect(const gpu_play *p, gpu_side side, uint32_t i) {
    return p->worlds[side]->effects.items[i];
}

static inline void gpu_play_take(void *user, const float *channels, uint32_t num_channels,
                                 uint32_t capacity) {
    gpu_play *const p = user;
    const size_t bytes = sizeof(float) * num_channels * capacity;
    ++p->num_reads;
    free(p->channels);
    p->channels = channels ? malloc(bytes) : NULL;
    p->num_channels = num_channels;
    p->capacity = capacity;
    if (channels)
        memcpy(p->channels, channels, bytes);
}

// Draws a frame and reads the channels of an emitter of effect `i` after it.
static inline void gpu_play_read(gpu_play *p, uint32_t i, uint32_t emitter) {
    const ct_particle_effect *const fx = gpu_play_effect(p, GPU_SIDE_GPU, i);
    assert_non_null(fx->emitters[emitter].gpu);
    ct_render_emitter_read(p->s.f.renderer, fx->emitters[emitter].gpu->id, gpu_play_take, p);
    const uint32_t num_reads = p->num_reads;
    gpu_play_frame(p);
    fixture_expect_no_error(&p->s.f);
    assert_int_equal(p->num_reads, num_reads + 1);
}

// The number of living particles that were read. The age is channel `age`.
static inline uint32_t gpu_play_count(const gpu_play *p, uint32_t age) {
    uint32_t count = 0;
    for (uint32_t i = 0; p->channels && i < p->capacity; ++i)
        count += p->channels[(size_t)age * p->capacity + i] < 1.0f;
    return count;
}

static inline ct_particle_place gpu_play_place(float x, float y, float z) {
    return (ct_particle_place){ct_vec3_make(x, y, z), ct_quat_identity(), ct_vec3_make(1, 1, 1)};
}
