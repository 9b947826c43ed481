#include "cli/bundle/bundle_contents.h"

#include <stdio.h>
#include <string.h>

#include "cli/bundle/bundle_plugins.h"
#include "foundation/error.h"
#include "foundation/os/file.h"
#include "foundation/os/os.h"
#include "foundation/os/path.h"
#include "resource/archive/bundle_manifest.h"

// What a visit of one folder of the bundle finds.
typedef struct contents_visit {
    const char *folder;                                    // from the bundle's: "", "data/"
    bool (*is_own)(const char *name, const char *of_game); // what belongs there
    const char *game;               // the name of the game's own files, or ""
    const ct_string_array *plugins; // libraries that libraries.txt lists
    char stranger[CT_PATH_BYTES];   // the first by its bytes; "": none
    uint32_t num_entries;
} contents_visit;

static bool ends_with(const char *name, const char *end) {
    const size_t length = strlen(name), end_length = strlen(end);
    return length > end_length && strcmp(name + length - end_length, end) == 0;
}

// --- Names ---------------------------------------------------------------------------------------

static bool is_own_at_top(const char *name, const char *game) {
    const size_t length = strlen(game);
    if (strcmp(name, "bin/") == 0 || strcmp(name, "data/") == 0 ||
        strcmp(name, "libraries.txt") == 0)
        return true;
    return length > 0 && strncmp(name, game, length) == 0 &&
           (name[length] == '\0' || strcmp(name + length, ".png") == 0 ||
            strcmp(name + length, ".desktop") == 0);
}

static bool is_own_in_bin(const char *name, const char *game) {
    (void)game;
    return strcmp(name, "cuttle-player") == 0;
}

// `base.archive`, `0123456789abcdef.archive`, `patch_0001.archive`: archives of bundles before may
// have stayed below a patch.
static bool is_own_in_data(const char *name, const char *game) {
    (void)game;
    const size_t digits = strspn(name, "0123456789abcdef");
    if (strcmp(name, CT_BUNDLE_FILE) == 0 || strcmp(name, "catalog") == 0 ||
        strcmp(name, CT_BUNDLE_BASE_FILE) == 0)
        return true;
    if (strncmp(name, "patch_", 6) == 0)
        return strspn(name + 6, "0123456789") >= 4 &&
               strcmp(name + 6 + strspn(name + 6, "0123456789"), ".archive") == 0;
    return digits == 16 && strcmp(name + digits, ".archive") == 0;
}

// --- Visits --------------------------------------------------------------------------------------

// Whether a file, or a folder with `/` at its end, is a plugin's or leads to one.
static bool is_of_plugin(const ct_string_array *plugins, const char *path) {
    const size_t length = strlen(path);
    for (uint32_t i = 0; i < plugins->count; ++i) {
        const char *const plugin = plugins->items[i];
        if (strncmp(plugin, path, length) == 0 &&
            (plugin[length] == '\0' || path[length - 1] == '/'))
            return true;
    }
    return false;
}

// Folders are asked for with a `/` behind their names; bundles have no links, and nothing but files
// and folders.
static void visit_entry(void *user, const char *name, const ct_file_info *info) {
    contents_visit *const visit = user;
    char shown[CT_PATH_BYTES];
    const bool is_folder = info->kind == CT_FILE_KIND_FOLDER;
    snprintf(shown, sizeof(shown), "%s%s", name, is_folder ? "/" : "");
    ++visit->num_entries;
    if (!info->is_link && (is_folder || info->kind == CT_FILE_KIND_FILE) &&
        (visit->is_own(shown, visit->game) ||
         (visit->folder[0] == '\0' && is_of_plugin(visit->plugins, shown))))
        return;
    char path[CT_PATH_BYTES];
    snprintf(path, sizeof(path), "%.8s%.1000s", visit->folder, name);
    if (visit->stranger[0] == '\0' || strcmp(path, visit->stranger) < 0)
        memcpy(visit->stranger, path, sizeof(path));
}

// The game's name is that of its desktop file.
static void visit_for_name(void *user, const char *name, const ct_file_info *info) {
    char *const game = user;
    if (info->kind == CT_FILE_KIND_FILE && ends_with(name, ".desktop") && strlen(name) < 256 &&
        (game[0] == '\0' || strcmp(name, game) < 0))
        snprintf(game, 256, "%.*s", (int)(strlen(name) - strlen(".desktop")), name);
}

// The name of the game's own files: there is a start script beside its desktop file. "" for a
// bundle without a player.
static bool find_game(const char *folder, char game[256], ct_error *error) {
    char path[CT_PATH_BYTES];
    if (!ct_os_folder_list_infos(folder, visit_for_name, game, error))
        return false;
    if (!ct_path_try_join(path, folder, game) || ct_os_file_info(path).kind != CT_FILE_KIND_FILE)
        game[0] = '\0';
    return true;
}

// Visits a folder of the bundle; one that is not there has no strangers.
static bool visit_folder(const char *folder, contents_visit *visit, ct_error *error) {
    char path[CT_PATH_BYTES];
    if (!ct_path_try_join(path, folder, visit->folder))
        return ct_error_set(error, "the path of the bundle is too long");
    return ct_os_file_info(path).kind == CT_FILE_KIND_NONE ||
           ct_os_folder_list_infos(path, visit_entry, visit, error);
}

// --- Plugins -------------------------------------------------------------------------------------

// A walk below a folder at the top that a plugin's library lies in.
typedef struct plugin_walk {
    const ct_string_array *plugins;
    char top[CT_PATH_BYTES];
    char stranger[CT_PATH_BYTES]; // the first; "": none
} plugin_walk;

static bool visit_file(void *user, const ct_found_file *found) {
    plugin_walk *const walk = user;
    char path[CT_PATH_BYTES];
    const bool fits = ct_path_try_join(path, walk->top, found->path);
    if (fits && !found->is_folder && !found->is_other && !found->is_link &&
        is_of_plugin(walk->plugins, path))
        return true;
    snprintf(walk->stranger, sizeof(walk->stranger), "%s", fits ? path : found->path);
    return false;
}

// In the folders of plugins are their libraries alone.
static bool check_plugins(const char *folder, const ct_string_array *plugins, ct_error *error) {
    for (uint32_t i = 0; i < plugins->count; ++i) {
        char path[CT_PATH_BYTES];
        plugin_walk walk = {.plugins = plugins};
        const size_t length = strcspn(plugins->items[i], "/");
        if (plugins->items[i][length] == '\0')
            continue;
        snprintf(walk.top, sizeof(walk.top), "%.*s", (int)length, plugins->items[i]);
        if (!ct_path_try_join(path, folder, walk.top) ||
            ct_os_file_info(path).kind == CT_FILE_KIND_NONE)
            continue;
        if (!ct_folder_walk_all(path, visit_file, &walk, error))
            return false;
        if (walk.stranger[0] != '\0')
            return ct_error_set(error, "found \"%.256s\" in it, which is not part of a bundle",
                                walk.stranger);
    }
    return true;
}

static void free_paths(ct_string_array *paths) {
    for (uint32_t i = 0; i < paths->count; ++i)
        ct_free(paths->allocator, paths->items[i]);
    ct_array_free(paths);
}

// --- The manifest --------------------------------------------------------------------------------

static bool check_manifest(ct_allocator *a, const char *folder, ct_error *error) {
    char path[CT_PATH_BYTES];
    uint64_t bytes = 0;
    ct_error inner = {0};
    if (!ct_path_try_join(path, folder, "data/" CT_BUNDLE_FILE))
        return ct_error_set(error, "the path of the bundle is too long");
    if (ct_os_file_info(path).kind == CT_FILE_KIND_NONE)
        return ct_error_set(error, "found no data/" CT_BUNDLE_FILE " in it");
    char *const data = ct_file_read(a, path, &bytes, error);
    if (!data)
        return false;
    ct_blob_header header = {0};
    memcpy(&header, data, bytes < sizeof(header) ? bytes : sizeof(header));
    const bool is_right = ct_blob_check_header(data, bytes, ct_string_id64_of(CT_BUNDLE_TYPE),
                                               header.version, &inner);
    ct_free(a, data);
    return is_right || ct_error_set(error, "its data/" CT_BUNDLE_FILE " is not a manifest: %.256s",
                                    inner.message);
}

static bool check_contents(ct_allocator *a, const char *folder, const ct_string_array *plugins,
                           ct_error *error) {
    char game[256] = "";
    if (!find_game(folder, game, error))
        return false;
    contents_visit visits[] = {
        {.folder = "", .is_own = is_own_at_top, .game = game, .plugins = plugins},
        {.folder = "bin/", .is_own = is_own_in_bin, .game = game, .plugins = plugins},
        {.folder = "data/", .is_own = is_own_in_data, .game = game, .plugins = plugins}};
    if (!visit_folder(folder, &visits[0], error))
        return false;
    if (visits[0].num_entries == 0)
        return true;
    for (uint32_t i = 0; i < CT_COUNT_OF(visits); ++i) {
        if (i > 0 && !visit_folder(folder, &visits[i], error))
            return false;
        if (visits[i].stranger[0] != '\0')
            return ct_error_set(error, "found \"%.256s\" in it, which is not part of a bundle",
                                visits[i].stranger);
    }
    return check_plugins(folder, plugins, error) && check_manifest(a, folder, error);
}

bool ct_bundle_contents_check(ct_allocator *a, const char *folder, ct_error *error) {
    ct_string_array plugins;
    ct_array_init(&plugins, a);
    ct_bundle_plugins_listed(folder, &plugins);
    const bool result = check_contents(a, folder, &plugins, error);
    free_paths(&plugins);
    return result;
}
