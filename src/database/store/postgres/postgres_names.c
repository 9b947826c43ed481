#include <string.h>

#include "database/store/postgres/postgres_private.h"

// A table that gives numbers to names.
typedef struct name_table {
    ct_database_names *names;
    ct_postgres_statement find, get, add;
    const char *what;
    bool is_text;
} name_table;

static name_table replica_table(ct_postgres_store *store) {
    return (name_table){.names = &store->replicas,
                        .find = CT_POSTGRES_REPLICA_ID,
                        .get = CT_POSTGRES_REPLICA_GUID,
                        .add = CT_POSTGRES_REPLICA_ADD,
                        .what = "replica"};
}

static name_table key_table(ct_postgres_store *store) {
    return (name_table){.names = &store->keys,
                        .find = CT_POSTGRES_KEY_ID,
                        .get = CT_POSTGRES_KEY_TEXT,
                        .add = CT_POSTGRES_KEY_ADD,
                        .what = "key",
                        .is_text = true};
}

// Queues a look for a name, after adding it when `adds`, and takes the answer; *id stays 0 when it has none.
static bool ask_id(ct_postgres_store *store, const name_table *table, const void *text,
                   uint32_t length, bool adds, int64_t *id, ct_error *error) {
    ct_postgres_params params = {0};
    ct_postgres_add_text(&params, text, length);
    PGresult *results[3] = {0};
    if ((adds && !ct_postgres_queue(store, table->add, &params, error)) ||
        !ct_postgres_queue(store, table->find, &params, error) ||
        !ct_postgres_run(store, results, error))
        return false;
    if (store->api->PQntuples(results[adds]) > 0)
        *id = ct_postgres_int(store, results[adds], 0, 0);
    for (uint32_t i = 0; i <= adds; ++i)
        store->api->PQclear(results[i]);
    return true;
}

// Looks before it adds: an INSERT that does nothing still takes a number. Adding one that another session adds at the
// same time waits for that session: so both get the same number.
static bool find_name(ct_postgres_store *store, const name_table *table, const void *text,
                      uint32_t length, bool may_add, int64_t *id, ct_error *error) {
    *id = ct_database_names_id(table->names, text, length);
    if (*id)
        return true;
    if ((store->num_queued > 0 && !ct_postgres_run(store, NULL, error)) ||
        !ask_id(store, table, text, length, false, id, error) ||
        (*id == 0 && may_add && !ask_id(store, table, text, length, true, id, error)))
        return false;
    if (*id > 0 && !ct_database_names_get(table->names, *id))
        ct_database_names_add(table->names, *id, text, length);
    return *id > 0 || !may_add ||
           ct_postgres_damaged(store, error, "a %s has no number", table->what);
}

static bool get_name(ct_postgres_store *store, const name_table *table, int64_t id,
                     const ct_database_name **name, ct_error *error) {
    *name = ct_database_names_get(table->names, id);
    if (*name)
        return true;
    ct_postgres_params params = {0};
    ct_postgres_add_int(&params, id);
    PGresult *const result = ct_postgres_query(store, table->get, &params, error);
    if (!result)
        return false;
    if (store->api->PQntuples(result) == 1) {
        uint32_t length;
        const void *const text = ct_postgres_bytes(store, result, 0, 0, &length);
        if (table->is_text ? ct_database_key_check(text, length, NULL) : length == sizeof(ct_guid))
            ct_database_names_add(table->names, id, text, length);
    }
    store->api->PQclear(result);
    *name = ct_database_names_get(table->names, id);
    return *name || ct_postgres_damaged(store, error, "the %s number %lld is missing or wrong",
                                        table->what, (long long)id);
}

bool ct_postgres_replica_id(ct_postgres_store *store, ct_guid replica, bool may_add, int64_t *id,
                            ct_error *error) {
    const name_table table = replica_table(store);
    return find_name(store, &table, replica.bytes, sizeof(replica), may_add, id, error);
}

bool ct_postgres_replica_guid(ct_postgres_store *store, int64_t id, ct_guid *replica,
                              ct_error *error) {
    const name_table table = replica_table(store);
    const ct_database_name *name;
    if (!get_name(store, &table, id, &name, error))
        return false;
    memcpy(replica, name->text, sizeof(*replica));
    return true;
}

bool ct_postgres_key_id(ct_postgres_store *store, const char *key, uint32_t length, bool may_add,
                        int64_t *id, ct_error *error) {
    const name_table table = key_table(store);
    return find_name(store, &table, key, length, may_add, id, error);
}

bool ct_postgres_key_text(ct_postgres_store *store, int64_t id, const char **key, uint32_t *length,
                          ct_error *error) {
    const name_table table = key_table(store);
    const ct_database_name *name;
    if (!get_name(store, &table, id, &name, error))
        return false;
    *key = name->text;
    *length = name->length;
    return true;
}
