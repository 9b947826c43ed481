// time_step.h: turns measured frame times into the steps that a game advances by.
//
// The game chooses a policy:
// - variable: one step, as long as the last frame took;
// - smoothed: one step, an estimate of the next frame's length. Of the last 11 frames, the two
//   longest and two shortest are dropped, the other 7 are averaged, and the last step moves a
//   quarter of the way towards that mean;
// - fixed: steps of one length, as many as fit into the time that has passed (none in many frames
//   of a fast machine, several in a frame of a slow one); the remainder carries over to the next
//   frame and sets the interpolation factor;
// - locked: one step of a fixed length in each frame, however long the frame took. The same game on
//   every machine, in slow motion on a slow one. For tests and recordings.
//
// Smoothed steps and debt: a smoothed step ignores a single long frame, so the game clock falls
// behind the wall clock by the ignored time. Longer steps pay this debt back: a debt of d seconds
// lengthens each step by d / 1 s, but at least by 1 % (until the debt is paid) and at most by 4 %,
// so that a single long frame is hardly noticed and yet made up for within a few seconds. Only a
// debt of more than 0.2 s, which takes several long frames, lengthens steps by d - 0.2 s, up to
// 25 %. Any debt below half a second is therefore paid within 10 s. A game clock that is ahead
// shortens steps in the same way.
//
// The time cut off a frame that is longer than the limits is not a debt: the game skips it.
// From "Time Step Smoothing" (Bitsquid blog, 2010-10-18).
#pragma once
#include "foundation/types.h"

// How frame times become steps; see above.
typedef enum ct_time_step_policy {
    CT_TIME_STEP_POLICY_VARIABLE,
    CT_TIME_STEP_POLICY_SMOOTHED,
    CT_TIME_STEP_POLICY_FIXED,
    CT_TIME_STEP_POLICY_LOCKED,
    CT_TIME_STEP_NUM_POLICIES,
} ct_time_step_policy;

enum { CT_TIME_STEP_HISTORY = 11, CT_TIME_STEP_MAX_STEPS = 1000 };

// A zeroed struct is a valid variable step. To change the policy, start from a new struct.
typedef struct ct_time_step {
    ct_time_step_policy policy;
    double seconds;         // fixed, locked: length of a step; 0 means 1/60
    double longest_seconds; // variable, smoothed: longer frames are cut to this; 0 means 0.2
    uint32_t max_steps;     // fixed: limit for a frame, up to CT_TIME_STEP_MAX_STEPS; 0 means 8

    double dropped_seconds; // total time cut off
    double history[CT_TIME_STEP_HISTORY];
    uint32_t num_history;
    uint32_t next_history;
    double last_seconds;        // the last smoothed step, without the payback
    double debt_seconds;        // smoothed: wall clock minus game clock
    double accumulator_seconds; // fixed: time passed but not yet stepped; less than a step
} ct_time_step;

// What the game runs in a frame: `num_steps` updates of `step_seconds` each.
typedef struct ct_time_step_frame {
    uint32_t num_steps;
    double step_seconds;
    // Where the picture is between the state before the last update (0) and after it (1). Always
    // 1, except for fixed, where it is below 1.
    double interpolation;
} ct_time_step_frame;

// Takes the wall time of the last frame, in seconds, and returns the updates of the next one.
ct_time_step_frame ct_time_step_advance(ct_time_step *t, double frame_seconds);

// Returns "variable", "smoothed", "fixed" or "locked".
const char *ct_time_step_policy_name(ct_time_step_policy policy);

// Sets `policy` to the policy with this name. For any other text, returns false and leaves `policy`
// unchanged.
bool ct_time_step_policy_named(const char *name, ct_time_step_policy *policy);
