// log.h: the engine's messages, sent to all sinks.
//
// A message has a level, a system ("render", "lua") and one or more lines of text. The log keeps
// the first CT_LOG_MAX_BYTES of it and adds how many bytes it cut. Sinks (terminal, file, console)
// get every message, in order, under one lock. Any thread may log. Messages before ct_log_init or
// after ct_log_shutdown go to standard error.
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

// A listener. It is called with the log locked, from the thread that logged, and must not log
// itself. The strings are borrowed for the call. A message may hold zero bytes;
// ct_log_bytes_of_message returns its length.
typedef struct ct_log_sink {
    void (*write)(void *user, ct_log_level level, const char *system, const char *message);
    void *user;
    ct_log_level least; // messages below this level are not sent
} ct_log_sink;

// Where in a script a message comes from. Strings are borrowed for the call.
typedef struct ct_log_place {
    const char *script;    // path of the source
    uint32_t line;         // starts at 1
    const char *traceback; // of an error: the end of its message; or NULL
} ct_log_place;

enum {
    CT_LOG_TOLD_PER_SECOND = 20,  // messages of one id
    CT_LOG_MAX_BYTES = 64 * 1024, // of a message, with the note that it was cut
};

// Starts the log without sinks, and ends it. Call both on the main thread; init after memory,
// shutdown before memory ends.
void ct_log_init(ct_allocator *a);
void ct_log_shutdown(void);

// Adds a sink (keeps a copy; at most 16 at once), or removes each sink with this function and user.
void ct_log_add_sink(const ct_log_sink *sink);
void ct_log_remove_sink(void (*write)(void *, ct_log_level, const char *, const char *),
                        void *user);

// Returns a sink that writes to standard error, in colour when that is a terminal. It and file
// sinks escape bytes that are not UTF-8 and control characters other than line ends and tabs, as
// ct_utf8_write_printable does. Other sinks get messages unchanged.
ct_log_sink ct_log_terminal_sink(ct_log_level least);

// Opens `path` (emptied) as a sink. Returns false with `error` when it cannot be written.
// ct_log_shutdown closes it.
bool ct_log_add_file_sink(const char *path, ct_log_level least, ct_error *error);

// Log a message.
void ct_log_debug(const char *system, const char *format, ...) CT_PRINTF(2, 3);
void ct_log_info(const char *system, const char *format, ...) CT_PRINTF(2, 3);

// Logs an error with a stable `id` ("shader_refused") that tests and users refer to. Sinks get
// `message [id]`. Sent every time.
void ct_log_error(const char *system, const char *id, const char *format, ...) CT_PRINTF(3, 4);

// Logs a warning with a stable `id` ("unknown_component") that tests and users refer to. Sinks get
// `message [id]`. Warnings with the same id and text are sent once; later ones are counted only
// (memory is bounded: after 4,096 different warnings the record is cleared, and warnings repeat).
// When the texts of one id keep changing, only as many as the limit above allows are sent in each
// second; the rest are counted, and one line `… 120 more [id]` reports them before the first
// message after that second.
void ct_log_warning(const char *system, const char *id, const char *format, ...) CT_PRINTF(3, 4);

// Logs an error that may repeat endlessly, such as an error in the scripts of a tool. The rate of
// its `id` is limited like a warning's, but the same text is sent again, and the message does not
// show the id. Every call counts as an error.
void ct_log_error_limited(const char *system, const char *id, const char *format, ...)
    CT_PRINTF(3, 4);

// Returns how often a warning or an error with this id was logged since the log started, including
// those that were not sent. Each id takes one entry in a hash map.
uint64_t ct_log_warning_count(const char *id);
uint64_t ct_log_error_count_of(const char *id);

// Logs a message whose level is known only at run time.
void ct_log_message(ct_log_level level, const char *system, const char *message);

// Logs a message of `bytes` bytes, which may include zero bytes, with the place in a script that it
// comes from, or NULL.
void ct_log_message_from(ct_log_level level, const char *system, const char *message,
                         uint64_t bytes, const ct_log_place *place);

// For sinks while they write: return where the message comes from (NULL: unknown), and its length.
const ct_log_place *ct_log_place_of_message(void);
uint32_t ct_log_bytes_of_message(void);

// Logs `error` with its place as an error of `system`.
void ct_log_report(const char *system, const ct_error *error);

// Logs a warning in the same way, without an id and without checking for repeats: for callers that
// report each warning only once.
void ct_log_report_warning(const char *system, const ct_error *warning);

// Returns the number of errors logged since the start, with and without an id.
uint64_t ct_log_error_count(void);

// Returns "debug", "info", "warning" or "error", as the console protocol names them.
const char *ct_log_level_name(ct_log_level level);
