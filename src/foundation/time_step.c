#include "foundation/time_step.h"

#include <math.h>
#include <string.h>

#include "foundation/error.h"

enum { NUM_OUTLIERS = 2 }; // dropped at each end

static const double default_longest_seconds = 0.1;
static const double lerp_factor = 0.25;
static const double payback_seconds = 1.0 / 3; // the debt falls to 1/e in this time
static const double largest_payback = 0.04;    // of the step

static void remember(ct_time_step *t, double seconds) {
    t->history[t->next_history] = seconds;
    t->next_history = (t->next_history + 1) % CT_TIME_STEP_HISTORY;
    if (t->num_history < CT_TIME_STEP_HISTORY)
        ++t->num_history;
}

// The mean of the remembered frames without the longest and shortest; fewer are dropped while the
// history is short, so that one is always left.
static double typical_seconds(const ct_time_step *t) {
    double sorted[CT_TIME_STEP_HISTORY];
    for (uint32_t i = 0; i < t->num_history; ++i) {
        uint32_t at = i;
        for (; at > 0 && sorted[at - 1] > t->history[i]; --at)
            sorted[at] = sorted[at - 1];
        sorted[at] = t->history[i];
    }
    const uint32_t most = (t->num_history - 1) / 2;
    const uint32_t dropped = most < NUM_OUTLIERS ? most : NUM_OUTLIERS;
    double sum = 0;
    for (uint32_t i = dropped; i < t->num_history - dropped; ++i)
        sum += sorted[i];
    return sum / (t->num_history - 2 * dropped);
}

static double smoothed_step(ct_time_step *t, double frame_seconds) {
    const bool is_first = t->num_history == 0;
    remember(t, frame_seconds);
    const double typical = typical_seconds(t);
    t->last_seconds =
        is_first ? typical : t->last_seconds + (typical - t->last_seconds) * lerp_factor;
    // Wall time passes by the frame, so the debt is that of the frame that has just ended.
    t->debt_seconds += frame_seconds;
    const double step = t->last_seconds;
    const double owed = t->debt_seconds - step;
    const double most = step * largest_payback;
    const double payback = fmin(fmax(owed * step / payback_seconds, -most), most);
    t->debt_seconds = owed - payback;
    return step + payback;
}

double ct_time_step_advance(ct_time_step *t, double frame_seconds) {
    CT_ASSERT(isfinite(frame_seconds) && frame_seconds >= 0, "a frame took %g s", frame_seconds);
    const double longest = t->longest_seconds > 0 ? t->longest_seconds : default_longest_seconds;
    const double seconds = fmin(frame_seconds, longest);
    switch (t->policy) {
    case CT_TIME_STEP_POLICY_FIXED:
        return t->fixed_seconds;
    case CT_TIME_STEP_POLICY_SMOOTHED:
        return smoothed_step(t, seconds);
    case CT_TIME_STEP_POLICY_VARIABLE:
        break;
    }
    return seconds;
}
