// console_messages.h: handles the messages that a tool sends.
//
// One function for each `type`, in one table: script, command, complete, reload, ping. Those that begin with
// `debugger_` go to debugger/debugger.h, other types to the game (ct_script_receive). While a debugger has
// stopped the game, most are refused. Update thread.
#pragma once
#include "dev/console_commands.h"

// Handles one message (JSON or SJSON) and appends the answer, if there is one, to `answer` as JSON.
// Answers an invalid object with an error. Returns false with `reason` when the message is not an
// object; the connection must then be closed.
bool ct_console_handle(ct_console_target *target, const char *json, uint32_t bytes,
                       ct_string_builder *answer, ct_error *reason);

// Appends `{"type": "error", "message": …}`.
void ct_console_write_error(ct_string_builder *answer, const char *message);
