// nodes_steps.h: what each kind of step does, for nodes_run.c.
#pragma once
#include "cli/nodes/nodes_run.h"

// A run under way.
typedef struct ct_nodes_state {
    const ct_nodes_run_desc *desc;
    const ct_nodes_plan *plan;
    ct_nodes_engine *engines; // one for each node
    ct_nodes_outcome *outcome;
    const ct_nodes_step *step;
    uint64_t step_start_ns;
    uint64_t set;                         // the nodes of the step
    uint64_t todo;                        // the nodes that have not done the step
    uint64_t next_ns[CT_NODES_MAX_NODES]; // WAIT: when to ask next
    // The last result of each node, WAIT and SAME:
    ct_string_builder values[CT_NODES_MAX_NODES];
} ct_nodes_state;

typedef enum ct_nodes_progress {
    CT_NODES_PROGRESS_BUSY,
    CT_NODES_PROGRESS_DONE,
    CT_NODES_PROGRESS_FAILED, // the outcome says how
} ct_nodes_progress;

// Fails the run: sets the outcome's message; `node` is a position or CT_NODES_MAX_NODES. Returns
// FAILED.
ct_nodes_progress ct_nodes_fail(ct_nodes_state *s, uint32_t node, const char *format, ...)
    CT_PRINTF(3, 4);

// Starts the step `s->step` on its nodes.
ct_nodes_progress ct_nodes_step_begin(ct_nodes_state *s);

// Continues it after a poll.
ct_nodes_progress ct_nodes_step_update(ct_nodes_state *s);

// Starts the nodes of a set: begins what the step `start` does. BUSY when all could be started.
ct_nodes_progress ct_nodes_start_nodes(ct_nodes_state *s, uint64_t set);

// Fails when an engine that was asked to quit did not end well: it was killed, or its exit code is
// not 0. Returns DONE otherwise.
ct_nodes_progress ct_nodes_check_end(ct_nodes_state *s, uint32_t node);

// Returns the set of nodes whose consoles are connected.
uint64_t ct_nodes_ready(const ct_nodes_state *s);

// Fails because the step has taken too long, with what its nodes were last asked.
ct_nodes_progress ct_nodes_step_time_out(ct_nodes_state *s);
