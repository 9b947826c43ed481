// compiler_workers.h: the pool of worker processes.
//
// Workers start when there is work, or when told that some will come, and stay until the pool ends.
// A message asks a worker for one job or for several, which it answers one by one in that order; it
// may have the next message waiting meanwhile. A job ends with an answer, or with an error when its
// worker crashed, hung or talked nonsense; then that worker is killed and the next job gets a new
// one. Where that leaves open whose fault it was, since the worker had other jobs before or others
// waiting, jobs are lost instead: ask for each again in a new worker, so that one resource's damage
// is not told as another's.
#pragma once
#include "foundation/error.h"
#include "foundation/os/message.h"

typedef struct ct_worker_pool ct_worker_pool;

// What jobs want of a worker.
typedef enum ct_worker_need {
    CT_WORKER_NEED_ANY,    // one that has little to do yet
    CT_WORKER_NEED_IDLE,   // for jobs that take long, or messages over 64 KiB
    CT_WORKER_NEED_TABLES, // an idle one, rather one that had such a job before: those are quicker
    CT_WORKER_NEED_NEW,    // that has done nothing before: for a job that was lost
} ct_worker_need;

// How a job ended.
typedef struct ct_worker_outcome {
    uint32_t job;
    bool is_lost; // it must be asked for again; no answer and no error
    bool has_answer;
    ct_message answer; // borrowed until the pool's next call but ct_worker_pool_reject
    ct_error error;    // when there is no answer
} ct_worker_outcome;

// Makes a pool of up to `num_workers` (1 to 256) processes of `worker_path`, which is copied. None
// starts yet.
ct_worker_pool *ct_worker_pool_create(ct_allocator *a, const char *worker_path,
                                      uint32_t num_workers, double time_limit_seconds);

// Sets how long the jobs to come may take.
void ct_worker_pool_set_time_limit(ct_worker_pool *pool, double seconds);

// Ends the workers. NULL is fine.
void ct_worker_pool_destroy(ct_worker_pool *pool);

// The most workers that it may have.
uint32_t ct_worker_pool_size(const ct_worker_pool *pool);

// True when ct_worker_pool_submit may be called with this need; true when jobs are under way.
bool ct_worker_pool_has_room(const ct_worker_pool *pool, ct_worker_need need);
bool ct_worker_pool_is_busy(const ct_worker_pool *pool);

// True when some worker had a job of CT_WORKER_NEED_TABLES, but none of those is idle.
bool ct_worker_pool_are_tables_taken(const ct_worker_pool *pool);

// Has the workers running by the time that about `num_jobs` come, one for every few of them. That
// they cannot be started shows then.
void ct_worker_pool_prepare(ct_worker_pool *pool, uint32_t num_jobs);

// Gives `count` jobs, whose one framed request is sent, to a worker. False with `error` when no
// worker can be started.
bool ct_worker_pool_submit(ct_worker_pool *pool, ct_worker_need need, const uint32_t *jobs,
                           uint32_t count, const ct_byte_array *request, ct_error *error);

// Sets what is called about 20 times a second while a job is waited for, from the waiting thread.
// NULL ends that.
void ct_worker_pool_set_tick(ct_worker_pool *pool, void (*tick)(void *user), void *user);

// The job that has been under way longest and for how long; false when none is.
bool ct_worker_pool_longest(const ct_worker_pool *pool, uint32_t *job, double *seconds);

// Waits until a job has ended. The pool must be busy. False with `error` when the pool was
// cancelled.
bool ct_worker_pool_next(ct_worker_pool *pool, ct_worker_outcome *outcome, ct_error *error);

// Kills the worker whose answer came last, since it made no sense; its other jobs are lost. The
// next job gets a new one.
void ct_worker_pool_reject(ct_worker_pool *pool);

// Kills the workers that are busy and forgets their jobs.
void ct_worker_pool_abort(ct_worker_pool *pool);

// Has the job that is waited for, and all later ones, end at once with an error. Any thread.
void ct_worker_pool_cancel(ct_worker_pool *pool);

bool ct_worker_pool_is_cancelled(const ct_worker_pool *pool);
