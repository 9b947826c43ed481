// content_moved.h: fixes references to files that were renamed without the tools.
//
// The files come from moved_files.h. Of a resource the files of all variants speak for a new name;
// the one that most of them speak for is it. The result is one plan, as for any other move
// (content_move.h): names become new ones all at once, so that circles (two that swapped their
// names) and chains come out right, and of files nothing else changes. Paths from the folder of a
// model that was moved (glTF, OBJ) lead again to where they led.
#pragma once
#include "content/move/content_move.h"
#include "content/move/moved_files.h"

typedef struct ct_moved_name {
    const ct_resource_type *type; // NULL: a media file, whose name is its path
    const char *from;
    const char *to; // NULL: it is not clear what it is called now
    ct_moved_evidence evidence;
    // When it is not clear: what is as good, sorted. One alone is only like it, or cannot be a
    // name: then `advice` says what to do about that, else it is NULL.
    uint32_t first_candidate, num_candidates;
    const char *advice;
    uint32_t displaced_in; // as of ct_moved_file
} ct_moved_name;

typedef struct ct_moved_plan {
    ct_move_plan plan; // of no changes when nothing was recognised
    ct_reference_graph graph;
    CT_ARRAY(ct_moved_name) names; // sorted by type and name; those without candidates are left out
    CT_ARRAY(const char *) candidates;
    CT_ARRAY(ct_reference_missing) missing; // what stays missing once the plan was run
} ct_moved_plan;

// Brings the index up to date, finds what was renamed and works out what is to be done. Of `desc`
// the kind is MOVED; operands and referrers are not looked at. A caller that will run the plan
// (ct_move_plan_run) must hold the project's lock until it has run. Returns false when the plan
// cannot be run: `plan.errors` say why. Free it in both cases. A referrer that cannot be parsed is
// a warning, and stays.
bool ct_moved_plan_make(ct_moved_plan *moved, const ct_move_desc *desc);
void ct_moved_plan_free(ct_moved_plan *moved);
