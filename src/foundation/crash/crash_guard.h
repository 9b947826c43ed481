// crash_guard.h: a call of code that is not ours, which may crash without ending the program.
//
// For the first calls into a shared library that a user brings. In sanitizer builds, signals and exits
// are the sanitizer's, and nothing is caught.
#pragma once
#include "foundation/error.h"
#include "foundation/types.h"

// Calls `call(user)`. Returns true when it returned. Returns false with `error`, whose message says what
// happened and where, when on this thread a fatal signal came, abort was called (also for an exception of
// C++ without handler), exit was called, or ct_crash_guard_end. The stack is then cut back to here
// without clean-ups: what the call held (memory, its own locks) stays held. While it runs, the process's
// handlers of fatal signals are its own; signals of other threads go on to those that were there. One
// at a time in a process; does not nest.
bool ct_crash_guard(void (*call)(void *user), void *user, ct_error *error);

// Ends the guarded call that this thread is in, with a message that is cut to that of a ct_error. Does
// nothing outside of one.
void ct_crash_guard_end(const char *message);
