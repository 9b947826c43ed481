#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/project_compile.h"
#include "compiler/import/import.h"
#include "foundation/memory/temp_allocator.h"
#include "foundation/sjson/sjson_writer.h"
#include "project/project_lock.h"

static const ct_command_option options[] = {
    {"up", "AXIS", "the model's up axis: y, z or file (as the file says)"},
    {"scale", "NUMBER", "factor for all lengths of the model"},
    {"skeleton", "NAME", "import only clips, for this skeleton of the project; \"\": its own"},
    {"dry-run", NULL, "print what would be done, and write nothing"},
    {"json", NULL, "print one JSON object to standard output at the end"},
};

static void write_texts(ct_sjson_writer *w, const char *key, const ct_string_array *list) {
    ct_sjson_write_key(w, key);
    ct_sjson_begin_array(w);
    for (uint32_t i = 0; i < list->count; ++i)
        ct_sjson_write_string(w, list->items[i]);
    ct_sjson_end_array(w);
}

static void write_error(ct_sjson_writer *w, const ct_error *error) {
    ct_sjson_begin_object(w);
    ct_project_write_fault(w, error, NULL);
    ct_sjson_end_object(w);
}

static void print_json(ct_allocator *a, const ct_import_report *report) {
    ct_string_builder text;
    ct_sjson_writer w;
    ct_string_builder_init(&text, a);
    ct_sjson_writer_init(&w, &text, CT_SJSON_STYLE_JSON);
    ct_sjson_begin_object(&w);
    ct_sjson_write_key(&w, "files");
    ct_sjson_begin_array(&w);
    for (uint32_t i = 0; i < report->changes.count; ++i) {
        ct_sjson_begin_object(&w);
        ct_sjson_member_string(&w, "path", report->changes.items[i].path);
        ct_sjson_member_string(&w, "action",
                               ct_import_action_names[report->changes.items[i].action]);
        ct_sjson_end_object(&w);
    }
    ct_sjson_end_array(&w);
    write_texts(&w, "notes", &report->notes);
    write_texts(&w, "uses", &report->uses);
    write_texts(&w, "warnings", &report->warnings);
    ct_sjson_write_key(&w, "errors");
    ct_sjson_begin_array(&w);
    for (uint32_t i = 0; i < report->errors.count; ++i)
        write_error(&w, &report->errors.items[i]);
    ct_sjson_end_array(&w);
    ct_sjson_end_object(&w);
    puts(ct_string_builder_text(&text));
}

static void print_text(const ct_import_report *report, bool is_dry_run) {
    uint32_t counts[CT_IMPORT_ACTION_KEPT + 1] = {0};
    for (uint32_t i = 0; i < report->changes.count; ++i) {
        const ct_import_change *const change = &report->changes.items[i];
        ++counts[change->action];
        if (change->action != CT_IMPORT_ACTION_UNCHANGED)
            printf("%-9s %s\n", ct_import_action_names[change->action], change->path);
    }
    for (uint32_t i = 0; i < report->uses.count; ++i)
        printf("used      %s\n", report->uses.items[i]);
    for (uint32_t i = 0; i < report->notes.count; ++i)
        printf("kept      %s\n", report->notes.items[i]);
    printf("%screated %u, updated %u, removed %u, kept %u, unchanged %u\n",
           is_dry_run ? "nothing was written; an import would have " : "", counts[1], counts[2],
           counts[3], counts[4], counts[0]);
}

static void print_report(ct_allocator *a, const ct_import_report *report, bool is_json,
                         bool is_dry_run) {
    for (uint32_t i = 0; i < report->errors.count; ++i) {
        char text[CT_ERROR_MESSAGE_BYTES + CT_ERROR_FILE_BYTES + 64];
        ct_error_format(&report->errors.items[i], text, sizeof(text));
        fprintf(stderr, "%s\n", text);
    }
    for (uint32_t i = 0; i < report->warnings.count; ++i)
        fprintf(stderr, "warning: %s\n", report->warnings.items[i]);
    if (is_json)
        print_json(a, report);
    else if (report->errors.count == 0)
        print_text(report, is_dry_run);
}

// As ct_import_run, with the lock of the project where something is to be written.
static bool import_locked(ct_allocator *a, const ct_import_desc *desc, ct_import_report *report,
                          bool *is_done, ct_error *error) {
    char project[CT_PATH_BYTES], path[CT_PATH_BYTES];
    ct_project_lock lock = {0};
    const ct_project_lock_desc wait = {.path = path,
                                       .project = project,
                                       .changes_sources = true,
                                       .waiting = ct_project_tell_waiting};
    if (!ct_project_check(desc->project_folder, error) ||
        (!desc->is_dry_run && (!ct_os_absolute_path(desc->project_folder, project, error) ||
                               !ct_project_lock_path(project, path, error) ||
                               !ct_project_lock_take(&wait, &lock, error))))
        return false;
    *is_done = ct_import_run(a, desc, report);
    ct_project_lock_release(&lock);
    return true;
}

// As ct_import_run, for projects only.
static bool import(ct_allocator *a, const ct_import_desc *desc, ct_import_report *report) {
    ct_error error = {0};
    bool is_done = false;
    if (import_locked(a, desc, report, &is_done, &error))
        return is_done;
    *report = (ct_import_report){0};
    ct_array_init(&report->errors, a);
    ct_array_push(&report->errors, error);
    return false;
}

// False after saying what is wrong with the options.
static bool read_space(const ct_command_arguments *arguments, ct_import_space *space) {
    const char *const up = ct_command_option_of(&ct_command_import, arguments, "up");
    const char *const scale = ct_command_option_of(&ct_command_import, arguments, "scale");
    ct_error error = {0};
    bool is_good = !up || strcmp(up, "y") == 0 || strcmp(up, "z") == 0 || strcmp(up, "file") == 0 ||
                   ct_error_set(&error, "--up is \"%s\"; expected y, z or file", up);
    is_good = is_good && ct_command_number("scale", scale, CT_IMPORT_LEAST_SCALE,
                                           CT_IMPORT_MOST_SCALE, &space->scale, &error);
    if (!is_good)
        fprintf(stderr, "cuttle import: %s\n", error.message);
    space->up_axis = up;
    return is_good;
}

static ct_exit run(ct_allocator *a, const ct_command_arguments *arguments) {
    CT_TEMP_ALLOCATOR(scratch, a);
    ct_import_space space = {0};
    if (!read_space(arguments, &space))
        return CT_EXIT_USAGE;
    const char *const folder = arguments->operands[2];
    char clean[512];
    snprintf(clean, sizeof(clean), "%s", strcmp(folder, ".") == 0 ? "" : folder);
    for (size_t length = strlen(clean); length > 1 && clean[length - 1] == '/';)
        clean[--length] = 0;
    const ct_import_desc desc = {
        .project_folder = arguments->operands[1],
        .model = arguments->operands[0],
        .folder = clean,
        .space = space,
        .skeleton = ct_command_option_of(&ct_command_import, arguments, "skeleton"),
        .is_dry_run = ct_command_option_of(&ct_command_import, arguments, "dry-run") != NULL,
    };
    ct_import_report report;
    const bool is_done = import(scratch, &desc, &report);
    print_report(scratch, &report,
                 ct_command_option_of(&ct_command_import, arguments, "json") != NULL,
                 desc.is_dry_run);
    return is_done ? CT_EXIT_OK : CT_EXIT_FAILED;
}

const ct_command ct_command_import = {
    .name = "import",
    .operands = "FILE PROJECT DIR",
    .least_operands = 3,
    .most_operands = 3,
    .summary = "make sources from a model file",
    .description =
        "Copies a glTF, FBX, OBJ or BVH file, with the files that it needs, to the folder\n"
        "DIR of the project, unless it is in the project already. Writes a mesh for each of\n"
        "its nodes, its materials and textures, its skeleton and clips, and a unit that\n"
        "holds the nodes. Importing again updates these files from the model. What a person\n"
        "changed, added or removed stays, and is listed. --up, --scale and --skeleton also\n"
        "apply to later imports of the model, until they are given again.\n"
        "Example: cuttle import crate.glb mygame models",
    .options = options,
    .num_options = CT_COUNT_OF(options),
    .run = run,
};
