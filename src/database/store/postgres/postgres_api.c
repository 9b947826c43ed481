#include "database/store/postgres/postgres_api.h"

#include <string.h>

#include "foundation/error.h"
#include "foundation/os/os.h"

enum { LEAST_VERSION = 140000 }; // older ones have no pipelines

const ct_postgres_api *ct_postgres_load(ct_error *error) {
    static ct_postgres_api api;
    static bool is_loaded;
    if (is_loaded)
        return &api;
    void *const library = ct_library_open("libpq.so.5");
    if (!library) {
        ct_error_set(error, "libpq is not installed; install the package libpq5");
        return NULL;
    }
#define CT_POSTGRES_LOOK_UP(name)                                                                  \
    {                                                                                              \
        void *const symbol = ct_library_symbol(library, #name);                                    \
        if (!symbol) {                                                                             \
            ct_error_set(error, "the installed libpq is too old: it has no function %s", #name);   \
            return NULL;                                                                           \
        }                                                                                          \
        memcpy(&api.name, &symbol, sizeof(symbol));                                                \
    }
    CT_POSTGRES_FUNCTIONS(CT_POSTGRES_LOOK_UP)
#undef CT_POSTGRES_LOOK_UP
    if (api.PQlibVersion() < LEAST_VERSION) {
        ct_error_set(error, "the installed libpq %d is too old; install libpq5 14 or later",
                     api.PQlibVersion() / 10000);
        return NULL;
    }
    is_loaded = true;
    return &api;
}
