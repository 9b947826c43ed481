#include <stdio.h>
#include <string.h>

#include "database/store/sqlite/sqlite_private.h"

// As SQLite keeps them: a file whose tables are others is a stranger's.
static const char *const tables[][2] = {
    {"branch", "CREATE TABLE branch(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, "
               "replica INTEGER NOT NULL UNIQUE, hash INTEGER NOT NULL, "
               "num_objects INTEGER NOT NULL, num_values INTEGER NOT NULL)"},
    {"element_row", "CREATE TABLE element_row(branch INTEGER NOT NULL, object BLOB NOT NULL, "
                    "key INTEGER NOT NULL, element BLOB NOT NULL, replica INTEGER NOT NULL, "
                    "time INTEGER NOT NULL, type INTEGER NOT NULL, flags INTEGER NOT NULL, "
                    "PRIMARY KEY(branch, object, key, element, replica, time)) WITHOUT ROWID"},
    {"has", "CREATE TABLE has(branch INTEGER NOT NULL, replica INTEGER NOT NULL, "
            "time INTEGER NOT NULL, PRIMARY KEY(branch, replica)) WITHOUT ROWID"},
    {"key_name", "CREATE TABLE key_name(id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE)"},
    {"local_text", "CREATE TABLE local_text(id INTEGER PRIMARY KEY, branch INTEGER NOT NULL, "
                   "owner TEXT NOT NULL, text BLOB NOT NULL, hash INTEGER NOT NULL, "
                   "UNIQUE(branch, owner))"},
    {"log", "CREATE TABLE log(id INTEGER PRIMARY KEY, time INTEGER NOT NULL, "
            "own INTEGER NOT NULL, bytes BLOB NOT NULL)"},
    {"object_row", "CREATE TABLE object_row(branch INTEGER NOT NULL, object BLOB NOT NULL, "
                   "replica INTEGER NOT NULL, time INTEGER NOT NULL, type INTEGER NOT NULL, "
                   "flags INTEGER NOT NULL, "
                   "PRIMARY KEY(branch, object, replica, time)) WITHOUT ROWID"},
    {"piece", "CREATE TABLE piece(id INTEGER PRIMARY KEY, hash BLOB NOT NULL, "
              "size INTEGER NOT NULL, piece INTEGER NOT NULL, bytes BLOB NOT NULL, "
              "UNIQUE(hash, size, piece))"},
    {"removed_row", "CREATE TABLE removed_row(branch INTEGER NOT NULL, object BLOB NOT NULL, "
                    "key INTEGER NOT NULL, element BLOB NOT NULL, replica INTEGER NOT NULL, "
                    "time INTEGER NOT NULL, type INTEGER NOT NULL, flags INTEGER NOT NULL, "
                    "PRIMARY KEY(branch, object, key, element, replica, time)) WITHOUT ROWID"},
    {"replica", "CREATE TABLE replica(id INTEGER PRIMARY KEY, guid BLOB NOT NULL UNIQUE)"},
    {"stored", "CREATE TABLE stored(branch INTEGER NOT NULL, replica INTEGER NOT NULL, "
               "time INTEGER NOT NULL, PRIMARY KEY(branch, replica)) WITHOUT ROWID"},
    {"value_row", "CREATE TABLE value_row(branch INTEGER NOT NULL, object BLOB NOT NULL, "
                  "key INTEGER NOT NULL, replica INTEGER NOT NULL, time INTEGER NOT NULL, "
                  "flags INTEGER NOT NULL, kind INTEGER NOT NULL, value, "
                  "PRIMARY KEY(branch, object, key, replica, time)) WITHOUT ROWID"},
};

static bool execute(ct_sqlite_store *store, const char *sql, ct_error *error) {
    const int result = store->api->sqlite3_exec(store->file, sql, NULL, NULL, NULL);
    return result == SQLITE_OK || ct_sqlite_fail(store, result, error);
}

// Gives the integer in the first column of the first row.
static bool ask_integer(ct_sqlite_store *store, const char *sql, int64_t *answer, ct_error *error) {
    sqlite3_stmt *statement = NULL;
    int result = store->api->sqlite3_prepare_v3(store->file, sql, -1, 0, &statement, NULL);
    if (result == SQLITE_OK)
        result = store->api->sqlite3_step(statement);
    *answer = result == SQLITE_ROW ? store->api->sqlite3_column_int64(statement, 0) : 0;
    if (result != SQLITE_ROW && result != SQLITE_DONE)
        ct_sqlite_fail(store, result, error);
    store->api->sqlite3_finalize(statement);
    return result == SQLITE_ROW || result == SQLITE_DONE;
}

static bool make_tables(ct_sqlite_store *store, ct_error *error) {
    for (uint32_t i = 0; i < CT_COUNT_OF(tables); ++i)
        if (!execute(store, tables[i][1], error))
            return false;
    char pragmas[128];
    snprintf(pragmas, sizeof(pragmas), "PRAGMA application_id=%d; PRAGMA user_version=%d",
             CT_SQLITE_APPLICATION_ID, CT_SQLITE_VERSION);
    return execute(store, pragmas, error);
}

// Checks the row of sqlite_schema at which the statement is.
static bool check_table(ct_sqlite_store *store, sqlite3_stmt *statement, uint32_t *num_found,
                        ct_error *error) {
    const ct_sqlite_api *const api = store->api;
    const char *const name = (const char *)api->sqlite3_column_text(statement, 0);
    const char *const sql = (const char *)api->sqlite3_column_text(statement, 1);
    if (name && strncmp(name, "sqlite_", 7) == 0)
        return true; // indices that follow from the tables, statistics
    for (uint32_t i = 0; name && sql && i < CT_COUNT_OF(tables); ++i)
        if (strcmp(tables[i][0], name) == 0 && strcmp(tables[i][1], sql) == 0) {
            ++*num_found;
            return true;
        }
    return ct_error_set_at(error, store->base.location, 0, 0,
                           "found \"%s\", which is not part of a database of Cuttle of version %d: "
                           "remove it with sqlite3, or take a copy of the file from a backup",
                           name ? name : "", CT_SQLITE_VERSION);
}

static bool check_tables(ct_sqlite_store *store, ct_error *error) {
    sqlite3_stmt *statement = NULL;
    const int result = store->api->sqlite3_prepare_v3(
        store->file, "SELECT name,sql FROM main.sqlite_schema", -1, 0, &statement, NULL);
    if (result != SQLITE_OK)
        return ct_sqlite_fail(store, result, error);
    uint32_t num_found = 0;
    bool has_row = true, is_good = true;
    while (is_good && has_row) {
        is_good = ct_sqlite_next(store, statement, &has_row, error);
        if (is_good && has_row)
            is_good = check_table(store, statement, &num_found, error);
    }
    store->api->sqlite3_finalize(statement);
    if (is_good && num_found != CT_COUNT_OF(tables))
        return ct_sqlite_damaged(store, error, "it has %u of %u tables", num_found,
                                 CT_COUNT_OF(tables));
    return is_good;
}

static bool check_ids(ct_sqlite_store *store, int64_t application, int64_t version,
                      ct_error *error) {
    if (application != CT_SQLITE_APPLICATION_ID)
        return ct_error_set_at(error, store->base.location, 0, 0,
                               "it is a database of SQLite, but not one of Cuttle");
    if (version > CT_SQLITE_VERSION)
        return ct_error_set_at(error, store->base.location, 0, 0,
                               "it has version %lld, and this Cuttle reads up to %d: use a later "
                               "Cuttle",
                               (long long)version, CT_SQLITE_VERSION);
    if (version < CT_SQLITE_VERSION)
        return ct_sqlite_damaged(store, error, "it has version %lld", (long long)version);
    return check_tables(store, error);
}

// Makes the tables in an empty file. Another process may be faster.
static bool create(ct_sqlite_store *store, bool *is_there, ct_error *error) {
    if (!execute(store, "BEGIN IMMEDIATE", error))
        return false;
    int64_t num_tables = 0;
    bool is_good =
        ask_integer(store, "SELECT count(*) FROM main.sqlite_schema", &num_tables, error);
    *is_there = num_tables > 0;
    if (is_good && !*is_there)
        is_good = make_tables(store, error);
    if (is_good && execute(store, "COMMIT", error))
        return true;
    execute(store, "ROLLBACK", NULL);
    return false;
}

bool ct_sqlite_schema_open(ct_sqlite_store *store, bool may_create, ct_error *error) {
    int64_t application = 0, version = 0, num_tables = 0;
    if (!ask_integer(store, "PRAGMA main.application_id", &application, error) ||
        !ask_integer(store, "PRAGMA main.user_version", &version, error) ||
        !ask_integer(store, "SELECT count(*) FROM main.sqlite_schema", &num_tables, error))
        return false;
    const bool is_empty = application == 0 && version == 0 && num_tables == 0;
    if (is_empty && !may_create)
        return ct_error_set_at(error, store->base.location, 0, 0,
                               "the file is empty; expected a database of Cuttle");
    if (is_empty) {
        bool is_there;
        if (!create(store, &is_there, error) ||
            !ask_integer(store, "PRAGMA main.application_id", &application, error) ||
            !ask_integer(store, "PRAGMA main.user_version", &version, error))
            return false;
    }
    return check_ids(store, application, version, error);
}
