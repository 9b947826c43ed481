// crash_symbols.h: addresses of a process as lines for people; for the crash_*.c files only.
//
// An address comes as the one of an instruction: of a return address, one less than it. The debug
// information read is that of the loaded files themselves, never of the network. The player has
// none: there crash_symbols_none.c stands for crash_symbols.c, and all frames are raw.
#pragma once
#include "foundation/crash/crash_text.h"

typedef struct ct_crash_symbols ct_crash_symbols;

// Reads which modules the living process `pid` has loaded; NULL when that fails. Some 50 ms with
// the first frames; uses malloc. Stays open until the process ends. One thread at a time.
ct_crash_symbols *ct_crash_symbols_open(int64_t pid);

// Adds a line `<indent>function (file:line)` for `address` and one more for each function that was
// inlined there, innermost first. What is not known is left out; without symbols (or NULL for `s`)
// as ct_crash_add_raw_frame.
void ct_crash_symbols_add_frame(ct_crash_text *t, ct_crash_symbols *s, int64_t pid,
                                uint64_t address, const char *indent);
