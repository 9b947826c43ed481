// profiler_file.h: recordings as files that Perfetto and chrome://tracing open.
//
// A recording is written by a thread of its own, some fifty times a second, out of the store of the
// last frames; when the disk is too slow, frames are lost and counted, and the game goes on.
#pragma once
#include "foundation/profiler/profiler.h"

typedef struct ct_profiler_file ct_profiler_file;

// Opens `path` (emptied) and begins to record to it. `a` must be safe from any thread. NULL with
// `error` when the file cannot be written.
ct_profiler_file *ct_profiler_file_start(ct_allocator *a, const char *path, ct_error *error);

// Ends it, and waits until all of it is written. False with `error` when something was not.
bool ct_profiler_file_stop(ct_profiler_file *f, ct_error *error);

// Writes the last frames, as far as they are kept, to `path`; recording or not. `num_frames` is
// set. Takes up to a second for a full store of 16 MiB. False with `error` when nothing was
// recorded, or it cannot be written.
bool ct_profiler_dump(ct_allocator *a, const char *path, uint64_t *num_frames, ct_error *error);
