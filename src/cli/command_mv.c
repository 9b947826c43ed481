#include "cli/commands.h"
#include "cli/move/move_command.h"

static const ct_command_option options[] = {
    {"dry-run", NULL, "print the changes as a unified diff, and write nothing"},
    {"json", NULL, "print one JSON object to standard output"},
};

static ct_exit run(ct_allocator *a, const ct_command_arguments *arguments) {
    const ct_move_command command = {
        .name = ct_command_mv.name,
        .kind = CT_MOVE_KIND_RENAME,
        .project = arguments->operands[0],
        .from = arguments->operands[1],
        .to = arguments->operands[2],
        .is_dry_run = ct_command_option_of(&ct_command_mv, arguments, "dry-run") != NULL,
        .is_json = ct_command_option_of(&ct_command_mv, arguments, "json") != NULL,
    };
    return ct_move_command_run(a, &command);
}

const ct_command ct_command_mv = {
    .name = "mv",
    .operands = "PROJECT RES NEW",
    .least_operands = 3,
    .most_operands = 3,
    .summary = "rename a resource, a media file or a folder, and update its references",
    .description =
        "RES is a resource (textures/rose.texture), a media file (textures/rose.png) or a folder.\n"
        "A resource moves with all its variants, and with the media that only it names and that\n"
        "have its name. NEW may leave out the type. References are updated in sources, in media\n"
        "that name files and in records of imports: only the bytes of names change. Everything\n"
        "is done, or nothing. In a git work tree, git's index is updated as by git mv. Texts in\n"
        "scripts that only look like the name are listed, and stay. See docs/renaming.md.\n"
        "Example: cuttle mv mygame textures/rose.texture textures/tulip",
    .options = options,
    .num_options = CT_COUNT_OF(options),
    .run = run,
};
