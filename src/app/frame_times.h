// frame_times.h: how long frames took: medians over the last CT_FRAME_TIMES_MAX frames.
//
// Three rings in one allocation, filled in step. Update thread.
#pragma once
#include "foundation/memory/allocator.h"

enum { CT_FRAME_TIMES_MAX = 65536, CT_FRAME_TIMES_SKIPPED = 10 };

typedef struct ct_frame_times {
    ct_allocator *allocator;
    float *frame_ms, *update_ms, *submit_ms; // rings of CT_FRAME_TIMES_MAX
    uint64_t num_frames;                     // ever added, those skipped included
} ct_frame_times;

void ct_frame_times_init(ct_frame_times *t, ct_allocator *a);
void ct_frame_times_shutdown(ct_frame_times *t);

// Adds a frame. The first CT_FRAME_TIMES_SKIPPED count as warm-up and are left out of the summary
// when more follow.
void ct_frame_times_add(ct_frame_times *t, double frame_ms, double update_ms, double submit_ms);

typedef struct ct_frame_times_summary {
    double frame_ms_median, frame_ms_worst, update_ms_median, submit_ms_median;
} ct_frame_times_summary;

ct_frame_times_summary ct_frame_times_summarize(const ct_frame_times *t);
