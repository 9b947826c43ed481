// frame_times.h: medians of the times of the last CT_FRAME_TIMES_MAX frames.
//
// Three rings in one allocation of 768 KiB, filled in step. Update thread.
#pragma once
#include "foundation/memory/allocator.h"

enum { CT_FRAME_TIMES_MAX = 65536, CT_FRAME_TIMES_SKIPPED = 10 };

typedef struct ct_frame_times {
    ct_allocator *allocator;
    float *frame_ms, *update_ms, *submit_ms; // rings of CT_FRAME_TIMES_MAX
    uint64_t num_frames;                     // ever added, those skipped included
} ct_frame_times;

// Starts without frames. Allocates the rings from `a`.
void ct_frame_times_init(ct_frame_times *t, ct_allocator *a);

// Frees the rings.
void ct_frame_times_shutdown(ct_frame_times *t);

// Adds a frame, in milliseconds. The first CT_FRAME_TIMES_SKIPPED are warm-up: the summary leaves
// them out when more follow.
void ct_frame_times_add(ct_frame_times *t, double frame_ms, double update_ms, double submit_ms);

// Writes the times of the last frames to three arrays of `most` (at most CT_FRAME_TIMES_MAX), the
// oldest first, and returns how many there are.
uint32_t ct_frame_times_last(const ct_frame_times *t, uint32_t most, float *frame_ms,
                             float *update_ms, float *submit_ms);

// Times of the kept frames, in milliseconds.
typedef struct ct_frame_times_summary {
    double frame_ms_median, frame_ms_worst, update_ms_median, submit_ms_median;
} ct_frame_times_summary;

// Returns the medians and the worst of the frames that are kept, in milliseconds; all 0 without
// frames. Sorts copies: some milliseconds, for the end of a run.
ct_frame_times_summary ct_frame_times_summarize(const ct_frame_times *t);
