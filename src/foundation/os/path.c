#include "foundation/os/path.h"
#include "foundation/error.h"

#include <string.h>

bool ct_path_try_join(char path[CT_PATH_BYTES], const char *folder, const char *name) {
    const size_t name_length = strlen(name);
    size_t folder_length = name[0] == '/' ? 0 : strlen(folder);
    // The root folder, and folders written with a `/` at the end, already have one.
    const bool needs_slash =
        folder_length > 0 && name_length > 0 && folder[folder_length - 1] != '/';
    if (folder_length + needs_slash + name_length >= CT_PATH_BYTES)
        return false;
    memmove(path, folder, folder_length); // `path` may be `folder`
    if (needs_slash)
        path[folder_length++] = '/';
    memcpy(path + folder_length, name, name_length + 1);
    return true;
}

void ct_path_join(char path[CT_PATH_BYTES], const char *folder, const char *name) {
    const bool fits = ct_path_try_join(path, folder, name);
    CT_REQUIRE(fits, "the path %s/%s is longer than %d bytes", folder, name, CT_PATH_BYTES - 1);
}

void ct_path_folder(char folder[CT_PATH_BYTES], const char *path) {
    const char *const last_slash = strrchr(path, '/');
    size_t length = last_slash ? (size_t)(last_slash - path) : 0;
    if (last_slash == path)
        length = 1; // the root folder
    CT_REQUIRE(length < CT_PATH_BYTES, "the path %s is longer than %d bytes", path,
               CT_PATH_BYTES - 1);
    memmove(folder, path, length);
    folder[length] = 0;
}

const char *ct_path_file_name(const char *path) {
    const char *const last_slash = strrchr(path, '/');
    return last_slash ? last_slash + 1 : path;
}

const char *ct_path_extension(const char *path) {
    const char *const last_dot = strrchr(ct_path_file_name(path), '.');
    return last_dot ? last_dot + 1 : path + strlen(path);
}

static bool is_canonical_char(char c) {
    return (c >= 'a' && c <= 'z') || (c >= '-' && c <= '9' && c != '/') || c == '_';
}

bool ct_path_is_canonical(const char *path) {
    const char *part = path, *c = path;
    for (;; ++c) {
        if (*c && *c != '/') {
            if (!is_canonical_char(*c))
                return false;
            continue;
        }
        const size_t length = (size_t)(c - part);
        if (length == 0 || (length == 1 && part[0] == '.') ||
            (length == 2 && part[0] == '.' && part[1] == '.'))
            return false;
        if (*c == 0)
            return c - path < CT_PATH_BYTES;
        part = c + 1;
    }
}
