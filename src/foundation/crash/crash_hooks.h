// crash_hooks.h: the lines that games and systems add to a report; for the crash_*.c files only.
#pragma once
#include "foundation/crash/crash_text.h"

// Adds the lines that were set by name. Safe in a signal handler.
void ct_crash_lines_append(ct_crash_text *t);

// Adds the lines of the next hook; returns false when every hook has run. A hook that fails counts
// as run.
bool ct_crash_hooks_append_next(ct_crash_text *t);
