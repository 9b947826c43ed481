#include "app/frame_times.h"

#include <stdlib.h>
#include <string.h>

void ct_frame_times_init(ct_frame_times *t, ct_allocator *a) {
    *t = (ct_frame_times){.allocator = a};
    t->frame_ms = CT_NEW_ARRAY(a, float, CT_FRAME_TIMES_MAX * 3);
    t->update_ms = t->frame_ms + CT_FRAME_TIMES_MAX;
    t->submit_ms = t->update_ms + CT_FRAME_TIMES_MAX;
}

void ct_frame_times_shutdown(ct_frame_times *t) {
    ct_free_sized(t->allocator, t->frame_ms, sizeof(float) * CT_FRAME_TIMES_MAX * 3);
    *t = (ct_frame_times){0};
}

void ct_frame_times_add(ct_frame_times *t, double frame_ms, double update_ms, double submit_ms) {
    // The warm-up frames' places are taken again by those that follow.
    const uint64_t skipped = t->num_frames < CT_FRAME_TIMES_SKIPPED ? 0 : CT_FRAME_TIMES_SKIPPED;
    const uint64_t place = (t->num_frames - skipped) % CT_FRAME_TIMES_MAX;
    t->frame_ms[place] = (float)frame_ms;
    t->update_ms[place] = (float)update_ms;
    t->submit_ms[place] = (float)submit_ms;
    ++t->num_frames;
}

static int compare_floats(const void *a, const void *b) {
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static uint32_t num_kept(const ct_frame_times *t) {
    uint64_t count = t->num_frames;
    if (count > CT_FRAME_TIMES_SKIPPED)
        count -= CT_FRAME_TIMES_SKIPPED;
    return (uint32_t)(count < CT_FRAME_TIMES_MAX ? count : CT_FRAME_TIMES_MAX);
}

// The median of `count` > 0 values; `scratch` holds as many.
static double median(const float *values, float *scratch, uint32_t count) {
    memcpy(scratch, values, sizeof(float) * count);
    qsort(scratch, count, sizeof(float), compare_floats);
    return count % 2 != 0 ? scratch[count / 2]
                          : 0.5 * ((double)scratch[count / 2 - 1] + (double)scratch[count / 2]);
}

ct_frame_times_summary ct_frame_times_summarize(const ct_frame_times *t) {
    ct_frame_times_summary summary = {0};
    const uint32_t count = num_kept(t);
    if (count == 0)
        return summary;
    float *scratch = CT_NEW_ARRAY(t->allocator, float, count);
    summary.update_ms_median = median(t->update_ms, scratch, count);
    summary.submit_ms_median = median(t->submit_ms, scratch, count);
    summary.frame_ms_median = median(t->frame_ms, scratch, count);
    summary.frame_ms_worst = scratch[count - 1];
    ct_free_sized(t->allocator, scratch, sizeof(float) * count);
    return summary;
}
