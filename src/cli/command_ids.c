#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/project_compile.h"
#include "content/identity.h"
#include "foundation/error.h"
#include "foundation/memory/temp_allocator.h"
#include "foundation/os/file.h"
#include "foundation/os/os.h"
#include "project/project_lock.h"
#include "resource/types/resource_types.h"

static const ct_command_option options[] = {
    {"dry-run", NULL, "print what would be done, and write nothing"},
    {"json", NULL, "print one JSON object to standard output"},
};

static bool has_option(const ct_command_arguments *arguments, const char *name) {
    return ct_command_option_of(&ct_command_ids, arguments, name) != NULL;
}

// A place in a file and the message for it.
typedef struct note {
    const char *file, *path, *text;
    const char *id, *old_id; // NULL: there is none
    uint32_t line, column;
} note;

typedef struct job {
    ct_allocator *heap;
    ct_allocator *scratch; // for the report at the end
    bool is_dry_run, is_json;
    CT_ARRAY(note) repaired;
    CT_ARRAY(note) errors;
    uint32_t num_files; // that were changed
    ct_string_array paths;
} job;

// --- Printing ------------------------------------------------------------------------------------

static void take_error(job *j, const ct_error *error) {
    ct_array_push(&j->errors, (note){.file = ct_copy_string(j->scratch, error->file),
                                     .text = ct_copy_string(j->scratch, error->message),
                                     .line = error->line,
                                     .column = error->column});
    if (j->is_json)
        return;
    char text[CT_ERROR_MESSAGE_BYTES + CT_ERROR_FILE_BYTES + 64];
    ct_error_format(error, text, sizeof(text));
    fprintf(stderr, "%s%s\n",
            error->file[0] ? "" : "cuttle ids: ", error->file[0] ? text : error->message);
}

static void take_wrong(job *j, const ct_sjson *tape, const ct_identity_finding *found) {
    ct_error error = {0};
    ct_sjson_error(tape, found->id.entry ? found->id : found->element, &error, "%.200s %s",
                   found->path, ct_identity_fault_text(found->fault));
    take_error(j, &error);
}

static void take_repaired(job *j, const char *file, const ct_sjson *tape,
                          const ct_identity_finding *found) {
    char id[CT_GUID_TEXT_BYTES];
    ct_guid_format(found->new_id, id);
    const bool is_doubled = found->fault == CT_IDENTITY_FAULT_DOUBLED;
    note n = {.file = file,
              .path = ct_copy_string(j->scratch, found->path),
              .text = ct_identity_fault_text(found->fault),
              .id = ct_copy_string(j->scratch, id)};
    if (is_doubled)
        n.old_id = ct_copy_string(j->scratch, ct_sjson_string(tape, found->id, ""));
    ct_sjson_position(tape, found->element, &n.line, &n.column);
    ct_array_push(&j->repaired, n);
    if (j->is_json)
        return;
    printf("%s:%u:%u: %s %s", file, n.line, n.column, n.path, n.text);
    printf(j->is_dry_run ? "\n" : ": gets the id %s\n", id);
}

static void write_notes(ct_sjson_writer *w, const char *key, const note *notes, uint32_t count) {
    ct_sjson_write_key(w, key);
    ct_sjson_begin_array(w);
    for (uint32_t i = 0; i < count; ++i) {
        const note *const n = &notes[i];
        ct_sjson_begin_object(w);
        ct_sjson_member_string(w, "file", n->file);
        ct_sjson_member_number(w, "line", n->line);
        ct_sjson_member_number(w, "column", n->column);
        if (n->path)
            ct_sjson_member_string(w, "path", n->path);
        ct_sjson_member_string(w, "message", n->text);
        if (n->id)
            ct_sjson_member_string(w, "id", n->id);
        if (n->old_id)
            ct_sjson_member_string(w, "old_id", n->old_id);
        ct_sjson_end_object(w);
    }
    ct_sjson_end_array(w);
}

static void print_json(const job *j) {
    ct_string_builder text;
    ct_sjson_writer w;
    ct_string_builder_init(&text, j->heap);
    ct_sjson_writer_init(&w, &text, CT_SJSON_STYLE_JSON);
    ct_sjson_begin_object(&w);
    ct_sjson_member_number(&w, "files", j->num_files);
    write_notes(&w, "ids", j->repaired.items, j->repaired.count);
    write_notes(&w, "errors", j->errors.items, j->errors.count);
    ct_sjson_end_object(&w);
    puts(ct_string_builder_text(&text));
    ct_string_builder_free(&text);
}

static void print_summary(const job *j) {
    const uint32_t count = j->repaired.count;
    printf("%u id%s %s in %u file%s\n", count, count == 1 ? "" : "s",
           j->is_dry_run ? "to give" : "given", j->num_files, j->num_files == 1 ? "" : "s");
}

// --- One file ------------------------------------------------------------------------------------

static uint32_t count_new(const ct_identity_finding_array *findings) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < findings->count; ++i)
        count += !ct_guid_is_none(findings->items[i].new_id);
    return count;
}

// Writes the file with its new ids; behind a link, the file that it leads to.
static bool write_repaired(job *j, const char *path, const ct_identity_finding_array *findings,
                           const ct_sjson *tape, const char *text, uint64_t size_bytes,
                           ct_error *error) {
    if (!ct_os_file_is_writable(path))
        return ct_error_set_at(error, path, 0, 0, "is not writable, and stays as it is");
    ct_sjson_document *const doc =
        ct_sjson_document_parse(j->heap, text, size_bytes, path, NULL, error);
    ct_string_builder out;
    ct_string_builder_init(&out, j->heap);
    bool is_written = false;
    if (doc && ct_identity_repair(findings, j->heap, tape, doc, error) != UINT32_MAX) {
        ct_sjson_document_write(doc, &out);
        is_written = ct_file_replace(path, out.text, out.length, false, error);
    }
    ct_string_builder_free(&out);
    ct_sjson_document_free(doc);
    return is_written;
}

static void look_at_text(job *j, const char *path, const char *text, uint64_t size_bytes) {
    CT_TEMP_ALLOCATOR(scratch, j->heap);
    ct_error error = {0};
    ct_sjson *const tape = ct_sjson_parse(j->heap, text, size_bytes, path, NULL, &error);
    if (!tape) {
        take_error(j, &error);
        return;
    }
    ct_identity_finding_array findings;
    ct_array_init(&findings, scratch);
    ct_identity_find(&findings, scratch, tape, path);
    const bool has_new = count_new(&findings) > 0;
    const bool is_right = !has_new || j->is_dry_run ||
                          write_repaired(j, path, &findings, tape, text, size_bytes, &error);
    if (!is_right)
        take_error(j, &error);
    j->num_files += has_new && is_right;
    for (uint32_t i = 0; i < findings.count; ++i) {
        if (ct_guid_is_none(findings.items[i].new_id))
            take_wrong(j, tape, &findings.items[i]);
        else if (is_right)
            take_repaired(j, path, tape, &findings.items[i]);
    }
    ct_sjson_free(tape);
}

static void look_at_file(job *j, const char *path) {
    ct_error error = {0};
    uint64_t size_bytes;
    char *const text = ct_file_read(j->heap, path, &size_bytes, &error);
    if (text)
        look_at_text(j, path, text, size_bytes);
    else
        take_error(j, &error);
    ct_free(j->heap, text);
}

// --- Projects ------------------------------------------------------------------------------------

static bool has_ids(const char *path) {
    const ct_resource_type *const type = ct_resource_type_named(ct_path_extension(path));
    return type && ct_identity_is_in(type->schema);
}

static bool take_path(void *user, const ct_found_file *file) {
    job *const j = user;
    if (has_ids(file->path))
        ct_array_push(&j->paths, ct_copy_string(j->scratch, file->path));
    return true;
}

static bool look_at_project(job *j, const char *project, ct_error *error) {
    char path[CT_PATH_BYTES];
    j->paths.count = 0;
    if (!ct_folder_walk(project, take_path, j, error))
        return false;
    for (uint32_t i = 0; i < j->paths.count; ++i) {
        if (ct_path_try_join(path, project, j->paths.items[i]))
            look_at_file(j, ct_copy_string(j->scratch, path));
    }
    return true;
}

// The project that a file lies in, absolute; false when it lies in none.
static bool find_project(const char *file, char project[CT_PATH_BYTES]) {
    char path[CT_PATH_BYTES];
    if (!ct_os_absolute_path(file, project, NULL))
        return false;
    while (project[0] && strcmp(project, "/") != 0) {
        ct_path_folder(path, project);
        memcpy(project, path, sizeof(path));
        if (ct_project_check(project, NULL))
            return true;
    }
    return false;
}

static bool look_at_operand(job *j, const char *operand, bool is_project, ct_error *error) {
    if (is_project)
        return look_at_project(j, operand, error);
    if (ct_os_file_info(operand).kind != CT_FILE_KIND_NONE && !has_ids(operand))
        return ct_error_set_at(
            error, operand, 0, 0,
            "sources of this type have no elements with ids; expected a project, "
            "or files such as .unit and .level");
    look_at_file(j, operand);
    return true;
}

// With the lock of the project, where there is one and something may be written.
static bool look_locked(job *j, const char *operand, ct_error *error) {
    char project[CT_PATH_BYTES], path[CT_PATH_BYTES];
    ct_project_lock lock = {0};
    const ct_project_lock_desc wait = {.path = path,
                                       .project = project,
                                       .changes_sources = true,
                                       .waiting = ct_project_tell_waiting};
    const ct_file_kind kind = ct_os_file_info(operand).kind;
    const bool is_project = kind == CT_FILE_KIND_FOLDER;
    if (is_project && !ct_project_check(operand, error))
        return false;
    const bool has_project = is_project
                                 ? ct_os_absolute_path(operand, project, error)
                                 : kind == CT_FILE_KIND_FILE && find_project(operand, project);
    if (!has_project && is_project)
        return false;
    if (has_project && !j->is_dry_run &&
        (!ct_project_lock_path(project, path, error) || !ct_project_lock_take(&wait, &lock, error)))
        return false;
    const bool is_done = look_at_operand(j, operand, is_project, error);
    if (has_project && !j->is_dry_run)
        ct_project_lock_release(&lock);
    return is_done;
}

static ct_exit run(ct_allocator *a, const ct_command_arguments *arguments) {
    CT_TEMP_ALLOCATOR(scratch, a);
    job j = {.heap = a,
             .scratch = scratch,
             .is_dry_run = has_option(arguments, "dry-run"),
             .is_json = has_option(arguments, "json")};
    ct_array_init(&j.repaired, scratch);
    ct_array_init(&j.errors, scratch);
    ct_array_init(&j.paths, scratch);
    for (uint32_t i = 0; i < arguments->num_operands; ++i) {
        ct_error error = {0};
        if (!look_locked(&j, arguments->operands[i], &error))
            take_error(&j, &error);
    }
    if (j.is_json)
        print_json(&j);
    else
        print_summary(&j);
    return j.errors.count == 0 ? CT_EXIT_OK : CT_EXIT_FAILED;
}

const ct_command ct_command_ids = {
    .name = "ids",
    .operands = "PROJECT|FILE…",
    .least_operands = 1,
    .most_operands = CT_COMMAND_ANY_OPERANDS,
    .summary = "give ids to elements without one, and new ids to copies",
    .description =
        "Looks through the units and levels of a project, or through FILEs. Placed units,\n"
        "components, children and nodes without an `id` get one. When elements of one array have\n"
        "the same id, all but the first get new ids. Nothing else in a file changes. An id that\n"
        "is not a string, and an override without the id of what it changes, are errors: only\n"
        "you know what was meant. Files that are not writable are listed, and stay as they are.\n"
        "Example: cuttle ids mygame --dry-run",
    .options = options,
    .num_options = CT_COUNT_OF(options),
    .run = run,
};
