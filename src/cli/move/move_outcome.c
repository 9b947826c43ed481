#include "cli/move/move_outcome.h"

#include <stdio.h>
#include <string.h>

#include "cli/core_folder.h"
#include "cli/project_compile.h"
#include "content/move/unified_diff.h"
#include "foundation/error.h"
#include "foundation/os/os.h"

enum {
    MOST_CHANGED = 20,
    MOST_PLACES = 100,
    LINE_BYTES = CT_ERROR_MESSAGE_BYTES + CT_ERROR_FILE_BYTES + 64
};

// --- Doing it ------------------------------------------------------------------------------------

void ct_move_outcome_run(ct_move_outcome *o) {
    ct_error error = {0};
    bool is_begun = false;
    o->is_done = ct_move_plan_run(o->plan, &is_begun, &o->report, &error);
    if (!o->is_done && is_begun)
        ct_error_set_at(&error, error.file, error.line, error.column,
                        "%.800s; the next command finishes what this one began",
                        ct_copy_string(o->plan->allocator, error.message));
    if (!o->is_done)
        ct_array_push(&o->plan->errors, error);
}

bool ct_move_project_open(ct_move_project *project, const char *folder, bool is_to_change,
                          ct_error *error) {
    char core[CT_PATH_BYTES], path[CT_PATH_BYTES];
    *project = (ct_move_project){.roots = {project->folder, project->core}};
    const ct_project_lock_desc desc = {.path = path,
                                       .project = project->folder,
                                       .changes_sources = true,
                                       .waiting = ct_project_tell_waiting};
    if (!ct_project_check(folder, error) || !ct_os_absolute_path(folder, project->folder, error) ||
        !ct_core_folder(core, error) || !ct_os_absolute_path(core, project->core, error))
        return false;
    return !is_to_change || (ct_project_lock_path(project->folder, path, error) &&
                             ct_project_lock_take(&desc, &project->lock, error));
}

// --- For people ----------------------------------------------------------------------------------

// What became of a file, in a word.
static const char *action_of(const ct_journal_change *c) {
    if (!c->from)
        return "made";
    if (!c->to)
        return "removed";
    return strcmp(c->from, c->to) == 0 ? "changed" : "renamed";
}

void ct_move_outcome_print_changes(const ct_move_outcome *o) {
    const ct_move_plan *const plan = o->plan;
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
        printf("changed  %u more file%s\n", num_changed - MOST_CHANGED,
               num_changed == MOST_CHANGED + 1 ? "" : "s");
    if (num_references > 0 || num_changed > 0)
        printf("%u reference%s in %u file%s\n", num_references, num_references == 1 ? "" : "s",
               num_files, num_files == 1 ? "" : "s");
    if (plan->journal.changes.count == 0)
        printf("nothing to change\n");
}

// A place that is why nothing was done is no warning.
static void print_place(const ct_move_outcome *o, const ct_move_place *place, const char *what) {
    ct_error note = {0};
    char text[LINE_BYTES];
    ct_error_set_at(&note, place->file, place->line, place->column, "\"%.300s\" %s", place->name,
                    what);
    ct_project_error_path(&note, o->project);
    if (o->plan->errors.count > 0)
        ct_error_format(&note, text, sizeof(text));
    else
        ct_error_format_warning(&note, text, sizeof(text));
    fprintf(stderr, "%s\n", text);
}

static void print_places(const ct_move_outcome *o, const ct_move_places *places, const char *what) {
    for (uint32_t i = 0; i < places->count && i < MOST_PLACES; ++i)
        print_place(o, &places->items[i], what);
    if (places->count > MOST_PLACES)
        fprintf(stderr, "and %u more place%s\n", places->count - MOST_PLACES,
                places->count == MOST_PLACES + 1 ? "" : "s");
}

// Who refers to what was removed has to be told; to what is not, too.
void ct_move_outcome_print_notes(const ct_move_outcome *o) {
    const ct_move_plan *const plan = o->plan;
    print_places(o, &plan->referrers, o->is_forced ? "is missing now" : "is referred to here");
    if (plan->errors.count == 0) {
        print_places(o, &plan->likely, "looks like the name, and stays as it is");
        for (uint32_t i = 0; i < plan->warnings.count; ++i)
            fprintf(stderr, "warning: %s\n", plan->warnings.items[i]);
    }
    for (uint32_t i = 0; i < o->report.count; ++i)
        fprintf(stderr, "warning: %s\n", o->report.items[i]);
}

void ct_move_outcome_print_errors(const ct_move_outcome *o) {
    for (uint32_t i = 0; i < o->plan->errors.count; ++i) {
        ct_error error = o->plan->errors.items[i];
        char text[LINE_BYTES];
        ct_project_error_path(&error, o->project);
        ct_error_format(&error, text, sizeof(text));
        fprintf(stderr, "%s%s%s%s\n", error.file[0] ? "" : "cuttle ",
                error.file[0] ? "" : o->command, error.file[0] ? "" : ": ",
                error.file[0] ? text : error.message);
    }
}

void ct_move_outcome_print_diff(ct_allocator *a, const ct_move_outcome *o) {
    const ct_move_plan *const plan = o->plan;
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

void ct_move_outcome_write(ct_sjson_writer *w, const ct_move_outcome *o) {
    ct_sjson_write_key(w, "done");
    ct_sjson_write_bool(w, o->is_done);
    write_files(w, o->plan);
    write_places(w, "likely", &o->plan->likely);
    write_places(w, "referrers", &o->plan->referrers);
    ct_sjson_write_key(w, "warnings");
    ct_sjson_begin_array(w);
    write_texts(w, &o->plan->warnings);
    write_texts(w, &o->report);
    ct_sjson_end_array(w);
    write_errors(w, o->plan);
}
