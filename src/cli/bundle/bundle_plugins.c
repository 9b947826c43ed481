#include "cli/bundle/bundle_plugins.h"

#include <stdio.h>
#include <string.h>

#include "foundation/os/file.h"
#include "foundation/os/path.h"
#include "resource/blob/platform.h"

void ct_bundle_plugin_libraries(const ct_config_resource *settings, ct_string_array *libraries) {
    const ct_config_node *const nodes = ct_blob_at(settings, settings->nodes.offset);
    const ct_config_node *const plugins = ct_config_find(settings, "plugins");
    char path[CT_PATH_BYTES];
    for (uint32_t i = 0; plugins && i < plugins->count; ++i) {
        const char *const name = ct_blob_at(settings, nodes[plugins->first + i].key.offset);
        snprintf(path, sizeof(path), "plugins.%.64s." CT_PLATFORM_HOST, name);
        const char *const library = ct_config_string(settings, path, "");
        if (library[0])
            ct_array_push(libraries, (char *)(uintptr_t)library);
    }
}

bool ct_bundle_plugin_check(const char *library, const char *game, ct_error *error) {
    char icon[80], desktop[80];
    snprintf(icon, sizeof(icon), "%s.png", game);
    snprintf(desktop, sizeof(desktop), "%s.desktop", game);
    const bool is_taken = strncmp(library, "bin/", 4) == 0 || strncmp(library, "data/", 5) == 0 ||
                          strcmp(library, "libraries.txt") == 0 || strcmp(library, game) == 0 ||
                          strcmp(library, icon) == 0 || strcmp(library, desktop) == 0;
    return !is_taken ||
           ct_error_set(error,
                        "the plugin's library \"%.256s\" lies where the bundle has files "
                        "of its own; move it to another folder, such as plugins/",
                        library);
}

// The path in a line `plugins/wind/wind.so  plugin`, or "".
static void read_line(const char *line, size_t bytes, char path[CT_PATH_BYTES]) {
    const size_t length = strcspn(line, " \n");
    const char *word = line + length;
    path[0] = '\0';
    while (word < line + bytes && *word == ' ')
        ++word;
    const size_t left = (size_t)(line + bytes - word);
    if (line[0] == '#' || length >= bytes || length >= CT_PATH_BYTES ||
        left != strlen(CT_BUNDLE_PLUGIN) || strncmp(word, CT_BUNDLE_PLUGIN, left) != 0)
        return;
    memcpy(path, line, length);
    path[length] = '\0';
}

void ct_bundle_plugins_listed(const char *folder, ct_string_array *paths) {
    char file[CT_PATH_BYTES], path[CT_PATH_BYTES];
    uint64_t bytes = 0;
    if (!ct_path_try_join(file, folder, "libraries.txt"))
        return;
    char *const text = ct_file_read(paths->allocator, file, &bytes, NULL);
    for (const char *line = text; line && *line;) {
        const size_t length = strcspn(line, "\n");
        read_line(line, length, path);
        if (ct_path_is_canonical(path))
            ct_array_push(paths, ct_copy_string(paths->allocator, path));
        line += length + (line[length] == '\n');
    }
    ct_free(paths->allocator, text);
}
