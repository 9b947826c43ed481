#include <stdio.h>
#include <string.h>

#include "database/store/sqlite/sqlite_private.h"
#include "foundation/os/os.h"
#include "foundation/os/path.h"

// --- Rows ----------------------------------------------------------------------------------------

enum { OBJECT, REPLICA, TIME, FLAGS, FIRST_OF_TABLE }; // the columns that all tables have

static bool fail_row(ct_sqlite_store *store, const ct_database_row *row, const char *what,
                     ct_error *error) {
    char object[CT_GUID_TEXT_BYTES];
    ct_guid_format(row->operation.object, object);
    return ct_sqlite_damaged(store, error, "a row of object %s %s", object, what);
}

// Reads a value from the columns kind and value. Numbers that SQLite would turn into null are bytes.
static bool read_value(ct_sqlite_store *store, sqlite3_stmt *statement, ct_database_row *row,
                       ct_error *error) {
    enum { KIND = FIRST_OF_TABLE + 1, VALUE };
    const ct_sqlite_api *const api = store->api;
    const int64_t kind = api->sqlite3_column_int64(statement, KIND);
    if (kind < 0 || kind >= CT_DATABASE_NUM_KINDS)
        return fail_row(store, row, "has a value of an unknown kind", error);
    ct_database_columns columns = {.kind = (ct_database_kind)kind, .bytes = ""};
    const int type = api->sqlite3_column_type(statement, VALUE);
    bool is_good = true;
    if (kind == CT_DATABASE_NULL) {
        is_good = type == SQLITE_NULL;
    } else if (kind == CT_DATABASE_BOOL) {
        columns.number = (double)api->sqlite3_column_int64(statement, VALUE);
        is_good = type == SQLITE_INTEGER;
    } else if (kind == CT_DATABASE_NUMBER && type == SQLITE_FLOAT) {
        columns.number = api->sqlite3_column_double(statement, VALUE);
    } else {
        is_good = type == (kind == CT_DATABASE_STRING ? SQLITE_TEXT : SQLITE_BLOB);
        if (is_good) {
            const void *const bytes = kind == CT_DATABASE_STRING
                                          ? (const void *)api->sqlite3_column_text(statement, VALUE)
                                          : api->sqlite3_column_blob(statement, VALUE);
            columns.bytes = bytes ? bytes : "";
            columns.size_bytes = (uint32_t)api->sqlite3_column_bytes(statement, VALUE);
        }
        if (is_good && kind == CT_DATABASE_NUMBER) {
            is_good = columns.size_bytes == sizeof(columns.number);
            if (is_good)
                memcpy(&columns.number, columns.bytes, sizeof(columns.number));
        }
    }
    ct_error why = {0};
    if (is_good && ct_database_columns_value(&columns, &row->operation.value, &why))
        return true;
    return fail_row(store, row, "has a value that does not fit its kind", error);
}

static bool read_key(ct_sqlite_store *store, int64_t id, ct_database_row *row, ct_error *error) {
    return ct_sqlite_key_text(store, id, &row->operation.key, &row->operation.key_length, error);
}

// Reads type, key and element of element_row and removed_row.
static bool read_element(ct_sqlite_store *store, sqlite3_stmt *statement,
                         ct_database_row_table table, ct_database_row *row, ct_error *error) {
    enum { TYPE = FIRST_OF_TABLE, KEY, ELEMENT };
    const int64_t type = store->api->sqlite3_column_int64(statement, TYPE);
    const int64_t key = store->api->sqlite3_column_int64(statement, KEY);
    const bool is_element = type == CT_DATABASE_ADD_TO_SET || type == CT_DATABASE_REMOVE_FROM_SET;
    if (!is_element && (table == CT_DATABASE_ROW_TABLE_ELEMENT || type < 0 ||
                        type >= CT_DATABASE_NUM_OPERATION_TYPES))
        return fail_row(store, row, "has the type of another", error);
    row->operation.type = (ct_database_operation_type)type;
    if (type == CT_DATABASE_CREATE || type == CT_DATABASE_DESTROY)
        return key == 0 || fail_row(store, row, "has a key", error);
    if (is_element) {
        row->operation.value.kind = CT_DATABASE_REFERENCE;
        if (!ct_sqlite_column_guid(store, statement, ELEMENT, &row->operation.value.reference))
            return fail_row(store, row, "has an element that is no GUID", error);
    }
    return read_key(store, key, row, error);
}

static bool read_existence(ct_sqlite_store *store, sqlite3_stmt *statement, ct_database_row *row,
                           ct_error *error) {
    const int64_t type = store->api->sqlite3_column_int64(statement, FIRST_OF_TABLE);
    row->operation.type = (ct_database_operation_type)type;
    return type == CT_DATABASE_CREATE || type == CT_DATABASE_DESTROY ||
           fail_row(store, row, "has the type of another", error);
}

bool ct_sqlite_read_row(ct_sqlite_store *store, sqlite3_stmt *statement,
                        ct_database_row_table table, ct_database_row *row, ct_error *error) {
    const ct_sqlite_api *const api = store->api;
    *row = (ct_database_row){0};
    if (!ct_sqlite_column_guid(store, statement, OBJECT, &row->operation.object))
        return ct_sqlite_damaged(store, error, "a row belongs to an object whose name is no GUID");
    const int64_t time = api->sqlite3_column_int64(statement, TIME);
    if (!ct_database_time_check(time))
        return fail_row(store, row, "has no time", error);
    row->stamp.time = (uint64_t)time;
    if (!ct_database_row_set_flags(row, table, api->sqlite3_column_int64(statement, FLAGS)))
        return fail_row(store, row, "has unknown flags", error);
    if (!ct_sqlite_replica_guid(store, api->sqlite3_column_int64(statement, REPLICA),
                                &row->stamp.replica, error))
        return false;
    switch (table) {
    case CT_DATABASE_ROW_TABLE_OBJECT:
        return read_existence(store, statement, row, error);
    case CT_DATABASE_ROW_TABLE_VALUE:
        row->operation.type = CT_DATABASE_CHANGE_KEY;
        return read_key(store, api->sqlite3_column_int64(statement, FIRST_OF_TABLE), row, error) &&
               read_value(store, statement, row, error);
    default:
        return read_element(store, statement, table, row, error);
    }
}

// --- Loading all ---------------------------------------------------------------------------------

// A walk over the rows of a table, in the order of objects.
typedef struct row_walk {
    sqlite3_stmt *statement; // NULL: at its end
    ct_database_row_table table;
    ct_database_row row; // the next one
} row_walk;

static bool step(ct_sqlite_store *store, row_walk *walk, ct_error *error) {
    bool has_row;
    sqlite3_stmt *const statement = walk->statement;
    walk->statement = NULL;
    if (!ct_sqlite_next(store, statement, &has_row, error))
        return false;
    if (!has_row)
        return true;
    if (!ct_sqlite_read_row(store, statement, walk->table, &walk->row, error)) {
        ct_sqlite_reset(store, statement);
        return false;
    }
    walk->statement = statement;
    return true;
}

static bool begin_walk(ct_sqlite_store *store, ct_sqlite_statement load,
                       ct_database_row_table table, int64_t branch, row_walk *walk,
                       ct_error *error) {
    *walk = (row_walk){.statement = ct_sqlite_get(store, load, error), .table = table};
    if (!walk->statement)
        return false;
    ct_sqlite_bind_int(store, walk->statement, 1, branch);
    return step(store, walk, error);
}

// Hands on all rows of an object one after the other: so the state looks for each object once.
static bool load_tables(ct_sqlite_store *store, int64_t branch, ct_database_state *state,
                        ct_error *error) {
    enum { NUM_WALKS = 3 };
    row_walk walks[NUM_WALKS] = {{0}};
    bool is_good = begin_walk(store, CT_SQLITE_OBJECT_LOAD, CT_DATABASE_ROW_TABLE_OBJECT, branch,
                              &walks[0], error) &&
                   begin_walk(store, CT_SQLITE_VALUE_LOAD, CT_DATABASE_ROW_TABLE_VALUE, branch,
                              &walks[1], error) &&
                   begin_walk(store, CT_SQLITE_ELEMENT_LOAD, CT_DATABASE_ROW_TABLE_ELEMENT, branch,
                              &walks[2], error);
    while (is_good) {
        row_walk *first = NULL;
        for (uint32_t i = 0; i < NUM_WALKS; ++i)
            if (walks[i].statement && (!first || ct_guid_compare(walks[i].row.operation.object,
                                                                 first->row.operation.object) < 0))
                first = &walks[i];
        if (!first)
            return true;
        const ct_guid object = first->row.operation.object;
        do {
            ct_database_state_load(state, &first->row);
            is_good = step(store, first, error);
        } while (is_good && first->statement &&
                 ct_guid_is_equal(first->row.operation.object, object));
    }
    for (uint32_t i = 0; i < NUM_WALKS; ++i)
        if (walks[i].statement)
            ct_sqlite_reset(store, walks[i].statement);
    return false;
}

// Returns a number of rows that comes from the file, at most what a file of this size can hold.
static uint32_t sane_count(int64_t count, uint64_t file_bytes) {
    const uint64_t most = file_bytes / 16 < UINT32_MAX ? file_bytes / 16 : UINT32_MAX;
    return count <= 0 ? 0 : (uint64_t)count < most ? (uint32_t)count : (uint32_t)most;
}

static bool reserve(ct_sqlite_store *store, int64_t branch, ct_database_state *state,
                    ct_error *error) {
    sqlite3_stmt *const counts = ct_sqlite_get(store, CT_SQLITE_BRANCH_COUNTS, error);
    if (!counts)
        return false;
    ct_sqlite_bind_int(store, counts, 1, branch);
    bool has_row;
    if (!ct_sqlite_next(store, counts, &has_row, error))
        return false;
    if (!has_row)
        return ct_sqlite_damaged(store, error, "a branch is missing");
    const int64_t num_objects = store->api->sqlite3_column_int64(counts, 0);
    const int64_t num_values = store->api->sqlite3_column_int64(counts, 1);
    ct_sqlite_reset(store, counts);
    char log[CT_PATH_BYTES + 8];
    snprintf(log, sizeof(log), "%s-wal", store->base.location);
    const uint64_t bytes =
        ct_os_file_info(store->base.location).size_bytes + ct_os_file_info(log).size_bytes;
    ct_database_state_reserve(state, sane_count(num_objects, bytes), sane_count(num_values, bytes));
    return true;
}

bool ct_sqlite_load_state(ct_database_store *base, ct_database_branch *branch,
                          ct_database_state *state, ct_error *error) {
    ct_sqlite_store *const store = (ct_sqlite_store *)base;
    CT_ASSERT(!store->is_committing, "the state is loaded in a commit");
    int64_t id;
    if (!ct_sqlite_transaction_begin(store, false, error))
        return false;
    const bool is_loaded = ct_sqlite_branch_need(store, branch, &id, error) &&
                           reserve(store, id, state, error) && load_tables(store, id, state, error);
    return ct_sqlite_transaction_finish(store, is_loaded, error);
}

// --- Loading the rows of a key or an object ------------------------------------------------------

// What to look for.
typedef struct wanted {
    int64_t branch, key; // key 0: all of the object
    const ct_guid *object;
    const ct_guid *element; // NULL: all of the key
} wanted;

static bool add_rows(ct_sqlite_store *store, ct_sqlite_statement read, ct_database_row_table table,
                     const wanted *w, const ct_guid *element, ct_database_row_array *rows,
                     ct_error *error) {
    sqlite3_stmt *const statement = ct_sqlite_get(store, read, error);
    if (!statement)
        return false;
    ct_sqlite_bind_int(store, statement, 1, w->branch);
    ct_sqlite_bind_guid(store, statement, 2, w->object);
    if (w->key)
        ct_sqlite_bind_int(store, statement, 3, w->key);
    if (element)
        ct_sqlite_bind_guid(store, statement, 4, element);
    else if (read == CT_SQLITE_REMOVED_OF_ELEMENT)
        ct_sqlite_bind_blob(store, statement, 4, "", 0);
    for (;;) {
        bool has_row;
        if (!ct_sqlite_next(store, statement, &has_row, error))
            return false;
        if (!has_row)
            return true;
        ct_database_row row;
        if (!ct_sqlite_read_row(store, statement, table, &row, error)) {
            ct_sqlite_reset(store, statement);
            return false;
        }
        ct_database_operations_push(&store->rows, &row.operation);
        row.operation = store->rows.list.items[store->rows.list.count - 1];
        ct_array_push(rows, row);
    }
}

static bool add_object(ct_sqlite_store *store, const wanted *w, ct_database_row_array *rows,
                       ct_error *error) {
    return add_rows(store, CT_SQLITE_OBJECT_OF_OBJECT, CT_DATABASE_ROW_TABLE_OBJECT, w, NULL, rows,
                    error) &&
           add_rows(store, CT_SQLITE_VALUE_OF_OBJECT, CT_DATABASE_ROW_TABLE_VALUE, w, NULL, rows,
                    error) &&
           add_rows(store, CT_SQLITE_ELEMENT_OF_OBJECT, CT_DATABASE_ROW_TABLE_ELEMENT, w, NULL,
                    rows, error) &&
           add_rows(store, CT_SQLITE_REMOVED_OF_OBJECT, CT_DATABASE_ROW_TABLE_REMOVED, w, NULL,
                    rows, error);
}

static bool add_key(ct_sqlite_store *store, const wanted *w, ct_database_row_array *rows,
                    ct_error *error) {
    if (!add_rows(store, CT_SQLITE_VALUE_OF_KEY, CT_DATABASE_ROW_TABLE_VALUE, w, NULL, rows, error))
        return false;
    if (!w->element)
        return add_rows(store, CT_SQLITE_ELEMENT_OF_KEY, CT_DATABASE_ROW_TABLE_ELEMENT, w, NULL,
                        rows, error) &&
               add_rows(store, CT_SQLITE_REMOVED_OF_KEY, CT_DATABASE_ROW_TABLE_REMOVED, w, NULL,
                        rows, error);
    return add_rows(store, CT_SQLITE_ELEMENT_OF_ELEMENT, CT_DATABASE_ROW_TABLE_ELEMENT, w,
                    w->element, rows, error) &&
           add_rows(store, CT_SQLITE_REMOVED_OF_ELEMENT, CT_DATABASE_ROW_TABLE_REMOVED, w,
                    w->element, rows, error) &&
           add_rows(store, CT_SQLITE_REMOVED_OF_ELEMENT, CT_DATABASE_ROW_TABLE_REMOVED, w, NULL,
                    rows, error);
}

static bool load_rows(ct_sqlite_store *store, const char *branch, ct_guid object, const char *key,
                      uint32_t key_length, const ct_guid *element, ct_database_row_array *rows,
                      ct_error *error) {
    wanted w = {.object = &object, .element = element};
    if (!ct_sqlite_branch_id(store, branch, &w.branch, error))
        return false;
    if (!key)
        return add_object(store, &w, rows, error);
    if (!ct_sqlite_key_id(store, key, key_length, false, &w.key, error))
        return false;
    return w.key == 0 || add_key(store, &w, rows, error);
}

// Most objects that are asked for are new: one statement finds that, without a transaction of its own.
static bool may_have_rows(ct_sqlite_store *store, const char *branch, const ct_guid *object,
                          bool *may, ct_error *error) {
    sqlite3_stmt *const find = ct_sqlite_get(store, CT_SQLITE_OBJECT_FIND_NAMED, error);
    if (!find)
        return false;
    ct_sqlite_bind_text(store, find, 1, branch, strlen(branch));
    ct_sqlite_bind_guid(store, find, 2, object);
    bool has_row;
    if (!ct_sqlite_next(store, find, &has_row, error))
        return false;
    // Without a row there is no such branch, which has its own error.
    *may = !has_row || store->api->sqlite3_column_int64(find, 0);
    if (has_row)
        ct_sqlite_reset(store, find);
    return true;
}

bool ct_sqlite_load_rows(ct_database_store *base, const ct_database_branch *branch, ct_guid object,
                         const char *key, uint32_t key_length, const ct_guid *element,
                         ct_database_row_array *rows, ct_error *error) {
    ct_sqlite_store *const store = (ct_sqlite_store *)base;
    const uint32_t before = rows->count;
    ct_database_operations_clear(&store->rows);
    bool may;
    if (!may_have_rows(store, branch->name, &object, &may, error))
        return false;
    if (!may)
        return true;
    if (!ct_sqlite_transaction_begin(store, false, error))
        return false;
    const bool is_read =
        load_rows(store, branch->name, object, key, key_length, element, rows, error);
    if (ct_sqlite_transaction_finish(store, is_read, error))
        return true;
    rows->count = before;
    return false;
}
