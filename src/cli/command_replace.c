#include "cli/commands.h"
#include "cli/move/move_command.h"
#include "foundation/memory/temp_allocator.h"

static const ct_command_option options[] = {
    {"in", "REFERRER", "only in this referrer, and those that follow: resources, files, folders"},
    {"dry-run", NULL, "print the changes as a unified diff, and write nothing"},
    {"json", NULL, "print one JSON object to standard output"},
};

static ct_exit run(ct_allocator *a, const ct_command_arguments *arguments) {
    CT_TEMP_ALLOCATOR(scratch, a);
    const ct_move_command command = {
        .name = ct_command_replace.name,
        .kind = CT_MOVE_KIND_REPLACE,
        .project = arguments->operands[0],
        .from = arguments->operands[1],
        .to = arguments->operands[2],
        .is_dry_run = ct_command_option_of(&ct_command_replace, arguments, "dry-run") != NULL,
        .is_json = ct_command_option_of(&ct_command_replace, arguments, "json") != NULL,
    };
    const char *const value = ct_command_option_of(&ct_command_replace, arguments, "in");
    ct_move_command with_referrers;
    if (!ct_move_command_referrers(scratch, &command, arguments, 3, "in", value, &with_referrers))
        return CT_EXIT_USAGE;
    return ct_move_command_run(a, &with_referrers);
}

const ct_command ct_command_replace = {
    .name = "replace",
    .operands = "PROJECT OLD NEW",
    .least_operands = 3,
    .most_operands = CT_COMMAND_ANY_OPERANDS,
    .summary = "make references to one resource or media file refer to another",
    .description =
        "Changes all references to OLD into references to NEW, which must exist and have the same\n"
        "type. References inside NEW do not change. OLD stays. It need not exist: missing\n"
        "resources and files can be replaced, too.\n"
        "Example: cuttle replace mygame textures/old.texture textures/new.texture --in levels",
    .options = options,
    .num_options = CT_COUNT_OF(options),
    .run = run,
};
