#include "web/websocket/lws_api.h"

#include <string.h>

#include "foundation/error.h"
#include "foundation/os/os.h"

const ct_lws_api *ct_lws_load(ct_error *error) {
    static ct_lws_api api;
    static bool is_loaded;
    if (is_loaded)
        return &api;
    void *const library = ct_library_open("libwebsockets.so.17");
    if (!library) {
        ct_error_set(error, "libwebsockets is not installed; install the package libwebsockets17");
        return NULL;
    }
#define CT_LWS_LOOK_UP(name)                                                                       \
    {                                                                                              \
        void *const symbol = ct_library_symbol(library, #name);                                    \
        if (!symbol) {                                                                             \
            ct_error_set(error, "the installed libwebsockets is too old: it has no function %s",   \
                         #name);                                                                   \
            return NULL;                                                                           \
        }                                                                                          \
        memcpy(&api.name, &symbol, sizeof(symbol));                                                \
    }
    CT_LWS_FUNCTIONS(CT_LWS_LOOK_UP)
#undef CT_LWS_LOOK_UP
    api.lws_set_log_level(0, NULL);
    is_loaded = true;
    return &api;
}
