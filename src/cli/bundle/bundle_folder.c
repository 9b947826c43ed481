#include "cli/bundle/bundle_folder.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/bundle/bundle_contents.h"
#include "foundation/error.h"
#include "foundation/os/file.h"
#include "foundation/os/os.h"

// Temporaries are called `.<name>.<process>.bundle`.
#define TEMPORARY_SUFFIX ".bundle"

// What a visit of the folder around the target looks for.
typedef struct leftover_visit {
    const char *parent, *name;
} leftover_visit;

// The process that made the temporary `found` for `name`; 0 when it is none.
static int64_t maker_of(const char *found, const char *name) {
    const size_t length = strlen(name);
    if (found[0] != '.' || strncmp(found + 1, name, length) != 0 || found[1 + length] != '.')
        return 0;
    char *end = NULL;
    const int64_t process = strtoll(found + length + 2, &end, 10);
    return end && strcmp(end, TEMPORARY_SUFFIX) == 0 ? process : 0;
}

static void remove_leftover(void *user, const char *found) {
    const leftover_visit *const visit = user;
    const int64_t process = maker_of(found, visit->name);
    char path[CT_PATH_BYTES];
    if (process > 0 && !ct_os_process_exists(process) &&
        ct_path_try_join(path, visit->parent, found))
        ct_folder_remove(path, NULL);
}

// Bundles are replaced, other people's folders are not.
static bool may_replace(ct_allocator *a, const char *target, ct_error *error) {
    const ct_file_kind kind = ct_os_file_info(target).kind;
    ct_error inner = {0};
    if (kind == CT_FILE_KIND_NONE)
        return true;
    if (kind != CT_FILE_KIND_FOLDER)
        return ct_error_set(error, "\"%s\" is not a folder", target);
    return ct_bundle_contents_check(a, target, &inner) ||
           ct_error_set(error, "the folder \"%.400s\" is not a bundle and stays as it is: %s",
                        target, inner.message);
}

// Makes `folder` and what is to lie above it.
static bool make_folders(ct_bundle_folder *f, const char *folder, ct_error *error) {
    char part[CT_PATH_BYTES];
    ct_path_join(part, "", folder);
    for (char *end = part; *end != '\0';) {
        end = strchr(end + 1, '/') ? strchr(end + 1, '/') : end + strlen(end);
        const char after = *end;
        *end = '\0';
        const bool is_new = ct_os_file_info(part).kind == CT_FILE_KIND_NONE;
        if (!ct_os_folder_make(part, error) ||
            (is_new && f->made[0] == '\0' && !ct_os_absolute_path(part, f->made, error)))
            return false;
        *end = after;
    }
    return true;
}

// Whether `folder` is `above` or lies in it; both are absolute.
static bool lies_in(const char *folder, const char *above) {
    const size_t length = strlen(above);
    return strncmp(folder, above, length) == 0 &&
           (folder[length] == '/' || folder[length] == '\0' || length == 1);
}

// Sets the target, whose folder is made; it itself need not be there.
static bool find_target(ct_bundle_folder *f, const char *path, ct_error *error) {
    char trimmed[CT_PATH_BYTES], parent[CT_PATH_BYTES];
    if (path[0] == '\0' || !ct_path_try_join(trimmed, "", path))
        return ct_error_set(error, path[0] == '\0' ? "-o is empty; expected a folder"
                                                   : "the path of the bundle is too long");
    for (size_t end = strlen(trimmed); end > 1 && trimmed[end - 1] == '/'; --end)
        trimmed[end - 1] = '\0';
    if (ct_os_file_info(trimmed).kind != CT_FILE_KIND_NONE)
        return ct_os_absolute_path(trimmed, f->target, error);
    const char *const name = ct_path_file_name(trimmed);
    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
        return ct_error_set(error, "the folder \"%s\" does not exist", path);
    ct_path_folder(parent, trimmed);
    return make_folders(f, parent, error) &&
           ct_os_absolute_path(parent[0] != '\0' ? parent : ".", parent, error) &&
           (ct_path_try_join(f->target, parent, name) ||
            ct_error_set(error, "the path \"%s\" is too long", path));
}

// A folder that is replaced leaves those that run in it in one that is gone.
static bool check_place(const char *target, const char *path, ct_error *error) {
    char here[CT_PATH_BYTES];
    if (!ct_os_absolute_path(".", here, error))
        return false;
    return !lies_in(here, target) ||
           ct_error_set(
               error,
               "the folder \"%s\" would be replaced, but this command runs inside it; name "
               "another folder, or run the command elsewhere",
               path);
}

bool ct_bundle_folder_begin(ct_bundle_folder *f, ct_allocator *a, const char *path,
                            ct_error *error) {
    char parent[CT_PATH_BYTES], name[CT_PATH_BYTES];
    *f = (ct_bundle_folder){.allocator = a};
    if (!find_target(f, path, error) || !may_replace(a, f->target, error) ||
        !check_place(f->target, path, error))
        return false;
    ct_path_folder(parent, f->target);
    const char *const target_name = ct_path_file_name(f->target);
    leftover_visit visit = {.parent = parent, .name = target_name};
    if (!ct_os_folder_list(parent, remove_leftover, &visit, error))
        return false;
    const int length = snprintf(name, sizeof(name), ".%s.%" PRId64 TEMPORARY_SUFFIX, target_name,
                                ct_os_process_id());
    if (length >= (int)sizeof(name) || !ct_path_try_join(f->temporary, parent, name))
        return ct_error_set(error, "the path \"%s\" is too long", path);
    return ct_folder_create(f->temporary, error);
}

bool ct_bundle_folder_finish(ct_bundle_folder *f, ct_error *error) {
    if (ct_os_file_info(f->target).kind == CT_FILE_KIND_NONE)
        return ct_os_file_rename(f->temporary, f->target, error);
    // Compiling took its time: something may have come into the folder meanwhile.
    return may_replace(f->allocator, f->target, error) &&
           ct_os_file_exchange(f->temporary, f->target, error) &&
           ct_folder_remove(f->temporary, error);
}

void ct_bundle_folder_abandon(ct_bundle_folder *f) {
    char folder[CT_PATH_BYTES];
    if (f->temporary[0] != '\0')
        ct_folder_remove(f->temporary, NULL);
    ct_path_folder(folder, f->target);
    while (f->made[0] != '\0' && lies_in(folder, f->made) && ct_os_folder_remove(folder, NULL))
        ct_path_folder(folder, folder);
}
