#include "resource/types/lua_resource.h"

#include <string.h>

bool ct_lua_is_module(const char *name) {
    static const char *const modules[] = {"bit",  "coroutine", "debug",   "ffi",    "io",   "jit",
                                          "math", "os",        "package", "string", "table"};
    for (uint32_t i = 0; i < CT_COUNT_OF(modules); ++i) {
        if (strcmp(name, modules[i]) == 0)
            return true;
    }
    return false;
}

const ct_blob_layout ct_lua_layout =
    CT_BLOB_ROOT(ct_lua_resource, "a script", CT_BLOB_STRING(ct_lua_resource, path),
                 CT_BLOB_STRING(ct_lua_resource, text));

bool ct_lua_validate(const void *blob, ct_error *error) {
    return ct_blob_check_layout(&ct_lua_layout, blob, error);
}
