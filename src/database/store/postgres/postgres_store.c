#include "database/store/postgres/postgres_private.h"
ct_database_store *ct_database_postgres_open(ct_allocator *a, const char *location, bool may_create,
                                             ct_error *error) {
    (void)a, (void)location, (void)may_create;
    ct_error_set(error, "not yet");
    return NULL;
}
