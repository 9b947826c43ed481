// render_timing.h: how long the device takes for what a frame records, for the profiler.
//
// While the profiler is on, time stamps are written around each step; they are read when the
// frame's slot comes round again (the device is done with it then) and go to the profiler's track
// "gpu". Device time is mapped to ours by VK_EXT_calibrated_timestamps; without it, by what must be
// true: a frame begins after it was submitted and ends before that was seen.
//
// A CPU driver finishes each step before it can stamp the next, on cores that the game wants too:
// there only every 16th frame is measured. Render thread.
#pragma once
#include "render/device/render_context.h"

enum { CT_RENDER_TIMING_MAX_SCOPES = 64 }; // in a frame; more are not measured

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

void ct_render_timing_init(ct_render_timing *t, ct_render_context *c);

// Destroys what lies on the device, which must be idle; it comes again when needed.
void ct_render_timing_drop(ct_render_timing *t);

// Right after the recording of a frame in slot `position` began: tells the profiler of the frame
// that was there before, which the device has finished.
void ct_render_timing_begin_frame(ct_render_timing *t, uint32_t position);

// Right before it ends.
void ct_render_timing_end_frame(ct_render_timing *t);

// Around what is to be measured: a number from 1 goes from one to the other; 0 is not measured.
// `name` lives as long as the process.
uint32_t ct_render_timing_enter(ct_render_timing *t, const char *name);
void ct_render_timing_leave(ct_render_timing *t, uint32_t scope);
