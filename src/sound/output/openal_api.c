#include "sound/output/openal_api.h"

#include <string.h>

#include "foundation/error.h"
#include "foundation/os/os.h"

bool ct_openal_load(ct_openal_api *api, ct_error *error) {
    void *const library = ct_library_open("libopenal.so.1");
    if (!library)
        return ct_error_set(error, "OpenAL Soft is not installed; install the package libopenal1");
#define CT_OPENAL_LOOK_UP(name)                                                                    \
    {                                                                                              \
        void *const symbol = ct_library_symbol(library, #name);                                    \
        if (!symbol)                                                                               \
            return ct_error_set(                                                                   \
                error, "the installed OpenAL is not OpenAL Soft, or too old: no function %s",      \
                #name);                                                                            \
        memcpy(&api->name, &symbol, sizeof(symbol));                                               \
    }
    CT_OPENAL_FUNCTIONS(CT_OPENAL_LOOK_UP)
#undef CT_OPENAL_LOOK_UP
    return true;
}
