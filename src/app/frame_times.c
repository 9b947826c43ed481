#include "app/frame_times.h"

#include "foundation/container/sort.h"

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

static uint32_t num_kept(const ct_frame_times *t) {
    uint64_t count = t->num_frames;
    if (count > CT_FRAME_TIMES_SKIPPED)
        count -= CT_FRAME_TIMES_SKIPPED;
    return (uint32_t)(count < CT_FRAME_TIMES_MAX ? count : CT_FRAME_TIMES_MAX);
}

uint32_t ct_frame_times_last(const ct_frame_times *t, uint32_t most, float *frame_ms,
                             float *update_ms, float *submit_ms) {
    const uint32_t kept = num_kept(t), count = kept < most ? kept : most;
    const uint64_t skipped =
        t->num_frames <= CT_FRAME_TIMES_SKIPPED ? 0 : (uint64_t)CT_FRAME_TIMES_SKIPPED;
    for (uint32_t i = 0; i < count; ++i) {
        const uint64_t place = (t->num_frames - skipped - count + i) % CT_FRAME_TIMES_MAX;
        frame_ms[i] = t->frame_ms[place];
        update_ms[i] = t->update_ms[place];
        submit_ms[i] = t->submit_ms[place];
    }
    return count;
}

// The median and the largest of `count` > 0 values.
typedef struct middle_and_most {
    double median, most;
} middle_and_most;

static middle_and_most summarize(ct_allocator *scratch, const float *values, uint32_t count) {
    uint32_t *const keys = CT_NEW_ARRAY(scratch, uint32_t, count);
    uint32_t *const order = CT_NEW_ARRAY(scratch, uint32_t, count);
    for (uint32_t i = 0; i < count; ++i)
        keys[i] = ct_sort_key_of_float(values[i]);
    ct_sort_order32(keys, order, count, scratch);
    // With an odd count both are the same.
    const double low = values[order[(count - 1) / 2]], high = values[order[count / 2]];
    const middle_and_most result = {0.5 * (low + high), values[order[count - 1]]};
    ct_free_sized(scratch, order, sizeof(*order) * count);
    ct_free_sized(scratch, keys, sizeof(*keys) * count);
    return result;
}

ct_frame_times_summary ct_frame_times_summarize(const ct_frame_times *t) {
    ct_frame_times_summary summary = {0};
    const uint32_t count = num_kept(t);
    if (count == 0)
        return summary;
    const middle_and_most frame = summarize(t->allocator, t->frame_ms, count);
    summary.frame_ms_median = frame.median;
    summary.frame_ms_worst = frame.most;
    summary.update_ms_median = summarize(t->allocator, t->update_ms, count).median;
    summary.submit_ms_median = summarize(t->allocator, t->submit_ms, count).median;
    return summary;
}
