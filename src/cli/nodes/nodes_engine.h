// nodes_engine.h: a node while its plan runs: the program, the connection to its console, and the
// answer that is due.
//
// A state machine that ct_nodes_engines_poll moves on; nothing here waits, except a connection to a
// machine that does not answer (0.3 s). At most one request is under way. One thread.
//
//     OFF -> STARTING -> CONNECTING -> READY -> ENDING -> OFF
//                                        |
// From all but OFF a node gets to LOST when it ends by itself.
#pragma once
#include "cli/nodes/nodes_plan.h"
#include "cli/nodes/nodes_process.h"
#include "foundation/os/message.h"

typedef enum ct_nodes_engine_state {
    CT_NODES_ENGINE_STATE_OFF,        // not started, or ended as it was asked to
    CT_NODES_ENGINE_STATE_STARTING,   // its log names no port yet
    CT_NODES_ENGINE_STATE_CONNECTING, // its console has not answered yet
    CT_NODES_ENGINE_STATE_READY,      // its console is connected
    CT_NODES_ENGINE_STATE_ENDING,     // was asked to quit
    CT_NODES_ENGINE_STATE_LOST,       // ended by itself; `lost` says how
} ct_nodes_engine_state;

typedef struct ct_nodes_engine {
    ct_allocator *allocator;
    const ct_nodes_node *node; // borrowed from the plan
    const char *token;         // that its console gets first; borrowed; NULL: none
    ct_nodes_engine_state state;
    ct_nodes_process process;
    uint32_t num_starts;
    uint16_t port; // of its console, once known
    int socket;    // -1: not connected
    ct_message_reader reader;
    ct_byte_array unsent;
    uint32_t num_sent;    // bytes of `unsent`
    uint32_t request;     // number of the last one
    uint64_t next_ns;     // CONNECTING: when to try again
    uint64_t deadline_ns; // ENDING, and when the connection was cut: when to stop waiting for the
                          // end of the program; 0 otherwise
    char lost[256];
    bool is_refused; // CONNECTING: its console said why it ends the connection, in `lost`
    bool was_killed; // it had not ended in time
    // The last answer, from has_answer on:
    bool is_asked, has_answer;
    bool has_failed;          // the answer is an error
    ct_string_builder answer; // the result, or the error with its traceback
    ct_byte_array picture;    // of a screenshot
} ct_nodes_engine;

// Makes an engine that is off. `token` may be NULL.
void ct_nodes_engine_init(ct_nodes_engine *e, ct_allocator *a, const ct_nodes_node *node,
                          const char *token);

// Kills the engine if it runs, and frees everything.
void ct_nodes_engine_free(ct_nodes_engine *e);

// Starts an engine that is OFF by a command, `words` that end with NULL; without words something
// else starts it. `log` gets what it prints. Returns false with `error` and stays OFF when the
// command cannot be started.
bool ct_nodes_engine_start(ct_nodes_engine *e, const char *const *words, const char *log,
                           ct_error *error);

// Sends Lua, or a command of the console, to an engine that is READY and not asked. The answer
// comes with a later poll.
void ct_nodes_engine_send_script(ct_nodes_engine *e, const char *lua);
void ct_nodes_engine_send_command(ct_nodes_engine *e, const char *command);

// Asks an engine to quit; it is killed when it has not ended after `limit_ns`. One that has no
// connection is killed at once.
void ct_nodes_engine_quit(ct_nodes_engine *e, uint64_t limit_ns);

// Kills an engine at once; it is then OFF.
void ct_nodes_engine_kill(ct_nodes_engine *e);

// Waits up to `timeout_ns` for messages, and moves all engines on.
void ct_nodes_engines_poll(ct_nodes_engine *engines, uint32_t count, uint64_t timeout_ns);
