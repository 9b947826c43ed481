#include "cli/prompt/prompt_history.h"

#include <stdio.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/os/file.h"
#include "foundation/os/os.h"
#include "foundation/string/string_builder.h"

enum { MAX_FILE_BYTES = 16 << 20 };

void ct_prompt_history_path(char path[CT_PATH_BYTES]) {
    const char *const state = ct_os_environment("XDG_STATE_HOME");
    const char *const home = ct_os_environment("HOME");
    path[0] = '\0';
    // The specification has relative paths passed over.
    if (state && state[0] == '/') {
        if (!ct_path_try_join(path, state, "cuttle/console_history"))
            path[0] = '\0';
    } else if (home && home[0] == '/') {
        if (!ct_path_try_join(path, home, ".local/state/cuttle/console_history"))
            path[0] = '\0';
    }
}

static void free_lines(ct_string_array *lines) {
    for (uint32_t i = 0; i < lines->count; ++i)
        ct_free(lines->allocator, lines->items[i]);
    ct_array_free(lines);
}

// Drops the oldest lines past the limit.
static void bound(ct_string_array *lines) {
    if (lines->count <= CT_PROMPT_HISTORY_LINES)
        return;
    const uint32_t num_dropped = lines->count - CT_PROMPT_HISTORY_LINES;
    for (uint32_t i = 0; i < num_dropped; ++i)
        ct_free(lines->allocator, lines->items[i]);
    ct_array_erase(lines, 0, num_dropped);
}

static bool is_worth_keeping(const ct_string_array *lines, const char *line, size_t bytes) {
    const char *const last = lines->count != 0 ? lines->items[lines->count - 1] : "";
    return bytes != 0 && bytes < CT_PROMPT_HISTORY_LINE_BYTES && !memchr(line, '\n', bytes) &&
           (strlen(last) != bytes || memcmp(last, line, bytes) != 0);
}

static void push(ct_string_array *lines, const char *line, size_t bytes) {
    char *const copy = ct_alloc(lines->allocator, bytes + 1);
    memcpy(copy, line, bytes);
    copy[bytes] = '\0';
    ct_array_push(lines, copy);
    bound(lines);
}

// Appends the lines of the file.
static void read_lines(const char *path, ct_string_array *lines) {
    ct_error ignored;
    uint64_t size = 0;
    if (path[0] == '\0' || ct_os_file_info(path).kind != CT_FILE_KIND_FILE ||
        ct_os_file_info(path).size_bytes > MAX_FILE_BYTES)
        return;
    char *const text = ct_file_read(lines->allocator, path, &size, &ignored);
    if (!text)
        return;
    for (const char *line = text; *line != '\0';) {
        const size_t bytes = strcspn(line, "\n");
        if (is_worth_keeping(lines, line, bytes))
            push(lines, line, bytes);
        line += bytes + (line[bytes] == '\n');
    }
    ct_free(lines->allocator, text);
}

void ct_prompt_history_init(ct_prompt_history *h, ct_allocator *a, const char *path) {
    snprintf(h->path, sizeof(h->path), "%s", path);
    ct_array_init(&h->lines, a);
    ct_array_init(&h->added, a);
    read_lines(path, &h->lines);
}

void ct_prompt_history_free(ct_prompt_history *h) {
    free_lines(&h->lines);
    free_lines(&h->added);
}

void ct_prompt_history_add(ct_prompt_history *h, const char *line) {
    const size_t bytes = strlen(line);
    if (!is_worth_keeping(&h->lines, line, bytes))
        return;
    push(&h->lines, line, bytes);
    push(&h->added, line, bytes);
}

bool ct_prompt_history_save(ct_prompt_history *h, ct_error *error) {
    if (h->path[0] == '\0' || h->added.count == 0)
        return true;
    ct_string_array lines;
    ct_array_init(&lines, h->lines.allocator);
    read_lines(h->path, &lines);
    for (uint32_t i = 0; i < h->added.count; ++i)
        push(&lines, h->added.items[i], strlen(h->added.items[i]));
    ct_string_builder text;
    ct_string_builder_init(&text, lines.allocator);
    for (uint32_t i = 0; i < lines.count; ++i)
        ct_string_builder_addf(&text, "%s\n", lines.items[i]);
    char folder[CT_PATH_BYTES];
    ct_path_folder(folder, h->path);
    const bool is_saved =
        ct_folder_create(folder, error) &&
        ct_file_write(h->path, ct_string_builder_text(&text), text.length, false, error);
    if (is_saved)
        free_lines(&h->added);
    ct_string_builder_free(&text);
    free_lines(&lines);
    return is_saved;
}
