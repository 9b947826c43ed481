#include "resource/types/lua_resource.h"

#include <string.h>

#include "foundation/error.h"

bool ct_lua_is_module(const char *name) {
    static const char *const modules[] = {"bit",  "coroutine", "debug",   "ffi",    "io",   "jit",
                                          "math", "os",        "package", "string", "table"};
    for (uint32_t i = 0; i < CT_COUNT_OF(modules); ++i) {
        if (strcmp(name, modules[i]) == 0)
            return true;
    }
    return false;
}

bool ct_lua_validate(const void *blob, ct_error *error) {
    const ct_lua_resource *const l = blob;
    if (l->header.size_bytes < sizeof(*l))
        return ct_error_set(error, "too small for a script");
    return ct_blob_check_string(&l->header, l->path, "path", error) &&
           ct_blob_check_string(&l->header, l->text, "text", error);
}
