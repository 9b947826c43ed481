#include <stdio.h>

#include "cli/commands.h"
#include "cli/reference/flow_reference.h"
#include "foundation/error.h"
#include "foundation/os/file.h"
#include "resource/schema/schema.h"

static const ct_command_option options[] = {
    {"markdown", "FILE", "write the reference to FILE as Markdown"},
    {"json", NULL, "print the whole reference as one JSON object"},
};

enum { MOST_NAMES = 1024 };

static uint32_t collect_names(const char **names) {
    uint32_t num_tables, count = 0;
    const ct_flow_node_table *const tables = ct_flow_node_tables(&num_tables);
    for (uint32_t t = 0; t < num_tables; ++t)
        for (uint32_t i = 0; i < tables[t].num_nodes && count < MOST_NAMES; ++i)
            names[count++] = tables[t].nodes[i].name;
    return count;
}

static void print_list(void) {
    uint32_t num_tables;
    const ct_flow_node_table *const tables = ct_flow_node_tables(&num_tables);
    for (uint32_t t = 0; t < num_tables; ++t)
        for (uint32_t i = 0; i < tables[t].num_nodes; ++i)
            printf("%-32s %s\n", tables[t].nodes[i].name, tables[t].nodes[i].doc);
}

static ct_exit unknown(const char *name) {
    const char *names[MOST_NAMES];
    const char *const nearest = ct_nearest_name(name, names, collect_names(names));
    fprintf(stderr, "cuttle flow-nodes: unknown node \"%s\"", name);
    if (nearest)
        fprintf(stderr, " (did you mean \"%s\"?)", nearest);
    fputc('\n', stderr);
    return CT_EXIT_FAILED;
}

static ct_exit run(ct_allocator *a, const ct_command_arguments *arguments) {
    const char *const markdown =
        ct_command_option_of(&ct_command_flow_nodes, arguments, "markdown");
    const bool prints_json =
        ct_command_option_of(&ct_command_flow_nodes, arguments, "json") != NULL;
    const char *const name = arguments->num_operands == 1 ? arguments->operands[0] : NULL;
    const ct_flow_node_type *const node = name ? ct_flow_find_node_type(name) : NULL;
    if (name && !node)
        return unknown(name);
    ct_string_builder text CT_CLEANUP(ct_string_builder_free);
    ct_string_builder_init(&text, a);
    ct_error error = {0};
    if (markdown) {
        ct_flow_reference_markdown(&text);
        if (!ct_file_write_output(markdown, ct_string_builder_text(&text), text.length, false,
                                  &error)) {
            fprintf(stderr, "cuttle flow-nodes: %s\n", error.message);
            return CT_EXIT_FAILED;
        }
        ct_string_builder_clear(&text);
    }
    if (prints_json) {
        ct_flow_reference_json(&text);
        ct_string_builder_add(&text, "\n");
    }
    if (node)
        ct_flow_reference_text(&text, node);
    fputs(ct_string_builder_text(&text), stdout);
    if (!markdown && !prints_json && !node)
        print_list();
    return CT_EXIT_OK;
}

const ct_command ct_command_flow_nodes = {
    .name = "flow-nodes",
    .operands = "[NODE]",
    .least_operands = 0,
    .most_operands = 1,
    .summary = "print or write the reference of Flow's nodes",
    .description =
        "Lists the nodes of Flow, or the slots of one node: their types, units and defaults, as\n"
        "the compiler checks them. --json prints all nodes, for tools.\n"
        "Example: cuttle flow-nodes numeric_addition",
    .options = options,
    .num_options = CT_COUNT_OF(options),
    .run = run,
};
