// dap_start.h: from `launch` or `attach` to a game that is attached.
#pragma once
#include "cli/debug/dap_session.h"

// Connects to the game once its port is known, and gives up after a while. Call it often while the session
// is STARTING.
void ct_dap_start_step(ct_dap_session *s, uint64_t now_ns);

// Fails the `launch` or `attach` that waits, leaves the game, and lets the client try again.
void ct_dap_start_fail(ct_dap_session *s, const char *message);
