#include "resource/types/plugin/plugin_resource.h"

#include "foundation/error.h"

const ct_blob_layout ct_plugin_resource_layout =
    CT_BLOB_ROOT(ct_plugin_resource, "a resource of a plugin",
                 CT_BLOB_NUMBERS(4, ct_plugin_resource, version, padding),
                 CT_BLOB_ARRAY(ct_plugin_resource, data, ct_blob_u8_layout));

bool ct_plugin_resource_validate(const void *blob, ct_error *error) {
    const ct_plugin_resource *const r = blob;
    if (!ct_blob_check_layout(&ct_plugin_resource_layout, blob, error))
        return false;
    return (r->data.count > 0 && r->data.offset % CT_BLOB_ALIGN == 0) ||
           ct_error_set(error,
                        "data has %u bytes at %u; expected at least one, at a multiple of %d",
                        r->data.count, r->data.offset, CT_BLOB_ALIGN);
}
