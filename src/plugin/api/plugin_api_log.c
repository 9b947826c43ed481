#include <stdarg.h>
#include <stdio.h>

#include "foundation/crash/crash_guard.h"
#include "foundation/log.h"
#include "plugin/plugin_interfaces.h"
#include "plugin/plugin_private.h"

enum { MESSAGE_BYTES = 4096 };

#define FORMAT(text, format)                                                                       \
    char text[MESSAGE_BYTES];                                                                      \
    va_list list;                                                                                  \
    va_start(list, format);                                                                        \
    vsnprintf(text, sizeof(text), format, list);                                                   \
    va_end(list)

static void debug(cuttle_plugin *self, const char *format, ...) {
    FORMAT(text, format);
    ct_log_debug(self->name, "%s", text);
}

static void info(cuttle_plugin *self, const char *format, ...) {
    FORMAT(text, format);
    ct_log_info(self->name, "%s", text);
}

static void warning(cuttle_plugin *self, const char *id, const char *format, ...) {
    FORMAT(text, format);
    ct_log_warning(self->name, id ? id : "", "%s", text);
}

static void error(cuttle_plugin *self, const char *id, const char *format, ...) {
    FORMAT(text, format);
    ct_log_error(self->name, id ? id : "", "%s", text);
}

static void report(cuttle_plugin *self, const cuttle_error *what) {
    ct_error own = {0};
    ct_plugin_error_from(&own, what);
    ct_log_report(self->name, &own);
}

static bool set_error(cuttle_error *target, const char *format, ...) {
    FORMAT(text, format);
    ct_error own = {0};
    ct_error_set(&own, "%s", text);
    return ct_plugin_error_to(target, &own);
}

static void fail(cuttle_plugin *self, const char *format, ...) {
    FORMAT(text, format);
    ct_crash_guard_end(text);
    CT_FAIL("no broken invariant in a plugin", "%s: %s", self->name, text);
}

static uint32_t enter(const char *what, const char *name) {
    return ct_error_context_push(what, name);
}

static void leave(uint32_t entered) {
    ct_error_context_restore(&entered);
}

const cuttle_log_api_1 ct_plugin_log_api_1 = {
    .debug = debug,
    .info = info,
    .warning = warning,
    .error = error,
    .report = report,
    .set_error = set_error,
    .fail = fail,
    .enter = enter,
    .leave = leave,
};
