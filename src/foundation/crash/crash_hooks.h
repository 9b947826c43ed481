// crash_hooks.h: the lines that games and systems add to a report; for the crash_*.c files only.
#pragma once
#include "foundation/crash/crash_text.h"

// Adds the lines that were set by name. Safe in a signal handler.
void ct_crash_lines_append(ct_crash_text *t);

// Adds what the next hook says; false when each has had its turn. A hook that fails has had it too.
bool ct_crash_hooks_append_next(ct_crash_text *t);
