// move_command.h: what `cuttle mv`, `cp`, `replace` and `rm` have in common.
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

// Plans, does and tells it.
ct_exit ct_move_command_run(ct_allocator *a, const ct_move_command *command);

// Reads the operands from number `first` on, and the value of an option before them, as referrers:
// `--in A B C`. False, after telling it, when there are operands and no option.
bool ct_move_command_referrers(ct_allocator *a, const ct_move_command *command,
                               const ct_command_arguments *arguments, uint32_t first,
                               const char *option, const char *value, ct_move_command *result);
