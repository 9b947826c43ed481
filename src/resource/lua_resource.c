#include "resource/lua_resource.h"

#include "foundation/error.h"

bool ct_lua_validate(const void *blob, ct_error *error) {
    const ct_lua_resource *const l = blob;
    if (l->header.size_bytes < sizeof(*l))
        return ct_error_set(error, "too small for a script");
    return ct_blob_check_string(&l->header, l->path, "path", error) &&
           ct_blob_check_string(&l->header, l->text, "text", error);
}
