// render_timing.h: measures device time of a frame's steps for the profiler.
//
// While the profiler is on, time stamps are written around each step. They are read when the
// frame's slot is used again (the device is done with it then) and go to the profiler's track
// "gpu". VK_EXT_calibrated_timestamps maps device time to processor time. Without it, the mapping
// follows from two facts: a frame begins after its submission, and ends before the processor sees
// its end.
//
// A CPU driver finishes each step before it can stamp the next, on cores that the game needs too,
// so there only every 16th frame is measured. Render thread.
#pragma once
#include "render/device/render_context.h"

enum { CT_RENDER_TIMING_MAX_SCOPES = 128 }; // in a frame; more are not measured

typedef struct ct_render_timing_slot {
    VkQueryPool pool; // two queries for each scope; made when first needed
    uint32_t num_scopes;
    const char *names[CT_RENDER_TIMING_MAX_SCOPES];
    int64_t submit_ns;
} ct_render_timing_slot;

typedef struct ct_render_timing {
    ct_render_context *context;
    ct_render_timing_slot slots[CT_RENDER_FRAMES_IN_FLIGHT];
    ct_render_timing_slot *slot; // of the frame being recorded; NULL: it is not measured
    uint32_t frame_scope;
    // The same moment by the device's clock and by ct_os_time_ns.
    bool has_moment;
    uint64_t device_time;
    int64_t ns;
} ct_render_timing;

// Starts without query pools; the first measured frame makes them. `c` must outlive it.
void ct_render_timing_init(ct_render_timing *t, ct_render_context *c);

// Destroys everything made on the device, which must be idle. The next measured frame makes it
// again.
void ct_render_timing_drop(ct_render_timing *t);

// Call right after the recording of a frame in slot `position` (below CT_RENDER_FRAMES_IN_FLIGHT)
// began. Reports the frame that used the slot before, which the device has finished, to the
// profiler, and begins to measure when the profiler is on.
void ct_render_timing_begin_frame(ct_render_timing *t, uint32_t position);

// Call right before the recording of the frame ends.
void ct_render_timing_end_frame(ct_render_timing *t);

// Begins a scope and returns its number from 1, for ct_render_timing_leave; 0 when it is not
// measured. `name` must live as long as the process.
uint32_t ct_render_timing_enter(ct_render_timing *t, const char *name);

// Ends the scope of this number; 0 does nothing.
void ct_render_timing_leave(ct_render_timing *t, uint32_t scope);
