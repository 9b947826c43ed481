#include "cli/flow/project_nodes.h"

#include <stdio.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/string/string_builder.h"
#include "project/source_scan.h"

// Keeps the first of the errors.
typedef struct first_error {
    ct_error *error;
    bool is_set;
} first_error;

static void note_error(void *user, const ct_error *error) {
    first_error *const first = user;
    if (!first->is_set)
        *first->error = *error;
    first->is_set = true;
}

// `source` is the path in the project.
static bool read_file(ct_allocator *a, const char *project, const char *source,
                      ct_flow_project_nodes *nodes, ct_error *error) {
    char path[CT_PATH_BYTES];
    if (!ct_path_try_join(path, project, source))
        return ct_error_set(error, "the path of the project is too long");
    const ct_sjson *const doc = ct_sjson_read(a, path, path, error);
    first_error first = {.error = error};
    const ct_schema_listener listener = {.user = &first, .error = note_error};
    return doc && ct_flow_project_nodes_read(doc, a, &listener, nodes);
}

bool ct_project_nodes_read(ct_allocator *a, const char *project, const char *name,
                           ct_flow_project_nodes *nodes, ct_error *error) {
    char source[CT_PATH_BYTES];
    const int length = snprintf(source, sizeof(source), "%s.flow_nodes", name);
    if (length < 0 || (size_t)length >= sizeof(source) || !ct_path_is_canonical(source))
        return ct_error_set(error, "\"%.256s\" is not the name of a flow_nodes", name);
    return read_file(a, project, source, nodes, error);
}

bool ct_project_nodes_read_all(ct_allocator *a, ct_allocator *heap, const char *project,
                               ct_project_nodes *files, ct_error *error) {
    static const char extension[] = ".flow_nodes";
    ct_stat_cache no_cache = {.allocator = a};
    ct_scan scan;
    ct_scan_init(&scan, a, heap, (ct_source_roots){.project = project}, &no_cache);
    if (!ct_scan_folders(&scan, error))
        return false;
    for (uint32_t i = 0; i < scan.num_project; ++i) {
        const ct_scan_file *const f = &scan.files.items[i];
        if (!f->type || strcmp(f->type->name, "flow_nodes") != 0)
            continue;
        ct_project_nodes_file file = {.name = NULL};
        if (!read_file(a, project, f->path, &file.nodes, error))
            return false;
        char *const name = ct_copy_string(a, f->path);
        name[strlen(name) - strlen(extension)] = '\0';
        file.name = name;
        ct_array_push(files, file);
    }
    return true;
}

bool ct_project_nodes_folder(const char *path, char folder[CT_PATH_BYTES]) {
    char settings[CT_PATH_BYTES];
    if (!ct_os_absolute_path(path, folder, NULL))
        return false;
    while (folder[0] && strcmp(folder, "/") != 0) {
        char inner[CT_PATH_BYTES];
        memcpy(inner, folder, sizeof(inner));
        ct_path_folder(folder, inner);
        if (ct_path_try_join(settings, folder, "settings.config") &&
            ct_os_file_info(settings).kind == CT_FILE_KIND_FILE)
            return true;
    }
    return false;
}
