// particle_system.h: what the particles of all worlds share: effects that are loaded, memory for
// particles, limits.
//
// It watches resources of the type particles. A resource that is saved again reaches the worlds,
// which keep the particles of emitters whose channels are the same, and restart other effects.
// Channels are in blocks of sizes that are powers of two, kept in a list for each size while they
// are free: a game that has warmed up allocates nothing. Update thread.
#pragma once
#include "foundation/task/task.h"
#include "render/renderer.h"
#include "resource/load/resource_manager.h"
#include "resource/types/particles_resource.h"

typedef struct ct_particle_system ct_particle_system;

enum { CT_PARTICLES_DEFAULT_BUDGET = 200000 };

typedef struct ct_particle_system_desc {
    ct_allocator *allocator;
    ct_resource_manager *resources; // NULL: effects come by ct_particle_system_set_effect
    ct_renderer *renderer;
    ct_task_manager *tasks; // NULL: everything runs on the calling thread
    uint32_t budget;        // particles of a world at the same time; 0: the default
    uint32_t gpu_threshold; // emitters with as many particles run on the GPU when they can; 0: none
} ct_particle_system_desc;

// Makes the system and registers for the resource type particles.
ct_particle_system *ct_particle_system_create(const ct_particle_system_desc *desc);

// Frees the system. All worlds' particles must have ended.
void ct_particle_system_destroy(ct_particle_system *s);

// Returns the effect of this name, NULL while it is not loaded. Borrowed until it is loaded again
// or goes offline.
const ct_particles_resource *ct_particle_system_effect(const ct_particle_system *s,
                                                       ct_string_id64 name);

// Adds an effect, replaces it, or (`effect` NULL) removes it; resources come so by themselves. The
// blob is borrowed until then. Effects that play follow.
void ct_particle_system_set_effect(ct_particle_system *s, ct_string_id64 name,
                                   const ct_particles_resource *effect);

// Returns the position of a variable of an effect, or UINT32_MAX when it has none of this name or is
// not loaded.
uint32_t ct_particle_system_variable(const ct_particle_system *s, ct_string_id64 effect,
                                     ct_string_id32 variable);
