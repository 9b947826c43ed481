#include <stdio.h>

#include "cli/commands.h"
#include "cli/project_compile.h"
#include "cli/reference/flow_reference.h"
#include "foundation/error.h"
#include "foundation/memory/temp_allocator.h"
#include "foundation/os/file.h"
#include "foundation/os/os.h"
#include "resource/schema/schema.h"

static const ct_command_option options[] = {
    {"markdown", "FILE", "write the reference of the engine's nodes to FILE as Markdown"},
    {"json", NULL, "print the whole reference as one JSON object"},
    {"project", "FOLDER", "with the nodes that this project writes in Lua"},
};

enum { MOST_NAMES = 1024 };

static uint32_t collect_names(const ct_project_nodes *files, const char **names) {
    uint32_t num_tables, count = 0;
    const ct_flow_node_table *const tables = ct_flow_node_tables(&num_tables);
    for (uint32_t t = 0; t < num_tables; ++t)
        for (uint32_t i = 0; i < tables[t].num_nodes && count < MOST_NAMES; ++i)
            names[count++] = tables[t].nodes[i].name;
    for (uint32_t f = 0; f < files->count; ++f)
        for (uint32_t i = 0; i < files->items[f].nodes.count && count < MOST_NAMES; ++i)
            names[count++] = files->items[f].nodes.nodes[i].name;
    return count;
}

static void print_list(const ct_project_nodes *files) {
    uint32_t num_tables;
    const ct_flow_node_table *const tables = ct_flow_node_tables(&num_tables);
    for (uint32_t t = 0; t < num_tables; ++t)
        for (uint32_t i = 0; i < tables[t].num_nodes; ++i)
            printf("%-32s %s\n", tables[t].nodes[i].name, tables[t].nodes[i].doc);
    for (uint32_t f = 0; f < files->count; ++f) {
        const ct_flow_project_nodes *const nodes = &files->items[f].nodes;
        printf("\n%s.flow_nodes\n", files->items[f].name);
        for (uint32_t i = 0; i < nodes->count; ++i)
            printf("%-32s %s\n", nodes->nodes[i].name, nodes->nodes[i].doc);
    }
}

// Finds a node of the engine or of the project; NULL after printing what may be meant.
static const ct_flow_node_type *find(const ct_project_nodes *files, const char *name) {
    const ct_flow_node_type *node = ct_flow_find_node_type(name);
    for (uint32_t f = 0; f < files->count && !node; ++f)
        node = ct_flow_find_project_node(&files->items[f].nodes, name);
    if (node)
        return node;
    const char *names[MOST_NAMES];
    const char *const nearest = ct_nearest_name(name, names, collect_names(files, names));
    fprintf(stderr, "cuttle flow-nodes: unknown node \"%s\"", name);
    if (nearest)
        fprintf(stderr, " (did you mean \"%s\"?)", nearest);
    fputc('\n', stderr);
    return NULL;
}

static bool write_markdown(ct_allocator *a, const char *file, ct_error *error) {
    ct_string_builder text CT_CLEANUP(ct_string_builder_free);
    ct_string_builder_init(&text, a);
    ct_flow_reference_markdown(&text);
    return ct_file_write_output(file, ct_string_builder_text(&text), text.length, false, error);
}

static bool read_project(ct_allocator *a, ct_allocator *heap, const char *project,
                         ct_project_nodes *files, ct_error *error) {
    char folder[CT_PATH_BYTES];
    return !project ||
           (ct_project_check(project, error) && ct_os_absolute_path(project, folder, error) &&
            ct_project_nodes_read_all(a, heap, folder, files, error));
}

static ct_exit failed(const ct_error *error) {
    char text[CT_ERROR_MESSAGE_BYTES + CT_ERROR_FILE_BYTES + 64];
    ct_error_format(error, text, sizeof(text));
    fprintf(stderr, "%s%s\n",
            error->file[0] ? "" : "cuttle flow-nodes: ", error->file[0] ? text : error->message);
    return CT_EXIT_FAILED;
}

static const char *option(const ct_command_arguments *arguments, const char *name) {
    return ct_command_option_of(&ct_command_flow_nodes, arguments, name);
}

static ct_exit run(ct_allocator *a, const ct_command_arguments *arguments) {
    CT_TEMP_ALLOCATOR(scratch, a);
    const char *const markdown = option(arguments, "markdown");
    const bool prints_json = option(arguments, "json") != NULL;
    const char *const name = arguments->num_operands == 1 ? arguments->operands[0] : NULL;
    ct_project_nodes files;
    ct_error error = {0};
    ct_array_init(&files, scratch);
    if (!read_project(scratch, a, option(arguments, "project"), &files, &error))
        return failed(&error);
    const ct_flow_node_type *const node = name ? find(&files, name) : NULL;
    if (name && !node)
        return CT_EXIT_FAILED;
    if (markdown && !write_markdown(a, markdown, &error))
        return failed(&error);
    ct_string_builder text;
    ct_string_builder_init(&text, scratch);
    if (prints_json) {
        ct_flow_reference_json(&text, &files);
        ct_string_builder_add(&text, "\n");
    }
    if (node)
        ct_flow_reference_text(&text, node);
    fputs(ct_string_builder_text(&text), stdout);
    if (!markdown && !prints_json && !node)
        print_list(&files);
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
        "the compiler checks them. --project adds the nodes that a project writes in Lua. --json\n"
        "prints all nodes, for tools.\n"
        "Example: cuttle flow-nodes numeric_addition",
    .options = options,
    .num_options = CT_COUNT_OF(options),
    .run = run,
};
