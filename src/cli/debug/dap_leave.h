// dap_leave.h: how a session and its game part.
#pragma once
#include "cli/debug/dap_session.h"

// The game is gone: sends `exited` with its exit code when it was launched, and `terminated`. Fails all
// that waits, and answers a `disconnect` that waits for this.
void ct_dap_game_over(ct_dap_session *s, const char *reason);

// Goes on with a `disconnect` that has waited for long enough. Call it often.
void ct_dap_leave_step(ct_dap_session *s, uint64_t now_ns);
