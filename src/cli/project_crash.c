#include "cli/project_crash.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "foundation/crash/crash.h"
#include "foundation/error.h"
#include "foundation/log.h"
#include "foundation/os/file.h"
#include "foundation/os/os.h"

void ct_project_crash_report(const char *project, char path[CT_PATH_BYTES]) {
    char folder[CT_PATH_BYTES], name[64];
    const time_t now = time(NULL);
    const size_t length = strftime(name, sizeof(name), "%Y-%m-%d_%H-%M-%S", localtime(&now));
    snprintf(name + length, sizeof(name) - length, "_%lld.txt", (long long)ct_os_process_id());
    path[0] = '\0';
    ct_error error = {.message = "the project's path is too long"};
    const bool fits = strlen(project) + strlen("/.cuttle/crash/") + strlen(name) < CT_PATH_BYTES;
    if (fits)
        ct_path_join(folder, project, ".cuttle/crash");
    if (!fits || !ct_folder_create(folder, &error)) {
        ct_log_warning("app", "no_crash_folder", "crash reports go to the terminal only: %s",
                       error.message);
        return;
    }
    ct_path_join(path, folder, name);
    ct_crash_set_report_file(path);
}
