// import_ask.h: has a worker process answer one request about a file, wherever the file lies.
#pragma once
#include "compiler/import/import_model.h"
#include "compiler/protocol/compiler_protocol.h"

// Asks a new worker (`worker_path`; NULL: `cuttle-worker` beside this program). `path` is the file
// for errors of the worker itself; files in errors of the answer become absolute by the request's
// folder. All stays in `a`, a temp allocator. Returns false with `errors` filled, and nothing to
// free, when there is no answer or it has errors; else `answer` is the caller's to free.
bool ct_import_ask(ct_allocator *a, const char *worker_path, const ct_compile_request *request,
                   const char *path, ct_compile_answer *answer, ct_import_error_array *errors);

// Adds an error.
void ct_import_add_error(ct_import_error_array *errors, const char *file, uint32_t line,
                         uint32_t column, const char *message);

// Returns the name in a message of a worker's answer as an absolute path; or the name itself, when
// the path would be too long. From `a`.
const char *ct_import_place(ct_allocator *a, const char *folder, const char *name);
