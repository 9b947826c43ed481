// profiler_times.h: how long each scope took in a frame, over many frames.
//
// Scopes with the same name inside the same scope count as one, even when they belong to several
// threads of the same name. A scope counts in the frame in which it ends. One thread at a time.
#pragma once
#include "foundation/container/hash_map.h"
#include "foundation/profiler/profiler_store.h"

// A scope, or (where `parent` is 0) the thread it belongs to. Names live as long as the process.
typedef struct ct_profiler_times_scope {
    const char *name;
    uint32_t parent, first_child, last_child, next; // indices into `scopes`; 0 means none
    uint64_t num_calls;
    uint64_t ticks;       // in all frames
    uint64_t worst_ticks; // in the frame in which it took longest
    uint64_t frame_ticks; // in the current frame
} ct_profiler_times_scope;

// A scope that a thread has entered and not left.
typedef struct ct_profiler_times_open {
    uint32_t scope;
    uint64_t enter_ticks;
} ct_profiler_times_open;

typedef struct ct_profiler_times_thread {
    uint32_t scope; // for the thread's name
    CT_ARRAY(ct_profiler_times_open) open;
} ct_profiler_times_thread;

typedef struct ct_profiler_times {
    ct_allocator *allocator;
    CT_ARRAY(ct_profiler_times_scope) scopes; // scope 0 has the threads as children
    CT_ARRAY(ct_profiler_times_thread) threads;
    ct_hash_map thread_places;   // from a thread's number to its place in `threads`, from 1
    uint64_t first_frame_number; // earlier frames do not count
    uint64_t last_sequence;      // of the frame added last; 0: no frame yet
    uint64_t num_frames;
} ct_profiler_times;

// Starts the statistics. Frames count from number `first_frame_number` on (as given to
// ct_profiler_end_frame).
void ct_profiler_times_init(ct_profiler_times *t, ct_allocator *a, uint64_t first_frame_number);
void ct_profiler_times_free(ct_profiler_times *t);

// Adds a frame. If frames are missing before it, open scopes are forgotten.
void ct_profiler_times_add(ct_profiler_times *t, const ct_profiler_frame *frame);

// Return the milliseconds that a scope took in a frame: the mean over all frames, and the maximum.
double ct_profiler_times_mean_ms(const ct_profiler_times *t, uint32_t scope);
double ct_profiler_times_worst_ms(const ct_profiler_times *t, uint32_t scope);

// Walks the scopes in the order in which they were first entered, each before those inside it:
// begin with 0; returns 0 at the end. Sets `depth`; 0 is a thread.
uint32_t ct_profiler_times_next(const ct_profiler_times *t, uint32_t scope, uint32_t *depth);
