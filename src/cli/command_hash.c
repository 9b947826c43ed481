#include <inttypes.h>
#include <stdio.h>

#include "cli/commands.h"
#include "cli/id_literals.h"
#include "foundation/error.h"
#include "foundation/sjson/sjson_writer.h"
#include "foundation/string/string_id.h"

static const ct_command_option options[] = {
    {"json", NULL, "print a JSON array of objects with string, id32 and id64"},
    {"check", NULL,
     "find wrong ids in CT_ID32 and CT_ID64 in sources; exit with 1 if there are any"},
    {"fix", NULL, "correct wrong ids in the sources"},
};

static void print_json(ct_allocator *a, const ct_command_arguments *arguments) {
    ct_string_builder text;
    ct_string_builder_init(&text, a);
    ct_sjson_writer w;
    ct_sjson_writer_init(&w, &text, CT_SJSON_STYLE_JSON);
    ct_sjson_begin_array(&w);
    for (uint32_t i = 0; i < arguments->num_operands; ++i) {
        const char *const string = arguments->operands[i];
        char id32[16], id64[32];
        snprintf(id32, sizeof(id32), "%08" PRIx32, ct_string_id32_of(string).value);
        snprintf(id64, sizeof(id64), "%016" PRIx64, ct_string_id64_of(string).value);
        ct_sjson_begin_object(&w);
        ct_sjson_member_string(&w, "string", string);
        ct_sjson_member_string(&w, "id32", id32);
        ct_sjson_member_string(&w, "id64", id64);
        ct_sjson_end_object(&w);
    }
    ct_sjson_end_array(&w);
    puts(ct_string_builder_text(&text));
    ct_string_builder_free(&text);
}

static void report_literal(void *user, const ct_error *error) {
    (void)user;
    char text[CT_ERROR_MESSAGE_BYTES + CT_ERROR_FILE_BYTES + 64];
    ct_error_format(error, text, sizeof(text));
    fprintf(stderr, "%s\n", text);
}

static ct_exit scan_sources(ct_allocator *a, const ct_command_arguments *arguments, bool fixes) {
    ct_id_literals literals = {.allocator = a, .fixes = fixes, .report = report_literal};
    ct_error error = {0};
    for (uint32_t i = 0; i < arguments->num_operands; ++i) {
        if (!ct_id_literals_scan(&literals, arguments->operands[i], &error)) {
            report_literal(NULL, &error);
            return CT_EXIT_FAILED;
        }
    }
    printf("%u id%s in %u file%s, %u wrong, %u corrected\n", literals.num_literals,
           literals.num_literals == 1 ? "" : "s", literals.num_files,
           literals.num_files == 1 ? "" : "s", literals.num_wrong, literals.num_fixed);
    return literals.num_wrong == literals.num_fixed ? CT_EXIT_OK : CT_EXIT_FAILED;
}

static ct_exit run(ct_allocator *a, const ct_command_arguments *arguments) {
    const bool prints_json = ct_command_option_of(&ct_command_hash, arguments, "json") != NULL;
    const bool checks = ct_command_option_of(&ct_command_hash, arguments, "check") != NULL;
    const bool fixes = ct_command_option_of(&ct_command_hash, arguments, "fix") != NULL;
    if (prints_json + checks + fixes > 1) {
        fprintf(stderr, "cuttle hash: --json, --check and --fix cannot be combined\n");
        return CT_EXIT_USAGE;
    }
    if (checks || fixes)
        return scan_sources(a, arguments, fixes);
    if (prints_json) {
        print_json(a, arguments);
        return CT_EXIT_OK;
    }
    for (uint32_t i = 0; i < arguments->num_operands; ++i) {
        const char *const string = arguments->operands[i];
        printf("%08" PRIx32 " %016" PRIx64 " %s\n", ct_string_id32_of(string).value,
               ct_string_id64_of(string).value, string);
    }
    return CT_EXIT_OK;
}

const ct_command ct_command_hash = {
    .name = "hash",
    .operands = "STRING… | --check PATH… | --fix PATH…",
    .least_operands = 1,
    .most_operands = CT_COMMAND_ANY_OPERANDS,
    .summary = "print the ids of strings, or check those in C sources",
    .description =
        "Prints, for each string, its 32-bit id (MurmurHash2, seed 0), its 64-bit id\n"
        "(MurmurHash64A, seed 0) and the string. These ids identify resources, types, fields and\n"
        "components at run time. --check and --fix look for ids beside their strings in C files,\n"
        "and in all C files below folders.\n"
        "Example: cuttle hash units/box",
    .options = options,
    .num_options = CT_COUNT_OF(options),
    .run = run,
};
