#include "content/move/content_move.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "content/move/content_move_private.h"
#include "foundation/error.h"
#include "project/project_git.h"

void ct_move_refuse(ct_move_planner *p, const char *file, uint32_t line, uint32_t column,
                    const char *format, ...) {
    char text[CT_ERROR_MESSAGE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    ct_error error = {0};
    ct_error_set_at(&error, file, line, column, "%s", text);
    ct_array_push(&p->plan->errors, error);
}

void ct_move_warn(ct_move_planner *p, const char *format, ...) {
    char text[CT_ERROR_MESSAGE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    ct_array_push(&p->plan->warnings, ct_copy_string(p->plan->allocator, text));
}

static void refuse_with(ct_move_planner *p, const ct_error *error) {
    ct_array_push(&p->plan->errors, *error);
}

// --- Operands ------------------------------------------------------------------------------------

static bool is_settings(const ct_move_target *target) {
    return target->kind == CT_MOVE_TARGET_KIND_RESOURCE &&
           strcmp(target->type->name, "config") == 0 && strcmp(target->name, "settings") == 0;
}

// What is put in place of something else has to be of its kind, and to be there.
static bool find_replacement(ct_move_planner *p, ct_error *error) {
    char typed[CT_PATH_BYTES];
    const char *to = p->desc->to;
    const bool has_no_type = !strchr(ct_path_file_name(to), '.');
    if (p->from.kind == CT_MOVE_TARGET_KIND_RESOURCE && has_no_type) {
        snprintf(typed, sizeof(typed), "%.*s.%s", CT_PATH_BYTES - 64, to, p->from.type->name);
        to = typed;
    }
    if (!ct_move_target_find(p->files, to, false, &p->to, error))
        return false;
    if (p->from.kind == CT_MOVE_TARGET_KIND_FOLDER || p->to.kind == CT_MOVE_TARGET_KIND_FOLDER)
        return ct_error_set(error,
                            "a folder cannot be replaced; expected a resource or media file");
    if (p->from.kind != p->to.kind || p->from.type != p->to.type)
        return ct_error_set(error, "a %s cannot replace a %s",
                            p->to.type ? p->to.type->name : "media file",
                            p->from.type ? p->from.type->name : "media file");
    return strcmp(p->from.name, p->to.name) != 0 ||
           ct_error_set(error, "\"%.300s\" cannot be replaced by itself", p->desc->to);
}

static bool find_targets(ct_move_planner *p, ct_error *error) {
    const ct_move_desc *const d = p->desc;
    if (!ct_move_target_find(p->files, d->from, d->kind == CT_MOVE_KIND_REPLACE, &p->from, error))
        return false;
    if (d->kind == CT_MOVE_KIND_REPLACE)
        return find_replacement(p, error);
    if (is_settings(&p->from))
        return ct_error_set(error, "the settings of a project are always called \"%s\"", d->from);
    if (d->kind != CT_MOVE_KIND_REMOVE)
        return ct_move_target_renamed(p->files, &p->from, d->to, &p->to, error);
    return ct_move_check_not_core(p->from.name, error);
}

// Marks the files of those referrers that alone are to be changed.
static bool find_referrers(ct_move_planner *p, ct_error *error) {
    const ct_move_desc *const d = p->desc;
    const bool is_for_some =
        d->kind == CT_MOVE_KIND_COPY || (d->kind == CT_MOVE_KIND_REPLACE && d->num_referrers > 0);
    if (is_for_some)
        p->is_referrer = CT_NEW_ARRAY(p->plan->allocator, bool, p->files->items.count + 1);
    for (uint32_t i = 0; i < d->num_referrers; ++i) {
        ct_move_target referrer;
        if (!ct_move_target_find(p->files, d->referrers[i], false, &referrer, error))
            return false;
        for (uint32_t k = 0; k < p->files->items.count; ++k)
            if (ct_move_target_has(&referrer, p->files->items.items[k].path))
                p->is_referrer[k] = true;
    }
    return true;
}

// --- Files ---------------------------------------------------------------------------------------

// What all mentions of the target hold. Names of media that go with it begin as its own.
static void read_mentions(ct_move_planner *p) {
    char name[CT_PATH_BYTES + 1];
    snprintf(name, sizeof(name), "%s%s", p->from.name,
             p->from.kind == CT_MOVE_TARGET_KIND_FOLDER ? "/" : "");
    char *const word = (char *)(uintptr_t)ct_path_file_name(p->from.name) - p->from.name + name;
    char *const dot = strrchr(word, '.');
    if (p->from.kind == CT_MOVE_TARGET_KIND_MEDIA && dot)
        dot[1] = 0;
    ct_content_files_read(p->files, word, name);
}

// Paths from its folder that a broken model may have lead elsewhere from another; only those that
// stay in a folder go with it.
static void read_target(ct_move_planner *p, ct_content_file *file) {
    ct_content_files_parse(p->files, file);
    if (!file->problem || !ct_content_kind_is_relative(file->kind))
        return;
    const bool is_in_folder = p->from.kind == CT_MOVE_TARGET_KIND_FOLDER;
    file->may_mention |= !file->text || !is_in_folder || memmem(file->text, file->bytes, "../", 3);
}

static void add_target(ct_move_planner *p) {
    const char *const to = p->desc->kind == CT_MOVE_KIND_REMOVE ? NULL : p->to.name;
    if (p->desc->kind == CT_MOVE_KIND_REPLACE) {
        ct_move_set_add_name(&p->set, p->from.type, p->from.name, to);
        return;
    }
    for (uint32_t i = 0; i < p->files->items.count; ++i) {
        ct_content_file *const file = &p->files->items.items[i];
        if (!ct_move_target_has(&p->from, file->path))
            continue;
        ct_move_set_add(&p->set, file->path, p->from.name, to);
        read_target(p, file);
    }
    if (p->from.kind != CT_MOVE_TARGET_KIND_FOLDER)
        ct_move_add_media(p);
    ct_move_add_import_records(p);
}

// --- The plan ------------------------------------------------------------------------------------

static void plan_changes(ct_move_planner *p) {
    read_mentions(p);
    add_target(p);
    ct_move_check_paths(p);
    if (p->plan->errors.count > 0)
        return;
    if (p->desc->kind == CT_MOVE_KIND_RENAME) {
        ct_move_check_packages(p);
        ct_move_check_left(p);
    }
    ct_move_make_changes(p);
    const bool is_for_git =
        p->desc->kind == CT_MOVE_KIND_RENAME || p->desc->kind == CT_MOVE_KIND_REPLACE;
    if (is_for_git && p->plan->errors.count == 0)
        ct_move_add_git_entries(p);
}

void ct_move_plan_init(ct_move_plan *plan, const ct_move_desc *desc) {
    *plan = (ct_move_plan){.allocator = desc->allocator};
    ct_journal_init(&plan->journal, desc->allocator);
    ct_array_init(&plan->texts, desc->allocator);
    ct_array_init(&plan->referrers, desc->allocator);
    ct_array_init(&plan->likely, desc->allocator);
    ct_array_init(&plan->warnings, desc->allocator);
    ct_array_init(&plan->errors, desc->allocator);
}

bool ct_move_plan_make(ct_move_plan *plan, const ct_move_desc *desc) {
    ct_move_plan_init(plan, desc);
    ct_move_planner p = {.desc = desc, .plan = plan, .files = &plan->files};
    ct_move_set_init(&p.set, desc->allocator);
    ct_error error = {0};
    if (ct_content_files_open(&plan->files, desc->allocator, desc->heap, &desc->roots,
                              desc->is_locked, &error) &&
        find_targets(&p, &error) && find_referrers(&p, &error))
        plan_changes(&p);
    else
        refuse_with(&p, &error);
    return plan->errors.count == 0;
}

void ct_move_plan_free(ct_move_plan *plan) {
    ct_content_files_free(&plan->files);
}

// A git index that another program has locked could not learn of the new paths.
static bool check_index(const ct_move_plan *plan, ct_error *error) {
    bool has_entries = false;
    for (uint32_t i = 0; i < plan->journal.changes.count; ++i)
        has_entries |= plan->journal.changes.items[i].git_object != NULL;
    return !has_entries || ct_git_check_unlocked(plan->allocator, plan->files.roots.project, error);
}

bool ct_move_plan_run(ct_move_plan *plan, bool *is_begun, ct_string_array *report,
                      ct_error *error) {
    *is_begun = false;
    return plan->journal.changes.count == 0 ||
           (check_index(plan, error) && ct_journal_run(plan->allocator, plan->files.roots.project,
                                                       &plan->journal, is_begun, report, error));
}
