// A step of worlds: the steps of their systems, in the order of the schedule.
#include "foundation/error.h"
#include "foundation/profiler/profiler.h"
#include "foundation/task/task.h"
#include "world/world_private.h"

// One step of the schedule, for several worlds.
typedef struct worlds_step {
    const ct_world_scheduled_step *scheduled;
    ct_world *const *worlds;
    double dt;
} worlds_step;

static void run_for_worlds(void *data, uint32_t begin, uint32_t end) {
    const worlds_step *const s = data;
    for (uint32_t i = begin; i < end; ++i) {
        ct_world *const w = s->worlds[i];
        s->scheduled->step->run(w, w->managers[s->scheduled->row], s->dt);
    }
}

static void run_steps(ct_world *const *worlds, uint32_t count, uint32_t first, double dt) {
    ct_world_system *const system = worlds[0]->system;
    ++system->num_calls;
    for (uint32_t i = first; i < system->schedule.num_steps; ++i) {
        worlds_step s = {&system->schedule.steps[i], worlds, dt};
        const ct_world_step *const step = s.scheduled->step;
        CT_PROFILER_SCOPE(step->name);
        if (count > 1 && step->is_independent && system->tasks)
            ct_task_loop(system->tasks, &(ct_task_loop_desc){.name = step->name,
                                                             .run = run_for_worlds,
                                                             .data = &s,
                                                             .count = count,
                                                             .grain = 1,
                                                             .priority = CT_TASK_PRIORITY_HIGH});
        else
            run_for_worlds(&s, 0, count);
    }
    --system->num_calls;
}

void ct_world_advance(ct_world *w, double dt) {
    ct_worlds_advance(&w, 1, dt);
}

void ct_worlds_advance(ct_world *const *worlds, uint32_t count, double dt) {
    if (count == 0)
        return;
    CT_PROFILER_SCOPE("world");
    for (uint32_t i = 0; i < count; ++i) {
        CT_ASSERT(worlds[i]->system == worlds[0]->system, "world %u is of another system", i);
        worlds[i]->delta_time = dt;
        worlds[i]->time += dt;
    }
    run_steps(worlds, count, 0, dt);
}

void ct_world_send_changes(ct_world *w) {
    CT_PROFILER_SCOPE("send changes");
    run_steps(&w, 1, w->system->schedule.first_send_step, 0);
}
