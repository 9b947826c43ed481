// compiler_workers.h: the pool of worker processes.
//
// Workers start when there is work, or when ct_worker_pool_prepare announces work, and stay until
// the pool ends. A message asks a worker for one job or for several, which it answers one by one in
// that order; the next message may wait meanwhile. A job ends with an answer, or with an error when
// its worker crashed, hung or sent an invalid answer; that worker is then killed and the next job
// gets a new one. When the worker had other jobs before or others waiting, the cause is unknown and
// jobs are lost instead: submit each again to a new worker, so that the damage of one resource is
// not reported for another. One thread, except where noted.
#pragma once
#include "foundation/error.h"
#include "foundation/os/message.h"

typedef struct ct_worker_pool ct_worker_pool;

// The worker that jobs need.
typedef enum ct_worker_need {
    CT_WORKER_NEED_ANY,    // one with few waiting jobs
    CT_WORKER_NEED_IDLE,   // for jobs that take long, or messages over 64 KiB
    CT_WORKER_NEED_TABLES, // an idle one, rather one that had such a job before: those are quicker
    CT_WORKER_NEED_NEW,    // one without earlier jobs: for a job that was lost
} ct_worker_need;

// How a job ended.
typedef struct ct_worker_outcome {
    uint32_t job;
    bool is_lost; // submit it again; there is no answer and no error
    bool has_answer;
    ct_message answer; // borrowed until the pool's next call but ct_worker_pool_reject
    ct_error error;    // when there is no answer
} ct_worker_outcome;

// Makes a pool of up to `num_workers` (1 to 256) processes of `worker_path`, which is copied.
// Starts no process yet.
ct_worker_pool *ct_worker_pool_create(ct_allocator *a, const char *worker_path,
                                      uint32_t num_workers, double time_limit_seconds);

// Sets how long each later job may take, in seconds.
void ct_worker_pool_set_time_limit(ct_worker_pool *pool, double seconds);

// Ends the workers and frees the pool. NULL is fine.
void ct_worker_pool_destroy(ct_worker_pool *pool);

// Returns the most workers that the pool may have.
uint32_t ct_worker_pool_size(const ct_worker_pool *pool);

// Returns true when ct_worker_pool_submit may be called with this need.
bool ct_worker_pool_has_room(const ct_worker_pool *pool, ct_worker_need need);

// Returns true when jobs have been submitted whose outcome ct_worker_pool_next has not given yet.
bool ct_worker_pool_is_busy(const ct_worker_pool *pool);

// Returns true when some worker had a job of CT_WORKER_NEED_TABLES, but no such worker is idle.
bool ct_worker_pool_are_tables_taken(const ct_worker_pool *pool);

// Starts workers for about `num_jobs` jobs that come soon, one worker for every few jobs. An error
// of starting them is reported by ct_worker_pool_submit.
void ct_worker_pool_prepare(ct_worker_pool *pool, uint32_t num_jobs);

// Sends one framed request for `count` jobs to a worker. Returns false with `error` when no worker
// can be started.
bool ct_worker_pool_submit(ct_worker_pool *pool, ct_worker_need need, const uint32_t *jobs,
                           uint32_t count, const ct_byte_array *request, ct_error *error);

// Sets a function that is called about 20 times a second while ct_worker_pool_next waits, on its
// thread; NULL: no function.
void ct_worker_pool_set_tick(ct_worker_pool *pool, void (*tick)(void *user), void *user);

// Gives the job that has been running longest, and for how long. Returns false when no job runs.
bool ct_worker_pool_longest(const ct_worker_pool *pool, uint32_t *job, double *seconds);

// Waits until a job has ended. The pool must be busy. False with `error` when the pool was
// cancelled.
bool ct_worker_pool_next(ct_worker_pool *pool, ct_worker_outcome *outcome, ct_error *error);

// Kills the worker that sent the last answer, because the answer was invalid; its other jobs are
// lost. The next job gets a new worker.
void ct_worker_pool_reject(ct_worker_pool *pool);

// Kills the workers that are busy and drops their jobs.
void ct_worker_pool_abort(ct_worker_pool *pool);

// Makes ct_worker_pool_next, also one that waits now, and every later call end at once with an
// error. Any thread.
void ct_worker_pool_cancel(ct_worker_pool *pool);

// Returns true after ct_worker_pool_cancel. Any thread.
bool ct_worker_pool_is_cancelled(const ct_worker_pool *pool);
