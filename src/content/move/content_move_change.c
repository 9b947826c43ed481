// content_move_change.c: from mentions to what is written.
//
// Each file that moves, goes, or mentions what does, becomes one change of the journal.
#include <stdio.h>
#include <string.h>

#include "content/move/content_move_import.h"
#include "content/move/content_move_private.h"
#include "content/move/name_spelling.h"
#include "foundation/error.h"
#include "project/project_git.h"

// A file in hand.
typedef struct file_change {
    ct_content_file *file;
    const ct_move_file *move; // NULL: it keeps its path
    ct_patch_array patches;
    const char **names; // by mention: what it is to mean afterwards; NULL: whatever it does
} file_change;

// What becomes of a mention.
typedef struct new_mention {
    const char *text; // what is to stand there; NULL: it stays
    const char *name; // what it means then; NULL: nobody knows
} new_mention;

static char quote_of(const file_change *change, const ct_mention *m) {
    return m->begin > 0 ? change->file->text[m->begin - 1] : 0;
}

// A name, or the path of a media file, in place of what stands there.
static new_mention mention_of(ct_move_planner *p, const file_change *change, const ct_mention *m,
                              const char *name) {
    return (new_mention){
        ct_name_spell(p->plan->allocator, change->file->kind, quote_of(change, m), name), name};
}

// The path from the file's folder to `path` in place of what stands there.
static new_mention relative_mention_of(ct_move_planner *p, const file_change *change,
                                       const ct_mention *m, const char *path) {
    char relative[2 * CT_PATH_BYTES];
    ct_move_write_relative(relative, change->move ? change->move->to : change->file->path, path);
    return (new_mention){ct_path_spell(p->plan->allocator, change->file->kind, m->flags,
                                       change->file->text + m->begin, m->end - m->begin, relative),
                         path};
}

// --- Relative paths ------------------------------------------------------------------------------

void ct_move_write_relative(char text[2 * CT_PATH_BYTES], const char *file, const char *path) {
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

// Of a file of which others have changed the path, or that of what it names.
static new_mention moved_relative(ct_move_planner *p, const file_change *change,
                                  const ct_mention *m) {
    const char *const path = ct_mention_name(&p->files->mentions, m);
    const char *const found = ct_move_moved_relative(p, change->file->path, path);
    if (found && change->file->kind != CT_CONTENT_KIND_GLB)
        return relative_mention_of(p, change, m, found);
    if (found)
        ct_move_warn(p, "%s names %s by a path from its folder, and is binary: it stays",
                     change->file->path, path);
    return (new_mention){0};
}

static new_mention relative(ct_move_planner *p, const file_change *change, const ct_mention *m) {
    const char *const path = ct_mention_name(&p->files->mentions, m);
    char old[2 * CT_PATH_BYTES], new[2 * CT_PATH_BYTES];
    if (!ct_content_files_have(p->files, path))
        return (new_mention){0};
    const ct_move_name *const name = ct_move_set_name(&p->set, NULL, path);
    const char *const new_path = name ? name->to : path;
    ct_move_write_relative(old, change->file->path, path);
    ct_move_write_relative(new, change->move ? change->move->to : change->file->path, new_path);
    if (strcmp(old, new) == 0)
        return (new_mention){.name = new_path};
    if (change->file->kind != CT_CONTENT_KIND_GLB)
        return relative_mention_of(p, change, m, new_path);
    ct_move_refuse(p, change->file->path, 0, 0,
                   "names %s by a path from its folder, and is binary: paths in it cannot be "
                   "changed; move the folder that both are in",
                   path);
    return (new_mention){0};
}

// --- Mentions ------------------------------------------------------------------------------------

static void note_place(ct_move_planner *p, ct_move_places *places, const char *file,
                       const ct_mention *m) {
    ct_array_push(
        places, (ct_move_place){file, m->line, m->column, ct_mention_name(&p->files->mentions, m)});
}

// What becomes of a name in the file; NULL: it stays.
static const char *new_name(ct_move_planner *p, const file_change *change, const ct_mention *m) {
    const char *const text = ct_mention_name(&p->files->mentions, m);
    const ct_move_name *const name = ct_move_set_name(&p->set, m->type, text);
    const uint32_t file = (uint32_t)(change->file - p->files->items.items);
    if (!name || name->before == 0 ||
        ct_reference_files(p->files->index)[file].written < name->before)
        return name ? name->to : NULL;
    ct_move_warn(p, "%s:%u:%u: \"%s\" stays: the file was changed after another got this name",
                 change->file->path, m->line, m->column, text);
    return NULL;
}

static new_mention new_mention_of(ct_move_planner *p, const file_change *change,
                                  const ct_mention *m) {
    const char *const text = ct_mention_name(&p->files->mentions, m);
    const char *new_text = NULL;
    if (m->kind == CT_MENTION_KIND_MEDIA && (m->flags & CT_MENTION_RELATIVE))
        return p->desc->kind == CT_MOVE_KIND_MOVED ? moved_relative(p, change, m)
                                                   : relative(p, change, m);
    if (m->kind == CT_MENTION_KIND_RESOURCE || m->kind == CT_MENTION_KIND_MEDIA)
        new_text = new_name(p, change, m);
    else if (m->kind == CT_MENTION_KIND_PATTERN)
        new_text = ct_move_pattern(p, text);
    else if (ct_move_set_any_name(&p->set, text))
        note_place(p, &p->plan->likely, change->file->path, m);
    return new_text ? mention_of(p, change, m, new_text) : (new_mention){.name = text};
}

static void collect_patches(ct_move_planner *p, file_change *change) {
    change->names = CT_NEW_ARRAY(p->plan->allocator, const char *, change->file->num_mentions + 1);
    for (uint32_t i = 0; i < change->file->num_mentions; ++i) {
        const ct_mention *const m = ct_content_file_mention(p->files, change->file, i);
        const new_mention new = new_mention_of(p, change, m);
        change->names[i] = new.name;
        if (new.text)
            ct_array_push(&change->patches, (ct_patch){m->begin, m->end, new.text});
    }
    ct_error error = {0};
    if (change->file->is_import_record && change->file->text &&
        !ct_move_import_patches(p->plan->allocator, &p->set, change->file, &change->patches,
                                &error))
        ct_array_push(&p->plan->errors, error);
}

// --- Reading again -------------------------------------------------------------------------------

// Mention `i` of the file is among those of its new text from number `*at` on.
static bool is_among(ct_move_planner *p, const file_change *change, uint32_t i,
                     const ct_mentions *now, uint32_t *at) {
    const ct_mention *const m = ct_content_file_mention(p->files, change->file, i);
    while (*at < now->items.count) {
        const ct_mention *const n = &now->items.items[(*at)++];
        if (n->kind == m->kind && n->type == m->type &&
            strcmp(ct_mention_name(now, n), change->names[i]) == 0)
            return true;
    }
    return false;
}

static void check_mentions(ct_move_planner *p, const file_change *change, const ct_mentions *now) {
    uint32_t at = 0;
    for (uint32_t i = 0; i < change->file->num_mentions; ++i) {
        const ct_mention *const m = ct_content_file_mention(p->files, change->file, i);
        if (!change->names[i] || is_among(p, change, i, now, &at))
            continue;
        ct_move_refuse(p, change->file->path, m->line, m->column,
                       "\"%s\" cannot be written here: it would be read as something else",
                       change->names[i]);
        return;
    }
}

// What is about to be written is whole, and means what it should.
static void check_content(ct_move_planner *p, const file_change *change,
                          const ct_journal_change *c) {
    ct_mentions now;
    ct_error error = {0};
    bool is_whole = true;
    ct_mentions_init(&now, p->desc->heap);
    if (change->file->is_import_record) {
        ct_sjson *const doc =
            ct_sjson_parse(p->desc->heap, c->content, c->content_bytes, c->to, NULL, &error);
        is_whole = doc != NULL;
        ct_sjson_free(doc);
    } else {
        is_whole = ct_content_references_read(p->desc->heap, change->file->kind, c->to, c->content,
                                              c->content_bytes, &now, &error);
    }
    if (!is_whole)
        ct_move_refuse(p, change->file->path, error.line, error.column,
                       "cannot hold the new names: %.600s", error.message);
    else
        check_mentions(p, change, &now);
    ct_mentions_free(&now);
}

// --- Changes -------------------------------------------------------------------------------------

static void add_change(ct_move_planner *p, const ct_journal_change *c, const ct_move_text *text) {
    const char *const from = c->from ? c->from : c->to;
    if (!ct_journal_path_is_good(from) || (c->to && !ct_journal_path_is_good(c->to)))
        ct_move_refuse(p, from, 0, 0,
                       "its name has control characters, which no command writes: rename it by "
                       "hand first");
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
    if (change->patches.count > 0)
        check_content(p, change, &c);
    add_change(p, &c,
               &(ct_move_text){is_copy ? NULL : file->text, is_copy ? 0 : file->bytes,
                               change->patches.count});
}

// Nobody can tell what stands in the file.
static void refuse_problem(ct_move_planner *p, const ct_content_file *file) {
    ct_move_refuse(p, file->path, file->problem->line, file->problem->column,
                   "%.600s (fix that first: the file may name \"%.200s\")", file->problem->message,
                   p->desc->from);
}

// What stands against changing a file.
static bool check_file(ct_move_planner *p, const file_change *change) {
    const ct_content_file *const file = change->file;
    char place[CT_PATH_BYTES];
    ct_path_join(place, p->files->roots.project, file->path);
    if (file->problem && p->desc->kind == CT_MOVE_KIND_MOVED)
        ct_move_warn(p, "%s:%u:%u: stays as it is: %s", file->path, file->problem->line,
                     file->problem->column, file->problem->message);
    else if (file->problem && file->may_mention)
        refuse_problem(p, file);
    else if (ct_os_file_info(place).is_link)
        ct_move_refuse(p, file->path, 0, 0, "is a symbolic link; expected a file");
    else if (change->patches.count > 0 && !ct_os_file_is_writable(place) &&
             !(p->desc->kind == CT_MOVE_KIND_COPY && change->move))
        ct_move_refuse(p, file->path, 0, 0, "is read-only, and has references to change");
    else
        return true;
    return false;
}

// `move` NULL: the file keeps its path, or it is a copy that gets another.
static void change_file(ct_move_planner *p, ct_content_file *file, const ct_move_file *move) {
    file_change change = {.file = file, .move = move};
    const bool is_stopped =
        file->problem && (file->may_mention || p->desc->kind == CT_MOVE_KIND_MOVED);
    ct_array_init(&change.patches, p->plan->allocator);
    collect_patches(p, &change);
    if ((!is_stopped && change.patches.count == 0 && !change.move) || !check_file(p, &change))
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
    if (file->problem && file->may_mention && !p->desc->is_forced)
        refuse_problem(p, file);
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

// A file is moved or copied, and patched as such; a referrer is patched where it is, also when it
// is copied besides.
static void change_file_at(ct_move_planner *p, uint32_t i) {
    ct_content_file *const file = &p->files->items.items[i];
    const ct_move_file *const set = ct_move_set_file(&p->set, file->path);
    const ct_move_file *const move = set && !set->is_done ? set : NULL;
    const bool is_referrer = (!p->is_referrer || p->is_referrer[i]) && !is_replacement(p, file);
    if (move)
        change_file(p, file, move);
    if (move ? p->is_referrer && is_referrer : set || is_referrer)
        change_file(p, file, NULL);
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
        change_file_at(p, i);
    for (uint32_t i = 0; i < p->desc->num_referrers && p->plan->errors.count == 0; ++i)
        check_referrers(p, i);
}

// --- git -----------------------------------------------------------------------------------------

// Of a path with a conflict there are up to three entries, one after the other.
static bool is_refused(const ct_move_planner *p, const char *path) {
    const uint32_t count = p->plan->errors.count;
    return count > 0 && strcmp(p->plan->errors.items[count - 1].file, path) == 0;
}

static void take_entry(ct_move_planner *p, const ct_hash_map *changes, const ct_git_entry *entry) {
    const uint64_t at = ct_hash_map_get(changes, ct_string_id64_of(entry->path).value, 0);
    ct_journal_change *const c = at ? &p->plan->journal.changes.items[at - 1] : NULL;
    if (!c || strcmp(c->from, entry->path) != 0)
        return;
    if (entry->is_unmerged && !is_refused(p, entry->path))
        ct_move_refuse(p, entry->path, 0, 0,
                       "has an unresolved conflict in git; resolve it and `git add` it first");
    if (strcmp(c->from, c->to) == 0)
        return;
    c->git_mode = entry->mode;
    c->git_object = entry->object;
}

void ct_move_add_git_entries(ct_move_planner *p) {
    ct_hash_map changes = {.allocator = p->plan->allocator};
    for (uint32_t i = 0; i < p->plan->journal.changes.count; ++i) {
        const ct_journal_change *const c = &p->plan->journal.changes.items[i];
        if (c->from && c->to)
            ct_hash_map_set(&changes, ct_string_id64_of(c->from).value, i + 1);
    }
    ct_git_entries entries;
    ct_error error = {0};
    ct_array_init(&entries, p->plan->allocator);
    if (changes.count == 0 || !ct_git_has_work_tree(p->files->roots.project))
        return;
    if (!ct_git_read_index(p->plan->allocator, p->files->roots.project, &entries, &error)) {
        if (p->desc->kind == CT_MOVE_KIND_RENAME)
            ct_move_warn(p, "cannot update git's index with the new paths: %s", error.message);
        return;
    }
    for (uint32_t i = 0; i < entries.count; ++i)
        take_entry(p, &changes, &entries.items[i]);
}
