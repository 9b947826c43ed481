#include "cli/run/pages_folder.h"

#include "foundation/error.h"
#include "foundation/os/os.h"

static bool has_pages(const char *folder, const char *name, char found[CT_PATH_BYTES]) {
    char path[CT_PATH_BYTES], page[CT_PATH_BYTES];
    ct_error ignored = {0};
    return ct_path_try_join(path, folder, name) && ct_path_try_join(page, path, "index.html") &&
           ct_os_file_info(page).kind == CT_FILE_KIND_FILE &&
           ct_os_absolute_path(path, found, &ignored);
}

bool ct_pages_folder(char folder[CT_PATH_BYTES]) {
    static const char *const places[] = {"../web", "web", "../share/cuttle/web"};
    const char *const asked = ct_os_environment("CUTTLE_WEB");
    if (asked && asked[0] != '\0')
        return has_pages("", asked, folder);
    char executable[CT_PATH_BYTES], beside[CT_PATH_BYTES];
    ct_os_executable_path(executable);
    ct_path_folder(beside, executable);
    for (uint32_t i = 0; i < CT_COUNT_OF(places); ++i) {
        if (has_pages(beside, places[i], folder))
            return true;
    }
    return false;
}
