// time_step.h: from measured frame times to the steps that a game advances by.
//
// The game chooses a policy:
// - variable: one step, as long as the last frame took;
// - smoothed: one step, a guess at how long the next frame will take. The two longest and two
//   shortest of the last 11 frames are dropped, the mean of the other 7 is taken, and the last step
//   moves a quarter of the way towards it;
// - fixed: steps of one length, as many as fit into the time that has passed (none in many frames
//   of a fast machine, several in one of a slow machine); what is left waits for the next frame and
//   shows in the interpolation factor;
// - locked: one step of one length in each frame, however long that took: the same game on every
//   machine, in slow motion on a slow one. For tests and recordings.
//
// How smoothed pays its debt: the smoothed step does not see a single long frame, so the game clock
// falls behind the wall clock by what was not seen. This debt is paid back by longer steps: a debt
// of d seconds lengthens each by d / 1 s, at least by 1 % (until it is paid) and at most by 4 %, so
// that a single long frame is hardly seen and yet made up for in a few seconds. Only a debt of more
// than 0.2 s, which takes several long frames, lengthens steps by d - 0.2 s, to 25 %. So any debt
// below half a second is paid in 10 s. A game clock that is ahead shortens steps likewise.
//
// What is cut off a frame that is longer than the limits is no debt: the game stands still for it.
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
    double seconds;         // fixed, locked: a step; 0 means 1/60
    double longest_seconds; // variable, smoothed: frames are cut to this; 0 means 0.2
    uint32_t max_steps;     // fixed: the most in a frame, to CT_TIME_STEP_MAX_STEPS; 0 means 8

    double dropped_seconds; // cut off, in all
    double history[CT_TIME_STEP_HISTORY];
    uint32_t num_history;
    uint32_t next_history;
    double last_seconds;        // the last smoothed step, without what was paid back
    double debt_seconds;        // smoothed: wall clock minus game clock
    double accumulator_seconds; // fixed: passed, but not stepped yet; less than a step
} ct_time_step;

// What the game does in a frame: `num_steps` updates by `step_seconds` each.
typedef struct ct_time_step_frame {
    uint32_t num_steps;
    double step_seconds;
    // Where the picture lies between the state before the last update (0) and after it (1). 1 for
    // all policies but fixed, where it is below 1.
    double interpolation;
} ct_time_step_frame;

// Takes the wall time of the last frame, in seconds, and returns what the game does in the next
// one.
ct_time_step_frame ct_time_step_advance(ct_time_step *t, double frame_seconds);

// "variable", "smoothed", "fixed" or "locked".
const char *ct_time_step_policy_name(ct_time_step_policy policy);

// Sets `policy` to the one of this name. For any other text returns false and sets nothing.
bool ct_time_step_policy_named(const char *name, ct_time_step_policy *policy);
