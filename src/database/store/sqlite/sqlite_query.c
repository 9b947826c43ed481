#include <stdio.h>
#include <string.h>

#include "database/store/sqlite/sqlite_private.h"
#include "foundation/string/string_builder.h"

// A GUID as text.
#define TEXT_OF(column)                                                                            \
    "lower(substr(hex(" column "),1,8)||'-'||substr(hex(" column "),9,4)||'-'||substr(hex(" column \
    "),13,4)||'-'||substr(hex(" column "),17,4)||'-'||substr(hex(" column "),21,12))"

// Objects that exist: the root always does. Of a value that is a set, the elements are those that it gives and no
// later operation removed, and those that were added.
static const char *const views[] = {
    "DROP VIEW IF EXISTS temp.object",
    "DROP VIEW IF EXISTS temp.value",
    "DROP VIEW IF EXISTS temp.element",
    "DROP VIEW IF EXISTS temp.cuttle_object",
    "DROP VIEW IF EXISTS temp.cuttle_element",
    "CREATE TEMP VIEW cuttle_object AS "
    "SELECT zeroblob(16) AS object UNION ALL "
    "SELECT object FROM main.object_row WHERE branch=%lld AND flags&1 AND type=0",
    "CREATE TEMP VIEW object AS SELECT " TEXT_OF("object") " AS guid FROM temp.cuttle_object",
    "CREATE TEMP VIEW cuttle_element AS "
    "SELECT v.object AS object,v.key AS key,substr(v.value,n.i*16+1,16) AS element "
    "FROM main.value_row v,(WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i+1 FROM n "
    "WHERE i<(SELECT max(length(value))/16 FROM main.value_row WHERE branch=%lld AND kind=6)) "
    "SELECT i FROM n) n "
    "WHERE v.branch=%lld AND v.flags&1 AND v.kind=6 AND n.i<length(v.value)/16 "
    "AND NOT EXISTS(SELECT 1 FROM main.element_row e WHERE e.branch=%lld AND e.object=v.object "
    "AND e.key=v.key AND e.element=substr(v.value,n.i*16+1,16) AND e.flags&1) UNION ALL "
    "SELECT object,key,element FROM main.element_row WHERE branch=%lld AND flags&1 AND type=3",
    "CREATE TEMP VIEW element AS SELECT " TEXT_OF("e.object") " AS object,k.text AS key," TEXT_OF(
        "e.element") " AS element "
                     "FROM temp.cuttle_element e JOIN main.key_name k ON k.id=e.key "
                     "WHERE e.object IN (SELECT object FROM temp.cuttle_object)",
    "CREATE TEMP VIEW value AS SELECT " TEXT_OF(
        "v.object") " AS object,k.text AS key,"
                    "CASE v.kind WHEN 1 THEN 'bool' WHEN 2 THEN 'number' WHEN 3 THEN 'string' WHEN "
                    "4 THEN 'blob' "
                    "WHEN 5 THEN 'reference' ELSE 'set' END AS kind,"
                    "CASE v.kind WHEN 4 THEN lower(hex(substr(v.value,1,16))) WHEN 5 THEN " TEXT_OF(
                        "v.value") " "
                                   "WHEN 6 THEN NULL WHEN 2 THEN "
                                   "iif(typeof(v.value)='real',v.value,NULL) ELSE v.value END "
                                   "AS value FROM (SELECT object,key,kind,value FROM "
                                   "main.value_row w "
                                   "WHERE branch=%lld AND flags&1 AND kind<>0 AND (kind=6 OR NOT "
                                   "EXISTS("
                                   "SELECT 1 FROM main.element_row e WHERE e.branch=%lld AND "
                                   "e.object=w.object AND e.key=w.key "
                                   "AND e.flags&1 AND e.type=3)) UNION ALL "
                                   "SELECT DISTINCT object,key,6,NULL FROM main.element_row f "
                                   "WHERE branch=%lld AND flags&1 AND type=3 AND NOT EXISTS("
                                   "SELECT 1 FROM main.value_row w WHERE w.branch=%lld AND "
                                   "w.object=f.object AND w.key=f.key "
                                   "AND w.flags&1 AND w.kind=6)) v JOIN main.key_name k ON "
                                   "k.id=v.key "
                                   "WHERE v.object IN (SELECT object FROM temp.cuttle_object)",
};

static bool execute(ct_sqlite_store *store, const char *sql, ct_error *error) {
    const int result = store->api->sqlite3_exec(store->file, sql, NULL, NULL, NULL);
    return result == SQLITE_OK || ct_sqlite_fail(store, result, error);
}

// Puts the branch's number wherever a view has %lld.
static bool make_views(ct_sqlite_store *store, int64_t branch, ct_error *error) {
    char number[24];
    snprintf(number, sizeof(number), "%lld", (long long)branch);
    ct_string_builder sql;
    ct_string_builder_init(&sql, store->base.allocator);
    bool is_made = true;
    for (uint32_t i = 0; is_made && i < CT_COUNT_OF(views); ++i) {
        ct_string_builder_clear(&sql);
        const char *from = views[i];
        for (const char *place; (place = strstr(from, "%lld")); from = place + 4) {
            ct_string_builder_add_bytes(&sql, from, (uint32_t)(place - from));
            ct_string_builder_add(&sql, number);
        }
        ct_string_builder_add(&sql, from);
        is_made = execute(store, ct_string_builder_text(&sql), error);
    }
    ct_string_builder_free(&sql);
    return is_made;
}

// Allows what reads, whatever else SQLite has.
static int authorize(void *user, int action, const char *first, const char *second,
                     const char *file, const char *view) {
    (void)user, (void)first, (void)file, (void)view;
    switch (action) {
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_RECURSIVE:
        return SQLITE_OK;
    case SQLITE_FUNCTION:
        return second && strcmp(second, "load_extension") == 0 ? SQLITE_DENY : SQLITE_OK;
    default:
        return SQLITE_DENY;
    }
}

static bool is_blank(const char *text) {
    return text[strspn(text, " \t\r\n;")] == 0;
}

// Gives the columns' names, or those of the row at which the statement is. Returns false to stop.
static bool give_row(ct_sqlite_store *store, sqlite3_stmt *statement, bool is_names,
                     bool (*row)(void *user, uint32_t num_columns, const char *const *columns,
                                 bool is_names),
                     void *user) {
    const uint32_t count = (uint32_t)store->api->sqlite3_column_count(statement);
    const char **const columns =
        ct_alloc_array_zero(store->base.allocator, sizeof(*columns), count);
    for (uint32_t i = 0; i < count; ++i)
        columns[i] = is_names ? store->api->sqlite3_column_name(statement, (int)i)
                              : (const char *)store->api->sqlite3_column_text(statement, (int)i);
    const bool goes_on = row(user, count, columns, is_names);
    ct_free(store->base.allocator, columns);
    return goes_on;
}

static bool fail_query(ct_sqlite_store *store, int result, ct_error *error) {
    if ((result & 0xff) == SQLITE_AUTH)
        return ct_error_set(error, "a query only reads; expected SELECT. Change objects with "
                                   "operations");
    if ((result & 0xff) == SQLITE_ERROR)
        return ct_error_set(error, "the query is wrong: %s",
                            store->api->sqlite3_errmsg(store->file));
    return ct_sqlite_fail(store, result, error);
}

static bool run_query(ct_sqlite_store *store, const char *sql,
                      bool (*row)(void *user, uint32_t num_columns, const char *const *columns,
                                  bool is_names),
                      void *user, ct_error *error) {
    const ct_sqlite_api *const api = store->api;
    sqlite3_stmt *statement = NULL;
    const char *rest = "";
    int result = api->sqlite3_prepare_v3(store->file, sql, -1, 0, &statement, &rest);
    if (result != SQLITE_OK)
        return fail_query(store, result, error);
    bool is_good = true;
    if (!statement)
        is_good = ct_error_set(error, "the query is empty; expected SELECT");
    else if (!is_blank(rest))
        is_good = ct_error_set(error, "found more than one statement; expected one SELECT");
    else if (!api->sqlite3_stmt_readonly(statement))
        is_good = fail_query(store, SQLITE_AUTH, error);
    bool goes_on = is_good && give_row(store, statement, true, row, user);
    while (goes_on) {
        result = api->sqlite3_step(statement);
        goes_on = result == SQLITE_ROW && give_row(store, statement, false, row, user);
    }
    if (is_good && result != SQLITE_OK && result != SQLITE_ROW && result != SQLITE_DONE)
        is_good = fail_query(store, result, error);
    api->sqlite3_finalize(statement);
    return is_good;
}

bool ct_sqlite_query(ct_database_store *base, const ct_database_branch *branch, const char *sql,
                     bool (*row)(void *user, uint32_t num_columns, const char *const *columns,
                                 bool is_names),
                     void *user, ct_error *error) {
    ct_sqlite_store *const store = (ct_sqlite_store *)base;
    int64_t id;
    if (!ct_sqlite_branch_id(store, branch->name, &id, error) || !make_views(store, id, error))
        return false;
    store->api->sqlite3_set_authorizer(store->file, authorize, NULL);
    const bool is_done = run_query(store, sql, row, user, error);
    store->api->sqlite3_set_authorizer(store->file, NULL, NULL);
    return is_done;
}
