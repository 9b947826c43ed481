#include "database/store/sqlite/sqlite_api.h"

#include <string.h>

#include "foundation/error.h"
#include "foundation/os/os.h"

enum {
    LEAST_VERSION = 3035000
}; // 3.35: older ones do not have views of temp tables that are always trusted

const ct_sqlite_api *ct_sqlite_load(ct_error *error) {
    static ct_sqlite_api api;
    static bool is_loaded;
    if (is_loaded)
        return &api;
    void *const library = ct_library_open("libsqlite3.so.0");
    if (!library) {
        ct_error_set(error, "SQLite is not installed; install the package libsqlite3-0");
        return NULL;
    }
#define CT_SQLITE_LOOK_UP(name)                                                                    \
    {                                                                                              \
        void *const symbol = ct_library_symbol(library, #name);                                    \
        if (!symbol) {                                                                             \
            ct_error_set(error, "the installed SQLite is too old: it has no function %s", #name);  \
            return NULL;                                                                           \
        }                                                                                          \
        memcpy(&api.name, &symbol, sizeof(symbol));                                                \
    }
    CT_SQLITE_FUNCTIONS(CT_SQLITE_LOOK_UP)
#undef CT_SQLITE_LOOK_UP
    if (api.sqlite3_libversion_number() < LEAST_VERSION) {
        ct_error_set(error,
                     "the installed SQLite %s is too old; install libsqlite3-0 3.35 or later",
                     api.sqlite3_libversion());
        return NULL;
    }
    is_loaded = true;
    return &api;
}
