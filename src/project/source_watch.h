// source_watch.h: detects changes to the sources of a project and core, and waits until they end.
//
// A save is often several changes: a file is written in parts, or `git checkout` replaces hundreds.
// The files in between are states that no one saved. So a watch waits until the sources stop
// changing: for 30 ms after a few changes, for 200 ms after many, and for a second while git has
// its index locked. A file that is being written counts as changing. If changes do not end, it
// waits for at most 2 seconds, or a minute for those of git. One thread at a time.
#pragma once
#include "foundation/os/os.h"

typedef struct ct_source_watch ct_source_watch;

// Watches the two folders, absolute and without links. NULL with `error` when the system refuses.
ct_source_watch *ct_source_watch_create(ct_allocator *a, const char *project_folder,
                                        const char *core_folder, ct_error *error);

// Ends the watch and frees it; NULL is fine.
void ct_source_watch_destroy(ct_source_watch *w);

// Waits up to `timeout_ns` for changes. Returns whether there were any since the last call. The
// first change starts a burst, which lasts until ct_source_watch_end_burst.
bool ct_source_watch_wait(ct_source_watch *w, uint64_t timeout_ns);

// Waits until the sources stop changing, the burst has lasted too long, or `is_over` (called every
// 20 ms) returns true.
void ct_source_watch_settle(ct_source_watch *w, bool (*is_over)(void *user), void *user);

// Returns whether the burst has lasted so long that callers should no longer wait for its end.
bool ct_source_watch_is_overdue(const ct_source_watch *w);

// Ends the burst: the next change starts another one.
void ct_source_watch_end_burst(ct_source_watch *w);
