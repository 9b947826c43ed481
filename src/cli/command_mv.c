#include "cli/commands.h"
#include "cli/move/move_command.h"

static const ct_command_option options[] = {
    {"dry-run", NULL, "print what would change as a unified diff, and write nothing"},
    {"json", NULL, "one JSON object on standard output"},
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
    .summary = "rename a resource, a media file or a folder, and what names it",
    .description =
        "RES is a resource (textures/rose.texture), a media file (textures/rose.png) or a folder.\n"
        "A resource goes with all its variants, and with the media that only it names and that\n"
        "are called like it; NEW may leave out the type. References to it are patched where they\n"
        "stand, in sources, in media that name files and in records of imports: of a file only\n"
        "the bytes of names change. All of it is done or nothing; in a git work tree git's index\n"
        "follows as after git mv. Texts of scripts that only look like the name are told, and\n"
        "stay. docs/content.md says more",
    .options = options,
    .num_options = CT_COUNT_OF(options),
    .run = run,
};
