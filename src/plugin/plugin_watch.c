#include <stdio.h>
#include <string.h>

#include "foundation/log.h"
#include "foundation/os/file.h"
#include "foundation/string/string_id.h"
#include "plugin/plugin_private.h"

enum { FOLDER_INTERVAL_NS = 1000000000 };

static bool is_same_stamp(const ct_plugin_stamp *a, const ct_plugin_stamp *b) {
    return memcmp(a, b, sizeof(*a)) == 0;
}

// A build may write several libraries that only fit each other: what `plugin` needs is tried again.
static void try_needs_again(const ct_plugin *plugin) {
    const char *const *const needs = plugin->code.api->needs;
    for (uint32_t i = 0; needs && needs[i]; ++i) {
        ct_plugin *const needed = ct_plugin_host_find(plugin->host, needs[i]);
        if (needed)
            needed->failed_stamp = (ct_plugin_stamp){0};
    }
}

static void look_at(ct_plugin *plugin) {
    const ct_plugin_stamp stamp = ct_plugin_stamp_of(plugin->path);
    if (stamp.size_bytes == 0 || is_same_stamp(&stamp, &plugin->stamp) ||
        is_same_stamp(&stamp, &plugin->failed_stamp))
        return;
    ct_error error = {0};
    if (ct_plugin_host_reload(plugin->host, plugin->name, &error)) {
        ct_log_info("plugin", "reloaded %s", plugin->name);
        return;
    }
    try_needs_again(plugin);
    if (is_same_stamp(&stamp, &plugin->failed_stamp)) // else it is unfinished: once more later
        ct_log_error("plugin", "plugin_not_reloaded",
                     "%s was not reloaded, the old one goes on: %s", plugin->name, error.message);
}

// --- Libraries that are not loaded ---------------------------------------------------------------

void ct_plugin_name_of_library(const char *path, char name[CT_PLUGIN_NAME_BYTES]) {
    const char *start = ct_path_file_name(path);
    if (strncmp(start, "lib", 3) == 0)
        start += 3;
    const char *const end = strrchr(start, '.');
    const size_t length = end ? (size_t)(end - start) : strlen(start);
    snprintf(name, CT_PLUGIN_NAME_BYTES, "%.*s", (int)length, start);
    if (length >= CT_PLUGIN_NAME_BYTES)
        name[0] = 0;
}

// The entry of a library that was left alone once, or NULL.
static ct_plugin_left *find_left(const ct_plugin_host *host, const char *path) {
    for (uint32_t i = 0; i < host->left.count; ++i)
        if (host->left.items[i].path_hash == ct_string_id64_of(path).value)
            return &host->left.items[i];
    return NULL;
}

static bool is_left_alone(const ct_plugin_host *host, const char *path) {
    const ct_plugin_left *const left = find_left(host, path);
    const ct_plugin_stamp stamp = ct_plugin_stamp_of(path);
    return stamp.size_bytes == 0 ||
           (left && is_same_stamp(&left->stamp, &stamp) &&
            (left->num_loads == UINT32_MAX || left->num_loads == host->num_loads));
}

void ct_plugin_host_leave_alone(ct_plugin_host *host, const char *path, ct_plugin_stamp stamp,
                                uint32_t num_loads) {
    ct_plugin_left *const left = find_left(host, path);
    const ct_plugin_left now = {ct_string_id64_of(path).value, stamp, num_loads};
    if (!host->copies_folder[0])
        return;
    if (left)
        *left = now;
    else
        ct_array_push(&host->left, now);
}

static bool is_plugin_path(const ct_plugin_host *host, const char *path) {
    for (uint32_t i = 0; i < host->plugins.count; ++i)
        if (strcmp(host->plugins.items[i]->path, path) == 0)
            return true;
    return false;
}

// --- Those that the program has asked for -------------------------------------------------------

// One that was left out, or unloaded, is tried again when its file has changed, or when what it needs may
// have come.
static void look_at_listed(ct_plugin_host *host) {
    ct_plugin_entry entries[CT_PLUGIN_MAX];
    uint32_t count = 0;
    for (uint32_t i = 0; i < host->listed.count && count < CT_PLUGIN_MAX; ++i) {
        const ct_plugin_listed *const listed = &host->listed.items[i];
        if (!is_plugin_path(host, listed->path) && !is_left_alone(host, listed->path))
            entries[count++] = (ct_plugin_entry){listed->name, listed->path};
    }
    if (count > 0 && ct_plugin_host_can_change(host, NULL))
        ct_plugin_load_all(host, entries, count, true);
}

// --- Folders -------------------------------------------------------------------------------------

typedef struct new_libraries {
    ct_plugin_host *host;
    const char *folder;
    ct_plugin_entry entries[CT_PLUGIN_MAX];
    char names[CT_PLUGIN_MAX][CT_PLUGIN_NAME_BYTES];
    char *paths[CT_PLUGIN_MAX];
    uint32_t count;
} new_libraries;

static bool add_library(void *user, const ct_found_file *file) {
    new_libraries *const found = user;
    char path[CT_PATH_BYTES];
    const size_t length = strlen(file->path);
    if (strchr(file->path, '/') || length < 4 || strcmp(file->path + length - 3, ".so") != 0 ||
        !ct_path_try_join(path, found->folder, file->path) || is_plugin_path(found->host, path) ||
        is_left_alone(found->host, path) || found->count == CT_PLUGIN_MAX)
        return true;
    const uint32_t i = found->count++;
    found->paths[i] = ct_alloc(found->host->allocator, strlen(path) + 1);
    strcpy(found->paths[i], path);
    ct_plugin_name_of_library(path, found->names[i]);
    found->entries[i] = (ct_plugin_entry){found->names[i], found->paths[i]};
    return true;
}

// A library that failed, or was unloaded, is tried again when it has changed.
static bool look_at_folder(ct_plugin_host *host, const char *folder, ct_error *error) {
    new_libraries *const found = CT_NEW(host->allocator, new_libraries);
    *found = (new_libraries){.host = host, .folder = folder};
    const bool is_read = ct_folder_walk(folder, add_library, found, error);
    if (found->count > 0)
        ct_plugin_load_all(host, found->entries, found->count, true);
    for (uint32_t i = 0; i < found->count; ++i)
        ct_free(host->allocator, found->paths[i]);
    ct_free_sized(host->allocator, found, sizeof(*found));
    return is_read;
}

bool ct_plugin_host_add_folder(ct_plugin_host *host, const char *folder, ct_error *error) {
    if (!host->copies_folder[0])
        return ct_error_set(error, "plugins of this program cannot be reloaded");
    if (host->num_folders == CT_PLUGIN_MAX_FOLDERS)
        return ct_error_set(error, "there are already %d folders of plugins",
                            CT_PLUGIN_MAX_FOLDERS);
    if (!look_at_folder(host, folder, error))
        return false;
    char *const copy = ct_alloc(host->allocator, strlen(folder) + 1);
    strcpy(copy, folder);
    host->folders[host->num_folders++] = copy;
    return true;
}

bool ct_plugin_host_remove_folder(ct_plugin_host *host, const char *folder) {
    for (uint32_t i = 0; i < host->num_folders; ++i) {
        if (strcmp(host->folders[i], folder) != 0)
            continue;
        ct_free(host->allocator, host->folders[i]);
        host->folders[i] = host->folders[--host->num_folders];
        return true;
    }
    return false;
}

void ct_plugin_host_forget_folders(ct_plugin_host *host) {
    while (host->num_folders > 0)
        ct_free(host->allocator, host->folders[--host->num_folders]);
}

void ct_plugin_host_watch(ct_plugin_host *host) {
    if (!host->copies_folder[0])
        return;
    for (uint32_t i = 0; i < host->plugins.count; ++i)
        look_at(host->plugins.items[i]);
    look_at_listed(host);
    const uint64_t now = host->num_folders > 0 ? ct_os_time_ns() : 0;
    if (now - host->watch_ns < FOLDER_INTERVAL_NS || host->num_folders == 0)
        return;
    host->watch_ns = now;
    for (uint32_t i = 0; i < host->num_folders; ++i)
        look_at_folder(host, host->folders[i], NULL);
}
