// content_move_private.h: a plan in the making; shared by the files content_move*.c only.
#pragma once
#include "content/move/content_move.h"
#include "content/move/content_move_set.h"

typedef struct ct_move_planner {
    const ct_move_desc *desc;
    ct_move_plan *plan;
    ct_content_files *files; // the plan's
    ct_move_target from, to;
    ct_move_set set;
    bool *is_referrer;   // beside the files: named by desc.referrers; NULL: none were given
    ct_hash_map origins; // MOVED: from a path's hash to the position in `set.files` + 1
} ct_move_planner;

// An empty plan.
void ct_move_plan_init(ct_move_plan *plan, const ct_move_desc *desc);

// Adds an error, so that the plan cannot be run; `file` NULL: no place.
void ct_move_refuse(ct_move_planner *p, const char *file, uint32_t line, uint32_t column,
                    const char *format, ...) CT_PRINTF(5, 6);
void ct_move_warn(ct_move_planner *p, const char *format, ...) CT_PRINTF(2, 3);

// content_move_media.c: adds the media that go with a resource, and the records of imports whose
// models get other names.
void ct_move_add_media(ct_move_planner *p);
void ct_move_add_import_records(ct_move_planner *p);

// content_move_check.c: refuses new paths that are taken, and warns of wildcards.
void ct_move_check_paths(ct_move_planner *p);
void ct_move_check_packages(ct_move_planner *p);

// content_move_left.c: warns of what a rename leaves behind: hidden files of a folder, symbolic
// links to what is renamed.
void ct_move_check_left(ct_move_planner *p);

// content_move_change.c: turns mentions into changes of the journal, and git's entries with them.
void ct_move_make_changes(ct_move_planner *p);
void ct_move_add_git_entries(ct_move_planner *p);

// MOVED: returns where the file is now that `file` names by a path from its folder, when that path,
// which leads to `path`, is wrong; NULL: it is right, or the file is unknown. `file` and all paths
// are project paths; from the plan's allocator.
const char *ct_move_moved_relative(ct_move_planner *p, const char *file, const char *path);

// Writes the path to `path` from the folder of `file`: both are project paths.
void ct_move_write_relative(char text[2 * CT_PATH_BYTES], const char *file, const char *path);

// What a pattern becomes when the folder is moved that all it can match lies in; NULL: it stays.
// From the plan's allocator.
const char *ct_move_pattern(const ct_move_planner *p, const char *pattern);
