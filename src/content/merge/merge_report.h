// merge_report.h: the report of a merge: a JSON document on one line.
//
//     { "base": "…", "theirs": "…", "mine": "…", "edits": 12, "decisions": [
//         { "kind": "changed", "path": "units[id=8f].position", "taken": "mine",
//           "base": [1, 2, 3], "theirs": [1, 2, 4], "mine": [0, 2, 3] }
//     ] }
//
// docs/merging.md lists the kinds.
#pragma once
#include "content/merge/merge.h"
#include "content/merge/merge_plan.h"

// Appends the report.
void ct_merge_write_report(const ct_merge_plan *plan, const ct_merge_desc *desc,
                           ct_string_builder *out);
