#include "cli/commands.h"
#include "cli/move/move_command.h"
#include "foundation/memory/temp_allocator.h"

static const ct_command_option options[] = {
    {"redirect", "REFERRER", "make this referrer, and those that follow, name the copy"},
    {"dry-run", NULL, "print the changes as a unified diff, and write nothing"},
    {"json", NULL, "print one JSON object to standard output"},
};

static ct_exit run(ct_allocator *a, const ct_command_arguments *arguments) {
    CT_TEMP_ALLOCATOR(scratch, a);
    const ct_move_command command = {
        .name = ct_command_cp.name,
        .kind = CT_MOVE_KIND_COPY,
        .project = arguments->operands[0],
        .from = arguments->operands[1],
        .to = arguments->operands[2],
        .is_dry_run = ct_command_option_of(&ct_command_cp, arguments, "dry-run") != NULL,
        .is_json = ct_command_option_of(&ct_command_cp, arguments, "json") != NULL,
    };
    const char *const value = ct_command_option_of(&ct_command_cp, arguments, "redirect");
    ct_move_command with_referrers;
    if (!ct_move_command_referrers(scratch, &command, arguments, 3, "redirect", value,
                                   &with_referrers))
        return CT_EXIT_USAGE;
    return ct_move_command_run(a, &with_referrers);
}

const ct_command ct_command_cp = {
    .name = "cp",
    .operands = "PROJECT RES NEW",
    .least_operands = 3,
    .most_operands = CT_COMMAND_ANY_OPERANDS,
    .summary = "copy a resource, a media file or a folder",
    .description =
        "Write RES as for `cuttle mv`; a resource is copied with the files that mv would move.\n"
        "Copies that name each other name the copies. Nothing else changes, except the\n"
        "referrers that --redirect lists.\n"
        "Example: cuttle cp game units/box.unit units/crate --redirect levels/yard.level\n"
        "levels/hall.level",
    .options = options,
    .num_options = CT_COUNT_OF(options),
    .run = run,
};
