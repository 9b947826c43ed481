#include "compiler/driver/compiler_workers.h"

#include <stdatomic.h>

#include "compiler/protocol/compiler_protocol.h"
#include "foundation/os/os.h"

enum {
    RECEIVE_BYTES = 1 << 20,
    MAX_WORKERS = CT_SOCKET_WAIT_MAX,
    // Of a worker that may be asked for more, so that it need not wait for the driver.
    MAX_UNANSWERED = 8,
};
static const uint64_t CANCEL_PERIOD_NS = 50000000;
static const uint64_t END_TIMEOUT_NS = 2000000000; // for a worker whose socket has ended

typedef struct worker {
    ct_process process; // pid 0: not running
    int socket;
    ct_message_reader reader;
    bool is_used;                   // has answered before
    bool is_closed;                 // its jobs may take long: no more wait behind them
    bool has_tables;                // had a job of CT_WORKER_NEED_TABLES
    ct_u32_array jobs;              // as they were asked for
    uint32_t num_answered;          // of them
    uint64_t start_ns, deadline_ns; // of the first that is not answered
} worker;

struct ct_worker_pool {
    ct_allocator *allocator;
    char *worker_path;
    uint32_t num_workers;
    double time_limit_seconds;
    worker *workers;
    worker *last;      // whose answer was given out last; NULL: none
    ct_u32_array lost; // jobs that must be asked for again
    char *received;    // RECEIVE_BYTES
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
        ct_array_init(&pool->workers[i].jobs, a);
    ct_array_init(&pool->lost, a);
    return pool;
}

static uint32_t num_unanswered(const worker *w) {
    return w->jobs.count - w->num_answered;
}

static bool start_worker(ct_worker_pool *pool, worker *w, ct_error *error) {
    const char *const arguments[] = {pool->worker_path, NULL};
    int socket = -1;
    w->process =
        ct_process_start(&(ct_process_desc){.arguments = arguments, .socket = &socket}, error);
    if (w->process.pid == 0)
        return false;
    w->socket = socket;
    w->is_used = w->has_tables = false;
    ct_socket_set_blocking(socket, true);
    ct_message_reader_init(&w->reader, pool->allocator, CT_WORKER_MAX_MESSAGE_BYTES);
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
    w->jobs.count = w->num_answered = 0;
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
        if (num_unanswered(&pool->workers[i]) > 0)
            kill_worker(&pool->workers[i]);
    pool->lost.count = 0;
}

// Has the jobs that a worker will not answer asked for again.
static void lose_jobs(ct_worker_pool *pool, const worker *w) {
    ct_array_push_many(&pool->lost, w->jobs.items + w->num_answered, num_unanswered(w));
}

void ct_worker_pool_reject(ct_worker_pool *pool) {
    if (!pool->last || !pool->last->process.pid)
        return;
    lose_jobs(pool, pool->last);
    kill_worker(pool->last);
}

void ct_worker_pool_destroy(ct_worker_pool *pool) {
    if (!pool)
        return;
    ct_worker_pool_abort(pool);
    for (uint32_t i = 0; i < pool->num_workers; ++i) {
        if (pool->workers[i].process.pid)
            end_worker(&pool->workers[i]);
        ct_array_free(&pool->workers[i].jobs);
    }
    ct_allocator *const a = pool->allocator;
    ct_array_free(&pool->lost);
    ct_free(a, pool->received);
    ct_free(a, pool->workers);
    ct_free(a, pool->worker_path);
    ct_free(a, pool);
}

// --- Jobs ----------------------------------------------------------------------------------------

// Which of two workers is the better one to ask, lower first: one that runs and has nothing to do,
// one that must be started, then by how much they have to do.
static uint32_t rank(const worker *w) {
    return !w->process.pid ? 1 : num_unanswered(w) == 0 ? 0 : 1 + num_unanswered(w);
}

// What that is to a job that is quicker in a worker with tables.
static uint32_t rank_for(const worker *w, ct_worker_need need) {
    const bool would_make_tables = !w->process.pid || !w->has_tables;
    return need == CT_WORKER_NEED_TABLES && would_make_tables ? UINT32_MAX / 2 + rank(w) : rank(w);
}

static bool can_take(const worker *w, ct_worker_need need) {
    if (num_unanswered(w) == 0)
        return true;
    return need == CT_WORKER_NEED_ANY && !w->is_closed && num_unanswered(w) <= MAX_UNANSWERED;
}

// NULL when none can take more.
static worker *find_worker(const ct_worker_pool *pool, ct_worker_need need) {
    worker *best = NULL;
    for (uint32_t i = 0; i < pool->num_workers; ++i) {
        worker *const w = &pool->workers[i];
        if (can_take(w, need) && (!best || rank_for(w, need) < rank_for(best, need)))
            best = w;
    }
    return best;
}

uint32_t ct_worker_pool_size(const ct_worker_pool *pool) {
    return pool->num_workers;
}

bool ct_worker_pool_has_room(const ct_worker_pool *pool, ct_worker_need need) {
    return find_worker(pool, need) != NULL;
}

bool ct_worker_pool_are_tables_taken(const ct_worker_pool *pool) {
    bool result = false;
    for (uint32_t i = 0; i < pool->num_workers; ++i) {
        const worker *const w = &pool->workers[i];
        const bool has_tables = w->process.pid && w->has_tables;
        if (has_tables && num_unanswered(w) == 0)
            return false;
        result |= has_tables;
    }
    return result;
}

void ct_worker_pool_set_time_limit(ct_worker_pool *pool, double seconds) {
    pool->time_limit_seconds = seconds;
}

bool ct_worker_pool_is_busy(const ct_worker_pool *pool) {
    for (uint32_t i = 0; i < pool->num_workers; ++i)
        if (num_unanswered(&pool->workers[i]) > 0)
            return true;
    return pool->lost.count > 0;
}

void ct_worker_pool_set_tick(ct_worker_pool *pool, void (*tick)(void *user), void *user) {
    pool->tick = tick;
    pool->tick_user = user;
}

bool ct_worker_pool_longest(const ct_worker_pool *pool, uint32_t *job, double *seconds) {
    const worker *longest = NULL;
    for (uint32_t i = 0; i < pool->num_workers; ++i) {
        const worker *const w = &pool->workers[i];
        if (num_unanswered(w) > 0 && (!longest || w->start_ns < longest->start_ns))
            longest = w;
    }
    if (!longest)
        return false;
    *job = longest->jobs.items[longest->num_answered];
    *seconds = (double)(ct_os_time_ns() - longest->start_ns) * 1e-9;
    return true;
}

// Lets the time of the first job that is not answered begin.
static void start_clock(const ct_worker_pool *pool, worker *w) {
    w->start_ns = ct_os_time_ns();
    w->deadline_ns = w->start_ns + (uint64_t)(pool->time_limit_seconds * 1e9);
}

// A worker that has ended meanwhile shows when its answer is waited for.
static void send_request(const worker *w, const ct_byte_array *request) {
    for (uint32_t sent = 0; sent < request->count;) {
        const int64_t count =
            ct_socket_send(w->socket, request->items + sent, request->count - sent);
        if (count < 0)
            break;
        sent += (uint32_t)count;
    }
}

void ct_worker_pool_prepare(ct_worker_pool *pool, uint32_t num_jobs) {
    const uint32_t wanted = (num_jobs + MAX_UNANSWERED - 1) / MAX_UNANSWERED;
    ct_error ignored = {0};
    for (uint32_t i = 0; i < pool->num_workers && i < wanted; ++i)
        if (!pool->workers[i].process.pid && !start_worker(pool, &pool->workers[i], &ignored))
            return;
}

bool ct_worker_pool_submit(ct_worker_pool *pool, ct_worker_need need, const uint32_t *jobs,
                           uint32_t count, const ct_byte_array *request, ct_error *error) {
    worker *w = find_worker(pool, need);
    CT_ASSERT(w, "all %u workers are busy", pool->num_workers);
    if (w->process.pid && w->is_used && need == CT_WORKER_NEED_NEW)
        end_worker(w);
    if (!w->process.pid && !start_worker(pool, w, error))
        return false;
    if (num_unanswered(w) == 0) {
        w->jobs.count = w->num_answered = 0;
        start_clock(pool, w);
    }
    w->is_closed = need != CT_WORKER_NEED_ANY;
    w->has_tables |= need == CT_WORKER_NEED_TABLES;
    ct_array_push_many(&w->jobs, jobs, count);
    send_request(w, request);
    return true;
}

// --- Answers -------------------------------------------------------------------------------------

static const char *signal_name(int number) {
    static const char *const names[] = {
        [4] = "SIGILL",  [6] = "SIGABRT",  [7] = "SIGBUS",   [8] = "SIGFPE",
        [9] = "SIGKILL", [11] = "SIGSEGV", [15] = "SIGTERM",
    };
    const char *const name = (uint32_t)number < CT_COUNT_OF(names) ? names[number] : NULL;
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

// The job that a worker was at.
static void blame_first(ct_worker_outcome *outcome, const worker *w) {
    outcome->job = w->jobs.items[w->num_answered];
}

// The worker hung up. Only one that was new and had one job says whose fault it was.
static bool take_crash(ct_worker_pool *pool, worker *w, ct_worker_outcome *outcome) {
    const bool is_clear = !w->is_used && num_unanswered(w) == 1;
    if (is_clear)
        blame_first(outcome, w);
    else
        lose_jobs(pool, w);
    const int exit_code = end_worker(w);
    if (is_clear)
        describe_end(exit_code, &outcome->error);
    return is_clear;
}

static bool take_timeout(ct_worker_pool *pool, worker *w, ct_worker_outcome *outcome) {
    const bool is_clear = num_unanswered(w) == 1;
    if (is_clear)
        blame_first(outcome, w);
    else
        lose_jobs(pool, w);
    kill_worker(w);
    if (is_clear)
        ct_error_set(&outcome->error,
                     "compiling this took more than the limit of %g s and was stopped",
                     pool->time_limit_seconds);
    return is_clear;
}

static void take_garbage(ct_worker_pool *pool, worker *w, const ct_error *cause,
                         ct_worker_outcome *outcome) {
    blame_first(outcome, w);
    ++w->num_answered;
    lose_jobs(pool, w);
    kill_worker(w);
    ct_error_set(&outcome->error, "the worker process sent an invalid answer: %.800s",
                 cause->message);
}

// Takes an answer that has come already. False when none is whole.
static bool take_message(ct_worker_pool *pool, worker *w, ct_worker_outcome *outcome) {
    ct_error cause = {0};
    const ct_message_result result = ct_message_reader_next(&w->reader, &outcome->answer, &cause);
    if (result == CT_MESSAGE_RESULT_NONE)
        return false;
    if (result == CT_MESSAGE_RESULT_ERROR) {
        take_garbage(pool, w, &cause, outcome);
        return true;
    }
    outcome->job = w->jobs.items[w->num_answered++];
    outcome->has_answer = true;
    w->is_used = true;
    pool->last = w;
    start_clock(pool, w);
    return true;
}

// What there is without waiting: jobs that were lost, answers that have come.
static bool take_what_is_there(ct_worker_pool *pool, ct_worker_outcome *outcome) {
    if (pool->lost.count > 0) {
        outcome->job = pool->lost.items[--pool->lost.count];
        outcome->is_lost = true;
        return true;
    }
    for (uint32_t i = 0; i < pool->num_workers; ++i) {
        worker *const w = &pool->workers[i];
        if (num_unanswered(w) > 0 && take_message(pool, w, outcome))
            return true;
    }
    return false;
}

// Receives what has come from a worker that is readable. True with an outcome when it hung up.
static bool receive(ct_worker_pool *pool, worker *w, ct_worker_outcome *outcome) {
    if (!pool->received)
        pool->received = ct_alloc(pool->allocator, RECEIVE_BYTES);
    const int64_t count = ct_socket_receive(w->socket, pool->received, RECEIVE_BYTES);
    if (count < 0)
        return take_crash(pool, w, outcome);
    ct_message_reader_add(&w->reader, pool->received, (uint64_t)count);
    return false;
}

// Waits until some worker is readable or the first deadline has passed, or a moment to look whether
// the pool was cancelled.
static void wait_for_workers(const ct_worker_pool *pool, bool readable[MAX_WORKERS]) {
    int sockets[MAX_WORKERS];
    const uint64_t now_ns = ct_os_time_ns();
    uint64_t deadline_ns = now_ns + CANCEL_PERIOD_NS;
    for (uint32_t i = 0; i < pool->num_workers; ++i) {
        const worker *const w = &pool->workers[i];
        const bool is_busy = num_unanswered(w) > 0;
        sockets[i] = is_busy ? w->socket : -1;
        if (is_busy && w->deadline_ns < deadline_ns)
            deadline_ns = w->deadline_ns;
    }
    ct_socket_wait(sockets, pool->num_workers, readable,
                   deadline_ns > now_ns ? deadline_ns - now_ns : 0);
}

// Receives from all that are readable, and stops those that take too long. True with an outcome
// when that ended a job.
static bool attend(ct_worker_pool *pool, const bool readable[MAX_WORKERS],
                   ct_worker_outcome *outcome) {
    for (uint32_t i = 0; i < pool->num_workers; ++i) {
        worker *const w = &pool->workers[i];
        if (num_unanswered(w) == 0)
            continue;
        if (readable[i] && (receive(pool, w, outcome) ||
                            (num_unanswered(w) > 0 && take_message(pool, w, outcome))))
            return true;
        if (num_unanswered(w) > 0 && ct_os_time_ns() >= w->deadline_ns &&
            take_timeout(pool, w, outcome))
            return true;
    }
    return false;
}

bool ct_worker_pool_next(ct_worker_pool *pool, ct_worker_outcome *outcome, ct_error *error) {
    CT_ASSERT(ct_worker_pool_is_busy(pool), "no worker has anything to do%s", "");
    *outcome = (ct_worker_outcome){0};
    for (;;) {
        if (atomic_load(&pool->is_cancelled))
            return ct_error_set(error, "compiling was cancelled");
        if (take_what_is_there(pool, outcome))
            return true;
        bool readable[MAX_WORKERS] = {false};
        wait_for_workers(pool, readable);
        if (pool->tick)
            pool->tick(pool->tick_user);
        if (attend(pool, readable, outcome))
            return true;
    }
}
