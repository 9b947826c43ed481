// crash.h: the report when the program ends by a bug.
//
// A failed assertion, the fatal signals (SEGV, BUS, FPE, ILL, ABRT, an overflowing stack) and a Lua
// panic give the same report: contexts outermost first, what happened, the call stack with function,
// file and line, thread, task, what hooks add, the last lines of the log, the build id. It goes to
// standard error, to a file, and to the connected consoles.
//
// A dying process cannot trust its heap, so it only collects raw facts (frames, pointers' texts) and
// sends them through a pipe to a helper process that ct_crash_init forked at the start; the helper
// finds the symbols, writes the report within a time limit and never uses the network. When the
// helper is gone, the dying process writes module and offset of each frame itself.
#pragma once
#include "foundation/types.h"

// Installs the signal handlers, with a stack of their own. Once, on the main thread. In sanitizer
// builds the handlers are left to the sanitizer.
void ct_crash_init(void);

// Writes the report for `what` (one or more lines) with this thread's contexts and call stack to
// standard error, leaving out the innermost `skip_frames` frames.
void ct_crash_report(const char *what, uint32_t skip_frames);

// Writes this thread's symbolised call stack, a line per frame, to `text` (zero-terminated, cut to
// `bytes`). Slow (some 50 ms) the first time.
void ct_crash_call_stack(char *text, uint32_t bytes, uint32_t skip_frames);

// Writes the call stack of `count` return addresses of this process, innermost first (as
// unw_backtrace gives them) to `text`: lines of `indent`, function, file and line; as above. Uses
// malloc. Any thread.
void ct_crash_format_stack(char *text, uint32_t bytes, const uint64_t *frames, uint32_t count,
                           const char *indent);

// The file that a report is written to beside standard error (made only then); NULL: none. The path
// is copied. Any thread.
void ct_crash_set_report_file(const char *path);

// Sends reports to this connected socket too, as one console message; at most 64. `remove` before it
// is closed. Any thread.
void ct_crash_add_console(int socket);
void ct_crash_remove_console(int socket);

// Something that adds a line or more to a report ("level: big_world"). Runs in the dying process, on
// the thread that crashed: no heap, no locks; `add_line` copies `line`.
typedef void (*ct_crash_hook)(void *user, void (*add_line)(const char *line));
void ct_crash_add_hook(ct_crash_hook hook, void *user);
void ct_crash_remove_hook(ct_crash_hook hook, void *user);

// Ends the program by SIGABRT after a report was written: no second one follows.
_Noreturn void ct_crash_abort(void);
