#include "database/store/database_store.h"

#include <stdio.h>
#include <string.h>

void ct_database_branch_init(ct_database_branch *branch, ct_allocator *a, const char *name) {
    *branch = (ct_database_branch){0};
    if (strlen(name) < sizeof(branch->name))
        snprintf(branch->name, sizeof(branch->name), "%s", name);
    ct_database_vector_init(&branch->has, a);
    ct_database_vector_init(&branch->state, a);
}

void ct_database_branch_free(ct_database_branch *branch) {
    ct_database_vector_free(&branch->has);
    ct_database_vector_free(&branch->state);
}

bool ct_database_is_server(const char *location) {
    return strncmp(location, "postgres://", 11) == 0 ||
           strncmp(location, "postgresql://", 13) == 0 || strchr(location, '=');
}

ct_database_store *ct_database_store_open(ct_allocator *a, const char *location, bool may_create,
                                          ct_error *error) {
    return ct_database_is_server(location)
               ? ct_database_postgres_open(a, location, may_create, error)
               : ct_database_sqlite_open(a, location, may_create, error);
}
