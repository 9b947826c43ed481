// dap_server.h: waits for clients, games and what games print, and moves sessions on.
#pragma once
#include "foundation/types.h"

// Serves one client on standard input and output, until it disconnects or goes. `project` (may be NULL) is
// what `launch` starts by default. Returns false, after a line on standard error, when the client sent what
// is no message or went in the middle of one.
bool ct_dap_serve_standard(ct_allocator *a, const char *project);

// Listens on 127.0.0.1, prints the port as the first line of standard output, and serves clients of this
// user, up to 16 at once, until Ctrl-C. Port 0: a free one. Returns false with `error` when it cannot
// listen.
bool ct_dap_serve_port(ct_allocator *a, const char *project, uint16_t port, ct_error *error);
