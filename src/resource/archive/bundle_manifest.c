#include "resource/archive/bundle_manifest.h"

#include <stdio.h>
#include <string.h>

#include "foundation/error.h"

// That the text of `source_platform` ends in the blob.
static bool check_source_platform(const ct_bundle_manifest *m, ct_error *error) {
    const uint64_t most =
        m->source_platform < m->header.size_bytes ? m->header.size_bytes - m->source_platform : 0;
    const size_t bytes = strnlen(ct_blob_at(m, most > 0 ? m->source_platform : 0), (size_t)most);
    const ct_blob_string text = {m->source_platform, (uint32_t)bytes};
    return m->source_platform == 0 ||
           ct_blob_check_string(&m->header, text, "source_platform", error);
}

const char *ct_bundle_source_platform(const ct_bundle_manifest *m) {
    return ct_blob_at(m, m->source_platform != 0 ? m->source_platform : m->platform.offset);
}

bool ct_bundle_validate(const void *blob, ct_error *error) {
    const ct_bundle_manifest *const m = blob;
    if (m->header.size_bytes < sizeof(*m))
        return ct_error_set(error, "too small for a bundle's manifest");
    if (!ct_blob_check_string(&m->header, m->platform, "platform", error) ||
        !ct_blob_check_array(&m->header, m->archives, sizeof(ct_bundle_archive), 8, "archives",
                             error) ||
        !check_source_platform(m, error))
        return false;
    const ct_bundle_archive *const archives = ct_blob_at(m, m->archives.offset);
    for (uint32_t i = 0; i < m->archives.count; ++i) {
        char what[48];
        snprintf(what, sizeof(what), "archives[%u].file", i);
        if (!ct_blob_check_string(&m->header, archives[i].file, what, error))
            return false;
        const char *const file = ct_blob_at(m, archives[i].file.offset);
        if (file[0] == 0 || file[0] == '.' || strchr(file, '/'))
            return ct_error_set(error, "%s: \"%.100s\" is not a file name", what, file);
    }
    return m->num_patches <= m->archives.count ||
           ct_error_set(error, "found %u patches, expected at most %u", m->num_patches,
                        m->archives.count);
}
