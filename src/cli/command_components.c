#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/reference/component_reference.h"
#include "foundation/error.h"
#include "foundation/os/file.h"

static const ct_command_option options[] = {
    {"markdown", "FILE", "write the reference as a page of Markdown to FILE"},
    {"json", NULL, "print everything as one JSON object"},
};

static void print_list(void) {
    uint32_t count;
    const ct_component_type *const types = ct_component_types(&count);
    for (uint32_t i = 0; i < count; ++i)
        printf("%-12s %s\n", types[i].name, types[i].schema->doc);
}

static ct_exit unknown(const char *name) {
    enum { MOST_NAMES = 256 };
    const char *names[MOST_NAMES];
    uint32_t count;
    const ct_component_type *const types = ct_component_types(&count);
    CT_ASSERT(count <= MOST_NAMES, "there are %u component types", count);
    for (uint32_t i = 0; i < count; ++i)
        names[i] = types[i].name;
    const char *const nearest = ct_nearest_name(name, names, count);
    fprintf(stderr, "cuttle components: there is no component type \"%s\"", name);
    if (nearest)
        fprintf(stderr, " (did you mean \"%s\"?)", nearest);
    fputc('\n', stderr);
    return CT_EXIT_FAILED;
}

static ct_exit run(ct_allocator *a, const ct_command_arguments *arguments) {
    const char *const markdown =
        ct_command_option_of(&ct_command_components, arguments, "markdown");
    const bool prints_json =
        ct_command_option_of(&ct_command_components, arguments, "json") != NULL;
    const char *const name = arguments->num_operands == 1 ? arguments->operands[0] : NULL;
    const ct_component_type *const type = name ? ct_component_type_named(name) : NULL;
    if (name && !type)
        return unknown(name);
    ct_string_builder text CT_CLEANUP(ct_string_builder_free);
    ct_string_builder_init(&text, a);
    ct_error error = {0};
    if (markdown) {
        ct_component_reference_markdown(&text);
        if (!ct_file_write(markdown, ct_string_builder_text(&text), text.length, false, &error)) {
            fprintf(stderr, "cuttle components: %s\n", error.message);
            return CT_EXIT_FAILED;
        }
        ct_string_builder_clear(&text);
    }
    if (prints_json) {
        ct_component_reference_json(&text);
        ct_string_builder_add(&text, "\n");
    }
    if (type)
        ct_component_reference_text(&text, type);
    fputs(ct_string_builder_text(&text), stdout);
    if (!markdown && !prints_json && !type)
        print_list();
    return CT_EXIT_OK;
}

const ct_command ct_command_components = {
    .name = "components",
    .operands = "[TYPE]",
    .least_operands = 0,
    .most_operands = 1,
    .summary = "print or write the reference of components",
    .description =
        "Prints the list of component types, or the members of one: types, units, ranges and\n"
        "defaults, as the compiler checks them. --json prints all of them, and what units and\n"
        "levels consist of, for tools.",
    .options = options,
    .num_options = CT_COUNT_OF(options),
    .run = run,
};
