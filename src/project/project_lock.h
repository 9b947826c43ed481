// project_lock.h: one at a time changes what is compiled from a project.
//
// Whoever compiles, imports into a project or bundles it holds a lock on a file of its cache folder
// meanwhile (with data elsewhere: on <data folder>.lock, ct_compiler_lock_file); the next waits. A
// holder that is killed has given it back, and what it was in the middle of doing to sources is
// finished by the next (project_journal.h): who has the lock finds sources whole.
#pragma once
#include "foundation/error.h"
#include "foundation/os.h"

typedef struct ct_project_lock_desc {
    const char *path;    // of the lock file, whose folder is there
    const char *project; // the folder, absolute and without links, whose journal is finished; NULL:
                         // none
    // Called once, from the calling thread, when another process has it; `process` is its number,
    // 0 when it did not say. May be NULL.
    void (*waiting)(void *user, int64_t process);
    // Asked while waiting: true ends that with an error. May be NULL.
    bool (*is_cancelled)(void *user);
    void *user;
} ct_project_lock_desc;

// Waits for the lock and takes it, then finishes the project's journal when there is one, which is
// logged. False with `error` when that was cancelled, the file cannot be opened or the journal
// cannot be finished now. Release it by ct_file_lock_release.
bool ct_project_lock_take(const ct_project_lock_desc *desc, ct_file_lock *lock, ct_error *error);

// Makes the cache folder of a project (absolute, without links) and writes the path of the lock
// file in it to `path` of CT_PATH_BYTES. False with `error`.
bool ct_project_lock_path(const char *project_folder, char *path, ct_error *error);

// Takes the project's lock to finish its journal, and releases it: for those who only read. Nothing
// happens, and nothing is written, when there is no journal. `desc` without path and project.
bool ct_project_finish_journal(const char *project_folder, const ct_project_lock_desc *desc,
                               ct_error *error);
