// A step of a world: the steps of its systems, in the order of the schedule.
#include "foundation/profiler/profiler.h"
#include "world/world_private.h"

static void run_steps(ct_world *w, uint32_t first, double dt) {
    const ct_world_schedule *const schedule = &w->system->schedule;
    for (uint32_t i = first; i < schedule->num_steps; ++i) {
        const ct_world_scheduled_step *const s = &schedule->steps[i];
        CT_PROFILER_SCOPE(s->step->name);
        s->step->run(w, w->managers[s->row], dt);
    }
}

void ct_world_advance(ct_world *w, double dt) {
    CT_PROFILER_SCOPE("world");
    w->delta_time = dt;
    w->time += dt;
    run_steps(w, 0, dt);
}

void ct_world_send_changes(ct_world *w) {
    CT_PROFILER_SCOPE("send changes");
    run_steps(w, w->system->schedule.first_send_step, 0);
}
