// main.c: `cuttle`: starts memory and log, finds the subcommand, runs it, ends in order.
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "content/references/known_modules.h"
#include "foundation/crash/crash.h"
#include "foundation/error.h"
#include "foundation/log.h"
#include "foundation/memory/memory.h"
#include "foundation/memory/proxy_allocator.h"
#include "foundation/string/string_id.h"
#include "plugin/plugin_description.h"
#include "script/script_modules.h"

// `cuttle --help` and `cuttle --version` are what people try first.
static const char *command_name(const char *argument) {
    if (strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0)
        return "help";
    if (strcmp(argument, "--version") == 0)
        return "version";
    return argument;
}

// Whether `--help` is among the options of a command, whatever else is.
static bool asks_for_help(int argc, const char *const *argv) {
    for (int i = 2; i < argc && strcmp(argv[i], "--") != 0; ++i) {
        if (strcmp(argv[i], "--help") == 0)
            return true;
    }
    return false;
}

static ct_exit run_command(ct_allocator *a, int argc, const char **argv) {
    if (argc < 2) {
        fprintf(stderr, "cuttle: no command given; `cuttle help` lists them\n");
        return CT_EXIT_USAGE;
    }
    const char *const name = command_name(argv[1]);
    const ct_command *const command = ct_command_named(name);
    if (!command) {
        fprintf(stderr, "cuttle: unknown command \"%s\"; `cuttle help` lists them\n", name);
        return CT_EXIT_USAGE;
    }
    if (asks_for_help(argc, argv)) {
        const ct_command_arguments help = {.operands = (const char *const[]){name, NULL},
                                           .num_operands = 1};
        return ct_command_named("help")->run(a, &help);
    }
    ct_command_arguments arguments;
    ct_error error = {0};
    if (!ct_command_parse(command, argc - 2, argv + 2, &arguments, &error)) {
        fprintf(stderr, "cuttle %s: %s; see `cuttle help %s`\n", name, error.message, name);
        return CT_EXIT_USAGE;
    }
    return command->run(a, &arguments);
}

// What a command printed is written now, if not before: that it could not be, as on a full disk, is
// a failure of whatever command. A reader who went away (`| head`) knows, and is not told.
static ct_exit end_output(ct_exit code) {
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return code;
    if (errno != EPIPE) // 0: an earlier flush failed
        fprintf(stderr, "cuttle: standard output could not be written%s%s\n",
                errno != 0 ? ": " : "", errno != 0 ? strerror(errno) : "");
    return code != CT_EXIT_OK ? code : CT_EXIT_FAILED;
}

int main(int argc, char **argv) {
    ct_crash_init(); // first: its helper is a copy of what there is
    ct_memory_init();
    ct_log_init(ct_memory_heap());
    const ct_log_sink terminal = ct_log_terminal_sink(CT_LOG_LEVEL_INFO);
    ct_log_add_sink(&terminal);
    ct_string_id_registry_init(ct_memory_heap());
    uint32_t num_modules;
    const ct_lua_module *const *const modules = ct_script_modules(&num_modules);
    ct_known_modules_set(modules, num_modules);

    ct_allocator *const allocator = ct_proxy_allocator_create(ct_memory_heap(), "cuttle");
    const ct_exit code = end_output(run_command(allocator, argc, (const char **)argv));
    ct_plugin_description_end();
    ct_proxy_allocator_destroy(allocator);

    ct_string_id_registry_shutdown();
    ct_log_shutdown();
    ct_memory_shutdown();
    return code;
}
