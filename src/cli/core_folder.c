#include "cli/core_folder.h"

#include <string.h>

#include "foundation/error.h"
#include "foundation/os/os.h"

bool ct_core_folder(char folder[CT_PATH_BYTES], ct_error *error) {
    const char *const asked = ct_os_environment("CUTTLE_CORE");
    char path[CT_PATH_BYTES];
    if (asked && asked[0] != '\0') {
        if (!ct_path_try_join(path, "", asked))
            return ct_error_set(error, "the path in CUTTLE_CORE has %zu bytes; expected at most %d",
                                strlen(asked), CT_PATH_BYTES - 1);
    } else {
        char executable[CT_PATH_BYTES], beside[CT_PATH_BYTES];
        ct_os_executable_path(executable);
        ct_path_folder(beside, executable);
        ct_path_join(path, beside, "core");
    }
    if (ct_os_file_info(path).kind != CT_FILE_KIND_FOLDER)
        return ct_error_set(error,
                            "the engine's data is not at \"%s\"; expected a folder `core` beside "
                            "the executable, or one that CUTTLE_CORE names",
                            path);
    return ct_os_absolute_path(path, folder, error);
}
