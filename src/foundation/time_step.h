// time_step.h: from measured frame times to the step that a game advances by.
//
// Fixed gives always the same step; variable what the last frame took; smoothed drops the two
// longest and two shortest of the last 11 frames, takes the mean of the other 7, moves the last
// step a quarter of the way towards it, and pays back over later frames what the game clock owes
// the wall clock: a third of a second's share of the debt, at most 4 % of the step, so that a
// single long frame is hardly seen and yet made up for in about a second. From "Time Step
// Smoothing" (Bitsquid blog, 2010-10-18).
#pragma once
#include "foundation/types.h"

typedef enum ct_time_step_policy {
    CT_TIME_STEP_POLICY_VARIABLE,
    CT_TIME_STEP_POLICY_FIXED,
    CT_TIME_STEP_POLICY_SMOOTHED,
} ct_time_step_policy;

enum { CT_TIME_STEP_HISTORY = 11 };

// A zeroed struct is a valid variable step.
typedef struct ct_time_step {
    ct_time_step_policy policy;
    double fixed_seconds;   // policy FIXED: the step
    double longest_seconds; // steps are cut to this; 0 means 0.1
    double history[CT_TIME_STEP_HISTORY];
    uint32_t num_history;
    uint32_t next_history;
    double last_seconds; // the last smoothed step
    double debt_seconds; // wall clock minus game clock
} ct_time_step;

// Takes the wall time of the last frame and returns the step for the next, in seconds.
double ct_time_step_advance(ct_time_step *t, double frame_seconds);
