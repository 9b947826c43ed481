#include "cli/run/run_console.h"

#include "cli/run/pages_folder.h"
#include "foundation/error.h"

bool ct_run_console_read(ct_allocator *a, const ct_command *run,
                         const ct_command_arguments *arguments, ct_run_console *console,
                         ct_error *error) {
    console->address = ct_command_option_of(run, arguments, "console-address");
    if (!ct_pages_folder(console->pages_folder))
        console->pages_folder[0] = '\0';
    if (!ct_console_token_read(a, run, arguments, "console-token", &console->token, error))
        return false;
    const char *const token = console->token.text[0] != '\0' ? console->token.text : NULL;
    if (token && !console->address)
        return ct_error_set(error, "the token of the console needs --console-address");
    return ct_console_check_address(console->address, token, error);
}
