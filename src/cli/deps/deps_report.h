// deps_report.h: what `cuttle deps` tells, as text and as JSON.
#pragma once
#include "content/references/reference_reach.h"
#include "foundation/sjson/sjson_writer.h"

typedef struct ct_deps_report {
    const char *project; // as the user wrote it, before the paths that are told
    ct_reference_graph *graph;
    ct_reference_reach reach;
    // What was asked for. With `nodes`: what they refer to, or who refers to them.
    bool tells_missing, tells_dangling;
    ct_u32_array nodes; // empty: nothing was selected
    bool is_backwards;
} ct_deps_report;

// The two write to standard output; without any question the text is a summary. The JSON has
// everything that was asked for beside the summary, and all that is missing and dangling when
// nothing was.
void ct_deps_print(const ct_deps_report *report);
void ct_deps_print_json(ct_allocator *a, const ct_deps_report *report);

// Tells, on standard error, which files could not be read: what is told of them is what they said
// last.
void ct_deps_print_problems(const ct_deps_report *report);

// Writes `path:line:column: texture "textures/rose"` of a mention to `text` of `bytes`, with the
// path as ct_project_error_path has it.
void ct_deps_mention_text(const ct_deps_report *report, uint32_t file, uint32_t mention, char *text,
                          size_t bytes);

// Writes the members of a mention to an open object: `file`, `line`, `column`, `kind`, `type`, `name`.
void ct_deps_write_mention(ct_sjson_writer *w, const ct_deps_report *report, uint32_t file,
                           uint32_t mention);
