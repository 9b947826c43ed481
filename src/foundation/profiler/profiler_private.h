// profiler_private.h: what the files of the profiler share.
#pragma once
#include <stdatomic.h>

#include "foundation/profiler/profiler.h"

// --- A lock --------------------------------------------------------------------------------------

// For short pieces of work that happen once a frame or less. A ct_mutex would need a beginning, and
// would report its own waits to the profiler.
typedef struct ct_profiler_lock {
    atomic_flag is_taken;
} ct_profiler_lock;

// Takes and releases a lock; a thread that finds it taken sleeps a microsecond at a time.
void ct_profiler_lock_take(ct_profiler_lock *lock);
void ct_profiler_lock_release(ct_profiler_lock *lock);

// --- Threads (profiler_threads.c) ----------------------------------------------------------------

// What a thread wrote since it was last collected: pieces of its chunks.
typedef struct ct_profiler_thread_mark {
    uint32_t record;        // of the thread
    uint32_t num_events;    // up to `end`
    ct_profiler_event *end; // where it stood when it was looked at
    bool has_ended;         // and will write no more
} ct_profiler_thread_mark;

enum { CT_PROFILER_MAX_THREADS = 256 };

// The three are called with recording's lock held, by whoever collects.

// Looks how far each thread has written; returns how many have written something or ended.
uint32_t ct_profiler_threads_mark(ct_profiler_thread_mark marks[CT_PROFILER_MAX_THREADS]);

// Copies the events up to a mark to `events` (NULL: drops them) and gives their chunks back.
void ct_profiler_threads_take(const ct_profiler_thread_mark *mark, ct_profiler_event *events);

// Name and number of the thread of a mark, before it is taken.
const char *ct_profiler_threads_name(const ct_profiler_thread_mark *mark, uint32_t *number);

// Throws away all that was written; then new events belong to a new recording.
void ct_profiler_threads_restart(void);

// Makes threads that end give their records back. Before anything is written.
void ct_profiler_threads_init(void);

// Recording's lock: threads that end take it too.
void ct_profiler_threads_lock(void);
void ct_profiler_threads_unlock(void);

// Returns how many scopes, counters and ranges threads dropped since the recording began. Any
// thread.
uint64_t ct_profiler_threads_num_dropped(void);

// As ct_profiler_counter, of another moment and whether recording is on or not.
void ct_profiler_counter_at(const char *name, uint64_t ticks, double value);
