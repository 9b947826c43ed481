// profiler_console.h: the console's `profiler` command, and recordings streamed to tools.
//
// A client that subscribed gets each frame as a message with binary (docs/formats/profiler.md), as
// long as it reads them. Frames for a slow client wait in the profiler's store; when that overflows
// they are lost and counted. There is one recording per process, and one state here. Update thread.
#pragma once
#include "dev/console_commands.h"

// Starts without subscribers, with memory from `a`. Call it before the first command.
void ct_profiler_console_init(ct_allocator *a);

// Removes all subscribers and ends a recording that the console started. Call it after the last
// command.
void ct_profiler_console_shutdown(void);

// `start` and `stop` begin and end a recording, which keeps the last frames; `dump FILE` writes
// them as a Chrome trace; `subscribe` and `unsubscribe` begin and end the stream to the target's
// client. A ct_console_run function.
bool ct_console_run_profiler(ct_console_target *target, uint32_t num_arguments,
                             const char *const *arguments, ct_string_builder *result,
                             ct_error *error);

// Sends subscribers the frames that were recorded since the last call, and removes those whose
// connection has ended. Call it at a frame boundary.
void ct_profiler_console_send(ct_console_server *server);
