// profiler_follower.h: records, and has a thread of its own see every frame.
//
// The thread looks some fifty times a second, so that a game is not held up by what is done with
// its frames. When that is too slow, frames are lost and counted.
#pragma once
#include "foundation/os/os.h"
#include "foundation/profiler/profiler_store.h"

typedef struct ct_profiler_follower {
    void (*see)(void *user, const ct_profiler_frame *frame); // on the follower's thread
    void *user;
    ct_thread thread;
    ct_mutex mutex;
    ct_condition wake;
    bool should_stop;          // under the mutex
    ct_profiler_reader reader; // the thread's
} ct_profiler_follower;

// Begins to record with the next frame. `a` must be safe from any thread and is kept until
// ct_profiler_shutdown; the follower stays where it is until it ends.
void ct_profiler_follower_start(ct_profiler_follower *f, ct_allocator *a, const char *thread_name,
                                void (*see)(void *user, const ct_profiler_frame *frame),
                                void *user);

// Ends it when all frames are seen; returns how many were missed.
uint64_t ct_profiler_follower_stop(ct_profiler_follower *f);
