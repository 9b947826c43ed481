#include "cli/move_command.h"

#include <stdio.h>
#include <string.h>

#include "cli/core_folder.h"
#include "cli/project_compile.h"
#include "content/unified_diff.h"
#include "foundation/error.h"
#include "foundation/os.h"
#include "foundation/temp_allocator.h"
#include "project/project_lock.h"

enum { MOST_CHANGED = 20, LINE_BYTES = CT_ERROR_MESSAGE_BYTES + CT_ERROR_FILE_BYTES + 64 };

// What a command has come to.
typedef struct outcome {
    const ct_move_command *command;
    ct_move_plan *plan;
    ct_string_array report; // of the journal
    bool is_done;
} outcome;

// --- For people ----------------------------------------------------------------------------------

// What became of a file, in a word.
static const char *action_of(const ct_journal_change *c) {
    if (!c->from)
        return "made";
    if (!c->to)
        return "removed";
    return strcmp(c->from, c->to) == 0 ? "changed" : "renamed";
}

static void print_changes(const ct_move_plan *plan) {
    uint32_t num_changed = 0, num_files = 0, num_references = 0;
    for (uint32_t i = 0; i < plan->journal.changes.count; ++i) {
        const ct_journal_change *const c = &plan->journal.changes.items[i];
        const bool is_changed = c->from && c->to && strcmp(c->from, c->to) == 0;
        num_references += plan->texts.items[i].num_references;
        num_files += plan->texts.items[i].num_references > 0;
        if (is_changed && num_changed++ >= MOST_CHANGED)
            continue;
        const bool is_renamed = c->from && c->to && !is_changed;
        printf("%-8s %s%s%s\n", action_of(c), c->from ? c->from : c->to, is_renamed ? " -> " : "",
               is_renamed ? c->to : "");
    }
    if (num_changed > MOST_CHANGED)
        printf("changed  %u more files\n", num_changed - MOST_CHANGED);
    if (num_references > 0 || num_changed > 0)
        printf("%u reference%s in %u file%s\n", num_references, num_references == 1 ? "" : "s",
               num_files, num_files == 1 ? "" : "s");
    if (plan->journal.changes.count == 0)
        printf("nothing to change\n");
}

static void print_place(const outcome *o, const ct_move_place *place, const char *what) {
    ct_error warning = {0};
    char text[LINE_BYTES];
    ct_error_set_at(&warning, place->file, place->line, place->column, "\"%.300s\" %s", place->name,
                    what);
    ct_project_error_path(&warning, o->command->project);
    ct_error_format_warning(&warning, text, sizeof(text));
    fprintf(stderr, "%s\n", text);
}

// Who refers to what was removed has to be told; to what is not, too.
static void print_notes(const outcome *o) {
    const ct_move_plan *const plan = o->plan;
    for (uint32_t i = 0; i < plan->referrers.count; ++i)
        print_place(o, &plan->referrers.items[i],
                    o->command->is_forced ? "is missing from now on" : "is referred to here");
    for (uint32_t i = 0; i < plan->likely.count; ++i)
        print_place(o, &plan->likely.items[i], "looks like the name, and stays as it is");
    for (uint32_t i = 0; i < plan->warnings.count; ++i)
        fprintf(stderr, "warning: %s\n", plan->warnings.items[i]);
    for (uint32_t i = 0; i < o->report.count; ++i)
        fprintf(stderr, "warning: %s\n", o->report.items[i]);
}

static void print_errors(const outcome *o) {
    for (uint32_t i = 0; i < o->plan->errors.count; ++i) {
        ct_error error = o->plan->errors.items[i];
        char text[LINE_BYTES];
        ct_project_error_path(&error, o->command->project);
        ct_error_format(&error, text, sizeof(text));
        fprintf(stderr, "%s%s%s%s\n", error.file[0] ? "" : "cuttle ",
                error.file[0] ? "" : o->command->name, error.file[0] ? "" : ": ",
                error.file[0] ? text : error.message);
    }
}

static void print_diff(ct_allocator *a, const ct_move_plan *plan) {
    ct_string_builder text;
    ct_string_builder_init(&text, a);
    for (uint32_t i = 0; i < plan->journal.changes.count; ++i) {
        const ct_journal_change *const c = &plan->journal.changes.items[i];
        const ct_move_text *const old = &plan->texts.items[i];
        const ct_diff_file file = {.from = c->from,
                                   .to = c->to,
                                   .old_text = old->old_text,
                                   .old_bytes = old->old_bytes,
                                   .new_text = c->content,
                                   .new_bytes = c->content_bytes};
        ct_string_builder_clear(&text);
        ct_unified_diff_write(&text, &file);
        fwrite(ct_string_builder_text(&text), 1, text.length, stdout);
    }
}

// --- For tools -----------------------------------------------------------------------------------

static void write_places(ct_sjson_writer *w, const char *key, const ct_move_places *places) {
    ct_sjson_write_key(w, key);
    ct_sjson_begin_array(w);
    for (uint32_t i = 0; i < places->count; ++i) {
        const ct_move_place *const p = &places->items[i];
        ct_sjson_begin_object(w);
        ct_sjson_member_string(w, "file", p->file);
        ct_sjson_member_number(w, "line", p->line);
        ct_sjson_member_number(w, "column", p->column);
        ct_sjson_member_string(w, "name", p->name);
        ct_sjson_end_object(w);
    }
    ct_sjson_end_array(w);
}

static void write_files(ct_sjson_writer *w, const ct_move_plan *plan) {
    ct_sjson_write_key(w, "files");
    ct_sjson_begin_array(w);
    for (uint32_t i = 0; i < plan->journal.changes.count; ++i) {
        const ct_journal_change *const c = &plan->journal.changes.items[i];
        ct_sjson_begin_object(w);
        ct_sjson_member_string(w, "action", action_of(c));
        if (c->from)
            ct_sjson_member_string(w, "from", c->from);
        if (c->to)
            ct_sjson_member_string(w, "to", c->to);
        ct_sjson_member_number(w, "references", plan->texts.items[i].num_references);
        ct_sjson_end_object(w);
    }
    ct_sjson_end_array(w);
}

static void write_texts(ct_sjson_writer *w, const ct_string_array *texts) {
    for (uint32_t i = 0; i < texts->count; ++i)
        ct_sjson_write_string(w, texts->items[i]);
}

static void write_errors(ct_sjson_writer *w, const ct_move_plan *plan) {
    ct_sjson_write_key(w, "errors");
    ct_sjson_begin_array(w);
    for (uint32_t i = 0; i < plan->errors.count; ++i) {
        ct_sjson_begin_object(w);
        ct_project_write_fault(w, &plan->errors.items[i], NULL);
        ct_sjson_end_object(w);
    }
    ct_sjson_end_array(w);
}

static void print_json(ct_allocator *a, const outcome *o) {
    ct_string_builder text;
    ct_sjson_writer w;
    ct_string_builder_init(&text, a);
    ct_sjson_writer_init(&w, &text, CT_SJSON_STYLE_JSON);
    ct_sjson_begin_object(&w);
    ct_sjson_write_key(&w, "done");
    ct_sjson_write_bool(&w, o->is_done);
    write_files(&w, o->plan);
    write_places(&w, "likely", &o->plan->likely);
    write_places(&w, "referrers", &o->plan->referrers);
    ct_sjson_write_key(&w, "warnings");
    ct_sjson_begin_array(&w);
    write_texts(&w, &o->plan->warnings);
    write_texts(&w, &o->report);
    ct_sjson_end_array(&w);
    write_errors(&w, o->plan);
    ct_sjson_end_object(&w);
    puts(ct_string_builder_text(&text));
}

// --- The command ---------------------------------------------------------------------------------

static void run_plan(outcome *o) {
    ct_error error = {0};
    bool is_begun = false;
    o->is_done = ct_move_plan_run(o->plan, &is_begun, &o->report, &error);
    if (!o->is_done && is_begun)
        ct_error_set_at(&error, error.file, error.line, error.column,
                        "%.800s; the next command goes on with what was begun",
                        ct_copy_string(o->plan->allocator, error.message));
    if (!o->is_done)
        ct_array_push(&o->plan->errors, error);
}

static void tell(ct_allocator *a, const outcome *o) {
    print_errors(o);
    print_notes(o);
    if (o->command->is_json)
        print_json(a, o);
    else if (o->plan->errors.count == 0 && o->command->is_dry_run)
        print_diff(a, o->plan);
    else if (o->plan->errors.count == 0)
        print_changes(o->plan);
}

static ct_exit plan_and_run(ct_allocator *scratch, ct_allocator *heap,
                            const ct_move_command *command, const ct_source_roots *roots) {
    ct_move_plan plan;
    outcome o = {.command = command, .plan = &plan};
    const ct_move_desc desc = {.allocator = scratch,
                               .heap = heap,
                               .roots = *roots,
                               .kind = command->kind,
                               .from = command->from,
                               .to = command->to,
                               .referrers = command->referrers,
                               .num_referrers = command->num_referrers,
                               .is_locked = !command->is_dry_run,
                               .is_forced = command->is_forced};
    ct_array_init(&o.report, scratch);
    if (ct_move_plan_make(&plan, &desc) && !command->is_dry_run)
        run_plan(&o);
    tell(scratch, &o);
    const ct_exit result = plan.errors.count == 0 ? CT_EXIT_OK : CT_EXIT_FAILED;
    ct_move_plan_free(&plan);
    return result;
}

static bool take_lock(const ct_move_command *command, const char *project, ct_file_lock *lock,
                      ct_error *error) {
    char path[CT_PATH_BYTES];
    const ct_project_lock_desc desc = {
        .path = path, .project = project, .waiting = ct_project_tell_waiting};
    return command->is_dry_run ||
           (ct_project_lock_path(project, path, error) && ct_project_lock_take(&desc, lock, error));
}

ct_exit ct_move_command_run(ct_allocator *a, const ct_move_command *command) {
    CT_TEMP_ALLOCATOR(scratch, a);
    char project[CT_PATH_BYTES], core[CT_PATH_BYTES], core_folder[CT_PATH_BYTES];
    ct_error error = {0};
    ct_file_lock lock = {0};
    if (!ct_project_check(command->project, &error) ||
        !ct_os_absolute_path(command->project, project, &error) || !ct_core_folder(core, &error) ||
        !ct_os_absolute_path(core, core_folder, &error) ||
        !take_lock(command, project, &lock, &error)) {
        fprintf(stderr, "cuttle %s: %s\n", command->name, error.message);
        if (command->is_json)
            ct_project_print_failure_json(scratch, &error);
        return CT_EXIT_FAILED;
    }
    const ct_exit result =
        plan_and_run(scratch, a, command, &(ct_source_roots){project, core_folder});
    ct_file_lock_release(&lock);
    return result;
}

bool ct_move_command_referrers(ct_allocator *a, const ct_move_command *command,
                               const ct_command_arguments *arguments, uint32_t first,
                               const char *option, const char *value, ct_move_command *result) {
    const uint32_t num_operands = arguments->num_operands;
    *result = *command;
    if (!value && num_operands > first) {
        fprintf(stderr, "cuttle %s: \"%s\" is one operand too many; referrers follow --%s\n",
                command->name, arguments->operands[first], option);
        return false;
    }
    if (!value)
        return true;
    const char **const referrers = CT_NEW_ARRAY(a, const char *, num_operands - first + 1);
    referrers[0] = value;
    for (uint32_t i = first; i < num_operands; ++i)
        referrers[i - first + 1] = arguments->operands[i];
    result->referrers = referrers;
    result->num_referrers = num_operands - first + 1;
    return true;
}
