// content_move_private.h: a plan in the making; shared by the files content_move*.c only.
#pragma once
#include "content/content_move.h"
#include "content/content_move_set.h"

typedef struct ct_move_planner {
    const ct_move_desc *desc;
    ct_move_plan *plan;
    ct_content_files *files; // the plan's
    ct_move_target from, to;
    ct_move_set set;
    bool *is_referrer; // beside the files: named by desc.referrers; NULL: none were given
} ct_move_planner;

// Adds to what stands against the plan; `file` NULL: no place.
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

// content_move_change.c: turns mentions into changes of the journal, and git's entries with them.
void ct_move_make_changes(ct_move_planner *p);
void ct_move_add_git_entries(ct_move_planner *p);

// What a pattern becomes when the folder is moved that all it can match lies in; NULL: it stays.
// From the plan's allocator.
const char *ct_move_pattern(const ct_move_planner *p, const char *pattern);
