#include "cli/debug/dap_paths.h"

#include <stdio.h>
#include <string.h>

#include "cli/debug/dap_text.h"
#include "foundation/os/file.h"
#include "foundation/os/os.h"

#define CORE "core/"

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
