// console_commands.h: what the messages that a tool sends do.
//
// One function for each `type`, in one table: script, command, reload, ping.
#pragma once
#include "app/app.h"
#include "dev/hot_reload.h"

// What a message acts on. `reload` may be NULL.
typedef struct ct_console_target {
    ct_allocator *allocator;
    ct_app *app;
    ct_hot_reload *reload;
} ct_console_target;

// Handles one message (JSON or SJSON) and appends the answer, if there is one, to `answer` as JSON.
// A message that cannot be understood, but is an object, is answered with an error; what is no
// object at all returns false with `reason`, and the connection is closed.
bool ct_console_handle(ct_console_target *target, const char *json, uint32_t bytes,
                       ct_string_builder *answer, ct_error *reason);

// Appends `{"type": "error", "message": …}`.
void ct_console_write_error(ct_string_builder *answer, const char *message);
