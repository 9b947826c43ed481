#include "cli/check/check_uncompiled.h"

#include <string.h>

#include "foundation/error.h"
#include "resource/load/resource_store.h"
#include "resource/types/package_resource.h"

static bool is_uncompiled(const ct_data_index_entry *entry) {
    return entry->data_hash == 0 && entry->errors.count > 0;
}

bool ct_check_has_uncompiled(const ct_data_index *index) {
    const ct_data_index_entry *const entries = ct_blob_at(index, index->entries.offset);
    for (uint32_t i = 0; i < index->entries.count; ++i) {
        if (is_uncompiled(&entries[i]))
            return true;
    }
    return false;
}

// `user` is the place of what is found.
static void keep_uncompiled(void *user, const ct_data_index_entry *entry) {
    const ct_data_index_entry **const found = user;
    if (!*found && is_uncompiled(entry))
        *found = entry;
}

// What a package holds by wildcards it does not refer to.
static const ct_data_index_entry *find_held(const ct_data_index *index, const char *data_folder,
                                            ct_allocator *a, ct_resource_id package_id) {
    ct_error ignored = {0};
    ct_resource_store *const store = ct_resource_store_open_folder(a, data_folder);
    ct_package_resource *const package = ct_resource_store_read(store, a, package_id, &ignored);
    ct_resource_store_close(store);
    const ct_data_index_entry *found = NULL;
    if (!package)
        return NULL;
    const ct_resource_id *const ids = ct_blob_at(package, package->resources.offset);
    for (uint32_t i = 0; !found && i < package->resources.count; ++i) {
        const ct_data_index_entry *const entry = ct_data_index_find(index, ids[i]);
        if (entry)
            keep_uncompiled(&found, entry);
    }
    ct_free(a, package);
    return found;
}

const ct_data_index_entry *ct_check_find_uncompiled(const ct_data_index *index,
                                                    const char *data_folder, ct_allocator *a,
                                                    const char *type, const char *name) {
    const ct_data_index_entry *const entry = ct_data_index_find_variant(index, type, name);
    const ct_data_index_entry *found = NULL;
    if (!entry)
        return NULL;
    ct_data_index_each_needed(index, entry, a, keep_uncompiled, &found);
    return found || strcmp(type, "package") != 0 ? found
                                                 : find_held(index, data_folder, a, entry->id);
}
