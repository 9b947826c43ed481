#include "text/freetype_api.h"

#include <string.h>

#include "foundation/error.h"
#include "foundation/os/os.h"

bool ct_freetype_load(ct_freetype_api *api, ct_error *error) {
    void *const library = ct_library_open("libfreetype.so.6");
    if (!library)
        return ct_error_set(error, "FreeType is not installed; install the package libfreetype6");
#define CT_FREETYPE_LOOK_UP(name)                                                                  \
    {                                                                                              \
        void *const symbol = ct_library_symbol(library, #name);                                    \
        if (!symbol)                                                                               \
            return ct_error_set(error, "the installed FreeType is too old: it has no function %s", \
                                #name);                                                            \
        memcpy(&api->name, &symbol, sizeof(symbol));                                               \
    }
    CT_FREETYPE_FUNCTIONS(CT_FREETYPE_LOOK_UP)
#undef CT_FREETYPE_LOOK_UP
    return true;
}
