// The messages of the area `memory`: allocators, and who allocated.
#include <stdlib.h>
#include <string.h>

#include "dev/inspect/memory_rows.h"
#include "dev/inspect/memory_traces.h"
#include "dev/protocol/protocol_areas.h"
#include "foundation/memory/allocator.h"
#include "foundation/memory/memory_trace.h"
#include "foundation/os/os.h"

enum { DEFAULT_STACKS = 64, MAX_STACKS = 1000 };

// --- memory_tree ---------------------------------------------------------------------------------

static void write_stats(ct_sjson_writer *w, const ct_allocator_stats *stats) {
    ct_sjson_member_number(w, "live_bytes", (double)stats->live_bytes);
    ct_sjson_member_number(w, "peak_bytes", (double)stats->peak_bytes);
    ct_sjson_member_number(w, "live_blocks", (double)stats->live_blocks);
}

// Bytes of the process that are in memory, and of its address space; false when the system does not say.
static bool read_process(uint64_t *resident_bytes, uint64_t *virtual_bytes) {
    char text[128];
    const int file = ct_os_file_open_read("/proc/self/statm", NULL);
    const int64_t bytes = file >= 0 ? ct_os_file_read(file, text, sizeof(text) - 1) : 0;
    if (file >= 0)
        ct_os_file_close(file);
    if (bytes <= 0)
        return false;
    text[bytes] = '\0';
    char *end = NULL;
    *virtual_bytes = strtoull(text, &end, 10) * ct_os_page_bytes();
    *resident_bytes = strtoull(end, NULL, 10) * ct_os_page_bytes();
    return true;
}

static bool run_memory_tree(ct_console_request *r) {
    ct_sjson_writer *const w = &r->w;
    ct_memory_rows rows;
    const char *names[CT_MEMORY_ROW_DEPTH];
    uint64_t resident_bytes, virtual_bytes;
    CT_CLEANUP(ct_string_builder_free) ct_string_builder path;
    ct_string_builder_init(&path, r->target->allocator);
    ct_memory_rows_collect(&rows, r->target->allocator);
    if (read_process(&resident_bytes, &virtual_bytes)) {
        ct_sjson_member_number(w, "resident_bytes", (double)resident_bytes);
        ct_sjson_member_number(w, "virtual_bytes", (double)virtual_bytes);
    }
    ct_sjson_write_key(w, "allocators");
    ct_sjson_begin_array(w);
    for (uint32_t i = 0; i < rows.count; ++i) {
        ct_string_builder_clear(&path);
        ct_memory_rows_path(&rows.items[i], names, &path);
        ct_sjson_begin_object(w);
        ct_sjson_member_string(w, "path", ct_string_builder_text(&path));
        ct_sjson_member_number(w, "depth", rows.items[i].depth);
        write_stats(w, &rows.items[i].stats);
        ct_sjson_member_bool(w, "traced", rows.items[i].is_traced);
        ct_sjson_end_object(w);
    }
    ct_sjson_end_array(w);
    ct_memory_rows_free(&rows);
    return true;
}

// --- Tracing -------------------------------------------------------------------------------------

// Returns the text of a member that has no zero bytes.
static const char *name_of(ct_console_request *r) {
    const char *const name = ct_console_text(r, "name");
    if (!name)
        ct_error_set(&r->error, "\"name\" has a zero byte; expected the path of an allocator");
    return name;
}

static bool run_memory_trace(ct_console_request *r) {
    const char *const name = name_of(r);
    if (!name ||
        !ct_memory_traces_set(r->target->client, name, ct_console_bool(r, "on", false), &r->error))
        return false;
    ct_sjson_member_bool(&r->w, "on", ct_memory_is_traced(name));
    return true;
}

static void write_stack(void *user, const ct_memory_traced_stack *stack) {
    ct_sjson_writer *const w = user;
    ct_sjson_begin_object(w);
    ct_sjson_member_number(w, "bytes", (double)stack->num_bytes);
    ct_sjson_member_number(w, "blocks", (double)stack->num_blocks);
    ct_sjson_write_key(w, "frames");
    ct_sjson_begin_array(w);
    for (const char *line = stack->lines; *line != '\0';) {
        const uint32_t bytes = (uint32_t)strcspn(line, "\n");
        ct_sjson_write_string_bytes(w, line, bytes);
        line += bytes + (line[bytes] == '\n');
    }
    ct_sjson_end_array(w);
    ct_sjson_end_object(w);
}

static bool run_memory_report(ct_console_request *r) {
    const char *const name = name_of(r);
    const uint32_t most = ct_console_whole(r, "count", MAX_STACKS, DEFAULT_STACKS);
    ct_memory_traced_sums sums;
    if (r->error.message[0])
        return false;
    ct_sjson_write_key(&r->w, "stacks");
    ct_sjson_begin_array(&r->w);
    if (!ct_memory_trace_visit(name, most, &sums, write_stack, &r->w, &r->error))
        return false;
    ct_sjson_end_array(&r->w);
    ct_sjson_member_number(&r->w, "bytes", (double)sums.num_bytes);
    ct_sjson_member_number(&r->w, "blocks", (double)sums.num_blocks);
    ct_sjson_member_number(&r->w, "total", sums.num_stacks);
    return true;
}

// --- The area ------------------------------------------------------------------------------------

static const ct_protocol_message messages[] = {
    {.type = "memory_tree",
     .summary = "lists all allocators, parents before children",
     .answer = CT_PROTOCOL_MEMBERS(
         {"resident_bytes", "integer?", "of the process, in memory"},
         {"virtual_bytes", "integer?", "of the process, of its addresses"},
         {"allocators", "MemoryRow[]", "some 100; their children's bytes are within theirs"}),
     .works_stopped = true,
     .run = run_memory_tree},
    {.type = "memory_trace",
     .summary = "starts or ends to record the call stack of each block that an allocator, and all "
                "over it, "
                "hand out. Blocks from before are not in the report. It ends with the connections "
                "that have asked for it",
     .members = CT_PROTOCOL_MEMBERS({"name", "string", "a path of memory_tree, or the end of one"},
                                    {"on", "boolean", "whether it shall be traced"}),
     .answer = CT_PROTOCOL_MEMBERS({"on", "boolean", "whether it is traced now"}),
     .run = run_memory_trace},
    {.type = "memory_report",
     .summary =
         "lists the call stacks of the live blocks of a traced allocator, most bytes first. Slow: "
         "it looks up symbols, which takes some 100 ms the first time",
     .members =
         CT_PROTOCOL_MEMBERS({"name", "string", "a path of memory_tree, or the end of one"},
                             {"count", "integer?", "of call stacks: at most 1,000; 64 without it"}),
     .answer = CT_PROTOCOL_MEMBERS({"stacks", "MemoryStack[]", "most bytes first"},
                                   {"bytes", "integer", "of all call stacks"},
                                   {"blocks", "integer", "of all call stacks"},
                                   {"total", "integer", "number of call stacks"}),
     .run = run_memory_report},
};

static const ct_protocol_shape shapes[] = {
    {"MemoryRow", "an allocator",
     CT_PROTOCOL_MEMBERS({"path", "string", "the names from its root, with slashes between them"},
                         {"depth", "integer", "0 for roots"},
                         {"live_bytes", "integer", "of blocks that were not freed"},
                         {"peak_bytes", "integer", "the most that ever lived"},
                         {"live_blocks", "integer", "that were not freed"},
                         {"traced", "boolean", "whether its call stacks are recorded"})},
    {"MemoryStack", "the live blocks that one call stack allocated",
     CT_PROTOCOL_MEMBERS({"bytes", "integer", "of them"}, {"blocks", "integer", "how many"},
                         {"frames", "string[]", "function, file and line, innermost first"})},
};

const ct_protocol_area ct_memory_area = {
    .name = "memory",
    .summary = "Allocators, and what allocated.",
    .messages = messages,
    .num_messages = CT_COUNT_OF(messages),
    .shapes = shapes,
    .num_shapes = CT_COUNT_OF(shapes),
};
