// project_lock.h: one at a time changes what is compiled from a project, and nobody reads sources
// while a command changes them.
//
// Whoever compiles, imports into a project or bundles it holds a lock on a file of its cache folder
// meanwhile (with data elsewhere: on <data folder>/.lock, ct_compiler_lock_file); the next waits. A
// holder that is killed has given it back, and what it was in the middle of doing to sources is
// finished by the next (project_journal.h): who has the lock finds sources whole.
//
// Who compiles to data elsewhere does not keep others from compiling, and makes nothing in the
// project. So a second lock is on the project's folder itself: who has another lock than the
// project's shares it, who changes sources has it alone. It is taken after the first, and who shares
// it waits for nothing any more. Where the file system has no locks of folders it is left out.
#pragma once
#include "foundation/error.h"
#include "foundation/os/os.h"

typedef struct ct_project_lock_desc {
    const char *path;    // of the lock file, whose folder is there
    const char *project; // the folder, absolute and without links, whose journal is finished; NULL:
                         // none, and its sources are neither read nor changed
    bool changes_sources; // of `project`; `path` is that of ct_project_lock_path
    // Called once, from the calling thread, when another process has it; `process` is its number,
    // 0 when it did not say. May be NULL.
    void (*waiting)(void *user, int64_t process);
    // Asked while waiting: true ends that with an error. May be NULL.
    bool (*is_cancelled)(void *user);
    void *user;
} ct_project_lock_desc;

// What is held: {0} is nothing.
typedef struct ct_project_lock {
    ct_file_lock file;
    ct_file_lock sources; // of the project's folder
} ct_project_lock;

// Waits for the lock and takes it, then finishes the project's journal when there is one, which is
// logged. False with `error`, and `lock` {0}, when that was cancelled, the file cannot be opened or
// the journal cannot be finished now.
bool ct_project_lock_take(const ct_project_lock_desc *desc, ct_project_lock *lock, ct_error *error);

// Gives it back; {0} is fine.
void ct_project_lock_release(ct_project_lock *lock);

// Makes the cache folder of a project (absolute, without links) and writes the path of the lock
// file in it to `path` of CT_PATH_BYTES. False with `error`.
bool ct_project_lock_path(const char *project_folder, char *path, ct_error *error);

// Takes the project's lock to finish its journal, and releases it: for those who only read. Nothing
// happens, and nothing is written, when there is no journal. `desc` without path and project.
bool ct_project_finish_journal(const char *project_folder, const ct_project_lock_desc *desc,
                               ct_error *error);
