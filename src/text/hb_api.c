#include "text/hb_api.h"

#include <string.h>

#include "foundation/error.h"
#include "foundation/os/os.h"

const ct_hb_api *ct_hb_load(ct_error *error) {
    static ct_hb_api api;
    static bool is_loaded;
    if (is_loaded)
        return &api;
    void *const library = ct_library_open("libharfbuzz.so.0");
    if (!library) {
        ct_error_set(error, "HarfBuzz is not installed; install the package libharfbuzz0b");
        return NULL;
    }
#define CT_HB_LOOK_UP(name)                                                                        \
    {                                                                                              \
        void *const symbol = ct_library_symbol(library, #name);                                    \
        if (!symbol) {                                                                             \
            ct_error_set(error, "the installed HarfBuzz is too old: it has no function %s",        \
                         #name);                                                                   \
            return NULL;                                                                           \
        }                                                                                          \
        memcpy(&api.name, &symbol, sizeof(symbol));                                                \
    }
    CT_HB_FUNCTIONS(CT_HB_LOOK_UP)
#undef CT_HB_LOOK_UP
    is_loaded = true;
    return &api;
}
