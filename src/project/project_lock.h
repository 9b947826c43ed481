// project_lock.h: lets only one process at a time change the compiled data of a project, and no
// process read its sources while a command changes them.
//
// A process that compiles a project, imports into it or bundles it holds a lock on a file in the
// project's cache folder (with data elsewhere: on <data folder>/.lock, ct_compiler_lock_file); the
// next process waits. When the holder is killed, its lock is released, and the next process
// finishes its incomplete changes to sources (project_journal.h). So sources are complete once the
// lock is taken.
//
// A process that compiles to data elsewhere does not keep others from compiling, and writes nothing
// to the project. So there is a second lock, on the project's folder itself. A process with another
// lock than the project's shares it; a process that changes sources has it exclusively. It is taken
// after the first lock, and a process that shares it then waits for no other lock. Where the file
// system cannot lock folders, there is no second lock.
#pragma once
#include "foundation/error.h"
#include "foundation/os/os.h"

typedef struct ct_project_lock_desc {
    const char *path;     // of the lock file, whose folder must exist
    const char *project;  // folder whose journal is finished, absolute and without links; NULL: no
                          // journal is finished, and no sources are read or changed
    bool changes_sources; // of `project`; `path` must then be that of ct_project_lock_path
    // Called once, on the calling thread, when another process has the lock; `process` is its id,
    // or 0 when unknown. May be NULL.
    void (*waiting)(void *user, int64_t process);
    // Called while waiting; true ends the wait with an error. May be NULL.
    bool (*is_cancelled)(void *user);
    void *user;
} ct_project_lock_desc;

// The locks held; {0}: no locks.
typedef struct ct_project_lock {
    ct_file_lock file;
    ct_file_lock sources; // of the project's folder
} ct_project_lock;

// Waits for the lock and takes it, then finishes the project's journal if there is one, and logs
// that. False with `error`, and `lock` {0}, when the wait was cancelled, the file cannot be opened
// or the journal cannot be finished now.
bool ct_project_lock_take(const ct_project_lock_desc *desc, ct_project_lock *lock, ct_error *error);

// Releases the locks; {0} is fine.
void ct_project_lock_release(ct_project_lock *lock);

// Makes the cache folder of a project (absolute, without links) and writes the path of the lock
// file in it to `path` of CT_PATH_BYTES. False with `error`.
bool ct_project_lock_path(const char *project_folder, char *path, ct_error *error);

// Takes the project's lock, finishes its journal and releases the lock; for commands that only
// read. Does nothing, and writes nothing, when there is no journal. `desc` needs no path and
// project.
bool ct_project_finish_journal(const char *project_folder, const ct_project_lock_desc *desc,
                               ct_error *error);
