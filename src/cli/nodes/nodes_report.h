// nodes_report.h: what `cuttle nodes` prints and writes about the runs of a plan, as text and as
// JSON.
#pragma once
#include "cli/nodes/nodes_run.h"

// One run that has ended. Strings are owned by the list.
typedef struct ct_nodes_record {
    uint32_t run, seed;
    ct_nodes_result result;
    double seconds;
    const char *folder; // "": removed
    // Of a run that did not pass; otherwise 0 and "":
    uint32_t line;
    const char *step, *node, *message, *details;
    const char *replay; // the command that repeats it
} ct_nodes_record;

typedef CT_ARRAY(ct_nodes_record) ct_nodes_record_array;

// Appends a record of a run; copies its strings.
void ct_nodes_records_add(ct_nodes_record_array *records, uint32_t run, uint32_t seed,
                          const ct_nodes_outcome *outcome, const char *folder, const char *replay);

// Frees all records.
void ct_nodes_records_free(ct_nodes_record_array *records);

// Appends the command that repeats one run of a plan, quoted for a shell.
void ct_nodes_add_replay(ct_string_builder *out, const ct_nodes_plan *plan, uint32_t run);

// Appends the failure of a run as people read it: `plan.sjson:12: wait on b: …`, the ends of logs,
// the folder, and the command that repeats the run.
void ct_nodes_add_failure(ct_string_builder *out, const ct_nodes_plan *plan,
                          const ct_nodes_record *record);

// Appends the JSON object that docs/nodes.md describes.
void ct_nodes_add_json(ct_string_builder *out, const ct_nodes_plan *plan,
                       const ct_nodes_record_array *records, double seconds);
