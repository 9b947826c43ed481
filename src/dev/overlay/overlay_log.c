#include "dev/overlay/overlay_log.h"

#include <stdio.h>
#include <string.h>

#include "foundation/os/os.h"
#include "foundation/string/utf8.h"

struct ct_overlay_log {
    ct_allocator *allocator;
    ct_mutex mutex;
    uint64_t num_lines; // ever
    ct_overlay_log_line lines[CT_OVERLAY_LOG_LINES];
};

// Tabs become four blanks, a zero byte one; other control characters become visible.
static void write_text(char out[CT_OVERLAY_LOG_BYTES], const char *text, uint32_t bytes) {
    enum { TAB = 4 };
    char raw[CT_OVERLAY_LOG_BYTES + TAB];
    uint32_t count = 0, i = 0;
    for (; i < bytes && count < CT_OVERLAY_LOG_BYTES - 1; ++i) {
        const uint32_t num_blanks = text[i] == '\t' ? TAB : 1;
        memset(raw + count, text[i] == '\t' || text[i] == '\0' ? ' ' : text[i], num_blanks);
        count += num_blanks;
    }
    // No half character at the end of a line that is cut.
    for (; i < bytes && count > 0 && ((uint8_t)text[i] & 0xc0) == 0x80; --i)
        --count;
    raw[count] = '\0';
    ct_utf8_write_printable(out, CT_OVERLAY_LOG_BYTES, raw);
}

// Called with the log locked, from any thread.
static void keep_message(void *user, ct_log_level level, const char *system, const char *message) {
    ct_overlay_log *const log = user;
    const char *const end = message + ct_log_bytes_of_message();
    const char *line = message;
    ct_mutex_lock(&log->mutex);
    while (line < end || line == message) {
        const char *const feed = memchr(line, '\n', (size_t)(end - line));
        const char *const line_end = feed ? feed : end;
        const bool is_first = line == message;
        ct_overlay_log_line *const kept = &log->lines[log->num_lines++ % CT_OVERLAY_LOG_LINES];
        kept->level = level;
        kept->is_continued = !is_first;
        snprintf(kept->system, sizeof(kept->system), "%s", is_first ? system : "");
        write_text(kept->text, line, (uint32_t)(line_end - line));
        line = line_end + 1;
    }
    ct_mutex_unlock(&log->mutex);
}

ct_overlay_log *ct_overlay_log_create(ct_allocator *a) {
    ct_overlay_log *const log = CT_NEW(a, ct_overlay_log);
    log->allocator = a;
    ct_mutex_init(&log->mutex);
    const ct_log_sink sink = {.write = keep_message, .user = log, .least = CT_LOG_LEVEL_INFO};
    ct_log_add_sink(&sink);
    return log;
}

void ct_overlay_log_destroy(ct_overlay_log *log) {
    if (!log)
        return;
    ct_log_remove_sink(keep_message, log);
    ct_mutex_shutdown(&log->mutex);
    ct_free_sized(log->allocator, log, sizeof(*log));
}

uint32_t ct_overlay_log_last(ct_overlay_log *log, uint32_t most, ct_overlay_log_line *lines) {
    ct_mutex_lock(&log->mutex);
    const uint64_t kept =
        log->num_lines < CT_OVERLAY_LOG_LINES ? log->num_lines : (uint64_t)CT_OVERLAY_LOG_LINES;
    const uint32_t count = kept < most ? (uint32_t)kept : most;
    for (uint32_t i = 0; i < count; ++i)
        lines[i] = log->lines[(log->num_lines - count + i) % CT_OVERLAY_LOG_LINES];
    ct_mutex_unlock(&log->mutex);
    return count;
}
