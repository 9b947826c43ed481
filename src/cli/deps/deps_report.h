// deps_report.h: the report of `cuttle deps`, as text and as JSON.
#pragma once
#include "content/references/reference_reach.h"
#include "foundation/sjson/sjson_writer.h"

typedef struct ct_deps_report {
    const char *project; // as the user wrote it; printed paths begin with it
    ct_reference_graph *graph;
    ct_reference_reach reach;
    // The parts that were asked for. `nodes`: what they refer to, or what refers to them.
    bool tells_missing, tells_dangling;
    ct_u32_array nodes; // empty: nothing was selected
    bool is_backwards;
} ct_deps_report;

// Prints the parts that were asked for to standard output as text; a summary when no part was.
void ct_deps_print(const ct_deps_report *report);

// Prints one JSON object to standard output: the summary, the parts that were asked for (everything
// missing and dangling when no part was), and files that could not be read. Scratch memory is from
// `a`.
void ct_deps_print_json(ct_allocator *a, const ct_deps_report *report);

// Prints the files that could not be read to standard error: the report has their references as
// last known.
void ct_deps_print_problems(const ct_deps_report *report);

// Writes `path:line:column: texture "textures/rose"` of a mention to `text` of `bytes`, with the
// path as ct_project_error_path has it.
void ct_deps_mention_text(const ct_deps_report *report, uint32_t file, uint32_t mention, char *text,
                          size_t bytes);

// Writes the members of a mention into an open object: `file`, `line`, `column`, `kind`, `type`,
// `name`.
void ct_deps_write_mention(ct_sjson_writer *w, const ct_deps_report *report, uint32_t file,
                           uint32_t mention);
