// dap_launch.h: the command line and the environment of a game that a session launches.
#pragma once
#include "cli/debug/dap_session.h"

// Starts the game that the arguments of `launch` ask for, and notes in the session how. Returns false with
// `error` when an argument is wrong or the game does not start.
bool ct_dap_launch(ct_dap_session *s, ct_dap_object arguments, ct_error *error);

// Returns whether the arguments are right, so that only the start itself can fail; else sets `error`.
bool ct_dap_launch_check(const ct_dap_session *s, ct_dap_object arguments, ct_error *error);
