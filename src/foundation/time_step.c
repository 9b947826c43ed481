#include "foundation/time_step.h"

#include <math.h>
#include <string.h>

#include "foundation/error.h"

enum { NUM_OUTLIERS = 2 }; // dropped at each end

static const double default_seconds = 1.0 / 60;
static const double default_longest_seconds = 0.2;
static const uint32_t default_max_steps = 8;
static const double lerp_factor = 0.25;
// Parts of the step by which a debt lengthens it, for each second of debt.
static const double least_payback = 0.01, usual_payback = 0.04, largest_payback = 0.25;
static const double large_debt_seconds = 0.2; // more than a single long frame leaves

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

// Returns how much a step of `step` seconds is lengthened when the game clock owes `owed` seconds.
static double payback_of(double owed, double step) {
    const double debt = fabs(owed);
    const double usual = fmin(fmax(debt, least_payback), usual_payback);
    const double large = fmin(debt - large_debt_seconds, largest_payback);
    return copysign(fmin(fmax(usual, large) * step, debt), owed);
}

static double smoothed_step(ct_time_step *t, double frame_seconds) {
    const bool is_first = t->num_history == 0;
    remember(t, frame_seconds);
    const double typical = typical_seconds(t);
    t->last_seconds =
        is_first ? typical : t->last_seconds + (typical - t->last_seconds) * lerp_factor;
    // Wall time advances by frames, so the debt belongs to the frame that just ended.
    const double step = t->last_seconds;
    const double owed = t->debt_seconds + frame_seconds - step;
    const double payback = payback_of(owed, step);
    t->debt_seconds = owed - payback;
    return step + payback;
}

static ct_time_step_frame one_step(double seconds) {
    return (ct_time_step_frame){.num_steps = 1, .step_seconds = seconds, .interpolation = 1};
}

static ct_time_step_frame fixed_steps(ct_time_step *t, double step, double frame_seconds) {
    const uint32_t max_steps = t->max_steps != 0 ? t->max_steps : default_max_steps;
    const double passed = t->accumulator_seconds + frame_seconds;
    // Does not wait for a tiny part of a step that is missing only by rounding.
    const double whole = floor(passed / step + 1e-9);
    const uint32_t num_steps = whole < max_steps ? (uint32_t)whole : max_steps;
    t->accumulator_seconds = fmax(passed - whole * step, 0);
    t->dropped_seconds += (whole - num_steps) * step;
    return (ct_time_step_frame){.num_steps = num_steps,
                                .step_seconds = step,
                                .interpolation = fmin(t->accumulator_seconds / step, 1)};
}

// Cuts a frame that is too long.
static double cut_frame(ct_time_step *t, double frame_seconds) {
    const double longest = t->longest_seconds > 0 ? t->longest_seconds : default_longest_seconds;
    const double seconds = fmin(frame_seconds, longest);
    t->dropped_seconds += frame_seconds - seconds;
    return seconds;
}

ct_time_step_frame ct_time_step_advance(ct_time_step *t, double frame_seconds) {
    CT_ASSERT(isfinite(frame_seconds) && frame_seconds >= 0, "a frame took %g s", frame_seconds);
    CT_ASSERT(t->seconds >= 0 && t->max_steps <= CT_TIME_STEP_MAX_STEPS,
              "invalid time step: %g s, at most %u steps in a frame", t->seconds, t->max_steps);
    const double step = t->seconds > 0 ? t->seconds : default_seconds;
    switch (t->policy) {
    case CT_TIME_STEP_POLICY_LOCKED:
        return one_step(step);
    case CT_TIME_STEP_POLICY_FIXED:
        return fixed_steps(t, step, frame_seconds);
    case CT_TIME_STEP_POLICY_SMOOTHED:
        return one_step(smoothed_step(t, cut_frame(t, frame_seconds)));
    default:
        return one_step(cut_frame(t, frame_seconds));
    }
}

static const char *const policy_names[CT_TIME_STEP_NUM_POLICIES] = {"variable", "smoothed", "fixed",
                                                                    "locked"};

const char *ct_time_step_policy_name(ct_time_step_policy policy) {
    return policy_names[policy];
}

bool ct_time_step_policy_named(const char *name, ct_time_step_policy *policy) {
    for (uint32_t i = 0; i < CT_COUNT_OF(policy_names); ++i) {
        if (strcmp(policy_names[i], name) == 0) {
            *policy = (ct_time_step_policy)i;
            return true;
        }
    }
    return false;
}
