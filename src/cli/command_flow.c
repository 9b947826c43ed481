#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/flow/flow_picture.h"
#include "cli/flow/project_nodes.h"
#include "foundation/error.h"
#include "foundation/memory/temp_allocator.h"
#include "foundation/os/file.h"

static const ct_command_option options[] = {
    {"o", "FILE", "write the picture to this SVG file"},
};

static ct_exit failed(const ct_error *error) {
    char text[CT_ERROR_MESSAGE_BYTES + CT_ERROR_FILE_BYTES + 64];
    ct_error_format(error, text, sizeof(text));
    fprintf(stderr, "%s\n", text);
    return CT_EXIT_FAILED;
}

static ct_exit run(ct_allocator *a, const ct_command_arguments *arguments) {
    CT_TEMP_ALLOCATOR(scratch, a);
    if (strcmp(arguments->operands[0], "draw") != 0) {
        fprintf(stderr, "cuttle flow: found \"%.100s\"; expected draw\n", arguments->operands[0]);
        return CT_EXIT_USAGE;
    }
    const char *const output = ct_command_option_of(&ct_command_flow, arguments, "o");
    if (!output) {
        fprintf(stderr, "cuttle flow: expected -o FILE, where the picture goes\n");
        return CT_EXIT_USAGE;
    }
    const char *const path = arguments->operands[1];
    ct_error error = {0};
    ct_sjson *const doc = ct_sjson_read(scratch, path, path, &error);
    if (!doc)
        return failed(&error);
    char project[CT_PATH_BYTES];
    const bool is_in_project = ct_project_nodes_folder(path, project);
    ct_string_builder svg;
    ct_string_builder_init(&svg, scratch);
    if (!ct_flow_picture(doc, is_in_project ? project : NULL, &svg, &error) ||
        !ct_file_write_output(output, ct_string_builder_text(&svg), svg.length, false, &error))
        return failed(&error);
    return CT_EXIT_OK;
}

const ct_command ct_command_flow = {
    .name = "flow",
    .operands = "draw GRAPH",
    .least_operands = 2,
    .most_operands = 2,
    .summary = "draw a flow graph",
    .description =
        "Draws the graph of a .flow file as an SVG picture: nodes at their positions, or in\n"
        "columns when none has one; events in black, values in blue.\n"
        "Example: cuttle flow draw mygame/flow/lamp.flow -o lamp.svg",
    .options = options,
    .num_options = CT_COUNT_OF(options),
    .run = run,
};
