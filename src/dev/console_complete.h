// console_complete.h: what may follow what somebody types at a console.
#pragma once
#include "dev/console_commands.h"

// Appends the names that may stand at the end of `text`, in no order that matters, separated by
// line ends: of resources (of any type) inside a string literal, else of Lua globals or of the
// members of a table. At most 512. Returns the offset in `text` from which on they stand in its
// place. Reads the data's index for the first; runs no Lua for the second. Update thread.
uint32_t ct_console_complete(ct_console_target *target, const char *text, ct_string_builder *names);
