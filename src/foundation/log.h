// log.h: what the engine says, to whoever listens.
//
// A message has a level, a system ("render", "lua") and one or more lines of text, of which it keeps
// CT_LOG_MAX_BYTES and says how many bytes it cut. Sinks (terminal,
// file, console) get every message, in order, under one lock. Any thread may log. What is logged
// before ct_log_init or after ct_log_shutdown goes to standard error.
#pragma once
#include "foundation/types.h"

// How urgent a message is.
typedef enum ct_log_level {
    CT_LOG_LEVEL_NONE,
    CT_LOG_LEVEL_DEBUG,
    CT_LOG_LEVEL_INFO,
    CT_LOG_LEVEL_WARNING,
    CT_LOG_LEVEL_ERROR,
} ct_log_level;

// A listener. Called with the log locked, from the thread that logged; must not log itself. The
// strings are borrowed for the call. A message may hold zero bytes: ct_log_bytes_of_message says
// where it ends.
typedef struct ct_log_sink {
    void (*write)(void *user, ct_log_level level, const char *system, const char *message);
    void *user;
    ct_log_level least; // messages below this level are not sent
} ct_log_sink;

// Where in a script a message comes from. Strings are borrowed for the call.
typedef struct ct_log_place {
    const char *script;    // path of the source
    uint32_t line;         // from 1
    const char *traceback; // of an error, which the message ends with; or NULL
} ct_log_place;

enum {
    CT_LOG_TOLD_PER_SECOND = 20,  // of one id
    CT_LOG_MAX_BYTES = 64 * 1024, // of a message, and the note that it was cut
};

// Starts the log with no sink, and ends it. On the main thread, after memory and before it ends.
void ct_log_init(ct_allocator *a);
void ct_log_shutdown(void);

// Adds a sink (a copy is kept; at most 16 at once); removes the sink with this function and user.
void ct_log_add_sink(const ct_log_sink *sink);
void ct_log_remove_sink(void (*write)(void *, ct_log_level, const char *, const char *),
                        void *user);

// A sink that writes to standard error, in colour when that is a terminal. It and files show
// control characters but line ends and tabs, and what is no UTF-8, as ct_utf8_write_printable
// tells; other sinks get messages as they are.
ct_log_sink ct_log_terminal_sink(ct_log_level least);

// Opens `path` (emptied) as a sink; returns false with `error` when it cannot be written. Closed by
// ct_log_shutdown.
bool ct_log_add_file_sink(const char *path, ct_log_level least, ct_error *error);

// Logs a message.
void ct_log_debug(const char *system, const char *format, ...) CT_PRINTF(2, 3);
void ct_log_info(const char *system, const char *format, ...) CT_PRINTF(2, 3);

// Logs an error with a stable `id` ("shader_refused"), by which tests and users name it; sinks see
// `message [id]`. It is sent every time.
void ct_log_error(const char *system, const char *id, const char *format, ...) CT_PRINTF(3, 4);

// Logs a warning with a stable `id` ("unknown_component"), by which tests and users name it; sinks
// see `message [id]`. Told once per cause: later warnings with the same id and text are counted,
// not sent (memory is bounded: after 4,096 different warnings each is told anew). Of one id with
// ever new texts CT_LOG_TOLD_PER_SECOND are told each second; the rest is counted, and told as one
// `… 120 more [id]` with the first message after that second.
void ct_log_warning(const char *system, const char *id, const char *format, ...) CT_PRINTF(3, 4);

// Logs an error that may come without end, such as those of a tool's scripts. It has the rate of
// `id` as warnings do, but is told again when it comes again, and does not show its id itself. All
// count as errors.
void ct_log_error_limited(const char *system, const char *id, const char *format, ...)
    CT_PRINTF(3, 4);

// How often a warning or an error with this id came since the start of the log, those included that
// were not sent. Each id costs an entry of a hash map.
uint64_t ct_log_warning_count(const char *id);
uint64_t ct_log_error_count_of(const char *id);

// Logs a message whose level is known at run time only.
void ct_log_message(ct_log_level level, const char *system, const char *message);

// As above, of a message of `bytes` bytes, zero bytes included; with the place in a script that it
// comes from, or NULL.
void ct_log_message_from(ct_log_level level, const char *system, const char *message,
                         uint64_t bytes, const ct_log_place *place);

// For sinks, as they write: where the message comes from, or NULL; and how long it is.
const ct_log_place *ct_log_place_of_message(void);
uint32_t ct_log_bytes_of_message(void);

// Logs `error` with its place as an error of `system`.
void ct_log_report(const char *system, const ct_error *error);

// The same as a warning, without an id and without a count of those before it: for what somebody
// else tells once.
void ct_log_report_warning(const char *system, const ct_error *warning);

// The number of errors logged since the start, with and without an id.
uint64_t ct_log_error_count(void);

// "debug", "info", "warning", "error"; as the console protocol names them.
const char *ct_log_level_name(ct_log_level level);
