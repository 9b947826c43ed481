// profiler_follower.h: records, and passes every frame to a function on a thread of its own.
//
// The thread looks about fifty times a second, so that processing the frames does not hold up the
// game. When it is too slow, frames are lost and counted.
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
    ct_profiler_reader reader; // used by the thread
} ct_profiler_follower;

// Begins to record with the next frame. `a` must be safe from any thread and is kept until
// ct_profiler_shutdown. The follower must not move until it is stopped.
void ct_profiler_follower_start(ct_profiler_follower *f, ct_allocator *a, const char *thread_name,
                                void (*see)(void *user, const ct_profiler_frame *frame),
                                void *user);

// Ends the follower after it has seen all frames; returns how many it missed.
uint64_t ct_profiler_follower_stop(ct_profiler_follower *f);
