// dap_lifecycle.h: from `launch` or `attach` to the end of the game.
#pragma once
#include "cli/debug/dap_session.h"

// Goes on with what waits for the game or for time: connects once the port is known, ends a `disconnect` that
// has waited for long enough. Call it often.
void ct_dap_lifecycle_step(ct_dap_session *s, uint64_t now_ns);

// Fails the `launch`, `attach` or `restart` that waits, and leaves the game. The client may try again, except
// after `restart`: then the session's game has ended.
void ct_dap_start_fail(ct_dap_session *s, const char *message);

// The game is gone, for `reason`: starts it again when `restart` waits for this. Else sends `exited` with its
// exit code when it was launched, and `terminated`, fails all that waits, and answers a `disconnect`.
void ct_dap_game_over(ct_dap_session *s, const char *reason);
