#include <stdio.h>

#include "cli/commands.h"

static const ct_command_option options[] = {
    {"json", NULL, "print one JSON object"},
};

static ct_exit run(ct_allocator *a, const ct_command_arguments *arguments) {
    (void)a;
    if (ct_command_option_of(&ct_command_version, arguments, "json"))
        printf("{\"version\": \"%s\", \"build\": \"%s\"}\n", CT_VERSION_STRING, CT_BUILD_NAME);
    else
        printf("cuttle %s (%s)\n", CT_VERSION_STRING, CT_BUILD_NAME);
    return CT_EXIT_OK;
}

const ct_command ct_command_version = {
    .name = "version",
    .operands = "",
    .summary = "print the version",
    .description = "Prints the version and how it was built.",
    .options = options,
    .num_options = CT_COUNT_OF(options),
    .run = run,
};
