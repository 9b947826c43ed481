#include <stdio.h>

#include "cli/commands.h"
#include "foundation/error.h"
#include "foundation/sjson/sjson.h"
#include "foundation/sjson/sjson_writer.h"

static const ct_command_option options[] = {
    {"check", NULL, "print nothing when the files are valid (the default)"},
    {"to-json", NULL, "write each file as JSON to standard output"},
    {"to-sjson", NULL, "write each file as SJSON to standard output (comments are lost)"},
};

static bool convert(ct_allocator *a, const char *path, bool to_json, bool to_sjson,
                    ct_error *error) {
    ct_sjson *const doc = ct_sjson_read(a, path, path, error);
    if (!doc)
        return false;
    if (to_json || to_sjson) {
        ct_string_builder text;
        ct_string_builder_init(&text, a);
        ct_sjson_writer w;
        ct_sjson_writer_init(&w, &text,
                             to_json ? CT_SJSON_STYLE_PRETTY_JSON : CT_SJSON_STYLE_SJSON);
        ct_sjson_write_value(&w, doc, ct_sjson_root(doc));
        fwrite(ct_string_builder_text(&text), 1, text.length, stdout);
        if (text.length == 0 || text.text[text.length - 1] != '\n')
            fputc('\n', stdout);
        ct_string_builder_free(&text);
    }
    ct_sjson_free(doc);
    return true;
}

static ct_exit run(ct_allocator *a, const ct_command_arguments *arguments) {
    const bool to_json = ct_command_option_of(&ct_command_sjson, arguments, "to-json") != NULL;
    const bool to_sjson = ct_command_option_of(&ct_command_sjson, arguments, "to-sjson") != NULL;
    const bool check = ct_command_option_of(&ct_command_sjson, arguments, "check") != NULL;
    if (to_json + to_sjson + check > 1) {
        fprintf(stderr, "cuttle sjson: choose one of --check, --to-json and --to-sjson\n");
        return CT_EXIT_USAGE;
    }
    ct_exit code = CT_EXIT_OK;
    for (uint32_t i = 0; i < arguments->num_operands; ++i) {
        ct_error error = {0};
        if (!convert(a, arguments->operands[i], to_json, to_sjson, &error)) {
            char text[CT_ERROR_MESSAGE_BYTES + CT_ERROR_FILE_BYTES + 64];
            ct_error_format(&error, text, sizeof(text));
            fprintf(stderr, "%s\n", text);
            code = CT_EXIT_FAILED;
        }
    }
    return code;
}

const ct_command ct_command_sjson = {
    .name = "sjson",
    .operands = "FILE…",
    .least_operands = 1,
    .most_operands = CT_COMMAND_ANY_OPERANDS,
    .summary = "check SJSON files, or convert them from and to JSON",
    .description = "Reads each file as SJSON (JSON is valid SJSON, too) and prints its error as\n"
                   "`path:line:column: error: message`.\n"
                   "Example: cuttle sjson settings.config --to-json",
    .options = options,
    .num_options = CT_COUNT_OF(options),
    .run = run,
};
