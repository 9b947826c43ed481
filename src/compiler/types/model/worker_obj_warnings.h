// worker_obj_warnings.h: what an OBJ model or its libraries have and a scene does not: each kind
// once, not each line.
#pragma once
#include "compiler/protocol/compile.h"
#include "compiler/types/model/worker_obj_names.h"
#include "project/obj_text.h"

enum { CT_WORKER_OBJ_MAX_WARNINGS = 64, CT_WORKER_OBJ_QUOTE_BYTES = 48 };

// The warnings of one model.
typedef struct ct_worker_obj_warnings {
    ct_compile *c;
    ct_string_array *texts;    // sentences are appended
    ct_worker_obj_names kinds; // that were warned of
} ct_worker_obj_warnings;

// Makes a list that appends to `texts`, whose allocator is set.
void ct_worker_obj_warnings_init(ct_worker_obj_warnings *w, ct_compile *c, ct_string_array *texts);

// Appends the sentence "file, line 3: text", without the file when `path` is NULL. Does nothing
// when one of the same `kind` and `path` is there, or too many are.
void ct_worker_obj_warn(ct_worker_obj_warnings *w, const char *path, uint32_t line,
                        const char *kind, const char *format, ...) CT_PRINTF(5, 6);

// Writes `span` to `out` as messages show it: in quotes, on one line, cut when it is long.
const char *ct_worker_obj_quote(ct_obj_span span, char out[CT_WORKER_OBJ_QUOTE_BYTES]);
