#include <string.h>

#include "database/store/postgres/postgres_private.h"

// --- Rows ----------------------------------------------------------------------------------------

enum { OBJECT, REPLICA, TIME, FLAGS, FIRST_OF_TABLE }; // the columns that all tables have

static bool fail_row(ct_postgres_store *store, const ct_database_row *row, const char *what,
                     ct_error *error) {
    char object[CT_GUID_TEXT_BYTES];
    ct_guid_format(row->operation.object, object);
    return ct_postgres_damaged(store, error, "a row of object %s %s", object, what);
}

static bool read_key(ct_postgres_store *store, int64_t id, ct_database_row *row, ct_error *error) {
    return ct_postgres_key_text(store, id, &row->operation.key, &row->operation.key_length, error);
}

static bool read_value(ct_postgres_store *store, const PGresult *result, int at,
                       ct_database_row *row, ct_error *error) {
    enum { KIND = FIRST_OF_TABLE + 1, NUMBER, BYTES };
    const ct_postgres_api *const api = store->api;
    const int64_t kind = ct_postgres_int(store, result, at, KIND);
    if (kind < 0 || kind >= CT_DATABASE_NUM_KINDS)
        return fail_row(store, row, "has a value of an unknown kind", error);
    const bool is_number = kind == CT_DATABASE_BOOL || kind == CT_DATABASE_NUMBER;
    const bool has_bytes = kind > CT_DATABASE_NUMBER;
    if (is_number == api->PQgetisnull(result, at, NUMBER) ||
        has_bytes == api->PQgetisnull(result, at, BYTES))
        return fail_row(store, row, "has a value that does not fit its kind", error);
    ct_database_columns columns = {.kind = (ct_database_kind)kind, .bytes = ""};
    if (is_number) {
        const int64_t bits = ct_postgres_int(store, result, at, NUMBER);
        memcpy(&columns.number, &bits, sizeof(columns.number));
    }
    if (has_bytes)
        columns.bytes = ct_postgres_bytes(store, result, at, BYTES, &columns.size_bytes);
    return ct_database_columns_value(&columns, &row->operation.value, NULL) ||
           fail_row(store, row, "has a value that does not fit its kind", error);
}

// Reads type, key and element of element_row and removed_row.
static bool read_element(ct_postgres_store *store, const PGresult *result, int at,
                         ct_database_row_table table, ct_database_row *row, ct_error *error) {
    enum { TYPE = FIRST_OF_TABLE, KEY, ELEMENT };
    const int64_t type = ct_postgres_int(store, result, at, TYPE);
    const int64_t key = ct_postgres_int(store, result, at, KEY);
    const bool is_element = type == CT_DATABASE_ADD_TO_SET || type == CT_DATABASE_REMOVE_FROM_SET;
    if (!is_element && (table == CT_DATABASE_ROW_TABLE_ELEMENT || type < 0 ||
                        type >= CT_DATABASE_NUM_OPERATION_TYPES))
        return fail_row(store, row, "has the type of another", error);
    row->operation.type = (ct_database_operation_type)type;
    if (type == CT_DATABASE_CREATE || type == CT_DATABASE_DESTROY)
        return key == 0 || fail_row(store, row, "has a key", error);
    if (is_element) {
        row->operation.value.kind = CT_DATABASE_REFERENCE;
        if (!ct_postgres_guid(store, result, at, ELEMENT, &row->operation.value.reference))
            return fail_row(store, row, "has an element that is no GUID", error);
    }
    return read_key(store, key, row, error);
}

static bool read_row(ct_postgres_store *store, const PGresult *result, int at,
                     ct_database_row_table table, ct_database_row *row, ct_error *error) {
    *row = (ct_database_row){0};
    if (!ct_postgres_guid(store, result, at, OBJECT, &row->operation.object))
        return ct_postgres_damaged(store, error, "a row has no object");
    const int64_t time = ct_postgres_int(store, result, at, TIME);
    if (!ct_database_time_check(time))
        return fail_row(store, row, "has no time", error);
    row->stamp.time = (uint64_t)time;
    if (!ct_database_row_set_flags(row, table, ct_postgres_int(store, result, at, FLAGS)))
        return fail_row(store, row, "has unknown flags", error);
    if (!ct_postgres_replica_guid(store, ct_postgres_int(store, result, at, REPLICA),
                                  &row->stamp.replica, error))
        return false;
    const int64_t first = ct_postgres_int(store, result, at, FIRST_OF_TABLE);
    switch (table) {
    case CT_DATABASE_ROW_TABLE_OBJECT:
        row->operation.type = (ct_database_operation_type)first;
        return first == CT_DATABASE_CREATE || first == CT_DATABASE_DESTROY ||
               fail_row(store, row, "has the type of another", error);
    case CT_DATABASE_ROW_TABLE_VALUE:
        row->operation.type = CT_DATABASE_CHANGE_KEY;
        return read_key(store, first, row, error) && read_value(store, result, at, row, error);
    default:
        return read_element(store, result, at, table, row, error);
    }
}

// --- Loading all ---------------------------------------------------------------------------------

// The names of cursors differ, as all are open until the transaction ends.
bool ct_postgres_walk_rows(ct_postgres_store *store, ct_database_row_table table, int64_t branch,
                           void (*function)(void *user, const ct_database_row *row), void *user,
                           ct_error *error) {
    const ct_postgres_statement open = CT_POSTGRES_OBJECT_LOAD + (uint32_t)table;
    const ct_postgres_statement fetch = CT_POSTGRES_OBJECT_FETCH + (uint32_t)table;
    const ct_postgres_statement close = CT_POSTGRES_OBJECT_CLOSE + (uint32_t)table;
    ct_postgres_params params = {0};
    ct_postgres_add_int(&params, branch);
    if (!ct_postgres_execute(store, open, &params, error))
        return false;
    for (;;) {
        PGresult *const result = ct_postgres_query(store, fetch, NULL, error);
        if (!result)
            return false;
        const int count = store->api->PQntuples(result);
        bool is_good = true;
        for (int i = 0; is_good && i < count; ++i) {
            ct_database_row row;
            is_good = read_row(store, result, i, table, &row, error);
            if (is_good)
                function(user, &row);
        }
        store->api->PQclear(result);
        if (!is_good)
            return false;
        if (count == 0)
            return ct_postgres_execute(store, close, NULL, error);
    }
}

static void give_row(void *user, const ct_database_row *row) {
    ct_database_state_load(user, row);
}

static bool load(ct_postgres_store *store, ct_database_branch *branch, ct_database_state *state,
                 ct_error *error) {
    int64_t id;
    if (!ct_postgres_branch_need(store, branch, CT_POSTGRES_BRANCH_HOW_FIND, &id, error))
        return false;
    return ct_postgres_walk_rows(store, CT_DATABASE_ROW_TABLE_OBJECT, id, give_row, state, error) &&
           ct_postgres_walk_rows(store, CT_DATABASE_ROW_TABLE_VALUE, id, give_row, state, error) &&
           ct_postgres_walk_rows(store, CT_DATABASE_ROW_TABLE_ELEMENT, id, give_row, state, error);
}

bool ct_postgres_load_state(ct_database_store *base, ct_database_branch *branch,
                            ct_database_state *state, ct_error *error) {
    ct_postgres_store *const store = (ct_postgres_store *)base;
    CT_ASSERT(!store->is_committing, "the state is loaded in a commit");
    return ct_postgres_transaction_begin(store, CT_POSTGRES_BEGIN_READ, true, error) &&
           ct_postgres_transaction_finish(store, load(store, branch, state, error), error);
}

// --- Loading the rows of a key or an object ------------------------------------------------------

static bool add_rows(ct_postgres_store *store, const PGresult *result, ct_database_row_table table,
                     ct_database_row_array *rows, ct_error *error) {
    for (int i = 0; i < store->api->PQntuples(result); ++i) {
        ct_database_row row;
        if (!read_row(store, result, i, table, &row, error))
            return false;
        ct_database_operations_push(&store->rows, &row.operation);
        row.operation = store->rows.list.items[store->rows.list.count - 1];
        ct_array_push(rows, row);
    }
    return true;
}

typedef struct table_read {
    ct_postgres_statement statement;
    ct_database_row_table table;
} table_read;

static bool load_rows(ct_postgres_store *store, const char *branch, ct_guid object, const char *key,
                      uint32_t key_length, const ct_guid *element, ct_database_row_array *rows,
                      ct_error *error) {
    static const table_read of_object[] = {
        {CT_POSTGRES_OBJECT_OF_OBJECT, CT_DATABASE_ROW_TABLE_OBJECT},
        {CT_POSTGRES_VALUE_OF_OBJECT, CT_DATABASE_ROW_TABLE_VALUE},
        {CT_POSTGRES_ELEMENT_OF_OBJECT, CT_DATABASE_ROW_TABLE_ELEMENT},
        {CT_POSTGRES_REMOVED_OF_OBJECT, CT_DATABASE_ROW_TABLE_REMOVED}};
    static const table_read of_key[] = {
        {CT_POSTGRES_VALUE_OF_KEY, CT_DATABASE_ROW_TABLE_VALUE},
        {CT_POSTGRES_ELEMENT_OF_KEY, CT_DATABASE_ROW_TABLE_ELEMENT},
        {CT_POSTGRES_REMOVED_OF_KEY, CT_DATABASE_ROW_TABLE_REMOVED}};
    static const table_read of_element[] = {
        {CT_POSTGRES_ELEMENT_OF_ELEMENT, CT_DATABASE_ROW_TABLE_ELEMENT},
        {CT_POSTGRES_REMOVED_OF_ELEMENT, CT_DATABASE_ROW_TABLE_REMOVED}};
    int64_t branch_id, key_id = 0;
    if (!ct_postgres_branch_id(store, branch, &branch_id, error) ||
        (key && !ct_postgres_key_id(store, key, key_length, false, &key_id, error)))
        return false;
    if (key && key_id == 0)
        return true;
    ct_postgres_params params = {0};
    ct_postgres_add_int(&params, branch_id);
    ct_postgres_add_guid(&params, &object);
    if (key)
        ct_postgres_add_int(&params, key_id);
    table_read reads[4];
    uint32_t count = 0;
    if (!key)
        for (uint32_t i = 0; i < CT_COUNT_OF(of_object); ++i)
            reads[count++] = of_object[i];
    else if (!element)
        for (uint32_t i = 0; i < CT_COUNT_OF(of_key); ++i)
            reads[count++] = of_key[i];
    else
        reads[count++] = of_key[0];
    for (uint32_t i = 0; i < count; ++i)
        if (!ct_postgres_queue(store, reads[i].statement, &params, error))
            return false;
    if (key && element) {
        ct_postgres_add_guid(&params, element);
        for (uint32_t i = 0; i < CT_COUNT_OF(of_element); ++i) {
            if (!ct_postgres_queue(store, of_element[i].statement, &params, error))
                return false;
            reads[count++] = of_element[i];
        }
    }
    PGresult *results[4] = {0};
    if (!ct_postgres_run(store, results, error))
        return false;
    bool is_good = true;
    for (uint32_t i = 0; i < count; ++i) {
        is_good = is_good && add_rows(store, results[i], reads[i].table, rows, error);
        store->api->PQclear(results[i]);
    }
    return is_good;
}

bool ct_postgres_load_rows(ct_database_store *base, const ct_database_branch *branch,
                           ct_guid object, const char *key, uint32_t key_length,
                           const ct_guid *element, ct_database_row_array *rows, ct_error *error) {
    ct_postgres_store *const store = (ct_postgres_store *)base;
    const uint32_t before = rows->count;
    ct_database_operations_clear(&store->rows);
    if (!ct_postgres_transaction_begin(store, CT_POSTGRES_BEGIN_READ, false, error))
        return false;
    const bool is_read =
        load_rows(store, branch->name, object, key, key_length, element, rows, error);
    if (ct_postgres_transaction_finish(store, is_read, error))
        return true;
    rows->count = before;
    return false;
}
