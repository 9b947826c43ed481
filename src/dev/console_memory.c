#include "dev/console_memory.h"

#include <inttypes.h>
#include <string.h>

#include "dev/inspect/memory_rows.h"
#include "foundation/error.h"
#include "foundation/memory/allocator.h"
#include "foundation/memory/memory.h"

// Writes the tree with a path in each line: the names of the allocator and its parents, from the root.
static void show_tree(ct_allocator *a, ct_string_builder *result) {
    ct_memory_rows rows;
    const char *names[CT_MEMORY_ROW_DEPTH];
    ct_memory_rows_collect(&rows, a);
    ct_string_builder_addf(result, "%15s %15s %10s  %s", "live bytes", "peak bytes", "blocks",
                           "allocator");
    for (uint32_t i = 0; i < rows.count; ++i) {
        const ct_allocator_stats *const stats = &rows.items[i].stats;
        ct_string_builder_addf(result, "\n%15" PRIu64 " %15" PRIu64 " %10" PRIu64 "  ",
                               stats->live_bytes, stats->peak_bytes, stats->live_blocks);
        ct_memory_rows_path(&rows.items[i], names, result);
    }
    ct_memory_rows_free(&rows);
}

// `memory trace NAME on|off|report`; `name` and `what` are behind the word.
static bool trace(const char *name, const char *what, ct_string_builder *result, ct_error *error) {
    if (strcmp(what, "report") == 0)
        return ct_memory_trace_report(name, result, error);
    const bool is_on = strcmp(what, "on") == 0;
    if (!is_on && strcmp(what, "off") != 0)
        return ct_error_set(error, "found \"%.64s\"; expected on, off or report", what);
    if (!ct_memory_trace(name, is_on, error))
        return false;
    ct_string_builder_addf(result, "%s is %s traced", name, is_on ? "now" : "no longer");
    return true;
}

bool ct_console_run_memory(ct_console_target *target, uint32_t num_arguments,
                           const char *const *arguments, ct_string_builder *result,
                           ct_error *error) {
    if (num_arguments == 0) {
        show_tree(target->allocator, result);
        return true;
    }
    if (strcmp(arguments[0], "trace") != 0)
        return ct_error_set(error, "found \"%.64s\"; expected trace or no argument", arguments[0]);
    if (num_arguments != 3)
        return ct_error_set(error, "expected: memory trace NAME on|off|report");
    return trace(arguments[1], arguments[2], result, error);
}
