// console_overlay.h: the command `overlay`: shows or hides the overlay of the running game.
#pragma once
#include "dev/console_commands.h"

// `overlay [on|off|line]`.
bool ct_console_run_overlay(ct_console_target *target, uint32_t num_arguments,
                            const char *const *arguments, ct_string_builder *result,
                            ct_error *error);
