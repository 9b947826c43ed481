// navigation_background.c: tiles that obstacles changed, built again beside the step.
//
// A job has all that its tile is built from: the footprints of the obstacles when it was begun, and memory of
// its own. So its task reads nothing that may change, and what it makes does not depend on when it runs.
#include "navigation/mesh/navigation_mesh_private.h"

ct_navigation_job *ct_navigation_begin_job(ct_navigation_mesh *m, uint32_t slot) {
    if (m->num_jobs == m->jobs.count) {
        ct_navigation_job *const job = CT_NEW(m->allocator, ct_navigation_job);
        ct_navigation_init_scratch(&job->scratch, m->allocator);
        ct_array_push(&m->jobs, job);
    }
    ct_navigation_job *const job = m->jobs.items[m->num_jobs++];
    job->core = (ct_navigation_core){.allocator = m->allocator,
                                     .resource = m->resource,
                                     .tile = m->tiles[slot].resource,
                                     .slot = slot,
                                     .scratch = &job->scratch};
    job->task = (ct_task_id){0};
    job->is_dropped = false;
    m->slots[slot].is_begun = true;
    return job;
}

static void run(void *data) {
    ct_navigation_build_core(&((ct_navigation_job *)data)->core);
}

static void wait_for(const ct_navigation_mesh *m, const ct_navigation_job *job) {
    if (m->tasks && job->task.value)
        ct_task_wait(m->tasks, job->task);
}

void ct_navigation_drop_job(ct_navigation_mesh *m, uint32_t slot) {
    for (uint32_t i = 0; m->slots[slot].is_begun && i < m->num_jobs; ++i)
        if (m->jobs.items[i]->core.slot == slot)
            m->jobs.items[i]->is_dropped = true;
    m->slots[slot].is_begun = false;
}

void ct_navigation_drop_jobs(ct_navigation_mesh *m, bool keeps_waiting) {
    for (uint32_t i = m->num_jobs; i-- > 0;) {
        ct_navigation_job *const job = m->jobs.items[i];
        wait_for(m, job);
        ct_free(m->allocator, job->core.block);
        if (job->is_dropped)
            continue;
        ct_navigation_slot *const slot = &m->slots[job->core.slot];
        slot->is_begun = false;
        if (keeps_waiting && !slot->is_waiting) {
            slot->is_waiting = true;
            ct_array_insert(&m->waiting, 0, job->core.slot);
        }
    }
    m->num_jobs = 0;
}

void ct_navigation_free_jobs(ct_navigation_mesh *m) {
    ct_navigation_drop_jobs(m, false);
    for (uint32_t i = 0; i < m->jobs.count; ++i) {
        ct_navigation_free_scratch(&m->jobs.items[i]->scratch);
        ct_free(m->allocator, m->jobs.items[i]);
    }
    ct_array_free(&m->jobs);
}

// Gives the tiles what the jobs made.
static void take_jobs(ct_navigation_mesh *m) {
    for (uint32_t i = 0; i < m->num_jobs; ++i) {
        ct_navigation_job *const job = m->jobs.items[i];
        wait_for(m, job);
        if (job->is_dropped) {
            ct_free(m->allocator, job->core.block);
            continue;
        }
        if (!job->core.block)
            ct_navigation_build_core(&job->core);
        m->slots[job->core.slot].is_begun = false;
        ct_navigation_use_core(m, &job->core);
    }
    m->num_jobs = 0;
}

uint32_t ct_navigation_mesh_begin_update(ct_navigation_mesh *m, ct_task_manager *tasks,
                                         uint32_t max_tiles) {
    ct_navigation_mesh_end_update(m);
    m->tasks = tasks;
    const uint32_t count = m->waiting.count < max_tiles ? m->waiting.count : max_tiles;
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t slot = m->waiting.items[i];
        ct_navigation_job *const job = ct_navigation_begin_job(m, slot);
        m->slots[slot].is_waiting = false;
        ct_navigation_gather_footprints(m, job->core.tile, &job->scratch);
        if (tasks)
            job->task = ct_task_add(tasks, &(ct_task_desc){.name = "carve tile",
                                                           .run = run,
                                                           .data = job,
                                                           .priority = CT_TASK_PRIORITY_LOW,
                                                           .never_waits = true});
    }
    ct_array_erase(&m->waiting, 0, count);
    return count;
}

uint32_t ct_navigation_mesh_end_update(ct_navigation_mesh *m) {
    take_jobs(m);
    ct_navigation_refresh(m);
    return m->waiting.count;
}

uint32_t ct_navigation_mesh_update(ct_navigation_mesh *m, uint32_t max_tiles) {
    ct_navigation_mesh_begin_update(m, NULL, max_tiles);
    return ct_navigation_mesh_end_update(m);
}
