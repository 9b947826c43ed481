// run_times.h: what the frames of a run took: milliseconds of each scope, and allocations.
//
// For `cuttle run --times`. Frames before the end of the warm-up do not count, nor what the last one
// allocates.
#pragma once
#include <stdatomic.h>

#include "app/app.h"
#include "foundation/memory/allocation_counts.h"
#include "foundation/profiler/profiler_follower.h"
#include "foundation/profiler/profiler_times.h"
#include "foundation/sjson/sjson_writer.h"

enum { CT_RUN_TIMES_KEPT_FRAMES = 64 };

// A frame that allocated.
typedef struct ct_run_times_frame {
    uint64_t number; // from 1
    uint64_t num_blocks;
} ct_run_times_frame;

typedef struct ct_run_times {
    ct_allocator *allocator; // proxy, whose own allocations do not count
    uint32_t num_warm_up;    // frames
    ct_app_hooks inner;
    ct_profiler_follower follower;
    ct_profiler_times times;     // the follower's thread's
    _Atomic uint64_t end_number; // frames from this one on are none of the loop's
    // Of the update thread:
    uint64_t num_frames;     // that began
    uint64_t num_allocating; // frames after the warm-up that allocated
    ct_run_times_frame allocating[CT_RUN_TIMES_KEPT_FRAMES]; // ring: the last of them
    uint64_t most_blocks;                                    // that were counted
    ct_allocation_counts first;                              // at the end of the warm-up
    ct_allocation_counts last;                               // at the beginning of this frame
} ct_run_times;

// Begins to record. The hooks to give to ct_app_run are `ct_run_times_hooks`, which also do what
// `inner` does. Lives where it is until ct_run_times_free, after ct_profiler_shutdown.
void ct_run_times_start(ct_run_times *t, ct_allocator *a, uint32_t num_warm_up,
                        const ct_app_hooks *inner);
ct_app_hooks ct_run_times_hooks(ct_run_times *t);

// Ends recording: what follows can be asked then.
void ct_run_times_stop(ct_run_times *t);

// Frees a zeroed one, too, that was never started.
void ct_run_times_free(ct_run_times *t);

// Prints the table to standard output; writes its members into an object that is open.
void ct_run_times_print(const ct_run_times *t);
void ct_run_times_write(const ct_run_times *t, ct_sjson_writer *w);
