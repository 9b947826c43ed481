#include "render/device/render_recovery.h"

#include <stdio.h>

#include "foundation/error.h"
#include "foundation/log.h"
#include "foundation/os/os.h"
#include "render/device/vulkan_guard.h"

#define FIRST_PAUSE_NS 10000000ull // four times as long with each try: 3.4 s together
#define SURFACE_RETRY_PERIOD_NS 500000000ull

// --- The device ----------------------------------------------------------------------------------

static void fail(ct_render_state *s, const ct_error *error) {
    ct_render_state_drop(s);
    s->has_failed = true;
    ct_render_state_refuse_screenshots(s);
    ct_render_state_clear_frame(s);
    atomic_store(&s->frames.completed, s->frame);
    ct_log_error("render", "device_not_recovered",
                 "the graphics device was lost, and %d tries did not restore it: %s",
                 (int)CT_RENDER_MOST_TRIES,
                 error->message[0] ? error->message : ct_vulkan_guard_reason());
}

static void remake_device(ct_render_state *s) {
    ct_error error = {0};
    do {
        // Another loss may have another reason.
        ct_log_warning("render", "device_lost", "the graphics device was lost in frame %llu: %s",
                       (unsigned long long)s->frame, ct_vulkan_guard_reason());
        if (s->num_tries == CT_RENDER_MOST_TRIES) {
            fail(s, &error);
            return;
        }
        ct_render_state_drop(s);
        if (s->num_tries != 0)
            ct_os_sleep_ns(FIRST_PAUSE_NS << 2 * (s->num_tries - 1));
        ++s->num_tries;
        error = (ct_error){0};
    } while (!ct_render_state_restore(s, &error));
    s->lost_frame = s->frame;
    s->wants |= CT_RENDER_WANT_RESOURCES;
}

// --- The surface ---------------------------------------------------------------------------------

static void want_surface(ct_render_state *s) {
    if (ct_os_time_ns() < s->surface_retry_ns)
        return;
    ct_render_swapchain_drop(&s->swapchain);
    ct_render_device_drop_surface(&s->device);
    s->wants |= CT_RENDER_WANT_SURFACE;
}

static void take_surface(ct_render_state *s, uint64_t surface) {
    s->swapchain.is_surface_lost = !ct_render_device_set_surface(&s->device, surface);
    if (s->swapchain.is_surface_lost) {
        s->surface_retry_ns = ct_os_time_ns() + SURFACE_RETRY_PERIOD_NS;
        ct_log_warning("render", "no_surface",
                       "the window's surface was lost, and there is no new one yet");
    } else {
        ct_log_info("render", "the window's surface was lost and recreated");
    }
}

// --- Both ----------------------------------------------------------------------------------------

void ct_render_recover(ct_render_state *s) {
    if (s->has_failed)
        return;
    if (ct_render_device_is_lost())
        remake_device(s);
    else if (ct_render_frames_completed(&s->frames) >= s->lost_frame)
        s->num_tries = 0;
    if (s->swapchain.is_surface_lost && !s->has_failed)
        want_surface(s);
}

ct_render_stats ct_render_recovery_take(ct_render_state *s, uint64_t surface,
                                        const ct_render_stream *resources) {
    const uint32_t wants = s->wants;
    s->wants = 0;
    if (wants & CT_RENDER_WANT_SURFACE)
        take_surface(s, surface);
    // Before the first frame, whose stream brings all that came.
    if (!(wants & CT_RENDER_WANT_RESOURCES) || s->frame == 0)
        return s->draws.stats;
    const ct_render_stats stats = ct_render_state_redraw(s, resources);
    if (!ct_render_device_is_lost())
        ct_log_info("render", "the graphics device was recreated, with all resources");
    return stats;
}
