#include "dev/frames/turbojpeg_api.h"

#include <string.h>

#include "foundation/error.h"
#include "foundation/os/os.h"

const ct_turbojpeg_api *ct_turbojpeg_load(ct_error *error) {
    static ct_turbojpeg_api api;
    static bool is_loaded;
    if (is_loaded)
        return &api;
    void *const library = ct_library_open("libturbojpeg.so.0");
    if (!library) {
        ct_error_set(error, "libturbojpeg is not installed; install the package libturbojpeg0, or "
                            "ask for \"png\"");
        return NULL;
    }
#define LOOK_UP(name)                                                                              \
    {                                                                                              \
        void *const symbol = ct_library_symbol(library, #name);                                    \
        if (!symbol) {                                                                             \
            ct_error_set(error, "the installed libturbojpeg has no function %s", #name);           \
            return NULL;                                                                           \
        }                                                                                          \
        memcpy(&api.name, &symbol, sizeof(symbol));                                                \
    }
    LOOK_UP(tjInitCompress)
    LOOK_UP(tjCompress2)
    LOOK_UP(tjDestroy)
    LOOK_UP(tjBufSize)
    LOOK_UP(tjGetErrorStr2)
#undef LOOK_UP
    is_loaded = true;
    return &api;
}
