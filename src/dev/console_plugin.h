// console_plugin.h: the console command `plugin`: lists plugins, reloads them, runs their commands.
#pragma once
#include "dev/console_commands.h"

// Implements the command (console_commands.h).
bool ct_console_run_plugin(ct_console_target *target, uint32_t num_arguments,
                           const char *const *arguments, ct_string_builder *result,
                           ct_error *error);
