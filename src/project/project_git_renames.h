// project_git_renames.h: what git knows of files that are not where they were.
//
// All paths are project paths; what lies outside of the project's folder is left out. Nothing is
// changed. Strings are from the allocator given. Any thread; calls wait for git to end.
#pragma once
#include "project/project_git.h"

enum { CT_GIT_MOST_COMMITS = 1000 };

// What became of a file in a commit, or is about to in the next one.
typedef struct ct_git_event {
    const char *from;
    const char *to; // NULL: it was removed
} ct_git_event;

typedef CT_ARRAY(ct_git_event) ct_git_events;

// Appends the files of the last commit, sorted by path. False with `error` when there is no commit
// yet, or git cannot be run.
bool ct_git_read_head(ct_allocator *a, const char *project, ct_git_entries *entries,
                      ct_error *error);

// Appends for each path the object (in hexadecimal) that git would make of the file there: what
// filters of git do to it is done. False with `error`, and nothing appended, when one of them cannot
// be read.
bool ct_git_hash_files(ct_allocator *a, const char *project, const char *const *paths,
                       uint32_t count, ct_string_array *objects, ct_error *error);

// Appends files that were renamed or removed, the latest first: what differs between the last commit
// and the files that git knows of, then the last CT_GIT_MOST_COMMITS commits. Git tells what was
// renamed by what the contents have in common: half is enough. False with `error`.
bool ct_git_read_events(ct_allocator *a, const char *project, ct_git_events *events,
                        ct_error *error);

// Follows a file through the events from where it was seen last. Returns the path that it has after
// them; NULL when it was removed or nothing is known of it.
const char *ct_git_follow(const ct_git_events *events, const char *path);
