// crash_output.h: where reports go; for the crash_*.c files only.
#pragma once
#include "foundation/types.h"

enum { CT_CRASH_MAX_CONSOLES = 64 };

typedef struct ct_crash_output {
    int standard_error;      // -1: none
    const char *report_file; // "": none
    int consoles[CT_CRASH_MAX_CONSOLES];
    uint32_t num_consoles;
} ct_crash_output;

// Writes `report` to all of them: standard error first, with a line that says where the file is or
// why there is none. Only system calls; consoles that take nothing delay it by half a second at
// most.
void ct_crash_write_output(const ct_crash_output *out, const char *report, uint32_t bytes);
