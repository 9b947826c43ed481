// crash.h: the report when the program ends by a bug.
//
// A failed assertion and the fatal signals (SEGV, BUS, FPE, ILL, ABRT) write the same report to
// standard error: contexts outermost first, what happened, and the call stack. Assertions
// symbolise the stack to function, file and line; in a signal handler, where the heap may be
// locked, frames are module and offset.
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

// Ends the program by SIGABRT after a report was written: no second one follows.
_Noreturn void ct_crash_abort(void);
