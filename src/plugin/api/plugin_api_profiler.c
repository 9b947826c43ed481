#include "foundation/profiler/profiler.h"
#include "plugin/plugin_interfaces.h"

// Names are the library's: the profiler may keep them for longer.
static bool enter(const char *name) {
    return ct_profiler_is_on() && ct_profiler_enter(ct_profiler_name(name));
}

static void leave(bool entered) {
    ct_profiler_leave(entered);
}

static void counter(const char *name, double value) {
    if (ct_profiler_is_on())
        ct_profiler_counter(ct_profiler_name(name), value);
}

const cuttle_profiler_api_1 ct_plugin_profiler_api_1 = {
    .enter = enter,
    .leave = leave,
    .counter = counter,
};
