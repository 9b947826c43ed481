// nodes_plan.h: a plan of `cuttle nodes`: which engines to start, and the steps to run on them.
//
// A plan is two arrays, nodes and steps. The steps that a `repeat` holds follow it in the array; it
// knows where they end. Sets of nodes are bits: bit i is node i. Format: docs/nodes.md.
#pragma once
#include "foundation/container/array.h"
#include "foundation/error.h"
#include "foundation/os/path.h"
#include "foundation/sjson/sjson.h"

enum {
    CT_NODES_MAX_NODES = 64,
    CT_NODES_MAX_STEPS = 4096,
    CT_NODES_MAX_DEPTH = 8, // of `repeat` in `repeat`
    CT_NODES_ID_BYTES = 32,
    CT_NODES_MAX_WORDS = 64, // of launch, options and arguments each
    CT_NODES_MAX_RUNS = 1000000,
};

// Where nodes have their data from.
typedef enum ct_nodes_data {
    CT_NODES_DATA_LOCAL,  // each node reads the project's folder
    CT_NODES_DATA_SERVER, // each node gets its data from `cuttle serve`
} ct_nodes_data;

// Words of a command line, borrowed from the plan's document.
typedef struct ct_nodes_words {
    const char *items[CT_NODES_MAX_WORDS];
    uint32_t count;
} ct_nodes_words;

// One engine. Strings are borrowed from the plan's document.
typedef struct ct_nodes_node {
    const char *id;
    ct_nodes_words launch;    // with placeholders; empty: start it on this machine
    ct_nodes_words options;   // of `cuttle run`
    ct_nodes_words arguments; // the game's, after those with the seed
    const char *host;         // where its console is
    uint32_t port;            // of its console; 0: a free one. On this machine, without `launch`,
                              // the first to try: its log names the port
    bool has_window;
    bool autostart;
    bool is_detached; // the launch command ends before the engine, or there is no command
    uint32_t line;    // in the plan
} ct_nodes_node;

// What a step does: its member in a plan, in lower case. `file` is a SCRIPT, too.
typedef enum ct_nodes_step_kind {
    CT_NODES_STEP_KIND_SCRIPT,
    CT_NODES_STEP_KIND_WAIT,
    CT_NODES_STEP_KIND_ASSERT,
    CT_NODES_STEP_KIND_SAME,
    CT_NODES_STEP_KIND_SLEEP,
    CT_NODES_STEP_KIND_SCREENSHOT,
    CT_NODES_STEP_KIND_START,
    CT_NODES_STEP_KIND_STOP,
    CT_NODES_STEP_KIND_KILL,
    CT_NODES_STEP_KIND_REPEAT,
    CT_NODES_NUM_STEP_KINDS,
} ct_nodes_step_kind;

// One step. Strings are borrowed from the plan.
typedef struct ct_nodes_step {
    ct_nodes_step_kind kind;
    bool is_all;         // on all nodes that run when it starts; `on` then has all nodes
    uint64_t on;         // the set of nodes; 0 for SLEEP and REPEAT
    const char *lua;     // SCRIPT, WAIT, ASSERT, SAME: with placeholders
    const char *message; // ASSERT: what its failure means, ""; SCREENSHOT: the picture's name
    double seconds;      // SLEEP: how long; otherwise the timeout
    uint32_t times, end; // REPEAT: how often, and the step after its last one
    uint32_t line;       // in the plan
} ct_nodes_step;

typedef CT_ARRAY(ct_nodes_node) ct_nodes_node_array;
typedef CT_ARRAY(ct_nodes_step) ct_nodes_step_array;
typedef CT_ARRAY(ct_error) ct_nodes_error_array;

typedef struct ct_nodes_plan {
    char path[CT_PATH_BYTES];    // as it was given
    char project[CT_PATH_BYTES]; // the project's folder, from the current folder
    ct_nodes_data data;
    const char *server;           // HOST:PORT of a file server that runs already, or ""
    ct_nodes_words server_launch; // the command that starts one; empty: `cuttle serve`
    const char *project_name;     // on the file server; "": its folder's name
    uint32_t num_runs, seed;
    double step_timeout, run_timeout, start_timeout; // in seconds
    bool has_network_log;
    ct_nodes_node_array nodes;
    ct_nodes_step_array steps;
    // Of the command line, for the consoles of nodes; borrowed; NULL: none.
    const char *token, *token_file; // the file that the token is from
    ct_sjson *doc;                  // the other strings above are its own,
    ct_string_array files;          // or these: scripts from files
} ct_nodes_plan;

// Reads a plan from text. `path` names it in errors; files that it names are relative to its
// folder. Returns NULL and appends at least one error (file, line, column, what was found and what
// to write) to `errors` when the text is not a plan. Free it with ct_nodes_plan_free.
ct_nodes_plan *ct_nodes_plan_parse(ct_allocator *a, const char *path, const char *text,
                                   uint64_t bytes, ct_nodes_error_array *errors);

// Reads the file `path` as ct_nodes_plan_parse does.
ct_nodes_plan *ct_nodes_plan_read(ct_allocator *a, const char *path, ct_nodes_error_array *errors);

// Frees a plan; NULL is fine.
void ct_nodes_plan_free(ct_nodes_plan *plan);

// Returns the set of all nodes.
uint64_t ct_nodes_plan_all(const ct_nodes_plan *plan);

// Returns the name of a kind of step, as plans write it: "wait".
const char *ct_nodes_step_name(ct_nodes_step_kind kind);
