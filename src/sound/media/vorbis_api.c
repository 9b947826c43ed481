#include "sound/media/vorbis_api.h"

#include <string.h>

#include "foundation/error.h"
#include "foundation/os/os.h"

bool ct_vorbis_load(ct_vorbis_api *api, ct_error *error) {
    void *const library = ct_library_open("libvorbis.so.0");
    if (!library)
        return ct_error_set(error, "libvorbis is not installed; install the package libvorbis0a");
#define CT_VORBIS_LOOK_UP(name)                                                                    \
    {                                                                                              \
        void *const symbol = ct_library_symbol(library, #name);                                    \
        if (!symbol)                                                                               \
            return ct_error_set(error,                                                             \
                                "the installed libvorbis is too old: it has no function "          \
                                "%s",                                                              \
                                #name);                                                            \
        memcpy(&api->name, &symbol, sizeof(symbol));                                               \
    }
    CT_VORBIS_FUNCTIONS(CT_VORBIS_LOOK_UP)
#undef CT_VORBIS_LOOK_UP
    return true;
}
