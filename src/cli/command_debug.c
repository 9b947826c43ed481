#include <stdio.h>

#include "cli/commands.h"
#include "cli/debug/dap_server.h"
#include "foundation/error.h"

static const ct_command_option options[] = {
    {"port", "N", "serve editors that connect to 127.0.0.1:N (0: a free port, which is printed)"},
};

static ct_exit run(ct_allocator *a, const ct_command_arguments *arguments) {
    const char *const given = ct_command_option_of(&ct_command_debug, arguments, "port");
    const char *const project = arguments->num_operands ? arguments->operands[0] : NULL;
    uint32_t port = 0;
    ct_error error = {0};
    if (!ct_command_count("port", given, 0, 65535, &port, &error)) {
        fprintf(stderr, "cuttle debug: %s\n", error.message);
        return CT_EXIT_USAGE;
    }
    if (!given)
        return ct_dap_serve_standard(a, project) ? CT_EXIT_OK : CT_EXIT_FAILED;
    if (ct_dap_serve_port(a, project, (uint16_t)port, &error))
        return CT_EXIT_OK;
    fprintf(stderr, "cuttle debug: %s\n", error.message);
    return CT_EXIT_FAILED;
}

const ct_command ct_command_debug = {
    .name = "debug",
    .operands = "[PROJECT]",
    .least_operands = 0,
    .most_operands = 1,
    .summary = "debug a game's Lua from an editor",
    .description =
        "Speaks the Debug Adapter Protocol of editors (Visual Studio Code, Neovim, Emacs, …) on\n"
        "standard input and output, or with --port to editors that connect. `launch` starts\n"
        "PROJECT (or the folder in `project`) with `cuttle run`; `attach` takes a game that runs\n"
        "on this machine. See docs/debugging.md.\n"
        "Example: cuttle debug mygame --port 4711",
    .options = options,
    .num_options = CT_COUNT_OF(options),
    .run = run,
};
