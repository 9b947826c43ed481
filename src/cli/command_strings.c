#include <stdio.h>

#include "cli/commands.h"
#include "cli/project_compile.h"
#include "cli/strings/strings_check.h"
#include "foundation/error.h"
#include "foundation/memory/temp_allocator.h"
#include "foundation/sjson/sjson_writer.h"

static const ct_command_option options[] = {
    {"json", NULL, "print one JSON object to standard output"},
};

// --- For people ----------------------------------------------------------------------------------

static void print_group(const ct_strings_check *check, const ct_strings_group *g) {
    const bool is_for_one = g->platform[0] != '\0';
    printf("%s%s%s: %u key%s in", g->name, is_for_one ? " for " : "", g->platform, g->num_keys,
           g->num_keys == 1 ? "" : "s");
    for (uint32_t i = 0; i < g->num_files; ++i) {
        const ct_strings_file *const file = &check->files.items[g->first_file + i];
        printf("%s %s", i > 0 ? "," : "", file->doc ? file->source.language.tag : "?");
        if (file->words[0] != '\0')
            printf(" (%s)", file->words);
    }
    printf("\n");
}

// `  path:line:column: "key" is missing; …`; the path as the user would write it.
static void print_finding(const ct_strings_check *check, const ct_strings_finding *f) {
    ct_error place = {0};
    ct_error_set_at(&place, f->file, f->line, f->column, "%s", "");
    ct_project_error_path(&place, check->project);
    printf("  %s", place.file);
    if (f->line > 0)
        printf(":%u:%u", f->line, f->column);
    if (f->key[0] != '\0')
        printf(": \"%s\" %s\n", f->key, f->message);
    else
        printf(": error: %s\n", f->message);
}

static void print_summary(const ct_strings_check *check) {
    static const struct {
        ct_strings_finding_kind kind;
        const char *name;
    } rows[] = {
        {CT_STRINGS_FINDING_BROKEN, "wrong in sources"}, {CT_STRINGS_FINDING_MISSING, "missing"},
        {CT_STRINGS_FINDING_DIFFERENT, "different"},     {CT_STRINGS_FINDING_UNKNOWN, "unknown"},
        {CT_STRINGS_FINDING_UNUSED, "unused"},
    };
    printf("%u resource%s, %u file%s:", check->num_resources, check->num_resources == 1 ? "" : "s",
           check->files.count, check->files.count == 1 ? "" : "s");
    for (uint32_t i = 0; i < CT_COUNT_OF(rows); ++i)
        printf("%s %u %s", i > 0 ? "," : "", check->counts[rows[i].kind], rows[i].name);
    printf("\n");
}

static void print_report(const ct_strings_check *check) {
    uint32_t next = 0;
    for (uint32_t i = 0; i < check->groups.count; ++i) {
        print_group(check, &check->groups.items[i]);
        while (next < check->findings.count && check->findings.items[next].group == i)
            print_finding(check, &check->findings.items[next++]);
    }
    if (next < check->findings.count)
        printf("looked up, but missing in all strings:\n");
    while (next < check->findings.count)
        print_finding(check, &check->findings.items[next++]);
    print_summary(check);
}

// --- For tools -----------------------------------------------------------------------------------

static void write_group(ct_sjson_writer *w, const ct_strings_check *check,
                        const ct_strings_group *g) {
    ct_sjson_begin_object(w);
    ct_sjson_member_string(w, "name", g->name);
    if (g->platform[0] != '\0')
        ct_sjson_member_string(w, "platform", g->platform);
    ct_sjson_member_number(w, "keys", g->num_keys);
    ct_sjson_write_key(w, "files");
    ct_sjson_begin_array(w);
    for (uint32_t i = 0; i < g->num_files; ++i) {
        const ct_strings_file *const file = &check->files.items[g->first_file + i];
        ct_sjson_begin_object(w);
        ct_sjson_member_string(w, "file", file->path);
        if (file->doc)
            ct_sjson_member_string(w, "language", file->source.language.tag);
        ct_sjson_member_number(w, "keys", file->source.texts.count);
        ct_sjson_end_object(w);
    }
    ct_sjson_end_array(w);
    ct_sjson_end_object(w);
}

static void write_finding(ct_sjson_writer *w, const ct_strings_check *check,
                          const ct_strings_finding *f) {
    ct_sjson_begin_object(w);
    if (f->group < check->groups.count)
        ct_sjson_member_string(w, "resource", check->groups.items[f->group].name);
    if (f->key[0] != '\0')
        ct_sjson_member_string(w, "key", f->key);
    ct_sjson_member_string(w, "file", f->file);
    ct_sjson_member_number(w, "line", f->line);
    ct_sjson_member_number(w, "column", f->column);
    ct_sjson_member_string(w, "message", f->message);
    ct_sjson_end_object(w);
}

static void print_json(ct_allocator *a, const ct_strings_check *check) {
    ct_string_builder text;
    ct_sjson_writer w;
    ct_string_builder_init(&text, a);
    ct_sjson_writer_init(&w, &text, CT_SJSON_STYLE_JSON);
    ct_sjson_begin_object(&w);
    ct_sjson_write_key(&w, "resources");
    ct_sjson_begin_array(&w);
    for (uint32_t i = 0; i < check->groups.count; ++i)
        write_group(&w, check, &check->groups.items[i]);
    ct_sjson_end_array(&w);
    for (uint32_t kind = 1; kind < CT_STRINGS_FINDING_COUNT; ++kind) {
        ct_sjson_write_key(&w, ct_strings_finding_name((ct_strings_finding_kind)kind));
        ct_sjson_begin_array(&w);
        for (uint32_t i = 0; i < check->findings.count; ++i) {
            if (check->findings.items[i].kind == (ct_strings_finding_kind)kind)
                write_finding(&w, check, &check->findings.items[i]);
        }
        ct_sjson_end_array(&w);
    }
    ct_sjson_write_key(&w, "errors"); // of a failure there are some
    ct_sjson_begin_array(&w);
    ct_sjson_end_array(&w);
    ct_sjson_end_object(&w);
    puts(ct_string_builder_text(&text));
    ct_string_builder_free(&text);
}

// --- The command ---------------------------------------------------------------------------------

static ct_exit run(ct_allocator *a, const ct_command_arguments *arguments) {
    CT_TEMP_ALLOCATOR(scratch, a);
    const char *const project = arguments->operands[0];
    ct_strings_check check = {0};
    ct_error error = {0};
    const bool json = ct_command_option_of(&ct_command_strings, arguments, "json") != NULL;
    if (!ct_project_check(project, &error) ||
        !ct_strings_check_run(&check, scratch, a, project, &error)) {
        fprintf(stderr, "cuttle strings: %s\n", error.message);
        if (json)
            ct_project_print_failure_json(a, &error);
        ct_strings_check_free(&check);
        return CT_EXIT_FAILED;
    }
    if (json)
        print_json(a, &check);
    else
        print_report(&check);
    const bool is_right = check.findings.count == check.counts[CT_STRINGS_FINDING_UNUSED];
    ct_strings_check_free(&check);
    return is_right ? CT_EXIT_OK : CT_EXIT_FAILED;
}

const ct_command ct_command_strings = {
    .name = "strings",
    .operands = "PROJECT",
    .least_operands = 1,
    .most_operands = 1,
    .summary = "list texts that are missing in a language, and texts that nothing uses",
    .description =
        "Reads a project's sources and lists, for each strings resource:\n"
        "- keys that one of its files (menu.strings, menu.fr.strings) has and another file for\n"
        "  the same platform does not have;\n"
        "- placeholders and plural forms that differ between files, and plural forms that a\n"
        "  language needs and a file does not have;\n"
        "- keys that scripts look up and no file has;\n"
        "- keys that no Lua or SJSON source mentions as a string (`\"menu.\" .. x` mentions all\n"
        "  keys with that start).\n"
        "Exits with 1 when it found any but the last kind. See docs/localisation.md.\n"
        "Example: cuttle strings mygame",
    .options = options,
    .num_options = CT_COUNT_OF(options),
    .run = run,
};
