#include "cli/prompt/edit_api.h"

#include <string.h>

#include "foundation/error.h"
#include "foundation/os/os.h"

const ct_edit_api *ct_edit_load(ct_error *error) {
    static ct_edit_api api;
    static bool is_loaded;
    if (is_loaded)
        return &api;
    void *const library = ct_library_open("libedit.so.2");
    if (!library) {
        ct_error_set(error, "libedit is not installed; install the package libedit2");
        return NULL;
    }
#define CT_EDIT_LOOK_UP(name)                                                                      \
    {                                                                                              \
        void *const symbol = ct_library_symbol(library, #name);                                    \
        if (!symbol) {                                                                             \
            ct_error_set(error, "the installed libedit is too old: it has no %s", #name);          \
            return NULL;                                                                           \
        }                                                                                          \
        memcpy(&api.name, &symbol, sizeof(symbol));                                                \
    }
    CT_EDIT_FUNCTIONS(CT_EDIT_LOOK_UP)
#undef CT_EDIT_LOOK_UP
    is_loaded = true;
    return &api;
}
