// diff_json.h: a diff as a JSON document, to be kept, sent and applied.
//
//     { "from": "a.level", "to": "b.level", "operations": [
//         { "operation": "set", "at": "units[id=8f].position",
//           "path": ["units", { "id": "8f" }, "position"], "old": [1, 2, 3], "new": [1, 2, 4] },
//         { "operation": "add", …, "path": ["points", 3], "new": 7, "before": 2, "count": 5 },
//         { "operation": "remove", …, "path": ["tags", { "value": "old" }], "old": "old" },
//         { "operation": "move", …, "path": ["units", { "id": "8f" }], "before": { "id": "9a" } },
//         { "operation": "move", …, "path": ["steps", 4], "old": { "type": "clear" }, "before": 0 }
//     ] }
//
// A step of a path is a key, an index, an object with an id under the name that it has in the file
// (`id`, `Id`, `ID`), or one with the value of a set's element. `before` is a step in the same
// container; without it the place is the last one. `at` is for people and is not read.
#pragma once
#include "content/diff/diff.h"
#include "foundation/string/string_builder.h"

// Appends the document. `from` and `to` name the two sides.
void ct_diff_write_json(const ct_diff *diff, const char *from, const char *to,
                        ct_string_builder *out);

// Reads the operations of a document (JSON or SJSON), which `diff` borrows from then on. False with
// `error`, which has the place, for what is no diff; `diff` is then empty. Free it in any case.
bool ct_diff_read_json(ct_diff *diff, ct_allocator *a, const ct_sjson *doc, ct_error *error);
