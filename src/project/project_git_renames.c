#include "project/project_git_renames.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "foundation/error.h"

// --- The last commit -----------------------------------------------------------------------------

// Reads one `<mode> <kind> <object>\t<path>`; false when it is something else.
static bool read_tree_entry(char *line, ct_git_entry *entry) {
    char *end = NULL;
    const unsigned long mode = strtoul(line, &end, 8);
    char *const kind_end = *end == ' ' ? strchr(end + 1, ' ') : NULL;
    char *const tab = kind_end ? strchr(kind_end, '\t') : NULL;
    if (!tab)
        return false;
    *tab = 0;
    *entry = (ct_git_entry){.path = tab + 1, .object = kind_end + 1, .mode = (uint32_t)mode};
    return true;
}

bool ct_git_read_head(ct_allocator *a, const char *project, ct_git_entries *entries,
                      ct_error *error) {
    static const char *const arguments[] = {"ls-tree", "-r", "-z", "HEAD", NULL};
    ct_string_builder output, nothing;
    ct_string_builder_init(&output, a);
    ct_string_builder_init(&nothing, a);
    if (!ct_git_run(project, arguments, &nothing, &output, error))
        return false;
    char *const end = output.length > 0 ? output.text + output.length : NULL;
    for (char *line = output.text; line < end;) {
        char *const next = line + strlen(line) + 1;
        ct_git_entry entry;
        if (!read_tree_entry(line, &entry))
            return ct_error_set(error, "`git ls-tree` printed an unexpected line: \"%.200s\"",
                                line);
        ct_array_push(entries, entry);
        line = next;
    }
    return true;
}

// --- Files ---------------------------------------------------------------------------------------

// Cuts `text` into lines; false when there are not `count` of them.
static bool read_lines(char *text, uint32_t count, ct_string_array *lines) {
    const uint32_t before = lines->count;
    for (char *line = text; line && *line;) {
        char *const end = strchr(line, '\n');
        if (end)
            *end = 0;
        ct_array_push(lines, line);
        line = end ? end + 1 : NULL;
    }
    const bool is_right = lines->count == before + count;
    lines->count = is_right ? lines->count : before;
    return is_right;
}

bool ct_git_hash_files(ct_allocator *a, const char *project, const char *const *paths,
                       uint32_t count, ct_string_array *objects, ct_error *error) {
    static const char *const arguments[] = {"hash-object", "--stdin-paths", NULL};
    ct_string_builder prefix, input, output;
    ct_string_builder_init(&prefix, a);
    ct_string_builder_init(&input, a);
    ct_string_builder_init(&output, a);
    if (count == 0)
        return true;
    if (!ct_git_read_prefix(project, &prefix, error))
        return false;
    for (uint32_t i = 0; i < count; ++i)
        ct_string_builder_addf(&input, "%s%s\n", ct_string_builder_text(&prefix), paths[i]);
    return ct_git_run(project, arguments, &input, &output, error) &&
           (read_lines(output.text, count, objects) ||
            ct_error_set(error, "`git hash-object` did not print the %u objects asked for", count));
}

// --- Events --------------------------------------------------------------------------------------

static bool is_status(const char *text, char status) {
    for (const char *c = text + 1; *text == status && *c; ++c)
        if (!isdigit((unsigned char)*c))
            return false;
    return *text == status;
}

// Reads `R100`, old path, new path, or `D`, path, each followed by a zero byte. Between commits
// there are empty ones, and line ends.
static void read_events(char *text, uint32_t bytes, ct_git_events *events) {
    char *const end = text + bytes;
    for (char *part = text; part < end;) {
        part += strspn(part, "\n");
        char *const path = part + strlen(part) + 1;
        char *const after = path < end ? path + strlen(path) + 1 : end;
        if (path < end && is_status(part, 'D')) {
            ct_array_push(events, (ct_git_event){.from = path});
            part = after;
        } else if (after < end && is_status(part, 'R')) {
            ct_array_push(events, (ct_git_event){.from = path, .to = after});
            part = after + strlen(after) + 1;
        } else {
            part = path;
        }
    }
}

static bool read_events_of(ct_allocator *a, const char *project, const char *const *arguments,
                           ct_git_events *events, ct_error *error) {
    ct_string_builder output, nothing;
    ct_string_builder_init(&output, a);
    ct_string_builder_init(&nothing, a);
    if (!ct_git_run(project, arguments, &nothing, &output, error))
        return false;
    if (output.length > 0)
        read_events(output.text, output.length, events);
    return true;
}

bool ct_git_read_events(ct_allocator *a, const char *project, ct_git_events *events,
                        ct_error *error) {
    static const char *const diff[] = {"diff",       "--no-ext-diff",
                                       "-z",         "--name-status",
                                       "-M",         "--diff-filter=RD",
                                       "--relative", "HEAD",
                                       "--",         NULL};
    static const char *const log[] = {
        "log", "--no-show-signature", "--format=",  "-z",     "--name-status",
        "-M",  "--diff-filter=RD",    "--relative", "-n1000", "--",
        NULL};
    _Static_assert(CT_GIT_MOST_COMMITS == 1000, "-n1000");
    return read_events_of(a, project, diff, events, error) &&
           read_events_of(a, project, log, events, error);
}

const char *ct_git_follow(const ct_git_events *events, const char *path) {
    const ct_git_event *const items = events->items;
    uint32_t at = 0;
    while (at < events->count && strcmp(items[at].from, path) != 0)
        ++at;
    const char *found = at < events->count ? items[at].to : NULL;
    // Later events of the file are before this one.
    while (found && at-- > 0)
        if (strcmp(items[at].from, found) == 0)
            found = items[at].to;
    return found;
}
