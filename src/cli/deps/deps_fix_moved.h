// deps_fix_moved.h: `cuttle deps --fix-moved`: fixes references to files that were renamed without
// cuttle.
#pragma once
#include "cli/command.h"

typedef struct ct_deps_fix_moved {
    const char *project;
    bool applies; // write the changes instead of showing them
    bool is_json;
} ct_deps_fix_moved;

// Finds what was renamed, lists it, and shows the changes as a unified diff or writes them. Returns
// CT_EXIT_FAILED when references stay missing, or a change failed.
ct_exit ct_deps_fix_moved_run(ct_allocator *a, const ct_deps_fix_moved *command);
