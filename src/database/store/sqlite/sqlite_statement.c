#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "database/store/sqlite/sqlite_private.h"

static const char *const sql_of_statements[] = {
#define CT_SQLITE_SQL(name, sql) [CT_SQLITE_##name] = sql,
    CT_SQLITE_STATEMENTS(CT_SQLITE_SQL)
#undef CT_SQLITE_SQL
};

// --- Errors --------------------------------------------------------------------------------------

bool ct_sqlite_fail(ct_sqlite_store *store, int result, ct_error *error) {
    const char *const file = store->base.location;
    const char *const reason = store->file ? store->api->sqlite3_errmsg(store->file) : "";
    store->has_failed = true;
    switch (result & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return ct_error_set_at(error, file, 0, 0,
                               "another process has been using the file for more than %d s (%s); "
                               "try again",
                               CT_SQLITE_BUSY_MS / 1000, reason);
    case SQLITE_FULL:
        return ct_error_set_at(error, file, 0, 0,
                               "the disk is full; nothing was changed. Free some space and try "
                               "again");
    case SQLITE_READONLY:
        return ct_error_set_at(error, file, 0, 0,
                               "the file or its folder is read-only: it can be read, but not "
                               "changed");
    case SQLITE_NOTADB:
        return ct_error_set_at(error, file, 0, 0, "it is no database of SQLite, or it is damaged");
    case SQLITE_CORRUPT:
        return ct_error_set_at(error, file, 0, 0,
                               "the file is damaged (%s): take a copy of it from a backup, or make "
                               "a new one and pull from another database",
                               reason);
    case SQLITE_CANTOPEN:
        return ct_error_set_at(error, file, 0, 0,
                               "the file or those beside it (-wal, -shm) cannot be opened (%s)",
                               reason);
    case SQLITE_IOERR:
        return ct_error_set_at(error, file, 0, 0, "reading or writing the file failed (%s)",
                               reason);
    case SQLITE_NOMEM:
        return ct_error_set_at(error, file, 0, 0, "there is not enough memory");
    default:
        return ct_error_set_at(error, file, 0, 0, "SQLite refused: %s", reason);
    }
}

bool ct_sqlite_damaged(ct_sqlite_store *store, ct_error *error, const char *format, ...) {
    char what[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof(what), format, arguments);
    va_end(arguments);
    store->has_failed = true;
    return ct_error_set_at(error, store->base.location, 0, 0, "the file is damaged: %s", what);
}

// --- Statements ----------------------------------------------------------------------------------

sqlite3_stmt *ct_sqlite_get(ct_sqlite_store *store, ct_sqlite_statement statement,
                            ct_error *error) {
    sqlite3_stmt **const place = &store->statements[statement];
    if (!*place) {
        const int result = store->api->sqlite3_prepare_v3(
            store->file, sql_of_statements[statement], -1, SQLITE_PREPARE_PERSISTENT, place, NULL);
        if (result != SQLITE_OK) {
            *place = NULL;
            ct_sqlite_fail(store, result, error);
        }
    }
    return *place;
}

void ct_sqlite_bind_int(ct_sqlite_store *store, sqlite3_stmt *statement, int place, int64_t value) {
    store->api->sqlite3_bind_int64(statement, place, value);
}

void ct_sqlite_bind_blob(ct_sqlite_store *store, sqlite3_stmt *statement, int place,
                         const void *bytes, uint64_t size_bytes) {
    store->api->sqlite3_bind_blob64(statement, place, size_bytes > 0 ? bytes : "", size_bytes,
                                    SQLITE_STATIC);
}

void ct_sqlite_bind_text(ct_sqlite_store *store, sqlite3_stmt *statement, int place,
                         const char *text, uint64_t length) {
    store->api->sqlite3_bind_text64(statement, place, length > 0 ? text : "", length, SQLITE_STATIC,
                                    SQLITE_UTF8);
}

void ct_sqlite_bind_guid(ct_sqlite_store *store, sqlite3_stmt *statement, int place,
                         const ct_guid *guid) {
    ct_sqlite_bind_blob(store, statement, place, guid->bytes, sizeof(guid->bytes));
}

bool ct_sqlite_next(ct_sqlite_store *store, sqlite3_stmt *statement, bool *has_row,
                    ct_error *error) {
    const int result = store->api->sqlite3_step(statement);
    *has_row = result == SQLITE_ROW;
    if (*has_row)
        return true;
    const bool is_done = result == SQLITE_DONE || ct_sqlite_fail(store, result, error);
    store->api->sqlite3_reset(statement);
    return is_done;
}

void ct_sqlite_reset(ct_sqlite_store *store, sqlite3_stmt *statement) {
    store->api->sqlite3_reset(statement);
}

bool ct_sqlite_run(ct_sqlite_store *store, sqlite3_stmt *statement, ct_error *error) {
    bool has_row = false;
    const bool is_done = ct_sqlite_next(store, statement, &has_row, error);
    if (has_row)
        store->api->sqlite3_reset(statement);
    return is_done;
}

bool ct_sqlite_run_ints(ct_sqlite_store *store, ct_sqlite_statement statement, const int64_t *ints,
                        uint32_t count, ct_error *error) {
    sqlite3_stmt *const prepared = ct_sqlite_get(store, statement, error);
    if (!prepared)
        return false;
    for (uint32_t i = 0; i < count; ++i)
        ct_sqlite_bind_int(store, prepared, (int)i + 1, ints[i]);
    return ct_sqlite_run(store, prepared, error);
}

bool ct_sqlite_column_guid(ct_sqlite_store *store, sqlite3_stmt *statement, int column,
                           ct_guid *guid) {
    const ct_sqlite_api *const api = store->api;
    const void *const bytes = api->sqlite3_column_blob(statement, column);
    if (!bytes || api->sqlite3_column_type(statement, column) != SQLITE_BLOB ||
        api->sqlite3_column_bytes(statement, column) != (int)sizeof(*guid))
        return false;
    memcpy(guid, bytes, sizeof(*guid));
    return true;
}

// --- Transactions --------------------------------------------------------------------------------

bool ct_sqlite_transaction_begin(ct_sqlite_store *store, bool writes, ct_error *error) {
    return store->is_committing ||
           ct_sqlite_run_ints(store, writes ? CT_SQLITE_BEGIN_WRITE : CT_SQLITE_BEGIN_READ, NULL, 0,
                              error);
}

bool ct_sqlite_transaction_finish(ct_sqlite_store *store, bool is_kept, ct_error *error) {
    if (store->is_committing)
        return is_kept;
    if (is_kept && ct_sqlite_run_ints(store, CT_SQLITE_COMMIT, NULL, 0, error))
        return true;
    if (!store->api->sqlite3_get_autocommit(store->file)) // some errors end it themselves
        ct_sqlite_run_ints(store, CT_SQLITE_ROLLBACK, NULL, 0, NULL);
    ct_database_names_clear(&store->keys);
    ct_database_names_clear(&store->replicas);
    return false;
}

// --- Numbers of replicas and keys ----------------------------------------------------------------

typedef struct name_table {
    ct_database_names *names;
    ct_sqlite_statement find, get, add;
    bool is_text;
} name_table;

static name_table replica_table(ct_sqlite_store *store) {
    return (name_table){.names = &store->replicas,
                        .find = CT_SQLITE_REPLICA_ID,
                        .get = CT_SQLITE_REPLICA_GUID,
                        .add = CT_SQLITE_REPLICA_ADD};
}

static name_table key_table(ct_sqlite_store *store) {
    return (name_table){.names = &store->keys,
                        .find = CT_SQLITE_KEY_ID,
                        .get = CT_SQLITE_KEY_TEXT,
                        .add = CT_SQLITE_KEY_ADD,
                        .is_text = true};
}

static sqlite3_stmt *bind_name(ct_sqlite_store *store, const name_table *table,
                               ct_sqlite_statement statement, const void *text, uint32_t length,
                               ct_error *error) {
    sqlite3_stmt *const prepared = ct_sqlite_get(store, statement, error);
    if (prepared && table->is_text)
        ct_sqlite_bind_text(store, prepared, 1, text, length);
    else if (prepared)
        ct_sqlite_bind_blob(store, prepared, 1, text, length);
    return prepared;
}

static bool find_name(ct_sqlite_store *store, const name_table *table, const void *text,
                      uint32_t length, bool may_add, int64_t *id, ct_error *error) {
    *id = ct_database_names_id(table->names, text, length);
    if (*id)
        return true;
    sqlite3_stmt *const find = bind_name(store, table, table->find, text, length, error);
    bool has_row;
    if (!find || !ct_sqlite_next(store, find, &has_row, error))
        return false;
    if (has_row) {
        *id = store->api->sqlite3_column_int64(find, 0);
        ct_sqlite_reset(store, find);
    } else if (may_add) {
        sqlite3_stmt *const add = bind_name(store, table, table->add, text, length, error);
        if (!add || !ct_sqlite_run(store, add, error))
            return false;
        *id = store->api->sqlite3_last_insert_rowid(store->file);
    } else {
        return true;
    }
    if (*id <= 0 || *id > CT_DATABASE_MAX_NAMES)
        return ct_sqlite_damaged(store, error, "found the number %lld of a key or a replica",
                                 (long long)*id);
    if (!ct_database_names_get(table->names, *id))
        ct_database_names_add(table->names, *id, text, length);
    return true;
}

static bool get_name(ct_sqlite_store *store, const name_table *table, int64_t id,
                     const ct_database_name **name, ct_error *error) {
    *name = ct_database_names_get(table->names, id);
    if (*name)
        return true;
    sqlite3_stmt *const get = ct_sqlite_get(store, table->get, error);
    if (!get)
        return false;
    ct_sqlite_bind_int(store, get, 1, id);
    bool has_row;
    if (!ct_sqlite_next(store, get, &has_row, error))
        return false;
    if (!has_row)
        return ct_sqlite_damaged(store, error, "the %s number %lld is missing",
                                 table->is_text ? "key" : "replica", (long long)id);
    const void *const text = table->is_text ? (const void *)store->api->sqlite3_column_text(get, 0)
                                            : store->api->sqlite3_column_blob(get, 0);
    const uint32_t length = (uint32_t)store->api->sqlite3_column_bytes(get, 0);
    const bool is_good = text && (table->is_text ? ct_database_key_check(text, length, NULL)
                                                 : length == sizeof(ct_guid));
    if (is_good)
        ct_database_names_add(table->names, id, text, length);
    ct_sqlite_reset(store, get);
    *name = ct_database_names_get(table->names, id);
    return is_good || ct_sqlite_damaged(store, error, "the %s number %lld is no %s",
                                        table->is_text ? "key" : "replica", (long long)id,
                                        table->is_text ? "key" : "GUID");
}

bool ct_sqlite_replica_id(ct_sqlite_store *store, ct_guid replica, bool may_add, int64_t *id,
                          ct_error *error) {
    const name_table table = replica_table(store);
    return find_name(store, &table, replica.bytes, sizeof(replica), may_add, id, error);
}

bool ct_sqlite_replica_guid(ct_sqlite_store *store, int64_t id, ct_guid *replica, ct_error *error) {
    const name_table table = replica_table(store);
    const ct_database_name *name;
    if (!get_name(store, &table, id, &name, error))
        return false;
    memcpy(replica, name->text, sizeof(*replica));
    return true;
}

bool ct_sqlite_key_id(ct_sqlite_store *store, const char *key, uint32_t length, bool may_add,
                      int64_t *id, ct_error *error) {
    const name_table table = key_table(store);
    return find_name(store, &table, key, length, may_add, id, error);
}

bool ct_sqlite_key_text(ct_sqlite_store *store, int64_t id, const char **key, uint32_t *length,
                        ct_error *error) {
    const name_table table = key_table(store);
    const ct_database_name *name;
    if (!get_name(store, &table, id, &name, error))
        return false;
    *key = name->text;
    *length = name->length;
    return true;
}
