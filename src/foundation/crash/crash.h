// crash.h: the report when a bug ends the program.
//
// A failed assertion, the fatal signals (SEGV, BUS, FPE, ILL, ABRT, a stack overflow) and a Lua
// panic give the same report: contexts outermost first, what happened, the call stack with
// function, file and line, thread, task, additions of hooks, the last lines of the log, the build
// id. It goes to standard error, to a file, and to the connected consoles. Only the first thread to
// crash reports; the program ends by the signal, as it would have without the report.
//
// A dying process cannot trust its heap. So it only collects raw facts (frames, texts behind
// pointers) in memory shared with a helper process, which ct_crash_init forked at the start. The
// helper finds the symbols, writes the report within a time limit and never uses the network.
// Without the helper, the dying process writes module and offset of each frame itself. Facts that
// cannot be collected are left out. The player has no helper and finds no symbols. See
// docs/crash_reports.md.
#pragma once
#include "foundation/types.h"

enum {
    CT_CRASH_MAX_HOOKS = 16,
    CT_CRASH_MAX_LINES = 16,
    CT_CRASH_LINE_NAME_BYTES = 64,
    CT_CRASH_LINE_TEXT_BYTES = 512,
};

// Starts the helper and installs the signal handlers, with their own stack. Call it once, first in
// main, while there is one thread. In sanitizer builds, the sanitizer keeps the signal handlers.
void ct_crash_init(void);

// Reports `title` ("Assertion failed: a < b"), `message` (its lines indented; "" is fine) and the
// place (`file` NULL: none), with this thread's contexts and call stack without the innermost
// `skip_frames` frames; then ends the program by SIGABRT.
_Noreturn void ct_crash_end(const char *title, const char *message, const char *file, int line,
                            uint32_t skip_frames);

// Writes the call stack of `count` return addresses of this process, innermost first (as from
// unw_backtrace), to `text` (zero-terminated, cut to `bytes`): lines of `indent`, function, file
// and line. Slow (some 50 ms) the first time. Libraries loaded after that show as module and
// offset. Uses malloc. Any thread.
void ct_crash_format_stack(char *text, uint32_t bytes, const uint64_t *frames, uint32_t count,
                           const char *indent);

// Sets the file to which a report is written besides standard error (created only then, in an
// existing folder); NULL means none. The path is copied; a relative path counts from the current
// folder at this call. Any thread.
void ct_crash_set_report_file(const char *path);

// Also sends reports to this connected socket, as one console message; at most 64 sockets. The
// socket must be between two messages. Remove it before it is closed. Adding or removing twice is
// fine. Any thread.
void ct_crash_add_console(int socket);
void ct_crash_remove_console(int socket);

// Adds the line `name: text` to reports, or changes it; NULL for `text` removes it. Both are copied
// and cut. Returns false when CT_CRASH_MAX_LINES other lines exist. Any thread.
bool ct_crash_set_line(const char *name, const char *text);

// Adds one or more lines to a report ("level: big_world"). Runs in the dying process, on the thread
// that crashed: no heap, no locks; `add_line` copies `line`. At most CT_CRASH_MAX_HOOKS. Any
// thread.
typedef void (*ct_crash_hook)(void *user, void (*add_line)(const char *line));

// Adds a hook, which is called with `user`. More than CT_CRASH_MAX_HOOKS hooks end the program.
// Removing removes each hook with this function and this `user`. Any thread.
void ct_crash_add_hook(ct_crash_hook hook, void *user);
void ct_crash_remove_hook(ct_crash_hook hook, void *user);
