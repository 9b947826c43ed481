// run_times.h: the costs of the frames of a run: milliseconds of each scope, and allocations.
//
// For `cuttle run --times`. Frames of the warm-up do not count, and neither do allocations of the
// last frame.
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
    _Atomic uint64_t end_number; // frames from this one on do not belong to the loop
    // Of the update thread:
    uint64_t num_frames;     // that began
    uint64_t num_allocating; // frames after the warm-up that allocated
    ct_run_times_frame allocating[CT_RUN_TIMES_KEPT_FRAMES]; // ring: the last of them
    uint64_t most_blocks;                                    // that were counted
    ct_allocation_counts first;                              // at the end of the warm-up
    ct_allocation_counts last;                               // at the beginning of this frame
} ct_run_times;

// Begins to record. Pass ct_run_times_hooks to ct_app_run; they also call `inner` (borrowed for the
// call). `t` must not move until ct_run_times_free, which comes after ct_profiler_shutdown.
void ct_run_times_start(ct_run_times *t, ct_allocator *a, uint32_t num_warm_up,
                        const ct_app_hooks *inner);

// Returns the hooks for ct_app_run. They borrow `t`.
ct_app_hooks ct_run_times_hooks(ct_run_times *t);

// Ends recording. Call it before the table is printed or written.
void ct_run_times_stop(ct_run_times *t);

// Frees everything; a zeroed struct that was never started is fine.
void ct_run_times_free(ct_run_times *t);

// Prints the table of scopes and allocations to standard output.
void ct_run_times_print(const ct_run_times *t);

// Writes the members `warm_up`, `times` and `allocations` into an open object.
void ct_run_times_write(const ct_run_times *t, ct_sjson_writer *w);
