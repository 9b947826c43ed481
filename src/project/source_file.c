#include "project/source_file.h"
#include "foundation/container/array.h"
#include "foundation/error.h"
#include "foundation/os/file.h"
#include "foundation/os/os.h"
#include "resource/blob/content_hash.h"
#include "resource/schema/schema.h"

#include <stdlib.h>
#include <string.h>

static bool is_under_core(const char *path) {
    return strncmp(path, "core/", 5) == 0;
}

static bool has_parent_part(const char *path) {
    for (const char *part = path; part; part = strchr(part, '/')) {
        part += *part == '/';
        if (strncmp(part, "..", 2) == 0 && (part[2] == 0 || part[2] == '/'))
            return true;
    }
    return false;
}

bool ct_source_locate(const ct_source_roots *roots, const char *path, char file[CT_PATH_BYTES]) {
    const bool in_core = is_under_core(path);
    const char *const root = in_core ? roots->core : roots->project;
    const char *const rest = in_core ? path + 5 : path;
    if (!root || rest[0] == 0 || rest[0] == '/' || has_parent_part(rest))
        return false;
    return ct_path_try_join(file, root, rest);
}

bool ct_source_lies_below(const char *file, const char *root) {
    char real[CT_PATH_BYTES];
    const size_t length = strlen(root);
    if (!ct_os_absolute_path(file, real, NULL) || strncmp(real, root, length) != 0)
        return false;
    return real[length] == '/' || real[length] == 0 || (length > 0 && root[length - 1] == '/');
}

uint64_t ct_source_hash(const void *bytes, uint64_t size_bytes) {
    const uint64_t hash = ct_content_hash(bytes, size_bytes);
    return hash ? hash : 1;
}

char *ct_source_read(ct_allocator *a, const ct_source_roots *roots, const char *path,
                     ct_source_content *content, ct_error *error) {
    char file[CT_PATH_BYTES];
    *content = (ct_source_content){0};
    const bool has_place = ct_source_locate(roots, path, file);
    const ct_file_info info = has_place ? ct_os_file_info(file) : (ct_file_info){0};
    if (info.kind != CT_FILE_KIND_FILE) {
        ct_error_set(error, CT_SOURCE_MISSING_START "%s" CT_SOURCE_MISSING_END, path);
        return NULL;
    }
    if (!ct_source_lies_below(file, is_under_core(path) ? roots->core : roots->project)) {
        ct_error_set(error, "the file \"%s\" is a link that leads out of the project", path);
        return NULL;
    }
    uint64_t size_bytes = 0;
    char *const data = ct_file_read(a, file, &size_bytes, error);
    if (!data)
        return NULL;
    *content = (ct_source_content){
        .size_bytes = size_bytes,
        .hash = ct_source_hash(data, size_bytes),
        .stamp = ct_file_stamp_of(&info),
    };
    return data;
}

static void note_file(void *user, const char *name, const ct_file_info *info) {
    ct_string_array *const names = user;
    if (info->kind == CT_FILE_KIND_FILE && name[0] != '.')
        ct_array_push(names, ct_copy_string(names->allocator, name));
}

static int compare_names(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

char *ct_source_nearest(ct_allocator *a, const ct_source_roots *roots, const char *path) {
    char file[CT_PATH_BYTES], folder[CT_PATH_BYTES];
    if (!ct_source_locate(roots, path, file))
        return NULL;
    ct_string_array names;
    ct_array_init(&names, a);
    ct_path_folder(folder, file);
    ct_os_folder_list_infos(folder, note_file, &names, NULL);
    if (names.count > 1)
        qsort(names.items, names.count, sizeof(names.items[0]), compare_names);
    const char *const nearest = ct_nearest_name(
        ct_path_file_name(path), (const char *const *)(void *)names.items, names.count);
    ct_path_folder(folder, path);
    const bool has_path = nearest && ct_path_try_join(file, folder, nearest);
    for (uint32_t i = 0; i < names.count; ++i)
        ct_free(a, names.items[i]);
    ct_array_free(&names);
    return has_path ? ct_copy_string(a, file) : NULL;
}
