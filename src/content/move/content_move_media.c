// content_move_media.c: what goes with a resource: media of its own, and records of imports.
#include <stdio.h>
#include <string.h>

#include "content/move/content_move_import.h"
#include "content/move/content_move_private.h"

// The first file that names a media file and is none of those that move; NULL: none does.
static const char *other_user(const ct_move_planner *p, const char *media) {
    for (uint32_t i = 0; i < p->files->items.count; ++i) {
        const ct_content_file *const file = &p->files->items.items[i];
        if (file->num_mentions == 0 || ct_move_set_file(&p->set, file->path))
            continue;
        for (uint32_t k = 0; k < file->num_mentions; ++k) {
            const ct_mention *const m = ct_content_file_mention(p->files, file, k);
            if (m->kind == CT_MENTION_KIND_MEDIA &&
                strcmp(ct_mention_name(&p->files->mentions, m), media) == 0)
                return file->path;
        }
    }
    return NULL;
}

// A file that a model names by a path from its own folder, and that is there; NULL: none.
static const char *relative_file(const ct_move_planner *p, const ct_content_file *model) {
    for (uint32_t i = 0; i < model->num_mentions; ++i) {
        const ct_mention *const m = ct_content_file_mention(p->files, model, i);
        const char *const name = ct_mention_name(&p->files->mentions, m);
        if ((m->flags & CT_MENTION_RELATIVE) && ct_content_files_have(p->files, name))
            return name;
    }
    return NULL;
}

// The name of a target without the extension that a media file's has.
static const char *stem_of(const ct_move_target *target, char stem[CT_PATH_BYTES]) {
    snprintf(stem, CT_PATH_BYTES, "%s", target->name);
    char *const dot = strrchr(ct_path_file_name(stem), '.');
    if (target->kind == CT_MOVE_TARGET_KIND_MEDIA && dot)
        *dot = 0;
    return stem;
}

// Models that name further files stay with them, unless it is a model that moves with its files.
static void consider_media(ct_move_planner *p, const char *name) {
    char from[CT_PATH_BYTES], to[CT_PATH_BYTES];
    ct_content_file *const media = ct_content_files_find(p->files, name);
    if (!media || ct_move_set_file(&p->set, name) ||
        !ct_move_is_called(name, stem_of(&p->from, from)))
        return;
    ct_content_files_parse(p->files, media);
    const char *const other = other_user(p, media->path);
    const bool may_stay = p->from.kind == CT_MOVE_TARGET_KIND_RESOURCE; // apart from the resource
    const char *const needed = other || !may_stay ? NULL : relative_file(p, media);
    if (other)
        ct_move_warn(p, "%s stays: %s names it, too", media->path, other);
    else if (needed)
        ct_move_warn(p, "%s stays: it names %s by a path from its folder", media->path, needed);
    else
        ct_move_set_add(&p->set, media->path, from,
                        p->desc->kind == CT_MOVE_KIND_REMOVE ? NULL : stem_of(&p->to, to));
}

void ct_move_add_media(ct_move_planner *p) {
    const uint32_t count = p->set.files.count; // the sources, or the one file
    for (uint32_t i = 0; i < count; ++i) {
        const ct_content_file *const source =
            ct_content_files_find(p->files, p->set.files.items[i].from);
        for (uint32_t k = 0; k < source->num_mentions; ++k) {
            const ct_mention *const m = ct_content_file_mention(p->files, source, k);
            if (m->kind == CT_MENTION_KIND_MEDIA)
                consider_media(p, ct_mention_name(&p->files->mentions, m));
        }
    }
}

void ct_move_add_import_records(ct_move_planner *p) {
    char renamed[CT_PATH_BYTES];
    for (uint32_t i = 0; i < p->files->items.count; ++i) {
        const ct_content_file *const file = &p->files->items.items[i];
        const bool is_moved = p->desc->kind == CT_MOVE_KIND_MOVED;
        const bool is_rename = is_moved || p->desc->kind == CT_MOVE_KIND_RENAME;
        if (is_rename && file->is_import_record && file->text &&
            ct_move_import_rename(p->plan->allocator, &p->set, file, renamed) &&
            (!is_moved || !ct_content_files_have(p->files, renamed)))
            ct_move_set_add_file(&p->set, file->path, renamed);
    }
}
