// debug_prompt.h: `cuttle console debug`: the Lua debugger at a terminal.
//
// Attaches to one game and sends it the messages of docs/formats/debugger_protocol.md. At a terminal,
// stops and log messages appear while a line is typed. From a file or pipe, lines run one after the
// other; those that let the game go on wait until it has stopped again. See docs/debugging.md.
#pragma once
#include "foundation/memory/allocator.h"

// Runs the prompt to the game at `address` ("host:port"; NULL: the first that runs on this machine) until
// the input ends, then lets the game go on. `token` is the game's; NULL: none. Returns the exit code: 1 when a line of a file failed or the
// game cannot be reached, 2 when the address is invalid. Prints errors to standard error.
int ct_debug_prompt_run(ct_allocator *a, const char *address, const char *token,
                        double timeout_seconds);
