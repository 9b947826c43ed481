// profiler_file.h: writes recordings to files for Perfetto and chrome://tracing.
//
// A thread of its own writes a recording, about fifty times a second, from the store of the last
// frames. When the disk is too slow, frames are lost and counted, and the game goes on.
#pragma once
#include "foundation/profiler/profiler.h"

typedef struct ct_profiler_file ct_profiler_file;

// Opens `path` (emptied) and begins to record to it. `a` must be safe from any thread. Returns NULL
// with `error` when the file cannot be written.
ct_profiler_file *ct_profiler_file_start(ct_allocator *a, const char *path, ct_error *error);

// Ends the recording and waits until all of it is written. Returns false with `error` when a part
// was not.
bool ct_profiler_file_stop(ct_profiler_file *f, ct_error *error);

// Writes the last frames, as far as they are kept, to `path`, whether or not recording is on. Sets
// `num_frames`. Takes up to a second for a full store of 16 MiB. Returns false with `error` when
// nothing was recorded or the file cannot be written.
bool ct_profiler_dump(ct_allocator *a, const char *path, uint64_t *num_frames, ct_error *error);
