#include <stdio.h>

#include "cli/commands.h"
#include "cli/project_compile.h"
#include "cli/size_text.h"
#include "compiler/bundle/package_graph.h"
#include "foundation/error.h"
#include "foundation/memory/temp_allocator.h"
#include "foundation/sjson/sjson_writer.h"
#include "project/project_setting.h"
#include "resource/blob/platform.h"
#include "resource/types/resource_types.h"

enum { MOST_PAIRS = 20, MOST_UNREACHED = 20 }; // printed

static const ct_command_option options[] = {
    {"platform", "P", "report the data for this platform: linux, windows or be64 (linux)"},
    {"source-platform", "P", "report the variants of resources for this platform (as --platform)"},
    {"data-dir", "D", "folder of the compiled data (PROJECT/.cuttle/data/<platform>)"},
    {"json", NULL, "print one JSON object to standard output"},
};

static const char *option(const ct_command_arguments *arguments, const char *name) {
    return ct_command_option_of(&ct_command_packages, arguments, name);
}

// The report. All memory is from one temp allocator.
typedef struct package_report {
    ct_package_graph graph;
    ct_package_overlap_array overlaps;
    ct_u32_array unreached; // entries of the catalog
} package_report;

static const char *type_of(const package_report *r, uint32_t entry) {
    return ct_resource_type_of(ct_catalog_entries(r->graph.catalog)[entry].id.type)->name;
}

static const char *package_name(const package_report *r, uint32_t package) {
    return r->graph.packages.items[package].name;
}

// --- For people ----------------------------------------------------------------------------------

static void print_package(const package_report *r, const ct_package_node *p) {
    const ct_package_size size = ct_package_graph_size(&r->graph, &p->reached);
    printf("%s: %u resource%s, %s", p->name, size.num_resources, size.num_resources == 1 ? "" : "s",
           ct_size_text_of(size.data_bytes + size.stream_bytes).text);
    if (size.stream_bytes > 0)
        printf(", of these %s in streams", ct_size_text_of(size.stream_bytes).text);
    printf("\n");
}

static void print_pair(const package_report *r, const ct_package_overlap *o) {
    printf("  %s, %s: %u resource%s, %s\n", package_name(r, o->packages[0]),
           package_name(r, o->packages[1]), o->num_resources, o->num_resources == 1 ? "" : "s",
           ct_size_text_of(o->size_bytes).text);
}

static void print_report(const package_report *r) {
    for (uint32_t i = 0; i < r->graph.packages.count; ++i)
        print_package(r, &r->graph.packages.items[i]);
    if (r->overlaps.count > 0)
        printf("in packages that do not depend on each other:\n");
    for (uint32_t i = 0; i < r->overlaps.count && i < MOST_PAIRS; ++i)
        print_pair(r, &r->overlaps.items[i]);
    if (r->overlaps.count > MOST_PAIRS)
        printf("  and %u more pairs\n", r->overlaps.count - MOST_PAIRS);
    if (r->unreached.count > 0)
        printf("in no package:\n");
    for (uint32_t i = 0; i < r->unreached.count && i < MOST_UNREACHED; ++i)
        printf("  %s.%s\n", ct_catalog_name(r->graph.catalog, r->unreached.items[i]),
               type_of(r, r->unreached.items[i]));
    if (r->unreached.count > MOST_UNREACHED)
        printf("  and %u more\n", r->unreached.count - MOST_UNREACHED);
}

// --- For tools -----------------------------------------------------------------------------------

static void write_packages(ct_sjson_writer *w, const package_report *r) {
    ct_sjson_write_key(w, "packages");
    ct_sjson_begin_array(w);
    for (uint32_t i = 0; i < r->graph.packages.count; ++i) {
        const ct_package_node *const p = &r->graph.packages.items[i];
        const ct_package_size size = ct_package_graph_size(&r->graph, &p->reached);
        ct_sjson_begin_object(w);
        ct_sjson_member_string(w, "package", p->name);
        ct_sjson_member_number(w, "resources", size.num_resources);
        ct_sjson_member_number(w, "bytes", (double)(size.data_bytes + size.stream_bytes));
        ct_sjson_member_number(w, "stream_bytes", (double)size.stream_bytes);
        ct_sjson_end_object(w);
    }
    ct_sjson_end_array(w);
}

static void write_pairs(ct_sjson_writer *w, const package_report *r) {
    ct_sjson_write_key(w, "overlaps");
    ct_sjson_begin_array(w);
    for (uint32_t i = 0; i < r->overlaps.count; ++i) {
        const ct_package_overlap *const o = &r->overlaps.items[i];
        ct_sjson_begin_object(w);
        ct_sjson_write_key(w, "packages");
        ct_sjson_begin_array(w);
        ct_sjson_write_string(w, package_name(r, o->packages[0]));
        ct_sjson_write_string(w, package_name(r, o->packages[1]));
        ct_sjson_end_array(w);
        ct_sjson_member_number(w, "resources", o->num_resources);
        ct_sjson_member_number(w, "bytes", (double)o->size_bytes);
        ct_sjson_end_object(w);
    }
    ct_sjson_end_array(w);
}

static void write_unreached(ct_sjson_writer *w, const package_report *r) {
    ct_sjson_member_number(w, "left_out", r->unreached.count);
    ct_sjson_write_key(w, "left_out_resources");
    ct_sjson_begin_array(w);
    for (uint32_t i = 0; i < r->unreached.count; ++i) {
        const uint32_t entry = r->unreached.items[i];
        const ct_package_size size = ct_package_graph_entry_size(&r->graph, entry);
        ct_sjson_begin_object(w);
        ct_sjson_member_string(w, "type", type_of(r, entry));
        ct_sjson_member_string(w, "name", ct_catalog_name(r->graph.catalog, entry));
        ct_sjson_member_number(w, "bytes", (double)(size.data_bytes + size.stream_bytes));
        ct_sjson_end_object(w);
    }
    ct_sjson_end_array(w);
}

static void print_json(ct_allocator *a, const package_report *r) {
    ct_string_builder text;
    ct_sjson_writer w;
    ct_string_builder_init(&text, a);
    ct_sjson_writer_init(&w, &text, CT_SJSON_STYLE_JSON);
    ct_sjson_begin_object(&w);
    write_packages(&w, r);
    write_pairs(&w, r);
    write_unreached(&w, r);
    ct_sjson_write_key(&w, "errors"); // of a failure there are some
    ct_sjson_begin_array(&w);
    ct_sjson_end_array(&w);
    ct_sjson_end_object(&w);
    puts(ct_string_builder_text(&text));
}

// --- The command ---------------------------------------------------------------------------------

// The settings' platforms are not those of the data when they cannot be read: then any word is
// right, and the data that it names is there or is not.
static bool check_source_platform(ct_allocator *scratch, const char *project, const char *word,
                                  ct_error *error) {
    char path[CT_PATH_BYTES];
    uint32_t count = 0;
    const ct_platform *const platforms = ct_platforms(&count);
    ct_sjson *const settings = ct_path_try_join(path, project, CT_SETTINGS_SOURCE)
                                   ? ct_sjson_read(scratch, path, CT_SETTINGS_SOURCE, NULL)
                                   : NULL;
    if (!word || !settings)
        return true;
    const ct_sjson_value list = ct_setting_find(settings, "platforms");
    const bool is_list = list.entry && ct_sjson_type_of(settings, list) == CT_SJSON_TYPE_ARRAY;
    CT_ARRAY(const char *) known;
    ct_array_init(&known, scratch);
    for (uint32_t i = 0; i < count; ++i)
        ct_array_push(&known, platforms[i].name);
    ct_sjson_value v = is_list ? ct_sjson_first(settings, list) : (ct_sjson_value){0};
    for (; v.entry; v = ct_sjson_next(settings, v)) {
        const char *const text = ct_sjson_string(settings, v, "");
        if (text[0] != '\0' && !ct_platform_named(text))
            ct_array_push(&known, text);
    }
    return ct_setting_check_source_platform(word, known.items, known.count, error);
}

static bool find_folder(ct_allocator *scratch, const ct_command_arguments *arguments,
                        char folder[CT_PATH_BYTES], ct_error *error) {
    const char *const data = option(arguments, "data-dir");
    const char *const platform = option(arguments, "platform");
    const char *const source_platform = option(arguments, "source-platform");
    if (platform && !ct_platform_named(platform))
        return ct_error_set(error,
                            "unknown platform \"%.100s\"; expected \"linux\", \"windows\" "
                            "or \"be64\"",
                            platform);
    if (!check_source_platform(scratch, arguments->operands[0], source_platform, error))
        return false;
    if (data)
        return ct_path_try_join(folder, "", data) ||
               ct_error_set(error, "the path of the data folder is too long");
    return ct_compiler_default_folder(arguments->operands[0], platform, source_platform, folder,
                                      error);
}

static bool read_packages(package_report *r, ct_allocator *scratch, const ct_resource_store *store,
                          ct_error *error) {
    const ct_catalog *const catalog = ct_resource_store_read_catalog(store, scratch, error);
    if (!catalog || !ct_package_graph_make(&r->graph, scratch, store, catalog, error))
        return false;
    ct_array_init(&r->overlaps, scratch);
    ct_array_init(&r->unreached, scratch);
    ct_package_graph_overlaps(&r->graph, &r->overlaps);
    ct_package_graph_unreached(&r->graph, &r->unreached);
    return true;
}

static bool report(ct_allocator *scratch, const char *folder, bool json, ct_error *error) {
    ct_resource_store *const store = ct_resource_store_open_folder(scratch, folder);
    package_report r;
    const bool result = read_packages(&r, scratch, store, error);
    if (result && json)
        print_json(scratch, &r);
    else if (result)
        print_report(&r);
    ct_resource_store_close(store);
    return result;
}

static void print_error(const ct_error *error) {
    char text[CT_ERROR_MESSAGE_BYTES + CT_ERROR_FILE_BYTES + 64];
    ct_error_format(error, text, sizeof(text));
    fprintf(stderr, "cuttle packages: %s\n", error->file[0] != '\0' ? text : error->message);
}

static ct_exit run(ct_allocator *a, const ct_command_arguments *arguments) {
    CT_TEMP_ALLOCATOR(scratch, a);
    ct_error error = {0};
    char folder[CT_PATH_BYTES];
    const bool json = option(arguments, "json") != NULL;
    const bool has_folder = ct_project_check(arguments->operands[0], &error) &&
                            find_folder(scratch, arguments, folder, &error);
    if (has_folder && report(scratch, folder, json, &error))
        return CT_EXIT_OK;
    print_error(&error);
    if (has_folder)
        fprintf(stderr, "run `cuttle compile` first: it makes the data that this command reads\n");
    if (json)
        ct_project_print_failure_json(scratch, &error);
    return CT_EXIT_FAILED;
}

const ct_command ct_command_packages = {
    .name = "packages",
    .operands = "PROJECT",
    .least_operands = 1,
    .most_operands = 1,
    .summary = "print the sizes of packages, and what they have in common",
    .description =
        "Reads the data that was compiled last. Prints for each package how many resources it\n"
        "reaches and their size, in all variants. Then lists packages that hold the same\n"
        "resources without depending on each other, most bytes first: a bundle has these\n"
        "resources twice. Then lists resources that are in no package and not loaded by the\n"
        "settings either. The contents of core's package and the boot package are always loaded,\n"
        "and do not count as shared.\n"
        "Example: cuttle packages mygame",
    .options = options,
    .num_options = CT_COUNT_OF(options),
    .run = run,
};
