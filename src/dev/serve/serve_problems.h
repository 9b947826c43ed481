// serve_problems.h: the errors and warnings in a project's sources, on their way from the file
// server's compiler to the logs of engines.
//
// A list has what is wrong now, the errors first, and is bounded: of 10,000 errors it has 200 and
// the number of the rest. It is sent whole when it changes, as the list of files is, so that the
// server keeps no state of an engine. The engine's side logs what is new in a list, as hot reload
// does with a compiler of its own. Plain data; one thread at a time.
#pragma once
#include "foundation/container/array.h"
#include "foundation/container/hash_map.h"
#include "foundation/error.h"
#include "foundation/sjson/sjson.h"
#include "foundation/string/string_builder.h"

enum { CT_SERVE_MAX_PROBLEMS = 200 }; // in a list

typedef struct ct_serve_problem {
    ct_error error; // its file from the project's folder, or in core
    bool is_warning;
} ct_serve_problem;

typedef struct ct_serve_problems {
    CT_ARRAY(ct_serve_problem) items;
    uint32_t num_left_out; // further errors and warnings
} ct_serve_problems;

// What an engine has logged of the list before.
typedef struct ct_serve_problem_log {
    ct_hash_map logged; // hashes of problems
    uint32_t num_errors;
} ct_serve_problem_log;

// Makes an empty list, or frees one.
void ct_serve_problems_init(ct_serve_problems *p, ct_allocator *a);
void ct_serve_problems_free(ct_serve_problems *p);

// Empties a list.
void ct_serve_problems_clear(ct_serve_problems *p);

// Appends a problem (copied) while there is room, and counts it otherwise.
void ct_serve_problems_add(ct_serve_problems *p, const ct_error *error, bool is_warning);

// Makes `p` a copy of `from`.
void ct_serve_problems_copy(ct_serve_problems *p, const ct_serve_problems *from);

// Returns whether both have the same problems in the same order.
bool ct_serve_problems_equal(const ct_serve_problems *a, const ct_serve_problems *b);

// Appends the JSON of a message {type: "problems", …} (serve_protocol.h).
void ct_serve_problems_write(const ct_serve_problems *p, ct_string_builder *json);

// Reads such a message to `p`; texts that are too long are cut. Returns false with `error`, and an
// empty list, when it is malformed or has more than CT_SERVE_MAX_PROBLEMS.
bool ct_serve_problems_read(const ct_sjson *doc, ct_serve_problems *p, ct_error *error);

// Makes the log of an engine that has logged nothing, or frees it.
void ct_serve_problem_log_init(ct_serve_problem_log *log, ct_allocator *a);
void ct_serve_problem_log_free(ct_serve_problem_log *log);

// Logs what `p` has and the list before had not, each as an error or warning of the system
// "compiler"; after errors, a list without any is logged as an info. Returns how many problems were
// new.
uint32_t ct_serve_problem_log_take(ct_serve_problem_log *log, const ct_serve_problems *p);
