#include "script/app/script_user_folder.h"

#include <ctype.h>
#include <stdio.h>

#include "foundation/os/os.h"
#include "script/script_private.h"

bool ct_script_user_folder(char folder[CT_PATH_BYTES], const char *name) {
    const char *const data = ct_os_environment("XDG_DATA_HOME");
    const char *const home = ct_os_environment("HOME");
    if (data && data[0] == '/') // relative ones are to be passed over
        return ct_path_try_join(folder, data, "cuttle") && ct_path_try_join(folder, folder, name);
    return home && home[0] == '/' && ct_path_try_join(folder, home, ".local/share/cuttle") &&
           ct_path_try_join(folder, folder, name);
}

void ct_script_project_name(const ct_script *s, char name[CT_PATH_BYTES]) {
    const ct_script_host *const host = &s->host;
    snprintf(name, CT_PATH_BYTES, "%s",
             host->game_name ? host->game_name : ct_path_file_name(host->project_folder));
    for (char *c = name; *c; ++c) {
        *c = (char)tolower((unsigned char)*c);
        if (!isalnum((unsigned char)*c) && *c != '-')
            *c = '_';
    }
    if (!name[0])
        snprintf(name, CT_PATH_BYTES, "project");
}
