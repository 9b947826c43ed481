// check_findings.h: the faults that `cuttle check` found, as text and as JSON.
#pragma once
#include "foundation/container/array.h"
#include "foundation/error.h"
#include "foundation/string/string_builder.h"

typedef enum ct_finding_kind {
    CT_FINDING_KIND_COMPILE, // a source does not compile
    CT_FINDING_KIND_LOGGED,  // something logged an error
    CT_FINDING_KIND_CRASH,   // the engine died
    CT_FINDING_KIND_HANG,    // a frame took longer than the limit
    CT_FINDING_KIND_WARNING, // not an error: actors start inside each other
} ct_finding_kind;

// One fault. In a list all strings are owned; those that do not apply are "".
typedef struct ct_finding {
    ct_finding_kind kind;
    const char *what; // "compile", "engine", "package", "level", "unit", "game"
    const char *name; // of the resource
    uint32_t frame;
    const char *system; // that logged it
    const char *message;
    const char *file; // of a source that does not compile
    uint32_t line, column;
    const char *report; // the file of a crash report
} ct_finding;

typedef CT_ARRAY(ct_finding) ct_finding_array;

// What was checked, for the summary.
typedef struct ct_check_counts {
    uint32_t packages, levels, units, games;
    uint32_t frames; // each
    double seconds;
} ct_check_counts;

// Appends a finding; its strings are copied, NULL as "".
void ct_findings_add(ct_finding_array *findings, const ct_finding *finding);

// Returns how many are errors; the rest are warnings.
uint32_t ct_findings_num_errors(const ct_finding_array *findings);

// Writes the findings from number `first` on to standard error.
void ct_findings_print(const ct_finding_array *findings, uint32_t first);

// Moves all findings of `from` to the end of `findings`.
void ct_findings_move(ct_finding_array *findings, ct_finding_array *from);

// Frees all findings and the list.
void ct_findings_free(ct_finding_array *findings);

// Appends one line as people read it: "level levels/yard: frame 12: [lua] …", "engine: [app] …". A
// message may have further lines.
void ct_finding_write_text(const ct_finding *finding, ct_string_builder *out);

// Appends the JSON object that docs/check.md describes.
void ct_findings_write_json(const ct_finding_array *findings, const ct_check_counts *counts,
                            ct_string_builder *out);
