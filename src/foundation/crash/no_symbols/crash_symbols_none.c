// Replaces crash_symbols.c in the player: no libdw, and raw frames.
#include "foundation/crash/crash_raw_frame.h"
#include "foundation/crash/crash_symbols.h"

ct_crash_symbols *ct_crash_symbols_open(int64_t pid) {
    (void)pid;
    return NULL;
}

void ct_crash_symbols_add_frame(ct_crash_text *t, ct_crash_symbols *s, int64_t pid,
                                uint64_t address, const char *indent) {
    (void)s;
    ct_crash_add_raw_frame(t, pid, address, indent);
}
