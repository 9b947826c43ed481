#include "app/user_folder.h"

#include <stdio.h>

#include "foundation/os/os.h"

void ct_user_game_name(char name[CT_USER_GAME_BYTES], const char *title) {
    uint32_t bytes = 0;
    for (const char *c = title; *c != '\0' && bytes + 1 < CT_USER_GAME_BYTES; ++c) {
        const char lower = *c >= 'A' && *c <= 'Z' ? (char)(*c - 'A' + 'a') : *c;
        const bool is_plain = (lower >= 'a' && lower <= 'z') || (lower >= '0' && lower <= '9');
        if (is_plain)
            name[bytes++] = lower;
        else if (bytes > 0 && name[bytes - 1] != '_')
            name[bytes++] = '_';
    }
    while (bytes > 0 && name[bytes - 1] == '_')
        --bytes;
    name[bytes] = '\0';
    if (bytes == 0)
        snprintf(name, CT_USER_GAME_BYTES, "game");
}

// Writes <folder>/cuttle/<game>, where the folder is that of an environment variable or below HOME.
static bool find_folder(char path[CT_PATH_BYTES], const char *title, const char *variable,
                        const char *below_home) {
    const char *const folder = ct_os_environment(variable);
    const char *const home = ct_os_environment("HOME");
    // The specification has relative ones passed over.
    const bool has_folder = folder && folder[0] == '/';
    char name[CT_USER_GAME_BYTES];
    if (!has_folder && (!home || home[0] != '/'))
        return false;
    ct_user_game_name(name, title);
    const int bytes = snprintf(path, CT_PATH_BYTES, "%s%s/cuttle/%s", has_folder ? folder : home,
                               has_folder ? "" : below_home, name);
    return bytes > 0 && bytes < CT_PATH_BYTES;
}

bool ct_user_file_path(char path[CT_PATH_BYTES], const char *title, const char *file) {
    char folder[CT_PATH_BYTES];
    return find_folder(folder, title, "XDG_CONFIG_HOME", "/.config") &&
           ct_path_try_join(path, folder, file);
}

bool ct_user_cache_folder(char path[CT_PATH_BYTES], const char *title) {
    return find_folder(path, title, "XDG_CACHE_HOME", "/.cache");
}
