// crash.h: the report when the program ends by a bug.
//
// A failed assertion, the fatal signals (SEGV, BUS, FPE, ILL, ABRT, an overflowing stack) and a Lua
// panic give the same report: contexts outermost first, what happened, the call stack with
// function, file and line, thread, task, what hooks add, the last lines of the log, the build id.
// It goes to standard error, to a file, and to the connected consoles. There is one report, of
// whoever comes first; the program ends by the signal, as it would have without it.
//
// A dying process cannot trust its heap, so it only collects raw facts (frames, pointers' texts) in
// memory that it shares with a helper process, which ct_crash_init forked at the start; the helper
// finds the symbols, writes the report within a time limit and never uses the network. When the
// helper is gone, the dying process writes module and offset of each frame itself. What fails while
// the facts are collected is left out. The player has no helper and finds no symbols.
// docs/crash_reports.md tells more.
#pragma once
#include "foundation/types.h"

enum {
    CT_CRASH_MAX_HOOKS = 16,
    CT_CRASH_MAX_LINES = 16,
    CT_CRASH_LINE_NAME_BYTES = 64,
    CT_CRASH_LINE_TEXT_BYTES = 512,
};

// Starts the helper and installs the signal handlers, with a stack of their own. Once, first thing
// in main, while there is one thread. In sanitizer builds the handlers are left to the sanitizer.
void ct_crash_init(void);

// Reports `title` ("Assertion failed: a < b"), `message` (its lines indented; "" is fine) and the
// place (`file` NULL: none) with this thread's contexts and call stack, leaving out the innermost
// `skip_frames` frames; then ends the program by SIGABRT.
_Noreturn void ct_crash_end(const char *title, const char *message, const char *file, int line,
                            uint32_t skip_frames);

// Writes the call stack of `count` return addresses of this process, innermost first (as
// unw_backtrace gives them) to `text` (zero-terminated, cut to `bytes`): lines of `indent`,
// function, file and line. Slow (some 50 ms) the first time. Libraries that were loaded after that
// show as module and offset. Uses malloc. Any thread.
void ct_crash_format_stack(char *text, uint32_t bytes, const uint64_t *frames, uint32_t count,
                           const char *indent);

// The file that a report is written to beside standard error (made only then, in a folder that is
// there); NULL: none. The path is copied; a relative one counts from today's current folder. Any
// thread.
void ct_crash_set_report_file(const char *path);

// Sends reports to this connected socket too, as one console message; at most 64. It must stand
// between two messages; `remove` before it is closed. Adding and removing twice is fine. Any
// thread.
void ct_crash_add_console(int socket);
void ct_crash_remove_console(int socket);

// Adds the line `name: text` to reports, or changes it; NULL for `text` removes it. Both are copied
// and cut. False when there are CT_CRASH_MAX_LINES others. Any thread.
bool ct_crash_set_line(const char *name, const char *text);

// Something that adds a line or more to a report ("level: big_world"). Runs in the dying process,
// on the thread that crashed: no heap, no locks; `add_line` copies `line`. At most
// CT_CRASH_MAX_HOOKS. Any thread.
typedef void (*ct_crash_hook)(void *user, void (*add_line)(const char *line));

// Adds a hook with the `user` that it gets; one more than CT_CRASH_MAX_HOOKS ends the program. Removes
// each hook that has this function and this `user`. Any thread.
void ct_crash_add_hook(ct_crash_hook hook, void *user);
void ct_crash_remove_hook(ct_crash_hook hook, void *user);
