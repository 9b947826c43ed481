// content_move.h: renames, copies, replaces and removes resources, with all that names them.
//
// A plan says what would be done to which files; nothing is changed until it is run, as one journal
// (project_journal.h). References are patched in place (content_references.h): only the bytes of
// names change in a file. A resource is renamed with all its variants, with the
// media that only it names and that are called like it, and with the place in records of imports.
//
// Operands are written as people see files: `textures/rose.texture`, the path of a media file, or
// a folder; the new name may leave out the type.
#pragma once
#include "content/move/content_files.h"
#include "project/project_journal.h"

typedef enum ct_move_kind {
    CT_MOVE_KIND_RENAME,  // `from` becomes `to`
    CT_MOVE_KIND_COPY,    // `to` is a copy of `from`, which `referrers` name from then on
    CT_MOVE_KIND_REPLACE, // `referrers` (none given: all) name `to` instead of `from`
    CT_MOVE_KIND_REMOVE,  // `from` goes
    CT_MOVE_KIND_MOVED,   // only what names files that others renamed changes (content_moved.h)
} ct_move_kind;

typedef struct ct_move_desc {
    ct_allocator *allocator; // a temp allocator
    ct_allocator *heap;      // for texts
    ct_source_roots roots;   // absolute, without links
    ct_move_kind kind;
    const char *from, *to; // `to` NULL when something is removed
    const char *const *referrers;
    uint32_t num_referrers;
    bool is_locked; // the caller holds the project's lock: it will run the plan
    bool is_forced; // removes also what is referred to
} ct_move_desc;

// A place to print for people.
typedef struct ct_move_place {
    const char *file; // project path, of before
    uint32_t line, column;
    const char *name; // the name there
} ct_move_place;

typedef CT_ARRAY(ct_move_place) ct_move_places;

// The texts of a change of the journal, for showing it.
typedef struct ct_move_text {
    const char *old_text;
    uint64_t old_bytes;
    uint32_t num_references; // that were patched
} ct_move_text;

typedef struct ct_move_plan {
    ct_allocator *allocator;
    ct_content_files files;
    ct_journal journal;
    CT_ARRAY(ct_move_text) texts; // beside journal.changes
    ct_move_places referrers;     // REMOVE: references to what is removed
    ct_move_places likely;        // texts of scripts and configs that look like the name, and stay
    ct_string_array warnings;
    CT_ARRAY(ct_error) errors; // why nothing can be done; empty: it can
} ct_move_plan;

// Makes a plan of any kind but MOVED. A caller that will run the plan must hold the project's lock
// until it has run. Returns false when the plan cannot be run: `errors` say why. Free it in both
// cases.
bool ct_move_plan_make(ct_move_plan *plan, const ct_move_desc *desc);
void ct_move_plan_free(ct_move_plan *plan);

// Runs the plan. `report` and the result are those of ct_journal_run.
bool ct_move_plan_run(ct_move_plan *plan, bool *is_begun, ct_string_array *report, ct_error *error);
