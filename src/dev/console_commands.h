// console_commands.h: what a tool can tell the running engine to do, in one table.
//
// The table's rows are what runs a command, what `help` lists, and how `cuttle console` knows that
// its first word is a command and not Lua. A row of another file is declared in that file's header.
// All of it runs on the update thread at a frame boundary.
#pragma once
#include "app/app.h"
#include "dev/hot_reload.h"
#include "foundation/string/string_builder.h"

enum { CT_CONSOLE_MAX_ARGUMENTS = 16 };

typedef struct ct_console_server ct_console_server;

// A connection of the console server; {0} is none. Numbers are not used again.
typedef struct ct_console_client_id {
    uint32_t value;
} ct_console_client_id;

// What a message acts on. `reload` may be NULL; `server` and `client` (who asked) too, in tests.
typedef struct ct_console_target {
    ct_allocator *allocator;
    ct_app *app;
    ct_hot_reload *reload;
    ct_console_server *server;
    ct_console_client_id client;
} ct_console_target;

// Runs a command: appends what it has to tell to `result`, one or more lines without a line end
// behind the last. False with `error` when it could not be done; nothing is changed then.
typedef bool (*ct_console_run)(ct_console_target *target, uint32_t num_arguments,
                               const char *const *arguments, ct_string_builder *result,
                               ct_error *error);

typedef struct ct_console_command {
    const char *name;    // "memory"
    const char *usage;   // its arguments, as help shows them: "[trace NAME on|off|report]"
    const char *summary; // one line
    const char *member;  // of the message, stands for the first argument ("file"); NULL: none
    uint32_t least_arguments, most_arguments;
    ct_console_run run;
} ct_console_command;

// All commands, in the order help lists them; `count` is set.
const ct_console_command *ct_console_commands(uint32_t *count);

// The command of this name, or NULL.
const ct_console_command *ct_console_command_named(const char *name);

// Runs `command` after a look at the number of its arguments; as ct_console_run.
bool ct_console_command_run(const ct_console_command *command, ct_console_target *target,
                            uint32_t num_arguments, const char *const *arguments,
                            ct_string_builder *result, ct_error *error);

// Fills `error` with what to say of a name that is none of the commands'. Returns false.
bool ct_console_unknown_command(const char *name, ct_error *error);
