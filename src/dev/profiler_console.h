// profiler_console.h: the console's `profiler` command, and recordings streamed to tools.
//
// A client that subscribed gets each frame as a message with binary (docs/formats/profiler.md), as
// long as it reads them; what a slow one leaves waits in the profiler's store, and is lost and
// counted when that overflows. Recording belongs to the whole process, and so does this. Update
// thread.
#pragma once
#include "dev/console_commands.h"

// Before the first command, and after the last; ends what the console began to record.
void ct_profiler_console_init(ct_allocator *a);
void ct_profiler_console_shutdown(void);

// `start` and `stop` begin and end a recording, of which the last frames are kept; `dump FILE`
// writes them as a Chrome trace; `subscribe` and `unsubscribe` begin and end the stream to the
// client that asks. As ct_console_run.
bool ct_console_run_profiler(ct_console_target *target, uint32_t num_arguments,
                             const char *const *arguments, ct_string_builder *result,
                             ct_error *error);

// At a frame boundary: sends subscribers what was recorded since, and forgets those who are gone.
void ct_profiler_console_send(ct_console_server *server);
