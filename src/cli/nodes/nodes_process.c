#include "cli/nodes/nodes_process.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "foundation/os/file.h"

enum { READ_BYTES = 16384, TAIL_BYTES = 65536 };

bool ct_nodes_process_start(ct_nodes_process *p, const char *const *words, const char *log,
                            ct_error *error) {
    const ct_process_desc desc = {
        .arguments = words, .output_path = log, .is_group = true, .searches_path = true};
    memset(p, 0, sizeof(*p));
    ct_path_join(p->log, "", log);
    p->process = ct_process_start(&desc, error);
    return p->process.pid != 0;
}

bool ct_nodes_process_has_ended(ct_nodes_process *p, uint64_t timeout_ns) {
    if (p->process.pid == 0)
        return true;
    if (!ct_process_wait_for(p->process, timeout_ns, &p->exit_code))
        return false;
    ct_process_kill_group(p->process);
    p->process.pid = 0;
    return true;
}

void ct_nodes_process_kill(ct_nodes_process *p) {
    if (p->process.pid == 0)
        return;
    ct_process_kill_group(p->process);
    p->exit_code = ct_process_wait(p->process);
    p->process.pid = 0;
}

void ct_nodes_process_end(ct_nodes_process *p, uint64_t limit_ns) {
    if (p->process.pid == 0)
        return;
    ct_process_interrupt_group(p->process);
    if (!ct_nodes_process_has_ended(p, limit_ns))
        ct_nodes_process_kill(p);
}

void ct_nodes_process_describe_end(const ct_nodes_process *p, char *text, uint32_t bytes) {
    if (p->exit_code < 0)
        snprintf(text, bytes, "ended by signal %d", -p->exit_code);
    else
        snprintf(text, bytes, "ended with exit code %d", p->exit_code);
}

// --- The log -------------------------------------------------------------------------------------

uint16_t ct_nodes_port_in(const char *line) {
    static const char *const words[] = {"listening on ", "serving at "}; // engine, file server
    const char *address = NULL;
    for (uint32_t i = 0; i < CT_COUNT_OF(words) && !address; ++i) {
        const char *const found = strstr(line, words[i]);
        address = found ? found + strlen(words[i]) : NULL;
    }
    const char *colon = NULL;
    for (const char *c = address; c && *c != '\0' && *c != ' ' && *c != '\n'; ++c)
        colon = *c == ':' ? c : colon;
    const unsigned long port = colon ? strtoul(colon + 1, NULL, 10) : 0;
    return port <= 65535 ? (uint16_t)port : 0;
}

// Reads whole lines only: the last one may still be written. A line that is longer than the buffer
// is skipped in parts.
bool ct_nodes_process_find_port(ct_nodes_process *p) {
    char text[READ_BYTES + 1];
    const int file = p->port == 0 ? ct_os_file_open_read(p->log, NULL) : -1;
    int64_t count = 0;
    while (file >= 0 && p->port == 0 &&
           (count = ct_os_file_read_at(file, p->log_offset, text, READ_BYTES)) > 0) {
        text[count] = '\0';
        char *line = text;
        for (char *end = NULL;
             p->port == 0 && (end = memchr(line, '\n', (size_t)(text + count - line)));
             line = end + 1) {
            *end = '\0';
            p->port = ct_nodes_port_in(line);
        }
        if (line == text && count < READ_BYTES)
            break;
        p->log_offset += line == text ? (uint64_t)count : (uint64_t)(line - text);
    }
    if (file >= 0)
        ct_os_file_close(file);
    return p->port != 0;
}

void ct_nodes_add_log_tail(ct_string_builder *out, const char *log, uint32_t num_lines) {
    const uint64_t size = ct_os_file_info(log).size_bytes;
    const int file = ct_os_file_open_read(log, NULL);
    if (file < 0)
        return;
    char *const text = ct_alloc(out->allocator, TAIL_BYTES + 1);
    const int64_t count =
        ct_os_file_read_at(file, size > TAIL_BYTES ? size - TAIL_BYTES : 0, text, TAIL_BYTES);
    ct_os_file_close(file);
    const char *const end = text + (count > 0 ? count : 0);
    const char *start = end;
    uint32_t num_found = 0;
    while (start > text && num_found <= num_lines) {
        if (start[-1] == '\n' && start != end && ++num_found == num_lines)
            break;
        --start;
    }
    while (start < end) {
        const char *const line_end = memchr(start, '\n', (size_t)(end - start));
        const char *const stop = line_end ? line_end : end;
        ct_string_builder_add(out, "    ");
        ct_string_builder_add_bytes(out, start, (uint32_t)(stop - start));
        ct_string_builder_add_char(out, '\n');
        start = stop + (stop < end);
    }
    ct_free(out->allocator, text);
}

bool ct_nodes_find_crash_report(ct_allocator *a, const char *log, char report[CT_PATH_BYTES]) {
    static const char words[] = "This report is in ";
    uint64_t bytes = 0;
    char *const text = ct_file_read(a, log, &bytes, NULL);
    const char *const found = text ? strstr(text, words) : NULL;
    const char *const path = found ? found + strlen(words) : NULL;
    const size_t length = path ? strcspn(path, "\n") : 0;
    const bool is_found = length > 0 && length < CT_PATH_BYTES;
    if (is_found)
        snprintf(report, CT_PATH_BYTES, "%.*s", (int)length, path);
    ct_free(a, text);
    return is_found;
}
