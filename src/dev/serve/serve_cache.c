#include "dev/serve/serve_cache.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "app/user_folder.h"
#include "foundation/container/hash_map.h"
#include "foundation/error.h"
#include "foundation/os/file.h"
#include "foundation/string/string_id.h"
#include "resource/blob/content_hash.h"
#include "resource/blob/platform.h"

enum { MAX_ENGINES = 256, NAME_BYTES = 64 };

// --- Folders -------------------------------------------------------------------------------------

bool ct_serve_cache_root(char root[CT_PATH_BYTES], ct_error *error) {
    return ct_user_cache_folder(root, "served") ||
           ct_error_set(error, "there is no folder for fetched data: neither XDG_CACHE_HOME nor "
                               "HOME is set to an absolute path");
}

// Appends parts to a path. Returns false when it does not fit.
static bool append(char path[CT_PATH_BYTES], const char *name) {
    return ct_path_try_join(path, path, name);
}

// Writes the last part of a project's name as the name of a folder.
static void write_folder_name(const char *project, char name[NAME_BYTES]) {
    uint32_t count = 0;
    for (const char *c = ct_path_file_name(project); *c && count + 1 < NAME_BYTES; ++c) {
        const bool is_plain = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') ||
                              (*c >= '0' && *c <= '9') || *c == '_' || *c == '-';
        name[count++] = is_plain ? *c : '_';
    }
    name[count] = '\0';
    if (count == 0)
        snprintf(name, NAME_BYTES, "project");
}

// Takes the first data folder of this server and project that no other engine has.
static bool take_node(ct_serve_cache *c, const char *server, const char *project, ct_error *error) {
    char text[600], nodes[CT_PATH_BYTES], lock[CT_PATH_BYTES], name[NAME_BYTES];
    int64_t holder = 0;
    snprintf(text, sizeof(text), "%.255s %.255s", server, project);
    const uint64_t hash = ct_string_id64_of(text).value;
    if (!ct_path_try_join(nodes, c->root, "nodes") || !ct_folder_create(nodes, error))
        return false;
    for (uint32_t i = 0; i < MAX_ENGINES; ++i) {
        snprintf(name, sizeof(name), "%016" PRIx64 "-%u.lock", hash, i);
        if (!ct_path_try_join(lock, nodes, name))
            return ct_error_set(error, "the path of the cache, \"%.400s\", is too long", c->root);
        if (!ct_file_lock_try(lock, &c->lock, &holder, error))
            return false;
        if (c->lock.file_plus_one == 0)
            continue;
        lock[strlen(lock) - strlen(".lock")] = '\0';
        write_folder_name(project, name);
        snprintf(c->project_folder, sizeof(c->project_folder), "%s", lock);
        return append(c->project_folder, name) ||
               ct_error_set(error, "the path of the cache, \"%.400s\", is too long", c->root);
    }
    return ct_error_set(error, "%d engines run this project on this machine; end some of them",
                        MAX_ENGINES);
}

// Names the record of this server and project, or of the server's programs.
static bool find_record(ct_serve_cache *c, const char *server, const char *project,
                        ct_error *error) {
    char text[600], name[32];
    snprintf(text, sizeof(text), "%s %.255s %.255s", project ? "project" : "engine", server,
             project ? project : "");
    snprintf(name, sizeof(name), "lists/%016" PRIx64, ct_content_hash(text, strlen(text)));
    return ct_path_try_join(c->record, c->root, name) ||
           ct_error_set(error, "the path of the cache, \"%.400s\", is too long", c->root);
}

bool ct_serve_cache_open(ct_serve_cache *c, ct_allocator *a, const char *root, const char *server,
                         const char *project, ct_error *error) {
    *c = (ct_serve_cache){.allocator = a};
    snprintf(c->root, sizeof(c->root), "%s", root);
    if (!ct_folder_create(root, error) || !find_record(c, server, project, error))
        return false;
    if (!project)
        return true;
    if (!take_node(c, server, project, error))
        return false;
    snprintf(c->data_folder, sizeof(c->data_folder), "%s", c->project_folder);
    if (append(c->data_folder, ".cuttle/data/" CT_PLATFORM_HOST) &&
        ct_folder_create(c->data_folder, error))
        return true;
    ct_serve_cache_close(c);
    return false;
}

void ct_serve_cache_close(ct_serve_cache *c) {
    ct_file_lock_release(&c->lock);
}

// --- Contents ------------------------------------------------------------------------------------

// Writes the path of a content, and of its folder.
static bool object_path(const ct_serve_cache *c, uint64_t hash, uint32_t size_bytes,
                        char folder[CT_PATH_BYTES], char path[CT_PATH_BYTES]) {
    char part[32], name[32];
    snprintf(part, sizeof(part), "objects/%02x", (unsigned)(hash >> 56));
    snprintf(name, sizeof(name), "%016" PRIx64 "-%x", hash, size_bytes);
    return ct_path_try_join(folder, c->root, part) && ct_path_try_join(path, folder, name);
}

bool ct_serve_cache_has(const ct_serve_cache *c, uint64_t hash, uint32_t size_bytes) {
    char folder[CT_PATH_BYTES], path[CT_PATH_BYTES];
    uint64_t found_bytes = 0;
    if (!object_path(c, hash, size_bytes, folder, path) ||
        ct_os_file_info(path).size_bytes != size_bytes)
        return false;
    char *const bytes = ct_file_read(c->allocator, path, &found_bytes, NULL);
    const bool result =
        bytes && found_bytes == size_bytes && ct_content_hash(bytes, found_bytes) == hash;
    ct_free(c->allocator, bytes);
    return result;
}

bool ct_serve_cache_store(const ct_serve_cache *c, uint64_t hash, const void *bytes,
                          uint32_t size_bytes, ct_error *error) {
    char folder[CT_PATH_BYTES], path[CT_PATH_BYTES];
    if (!object_path(c, hash, size_bytes, folder, path))
        return ct_error_set(error, "the path of the cache, \"%.400s\", is too long", c->root);
    return ct_folder_create(folder, error) && ct_file_write(path, bytes, size_bytes, false, error);
}

// Makes `path` another name of a content, or a copy where the file system has no links.
static bool link_object(const ct_serve_cache *c, const ct_serve_file *file, const char *path,
                        ct_error *error) {
    char folder[CT_PATH_BYTES], object[CT_PATH_BYTES], temporary[CT_PATH_BYTES];
    if (!object_path(c, file->hash, file->size_bytes, folder, object))
        return ct_error_set(error, "the path of the cache, \"%.400s\", is too long", c->root);
    // Two names of one file cannot be renamed over each other.
    if (ct_os_file_info(path).inode == ct_os_file_info(object).inode)
        return true;
    if (!ct_file_temporary_path(path, temporary, error))
        return false;
    if (ct_os_file_link(object, temporary, NULL)) {
        if (ct_os_file_rename(temporary, path, error))
            return true;
        ct_os_file_remove(temporary, NULL);
        return false;
    }
    uint64_t size_bytes = 0;
    char *const bytes = ct_file_read(c->allocator, object, &size_bytes, error);
    const bool result = bytes && ct_file_write(path, bytes, size_bytes, false, error);
    ct_free(c->allocator, bytes);
    return result;
}

// --- Data folders --------------------------------------------------------------------------------

// A number for the place of a file in its folder.
static uint64_t place_key(const ct_serve_file *file) {
    return ct_resource_id_key(file->id) + (uint64_t)file->kind;
}

static bool place_file(const ct_serve_cache *c, const ct_serve_file *file, ct_error *error) {
    char name[CT_RESOURCE_FILE_NAME_BYTES], path[CT_PATH_BYTES];
    ct_serve_file_name(file, name);
    return ct_path_try_join(path, c->data_folder, name)
               ? link_object(c, file, path, error)
               : ct_error_set(error, "the path of the cache, \"%.400s\", is too long", c->root);
}

// What is not listed is removed.
typedef struct sweep {
    const ct_serve_cache *cache;
    ct_hash_map names; // ids of the file names that stay
} sweep;

static void sweep_file(void *user, const char *name) {
    const sweep *const s = user;
    char path[CT_PATH_BYTES];
    if (!ct_hash_map_find(&s->names, ct_string_id64_of_bytes(name, (uint32_t)strlen(name)).value) &&
        ct_path_try_join(path, s->cache->data_folder, name))
        ct_os_file_remove(path, NULL);
}

static void remove_unlisted(const ct_serve_cache *c, const ct_serve_file_array *files) {
    sweep s = {.cache = c};
    ct_hash_map_init(&s.names, c->allocator);
    for (uint32_t i = 0; i < files->count; ++i) {
        char name[CT_RESOURCE_FILE_NAME_BYTES];
        ct_serve_file_name(&files->items[i], name);
        ct_hash_map_set(&s.names, ct_string_id64_of_bytes(name, (uint32_t)strlen(name)).value, 1);
    }
    ct_os_folder_list(c->data_folder, sweep_file, &s, NULL);
    ct_hash_map_free(&s.names);
}

// Maps the places of a list to the contents there.
static void map_places(ct_hash_map *map, const ct_serve_file_array *files) {
    for (uint32_t i = 0; files && i < files->count; ++i)
        ct_hash_map_set(map, place_key(&files->items[i]),
                        ct_serve_content_key(files->items[i].hash, files->items[i].size_bytes));
}

static bool is_placed(const ct_hash_map *before, const ct_serve_file *file) {
    const uint64_t *const content = ct_hash_map_find(before, place_key(file));
    return content && *content == ct_serve_content_key(file->hash, file->size_bytes);
}

static uint64_t resource_key(const ct_serve_file *file) {
    return ct_resource_id_key((ct_resource_id){file->id.type, file->base});
}

// Adds the resources of `those` in `files` that have a file which `others` does not have the same.
// A resource leaves `those` when it is added.
static void add_differences(ct_hash_map *those, const ct_serve_file_array *files,
                            const ct_hash_map *others, ct_resource_id_array *changed) {
    for (uint32_t i = 0; files && i < files->count; ++i) {
        const ct_serve_file *const file = &files->items[i];
        if (!is_placed(others, file) && ct_hash_map_erase(those, resource_key(file)))
            ct_array_push(changed, (ct_resource_id){file->id.type, file->base});
    }
}

// A resource that is no longer listed has no data that could be loaded again.
static void find_changed(const ct_serve_cache *c, const ct_serve_file_array *before,
                         const ct_hash_map *placed, const ct_serve_file_array *files,
                         ct_resource_id_array *changed) {
    ct_hash_map now, those;
    ct_hash_map_init(&now, c->allocator);
    ct_hash_map_init(&those, c->allocator);
    map_places(&now, files);
    for (uint32_t i = 0; i + 1 < files->count; ++i) // without the catalog
        ct_hash_map_set(&those, resource_key(&files->items[i]), 1);
    add_differences(&those, files, placed, changed);
    add_differences(&those, before, &now, changed); // those that lost a variant
    ct_hash_map_free(&now);
    ct_hash_map_free(&those);
}

bool ct_serve_cache_place(const ct_serve_cache *c, const ct_serve_file_array *before,
                          const ct_serve_file_array *files, ct_resource_id_array *changed,
                          ct_error *error) {
    ct_hash_map placed;
    bool result = true;
    ct_hash_map_init(&placed, c->allocator);
    map_places(&placed, before);
    for (uint32_t i = 0; result && i < files->count; ++i) // the catalog is the last
        result = is_placed(&placed, &files->items[i]) || place_file(c, &files->items[i], error);
    if (result) {
        remove_unlisted(c, files);
        find_changed(c, before, &placed, files, changed);
    }
    ct_hash_map_free(&placed);
    return result;
}

bool ct_serve_cache_place_engine(ct_serve_cache *c, const ct_serve_file_array *files,
                                 ct_error *error) {
    char name[32];
    bool result = true;
    snprintf(name, sizeof(name), "engine/%016" PRIx64, files->items[0].hash);
    if (!ct_path_try_join(c->data_folder, c->root, name))
        return ct_error_set(error, "the path of the cache, \"%.400s\", is too long", c->root);
    result = ct_folder_create(c->data_folder, error);
    for (uint32_t i = 0; result && i < files->count; ++i) {
        char file_name[CT_RESOURCE_FILE_NAME_BYTES], path[CT_PATH_BYTES];
        ct_serve_file_name(&files->items[i], file_name);
        result = place_file(c, &files->items[i], error) &&
                 ct_path_try_join(path, c->data_folder, file_name) &&
                 ct_os_file_make_executable(path, error);
    }
    return result;
}

// --- Old contents --------------------------------------------------------------------------------

typedef struct old_contents {
    char folder[CT_PATH_BYTES];
    int64_t before_ns;
} old_contents;

static void remove_if_old(void *user, const char *name, const ct_file_info *info) {
    const old_contents *const old = user;
    char path[CT_PATH_BYTES];
    if (info->kind == CT_FILE_KIND_FILE && info->num_links == 1 &&
        info->changed_ns < old->before_ns && ct_path_try_join(path, old->folder, name))
        ct_os_file_remove(path, NULL);
}

void ct_serve_cache_remove_unused(const ct_serve_cache *c, int64_t before_ns) {
    for (uint32_t i = 0; i < 256; ++i) {
        char part[32];
        old_contents old = {.before_ns = before_ns};
        snprintf(part, sizeof(part), "objects/%02x", i);
        if (ct_path_try_join(old.folder, c->root, part) &&
            ct_os_file_info(old.folder).kind == CT_FILE_KIND_FOLDER)
            ct_os_folder_list_infos(old.folder, remove_if_old, &old, NULL);
    }
}
