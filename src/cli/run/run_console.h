// run_console.h: `cuttle run`: where the console listens, and which connections it takes.
#pragma once
#include "cli/prompt/console_token.h"
#include "foundation/os/path.h"

// What the options say, in memory of its own.
typedef struct ct_run_console {
    const char *address; // of --console-address, or NULL; borrowed from the arguments
    ct_console_token token;
    char pages_folder[CT_PATH_BYTES]; // "": there are no pages
} ct_run_console;

// Reads --console-address, --console-token and --console-token-file, and finds the folder of the pages.
// Returns false with `error`: also when other machines could connect without a token.
bool ct_run_console_read(ct_allocator *a, const ct_command *run,
                         const ct_command_arguments *arguments, ct_run_console *console,
                         ct_error *error);
