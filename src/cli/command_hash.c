#include <inttypes.h>
#include <stdio.h>

#include "cli/commands.h"
#include "foundation/sjson_writer.h"
#include "foundation/string_id.h"

static const ct_command_option options[] = {
    {"json", NULL, "a JSON array of objects with string, id32 and id64"},
};

static void print_json(ct_allocator *a, const ct_command_arguments *arguments) {
    ct_string_builder text;
    ct_string_builder_init(&text, a);
    ct_sjson_writer w;
    ct_sjson_writer_init(&w, &text, CT_SJSON_STYLE_JSON);
    ct_sjson_begin_array(&w);
    for (uint32_t i = 0; i < arguments->num_operands; ++i) {
        const char *string = arguments->operands[i];
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

static ct_exit run(ct_allocator *a, const ct_command_arguments *arguments) {
    if (ct_command_option_of(&ct_command_hash, arguments, "json") != NULL) {
        print_json(a, arguments);
        return CT_EXIT_OK;
    }
    for (uint32_t i = 0; i < arguments->num_operands; ++i) {
        const char *string = arguments->operands[i];
        printf("%08" PRIx32 " %016" PRIx64 " %s\n", ct_string_id32_of(string).value,
               ct_string_id64_of(string).value, string);
    }
    return CT_EXIT_OK;
}

const ct_command ct_command_hash = {
    .name = "hash",
    .operands = "STRING…",
    .least_operands = 1,
    .most_operands = CT_COMMAND_MAX_OPERANDS,
    .summary = "print the 32-bit and 64-bit ids of strings",
    .description = "Prints, for each string, its 32-bit id (MurmurHash2, seed 0), its 64-bit id\n"
                   "(MurmurHash64A, seed 0) and the string. Resources, types, fields and\n"
                   "components are known by these at run time.",
    .options = options,
    .num_options = CT_COUNT_OF(options),
    .run = run,
};
