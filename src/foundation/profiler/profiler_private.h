// profiler_private.h: code shared by the files of the profiler.
#pragma once
#include <stdatomic.h>

#include "foundation/profiler/profiler.h"

// --- A lock --------------------------------------------------------------------------------------

// A lock for short pieces of work, at most once a frame. A ct_mutex would need initialisation, and
// would report its own waits to the profiler.
typedef struct ct_profiler_lock {
    atomic_flag is_taken;
} ct_profiler_lock;

// Take and release a lock; a thread that finds it taken sleeps a microsecond at a time.
void ct_profiler_lock_take(ct_profiler_lock *lock);
void ct_profiler_lock_release(ct_profiler_lock *lock);

// --- Threads (profiler_threads.c) ----------------------------------------------------------------

// The events of a thread since they were last collected: pieces of its chunks.
typedef struct ct_profiler_thread_mark {
    uint32_t record;        // of the thread
    uint32_t num_events;    // up to `end`
    ct_profiler_event *end; // where the thread was about to write when it was looked at
    bool has_ended;         // it will write no more
} ct_profiler_thread_mark;

enum { CT_PROFILER_MAX_THREADS = 256 };

// Call these three with recording's lock held, from the thread that collects.

// Checks how far each thread has written; returns how many threads have written something or ended.
uint32_t ct_profiler_threads_mark(ct_profiler_thread_mark marks[CT_PROFILER_MAX_THREADS]);

// Copies the events up to a mark to `events` (NULL: drops them) and frees their chunks.
void ct_profiler_threads_take(const ct_profiler_thread_mark *mark, ct_profiler_event *events);

// Returns the name of the thread of a mark, and sets its number; before the mark is taken.
const char *ct_profiler_threads_name(const ct_profiler_thread_mark *mark, uint32_t *number);

// Discards everything written so far; new events belong to a new recording.
void ct_profiler_threads_restart(void);

// Makes threads that end release their records. Call it before anything is written.
void ct_profiler_threads_init(void);

// Take and release recording's lock; threads that end take it too.
void ct_profiler_threads_lock(void);
void ct_profiler_threads_unlock(void);

// Returns how many scopes, counters and ranges threads dropped since the recording began. Any
// thread.
uint64_t ct_profiler_threads_num_dropped(void);

// Records a counter as ct_profiler_counter does, at another time, and whether recording is on or
// not.
void ct_profiler_counter_at(const char *name, uint64_t ticks, double value);
