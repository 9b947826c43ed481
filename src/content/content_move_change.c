// content_move_change.c: from mentions to what is written.
//
// Each file that moves, goes, or mentions what does, becomes one change of the journal.
#include <stdio.h>
#include <string.h>

#include "content/content_move_import.h"
#include "content/content_move_private.h"
#include "foundation/error.h"
#include "project/project_git.h"

// A file in hand.
typedef struct file_change {
    ct_content_file *file;
    const ct_move_file *move; // NULL: it keeps its path
    ct_patch_array patches;
} file_change;

// --- Relative paths ------------------------------------------------------------------------------

// Writes the path to `path` from the folder of `file`: both are project paths.
static void write_relative(char text[2 * CT_PATH_BYTES], const char *file, const char *path) {
    const char *from = file, *to = path;
    for (const char *slash = strchr(from, '/'); slash; slash = strchr(from, '/')) {
        const size_t length = (size_t)(slash - from) + 1;
        if (strncmp(from, to, length) != 0)
            break;
        from += length;
        to += length;
    }
    uint32_t at = 0;
    for (const char *c = from; *c; ++c)
        if (*c == '/')
            at += (uint32_t)snprintf(text + at, 2 * CT_PATH_BYTES - at, "../");
    snprintf(text + at, 2 * CT_PATH_BYTES - at, "%s", to);
}

// What a path from the file's folder becomes; NULL: it stays.
static const char *relative_text(ct_move_planner *p, const file_change *change,
                                 const ct_mention *m) {
    const char *const path = ct_mention_name(&p->files->mentions, m);
    char old[2 * CT_PATH_BYTES], new[2 * CT_PATH_BYTES];
    if (!ct_content_files_have(p->files, path))
        return NULL;
    const ct_move_name *const name = ct_move_set_name(&p->set, NULL, path);
    write_relative(old, change->file->path, path);
    write_relative(new, change->move ? change->move->to : change->file->path,
                   name ? name->to : path);
    if (strcmp(old, new) == 0)
        return NULL;
    if (change->file->kind != CT_CONTENT_KIND_GLB)
        return ct_copy_string(p->plan->allocator, new);
    ct_move_refuse(p, change->file->path, 0, 0,
                   "names %s by a path from its folder, and is binary: paths in it cannot be "
                   "changed; move the folder that both lie in",
                   path);
    return NULL;
}

// --- Mentions ------------------------------------------------------------------------------------

static void note_place(ct_move_planner *p, ct_move_places *places, const char *file,
                       const ct_mention *m) {
    ct_array_push(
        places, (ct_move_place){file, m->line, m->column, ct_mention_name(&p->files->mentions, m)});
}

// What is to stand in place of a mention; NULL: it stays.
static const char *new_text(ct_move_planner *p, const file_change *change, const ct_mention *m) {
    const char *const text = ct_mention_name(&p->files->mentions, m);
    const ct_move_name *name = NULL;
    switch (m->kind) {
    case CT_MENTION_KIND_RESOURCE:
        name = ct_move_set_name(&p->set, m->type, text);
        return name ? name->to : NULL;
    case CT_MENTION_KIND_MEDIA:
        if (m->flags & CT_MENTION_RELATIVE)
            return relative_text(p, change, m);
        name = ct_move_set_name(&p->set, NULL, text);
        return name ? name->to : NULL;
    case CT_MENTION_KIND_PATTERN:
        return ct_move_pattern(p, text);
    default:
        if (ct_move_set_any_name(&p->set, text))
            note_place(p, &p->plan->likely, change->file->path, m);
        return NULL;
    }
}

static void collect_patches(ct_move_planner *p, file_change *change) {
    for (uint32_t i = 0; i < change->file->num_mentions; ++i) {
        const ct_mention *const m = ct_content_file_mention(p->files, change->file, i);
        const char *const text = new_text(p, change, m);
        if (text)
            ct_array_push(&change->patches, (ct_patch){m->begin, m->end, text});
    }
    ct_error error = {0};
    if (change->file->is_import_record && change->file->text &&
        !ct_move_import_patches(p->plan->allocator, &p->set, change->file, &change->patches,
                                &error))
        ct_array_push(&p->plan->errors, error);
}

// --- Changes -------------------------------------------------------------------------------------

static void add_change(ct_move_planner *p, const ct_journal_change *c, const ct_move_text *text) {
    ct_array_push(&p->plan->journal.changes, *c);
    ct_array_push(&p->plan->texts, *text);
}

static bool needs_text(ct_move_planner *p, ct_content_file *file) {
    ct_error error = {0};
    if (ct_content_files_read_text(p->files, file, &error))
        return true;
    ct_move_refuse(p, file->path, 0, 0, "%s", error.message);
    return false;
}

static void add_patched(ct_move_planner *p, file_change *change) {
    const ct_content_file *const file = change->file;
    const bool is_copy = p->desc->kind == CT_MOVE_KIND_COPY && change->move;
    ct_journal_change c = {.from = is_copy ? NULL : file->path,
                           .to = change->move ? change->move->to : file->path,
                           .old_hash = is_copy ? 0 : file->hash};
    c.content = ct_patch_apply(p->plan->allocator, file->text, file->bytes, &change->patches,
                               &c.content_bytes);
    add_change(p, &c,
               &(ct_move_text){is_copy ? NULL : file->text, is_copy ? 0 : file->bytes,
                               change->patches.count});
}

// What stands against changing a file.
static bool check_file(ct_move_planner *p, const file_change *change) {
    const ct_content_file *const file = change->file;
    char place[CT_PATH_BYTES];
    ct_path_join(place, p->files->roots.project, file->path);
    if (file->problem)
        ct_array_push(&p->plan->errors, *file->problem);
    else if (ct_os_file_info(place).is_link)
        ct_move_refuse(p, file->path, 0, 0, "is a symbolic link; expected a file");
    else if (change->patches.count > 0 && !ct_os_file_is_writable(place) &&
             !(p->desc->kind == CT_MOVE_KIND_COPY && change->move))
        ct_move_refuse(p, file->path, 0, 0, "is read-only, and names what is to be changed");
    else
        return true;
    return false;
}

static void change_file(ct_move_planner *p, ct_content_file *file) {
    file_change change = {.file = file, .move = ct_move_set_file(&p->set, file->path)};
    ct_array_init(&change.patches, p->plan->allocator);
    collect_patches(p, &change);
    if (!file->problem && change.patches.count == 0 && !change.move)
        return;
    if (!check_file(p, &change))
        return;
    const bool is_copied = change.move && p->desc->kind == CT_MOVE_KIND_COPY;
    if (change.patches.count > 0 || (is_copied && needs_text(p, file)))
        add_patched(p, &change);
    else if (!is_copied)
        add_change(p, &(ct_journal_change){.from = file->path, .to = change.move->to},
                   &(ct_move_text){0});
}

// --- Removal -------------------------------------------------------------------------------------

static void note_referrers(ct_move_planner *p, const ct_content_file *file) {
    for (uint32_t i = 0; i < file->num_mentions; ++i) {
        const ct_mention *const m = ct_content_file_mention(p->files, file, i);
        const char *const text = ct_mention_name(&p->files->mentions, m);
        if (m->kind == CT_MENTION_KIND_LIKELY && ct_move_set_any_name(&p->set, text))
            note_place(p, &p->plan->likely, file->path, m);
        else if (m->kind <= CT_MENTION_KIND_MEDIA && m->kind != CT_MENTION_KIND_PATTERN &&
                 ct_move_set_name(&p->set, m->type, text))
            note_place(p, &p->plan->referrers, file->path, m);
    }
    if (file->problem && !p->desc->is_forced)
        ct_array_push(&p->plan->errors, *file->problem);
}

static void remove_file(ct_move_planner *p, ct_content_file *file) {
    if (!needs_text(p, file))
        return;
    add_change(p, &(ct_journal_change){.from = file->path, .old_hash = file->hash},
               &(ct_move_text){file->text, file->bytes, 0});
}

static void remove_files(ct_move_planner *p) {
    for (uint32_t i = 0; i < p->files->items.count; ++i) {
        ct_content_file *const file = &p->files->items.items[i];
        if (ct_move_set_file(&p->set, file->path))
            remove_file(p, file);
        else
            note_referrers(p, file);
    }
    const uint32_t count = p->plan->referrers.count;
    if (count > 0 && !p->desc->is_forced)
        ct_move_refuse(p, NULL, 0, 0, "it is referred to in %u place%s; --force removes it anyway",
                       count, count == 1 ? "" : "s");
}

// --- All files -----------------------------------------------------------------------------------

// A file that is to be replaced by another does not name that one in its stead: it would be itself.
static bool is_replacement(const ct_move_planner *p, const ct_content_file *file) {
    return p->desc->kind == CT_MOVE_KIND_REPLACE && ct_move_target_has(&p->to, file->path);
}

static bool is_to_change(const ct_move_planner *p, uint32_t i) {
    const ct_content_file *const file = &p->files->items.items[i];
    return ct_move_set_file(&p->set, file->path) ||
           ((!p->is_referrer || p->is_referrer[i]) && !is_replacement(p, file));
}

// Who was named as a referrer and does not refer.
static void check_referrers(ct_move_planner *p, uint32_t given) {
    ct_move_target referrer;
    ct_error ignored;
    if (!ct_move_target_find(p->files, p->desc->referrers[given], false, &referrer, &ignored))
        return;
    for (uint32_t i = 0; i < p->plan->journal.changes.count; ++i) {
        const char *const path = p->plan->journal.changes.items[i].from;
        if (path && p->plan->texts.items[i].num_references > 0 &&
            ct_move_target_has(&referrer, path))
            return;
    }
    ct_move_refuse(p, NULL, 0, 0, "\"%s\" does not refer to \"%s\"", p->desc->referrers[given],
                   p->desc->from);
}

void ct_move_make_changes(ct_move_planner *p) {
    if (p->desc->kind == CT_MOVE_KIND_REMOVE) {
        remove_files(p);
        return;
    }
    for (uint32_t i = 0; i < p->files->items.count; ++i)
        if (is_to_change(p, i))
            change_file(p, &p->files->items.items[i]);
    for (uint32_t i = 0; i < p->desc->num_referrers && p->plan->errors.count == 0; ++i)
        check_referrers(p, i);
}

// --- git -----------------------------------------------------------------------------------------

static void take_entry(ct_move_planner *p, const ct_hash_map *renames, const ct_git_entry *entry) {
    const uint64_t at = ct_hash_map_get(renames, ct_string_id64_of(entry->path).value, 0);
    ct_journal_change *const c = at ? &p->plan->journal.changes.items[at - 1] : NULL;
    if (!c || strcmp(c->from, entry->path) != 0)
        return;
    if (entry->is_unmerged)
        ct_move_refuse(p, entry->path, 0, 0,
                       "has a conflict in git that waits to be resolved; `git add` it first");
    c->git_mode = entry->mode;
    c->git_object = entry->object;
}

void ct_move_add_git_entries(ct_move_planner *p) {
    ct_hash_map renames = {.allocator = p->plan->allocator};
    for (uint32_t i = 0; i < p->plan->journal.changes.count; ++i) {
        const ct_journal_change *const c = &p->plan->journal.changes.items[i];
        if (c->from && c->to && strcmp(c->from, c->to) != 0)
            ct_hash_map_set(&renames, ct_string_id64_of(c->from).value, i + 1);
    }
    ct_git_entries entries;
    ct_error error = {0};
    ct_array_init(&entries, p->plan->allocator);
    if (renames.count == 0 || !ct_git_has_work_tree(p->files->roots.project))
        return;
    if (!ct_git_read_index(p->plan->allocator, p->files->roots.project, &entries, &error)) {
        ct_move_warn(p, "git does not learn of the new paths: %s", error.message);
        return;
    }
    for (uint32_t i = 0; i < entries.count; ++i)
        take_entry(p, &renames, &entries.items[i]);
}
