#include <stdio.h>
#include <string.h>

#include "database/store/postgres/postgres_private.h"
#include "foundation/string/string_builder.h"

// As those of SQLite (sqlite_query.c). They live until the transaction ends.
static const char *const views[] = {
    "CREATE TEMP VIEW cuttle_object AS "
    "SELECT '00000000-0000-0000-0000-000000000000'::uuid AS object UNION ALL "
    "SELECT object FROM cuttle.object_row WHERE branch=%lld AND flags&1=1 AND type=0",
    "CREATE TEMP VIEW object AS SELECT object::text AS guid FROM pg_temp.cuttle_object",
    "CREATE TEMP VIEW cuttle_element AS "
    "SELECT v.object,v.key,encode(substring(v.bytes FROM n.i*16+1 FOR 16),'hex')::uuid AS element "
    "FROM cuttle.value_row v CROSS JOIN LATERAL generate_series(0,length(v.bytes)/16-1) n(i) "
    "WHERE v.branch=%lld AND v.flags&1=1 AND v.kind=6 AND NOT EXISTS("
    "SELECT 1 FROM cuttle.element_row e WHERE e.branch=%lld AND e.object=v.object "
    "AND e.key=v.key AND e.flags&1=1 "
    "AND e.element=encode(substring(v.bytes FROM n.i*16+1 FOR 16),'hex')::uuid) UNION ALL "
    "SELECT object,key,element FROM cuttle.element_row "
    "WHERE branch=%lld AND flags&1=1 AND type=3",
    "CREATE TEMP VIEW element AS SELECT e.object::text AS object,k.text AS key,"
    "e.element::text AS element FROM pg_temp.cuttle_element e "
    "JOIN cuttle.key_name k ON k.id=e.key "
    "WHERE e.object IN (SELECT object FROM pg_temp.cuttle_object)",
    "CREATE TEMP VIEW value AS SELECT v.object::text AS object,k.text AS key,"
    "CASE v.kind WHEN 1 THEN 'bool' WHEN 2 THEN 'number' WHEN 3 THEN 'string' WHEN 4 THEN 'blob' "
    "WHEN 5 THEN 'reference' ELSE 'set' END AS kind,"
    "CASE v.kind WHEN 1 THEN (v.number::int)::text WHEN 2 THEN v.number::text "
    "WHEN 3 THEN CASE WHEN position('\\x00'::bytea IN v.bytes)=0 "
    "THEN convert_from(v.bytes,'UTF8') END "
    "WHEN 4 THEN encode(substring(v.bytes FROM 1 FOR 16),'hex') "
    "WHEN 5 THEN encode(v.bytes,'hex')::uuid::text END AS value,v.number AS number "
    "FROM (SELECT object,key,kind,number,bytes FROM cuttle.value_row w "
    "WHERE branch=%lld AND flags&1=1 AND kind<>0 AND (kind=6 OR NOT EXISTS("
    "SELECT 1 FROM cuttle.element_row e WHERE e.branch=%lld AND e.object=w.object AND e.key=w.key "
    "AND e.flags&1=1 AND e.type=3)) UNION ALL "
    "SELECT DISTINCT object,key,6::int2,NULL::float8,NULL::bytea FROM cuttle.element_row f "
    "WHERE branch=%lld AND flags&1=1 AND type=3 AND NOT EXISTS("
    "SELECT 1 FROM cuttle.value_row w WHERE w.branch=%lld AND w.object=f.object AND w.key=f.key "
    "AND w.flags&1=1 AND w.kind=6)) v JOIN cuttle.key_name k ON k.id=v.key "
    "WHERE v.object IN (SELECT object FROM pg_temp.cuttle_object)",
};

static bool run(ct_postgres_store *store, const char *sql, ct_error *error) {
    PGresult *const result = ct_postgres_query_sql(store, sql, true, error);
    store->api->PQclear(result);
    return result;
}

// Puts the branch's number wherever a view has %lld.
static bool make_views(ct_postgres_store *store, int64_t branch, ct_error *error) {
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
        is_made = run(store, ct_string_builder_text(&sql), error);
    }
    ct_string_builder_free(&sql);
    return is_made;
}

// Returns whether a query begins with a word that one may begin with. The server refuses the rest.
static bool is_select(const char *sql) {
    static const char *const words[] = {"select", "with", "values", "table"};
    sql += strspn(sql, " \t\r\n(");
    for (uint32_t i = 0; i < CT_COUNT_OF(words); ++i) {
        uint32_t length = 0;
        while (words[i][length] && (sql[length] | 0x20) == words[i][length])
            ++length;
        if (!words[i][length] && strchr(" \t\r\n(*'\"", sql[length]))
            return true;
    }
    return false;
}

// Calls `row` with the columns' names, or with those of a row. Returns false to stop.
static bool give_row(ct_postgres_store *store, const PGresult *result, int at,
                     bool (*row)(void *user, uint32_t num_columns, const char *const *columns,
                                 bool is_names),
                     void *user) {
    const ct_postgres_api *const api = store->api;
    const uint32_t count = (uint32_t)api->PQnfields(result);
    const char **const columns =
        ct_alloc_array_zero(store->base.allocator, sizeof(*columns), count);
    for (uint32_t i = 0; i < count; ++i)
        columns[i] = at < 0                                 ? api->PQfname(result, (int)i)
                     : api->PQgetisnull(result, at, (int)i) ? NULL
                                                            : api->PQgetvalue(result, at, (int)i);
    const bool goes_on = row(user, count, columns, at < 0);
    ct_free(store->base.allocator, columns);
    return goes_on;
}

// A cursor takes nothing but a query, and one only.
static bool open_cursor(ct_postgres_store *store, const char *sql, ct_error *error) {
    ct_string_builder declare;
    ct_string_builder_init(&declare, store->base.allocator);
    uint32_t length = (uint32_t)strlen(sql);
    while (length > 0 && strchr(" \t\r\n;", sql[length - 1]))
        --length;
    ct_string_builder_add(&declare, "DECLARE cuttle_query NO SCROLL CURSOR FOR ");
    ct_string_builder_add_bytes(&declare, sql, length);
    const bool is_open = run(store, ct_string_builder_text(&declare), error);
    ct_string_builder_free(&declare);
    return is_open;
}

static bool run_query(ct_postgres_store *store, const char *branch, const char *sql,
                      bool (*row)(void *user, uint32_t num_columns, const char *const *columns,
                                  bool is_names),
                      void *user, ct_error *error) {
    int64_t id;
    if (!ct_postgres_branch_id(store, branch, &id, error) || !make_views(store, id, error) ||
        !run(store, "SET TRANSACTION READ ONLY", error) || !open_cursor(store, sql, error))
        return false;
    bool goes_on = true;
    for (bool is_first = true; goes_on; is_first = false) {
        PGresult *const result =
            ct_postgres_query_sql(store, "FETCH 1024 FROM cuttle_query", true, error);
        if (!result)
            return false;
        const int count = store->api->PQntuples(result);
        if (is_first)
            goes_on = give_row(store, result, -1, row, user);
        for (int i = 0; goes_on && i < count; ++i)
            goes_on = give_row(store, result, i, row, user);
        store->api->PQclear(result);
        goes_on = goes_on && count > 0;
    }
    return true;
}

bool ct_postgres_run_query(ct_database_store *base, const ct_database_branch *branch,
                           const char *sql,
                           bool (*row)(void *user, uint32_t num_columns, const char *const *columns,
                                       bool is_names),
                           void *user, ct_error *error) {
    ct_postgres_store *const store = (ct_postgres_store *)base;
    CT_ASSERT(!store->is_committing, "a query in a commit");
    if (!is_select(sql))
        return ct_error_set(error, "a query only reads; expected SELECT. Change objects with "
                                   "operations");
    if (!ct_postgres_transaction_begin(store, CT_POSTGRES_BEGIN, true, error))
        return false;
    const bool is_done = run_query(store, branch->name, sql, row, user, error);
    ct_postgres_transaction_finish(store, false, NULL); // the views go
    return is_done;
}
