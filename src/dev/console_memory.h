// console_memory.h: the console's `memory` command: the tree of allocators, and tracing.
#pragma once
#include "dev/console_commands.h"

// Without arguments appends one line for each allocator (live bytes, peak bytes, live blocks,
// path); `trace NAME on|off|report` switches the recording of call stacks on or off, or shows them.
// A ct_console_run function.
bool ct_console_run_memory(ct_console_target *target, uint32_t num_arguments,
                           const char *const *arguments, ct_string_builder *result,
                           ct_error *error);
