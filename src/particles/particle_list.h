// particle_list.h: the effects of a world, for tools.
#pragma once
#include "particles/particle_world.h"

// An effect that has not ended, for tools.
typedef struct ct_particle_effect_info {
    ct_string_id64 resource;
    ct_vec3 position;       // in the world
    uint32_t num_particles; // as ct_particles_count has it
} ct_particle_effect_info;

// Calls `visit` for each effect that has not ended, in the order in which they were made.
void ct_particles_visit(const ct_particle_world *w,
                        void (*visit)(void *user, const ct_particle_effect_info *info), void *user);
