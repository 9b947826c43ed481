#include <stdio.h>
#include <string.h>

#include "cli/commands.h"

static void print_command(const ct_command *command) {
    printf("cuttle %s%s%s%s%s: %s\n\n%s\n", command->name, command->operands[0] ? " " : "",
           command->operands, command->num_options != 0 ? " [options]" : "",
           command->takes_rest ? " [-- arguments of the game]" : "", command->summary,
           command->description);
    if (command->num_options != 0)
        printf("\nOptions:\n");
    for (uint32_t i = 0; i < command->num_options; ++i) {
        const ct_command_option *const option = &command->options[i];
        char left[48];
        snprintf(left, sizeof(left), "%s%s%s%s", ct_command_option_dashes(option), option->name,
                 option->value ? " " : "", option->value ? option->value : "");
        printf("  %-24s %s\n", left, option->doc);
    }
}

static ct_exit run(ct_allocator *a, const ct_command_arguments *arguments) {
    (void)a;
    if (arguments->num_operands == 1) {
        const ct_command *const command = ct_command_named(arguments->operands[0]);
        if (!command) {
            fprintf(stderr, "cuttle help: unknown command \"%s\"; `cuttle help` lists them\n",
                    arguments->operands[0]);
            return CT_EXIT_USAGE;
        }
        print_command(command);
        return CT_EXIT_OK;
    }
    printf("Cuttle %s, a data-oriented game engine.\n\nusage: cuttle COMMAND [arguments]\n\n",
           CT_VERSION_STRING);
    uint32_t count = 0;
    const ct_command *const *commands = ct_commands(&count);
    for (uint32_t i = 0; i < count; ++i)
        printf("  %-10s %s\n", commands[i]->name, commands[i]->summary);
    printf("\n`cuttle help COMMAND` explains a command. Exit codes: 0 success, 1 failure, 2 wrong "
           "usage.\n");
    return CT_EXIT_OK;
}

const ct_command ct_command_help = {
    .name = "help",
    .operands = "[COMMAND]",
    .most_operands = 1,
    .summary = "list the commands, or explain one",
    .description = "Without COMMAND, lists all commands.",
    .run = run,
};
