#include "cli/debug/dap_paths.h"

#include <stdio.h>
#include <string.h>

#include "foundation/os/file.h"
#include "foundation/os/os.h"
#include "foundation/string/hex.h"

#define CORE "core/"

// --- URIs ----------------------------------------------------------------------------------------

bool ct_dap_path_of_uri(const char *uri, char path[CT_PATH_BYTES], ct_error *error) {
    static const char *const starts[] = {"file://localhost/", "file:///"};
    const char *rest = NULL;
    for (uint32_t i = 0; i < CT_COUNT_OF(starts) && !rest; ++i) {
        if (strncmp(uri, starts[i], strlen(starts[i])) == 0)
            rest = uri + strlen(starts[i]) - 1;
    }
    if (!rest)
        return ct_error_set(error,
                            "\"%.200s\" is not a file of this machine; expected a URI "
                            "file:///PATH",
                            uri);
    uint32_t length = 0;
    for (; *rest != '\0' && *rest != '?' && *rest != '#'; ++length) {
        if (length + 1 >= CT_PATH_BYTES)
            return ct_error_set(error, "a path of more than %d bytes", CT_PATH_BYTES - 1);
        const int high = *rest == '%' ? ct_hex_digit(rest[1]) : 0;
        const int low = *rest == '%' && high >= 0 ? ct_hex_digit(rest[2]) : 0;
        if (high < 0 || low < 0 || (*rest == '%' && high == 0 && low == 0))
            return ct_error_set(error, "\"%.200s\" has a bad escape; expected %%XX", uri);
        path[length] = *rest == '%' ? (char)(high * 16 + low) : *rest;
        rest += *rest == '%' ? 3 : 1;
    }
    path[length] = '\0';
    return true;
}

void ct_dap_add_uri(ct_string_builder *out, const char *path) {
    static const char digits[] = "0123456789ABCDEF";
    ct_string_builder_add(out, "file://");
    for (const char *c = path; *c != '\0'; ++c) {
        const uint8_t byte = (uint8_t)*c;
        const bool is_letter = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
        if (is_letter || (byte >= '0' && byte <= '9') || strchr("/-._~", *c)) {
            ct_string_builder_add_char(out, *c);
        } else {
            ct_string_builder_add_char(out, '%');
            ct_string_builder_add_char(out, digits[byte >> 4]);
            ct_string_builder_add_char(out, digits[byte & 15]);
        }
    }
}

// --- Paths ---------------------------------------------------------------------------------------

bool ct_dap_tidy_path(const char *path, char out[CT_PATH_BYTES]) {
    if (path[0] != '/')
        return false;
    uint32_t length = 0;
    for (const char *part = path; *part != '\0';) {
        part += strspn(part, "/");
        const uint32_t bytes = (uint32_t)strcspn(part, "/");
        if (bytes == 2 && part[0] == '.' && part[1] == '.') {
            while (length > 0 && out[--length] != '/') {
            }
        } else if (bytes != 0 && !(bytes == 1 && part[0] == '.')) {
            if (length + 1 + bytes >= CT_PATH_BYTES)
                return false;
            out[length] = '/';
            memcpy(out + length + 1, part, bytes);
            length += 1 + bytes;
        }
        part += bytes;
    }
    if (length == 0)
        out[length++] = '/';
    out[length] = '\0';
    return true;
}

// --- Scripts -------------------------------------------------------------------------------------

// Writes `path` without links where it exists, else as it is.
static void resolve(const char *path, char resolved[CT_PATH_BYTES]) {
    if (!ct_os_absolute_path(path, resolved, NULL) && !ct_path_try_join(resolved, "", path))
        resolved[0] = '\0';
}

void ct_dap_paths_set(ct_dap_paths *p, const char *project, const char *core) {
    char shown[CT_PATH_BYTES] = "";
    resolve(project, p->project);
    resolve(core, p->core);
    if (p->shown[0] != '\0')
        resolve(p->shown, shown);
    if (strcmp(shown, p->project) != 0 || shown[0] == '\0')
        memcpy(p->shown, p->project, sizeof(p->shown));
}

// Returns what follows `folder` in a path, or NULL when it is not below it.
static const char *below(const char *folder, const char *path) {
    const size_t length = strlen(folder);
    if (length == 0 || strncmp(path, folder, length) != 0 || path[length] != '/')
        return NULL;
    return path + length + 1;
}

// Looks at a tidy path.
static bool find_script(const ct_dap_paths *p, const char *path, char script[CT_PATH_BYTES]) {
    const char *const in_core = below(p->core, path);
    if (in_core)
        return ct_path_try_join(script, "core", in_core);
    const char *rest = below(p->project, path);
    if (!rest)
        rest = below(p->shown, path);
    return rest && ct_path_try_join(script, "", rest);
}

// Remembers how the client spells the project when `path` ends with the script.
static void learn(ct_dap_paths *p, const char *path, const char *script) {
    const size_t bytes = strlen(path), script_bytes = strlen(script);
    if (strncmp(script, CORE, strlen(CORE)) == 0 || bytes <= script_bytes + 1 ||
        strcmp(path + bytes - script_bytes, script) != 0)
        return;
    snprintf(p->shown, sizeof(p->shown), "%.*s", (int)(bytes - script_bytes - 1), path);
}

bool ct_dap_paths_script(ct_dap_paths *p, const char *path, char script[CT_PATH_BYTES],
                         ct_error *error) {
    char tidy[CT_PATH_BYTES], real[CT_PATH_BYTES];
    if (!ct_dap_tidy_path(path, tidy))
        return ct_error_set(error, "\"%.300s\" is not an absolute path of less than %d bytes", path,
                            CT_PATH_BYTES);
    if (find_script(p, tidy, script))
        return true;
    const bool has_folder = ct_file_absolute_path(tidy, real, NULL);
    if ((has_folder && find_script(p, real, script)) ||
        (ct_os_absolute_path(tidy, real, NULL) && find_script(p, real, script))) {
        learn(p, tidy, script);
        return true;
    }
    return ct_error_set(error, "\"%.300s\" is neither in the project \"%.300s\" nor in core", path,
                        p->project);
}

bool ct_dap_paths_file(const ct_dap_paths *p, const char *script, char path[CT_PATH_BYTES]) {
    if (script[0] == '\0' || p->project[0] == '\0')
        return false;
    const bool is_core = strncmp(script, CORE, strlen(CORE)) == 0;
    const bool is_joined = is_core ? ct_path_try_join(path, p->core, script + strlen(CORE))
                                   : ct_path_try_join(path, p->shown, script);
    return is_joined && ct_os_file_info(path).kind == CT_FILE_KIND_FILE;
}
