// nodes_run.h: one run of a plan: starts its nodes, does its steps, and ends all nodes.
//
// One loop polls the engines, then asks the current step whether it is done. A step has a set of
// nodes that are not done yet; all of them are asked at the same time.
#pragma once
#include "cli/nodes/nodes_engine.h"
#include "cli/nodes/nodes_words.h"

typedef struct ct_nodes_run_desc {
    ct_allocator *allocator;
    ct_nodes_values values;   // `node` is not read; `folder` exists and gets logs and pictures
    ct_nodes_process *server; // the file server; a run fails when it ends; NULL: none
    bool (*is_interrupted)(void);
} ct_nodes_run_desc;

// How a run ended.
typedef enum ct_nodes_result {
    CT_NODES_RESULT_PASSED,
    CT_NODES_RESULT_FAILED,
    CT_NODES_RESULT_INTERRUPTED,
} ct_nodes_result;

// The end of a run.
typedef struct ct_nodes_outcome {
    ct_nodes_result result;
    double seconds;
    uint32_t line;             // of the step that failed, in the plan; 0: between steps
    const char *step;          // what it does: "wait"; "" between steps
    const char *node;          // the id of the node that failed, borrowed from the plan; ""
    ct_string_builder message; // one line, or more when there are values to show
    ct_string_builder details; // the ends of logs, and where crash reports are; lines
} ct_nodes_outcome;

// Runs the plan once. Fills `outcome`, which ct_nodes_outcome_free frees. Afterwards no process of
// the run is left.
void ct_nodes_run(const ct_nodes_run_desc *desc, ct_nodes_outcome *outcome);

// Frees the texts of an outcome.
void ct_nodes_outcome_free(ct_nodes_outcome *outcome);
