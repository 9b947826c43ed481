#include "cli/deps/deps_fix_moved.h"

#include <stdio.h>

#include "cli/deps/deps_report.h"
#include "cli/move/move_outcome.h"
#include "cli/project_compile.h"
#include "content/move/content_moved.h"
#include "foundation/error.h"
#include "foundation/memory/temp_allocator.h"
#include "foundation/string/string_builder.h"
#include "foundation/string/utf8.h"

static const char *const evidence_texts[] = {
    [CT_MOVED_EVIDENCE_LIKE] = "like",     [CT_MOVED_EVIDENCE_GIT] = "git",
    [CT_MOVED_EVIDENCE_EDITED] = "edited", [CT_MOVED_EVIDENCE_CONTENT] = "content",
    [CT_MOVED_EVIDENCE_NAME] = "content",  [CT_MOVED_EVIDENCE_SAME] = "file",
};

static const char *const evidence_words[] = {
    [CT_MOVED_EVIDENCE_LIKE] = "the same content, as other files have it",
    [CT_MOVED_EVIDENCE_GIT] = "by git's history",
    [CT_MOVED_EVIDENCE_EDITED] = "the same file, edited",
    [CT_MOVED_EVIDENCE_CONTENT] = "the same content",
    [CT_MOVED_EVIDENCE_NAME] = "the same content",
    [CT_MOVED_EVIDENCE_SAME] = "the same file",
};

// A name as people write it, and as a shell takes it.
static const char *written(ct_allocator *a, const ct_moved_name *name, const char *text) {
    char full[CT_PATH_BYTES], shown[CT_PATH_BYTES];
    snprintf(full, sizeof(full), "%.*s%s%s", CT_PATH_BYTES - 64, text, name->type ? "." : "",
             name->type ? name->type->name : "");
    ct_utf8_write_printable(shown, sizeof(shown), full);
    return ct_copy_string(a, shown);
}

static const char *candidate(const ct_moved_plan *moved, const ct_moved_name *name, uint32_t i) {
    return moved->candidates.items[name->first_candidate + i];
}

// --- For people ----------------------------------------------------------------------------------

static void print_unclear(ct_allocator *a, const ct_deps_fix_moved *command,
                          const ct_moved_plan *moved, const ct_moved_name *name) {
    const char *const from = written(a, name, name->from);
    if (name->advice) {
        printf("unclear  %s -> %s: %s\n", from, written(a, name, candidate(moved, name, 0)),
               name->advice);
        return;
    }
    printf("unclear  %s, %s:\n", from, evidence_words[name->evidence]);
    for (uint32_t i = 0; i < name->num_candidates; ++i)
        printf("  cuttle replace %s %s %s\n", command->project, from,
               written(a, name, candidate(moved, name, i)));
}

static void print_names(ct_allocator *a, const ct_deps_fix_moved *command,
                        const ct_moved_plan *moved) {
    for (uint32_t i = 0; i < moved->names.count; ++i) {
        const ct_moved_name *const name = &moved->names.items[i];
        if (name->to)
            printf("moved    %s -> %s (%s)\n", written(a, name, name->from),
                   written(a, name, name->to), evidence_words[name->evidence]);
        else
            print_unclear(a, command, moved, name);
    }
}

static void print_missing(const ct_deps_report *report, const ct_moved_plan *moved) {
    char text[2 * CT_PATH_BYTES];
    for (uint32_t i = 0; i < moved->missing.count; ++i) {
        const ct_reference_missing *const missing = &moved->missing.items[i];
        ct_deps_mention_text(report, missing->file, missing->mention, text, sizeof(text));
        printf("%s stays missing\n", text);
    }
}

static void print_text(ct_allocator *a, const ct_deps_fix_moved *command,
                       const ct_deps_report *report, const ct_moved_plan *moved,
                       const ct_move_outcome *o) {
    const uint32_t num_changes = moved->plan.journal.changes.count;
    print_names(a, command, moved);
    print_missing(report, moved);
    if (moved->plan.errors.count > 0)
        return;
    if (command->applies || num_changes == 0) {
        ct_move_outcome_print_changes(o);
        return;
    }
    ct_move_outcome_print_diff(a, o);
    fflush(stdout);
    fprintf(stderr, "%u file%s would change; --apply changes %s\n", num_changes,
            num_changes == 1 ? "" : "s", num_changes == 1 ? "it" : "them");
}

// --- For tools -----------------------------------------------------------------------------------

static void write_moved(ct_allocator *a, ct_sjson_writer *w, const ct_moved_plan *moved) {
    ct_sjson_write_key(w, "moved");
    ct_sjson_begin_array(w);
    for (uint32_t i = 0; i < moved->names.count; ++i) {
        const ct_moved_name *const name = &moved->names.items[i];
        if (!name->to)
            continue;
        ct_sjson_begin_object(w);
        ct_sjson_member_string(w, "from", written(a, name, name->from));
        ct_sjson_member_string(w, "to", written(a, name, name->to));
        ct_sjson_member_string(w, "by", evidence_texts[name->evidence]);
        ct_sjson_end_object(w);
    }
    ct_sjson_end_array(w);
}

static void write_unclear(ct_allocator *a, ct_sjson_writer *w, const ct_moved_plan *moved) {
    ct_sjson_write_key(w, "unclear");
    ct_sjson_begin_array(w);
    for (uint32_t i = 0; i < moved->names.count; ++i) {
        const ct_moved_name *const name = &moved->names.items[i];
        if (name->to)
            continue;
        ct_sjson_begin_object(w);
        ct_sjson_member_string(w, "from", written(a, name, name->from));
        ct_sjson_write_key(w, "candidates");
        ct_sjson_begin_array(w);
        for (uint32_t k = 0; k < name->num_candidates; ++k)
            ct_sjson_write_string(w, written(a, name, candidate(moved, name, k)));
        ct_sjson_end_array(w);
        ct_sjson_member_string(w, "by", evidence_texts[name->evidence]);
        if (name->advice)
            ct_sjson_member_string(w, "advice", name->advice);
        ct_sjson_end_object(w);
    }
    ct_sjson_end_array(w);
}

static void print_json(ct_allocator *a, const ct_deps_report *report, const ct_moved_plan *moved,
                       const ct_move_outcome *o) {
    ct_string_builder text;
    ct_sjson_writer w;
    ct_string_builder_init(&text, a);
    ct_sjson_writer_init(&w, &text, CT_SJSON_STYLE_JSON);
    ct_sjson_begin_object(&w);
    write_moved(a, &w, moved);
    write_unclear(a, &w, moved);
    ct_sjson_write_key(&w, "missing");
    ct_sjson_begin_array(&w);
    for (uint32_t i = 0; i < moved->missing.count; ++i) {
        ct_sjson_begin_object(&w);
        ct_deps_write_mention(&w, report, moved->missing.items[i].file,
                              moved->missing.items[i].mention);
        ct_sjson_end_object(&w);
    }
    ct_sjson_end_array(&w);
    ct_move_outcome_write(&w, o);
    ct_sjson_end_object(&w);
    puts(ct_string_builder_text(&text));
}

// --- The command ---------------------------------------------------------------------------------

// The index learns at once what was patched: what is renamed next is told from that.
static void note_changes(ct_allocator *heap, const ct_source_roots *roots) {
    const ct_reference_index_desc desc = {
        .allocator = heap, .project = roots->project, .core = roots->core, .is_locked = true};
    ct_free(heap, (void *)(uintptr_t)ct_reference_index_update(&desc, NULL));
}

static ct_exit plan_and_run(ct_allocator *scratch, ct_allocator *heap,
                            const ct_deps_fix_moved *command, const ct_source_roots *roots) {
    ct_moved_plan moved;
    ct_move_outcome o = {.command = "deps", .project = command->project, .plan = &moved.plan};
    const ct_deps_report report = {.project = command->project, .graph = &moved.graph};
    const ct_move_desc desc = {.allocator = scratch,
                               .heap = heap,
                               .roots = *roots,
                               .kind = CT_MOVE_KIND_MOVED,
                               .is_locked = command->applies};
    ct_array_init(&o.report, scratch);
    if (ct_moved_plan_make(&moved, &desc) && command->applies)
        ct_move_outcome_run(&o);
    if (o.is_done && moved.plan.journal.changes.count > 0)
        note_changes(heap, roots);
    ct_move_outcome_print_errors(&o);
    ct_move_outcome_print_notes(&o);
    if (command->is_json)
        print_json(scratch, &report, &moved, &o);
    else
        print_text(scratch, command, &report, &moved, &o);
    const bool is_good = moved.plan.errors.count == 0 && moved.missing.count == 0;
    ct_moved_plan_free(&moved);
    return is_good ? CT_EXIT_OK : CT_EXIT_FAILED;
}

ct_exit ct_deps_fix_moved_run(ct_allocator *a, const ct_deps_fix_moved *command) {
    CT_TEMP_ALLOCATOR(scratch, a);
    ct_move_project project;
    ct_error error = {0};
    if (!ct_move_project_open(&project, command->project, command->applies, &error)) {
        fprintf(stderr, "cuttle deps: %s\n", error.message);
        if (command->is_json)
            ct_project_print_failure_json(scratch, &error);
        return CT_EXIT_FAILED;
    }
    const ct_exit result = plan_and_run(scratch, a, command, &project.roots);
    ct_project_lock_release(&project.lock);
    return result;
}
