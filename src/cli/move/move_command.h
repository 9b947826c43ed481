// move_command.h: the common part of `cuttle mv`, `cp`, `replace` and `rm`.
#pragma once
#include "cli/command.h"
#include "content/move/content_move.h"

typedef struct ct_move_command {
    const char *name; // of the command
    ct_move_kind kind;
    const char *project, *from, *to;
    const char *const *referrers;
    uint32_t num_referrers;
    bool is_forced;
    bool is_dry_run; // print a unified diff, and write nothing
    bool is_json;
} ct_move_command;

// Plans the move, makes or shows the changes, and prints the outcome. Returns the exit code.
ct_exit ct_move_command_run(ct_allocator *a, const ct_move_command *command);

// Reads the operands from number `first` on, and the value of an option before them, as referrers:
// `--in A B C`. Returns false, after printing the error, when there are operands and no option.
bool ct_move_command_referrers(ct_allocator *a, const ct_move_command *command,
                               const ct_command_arguments *arguments, uint32_t first,
                               const char *option, const char *value, ct_move_command *result);
