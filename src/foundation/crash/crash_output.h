// crash_output.h: where reports go; for the crash_*.c files only.
#pragma once
#include "foundation/types.h"

enum { CT_CRASH_MAX_CONSOLES = 64 };

typedef struct ct_crash_output {
    int standard_error;      // -1: not used
    const char *report_file; // "": no file
    int consoles[CT_CRASH_MAX_CONSOLES];
    uint32_t num_consoles;
} ct_crash_output;

// Writes `report` to all of them: first to standard error, with a line that says where the file is
// or why it was not written. Uses only system calls. Consoles that accept nothing delay it by at
// most half a second.
void ct_crash_write_output(const ct_crash_output *out, const char *report, uint32_t bytes);
