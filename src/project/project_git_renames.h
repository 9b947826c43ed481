// project_git_renames.h: finds files that were renamed or removed, with git.
//
// All paths are project paths; files outside the project's folder are left out. Changes nothing.
// Strings are from the allocator given. Any thread; calls wait for git to end.
#pragma once
#include "project/project_git.h"

enum { CT_GIT_MOST_COMMITS = 1000 };

// A rename or removal of a file in a commit, or in the next one.
typedef struct ct_git_event {
    const char *from;
    const char *to; // NULL: it was removed
} ct_git_event;

typedef CT_ARRAY(ct_git_event) ct_git_events;

// Appends the files of the last commit, sorted by path. False with `error` when there is no commit
// yet, or git cannot be run.
bool ct_git_read_head(ct_allocator *a, const char *project, ct_git_entries *entries,
                      ct_error *error);

// Appends for each path the name (in hexadecimal) of the object that git would make from the file,
// after git's filters. Returns false with `error`, and appends nothing, when a file cannot be read.
bool ct_git_hash_files(ct_allocator *a, const char *project, const char *const *paths,
                       uint32_t count, ct_string_array *objects, ct_error *error);

// Appends renames and removals of files, the latest first: those between the last commit and the
// tracked files, then those of the last CT_GIT_MOST_COMMITS commits. Git recognizes a rename when
// at least half of the content is the same. False with `error`.
bool ct_git_read_events(ct_allocator *a, const char *project, ct_git_events *events,
                        ct_error *error);

// Follows a file through the events, from the path where it was last seen. Returns its path after
// them; NULL when it was removed or the events do not have it.
const char *ct_git_follow(const ct_git_events *events, const char *path);
