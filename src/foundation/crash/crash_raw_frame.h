// crash_raw_frame.h: addresses of a process, without symbols; for the crash_*.c files only.
#pragma once
#include "foundation/crash/crash_text.h"

// Adds the line `<indent>module+0xoffset`, as addr2line takes it, or the bare address for memory
// that is not of a file. No heap, no locks: it reads the system's list of mappings.
void ct_crash_add_raw_frame(ct_crash_text *t, int64_t pid, uint64_t address, const char *indent);
