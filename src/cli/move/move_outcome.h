// move_outcome.h: what a plan of moves has come to, and how it is told: of `cuttle mv`, `cp`,
// `replace`, `rm` and `deps --fix-moved`.
#pragma once
#include "content/move/content_move.h"
#include "foundation/sjson/sjson_writer.h"
#include "project/project_lock.h"

typedef struct ct_move_outcome {
    const char *command; // its name
    const char *project; // as the user wrote it
    ct_move_plan *plan;
    ct_string_array report; // of the journal
    bool is_forced;
    bool is_done;
} ct_move_outcome;

// A project whose sources are looked at, or changed.
typedef struct ct_move_project {
    char folder[CT_PATH_BYTES], core[CT_PATH_BYTES];
    ct_source_roots roots; // the two; the struct stays where it is
    ct_project_lock lock;  // {0}: it is only looked at
} ct_move_project;

// Finds the folders and, for changes, takes the project's lock, which the caller releases with
// ct_project_lock_release. False with `error`.
bool ct_move_project_open(ct_move_project *project, const char *folder, bool is_to_change,
                          ct_error *error);

// Runs the plan; what went wrong is one more of its errors.
void ct_move_outcome_run(ct_move_outcome *o);

// What was changed, for people, and the same as a unified diff of what would be: to standard output.
void ct_move_outcome_print_changes(const ct_move_outcome *o);
void ct_move_outcome_print_diff(ct_allocator *a, const ct_move_outcome *o);

// What people should look at, and why nothing was done: to standard error.
void ct_move_outcome_print_notes(const ct_move_outcome *o);
void ct_move_outcome_print_errors(const ct_move_outcome *o);

// The members `done`, `files`, `likely`, `referrers`, `warnings` and `errors` of an open object.
void ct_move_outcome_write(ct_sjson_writer *w, const ct_move_outcome *o);
