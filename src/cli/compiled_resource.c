#include "cli/compiled_resource.h"

#include <stdio.h>

#include "cli/project_compile.h"
#include "foundation/error.h"
#include "resource/blob/platform.h"
#include "resource/types/resource_types.h"

bool ct_compiled_folder(const ct_compiled_place *place, char folder[CT_PATH_BYTES],
                        ct_error *error) {
    if (!ct_project_check(place->project, error))
        return false;
    if (place->platform && !ct_platform_named(place->platform))
        return ct_error_set(error,
                            "unknown platform \"%.100s\"; expected \"linux\", \"windows\" "
                            "or \"be64\"",
                            place->platform);
    if (place->data_folder)
        return ct_path_try_join(folder, "", place->data_folder) ||
               ct_error_set(error, "the path of the data folder is too long");
    return ct_compiler_default_folder(place->project, place->platform, place->source_platform,
                                      folder, error);
}

const void *ct_compiled_read(const ct_resource_store *store, const ct_catalog *catalog,
                             ct_allocator *scratch, ct_resource_id id, const char *name,
                             ct_error *error) {
    const ct_resource_type *const type = ct_resource_type_of(id.type);
    const uint32_t entry = ct_catalog_find(catalog, id);
    const ct_catalog_variant *const v =
        entry == CT_CATALOG_NONE ? NULL
                                 : ct_catalog_choose(catalog, entry, &(ct_preference_order){0});
    if (!v) {
        ct_error_set(error, "there is no %s \"%.200s\"", type->name, name);
        return NULL;
    }
    const void *const blob =
        ct_resource_store_read(store, scratch, (ct_resource_id){id.type, v->data_name}, error);
    return blob && type->validate(blob, error) ? blob : NULL;
}

ct_exit ct_compiled_failed(ct_allocator *scratch, const char *command, bool has_folder, bool json,
                           const ct_error *error) {
    char text[CT_ERROR_MESSAGE_BYTES + CT_ERROR_FILE_BYTES + 64];
    ct_error_format(error, text, sizeof(text));
    fprintf(stderr, "cuttle %s: %s\n", command, error->file[0] != '\0' ? text : error->message);
    if (has_folder)
        fprintf(stderr, "run `cuttle compile` first: it makes the data that this command reads\n");
    if (json)
        ct_project_print_failure_json(scratch, error);
    return CT_EXIT_FAILED;
}
