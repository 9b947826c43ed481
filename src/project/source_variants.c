#include "project/source_variants.h"

#include <stdlib.h>
#include <string.h>

#include "foundation/memory/temp_allocator.h"
#include "resource/blob/content_hash.h"

// What file names in the folder must begin and end with; both include the dot between them.
typedef struct variants {
    ct_string_array *names;
    char start[CT_PATH_BYTES];
    const char *end;
} variants;

bool ct_source_is_variants(const char *path) {
    return strstr(path, CT_SOURCE_VARIANTS) != NULL;
}

static void note_name(void *user, const char *name, const ct_file_info *info) {
    const variants *const v = user;
    const size_t length = strlen(name), start = strlen(v->start), end = strlen(v->end);
    if (info->kind == CT_FILE_KIND_FILE && length + 1 >= start + end &&
        strncmp(name, v->start, start) == 0 && strcmp(name + length - end, v->end) == 0 &&
        ct_path_is_canonical(name))
        ct_array_push(v->names, ct_copy_string(v->names->allocator, name));
}

static int compare_names(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

// Puts the folder of `path` in front of a name.
static char *path_of(ct_allocator *a, const char *path, char *name) {
    char folder[CT_PATH_BYTES], joined[CT_PATH_BYTES];
    if (ct_path_file_name(path) == path)
        return name;
    ct_path_folder(folder, path);
    const bool is_joined = ct_path_try_join(joined, folder, name);
    ct_free(a, name);
    return is_joined ? ct_copy_string(a, joined) : NULL;
}

uint64_t ct_source_list_variants(const ct_source_roots *roots, const char *path,
                                 ct_string_array *paths) {
    char file[CT_PATH_BYTES], folder[CT_PATH_BYTES];
    variants v = {.names = paths};
    const char *const pattern = ct_path_file_name(path);
    const char *const star = strstr(pattern, CT_SOURCE_VARIANTS);
    if (!star || !ct_source_locate(roots, path, file))
        return 0;
    memcpy(v.start, pattern, (size_t)(star + 1 - pattern));
    v.end = star + 2;
    ct_path_folder(folder, file);
    ct_os_folder_list_infos(folder, note_name, &v, NULL);
    if (paths->count > 1)
        qsort(paths->items, paths->count, sizeof(paths->items[0]), compare_names);
    uint64_t hash = 0;
    uint32_t count = 0;
    for (uint32_t i = 0; i < paths->count; ++i) {
        char *const found = path_of(paths->allocator, path, paths->items[i]);
        if (!found)
            continue;
        paths->items[count++] = found;
        const uint64_t parts[2] = {hash, ct_source_hash(found, strlen(found))};
        hash = ct_source_hash(parts, sizeof(parts));
    }
    paths->count = count;
    return hash;
}

uint64_t ct_source_hash_variants(ct_allocator *a, const ct_source_roots *roots, const char *path) {
    CT_TEMP_ALLOCATOR(temp, a);
    ct_string_array paths;
    ct_array_init(&paths, temp);
    return ct_source_list_variants(roots, path, &paths);
}
