// source_watch.h: hears of changes to the sources of a project and core, and of when they are over.
//
// A save is often several changes: a file is written bit by bit, `git checkout` replaces hundreds.
// What lies there in between nobody saved. So a watch waits until the sources are still: for 30 ms
// after a few changes, for 200 ms after many, and for a second while git has its index locked. A
// file that is being written is not still. Changes without an end are waited for no longer than 2
// seconds, those of git no longer than a minute. One thread at a time.
#pragma once
#include "foundation/os/os.h"

typedef struct ct_source_watch ct_source_watch;

// Watches the two folders, absolute and without links. NULL with `error` when the system refuses.
ct_source_watch *ct_source_watch_create(ct_allocator *a, const char *project_folder,
                                        const char *core_folder, ct_error *error);

// Ends the watch and frees it; NULL is fine.
void ct_source_watch_destroy(ct_source_watch *w);

// Waits up to `timeout_ns` for changes. Returns whether there were any since the last call. The
// first of them starts a burst, which ends with ct_source_watch_end_burst.
bool ct_source_watch_wait(ct_source_watch *w, uint64_t timeout_ns);

// Waits until the sources are still, or the burst has lasted for too long, or `is_over` (asked every
// 20 ms) returns true.
void ct_source_watch_settle(ct_source_watch *w, bool (*is_over)(void *user), void *user);

// Returns whether the burst has lasted for so long that nobody should wait for its end any more.
bool ct_source_watch_is_overdue(const ct_source_watch *w);

// Ends the burst: the next change starts another one.
void ct_source_watch_end_burst(ct_source_watch *w);
