#include "particles/particle_private.h"
void ct_particles_send(ct_particle_world *w) {
    w->is_changed = false;
}
void ct_particle_effect_hide(ct_particle_world *w, ct_particle_effect *fx) {
    (void)w;
    fx->is_drawn = false;
}
