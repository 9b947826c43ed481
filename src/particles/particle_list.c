#include "particles/particle_list.h"

#include "particles/particle_private.h"

void ct_particles_visit(const ct_particle_world *w,
                        void (*visit)(void *user, const ct_particle_effect_info *info),
                        void *user) {
    for (uint32_t i = 0; i < w->effects.count; ++i) {
        const ct_particle_effect *const fx = w->effects.items[i];
        const ct_particle_effect_info info = {.resource = fx->name,
                                              .position = fx->now.position,
                                              .num_particles =
                                                  ct_particles_count(w, fx->id, UINT32_MAX)};
        if (!fx->has_ended)
            visit(user, &info);
    }
}
