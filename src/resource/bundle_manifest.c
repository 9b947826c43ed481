#include "resource/bundle_manifest.h"

#include <stdio.h>
#include <string.h>

#include "foundation/error.h"

bool ct_bundle_validate(const void *blob, ct_error *error) {
    const ct_bundle_manifest *const m = blob;
    if (m->header.size_bytes < sizeof(*m))
        return ct_error_set(error, "too small for a bundle's manifest");
    if (!ct_blob_check_string(&m->header, m->platform, "platform", error) ||
        !ct_blob_check_array(&m->header, m->archives, sizeof(ct_bundle_archive), 8, "archives",
                             error))
        return false;
    const ct_bundle_archive *const archives = ct_blob_at(m, m->archives.offset);
    for (uint32_t i = 0; i < m->archives.count; i++) {
        char what[48];
        snprintf(what, sizeof(what), "archives[%u].file", i);
        if (!ct_blob_check_string(&m->header, archives[i].file, what, error))
            return false;
        const char *const file = ct_blob_at(m, archives[i].file.offset);
        if (file[0] == 0 || file[0] == '.' || strchr(file, '/'))
            return ct_error_set(error, "%s: \"%.100s\" is no name of a file", what, file);
    }
    return m->num_patches <= m->archives.count ||
           ct_error_set(error, "found %u patches, expected at most %u", m->num_patches,
                        m->archives.count);
}
