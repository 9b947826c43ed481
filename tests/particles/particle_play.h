// particle_play.h: a particle system with one world and one effect, for tests of the simulation.
#pragma once
#include "foundation/log.h"
#include "foundation/math/math.h"
#include "particles/particle_fixture.h"
#include "particles/particle_private.h"
#include "particles/particle_system_private.h"
#include "support/test_support.h"

typedef struct particle_play {
    ct_task_manager *tasks;
    ct_renderer *renderer; // a recorder
    ct_particle_system *system;
    ct_particle_world *world;
    ct_string_id64 name;
    ct_particles_resource *effect; // freed by particle_play_stop
} particle_play;

// Adds an emitter (particle_fixture.h) that is not drawn, and so needs no size and colour.
static inline uint32_t particle_play_emitter(particle_fixture *f, const char *name,
                                             uint32_t capacity) {
    const uint32_t emitter = particle_fixture_emitter(f, name, capacity);
    particle_fixture_at(f, emitter)->look.renderer = CT_PARTICLE_RENDERER_NONE;
    return emitter;
}

static inline ct_particle_place particle_play_place(float x, float y, float z) {
    return (ct_particle_place){ct_vec3_make(x, y, z), ct_quat_identity(), ct_vec3_make(1, 1, 1)};
}

// Starts a world; `effect` is called "effect" in it. `num_workers` UINT32_MAX: without tasks.
static inline particle_play particle_play_start(ct_particles_resource *effect, uint32_t num_workers,
                                                uint32_t budget) {
    particle_play p = {.name = ct_string_id64_of("effect"), .effect = effect};
    ct_error error = {0};
    if (!ct_particles_validate(effect, &error))
        fail_msg("%s", error.message);
    if (num_workers != UINT32_MAX)
        p.tasks = ct_task_manager_create(
            &(ct_task_manager_desc){.allocator = test_heap(), .num_workers = num_workers});
    p.renderer = ct_renderer_create_recorder(
        &(ct_renderer_desc){.allocator = test_heap(), .width = 64, .height = 64});
    p.system = ct_particle_system_create(&(ct_particle_system_desc){
        .allocator = test_heap(), .renderer = p.renderer, .tasks = p.tasks, .budget = budget});
    ct_particle_system_set_effect(p.system, p.name, effect);
    p.world = ct_particle_world_create(&(ct_particle_world_desc){
        .allocator = test_heap(), .system = p.system, .render_world = {1}});
    return p;
}

static inline void particle_play_stop(particle_play *p) {
    ct_particle_world_destroy(p->world);
    ct_particle_system_destroy(p->system);
    ct_renderer_destroy(p->renderer);
    if (p->tasks)
        ct_task_manager_destroy(p->tasks);
    free(p->effect);
}

static inline ct_particle_effect_id particle_play_create(const particle_play *p, uint32_t seed) {
    const ct_particle_place place = particle_play_place(0, 0, 0);
    return ct_particles_create(p->world, p->name, &place, seed);
}

static inline void particle_play_run(const particle_play *p, double seconds, double step) {
    const uint32_t count = (uint32_t)(seconds / step + 0.5);
    for (uint32_t i = 0; i < count; ++i)
        ct_particles_update(p->world, step);
}

// The effect that started as number `index` of those that play.
static inline ct_particle_effect *particle_play_effect(const particle_play *p, uint32_t index) {
    return p->world->effects.items[index];
}

// Number `i` of a channel of emitter `emitter` of the first effect.
static inline float particle_play_number(const particle_play *p, uint32_t emitter,
                                         uint32_t semantic, uint32_t component, uint32_t i) {
    const ct_particle_effect *const fx = particle_play_effect(p, 0);
    const ct_particle_emitter_state *const s = &fx->emitters[emitter];
    return ct_particle_channel(ct_particle_emitter_at(fx->resource, emitter), s,
                               semantic)[(size_t)component * s->capacity + i];
}
