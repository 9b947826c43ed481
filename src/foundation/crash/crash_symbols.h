// crash_symbols.h: addresses of a process as readable lines; for the crash_*.c files only.
//
// An address is that of an instruction: for a return address, it is one less. Debug information is
// read from the loaded files themselves, never from the network. The player has none: there
// crash_symbols_none.c replaces crash_symbols.c, and all frames are raw.
#pragma once
#include "foundation/crash/crash_text.h"

typedef struct ct_crash_symbols ct_crash_symbols;

// Reads which modules the living process `pid` has loaded; returns NULL when that fails. Takes some
// 50 ms with the first frames and uses malloc. Stays open until the process ends. One thread at a
// time.
ct_crash_symbols *ct_crash_symbols_open(int64_t pid);

// Adds a line `<indent>function (file:line)` for `address`, and one more for each function that was
// inlined there, innermost first. Unknown parts are left out. Without symbols (or with NULL for
// `s`), does what ct_crash_add_raw_frame does.
void ct_crash_symbols_add_frame(ct_crash_text *t, ct_crash_symbols *s, int64_t pid,
                                uint64_t address, const char *indent);
