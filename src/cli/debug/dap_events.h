// dap_events.h: what a game sends: answers for those who wait, and events, translated for the client.
#pragma once
#include "cli/debug/dap_session.h"

// Handles the messages of the game that have arrived. Returns false with `error` when the connection has
// ended or the game sends what is no message.
bool ct_dap_events_receive(ct_dap_session *s, ct_error *error);

// Notes a stop from an event `stopped`, or from the answer to `debugger_attach`. Returns its thread.
uint32_t ct_dap_take_stop(ct_dap_session *s, const ct_sjson *doc, ct_sjson_value stop);

// Sends `stopped` for a thread that was noted, after asking the game for its threads: the event says
// whether all are stopped.
void ct_dap_show_stop(ct_dap_session *s, uint32_t thread);
