// content_move_check.c: new paths that are taken, and packages' wildcards that match no more.
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "content/move/content_move_private.h"
#include "foundation/error.h"
#include "foundation/os/file.h"
#include "foundation/string/string_id.h"
#include "resource/resource_id.h"
#include "resource/types/package_resource.h"

// --- New paths -----------------------------------------------------------------------------------

static uint64_t lower_key(const char *path) {
    char lower[CT_PATH_BYTES];
    uint32_t length = 0;
    for (; path[length] && length + 1 < sizeof(lower); ++length)
        lower[length] = (char)tolower((unsigned char)path[length]);
    lower[length] = 0;
    return ct_string_id64_of(lower).value;
}

// The files by their paths in lower case: some file systems know no other.
static ct_hash_map lower_paths(const ct_move_planner *p) {
    ct_hash_map map = {.allocator = p->plan->allocator};
    for (uint32_t i = 0; i < p->files->items.count; ++i)
        ct_hash_map_set(&map, lower_key(p->files->items.items[i].path), i + 1);
    return map;
}

static void check_path(ct_move_planner *p, const ct_hash_map *lower, const ct_move_file *file) {
    const uint64_t at = ct_hash_map_get(lower, lower_key(file->to), 0);
    const char *const taken = at ? p->files->items.items[at - 1].path : NULL;
    if (strlen(file->to) >= CT_PATH_BYTES - 1)
        ct_move_refuse(p, file->from, 0, 0, "its new path is too long");
    else if (taken && strcmp(taken, file->to) == 0)
        ct_move_refuse(p, file->to, 0, 0, "exists already");
    else if (taken)
        ct_move_refuse(p, file->to, 0, 0, "differs from %s only in case", taken);
}

static void check_name(ct_move_planner *p, const ct_move_name *name) {
    if (name->type && strlen(name->to) >= CT_RESOURCE_NAME_BYTES)
        ct_move_refuse(p, NULL, 0, 0, "the new name of %s.%s is longer than %d bytes", name->from,
                       name->type->name, CT_RESOURCE_NAME_BYTES - 1);
}

// Of a resource any variant counts; a folder may be there when it has nothing that belongs to the
// project: hidden files only.
static bool is_taken(const ct_move_planner *p) {
    char place[CT_PATH_BYTES];
    if (p->to.kind == CT_MOVE_TARGET_KIND_FOLDER &&
        ct_path_try_join(place, p->files->roots.project, p->to.name)) {
        const ct_file_info info = ct_os_file_info(place);
        if (info.is_link || (info.kind != CT_FILE_KIND_NONE && info.kind != CT_FILE_KIND_FOLDER))
            return true;
    }
    for (uint32_t i = 0; i < p->files->items.count; ++i)
        if (ct_move_target_has(&p->to, p->files->items.items[i].path))
            return true;
    return false;
}

static bool visit_entry(void *user, const ct_found_file *found) {
    ct_move_planner *const p = user;
    char path[CT_PATH_BYTES];
    if ((found->is_folder || found->is_broken_link || found->is_link || found->is_other) &&
        ct_path_try_join(path, p->from.name, found->path))
        ct_move_refuse(p, path, 0, 0,
                       found->is_other ? "is not a file; expected only files and folders"
                                       : "is a symbolic link; expected only files and folders");
    return true;
}

// Links in a folder that moves would lead elsewhere.
static void check_links(ct_move_planner *p) {
    char place[CT_PATH_BYTES];
    if (p->from.kind == CT_MOVE_TARGET_KIND_FOLDER &&
        ct_path_try_join(place, p->files->roots.project, p->from.name))
        ct_folder_walk_all(place, visit_entry, p, NULL);
}

void ct_move_check_paths(ct_move_planner *p) {
    char text[CT_PATH_BYTES];
    check_links(p);
    if (p->desc->kind != CT_MOVE_KIND_RENAME && p->desc->kind != CT_MOVE_KIND_COPY)
        return;
    ct_move_target_write(&p->to, text);
    if (is_taken(p)) {
        ct_move_refuse(p, NULL, 0, 0, "\"%s\" exists already", text);
        return;
    }
    const ct_hash_map lower = lower_paths(p);
    for (uint32_t i = 0; i < p->set.files.count; ++i)
        check_path(p, &lower, &p->set.files.items[i]);
    for (uint32_t i = 0; i < p->set.names.count; ++i)
        check_name(p, &p->set.names.items[i]);
}

// --- Packages ------------------------------------------------------------------------------------

const char *ct_move_pattern(const ct_move_planner *p, const char *pattern) {
    const size_t length = strlen(p->from.name);
    char text[2 * CT_PATH_BYTES];
    if (p->from.kind != CT_MOVE_TARGET_KIND_FOLDER || p->desc->kind == CT_MOVE_KIND_REMOVE ||
        strncmp(pattern, p->from.name, length) != 0 || pattern[length] != '/')
        return NULL;
    snprintf(text, sizeof(text), "%s%s", p->to.name, pattern + length);
    return ct_copy_string(p->plan->allocator, text);
}

// Resources that a pattern matched and no longer does, or the other way round.
typedef struct lost_names {
    uint32_t count;
    const char *first;
} lost_names;

static void add_name(lost_names *names, const char *name) {
    if (names->count++ == 0)
        names->first = name;
}

static void warn_of(ct_move_planner *p, const char *package, const ct_mention *m,
                    const char *pattern, const lost_names *names, const char *what) {
    if (names->count == 1)
        ct_move_warn(p, "%s:%u:%u: %s \"%s\" %s %s", package, m->line, m->column, m->type->name,
                     pattern, what, names->first);
    else if (names->count > 1)
        ct_move_warn(p, "%s:%u:%u: %s \"%s\" %s %s and %u more", package, m->line, m->column,
                     m->type->name, pattern, what, names->first, names->count - 1);
}

static void check_pattern(ct_move_planner *p, const char *package, const ct_mention *m) {
    const char *const pattern = ct_mention_name(&p->files->mentions, m);
    const char *const patched = ct_move_pattern(p, pattern);
    lost_names left = {0}, come = {0};
    for (uint32_t i = 0; i < p->set.names.count; ++i) {
        const ct_move_name *const name = &p->set.names.items[i];
        if (name->type != m->type)
            continue;
        const bool was = ct_package_pattern_matches(pattern, name->from);
        const bool is = ct_package_pattern_matches(patched ? patched : pattern, name->to);
        if (was && !is)
            add_name(&left, name->from);
        else if (!was && is)
            add_name(&come, name->to);
    }
    warn_of(p, package, m, pattern, &left, "no longer brings");
    warn_of(p, package, m, pattern, &come, "now brings");
}

void ct_move_check_packages(ct_move_planner *p) {
    for (uint32_t i = 0; i < p->files->items.count; ++i) {
        const ct_content_file *const file = &p->files->items.items[i];
        for (uint32_t k = 0; k < file->num_mentions; ++k) {
            const ct_mention *const m = ct_content_file_mention(p->files, file, k);
            if (m->kind == CT_MENTION_KIND_PATTERN)
                check_pattern(p, file->path, m);
        }
    }
}
