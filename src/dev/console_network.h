// console_network.h: the console command for the game's network.
#pragma once
#include "dev/console_commands.h"

// `network stats`: figures of the transport, the session and each peer. `network simulate CONDITIONS
// [seed=N]`: a bad network from now on (network_conditions.h), as a seed decides; without one, that
// of --network-seed. `network timeouts on|off`. Errors: the game has no network, or an argument is
// wrong.
bool ct_console_run_network(ct_console_target *target, uint32_t num_arguments,
                            const char *const *arguments, ct_string_builder *result,
                            ct_error *error);
