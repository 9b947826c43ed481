// console_sound.h: the console command that shows what is heard.
#pragma once
#include "dev/console_commands.h"

// `sound [COUNT]`: the output, the buses with their volumes and peaks, and up to COUNT instances
// (default 50) of all worlds, the loudest first, with their parameters.
bool ct_console_run_sound(ct_console_target *target, uint32_t num_arguments,
                          const char *const *arguments, ct_string_builder *result, ct_error *error);
