#include "foundation/log.h"
#include "foundation/container/hash_map.h"
#include "foundation/crash/crash_log.h"
#include "foundation/error.h"
#include "foundation/memory/allocator.h"
#include "foundation/os/os.h"
#include "foundation/string/string_id.h"
#include "foundation/string/utf8.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

enum {
    MAX_SINKS = 16,
    LINE_BYTES = 4096, // messages up to this size are formatted without allocating
    MAX_WARNINGS = 4096,
    MAX_LIMITS = 64, // ids whose rate is limited at a time
    STANDARD_ERROR = 2,
    SECOND_NS = 1000000000,
};

// Counts the recent messages of an id: warnings whose texts differ, or errors. {0} is free.
typedef struct rate_limit {
    ct_log_level level;
    uint64_t id_key;
    uint64_t start_ns; // of the second that is being counted
    uint32_t told, untold;
    char system[64], id[128]; // for the line that reports the unsent ones
} rate_limit;

typedef struct log_state {
    ct_mutex lock;
    ct_log_sink sinks[MAX_SINKS];
    uint32_t sink_count;
    int files[MAX_SINKS]; // opened by ct_log_add_file_sink
    uint32_t file_count;
    bool file_failed;           // a log file could not be written; reported once
    ct_hash_map warnings;       // hash of id and text -> how often it was logged
    ct_hash_map warning_counts; // hash of id -> how often it was logged
    ct_hash_map error_counts;   // the same for errors
    rate_limit limits[MAX_LIMITS];
    uint32_t num_untold; // limits that have unsent messages
    uint64_t start_ns;
    const ct_log_place *place; // of the message that sinks write
    uint32_t bytes;            // of that message
    char cut[CT_LOG_MAX_BYTES + 1];
    ct_allocator *allocator;
} log_state;

static log_state the_log;
static atomic_bool log_runs;
static _Atomic uint64_t error_count;

const char *ct_log_level_name(ct_log_level level) {
    static const char *const names[] = {"none", "debug", "info", "warning", "error"};
    CT_ASSERT((uint32_t)level < CT_COUNT_OF(names), "invalid level %d", (int)level);
    return names[level];
}

// --- Sinks ---------------------------------------------------------------------------------------

// Infos are the most frequent messages: they are shown without their level.
static const char *shown_level(ct_log_level level) {
    return level == CT_LOG_LEVEL_INFO ? "" : ct_log_level_name(level);
}

static void show_terminal(ct_log_level level, const char *system, const char *message,
                          uint64_t bytes) {
    static const char *const colours[] = {"", "\033[90m", "", "\033[33m", "\033[31m"};
    const char *const colour = ct_os_is_terminal(STANDARD_ERROR) ? colours[level] : "";
    const char *const reset = *colour ? "\033[0m" : "";
    const char *const name = shown_level(level);
    char part[LINE_BYTES];
    uint64_t shown = ct_utf8_write_printable_lines(part, sizeof(part), message, bytes);
    fprintf(stderr, "%s[%s] %s%s%s", colour, system, name, *name ? ": " : "", part);
    while (shown < bytes) {
        shown += ct_utf8_write_printable_lines(part, sizeof(part), message + shown, bytes - shown);
        fputs(part, stderr);
    }
    fprintf(stderr, "%s\n", reset);
}

static void write_terminal(void *user, ct_log_level level, const char *system,
                           const char *message) {
    (void)user;
    show_terminal(level, system, message, the_log.bytes);
}

static bool write_shown(int file, const char *message, uint32_t bytes, ct_error *error) {
    char part[LINE_BYTES];
    for (uint64_t shown = 0; shown < bytes;) {
        shown += ct_utf8_write_printable_lines(part, sizeof(part), message + shown, bytes - shown);
        if (!ct_os_file_write(file, part, strlen(part), error))
            return false;
    }
    return true;
}

static void write_file(void *user, ct_log_level level, const char *system, const char *message) {
    const int file = (int)(intptr_t)user;
    const uint64_t milliseconds = (ct_os_time_ns() - the_log.start_ns) / 1000000;
    char head[128];
    snprintf(head, sizeof(head), "%6llu.%03llu %-7s [%s] ",
             (unsigned long long)(milliseconds / 1000), (unsigned long long)(milliseconds % 1000),
             ct_log_level_name(level), system);
    ct_error error = {0};
    const bool written = ct_os_file_write(file, head, strlen(head), &error) &&
                         write_shown(file, message, the_log.bytes, &error) &&
                         ct_os_file_write(file, "\n", 1, &error);
    if (!written && !the_log.file_failed) {
        the_log.file_failed = true;
        fprintf(stderr, "[log] error: the log file is incomplete: %s\n", error.message);
    }
}

ct_log_sink ct_log_terminal_sink(ct_log_level least) {
    return (ct_log_sink){.write = write_terminal, .least = least};
}

static void add_sink_locked(const ct_log_sink *sink) {
    CT_REQUIRE(the_log.sink_count < MAX_SINKS, "more than %d log sinks", MAX_SINKS);
    the_log.sinks[the_log.sink_count++] = *sink;
}

void ct_log_add_sink(const ct_log_sink *sink) {
    CT_ASSERT(atomic_load(&log_runs), "call ct_log_init before adding a sink");
    ct_mutex_lock(&the_log.lock);
    add_sink_locked(sink);
    ct_mutex_unlock(&the_log.lock);
}

void ct_log_remove_sink(void (*write)(void *, ct_log_level, const char *, const char *),
                        void *user) {
    if (!atomic_load(&log_runs))
        return;
    ct_mutex_lock(&the_log.lock);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < the_log.sink_count; ++i)
        if (the_log.sinks[i].write != write || the_log.sinks[i].user != user)
            the_log.sinks[kept++] = the_log.sinks[i];
    the_log.sink_count = kept;
    ct_mutex_unlock(&the_log.lock);
}

bool ct_log_add_file_sink(const char *path, ct_log_level least, ct_error *error) {
    CT_ASSERT(atomic_load(&log_runs), "call ct_log_init before adding a sink");
    const int file = ct_os_file_open_write(path, error);
    if (file < 0)
        return false;
    ct_mutex_lock(&the_log.lock);
    const ct_log_sink sink = {.write = write_file, .user = (void *)(intptr_t)file, .least = least};
    add_sink_locked(&sink);
    the_log.files[the_log.file_count++] = file;
    ct_mutex_unlock(&the_log.lock);
    return true;
}

// Cuts a message that is too long, between two characters. Returns the rest, which ends with how
// much was cut, and sets `bytes` to its length.
static const char *cut_locked(const char *message, uint64_t *bytes) {
    enum { NOTE_BYTES = 64 };
    uint32_t kept = CT_LOG_MAX_BYTES - NOTE_BYTES;
    for (uint32_t i = 0; i < 3 && (message[kept] & 0xc0) == 0x80; ++i)
        --kept;
    memcpy(the_log.cut, message, kept);
    *bytes = kept + (uint32_t)snprintf(the_log.cut + kept, NOTE_BYTES, "… (%llu more bytes)",
                                       (unsigned long long)(*bytes - kept));
    return the_log.cut;
}

static void send_bytes_locked(ct_log_level level, const char *system, const char *message,
                              uint64_t bytes) {
    if (bytes > CT_LOG_MAX_BYTES)
        message = cut_locked(message, &bytes);
    the_log.bytes = (uint32_t)bytes;
    ct_crash_log_add(system, shown_level(level), message, (uint32_t)bytes);
    for (uint32_t i = 0; i < the_log.sink_count; ++i)
        if (level >= the_log.sinks[i].least)
            the_log.sinks[i].write(the_log.sinks[i].user, level, system, message);
}

static void send_locked(ct_log_level level, const char *system, const char *message) {
    send_bytes_locked(level, system, message, strlen(message));
}

// Used while no log runs.
static void send_to_terminal(ct_log_level level, const char *system, const char *message,
                             uint64_t bytes) {
    const uint64_t kept = bytes < CT_LOG_MAX_BYTES ? bytes : CT_LOG_MAX_BYTES;
    ct_crash_log_add(system, shown_level(level), message, (uint32_t)kept);
    show_terminal(level, system, message, bytes);
}

// --- The rate of an id ---------------------------------------------------------------------------

static void tell_untold_locked(rate_limit *limit) {
    if (limit->untold == 0)
        return;
    char line[sizeof(limit->id) + 64];
    snprintf(line, sizeof(line), "… %u more [%s]", limit->untold, limit->id);
    limit->untold = 0;
    --the_log.num_untold;
    send_locked(limit->level, limit->system, line);
}

// Reports the unsent messages of seconds that are over; of all, when `now_ns` is the end of time.
static void tell_all_untold_locked(uint64_t now_ns) {
    for (uint32_t i = 0; i < MAX_LIMITS && the_log.num_untold > 0; ++i)
        if (now_ns - the_log.limits[i].start_ns >= SECOND_NS)
            tell_untold_locked(&the_log.limits[i]);
}

// The limit of this id; a new one replaces the one that began first.
static rate_limit *find_limit_locked(uint64_t id_key, ct_log_level level, const char *system,
                                     const char *id) {
    rate_limit *oldest = &the_log.limits[0];
    for (uint32_t i = 0; i < MAX_LIMITS; ++i) {
        if (the_log.limits[i].id_key == id_key)
            return &the_log.limits[i];
        if (the_log.limits[i].start_ns < oldest->start_ns)
            oldest = &the_log.limits[i];
    }
    tell_untold_locked(oldest);
    *oldest = (rate_limit){.id_key = id_key, .level = level};
    snprintf(oldest->system, sizeof(oldest->system), "%s", system);
    snprintf(oldest->id, sizeof(oldest->id), "%s", id);
    return oldest;
}

// Counts a message; returns false when its id reached its limit in this second.
static bool take_turn_locked(ct_log_level level, const char *system, const char *id) {
    const uint64_t id_key = ct_string_id64_of(id).value;
    rate_limit *const limit = find_limit_locked(id_key, level, system, id);
    const uint64_t now_ns = ct_os_time_ns();
    if (now_ns - limit->start_ns >= SECOND_NS) {
        tell_untold_locked(limit);
        limit->start_ns = now_ns;
        limit->told = 0;
    }
    if (limit->told < CT_LOG_TOLD_PER_SECOND) {
        ++limit->told;
        return true;
    }
    the_log.num_untold += limit->untold == 0;
    ++limit->untold;
    return false;
}

// --- Life cycle ----------------------------------------------------------------------------------

void ct_log_init(ct_allocator *a) {
    CT_ASSERT(!atomic_load(&log_runs), "ct_log_init was called twice");
    the_log = (log_state){.start_ns = ct_os_time_ns(), .allocator = a};
    ct_mutex_init(&the_log.lock);
    ct_hash_map_init(&the_log.warnings, a);
    ct_hash_map_init(&the_log.warning_counts, a);
    ct_hash_map_init(&the_log.error_counts, a);
    atomic_store(&error_count, 0);
    atomic_store(&log_runs, true);
}

void ct_log_shutdown(void) {
    CT_ASSERT(atomic_load(&log_runs), "call ct_log_init before ct_log_shutdown");
    ct_mutex_lock(&the_log.lock);
    tell_all_untold_locked(UINT64_MAX);
    ct_mutex_unlock(&the_log.lock);
    atomic_store(&log_runs, false);
    ct_hash_map_free(&the_log.warnings);
    ct_hash_map_free(&the_log.warning_counts);
    ct_hash_map_free(&the_log.error_counts);
    for (uint32_t i = 0; i < the_log.file_count; ++i)
        ct_os_file_close(the_log.files[i]);
    ct_mutex_shutdown(&the_log.lock);
}

// --- Messages ------------------------------------------------------------------------------------

void ct_log_message(ct_log_level level, const char *system, const char *message) {
    ct_log_message_from(level, system, message, strlen(message), NULL);
}

const ct_log_place *ct_log_place_of_message(void) {
    return the_log.place;
}

uint32_t ct_log_bytes_of_message(void) {
    return the_log.bytes;
}

// Locks the log for a message. Without a running log, writes the message to the terminal and
// returns false.
static bool lock_for_message(ct_log_level level, const char *system, const char *message,
                             uint64_t bytes) {
    if (level == CT_LOG_LEVEL_ERROR)
        atomic_fetch_add(&error_count, 1);
    if (!atomic_load(&log_runs)) {
        send_to_terminal(level, system, message, bytes);
        return false;
    }
    ct_mutex_lock(&the_log.lock);
    if (the_log.num_untold > 0)
        tell_all_untold_locked(ct_os_time_ns());
    return true;
}

void ct_log_message_from(ct_log_level level, const char *system, const char *message,
                         uint64_t bytes, const ct_log_place *place) {
    if (!lock_for_message(level, system, message, bytes))
        return;
    the_log.place = place;
    send_bytes_locked(level, system, message, bytes);
    the_log.place = NULL;
    ct_mutex_unlock(&the_log.lock);
}

// Formats to `line` of LINE_BYTES, or to memory from the log's allocator when that is too small.
// Free the result with free_text. Without a running log, long texts are cut.
static char *format_text(char *line, const char *format, va_list arguments) {
    va_list again;
    va_copy(again, arguments);
    const int length = vsnprintf(line, LINE_BYTES, format, arguments);
    CT_ASSERT(length >= 0, "cannot format a log message: %s", format);
    char *text = line;
    if (length >= LINE_BYTES && atomic_load(&log_runs)) {
        text = ct_alloc(the_log.allocator, (uint64_t)length + 1);
        vsnprintf(text, (size_t)length + 1, format, again);
    }
    va_end(again);
    return text;
}

static void free_text(char *text, const char *line) {
    if (text != line)
        ct_free(the_log.allocator, text);
}

static char *format_arguments(char *line, const char *format, ...) CT_PRINTF(2, 3);
static char *format_arguments(char *line, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    char *const text = format_text(line, format, arguments);
    va_end(arguments);
    return text;
}

static void log_formatted(ct_log_level level, const char *system, const char *format,
                          va_list arguments) {
    char line[LINE_BYTES];
    char *const text = format_text(line, format, arguments);
    ct_log_message(level, system, text);
    free_text(text, line);
}

void ct_log_debug(const char *system, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    log_formatted(CT_LOG_LEVEL_DEBUG, system, format, arguments);
    va_end(arguments);
}

void ct_log_info(const char *system, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    log_formatted(CT_LOG_LEVEL_INFO, system, format, arguments);
    va_end(arguments);
}

// --- Messages with an id -------------------------------------------------------------------------

static void count_id_locked(ct_hash_map *counts, const char *id) {
    const uint64_t key = ct_string_id64_of(id).value;
    ct_hash_map_set(counts, key, ct_hash_map_get(counts, key, 0) + 1);
}

static uint64_t count_of_id(const ct_hash_map *counts, const char *id) {
    if (!atomic_load(&log_runs))
        return 0;
    ct_mutex_lock(&the_log.lock);
    const uint64_t count = ct_hash_map_get(counts, ct_string_id64_of(id).value, 0);
    ct_mutex_unlock(&the_log.lock);
    return count;
}

// Counts a warning; returns true when it is new.
static bool count_warning_locked(const char *id, const char *text) {
    // Texts with changing numbers must not use up memory: clear the record; warnings then repeat.
    if (the_log.warnings.count >= MAX_WARNINGS)
        ct_hash_map_clear(&the_log.warnings);
    const uint64_t id_key = ct_string_id64_of(id).value;
    const uint64_t key = ct_string_id64_of(text).value ^ (id_key * 0x9e3779b97f4a7c15u);
    const uint64_t times = ct_hash_map_get(&the_log.warnings, key, 0);
    ct_hash_map_set(&the_log.warnings, key, times + 1);
    count_id_locked(&the_log.warning_counts, id);
    return times == 0;
}

static void send_warning(const char *system, const char *id, const char *text) {
    if (!lock_for_message(CT_LOG_LEVEL_WARNING, system, text, strlen(text)))
        return;
    if (count_warning_locked(id, text) && take_turn_locked(CT_LOG_LEVEL_WARNING, system, id))
        send_locked(CT_LOG_LEVEL_WARNING, system, text);
    ct_mutex_unlock(&the_log.lock);
}

static void send_error(const char *system, const char *id, const char *text) {
    if (!lock_for_message(CT_LOG_LEVEL_ERROR, system, text, strlen(text)))
        return;
    count_id_locked(&the_log.error_counts, id);
    send_locked(CT_LOG_LEVEL_ERROR, system, text);
    ct_mutex_unlock(&the_log.lock);
}

static void send_limited_error(const char *system, const char *id, const char *text) {
    if (!lock_for_message(CT_LOG_LEVEL_ERROR, system, text, strlen(text)))
        return;
    count_id_locked(&the_log.error_counts, id);
    if (take_turn_locked(CT_LOG_LEVEL_ERROR, system, id))
        send_locked(CT_LOG_LEVEL_ERROR, system, text);
    ct_mutex_unlock(&the_log.lock);
}

// Sends `message [id]`.
static void send_with_id(void (*send)(const char *system, const char *id, const char *text),
                         const char *system, const char *id, const char *format,
                         va_list arguments) {
    char line[LINE_BYTES], line_with_id[LINE_BYTES];
    char *const text = format_text(line, format, arguments);
    char *const text_with_id = format_arguments(line_with_id, "%s [%s]", text, id);
    send(system, id, text_with_id);
    free_text(text_with_id, line_with_id);
    free_text(text, line);
}

void ct_log_warning(const char *system, const char *id, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    send_with_id(send_warning, system, id, format, arguments);
    va_end(arguments);
}

void ct_log_error(const char *system, const char *id, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    send_with_id(send_error, system, id, format, arguments);
    va_end(arguments);
}

void ct_log_error_limited(const char *system, const char *id, const char *format, ...) {
    char line[LINE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    char *const text = format_text(line, format, arguments);
    va_end(arguments);
    send_limited_error(system, id, text);
    free_text(text, line);
}

uint64_t ct_log_warning_count(const char *id) {
    return count_of_id(&the_log.warning_counts, id);
}

uint64_t ct_log_error_count_of(const char *id) {
    return count_of_id(&the_log.error_counts, id);
}

// --- Reports -------------------------------------------------------------------------------------

// Writes `file:line:column: ` without the parts that are unknown.
static void format_place(const ct_error *error, char place[CT_ERROR_FILE_BYTES + 64]) {
    ct_error unnamed = *error;
    unnamed.message[0] = 0;
    ct_error_format(&unnamed, place, CT_ERROR_FILE_BYTES + 64);
    // The level of the message already says "error".
    place[strlen(place) - strlen("error: ")] = 0;
}

static void log_report(ct_log_level level, const char *system, const ct_error *error) {
    char text[CT_ERROR_FILE_BYTES + 64 + CT_ERROR_MESSAGE_BYTES];
    format_place(error, text);
    const size_t bytes = strlen(text);
    snprintf(text + bytes, sizeof(text) - bytes, "%s", error->message);
    ct_log_message(level, system, text);
}

void ct_log_report(const char *system, const ct_error *error) {
    log_report(CT_LOG_LEVEL_ERROR, system, error);
}

void ct_log_report_warning(const char *system, const ct_error *warning) {
    log_report(CT_LOG_LEVEL_WARNING, system, warning);
}

uint64_t ct_log_error_count(void) {
    return atomic_load(&error_count);
}
