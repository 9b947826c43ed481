// Effects through time, on all threads.
#include <math.h>

#include "foundation/math/math.h"
#include "foundation/profiler/profiler.h"
#include "particles/particle_gpu.h"
#include "particles/particle_private.h"
#include "particles/particle_system_private.h"

enum {
    MOST_PIECES = 64,      // of a long step
    TASK_PARTICLES = 2048, // that one task steps, about
    LARGE = 8192,          // particles of an emitter that several tasks update
};
static const double longest_piece = 0.05; // seconds

// --- One effect ----------------------------------------------------------------------------------

static void step_piece(const ct_particle_world *w, ct_particle_effect *fx, double dt) {
    fx->time += dt;
    for (uint32_t i = 0; i < fx->num_emitters; ++i)
        ct_particle_step_emitter(w, fx, i, dt);
}

static bool is_over(const ct_particle_effect *fx) {
    for (uint32_t i = 0; i < fx->num_emitters; ++i) {
        const ct_particle_emitter_state *const s = &fx->emitters[i];
        if (!s->is_done || s->count || s->num_requests || (s->gpu && ct_particle_gpu_count(s)))
            return false;
    }
    return true;
}

static uint32_t num_pieces(double dt) {
    const double pieces = ceil(dt / longest_piece - 1e-6);
    return pieces <= 1.0 ? 1 : pieces >= MOST_PIECES ? MOST_PIECES : (uint32_t)pieces;
}

static ct_particle_place place_between(const ct_particle_place *a, const ct_particle_place *b,
                                       float share) {
    return (ct_particle_place){
        ct_vec3_lerp(a->position, b->position, share),
        ct_quat_slerp(a->rotation, b->rotation, share),
        ct_vec3_lerp(a->scale, b->scale, share),
    };
}

// Steps in pieces, each of which takes a part of the effect's way.
static void step_long(const ct_particle_world *w, ct_particle_effect *fx, double dt,
                      uint32_t pieces) {
    const ct_particle_place from = fx->before, to = fx->now;
    for (uint32_t i = 1; i <= pieces; ++i) {
        const ct_particle_place place =
            i == pieces ? to : place_between(&from, &to, (float)i / (float)pieces);
        ct_particle_effect_set_place(fx, &place);
        step_piece(w, fx, dt / pieces);
        fx->before = place;
    }
}

void ct_particle_effect_step(const ct_particle_world *w, ct_particle_effect *fx, double dt) {
    if (fx->has_ended)
        return;
    const ct_vec3 way = ct_vec3_sub(fx->now.position, fx->before.position);
    fx->velocity = ct_vec3_scale(way, 1.0f / (float)dt);
    const uint32_t pieces = num_pieces(dt);
    if (pieces == 1)
        step_piece(w, fx, dt);
    else
        step_long(w, fx, dt, pieces);
    fx->before = fx->now;
    fx->has_ended = is_over(fx);
}

// --- All effects ---------------------------------------------------------------------------------

typedef struct update_run {
    ct_particle_world *w;
    double dt;
    const uint32_t *begins; // of each task, in `stepped`
    ct_particle_effect *const *stepped;
    ct_particle_effect *fx; // whose emitter is updated in ranges
    uint32_t emitter;
} update_run;

static void step_effects(void *data, uint32_t begin, uint32_t end) {
    const update_run *const run = data;
    for (uint32_t i = run->begins[begin]; i < run->begins[end]; ++i)
        ct_particle_effect_step(run->w, run->stepped[i], run->dt);
}

static void update_chunks(void *data, uint32_t begin, uint32_t end) {
    const update_run *const run = data;
    const uint32_t count = run->fx->emitters[run->emitter].count;
    const uint32_t last = end * CT_PARTICLE_CHUNK;
    ct_particle_update_range(run->w, run->fx, run->emitter, run->dt, begin * CT_PARTICLE_CHUNK,
                             last < count ? last : count);
}

static void loop(const ct_particle_world *w, const ct_task_loop_desc *desc) {
    if (w->system->tasks)
        ct_task_loop(w->system->tasks, desc);
    else
        desc->run(desc->data, 0, desc->count);
}

// Updates the particles of large emitters in ranges, which tasks share. What follows is as if they
// had been updated with the rest: ranges have nothing in common.
static void update_large(update_run *run, ct_particle_effect *fx) {
    for (uint32_t i = 0; i < fx->num_emitters; ++i) {
        ct_particle_emitter_state *const s = &fx->emitters[i];
        const ct_particle_emitter *const e = ct_particle_emitter_at(fx->resource, i);
        if (s->count < LARGE || ct_particle_emitter_has_event(fx, e, CT_PARTICLE_EVENT_COLLISION))
            continue;
        run->fx = fx;
        run->emitter = i;
        const double time = fx->time;
        fx->time += run->dt; // as when its turn comes
        loop(run->w,
             &(ct_task_loop_desc){.name = "particles of an emitter",
                                  .run = update_chunks,
                                  .data = run,
                                  .count = (s->count + CT_PARTICLE_CHUNK - 1) / CT_PARTICLE_CHUNK,
                                  .grain = TASK_PARTICLES / CT_PARTICLE_CHUNK});
        fx->time = time;
        s->is_updated = true;
    }
}

// Whether an effect is too far from all cameras to go on.
static bool is_waiting(const ct_particle_world *w, const ct_particle_effect *fx) {
    const float most = fx->resource->cull_distance;
    if (!(most > 0.0f) || !w->views.count)
        return false;
    for (uint32_t i = 0; i < w->views.count; ++i)
        if (ct_vec3_length(ct_vec3_sub(w->views.items[i], fx->now.position)) <= most)
            return false;
    return true;
}

// Its way meanwhile makes no particles. One with an end is over when it could have played all of it.
static void wait(ct_particle_effect *fx, double dt) {
    fx->before = fx->now;
    fx->waited += dt;
    fx->has_ended = fx->waited > ct_particle_effect_seconds(fx);
}

static uint32_t cost_of(const ct_particle_effect *fx) {
    uint32_t cost = 16;
    for (uint32_t i = 0; i < fx->num_emitters; ++i)
        cost += fx->emitters[i].count + 16;
    return cost;
}

// Lists what is stepped, and where each task begins in the list; with one more at the end. Returns
// the number of tasks.
static uint32_t plan_tasks(ct_particle_world *w, double dt) {
    ct_array_reserve(&w->stepped, w->effects.count);
    ct_array_reserve(&w->task_begins, (uint64_t)w->effects.count + 1);
    w->stepped.count = w->task_begins.count = 0;
    uint32_t cost = TASK_PARTICLES;
    for (uint32_t i = 0; i < w->effects.count; ++i) {
        ct_particle_effect *const fx = w->effects.items[i];
        if (fx->has_ended)
            continue;
        if (is_waiting(w, fx)) {
            wait(fx, dt);
            continue;
        }
        fx->waited = 0.0;
        if (cost >= TASK_PARTICLES) {
            ct_array_push(&w->task_begins, w->stepped.count);
            cost = 0;
        }
        cost += cost_of(fx);
        ct_array_push(&w->stepped, fx);
    }
    const uint32_t num_tasks = w->task_begins.count;
    ct_array_push(&w->task_begins, w->stepped.count);
    return num_tasks;
}

void ct_particle_world_step(ct_particle_world *w, double dt) {
    CT_PROFILER_SCOPE("particles");
    const uint32_t num_tasks = plan_tasks(w, dt);
    update_run run = {
        .w = w, .dt = dt, .begins = w->task_begins.items, .stepped = w->stepped.items};
    if (num_pieces(dt) == 1)
        for (uint32_t i = 0; i < w->stepped.count; ++i)
            update_large(&run, w->stepped.items[i]);
    if (num_tasks)
        loop(w, &(ct_task_loop_desc){.name = "particle effects",
                                     .run = step_effects,
                                     .data = &run,
                                     .count = num_tasks,
                                     .grain = 1});
}
