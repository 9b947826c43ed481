// content_move_left.c: what a rename leaves behind.
#include <stdlib.h>
#include <string.h>

#include "content/move/content_move_private.h"
#include "foundation/error.h"
#include "foundation/os/os.h"

// --- Hidden files --------------------------------------------------------------------------------

// A folder that is gone through.
typedef struct left_folder {
    ct_move_planner *planner;
    const char *path; // project path
    ct_string_array folders;
} left_folder;

static void visit_entry(void *user, const char *name, const ct_file_info *info) {
    left_folder *const folder = user;
    char path[CT_PATH_BYTES];
    if (!ct_path_try_join(path, folder->path, name))
        return;
    if (name[0] == '.')
        ct_move_warn(folder->planner, "%s stays: hidden files do not move with a folder", path);
    else if (info->kind == CT_FILE_KIND_FOLDER && !info->is_link)
        ct_array_push(&folder->folders, ct_copy_string(folder->folders.allocator, path));
}

static int compare_texts(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void warn_of_hidden(ct_move_planner *p) {
    left_folder folder = {.planner = p};
    const uint32_t first = p->plan->warnings.count;
    ct_array_init(&folder.folders, p->plan->allocator);
    ct_array_push(&folder.folders, ct_copy_string(p->plan->allocator, p->from.name));
    for (uint32_t i = 0; i < folder.folders.count; ++i) {
        char place[CT_PATH_BYTES];
        folder.path = folder.folders.items[i];
        if (ct_path_try_join(place, p->files->roots.project, folder.path))
            ct_os_folder_list_infos(place, visit_entry, &folder, NULL);
    }
    const uint32_t count = p->plan->warnings.count - first;
    if (count > 1)
        qsort(p->plan->warnings.items + first, count, sizeof(char *), compare_texts);
}

// --- Links ---------------------------------------------------------------------------------------

static int compare_inodes(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static uint64_t inode_of(const ct_move_planner *p, uint32_t file) {
    return ct_reference_files(p->files->index)[file].stamp.inode;
}

// A link has the inode of what it leads to: few files are to be looked at.
static void warn_of_links(ct_move_planner *p) {
    CT_ARRAY(uint64_t) inodes;
    ct_array_init(&inodes, p->plan->allocator);
    for (uint32_t i = 0; i < p->files->items.count; ++i)
        if (ct_move_set_file(&p->set, p->files->items.items[i].path))
            ct_array_push(&inodes, inode_of(p, i));
    if (inodes.count > 1)
        qsort(inodes.items, inodes.count, sizeof(inodes.items[0]), compare_inodes);
    for (uint32_t i = 0; i < p->files->items.count && inodes.count > 0; ++i) {
        const char *const path = p->files->items.items[i].path;
        const uint64_t inode = inode_of(p, i);
        char place[CT_PATH_BYTES];
        if (bsearch(&inode, inodes.items, inodes.count, sizeof(inode), compare_inodes) &&
            !ct_move_set_file(&p->set, path) &&
            ct_path_try_join(place, p->files->roots.project, path) &&
            ct_os_file_info(place).is_link)
            ct_move_warn(p, "%s is a symbolic link to a moved file: it leads to nothing now", path);
    }
}

void ct_move_check_left(ct_move_planner *p) {
    if (p->from.kind == CT_MOVE_TARGET_KIND_FOLDER)
        warn_of_hidden(p);
    warn_of_links(p);
}
