#include "cli/commands.h"
#include "cli/move/move_command.h"

static const ct_command_option options[] = {
    {"force", NULL, "remove it even when something refers to it"},
    {"dry-run", NULL, "print the changes as a unified diff, and write nothing"},
    {"json", NULL, "print one JSON object to standard output"},
};

static ct_exit run(ct_allocator *a, const ct_command_arguments *arguments) {
    const ct_move_command command = {
        .name = ct_command_rm.name,
        .kind = CT_MOVE_KIND_REMOVE,
        .project = arguments->operands[0],
        .from = arguments->operands[1],
        .is_forced = ct_command_option_of(&ct_command_rm, arguments, "force") != NULL,
        .is_dry_run = ct_command_option_of(&ct_command_rm, arguments, "dry-run") != NULL,
        .is_json = ct_command_option_of(&ct_command_rm, arguments, "json") != NULL,
    };
    return ct_move_command_run(a, &command);
}

const ct_command ct_command_rm = {
    .name = "rm",
    .operands = "PROJECT RES",
    .least_operands = 2,
    .most_operands = 2,
    .summary = "remove a resource, a media file or a folder that nothing refers to",
    .description =
        "Write RES as for `cuttle mv`; a resource is removed with the files that mv would move.\n"
        "When anything else refers to RES, lists the references and removes nothing; --force\n"
        "removes it anyway.\n"
        "Example: cuttle rm mygame textures/rose.texture --dry-run",
    .options = options,
    .num_options = CT_COUNT_OF(options),
    .run = run,
};
