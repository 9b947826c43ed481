#include "content/move/content_move_set.h"

#include <stdio.h>
#include <string.h>

#include "foundation/string/string_id.h"

void ct_move_set_init(ct_move_set *set, ct_allocator *a) {
    *set = (ct_move_set){.allocator = a,
                         .by_file = {.allocator = a},
                         .by_name = {.allocator = a},
                         .by_text = {.allocator = a}};
    ct_array_init(&set->files, a);
    ct_array_init(&set->names, a);
}

static uint64_t text_key(const char *text) {
    return ct_string_id64_of(text).value;
}

static uint64_t name_key(const ct_resource_type *type, const char *name) {
    return text_key(name) ^ (type ? type->id.value * UINT64_C(0x9e3779b97f4a7c15) : 0);
}

static const char *copy_of(const ct_move_set *set, const char *text) {
    return text ? ct_copy_string(set->allocator, text) : NULL;
}

ct_move_file *ct_move_set_add_file(ct_move_set *set, const char *from, const char *to) {
    ct_array_push(&set->files, (ct_move_file){.from = copy_of(set, from), .to = copy_of(set, to)});
    ct_hash_map_set(&set->by_file, text_key(from), set->files.count);
    return &set->files.items[set->files.count - 1];
}

ct_move_name *ct_move_set_add_name(ct_move_set *set, const ct_resource_type *type, const char *from,
                                   const char *to) {
    const ct_move_name *const known = ct_move_set_name(set, type, from);
    if (known)
        return &set->names.items[known - set->names.items];
    ct_array_push(&set->names,
                  (ct_move_name){.type = type, .from = copy_of(set, from), .to = copy_of(set, to)});
    ct_hash_map_set(&set->by_name, name_key(type, from), set->names.count);
    ct_hash_map_set(&set->by_text, text_key(from), set->names.count);
    return &set->names.items[set->names.count - 1];
}

void ct_move_set_add(ct_move_set *set, const char *path, const char *from, const char *to) {
    const ct_resource_type *const type = ct_content_type_of(path);
    char new_path[CT_PATH_BYTES] = "";
    if (to)
        snprintf(new_path, sizeof(new_path), "%.*s%s", CT_PATH_BYTES - 1, to, path + strlen(from));
    ct_move_set_add_file(set, path, to ? new_path : NULL);
    char name[CT_PATH_BYTES], new_name[CT_PATH_BYTES];
    snprintf(name, sizeof(name), "%s", path);
    snprintf(new_name, sizeof(new_name), "%s", new_path);
    if (type) { // names stand without properties and type
        char *const file_name = (char *)(uintptr_t)ct_path_file_name(name);
        file_name[strcspn(file_name, ".")] = 0;
        char *const new_file_name = (char *)(uintptr_t)ct_path_file_name(new_name);
        new_file_name[strcspn(new_file_name, ".")] = 0;
    }
    ct_move_set_add_name(set, type, name, to ? new_name : NULL);
}

const ct_move_file *ct_move_set_file(const ct_move_set *set, const char *path) {
    const uint64_t at = ct_hash_map_get(&set->by_file, text_key(path), 0);
    return at && strcmp(set->files.items[at - 1].from, path) == 0 ? &set->files.items[at - 1]
                                                                  : NULL;
}

static const ct_move_name *name_at(const ct_move_set *set, uint64_t at, const char *name) {
    return at && strcmp(set->names.items[at - 1].from, name) == 0 ? &set->names.items[at - 1]
                                                                  : NULL;
}

const ct_move_name *ct_move_set_name(const ct_move_set *set, const ct_resource_type *type,
                                     const char *name) {
    const ct_move_name *const found =
        name_at(set, ct_hash_map_get(&set->by_name, name_key(type, name), 0), name);
    return found && found->type == type ? found : NULL;
}

const ct_move_name *ct_move_set_any_name(const ct_move_set *set, const char *name) {
    return name_at(set, ct_hash_map_get(&set->by_text, text_key(name), 0), name);
}
