// log.h: the interface "log": messages to terminal, log file and tools; and the end of the
// program for broken invariants.
#ifndef CUTTLE_LOG_H
#define CUTTLE_LOG_H
#include <cuttle/types.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CUTTLE_LOG_API "log"

#if defined(__GNUC__)
#define CUTTLE_PRINTF(text, first) __attribute__((__format__(__printf__, text, first)))
#else
#define CUTTLE_PRINTF(text, first)
#endif

// Any thread. Messages carry the plugin's name as their system. Formats are printf's.
typedef struct cuttle_log_api_1 {
    void (*debug)(cuttle_plugin *self, const char *format, ...) CUTTLE_PRINTF(2, 3);
    void (*info)(cuttle_plugin *self, const char *format, ...) CUTTLE_PRINTF(2, 3);
    // Logs a warning or an error with an id ("no_wind") by which users and tests find it. The same
    // warning is shown once.
    void (*warning)(cuttle_plugin *self, const char *id, const char *format, ...)
        CUTTLE_PRINTF(3, 4);
    void (*error)(cuttle_plugin *self, const char *id, const char *format, ...) CUTTLE_PRINTF(3, 4);
    // Logs an error with its place.
    void (*report)(cuttle_plugin *self, const cuttle_error *error);
    // Fills `error` (NULL is fine) with a message, without a place. Always returns false.
    bool (*set_error)(cuttle_error *error, const char *format, ...) CUTTLE_PRINTF(2, 3);
    // Ends the program with a crash report that names the plugin. For broken invariants only.
    void (*fail)(cuttle_plugin *self, const char *format, ...) CUTTLE_PRINTF(2, 3);
    // Begins a context ("spawning", "a flock of 100") that crash reports and errors show. Returns
    // what `leave` takes. The texts are borrowed until then. Of this thread.
    uint32_t (*enter)(const char *what, const char *name);
    void (*leave)(uint32_t entered);
} cuttle_log_api_1;

#ifdef __cplusplus
}
#endif
#endif
