#include "project/source_scan.h"
#include "foundation/error.h"
#include "foundation/os/file.h"
#include "foundation/os/os.h"
#include "project/source_component.h"
#include "project/source_variants.h"
#include "resource/blob/content_hash.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_HASH_ATTEMPTS = 3 };

static uint64_t key_of(const char *path) {
    return ct_content_hash(path, strlen(path));
}

static ct_scan_file *add_file(ct_scan *scan, const char *path) {
    const ct_scan_file file = {.path = ct_copy_string(scan->allocator, path)};
    ct_array_push(&scan->files, file);
    ct_hash_map_set(&scan->by_path, key_of(path), scan->files.count);
    return &scan->files.items[scan->files.count - 1];
}

static void add_found(ct_scan *scan, const char *path, const ct_found_file *found) {
    ct_scan_file *const file = add_file(scan, path);
    file->type = ct_resource_type_named(ct_path_extension(path));
    file->is_there = true;
    file->stamp =
        (ct_file_stamp){found->size_bytes, found->modified_ns, found->changed_ns, found->inode};
}

// Links to folders are not followed; those that stay inside lead to files that are found anyway.
static void note_folder_link(ct_scan *scan, const char *path) {
    char link[CT_PATH_BYTES];
    ct_array_push(&scan->folder_links, ct_copy_string(scan->allocator, path));
    if (!ct_source_locate(&scan->roots, path, link) ||
        !ct_source_lies_below(link, scan->roots.project))
        ct_array_push(&scan->outside_links, ct_copy_string(scan->allocator, path));
}

static bool is_source(const char *path) {
    return ct_resource_type_named(ct_path_extension(path)) != NULL;
}

// Returns whether the file's type would be that of a source without its capitals.
static bool has_capital_type(const char *path) {
    char lower[CT_PATH_BYTES];
    const char *const type = ct_path_extension(path);
    uint32_t length = 0;
    for (; type[length] && length + 1 < sizeof(lower); ++length)
        lower[length] = (char)(type[length] >= 'A' && type[length] <= 'Z' ? type[length] - 'A' + 'a'
                                                                          : type[length]);
    lower[length] = 0;
    return strcmp(lower, type) != 0 && ct_resource_type_named(lower);
}

static void note_path(ct_string_array *paths, const char *path) {
    ct_array_push(paths, ct_copy_string(paths->allocator, path));
}

// True for what is noted as a fault rather than a file.
static bool is_noted(ct_scan *scan, const ct_found_file *found) {
    if (found->is_unlisted)
        note_path(&scan->unlisted, found->path);
    else if (found->is_other && is_source(found->path))
        note_path(&scan->odd_sources, found->path);
    else if (!found->is_other && !found->is_folder && has_capital_type(found->path))
        note_path(&scan->capital_types, found->path);
    else
        return found->is_other;
    return true;
}

static bool visit_project(void *user, const ct_found_file *found) {
    ct_scan *const scan = user;
    if (found->is_too_long && (found->is_folder || is_source(found->path)))
        ct_array_push(&scan->long_paths, ct_copy_string(scan->allocator, found->path));
    else if (found->is_too_long || is_noted(scan, found))
        return true;
    else if (found->is_broken_link)
        ct_array_push(&scan->broken_links, ct_copy_string(scan->allocator, found->path));
    else if (found->is_folder)
        note_folder_link(scan, found->path);
    else if (strncmp(found->path, "core/", 5) == 0)
        scan->has_core_folder = true;
    else
        add_found(scan, found->path, found);
    return true;
}

static bool visit_core(void *user, const ct_found_file *found) {
    ct_scan *const scan = user;
    char path[CT_PATH_BYTES];
    if (found->is_too_long || found->is_broken_link || found->is_other ||
        !ct_path_try_join(path, "core", found->path))
        return true;
    if (found->is_unlisted)
        note_path(&scan->unlisted, path);
    else if (found->is_folder)
        ct_array_push(&scan->folder_links, ct_copy_string(scan->allocator, path));
    else
        add_found(scan, path, found);
    return true;
}

// The compilation of settings.config, which is also a resource, reports its errors.
void ct_scan_read_settings(ct_scan *scan) {
    ct_source_content content;
    char *const text =
        ct_source_read(scan->allocator, &scan->roots, CT_SETTINGS_SOURCE, &content, NULL);
    scan->settings = text ? ct_sjson_parse(scan->allocator, text, content.size_bytes,
                                           CT_SETTINGS_SOURCE, NULL, NULL)
                          : NULL;
    scan->are_settings_bad = text && !scan->settings;
    scan->are_settings_read = true;
}

void ct_scan_init(ct_scan *scan, ct_allocator *a, ct_allocator *heap, ct_source_roots roots,
                  ct_stat_cache *cache) {
    *scan = (ct_scan){
        .allocator = a, .heap = heap, .roots = roots, .cache = cache, .by_path.allocator = a};
    ct_array_init(&scan->files, a);
    ct_array_init(&scan->folder_links, a);
    ct_array_init(&scan->outside_links, a);
    ct_array_init(&scan->broken_links, a);
    ct_array_init(&scan->long_paths, a);
    ct_array_init(&scan->odd_sources, a);
    ct_array_init(&scan->capital_types, a);
    ct_array_init(&scan->unlisted, a);
}

bool ct_scan_folders(ct_scan *scan, ct_error *error) {
    const uint32_t num_expected = scan->cache->entries.count / 2; // it knows compiled files too
    ct_array_reserve(&scan->files, num_expected);
    ct_hash_map_reserve(&scan->by_path, num_expected);
    if (!scan->are_settings_read)
        ct_scan_read_settings(scan);
    if (!ct_folder_walk_all(scan->roots.project, visit_project, scan, error))
        return false;
    scan->num_project = scan->files.count;
    if (scan->roots.core && !ct_folder_walk_all(scan->roots.core, visit_core, scan, error))
        return false;
    scan->num_found = scan->files.count;
    return true;
}

// --- Folders that cannot be listed ---------------------------------------------------------------

bool ct_scan_is_unlisted(const ct_scan *scan, const char *path) {
    for (uint32_t i = 0; i < scan->unlisted.count; ++i) {
        const char *const folder = scan->unlisted.items[i];
        const size_t length = strlen(folder);
        if (strncmp(path, folder, length) == 0 && path[length] == '/')
            return true;
    }
    return false;
}

void ct_scan_take_unlisted(ct_scan *scan, const char *path, uint64_t hash) {
    if (ct_scan_has(scan, path))
        return;
    ct_scan_file *const file = add_file(scan, path);
    file->type = ct_resource_type_named(ct_path_extension(path));
    file->is_there = file->is_hashed = true;
    file->hash = hash;
}

static bool is_under_core(const char *path) {
    return strncmp(path, "core/", 5) == 0;
}

static int compare_files(const void *a, const void *b) {
    const ct_scan_file *const x = a, *const y = b;
    const int order = (int)is_under_core(x->path) - (int)is_under_core(y->path);
    return order ? order : strcmp(x->path, y->path);
}

void ct_scan_end_taking_unlisted(ct_scan *scan) {
    if (scan->files.count == scan->num_found)
        return;
    qsort(scan->files.items, scan->files.count, sizeof(scan->files.items[0]), compare_files);
    scan->num_found = scan->files.count;
    scan->num_project = 0;
    for (uint32_t i = 0; i < scan->files.count; ++i) {
        ct_hash_map_set(&scan->by_path, key_of(scan->files.items[i].path), i + 1);
        scan->num_project += !is_under_core(scan->files.items[i].path);
    }
}

// --- Hashes --------------------------------------------------------------------------------------

static bool stamp_of(const ct_scan *scan, const char *path, ct_file_stamp *stamp) {
    char file[CT_PATH_BYTES];
    if (!ct_source_locate(&scan->roots, path, file))
        return false;
    const ct_file_info info = ct_os_file_info(file);
    *stamp = ct_file_stamp_of(&info);
    return info.kind == CT_FILE_KIND_FILE;
}

static void look(ct_scan *scan, ct_scan_file *file) {
    file->is_hashed = false;
    file->hash = 0;
    file->is_there = stamp_of(scan, file->path, &file->stamp);
}

// Reads the file until its stamp is the same before and after.
static void hash_file(ct_scan *scan, ct_scan_file *file) {
    for (uint32_t i = 0; i < MAX_HASH_ATTEMPTS; ++i) {
        const int64_t now_ns = ct_os_wall_time_ns();
        const ct_file_stamp before = file->stamp;
        ct_source_content content;
        ct_free(scan->heap, ct_source_read(scan->heap, &scan->roots, file->path, &content, NULL));
        file->hash = content.hash;
        file->is_there = stamp_of(scan, file->path, &file->stamp);
        if (!file->is_there)
            return;
        if (ct_file_stamp_equal(before, file->stamp)) {
            ct_stat_cache_set(scan->cache, file->path, file->stamp, file->hash, now_ns);
            return;
        }
    }
}

uint32_t ct_scan_take_known(ct_scan *scan) {
    uint32_t num_unknown = 0;
    for (uint32_t i = 0; i < scan->num_found; ++i) {
        ct_scan_file *const file = &scan->files.items[i];
        file->is_hashed = ct_stat_cache_find(scan->cache, file->path, file->stamp, &file->hash);
        num_unknown += !file->is_hashed && file->type;
    }
    return num_unknown;
}

// The path of a value in the settings, or NULL for a file's path.
static const char *setting_of(const char *path) {
    const size_t length = strlen(CT_SETTING_PREFIX);
    return strncmp(path, CT_SETTING_PREFIX, length) == 0 ? path + length : NULL;
}

// The name of a component type, or NULL.
static const char *component_of(const char *path) {
    const size_t length = strlen(CT_SOURCE_COMPONENT);
    return strncmp(path, CT_SOURCE_COMPONENT, length) == 0 ? path + length : NULL;
}

static uint64_t hash_component(const ct_scan *scan, const char *name) {
    for (uint32_t i = 0; i < scan->num_components; ++i)
        if (strcmp(scan->components[i].name, name) == 0)
            return scan->components[i].hash;
    return 0;
}

// True for what a compilation depends on that is no file.
static bool is_no_file(const char *path) {
    return setting_of(path) || component_of(path) || ct_source_is_variants(path);
}

bool ct_scan_is_unknown(const ct_scan *scan, const char *path) {
    return scan->are_settings_bad && setting_of(path);
}

static ct_scan_file *known_file(const ct_scan *scan, const char *path) {
    const uint64_t at = ct_hash_map_get(&scan->by_path, key_of(path), 0);
    const bool is_known = at > 0 && strcmp(scan->files.items[at - 1].path, path) == 0;
    return is_known ? &scan->files.items[at - 1] : NULL;
}

// True for a path that the walk would have found if a file were there.
static bool is_walked(const ct_scan *scan, const char *path) {
    if (!ct_path_is_canonical(path) || path[0] == '.' || strstr(path, "/."))
        return false;
    for (uint32_t i = 0; i < scan->folder_links.count; ++i) {
        const char *const link = scan->folder_links.items[i];
        const size_t length = strlen(link);
        if (strncmp(path, link, length) == 0 && path[length] == '/')
            return false;
    }
    return true;
}

static ct_scan_file *file_at(ct_scan *scan, const char *path) {
    ct_scan_file *file = known_file(scan, path);
    if (file)
        return file;
    file = add_file(scan, path);
    if (!is_walked(scan, path))
        look(scan, file);
    return file;
}

static uint64_t hash_of(ct_scan *scan, ct_scan_file *file) {
    if (file->is_hashed || !file->is_there)
        return file->hash;
    file->is_hashed = true;
    if (!ct_stat_cache_find(scan->cache, file->path, file->stamp, &file->hash))
        hash_file(scan, file);
    return file->hash;
}

uint64_t ct_scan_hash(ct_scan *scan, const char *path) {
    const char *const setting = setting_of(path);
    if (setting)
        return ct_setting_hash(scan->settings, ct_setting_find(scan->settings, setting));
    const char *const component = component_of(path);
    if (component)
        return hash_component(scan, component);
    if (ct_source_is_variants(path))
        return ct_source_hash_variants(scan->heap, &scan->roots, path);
    ct_scan_file *const file = known_file(scan, path);
    if (!file && is_walked(scan, path))
        return 0;
    return hash_of(scan, file ? file : file_at(scan, path));
}

uint64_t ct_scan_file_hash(ct_scan *scan, uint32_t i) {
    return hash_of(scan, &scan->files.items[i]);
}

const ct_scan_file *ct_scan_take_hash(ct_scan *scan, const char *path, ct_file_stamp stamp,
                                      uint64_t hash, int64_t read_ns) {
    if (is_no_file(path))
        return NULL;
    ct_scan_file *const file = file_at(scan, path);
    if (!file->is_hashed && file->is_there && hash != 0 &&
        ct_file_stamp_equal(file->stamp, stamp)) {
        file->is_hashed = true;
        file->hash = hash;
        ct_stat_cache_set(scan->cache, file->path, stamp, hash, read_ns);
    }
    hash_of(scan, file);
    return file;
}

void ct_scan_refresh(ct_scan *scan, const char *path) {
    if (setting_of(path))
        ct_scan_read_settings(scan);
    else if (!is_no_file(path))
        look(scan, file_at(scan, path));
}

bool ct_scan_has(const ct_scan *scan, const char *path) {
    const ct_scan_file *const file = known_file(scan, path);
    return file && file->is_there;
}

bool ct_scan_was_found(const ct_scan *scan, const char *path) {
    const ct_scan_file *const file = known_file(scan, path);
    return file && file < scan->files.items + scan->num_found;
}
