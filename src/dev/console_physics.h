// console_physics.h: the console command `physics`, which draws physics in the running game.
#pragma once
#include "dev/console_commands.h"

// The function of the command (ct_console_run): `draw`, then `off` or what is to be drawn, in all
// worlds of the app.
bool ct_console_run_physics(ct_console_target *target, uint32_t num_arguments,
                            const char *const *arguments, ct_string_builder *result,
                            ct_error *error);
