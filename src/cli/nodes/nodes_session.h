// nodes_session.h: runs a plan as often as it says: compiles the project or starts the file server,
// keeps a folder for each run, and prints how runs end.
#pragma once
#include "cli/nodes/nodes_plan.h"

typedef struct ct_nodes_session_desc {
    ct_allocator *allocator;
    const ct_nodes_plan *plan; // with the runs and the seed of the command line
    uint32_t only_run;         // from 1; 0: all
    bool keep;                 // the folders of runs that passed, too
    bool keep_going;           // after a run that failed
    const char *folder;        // for the runs; NULL: below the project's .cuttle/nodes
    bool json;                 // one JSON object at the end, in place of a line for each run
} ct_nodes_session_desc;

// Runs the plan; prints to standard output, and failures to standard error. Returns whether all
// runs passed. Catches Ctrl-C, which ends the run and the rest.
bool ct_nodes_session_run(const ct_nodes_session_desc *desc);
