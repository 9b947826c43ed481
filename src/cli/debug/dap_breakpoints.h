// dap_breakpoints.h: what a client wants the game to stop at: changes, and a game that was started again.
#pragma once
#include "cli/debug/dap_session.h"

// Sends the client's breakpoints to the game, and events about them to the client when the game answers.
void ct_dap_send_breakpoints(ct_dap_session *s);

// Sends at which errors the game is to stop, if the client has said it.
void ct_dap_send_error_stops(ct_dap_session *s);

// Sends an event that a breakpoint has changed. `found`, of a message of the game, has its new place.
void ct_dap_send_breakpoint(ct_dap_session *s, const char *script, uint32_t id, const ct_sjson *doc,
                            ct_sjson_value found);
