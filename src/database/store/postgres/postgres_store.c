#include <string.h>

#include "database/store/postgres/postgres_private.h"
#include "foundation/os/os.h"

static void close_store(ct_database_store *base) {
    ct_postgres_store *const store = (ct_postgres_store *)base;
    ct_allocator *const a = base->allocator;
    ct_postgres_disconnect(store);
    for (uint32_t i = 0; i < store->num_keywords; ++i) { // they may have passwords
        if (store->values[i])
            memset(store->values[i], 0, strlen(store->values[i]));
        ct_free(a, store->keywords[i]);
        ct_free(a, store->values[i]);
    }
    ct_free(a, store->keywords);
    ct_free(a, store->values);
    ct_database_names_free(&store->keys);
    ct_database_names_free(&store->replicas);
    ct_database_operations_free(&store->rows);
    ct_database_vector_free(&store->begun);
    ct_free(a, (char *)base->location);
    ct_free(a, store);
}

// Others notify at the end of each commit. A connection that was lost may have missed some.
static bool wait(ct_database_store *base, uint64_t timeout_ns, bool *changed, ct_error *error) {
    ct_postgres_store *const store = (ct_postgres_store *)base;
    CT_ASSERT(!store->is_committing, "a wait in a commit");
    const uint64_t begin = ct_os_time_ns();
    *changed = false;
    if (!ct_postgres_connect(store, error))
        return false;
    ct_postgres_take_notifications(store);
    while (!store->may_have_changed) {
        const uint64_t passed = ct_os_time_ns() - begin;
        ct_postgres_wait(store, passed < timeout_ns ? timeout_ns - passed : 0);
        if (!ct_postgres_is_connected(store))
            return ct_postgres_fail(store, NULL, error);
        if (passed >= timeout_ns)
            break;
    }
    *changed = store->may_have_changed;
    store->may_have_changed = false;
    return true;
}

static const ct_database_store_functions functions = {
    .close = close_store,
    .read_branch = ct_postgres_read_branch,
    .list_branches = ct_postgres_list_branches,
    .create_branch = ct_postgres_create_branch,
    .remove_branch = ct_postgres_remove_branch,
    .begin = ct_postgres_begin,
    .append = ct_postgres_append,
    .end = ct_postgres_end,
    .has_commit = ct_postgres_has_commit,
    .read_commits = ct_postgres_read_commits,
    .load_state = ct_postgres_load_state,
    .load_rows = ct_postgres_load_rows,
    .save_state = ct_postgres_save_state,
    .clear_state = ct_postgres_clear_state,
    .has_blob = ct_postgres_has_blob,
    .write_piece = ct_postgres_write_piece,
    .read_piece = ct_postgres_read_piece,
    .collect_blobs = ct_postgres_collect_blobs,
    .read_local = ct_postgres_read_local,
    .write_local = ct_postgres_write_local,
    .each_local = ct_postgres_each_local,
    .wait = wait,
    .query = ct_postgres_run_query,
    .check = ct_postgres_check,
};

ct_database_store *ct_database_postgres_open(ct_allocator *a, const char *location, bool may_create,
                                             ct_error *error) {
    const ct_postgres_api *const api = ct_postgres_load(error);
    if (!api)
        return NULL;
    ct_postgres_store *const store = ct_alloc_zero(a, sizeof(*store));
    store->base = (ct_database_store){.functions = &functions, .allocator = a};
    store->api = api;
    store->patience_ns = CT_POSTGRES_SHORT_NS;
    ct_database_names_init(&store->keys, a);
    ct_database_names_init(&store->replicas, a);
    ct_database_operations_init(&store->rows, a);
    ct_database_vector_init(&store->begun, a);
    if (ct_postgres_parse(store, location, error) && ct_postgres_connect(store, error) &&
        ct_postgres_schema_open(store, may_create, error))
        return &store->base;
    close_store(&store->base);
    return NULL;
}
