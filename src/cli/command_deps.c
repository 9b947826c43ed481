#include <stdio.h>

#include "cli/commands.h"
#include "cli/core_folder.h"
#include "cli/deps/deps_fix_moved.h"
#include "cli/deps/deps_report.h"
#include "cli/deps/deps_tree.h"
#include "cli/project_compile.h"
#include "foundation/error.h"
#include "foundation/memory/temp_allocator.h"
#include "foundation/os/os.h"
#include "project/project_setting.h"

static const ct_command_option options[] = {
    {"missing", NULL, "list missing references; exit with 1 when there are any"},
    {"dangling", NULL, "list resources that nothing uses, and media that no source names"},
    {"of", "RES", "list what RES refers to"},
    {"to", "RES", "list what refers to RES"},
    {"tree", NULL, "with --of or --to, else from the settings: references at every depth"},
    {"dot", NULL, "the same as a graph for Graphviz; without --of and --to: everything"},
    {"fix-moved", NULL,
     "find files renamed without cuttle, and show the patch for their references"},
    {"apply", NULL, "with --fix-moved: make these changes"},
    {"json", NULL, "print one JSON object to standard output"},
};

static const char *option(const ct_command_arguments *arguments, const char *name) {
    return ct_command_option_of(&ct_command_deps, arguments, name);
}

static bool check_options(const ct_command_arguments *arguments, ct_error *error) {
    const bool has_of = option(arguments, "of"), has_to = option(arguments, "to");
    const bool has_tree = option(arguments, "tree"), has_dot = option(arguments, "dot");
    const bool has_list = option(arguments, "missing") || option(arguments, "dangling");
    const bool has_fix = option(arguments, "fix-moved");
    if (has_fix && (has_of || has_to || has_tree || has_dot || has_list))
        return ct_error_set(error, "--fix-moved can be combined only with --apply and --json");
    if (option(arguments, "apply") && !has_fix)
        return ct_error_set(error, "--apply needs --fix-moved");
    if (has_of && has_to)
        return ct_error_set(error, "--of and --to cannot be combined");
    if (has_tree && has_dot)
        return ct_error_set(error, "--tree and --dot cannot be combined");
    if ((has_tree || has_dot) && (has_list || option(arguments, "json")))
        return ct_error_set(error, "--%s can be combined only with --of or --to",
                            has_tree ? "tree" : "dot");
    return true;
}

// Finds the nodes that --of or --to names. False with `error`.
static bool select_nodes(ct_deps_report *r, const char *text, ct_error *error) {
    if (ct_reference_graph_select(r->graph, text, &r->nodes) > 0)
        return true;
    const char *const meant = ct_reference_graph_nearest(r->graph, text);
    return ct_error_set(error,
                        "unknown resource (name.type), media file or folder \"%.400s\"%s%s%s", text,
                        meant ? "; did you mean \"" : "", meant ? meant : "", meant ? "\"?" : "");
}

// --tree starts at the settings, --dot with all, unless something was named.
static void select_default(ct_deps_report *r, bool all) {
    ct_error ignored;
    if (!all)
        select_nodes(r, CT_SETTINGS_SOURCE, &ignored);
    for (uint32_t i = r->graph->nodes.count; all && i-- > 0;) {
        if (!r->graph->nodes.items[i].is_core)
            ct_array_push(&r->nodes, i);
    }
}

static ct_exit tell(ct_allocator *scratch, const ct_command_arguments *arguments, ct_deps_report *r,
                    ct_error *error) {
    const char *const of = option(arguments, "of"), *const to = option(arguments, "to");
    const bool has_tree = option(arguments, "tree"), has_dot = option(arguments, "dot");
    r->tells_missing = option(arguments, "missing") != NULL;
    r->tells_dangling = option(arguments, "dangling") != NULL;
    r->is_backwards = to != NULL;
    ct_deps_print_problems(r);
    if ((of || to) && !select_nodes(r, of ? of : to, error))
        return CT_EXIT_FAILED;
    if ((has_tree || has_dot) && !of && !to)
        select_default(r, has_dot);
    if (has_tree)
        ct_deps_tree_print(scratch, r->graph, r->nodes.items, r->nodes.count, r->is_backwards);
    else if (has_dot)
        ct_deps_dot_print(scratch, r->graph, r->nodes.items, r->nodes.count, r->is_backwards);
    else if (option(arguments, "json"))
        ct_deps_print_json(scratch, r);
    else
        ct_deps_print(r);
    return r->tells_missing && r->graph->missing.count > 0 ? CT_EXIT_FAILED : CT_EXIT_OK;
}

static const ct_reference_index *read_index(ct_allocator *a, const char *project,
                                            char folders[2][CT_PATH_BYTES], ct_error *error) {
    if (!ct_project_check(project, error) || !ct_core_folder(folders[1], error) ||
        !ct_os_absolute_path(project, folders[0], error))
        return NULL;
    return ct_reference_index_update(&(ct_reference_index_desc){.allocator = a,
                                                                .project = folders[0],
                                                                .core = folders[1],
                                                                .waiting = ct_project_tell_waiting},
                                     error);
}

static ct_exit run(ct_allocator *a, const ct_command_arguments *arguments) {
    CT_TEMP_ALLOCATOR(scratch, a);
    const char *const project = arguments->operands[0];
    char folders[2][CT_PATH_BYTES];
    ct_error error = {0};
    if (!check_options(arguments, &error)) {
        fprintf(stderr, "cuttle deps: %s\n", error.message);
        return CT_EXIT_USAGE;
    }
    if (option(arguments, "fix-moved"))
        return ct_deps_fix_moved_run(
            a, &(ct_deps_fix_moved){.project = project,
                                    .applies = option(arguments, "apply") != NULL,
                                    .is_json = option(arguments, "json") != NULL});
    const ct_reference_index *const index = read_index(a, project, folders, &error);
    ct_exit result = CT_EXIT_FAILED;
    if (index) {
        ct_reference_graph graph;
        ct_deps_report report = {.project = project, .graph = &graph};
        ct_array_init(&report.nodes, scratch);
        ct_reference_graph_make(&graph, scratch, index, (ct_source_roots){folders[0], folders[1]});
        if (!option(arguments, "missing") || option(arguments, "dangling"))
            ct_reference_reach_find(&report.reach, scratch, &graph);
        result = tell(scratch, arguments, &report, &error);
    }
    ct_free(a, (void *)(uintptr_t)index);
    if (error.message[0] != '\0') {
        fprintf(stderr, "cuttle deps: %s\n", error.message);
        if (option(arguments, "json"))
            ct_project_print_failure_json(scratch, &error);
    }
    return result;
}

const ct_command ct_command_deps = {
    .name = "deps",
    .operands = "PROJECT",
    .least_operands = 1,
    .most_operands = 1,
    .summary = "list references, missing references and unused resources",
    .description =
        "Finds every reference in the sources of a project: in units, levels, materials and all\n"
        "other types, in packages and settings, in shaders, and in scripts where a literal is an\n"
        "argument that names a resource (`World.spawn_unit(world, \"units/box\")`, `require`).\n"
        "Other texts in scripts and configs that equal a resource's name are listed separately,\n"
        "as likely references. Results are cached in PROJECT/.cuttle/cache; only changed files\n"
        "are read again.\n"
        "RES is a resource as name.type (textures/rose.texture), the path of a media file, or a\n"
        "folder and everything below it. Without options, prints a summary.\n"
        "--fix-moved recognises files and folders that were renamed without `cuttle mv`, and\n"
        "swapped names, by their content. It uses git and what earlier runs saw. It lists what\n"
        "it found and shows the patch; --apply makes the changes. It exits with 1 when something\n"
        "stays missing. See docs/repairing_renames.md.\n"
        "Example: cuttle deps mygame --to textures/rose.texture",
    .options = options,
    .num_options = CT_COUNT_OF(options),
    .run = run,
};
