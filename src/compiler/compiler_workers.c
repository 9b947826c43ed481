#include "compiler/compiler_workers.h"

#include <stdatomic.h>

#include "compiler/compiler_protocol.h"
#include "foundation/os.h"

enum { RECEIVE_BYTES = 1 << 20, MAX_WORKERS = CT_SOCKET_WAIT_MAX };
static const uint64_t CANCEL_PERIOD_NS = 50000000;
static const uint64_t END_TIMEOUT_NS = 2000000000; // for a worker whose socket has ended

typedef struct worker {
    ct_process process; // pid 0: not running
    int socket;
    ct_message_reader reader;
    bool is_busy;
    bool is_used; // had another job before this one
    uint32_t job;
    ct_byte_array request; // of the job
    uint64_t start_ns, deadline_ns;
} worker;

struct ct_worker_pool {
    ct_allocator *allocator;
    char *worker_path;
    uint32_t num_workers;
    uint32_t num_started;
    double time_limit_seconds;
    worker *workers;
    char *received; // RECEIVE_BYTES
    atomic_bool is_cancelled;
    void (*tick)(void *user);
    void *tick_user;
};

// --- Life cycle ----------------------------------------------------------------------------------

ct_worker_pool *ct_worker_pool_create(ct_allocator *a, const char *worker_path,
                                      uint32_t num_workers, double time_limit_seconds) {
    CT_ASSERT(num_workers > 0 && num_workers <= MAX_WORKERS, "%u workers", num_workers);
    ct_worker_pool *pool = CT_NEW(a, ct_worker_pool);
    pool->allocator = a;
    pool->worker_path = ct_copy_string(a, worker_path);
    pool->num_workers = num_workers;
    pool->time_limit_seconds = time_limit_seconds;
    pool->workers = CT_NEW_ARRAY(a, worker, num_workers);
    for (uint32_t i = 0; i < num_workers; ++i)
        ct_array_init(&pool->workers[i].request, a);
    return pool;
}

static bool start_worker(ct_worker_pool *pool, worker *w, ct_error *error) {
    const char *const arguments[] = {pool->worker_path, NULL};
    int socket = -1;
    w->process =
        ct_process_start(&(ct_process_desc){.arguments = arguments, .socket = &socket}, error);
    if (w->process.pid == 0)
        return false;
    w->socket = socket;
    w->is_used = false;
    ct_socket_set_blocking(socket, true);
    ct_message_reader_init(&w->reader, pool->allocator, CT_WORKER_MAX_MESSAGE_BYTES);
    ++pool->num_started;
    return true;
}

// Hangs up and returns how the process ended; kills it when it does not end by itself.
static int end_worker(worker *w) {
    int exit_code = 0;
    ct_socket_close(w->socket);
    ct_message_reader_free(&w->reader);
    if (!ct_process_wait_for(w->process, END_TIMEOUT_NS, &exit_code)) {
        ct_process_kill(w->process);
        exit_code = ct_process_wait(w->process);
    }
    w->process = (ct_process){0};
    w->is_busy = false;
    return exit_code;
}

static void kill_worker(worker *w) {
    ct_process_kill(w->process);
    end_worker(w);
}

void ct_worker_pool_cancel(ct_worker_pool *pool) {
    atomic_store(&pool->is_cancelled, true);
}

bool ct_worker_pool_is_cancelled(const ct_worker_pool *pool) {
    return atomic_load(&pool->is_cancelled);
}

void ct_worker_pool_abort(ct_worker_pool *pool) {
    for (uint32_t i = 0; i < pool->num_workers; ++i)
        if (pool->workers[i].is_busy)
            kill_worker(&pool->workers[i]);
}

void ct_worker_pool_reject(ct_worker_pool *pool, uint32_t job) {
    for (uint32_t i = 0; i < pool->num_workers; ++i) {
        worker *w = &pool->workers[i];
        if (w->process.pid && !w->is_busy && w->job == job)
            kill_worker(w);
    }
}

void ct_worker_pool_destroy(ct_worker_pool *pool) {
    if (!pool)
        return;
    ct_worker_pool_abort(pool);
    for (uint32_t i = 0; i < pool->num_workers; ++i) {
        if (pool->workers[i].process.pid)
            end_worker(&pool->workers[i]);
        ct_array_free(&pool->workers[i].request);
    }
    ct_allocator *a = pool->allocator;
    ct_free(a, pool->received);
    ct_free(a, pool->workers);
    ct_free(a, pool->worker_path);
    ct_free(a, pool);
}

uint32_t ct_worker_pool_num_started(const ct_worker_pool *pool) {
    return pool->num_started;
}

// --- Jobs ----------------------------------------------------------------------------------------

// A worker without a job, one that runs before one that must be started; NULL when all are busy.
static worker *idle_worker(const ct_worker_pool *pool) {
    worker *stopped = NULL;
    for (uint32_t i = 0; i < pool->num_workers; ++i) {
        worker *w = &pool->workers[i];
        if (w->process.pid && !w->is_busy)
            return w;
        if (!w->process.pid && !stopped)
            stopped = w;
    }
    return stopped;
}

bool ct_worker_pool_has_room(const ct_worker_pool *pool) {
    return idle_worker(pool) != NULL;
}

void ct_worker_pool_set_time_limit(ct_worker_pool *pool, double seconds) {
    pool->time_limit_seconds = seconds;
}

bool ct_worker_pool_is_busy(const ct_worker_pool *pool) {
    for (uint32_t i = 0; i < pool->num_workers; ++i)
        if (pool->workers[i].is_busy)
            return true;
    return false;
}

void ct_worker_pool_set_tick(ct_worker_pool *pool, void (*tick)(void *user), void *user) {
    pool->tick = tick;
    pool->tick_user = user;
}

bool ct_worker_pool_longest(const ct_worker_pool *pool, uint32_t *job, double *seconds) {
    const worker *longest = NULL;
    for (uint32_t i = 0; i < pool->num_workers; ++i) {
        const worker *w = &pool->workers[i];
        if (w->is_busy && (!longest || w->start_ns < longest->start_ns))
            longest = w;
    }
    if (!longest)
        return false;
    *job = longest->job;
    *seconds = (double)(ct_os_time_ns() - longest->start_ns) * 1e-9;
    return true;
}

// Sends the request. A worker that has ended meanwhile shows when its answer is waited for.
static void send_request(ct_worker_pool *pool, worker *w) {
    for (uint32_t sent = 0; sent < w->request.count;) {
        const int64_t count =
            ct_socket_send(w->socket, w->request.items + sent, w->request.count - sent);
        if (count < 0)
            break;
        sent += (uint32_t)count;
    }
    w->is_busy = true;
    w->start_ns = ct_os_time_ns();
    w->deadline_ns = w->start_ns + (uint64_t)(pool->time_limit_seconds * 1e9);
}

void ct_worker_pool_prepare(ct_worker_pool *pool) {
    for (uint32_t i = 0; i < pool->num_workers; ++i)
        if (pool->workers[i].process.pid)
            return;
    ct_error ignored = {0};
    start_worker(pool, &pool->workers[0], &ignored);
}

bool ct_worker_pool_submit(ct_worker_pool *pool, uint32_t job, const ct_byte_array *request,
                           ct_error *error) {
    worker *w = idle_worker(pool);
    CT_ASSERT(w, "all %u workers are busy", pool->num_workers);
    if (!w->process.pid && !start_worker(pool, w, error))
        return false;
    w->job = job;
    w->request.count = 0;
    ct_array_push_many(&w->request, request->items, request->count);
    send_request(pool, w);
    return true;
}

// --- Answers -------------------------------------------------------------------------------------

static const char *signal_name(int number) {
    static const char *const names[] = {
        [4] = "SIGILL",  [6] = "SIGABRT",  [7] = "SIGBUS",   [8] = "SIGFPE",
        [9] = "SIGKILL", [11] = "SIGSEGV", [15] = "SIGTERM",
    };
    const char *name = (uint32_t)number < CT_COUNT_OF(names) ? names[number] : NULL;
    return name ? name : "unknown";
}

static void describe_end(int exit_code, ct_error *error) {
    if (exit_code < 0)
        ct_error_set(error, "the worker process crashed with signal %d (%s) while compiling this",
                     -exit_code, signal_name(-exit_code));
    else
        ct_error_set(error, "the worker process ended with exit code %d while compiling this",
                     exit_code);
}

typedef enum job_state {
    JOB_STATE_RUNNING,
    JOB_STATE_ENDED,
    JOB_STATE_FAILED, // the run as a whole: no worker can be started
} job_state;

static job_state fail_job(ct_worker_outcome *outcome, const worker *w) {
    outcome->job = w->job;
    outcome->has_answer = false;
    return JOB_STATE_ENDED;
}

// The worker hung up without an answer: once more in a new one, unless it was new.
static job_state take_crash(ct_worker_pool *pool, worker *w, ct_worker_outcome *outcome,
                            ct_error *error) {
    const bool was_used = w->is_used;
    const int exit_code = end_worker(w);
    if (was_used) {
        if (!start_worker(pool, w, error))
            return JOB_STATE_FAILED;
        send_request(pool, w);
        return JOB_STATE_RUNNING;
    }
    describe_end(exit_code, &outcome->error);
    return fail_job(outcome, w);
}

static job_state take_timeout(const ct_worker_pool *pool, worker *w, ct_worker_outcome *outcome) {
    kill_worker(w);
    ct_error_set(&outcome->error, "compiling this took more than the limit of %g s and was stopped",
                 pool->time_limit_seconds);
    return fail_job(outcome, w);
}

// Receives what has come from a worker that is readable.
static job_state receive(ct_worker_pool *pool, worker *w, ct_worker_outcome *outcome,
                         ct_error *error) {
    if (!pool->received)
        pool->received = ct_alloc(pool->allocator, RECEIVE_BYTES);
    const int64_t count = ct_socket_receive(w->socket, pool->received, RECEIVE_BYTES);
    if (count < 0)
        return take_crash(pool, w, outcome, error);
    ct_message_reader_add(&w->reader, pool->received, (uint64_t)count);
    ct_error cause = {0};
    const ct_message_result result = ct_message_reader_next(&w->reader, &outcome->answer, &cause);
    if (result == CT_MESSAGE_RESULT_NONE)
        return JOB_STATE_RUNNING;
    if (result == CT_MESSAGE_RESULT_ERROR) {
        kill_worker(w);
        ct_error_set(&outcome->error, "the worker process sent what is no answer: %.800s",
                     cause.message);
        return fail_job(outcome, w);
    }
    outcome->job = w->job;
    outcome->has_answer = true;
    w->is_busy = false;
    w->is_used = true;
    return JOB_STATE_ENDED;
}

// Waits until some worker is readable or the first deadline has passed, or a moment to look whether
// the pool was cancelled.
static void wait_for_workers(const ct_worker_pool *pool, bool readable[MAX_WORKERS]) {
    int sockets[MAX_WORKERS];
    const uint64_t now_ns = ct_os_time_ns();
    uint64_t deadline_ns = now_ns + CANCEL_PERIOD_NS;
    for (uint32_t i = 0; i < pool->num_workers; ++i) {
        const worker *w = &pool->workers[i];
        sockets[i] = w->is_busy ? w->socket : -1;
        if (w->is_busy && w->deadline_ns < deadline_ns)
            deadline_ns = w->deadline_ns;
    }
    ct_socket_wait(sockets, pool->num_workers, readable,
                   deadline_ns > now_ns ? deadline_ns - now_ns : 0);
}

bool ct_worker_pool_next(ct_worker_pool *pool, ct_worker_outcome *outcome, ct_error *error) {
    CT_ASSERT(ct_worker_pool_is_busy(pool), "no worker has anything to do%s", "");
    *outcome = (ct_worker_outcome){0};
    for (;;) {
        if (atomic_load(&pool->is_cancelled))
            return ct_error_set(error, "compiling was cancelled");
        bool readable[MAX_WORKERS] = {false};
        wait_for_workers(pool, readable);
        if (pool->tick)
            pool->tick(pool->tick_user);
        for (uint32_t i = 0; i < pool->num_workers; ++i) {
            worker *w = &pool->workers[i];
            job_state state = JOB_STATE_RUNNING;
            if (w->is_busy && readable[i])
                state = receive(pool, w, outcome, error);
            if (state == JOB_STATE_RUNNING && w->is_busy && ct_os_time_ns() >= w->deadline_ns)
                state = take_timeout(pool, w, outcome);
            if (state != JOB_STATE_RUNNING)
                return state == JOB_STATE_ENDED;
        }
    }
}
