// move_outcome.h: runs a plan of moves and prints the outcome, for `cuttle mv`, `cp`, `replace`,
// `rm` and `deps --fix-moved`.
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

// A project whose sources are read, or changed.
typedef struct ct_move_project {
    char folder[CT_PATH_BYTES], core[CT_PATH_BYTES];
    ct_source_roots roots; // points at the two folders: the struct must not move
    ct_project_lock lock;  // {0}: the project is only read
} ct_move_project;

// Finds the folders and, for changes, takes the project's lock, which the caller releases with
// ct_project_lock_release. False with `error`.
bool ct_move_project_open(ct_move_project *project, const char *folder, bool is_to_change,
                          ct_error *error);

// Runs the plan. A failure is added to the plan's errors.
void ct_move_outcome_run(ct_move_outcome *o);

// Prints the changes for people to standard output: the files that were, or would be, moved and
// edited.
void ct_move_outcome_print_changes(const ct_move_outcome *o);

// Prints the changes of the plan as a unified diff to standard output. Scratch memory is from `a`.
void ct_move_outcome_print_diff(ct_allocator *a, const ct_move_outcome *o);

// Prints what people should look at, such as mentions that are only likely, to standard error.
void ct_move_outcome_print_notes(const ct_move_outcome *o);

// Prints why nothing was done to standard error, a line for each error of the plan.
void ct_move_outcome_print_errors(const ct_move_outcome *o);

// Writes the members `done`, `files`, `likely`, `referrers`, `warnings` and `errors` into an open
// object.
void ct_move_outcome_write(ct_sjson_writer *w, const ct_move_outcome *o);
