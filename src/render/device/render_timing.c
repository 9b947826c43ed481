#include "render/device/render_timing.h"

#include "foundation/os/os.h"
#include "foundation/profiler/profiler.h"

enum { NUM_QUERIES = 2 * CT_RENDER_TIMING_MAX_SCOPES, CPU_PERIOD = 16 };

void ct_render_timing_init(ct_render_timing *t, ct_render_context *c) {
    *t = (ct_render_timing){.context = c};
}

void ct_render_timing_drop(ct_render_timing *t) {
    const ct_render_device *const d = t->context->device;
    for (uint32_t i = 0; i < CT_RENDER_FRAMES_IN_FLIGHT; ++i)
        if (t->slots[i].pool)
            d->vk.DestroyQueryPool(d->handle, t->slots[i].pool, &d->callbacks);
    *t = (ct_render_timing){.context = t->context};
}

// --- From the device's time to ours --------------------------------------------------------------

// Nanoseconds of our clock. The device's counter may have fewer than 64 bits, and wrap.
static int64_t ns_of(const ct_render_timing *t, uint64_t device_time) {
    const ct_render_device *const d = t->context->device;
    const uint32_t unused_bits = 64 - d->timestamp_bits;
    const int64_t since = (int64_t)((device_time - t->device_time) << unused_bits) >> unused_bits;
    return t->ns + (int64_t)((double)since * (double)d->limits.timestampPeriod);
}

static bool ask_device(ct_render_timing *t) {
    const ct_render_device *const d = t->context->device;
    const VkCalibratedTimestampInfoEXT infos[] = {
        {.sType = VK_STRUCTURE_TYPE_CALIBRATED_TIMESTAMP_INFO_EXT,
         .timeDomain = VK_TIME_DOMAIN_DEVICE_EXT},
        {.sType = VK_STRUCTURE_TYPE_CALIBRATED_TIMESTAMP_INFO_EXT,
         .timeDomain = VK_TIME_DOMAIN_CLOCK_MONOTONIC_EXT}};
    uint64_t times[2], deviation;
    if (d->vk.GetCalibratedTimestampsEXT(d->handle, 2, infos, times, &deviation) != VK_SUCCESS)
        return false;
    t->device_time = times[0];
    t->ns = (int64_t)times[1];
    return true;
}

// Moves the mapping as far as it must be for this frame to lie between its submission and now.
static void fit_moment(ct_render_timing *t, const ct_render_timing_slot *slot,
                       const uint64_t frame[2]) {
    if (!t->has_moment) {
        t->device_time = frame[0];
        t->ns = slot->submit_ns;
    }
    const int64_t late = ns_of(t, frame[1]) - (int64_t)ct_os_time_ns();
    if (late > 0)
        t->ns -= late;
    const int64_t early = slot->submit_ns - ns_of(t, frame[0]);
    if (early > 0)
        t->ns += early;
}

// --- Frames --------------------------------------------------------------------------------------

static void tell_profiler(ct_render_timing *t, ct_render_timing_slot *slot) {
    const ct_render_device *const d = t->context->device;
    uint64_t times[NUM_QUERIES];
    const uint32_t num_scopes = slot->num_scopes;
    slot->num_scopes = 0;
    if (num_scopes == 0 || !ct_profiler_is_on())
        return;
    const VkResult result =
        d->vk.GetQueryPoolResults(d->handle, slot->pool, 0, 2 * num_scopes, sizeof(times), times,
                                  sizeof(times[0]), VK_QUERY_RESULT_64_BIT);
    if (result != VK_SUCCESS)
        return;
    if (!d->has_calibrated_clock || !ask_device(t))
        fit_moment(t, slot, times);
    t->has_moment = true;
    for (uint32_t i = 0; i < num_scopes; ++i) {
        const int64_t begin_ns = ns_of(t, times[2 * i]), end_ns = ns_of(t, times[2 * i + 1]);
        if (end_ns >= begin_ns)
            ct_profiler_range("gpu", slot->names[i], ct_profiler_ticks_of_ns(begin_ns),
                              ct_profiler_ticks_of_ns(end_ns));
    }
}

static void create_pool(const ct_render_device *d, ct_render_timing_slot *slot) {
    const VkQueryPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                        .queryType = VK_QUERY_TYPE_TIMESTAMP,
                                        .queryCount = NUM_QUERIES};
    ct_render_check(d->vk.CreateQueryPool(d->handle, &info, &d->callbacks, &slot->pool),
                    "vkCreateQueryPool");
}

void ct_render_timing_begin_frame(ct_render_timing *t, uint32_t position) {
    const ct_render_device *const d = t->context->device;
    ct_render_timing_slot *const slot = &t->slots[position];
    tell_profiler(t, slot);
    t->slot = NULL;
    const bool is_due = !d->is_cpu || t->context->frame % CPU_PERIOD == 1;
    if (!ct_profiler_is_on() || d->timestamp_bits == 0 || !is_due)
        return;
    if (!slot->pool)
        create_pool(d, slot);
    d->vk.CmdResetQueryPool(t->context->commands, slot->pool, 0, NUM_QUERIES);
    t->slot = slot;
    t->frame_scope = ct_render_timing_enter(t, "gpu frame");
}

void ct_render_timing_end_frame(ct_render_timing *t) {
    if (!t->slot)
        return;
    ct_render_timing_leave(t, t->frame_scope);
    t->slot->submit_ns = (int64_t)ct_os_time_ns();
}

// --- Scopes --------------------------------------------------------------------------------------

// Written when all before it is done.
static void write_time(ct_render_timing *t, uint32_t query) {
    t->context->device->vk.CmdWriteTimestamp2(
        t->context->commands, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, t->slot->pool, query);
}

uint32_t ct_render_timing_enter(ct_render_timing *t, const char *name) {
    if (!t->slot || t->slot->num_scopes == CT_RENDER_TIMING_MAX_SCOPES)
        return 0;
    const uint32_t scope = t->slot->num_scopes++;
    t->slot->names[scope] = name;
    write_time(t, 2 * scope);
    return scope + 1;
}

void ct_render_timing_leave(ct_render_timing *t, uint32_t scope) {
    if (scope != 0)
        write_time(t, 2 * (scope - 1) + 1);
}
