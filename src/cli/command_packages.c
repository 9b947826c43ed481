#include <inttypes.h>
#include <stdio.h>

#include "cli/commands.h"
#include "cli/package_overlap.h"
#include "cli/project_compile.h"
#include "foundation/sjson_writer.h"
#include "foundation/temp_allocator.h"
#include "resource/platform.h"
#include "resource/resource_types.h"

enum { MOST_PAIRS = 20, MOST_UNREACHED = 20 }; // that people are told

static const ct_command_option options[] = {
    {"platform", "P", "the data for this platform: linux, windows or be64 (linux)"},
    {"source-platform", "P", "the variants of resources for this platform (as --platform)"},
    {"data-dir", "D", "where the data lies (PROJECT/.cuttle/data/<platform>)"},
    {"json", NULL, "one JSON object on standard output"},
};

static const char *option(const ct_command_arguments *arguments, const char *name) {
    return ct_command_option_of(&ct_command_packages, arguments, name);
}

static const char *type_of(const ct_package_overlap *o, uint32_t entry) {
    return ct_resource_type_of(ct_catalog_entries(o->catalog)[entry].id.type)->name;
}

// --- For people ----------------------------------------------------------------------------------

static void print_bytes(uint64_t bytes) {
    if (bytes < 10240)
        printf("%" PRIu64 " bytes", bytes);
    else if (bytes < 10240 * 1024)
        printf("%.0f KiB", (double)bytes / 1024);
    else
        printf("%.0f MiB", (double)bytes / (1024 * 1024));
}

static void print_package(const ct_package_reach *p) {
    printf("%s: %u resource%s, ", p->name, p->num_resources, p->num_resources == 1 ? "" : "s");
    print_bytes(p->data_bytes + p->stream_bytes);
    if (p->stream_bytes > 0) {
        printf(", of these ");
        print_bytes(p->stream_bytes);
        printf(" in streams");
    }
    printf("\n");
}

static void print_pair(const ct_package_overlap *o, const ct_package_pair *p) {
    printf("  %s and %s: %u resource%s, ", o->packages.items[p->first].name,
           o->packages.items[p->second].name, p->num_resources, p->num_resources == 1 ? "" : "s");
    print_bytes(p->bytes);
    printf("\n");
}

static void print_report(const ct_package_overlap *o) {
    for (uint32_t i = 0; i < o->packages.count; i++)
        print_package(&o->packages.items[i]);
    if (o->pairs.count > 0)
        printf("in packages that do not depend on each other:\n");
    for (uint32_t i = 0; i < o->pairs.count && i < MOST_PAIRS; i++)
        print_pair(o, &o->pairs.items[i]);
    if (o->pairs.count > MOST_PAIRS)
        printf("  and %u more pairs\n", o->pairs.count - MOST_PAIRS);
    if (o->unreached.count > 0)
        printf("in no package:\n");
    for (uint32_t i = 0; i < o->unreached.count && i < MOST_UNREACHED; i++)
        printf("  %s.%s\n", ct_catalog_name(o->catalog, o->unreached.items[i]),
               type_of(o, o->unreached.items[i]));
    if (o->unreached.count > MOST_UNREACHED)
        printf("  and %u more\n", o->unreached.count - MOST_UNREACHED);
}

// --- For tools -----------------------------------------------------------------------------------

static void write_packages(ct_sjson_writer *w, const ct_package_overlap *o) {
    ct_sjson_write_key(w, "packages");
    ct_sjson_begin_array(w);
    for (uint32_t i = 0; i < o->packages.count; i++) {
        const ct_package_reach *const p = &o->packages.items[i];
        ct_sjson_begin_object(w);
        ct_sjson_member_string(w, "name", p->name);
        ct_sjson_member_number(w, "resources", p->num_resources);
        ct_sjson_member_number(w, "data_bytes", (double)p->data_bytes);
        ct_sjson_member_number(w, "stream_bytes", (double)p->stream_bytes);
        ct_sjson_end_object(w);
    }
    ct_sjson_end_array(w);
}

static void write_pairs(ct_sjson_writer *w, const ct_package_overlap *o) {
    ct_sjson_write_key(w, "overlap");
    ct_sjson_begin_array(w);
    for (uint32_t i = 0; i < o->pairs.count; i++) {
        const ct_package_pair *const p = &o->pairs.items[i];
        ct_sjson_begin_object(w);
        ct_sjson_member_string(w, "first", o->packages.items[p->first].name);
        ct_sjson_member_string(w, "second", o->packages.items[p->second].name);
        ct_sjson_member_number(w, "resources", p->num_resources);
        ct_sjson_member_number(w, "bytes", (double)p->bytes);
        ct_sjson_end_object(w);
    }
    ct_sjson_end_array(w);
}

static void write_unreached(ct_sjson_writer *w, const ct_package_overlap *o) {
    ct_sjson_write_key(w, "in_no_package");
    ct_sjson_begin_array(w);
    for (uint32_t i = 0; i < o->unreached.count; i++) {
        const uint32_t entry = o->unreached.items[i];
        ct_sjson_begin_object(w);
        ct_sjson_member_string(w, "type", type_of(o, entry));
        ct_sjson_member_string(w, "name", ct_catalog_name(o->catalog, entry));
        ct_sjson_member_number(w, "bytes", (double)ct_package_overlap_bytes(o->catalog, entry));
        ct_sjson_end_object(w);
    }
    ct_sjson_end_array(w);
}

static void print_json(ct_allocator *a, const ct_package_overlap *o) {
    ct_string_builder text;
    ct_sjson_writer w;
    ct_string_builder_init(&text, a);
    ct_sjson_writer_init(&w, &text, CT_SJSON_STYLE_JSON);
    ct_sjson_begin_object(&w);
    write_packages(&w, o);
    write_pairs(&w, o);
    write_unreached(&w, o);
    ct_sjson_end_object(&w);
    puts(ct_string_builder_text(&text));
}

// --- The command ---------------------------------------------------------------------------------

static bool find_folder(const ct_command_arguments *arguments, char folder[CT_PATH_BYTES],
                        ct_error *error) {
    const char *const data = option(arguments, "data-dir");
    const char *const platform = option(arguments, "platform");
    if (platform != NULL && ct_platform_named(platform) == NULL)
        return ct_error_set(error, "there is no platform \"%.100s\"", platform);
    if (data != NULL)
        return ct_path_try_join(folder, "", data) ||
               ct_error_set(error, "the path of the data folder is too long");
    return ct_compiler_default_folder(arguments->operands[0], platform,
                                      option(arguments, "source-platform"), folder, error);
}

static ct_exit run(ct_allocator *a, const ct_command_arguments *arguments) {
    CT_TEMP_ALLOCATOR(scratch, a);
    ct_package_overlap overlap;
    ct_error error = {0};
    char folder[CT_PATH_BYTES];
    const bool has_folder =
        ct_project_check(arguments->operands[0], &error) && find_folder(arguments, folder, &error);
    if (!has_folder || !ct_package_overlap_find(&overlap, scratch, folder, &error)) {
        fprintf(stderr, "cuttle packages: %s\n", error.message);
        if (has_folder)
            fprintf(stderr, "`cuttle compile` makes the data that this command reads\n");
        return CT_EXIT_FAILED;
    }
    if (option(arguments, "json") != NULL)
        print_json(scratch, &overlap);
    else
        print_report(&overlap);
    return CT_EXIT_OK;
}

const ct_command ct_command_packages = {
    .name = "packages",
    .operands = "PROJECT",
    .least_operands = 1,
    .most_operands = 1,
    .summary = "tell what each package holds, and what several of them do",
    .description =
        "Reads the data that was compiled last and tells of each package how many resources it\n"
        "reaches and how large they are, in all variants; which packages that do not depend on\n"
        "each other hold the same, most bytes first; and what is in no package. What core's own\n"
        "package holds is always loaded, and counts as shared by nobody.",
    .options = options,
    .num_options = CT_COUNT_OF(options),
    .run = run,
};
