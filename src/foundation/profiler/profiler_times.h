// profiler_times.h: how long each scope took in a frame, over many frames.
//
// Scopes with the same name inside the same scope are one, also when they are of several threads of
// the same name. A scope counts in the frame in which it ends. One thread at a time.
#pragma once
#include "foundation/container/hash_map.h"
#include "foundation/profiler/profiler_store.h"

// A scope, or (where `parent` is 0) the thread it is of. Names live as long as the process.
typedef struct ct_profiler_times_scope {
    const char *name;
    uint32_t parent, first_child, last_child, next; // places; 0: none
    uint64_t num_calls;
    uint64_t ticks;       // in all frames
    uint64_t worst_ticks; // of the frame in which it took longest
    uint64_t frame_ticks; // of the frame in hand
} ct_profiler_times_scope;

// A scope that a thread has entered and not left.
typedef struct ct_profiler_times_open {
    uint32_t scope;
    uint64_t enter_ticks;
} ct_profiler_times_open;

typedef struct ct_profiler_times_thread {
    uint32_t scope; // of the thread's name
    CT_ARRAY(ct_profiler_times_open) open;
} ct_profiler_times_thread;

typedef struct ct_profiler_times {
    ct_allocator *allocator;
    CT_ARRAY(ct_profiler_times_scope) scopes; // 0 has the threads as children
    CT_ARRAY(ct_profiler_times_thread) threads;
    ct_hash_map thread_places;   // from a thread's number to its place in `threads`, from 1
    uint64_t first_frame_number; // those before do not count
    uint64_t last_sequence;      // of the frame added last; 0: none
    uint64_t num_frames;
} ct_profiler_times;

// Frames from `first_frame_number` (as ct_profiler_end_frame had it) on count.
void ct_profiler_times_init(ct_profiler_times *t, ct_allocator *a, uint64_t first_frame_number);
void ct_profiler_times_free(ct_profiler_times *t);

// Adds a frame. Where frames are missing before it, open scopes are forgotten.
void ct_profiler_times_add(ct_profiler_times *t, const ct_profiler_frame *frame);

// Milliseconds that a scope took in a frame: the mean over all frames, and the most.
double ct_profiler_times_mean_ms(const ct_profiler_times *t, uint32_t scope);
double ct_profiler_times_worst_ms(const ct_profiler_times *t, uint32_t scope);

// The scopes in the order in which they were first entered, each before what it has inside: begin
// with 0; 0 at the end. `depth` follows: 0 is a thread.
uint32_t ct_profiler_times_next(const ct_profiler_times *t, uint32_t scope, uint32_t *depth);
