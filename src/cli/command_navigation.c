#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/compiled_resource.h"
#include "cli/navigation/navigation_report.h"
#include "foundation/error.h"
#include "foundation/memory/temp_allocator.h"

static const ct_command_option options[] = {
    {"platform", "P", "read the data for this platform: linux, windows or be64 (linux)"},
    {"source-platform", "P", "read the variants of resources for this platform (as --platform)"},
    {"data-dir", "D", "folder of the compiled data (PROJECT/.cuttle/data/<platform>)"},
    {"json", NULL, "print one JSON object to standard output"},
};

static const char *option(const ct_command_arguments *arguments, const char *name) {
    return ct_command_option_of(&ct_command_navigation, arguments, name);
}

// The name of the resource, which may also be given as its file's.
static void name_of(const char *operand, char name[CT_PATH_BYTES]) {
    static const char extension[] = ".navigation";
    const size_t length = strlen(operand), tail = sizeof(extension) - 1;
    const bool is_file = length > tail && strcmp(operand + length - tail, extension) == 0;
    snprintf(name, CT_PATH_BYTES, "%.*s", (int)(is_file ? length - tail : length), operand);
}

static bool report(ct_allocator *scratch, const ct_resource_store *store, const char *operand,
                   bool json, ct_error *error) {
    char name[CT_PATH_BYTES];
    name_of(operand, name);
    const ct_catalog *const catalog = ct_resource_store_read_catalog(store, scratch, error);
    const ct_navigation_resource *const resource =
        catalog ? ct_compiled_read(store, catalog, scratch, ct_resource_id_of("navigation", name),
                                   name, error)
                : NULL;
    if (!resource)
        return false;
    static ct_navigation_report r;
    ct_navigation_report_make(&r, scratch, resource);
    if (json)
        ct_navigation_report_print_json(&r, scratch);
    else
        ct_navigation_report_print(&r);
    return true;
}

static ct_exit run(ct_allocator *a, const ct_command_arguments *arguments) {
    CT_TEMP_ALLOCATOR(scratch, a);
    ct_error error = {0};
    char folder[CT_PATH_BYTES];
    const bool json = option(arguments, "json") != NULL;
    if (strcmp(arguments->operands[0], "info") != 0) {
        fprintf(stderr, "cuttle navigation: found \"%.100s\"; expected info\n",
                arguments->operands[0]);
        return CT_EXIT_USAGE;
    }
    bool is_done = false;
    const ct_compiled_place place = {arguments->operands[1], option(arguments, "platform"),
                                     option(arguments, "source-platform"),
                                     option(arguments, "data-dir")};
    const bool has_folder = ct_compiled_folder(&place, folder, &error);
    if (has_folder) {
        ct_resource_store *const store = ct_resource_store_open_folder(scratch, folder);
        is_done = report(scratch, store, arguments->operands[2], json, &error);
        ct_resource_store_close(store);
    }
    return is_done ? CT_EXIT_OK
                   : ct_compiled_failed(scratch, "navigation", has_folder, json, &error);
}

const ct_command ct_command_navigation = {
    .name = "navigation",
    .operands = "info PROJECT NAME",
    .least_operands = 3,
    .most_operands = 3,
    .summary = "print what agents can walk on",
    .description =
        "Reads the navigation that was compiled last. Prints for each class of agents how many\n"
        "tiles and polygons its mesh has and how many bytes they take, the square metres of each\n"
        "area, the islands between which there are no paths, and links, with a warning for each\n"
        "that touches no ground at an end.\n"
        "Example: cuttle navigation info mygame levels/town",
    .options = options,
    .num_options = CT_COUNT_OF(options),
    .run = run,
};
