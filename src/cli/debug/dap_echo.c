#include "cli/debug/dap_echo.h"

#include <string.h>

#include "foundation/string/utf8.h"

static const uint64_t printed_limit_ns = 300000000; // the console sends once a frame
static const uint64_t sent_limit_ns = 5000000000;

void ct_dap_echo_init(ct_dap_echo *e, ct_allocator *a) {
    ct_array_init(&e->printed, a);
    ct_array_init(&e->sent, a);
}

static void drop(ct_dap_line_array *lines, uint32_t i) {
    ct_free(lines->allocator, lines->items[i].text);
    ct_array_erase(lines, i, 1);
}

static void free_lines(ct_dap_line_array *lines) {
    for (uint32_t i = 0; i < lines->count; ++i)
        ct_free(lines->allocator, lines->items[i].text);
    ct_array_free(lines);
}

void ct_dap_echo_free(ct_dap_echo *e) {
    free_lines(&e->printed);
    free_lines(&e->sent);
}

// Drops the first line with this text. Returns whether there was one.
static bool match(ct_dap_line_array *lines, const char *text) {
    for (uint32_t i = 0; i < lines->count; ++i) {
        if (strcmp(lines->items[i].text, text) == 0) {
            drop(lines, i);
            return true;
        }
    }
    return false;
}

// Matches a line with those of the other kind, or keeps it. Takes over `text`.
static void take(ct_dap_line_array *others, ct_dap_line_array *lines, char *text, uint64_t now_ns) {
    if (match(others, text)) {
        ct_free(lines->allocator, text);
        return;
    }
    if (lines->count == CT_DAP_ECHO_MAX_LINES)
        drop(lines, 0);
    ct_array_push(lines, (ct_dap_line){text, now_ns});
}

// Copies a line; what is behind a zero byte is left out.
static char *copy(ct_allocator *a, const char *line, uint32_t bytes) {
    char *const text = ct_alloc(a, (uint64_t)bytes + 1);
    memcpy(text, line, bytes);
    text[bytes] = '\0';
    return text;
}

void ct_dap_echo_printed(ct_dap_echo *e, const char *line, uint32_t bytes, uint64_t now_ns) {
    take(&e->sent, &e->printed, copy(e->printed.allocator, line, bytes), now_ns);
}

void ct_dap_echo_sent(ct_dap_echo *e, const char *level, const char *system, const char *message,
                      uint32_t bytes, uint64_t now_ns) {
    ct_string_builder shown CT_CLEANUP(ct_string_builder_free);
    ct_string_builder_init(&shown, e->sent.allocator);
    const bool is_info = strcmp(level, "info") == 0;
    ct_string_builder_addf(&shown, "[%s] %s%s", system, is_info ? "" : level, is_info ? "" : ": ");
    char part[1024];
    for (uint64_t done = 0; done < bytes;) {
        done += ct_utf8_write_printable_lines(part, sizeof(part), message + done, bytes - done);
        ct_string_builder_add(&shown, part);
    }
    const char *line = ct_string_builder_text(&shown);
    for (const char *end = line; *end != '\0'; line = end + 1) {
        end = line + strcspn(line, "\n");
        take(&e->printed, &e->sent, copy(e->sent.allocator, line, (uint32_t)(end - line)), now_ns);
        if (*end == '\0')
            break;
    }
}

bool ct_dap_echo_next(ct_dap_echo *e, uint64_t now_ns, bool is_end, ct_string_builder *line) {
    while (e->sent.count != 0 && now_ns - e->sent.items[0].time_ns > sent_limit_ns)
        drop(&e->sent, 0);
    ct_string_builder_clear(line);
    const bool is_due = e->printed.count != 0 &&
                        (is_end || now_ns - e->printed.items[0].time_ns > printed_limit_ns);
    if (!is_due)
        return false;
    ct_string_builder_add(line, e->printed.items[0].text);
    drop(&e->printed, 0);
    return true;
}
