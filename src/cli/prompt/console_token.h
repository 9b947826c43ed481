// console_token.h: the token of a game's console, as commands read it: `--console-token` of `cuttle run`,
// `--token` of those that connect to a game.
#pragma once
#include "cli/command.h"
#include "dev/entrance/console_authorize.h"
#include "foundation/string/string_builder.h"

// A token in memory of its own; "": none was given.
typedef struct ct_console_token {
    char text[CT_CONSOLE_MOST_TOKEN_BYTES + 1];
} ct_console_token;

// The options of a command that connects to games, for its table.
#define CT_CONSOLE_TOKEN_OPTIONS                                                                   \
    {"token", "T", "the token of the game's `cuttle run --console-token`"}, {                      \
        "token-file", "FILE", "its first line is the token"                                        \
    }

// Reads the options `NAME` and `NAME-file` of a command, of which only one may be given. Returns false with an
// `error` that names the option: the file cannot be read, or the token could be none.
bool ct_console_token_read(ct_allocator *a, const ct_command *command,
                           const ct_command_arguments *arguments, const char *name,
                           ct_console_token *token, ct_error *error);

// Writes the first message to a game that wants the token, to the end of `json`. It wants no answer.
void ct_console_token_write(const char *token, ct_string_builder *json);
