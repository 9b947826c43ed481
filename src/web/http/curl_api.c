#include "web/http/curl_api.h"

#include <string.h>

#include "foundation/error.h"
#include "foundation/os/os.h"

enum { LEAST_VERSION = 0x075700 }; // 7.87: older ones do not know CURLOPT_QUICK_EXIT

const ct_curl_api *ct_curl_load(ct_error *error) {
    static ct_curl_api api;
    static bool is_loaded;
    if (is_loaded)
        return &api;
    void *const library = ct_library_open("libcurl.so.4");
    if (!library) {
        ct_error_set(error, "libcurl is not installed; install the package libcurl4");
        return NULL;
    }
#define CT_CURL_LOOK_UP(name)                                                                      \
    {                                                                                              \
        void *const symbol = ct_library_symbol(library, #name);                                    \
        if (!symbol) {                                                                             \
            ct_error_set(error, "the installed libcurl is too old: it has no function %s", #name); \
            return NULL;                                                                           \
        }                                                                                          \
        memcpy(&api.name, &symbol, sizeof(symbol));                                                \
    }
    CT_CURL_FUNCTIONS(CT_CURL_LOOK_UP)
#undef CT_CURL_LOOK_UP
    const curl_version_info_data *const version = api.curl_version_info(CURLVERSION_NOW);
    if (version->version_num < LEAST_VERSION) {
        ct_error_set(error, "the installed libcurl %s is too old; install libcurl4 7.87 or later",
                     version->version);
        return NULL;
    }
    if (api.curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) {
        ct_error_set(error, "libcurl does not start; reinstall the package libcurl4");
        return NULL;
    }
    is_loaded = true;
    return &api;
}
