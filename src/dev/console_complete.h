// console_complete.h: completes text typed at a console.
#pragma once
#include "dev/console_commands.h"

// Appends the names that can complete the end of `text`, unsorted, separated by line ends:
// resources (of any type) inside a string literal, else Lua globals or members of a table. At most
// 512. Returns the offset in `text` from which a name replaces the rest. Reads the data's index for
// resources; runs no Lua. Update thread.
uint32_t ct_console_complete(ct_console_target *target, const char *text, ct_string_builder *names);
