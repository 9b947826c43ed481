// deps_fix_moved.h: `cuttle deps --fix-moved`: references to what was renamed behind its back.
#pragma once
#include "cli/command.h"

typedef struct ct_deps_fix_moved {
    const char *project;
    bool applies; // write what is otherwise shown
    bool is_json;
} ct_deps_fix_moved;

// Finds what was renamed, tells it, and shows the changes as a unified diff or makes them. Fails
// when something stays missing, or cannot be done.
ct_exit ct_deps_fix_moved_run(ct_allocator *a, const ct_deps_fix_moved *command);
