// merge.h: three-way merge of SJSON (and JSON) texts that never conflicts.
//
// The root of a text is an object, or, as in JSON, an array. What theirs changed since base is put
// into mine. The result is mine's text, byte for byte where theirs changed nothing. Where both
// changed the same, a rule decides (merge_plan.h), and the report lists the decision. When mine is
// base, byte for byte, the result is theirs' text.
//
// From "Avoiding Content Locks and Conflicts -- 3-Way Json Merge" (Bitsquid blog, 2010-06-03).
#pragma once
#include "foundation/string/string_builder.h"

typedef struct ct_merge_text {
    const char *text; // borrowed
    uint64_t size_bytes;
    const char *file; // for errors and the report; borrowed
    bool is_on_disk;  // the text is not given, but read from `file` when it is needed: twice, so
                      // that it takes no memory in between. A change meanwhile is an error
} ct_merge_text;

typedef struct ct_merge_desc {
    ct_merge_text base, theirs, mine;
    const char *path; // names the file for its type, as schemas know it; NULL: no schema speaks
    bool is_json;     // all three are JSON (base may be empty), and so is the result
} ct_merge_desc;

typedef struct ct_merge_summary {
    uint32_t num_edits;     // of mine
    uint32_t num_decisions; // where a rule decided between the two
    const char *wrong_side; // of a failure: "base", "theirs" or "mine"; "" when it is the result
} ct_merge_summary;

// Merges and appends the result to `result`, and the report, a JSON document on one line without
// line end, to `report` (NULL is fine). False with `error`, which names the side's file, when one
// of them is wrong; nothing is appended then. Linear in the texts but for the alignment of plain
// arrays; takes some nine times the memory of one text that is on the disk. Any thread.
bool ct_merge_texts(ct_allocator *a, const ct_merge_desc *desc, ct_string_builder *result,
                    ct_string_builder *report, ct_merge_summary *summary, ct_error *error);
