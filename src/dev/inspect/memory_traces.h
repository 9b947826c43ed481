// memory_traces.h: which client of the console traces which allocators, by the message `memory_trace`.
//
// A trace ends with the connection that asked for it, unless another one has asked for it, too. The command
// `memory trace` has no owner: its trace stays until it is switched off. Update thread.
#pragma once
#include "dev/console_server.h"

enum {
    CT_MEMORY_TRACES_MAX = 64, // that clients hold at once
    CT_MEMORY_TRACES_NAME_BYTES = 256,
};

// Switches the tracing of an allocator on for a client, or off for all. `name` is as in ct_memory_trace. A
// client of {0} is this program, which always lives. Returns false with `error` when there is no such allocator,
// or too many traces are held.
bool ct_memory_traces_set(ct_console_client_id client, const char *name, bool is_on,
                          ct_error *error);

// Ends the traces of clients that have left. At a frame boundary.
void ct_memory_traces_update(ct_console_server *server);

// Ends the traces of all clients.
void ct_memory_traces_end(void);
