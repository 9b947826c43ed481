#include "cli/run/run_console.h"

#include <string.h>

#include "cli/run/pages_folder.h"
#include "foundation/error.h"
#include "foundation/os/file.h"

static bool keep_token(const char *text, size_t bytes, ct_run_console *console, ct_error *error) {
    if (bytes >= sizeof(console->token))
        return ct_error_set(error, "the token of the console has %zu characters; expected %d to %d",
                            bytes, CT_CONSOLE_LEAST_TOKEN_BYTES, CT_CONSOLE_MOST_TOKEN_BYTES);
    memcpy(console->token, text, bytes);
    console->token[bytes] = '\0';
    return true;
}

// The first line of a file.
static bool read_token(ct_allocator *a, const char *path, ct_run_console *console,
                       ct_error *error) {
    uint64_t bytes = 0;
    ct_error why = {0};
    char *const text = ct_file_read_input(a, path, &bytes, &why);
    if (!text)
        return ct_error_set(error, "--console-token-file: %s", why.message);
    const bool result = keep_token(text, strcspn(text, "\r\n"), console, error);
    ct_free(a, text);
    return result &&
           (console->token[0] != '\0' ||
            ct_error_set(error, "--console-token-file: the first line of %s is empty", path));
}

bool ct_run_console_read(ct_allocator *a, const ct_command *run,
                         const ct_command_arguments *arguments, ct_run_console *console,
                         ct_error *error) {
    const char *const token = ct_command_option_of(run, arguments, "console-token");
    const char *const file = ct_command_option_of(run, arguments, "console-token-file");
    console->address = ct_command_option_of(run, arguments, "console-address");
    console->token[0] = '\0';
    if (!ct_pages_folder(console->pages_folder))
        console->pages_folder[0] = '\0';
    if (token && file)
        return ct_error_set(error, "--console-token and --console-token-file exclude each other");
    if (token && !keep_token(token, strlen(token), console, error))
        return false;
    if (file && !read_token(a, file, console, error))
        return false;
    if ((token || file) && !console->address)
        return ct_error_set(error, "the token of the console needs --console-address");
    return ct_console_check_address(console->address, token || file ? console->token : NULL, error);
}
