#include "compiler/driver/compiler_data_folder.h"

#include <string.h>

#include "foundation/error.h"
#include "foundation/os/os.h"
#include "foundation/os/path.h"
#include "resource/data_index.h"
#include "resource/resource_id.h"

typedef struct data_visit {
    char stranger[256]; // the first by its bytes of what is no data; "": none
    uint32_t num_entries;
} data_visit;

// Whether compilations write files of this name, temporary ones among them.
static bool is_data_name(const char *name) {
    ct_resource_id id;
    bool is_stream;
    const size_t length = strlen(name);
    if (name[0] == '.')
        return (length > 5 && strcmp(name + length - 4, ".tmp") == 0) ||
               strcmp(name, CT_RUN_LOCK) == 0 || strcmp(name, CT_RUN_STAT_CACHE) == 0;
    if (strcmp(name, CT_DATA_INDEX_FILE) == 0 || strcmp(name, "catalog") == 0)
        return true;
    return ct_resource_file_name_read(name, &id, &is_stream);
}

static void visit_entry(void *user, const char *name) {
    data_visit *const visit = user;
    ++visit->num_entries;
    if (is_data_name(name) || (visit->stranger[0] != '\0' && strcmp(name, visit->stranger) >= 0))
        return;
    const size_t length = strlen(name);
    const size_t kept = length < sizeof(visit->stranger) ? length : sizeof(visit->stranger) - 1;
    memcpy(visit->stranger, name, kept);
    visit->stranger[kept] = '\0';
}

// Whether the folder has an index, of whatever version and however damaged behind its head.
static bool has_index(const char *folder) {
    char path[CT_PATH_BYTES];
    ct_blob_header header = {0};
    if (!ct_path_try_join(path, folder, CT_DATA_INDEX_FILE) ||
        ct_os_file_info(path).kind != CT_FILE_KIND_FILE)
        return false;
    const int file = ct_os_file_open_data(path, NULL);
    if (file < 0)
        return false;
    const int64_t got = ct_os_file_read(file, &header, sizeof(header));
    ct_os_file_close(file);
    return got == (int64_t)sizeof(header) && header.magic == CT_BLOB_MAGIC &&
           header.type.value == ct_string_id64_of(CT_DATA_INDEX_TYPE).value;
}

// Whether `path` (absolute) lies below `project` and no part of the way there is hidden.
static bool is_among_sources(const char *path, const char *project) {
    const size_t length = strlen(project);
    return strncmp(path, project, length) == 0 && (path[length] == '/' || length == 1) &&
           !strstr(path + length - (length == 1), "/.");
}

bool ct_compiler_data_folder_check(const char *folder, const char *project, ct_error *error) {
    char path[CT_PATH_BYTES], root[CT_PATH_BYTES];
    data_visit visit = {0};
    if (ct_os_file_info(folder).kind != CT_FILE_KIND_FOLDER)
        return true; // a new one; or what no folder can be made of, which its maker tells
    if (!ct_os_absolute_path(folder, path, error) || !ct_os_absolute_path(project, root, error))
        return false;
    if (strcmp(path, root) == 0)
        return ct_error_set(error,
                            "--data-dir \"%.400s\" is the project folder itself; expected a folder "
                            "with only compiled data",
                            folder);
    if (has_index(path))
        return true;
    if (!ct_os_folder_list(path, visit_entry, &visit, error))
        return false;
    if (is_among_sources(path, root) && (visit.num_entries == 0 || visit.stranger[0] != '\0'))
        return ct_error_set(error,
                            "--data-dir \"%.400s\" is a folder of the project's sources; expected "
                            "a folder outside the project, or a new one",
                            folder);
    return visit.stranger[0] == '\0' ||
           ct_error_set(error,
                        "--data-dir \"%.400s\" contains \"%s\", which is not compiled data; "
                        "expected an empty folder, or one made by a compilation",
                        folder, visit.stranger);
}
