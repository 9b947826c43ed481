// console_commands.h: the console commands of the running engine, in one table.
//
// A row of the table has the function of its command and its text in `help`. `cuttle console`
// compares the first word with the names in the table to distinguish commands from Lua. The
// function of a row may be in another file, whose header declares it. Commands run on the update
// thread at a frame boundary.
#pragma once
#include "app/app.h"
#include "dev/hot_reload.h"
#include "foundation/sjson/sjson.h"
#include "foundation/string/string_builder.h"

enum { CT_CONSOLE_MAX_ARGUMENTS = 16 };

typedef struct ct_console_server ct_console_server;
typedef struct ct_console_screenshots ct_console_screenshots; // console_screenshot.h
typedef struct ct_overlay ct_overlay;                         // overlay.h
typedef struct ct_debugger ct_debugger;                       // debugger/debugger.h
typedef struct ct_frames ct_frames;                           // frames/frames.h

// A connection of the console server; {0} is invalid. Numbers are not used again.
typedef struct ct_console_client_id {
    uint32_t value;
} ct_console_client_id;

// The systems that a message acts on, and the client that sent it. `reload` and `overlay` may be
// NULL; in tests `server`, `screenshots` and `client` may be missing, too.
typedef struct ct_console_target {
    ct_allocator *allocator;
    ct_app *app;
    ct_hot_reload *reload;
    ct_console_server *server;
    ct_console_screenshots *screenshots;
    ct_overlay *overlay;
    ct_debugger *debugger;                    // or NULL
    ct_frames *frames;                        // or NULL
    struct ct_inspect_selections *selections; // or NULL
    ct_console_client_id client;
    // Set while a message is handled:
    const ct_sjson *message;
    ct_sjson_value id;  // of the message; {0}: the sender wants no answer
    bool answers_later; // a command sets it, which has seen to the answer
} ct_console_target;

// Runs a command: appends its answer to `result`, one or more lines without a line end after the
// last. Returns false with `error` and changes nothing when the command failed.
typedef bool (*ct_console_run)(ct_console_target *target, uint32_t num_arguments,
                               const char *const *arguments, ct_string_builder *result,
                               ct_error *error);

typedef struct ct_console_command {
    const char *name;    // "memory"
    const char *usage;   // its arguments, as help shows them: "[trace NAME on|off|report]"
    const char *summary; // one line
    const char *member;  // of the message: may hold the first argument ("file"); or NULL
    uint32_t least_arguments, most_arguments;
    ct_console_run run;
} ct_console_command;

// Returns all commands, in the order of `help`, and sets `count`.
const ct_console_command *ct_console_commands(uint32_t *count);

// Returns the command of this name, or NULL.
const ct_console_command *ct_console_command_named(const char *name);

// Checks the number of arguments, then runs `command`, with the result of ct_console_run.
bool ct_console_command_run(const ct_console_command *command, ct_console_target *target,
                            uint32_t num_arguments, const char *const *arguments,
                            ct_string_builder *result, ct_error *error);

// Fills `error` with the message for an unknown command. Returns false.
bool ct_console_unknown_command(const char *name, ct_error *error);
