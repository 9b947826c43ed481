#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "dev/protocol/protocol_text.h"
#include "foundation/error.h"
#include "foundation/os/file.h"

static const ct_command_option options[] = {
    {"json", NULL, "print the JSON schema of all messages"},
    {"typescript", "FILE", "write their types for TypeScript to FILE"},
    {"python", "FILE", "write a client for Python to FILE"},
    {"markdown", "FILE", "write their reference to FILE as Markdown"},
};

static bool write_form(ct_allocator *a, const ct_command_arguments *arguments, const char *option,
                       void (*add)(ct_string_builder *out), ct_error *error) {
    const char *const path = ct_command_option_of(&ct_command_protocol, arguments, option);
    if (!path)
        return true;
    ct_string_builder text CT_CLEANUP(ct_string_builder_free);
    ct_string_builder_init(&text, a);
    add(&text);
    return ct_file_write_output(path, ct_string_builder_text(&text), text.length, false, error);
}

static ct_exit run(ct_allocator *a, const ct_command_arguments *arguments) {
    ct_error error = {0};
    if (!write_form(a, arguments, "typescript", ct_protocol_add_typescript, &error) ||
        !write_form(a, arguments, "python", ct_protocol_add_python, &error) ||
        !write_form(a, arguments, "markdown", ct_protocol_add_markdown, &error)) {
        fprintf(stderr, "cuttle protocol: %s\n", error.message);
        return CT_EXIT_FAILED;
    }
    const bool prints_json = ct_command_option_of(&ct_command_protocol, arguments, "json") != NULL;
    const bool writes = ct_command_option_of(&ct_command_protocol, arguments, "typescript") ||
                        ct_command_option_of(&ct_command_protocol, arguments, "python") ||
                        ct_command_option_of(&ct_command_protocol, arguments, "markdown");
    if (writes && !prints_json)
        return CT_EXIT_OK;
    ct_string_builder text CT_CLEANUP(ct_string_builder_free);
    ct_string_builder_init(&text, a);
    if (prints_json)
        ct_protocol_add_json(&text);
    else
        ct_protocol_add_markdown(&text);
    fwrite(ct_string_builder_text(&text), 1, text.length, stdout);
    return CT_EXIT_OK;
}

const ct_command ct_command_protocol = {
    .name = "protocol",
    .operands = "",
    .summary = "print the messages that a running game takes",
    .description =
        "Prints the reference of all messages of the console's port as Markdown, or writes them "
        "in the form\nthat an option names.",
    .options = options,
    .num_options = CT_COUNT_OF(options),
    .run = run,
};
