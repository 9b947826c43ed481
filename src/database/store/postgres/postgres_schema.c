#include <string.h>

#include "database/store/postgres/postgres_private.h"

// Big bytes are stored as they are: commits and most blobs do not shrink.
static const char *const tables[] = {
    "CREATE SCHEMA cuttle",
    "CREATE TABLE cuttle.about(version int8 NOT NULL)",
    "CREATE TABLE cuttle.replica(id int8 GENERATED ALWAYS AS IDENTITY PRIMARY KEY, "
    "guid uuid NOT NULL UNIQUE)",
    "CREATE TABLE cuttle.branch(id int8 GENERATED ALWAYS AS IDENTITY PRIMARY KEY, "
    "name text NOT NULL UNIQUE, replica int8 NOT NULL UNIQUE, hash int8 NOT NULL)",
    "CREATE TABLE cuttle.log(replica int8, time int8, bytes bytea NOT NULL, "
    "PRIMARY KEY(replica, time))",
    "CREATE TABLE cuttle.has(branch int8, replica int8, time int8 NOT NULL, "
    "PRIMARY KEY(branch, replica), FOREIGN KEY(replica, time) REFERENCES cuttle.log)",
    "CREATE TABLE cuttle.stored(branch int8, replica int8, time int8 NOT NULL, "
    "PRIMARY KEY(branch, replica), FOREIGN KEY(replica, time) REFERENCES cuttle.log)",
    "CREATE TABLE cuttle.key_name(id int8 GENERATED ALWAYS AS IDENTITY PRIMARY KEY, "
    "text text NOT NULL UNIQUE)",
    "CREATE TABLE cuttle.object_row(branch int8, object uuid, replica int8, time int8, "
    "flags int2 NOT NULL, type int2 NOT NULL, PRIMARY KEY(branch, object, replica, time))",
    "CREATE TABLE cuttle.value_row(branch int8, object uuid, replica int8, time int8, "
    "flags int2 NOT NULL, key int8, kind int2 NOT NULL, number float8, bytes bytea, "
    "PRIMARY KEY(branch, object, key, replica, time))",
    "CREATE TABLE cuttle.element_row(branch int8, object uuid, replica int8, time int8, "
    "flags int2 NOT NULL, type int2 NOT NULL, key int8, element uuid, "
    "PRIMARY KEY(branch, object, key, element, replica, time))",
    "CREATE TABLE cuttle.removed_row(branch int8, object uuid, replica int8, time int8, "
    "flags int2 NOT NULL, type int2, key int8, element uuid, "
    "PRIMARY KEY(branch, object, key, element, type, replica, time))",
    "CREATE TABLE cuttle.piece(hash bytea, size int8, piece int8, bytes bytea NOT NULL, "
    "PRIMARY KEY(hash, size, piece))",
    "CREATE TABLE cuttle.local_text(branch int8, owner text, text bytea NOT NULL, "
    "hash int8 NOT NULL, PRIMARY KEY(branch, owner))",
    "ALTER TABLE cuttle.log ALTER bytes SET STORAGE EXTERNAL",
    "ALTER TABLE cuttle.piece ALTER bytes SET STORAGE EXTERNAL",
    "INSERT INTO cuttle.about VALUES(1)",
};

// What the tables above look like in the server's catalog, in the order of names.
static const char expected[] =
    "about(version bigint) "
    "branch(id bigint,name text,replica bigint,hash bigint) "
    "element_row(branch bigint,object uuid,replica bigint,time bigint,flags smallint,"
    "type smallint,key bigint,element uuid) "
    "has(branch bigint,replica bigint,time bigint) "
    "key_name(id bigint,text text) "
    "local_text(branch bigint,owner text,text bytea,hash bigint) "
    "log(replica bigint,time bigint,bytes bytea) "
    "object_row(branch bigint,object uuid,replica bigint,time bigint,flags smallint,"
    "type smallint) "
    "piece(hash bytea,size bigint,piece bigint,bytes bytea) "
    "removed_row(branch bigint,object uuid,replica bigint,time bigint,flags smallint,"
    "type smallint,key bigint,element uuid) "
    "replica(id bigint,guid uuid) "
    "stored(branch bigint,replica bigint,time bigint) "
    "value_row(branch bigint,object uuid,replica bigint,time bigint,flags smallint,key bigint,"
    "kind smallint,number double precision,bytes bytea)";

// Tables and views with their columns; triggers and rules, which might change what is written.
static const char catalog[] =
    "SELECT coalesce(string_agg(t.text,' ' ORDER BY t.name COLLATE \"C\"),''),"
    "(SELECT count(*) FROM pg_trigger g JOIN pg_class c ON c.oid=g.tgrelid "
    "JOIN pg_namespace n ON n.oid=c.relnamespace "
    "WHERE n.nspname='cuttle' AND NOT g.tgisinternal)+"
    "(SELECT count(*) FROM pg_rewrite r JOIN pg_class c ON c.oid=r.ev_class "
    "JOIN pg_namespace n ON n.oid=c.relnamespace WHERE n.nspname='cuttle'),"
    "(SELECT count(*) FROM pg_namespace WHERE nspname='cuttle'),"
    "pg_encoding_to_char((SELECT encoding FROM pg_database WHERE datname=current_database())) "
    "FROM (SELECT c.relname AS name,c.relname||'('||string_agg(a.attname||' '||"
    "format_type(a.atttypid,a.atttypmod),',' ORDER BY a.attnum)||')' AS text "
    "FROM pg_class c JOIN pg_namespace n ON n.oid=c.relnamespace "
    "JOIN pg_attribute a ON a.attrelid=c.oid AND a.attnum>0 AND NOT a.attisdropped "
    "WHERE n.nspname='cuttle' AND c.relkind IN ('r','v','m','f','p') GROUP BY c.relname) t";

static bool run(ct_postgres_store *store, const char *sql, ct_error *error) {
    PGresult *const result = ct_postgres_query_sql(store, sql, true, error);
    store->api->PQclear(result);
    return result;
}

static bool make_tables(ct_postgres_store *store, ct_error *error) {
    for (uint32_t i = 0; i < CT_COUNT_OF(tables); ++i)
        if (!run(store, tables[i], error))
            return false;
    return true;
}

// What is in the server's catalog.
typedef struct schema {
    bool exists, is_ours, is_utf8;
    char encoding[32];
} schema;

static bool look(ct_postgres_store *store, schema *s, ct_error *error) {
    PGresult *const result = ct_postgres_query_sql(store, catalog, true, error);
    if (!result)
        return false;
    const ct_postgres_api *const api = store->api;
    const bool has_others = strcmp(api->PQgetvalue(result, 0, 1), "0") != 0;
    *s = (schema){.exists = strcmp(api->PQgetvalue(result, 0, 2), "0") != 0,
                  .is_ours = strcmp(api->PQgetvalue(result, 0, 0), expected) == 0 && !has_others,
                  .is_utf8 = strcmp(api->PQgetvalue(result, 0, 3), "UTF8") == 0};
    strncpy(s->encoding, api->PQgetvalue(result, 0, 3), sizeof(s->encoding) - 1);
    api->PQclear(result);
    return true;
}

static bool check_version(ct_postgres_store *store, ct_error *error) {
    PGresult *const result = ct_postgres_query_sql(
        store, "SELECT max(version),count(*) FROM cuttle.about", false, error);
    if (!result)
        return false;
    const int64_t version = ct_postgres_int(store, result, 0, 0);
    const int64_t count = ct_postgres_int(store, result, 0, 1);
    store->api->PQclear(result);
    if (count == 1 && version > CT_POSTGRES_VERSION)
        return ct_postgres_refuse(store, error,
                                  "its database has version %lld, and this Cuttle reads up to %d: "
                                  "use a later Cuttle",
                                  (long long)version, CT_POSTGRES_VERSION);
    return (count == 1 && version == CT_POSTGRES_VERSION) ||
           ct_postgres_damaged(store, error, "cuttle.about has %lld rows, version %lld",
                               (long long)count, (long long)version);
}

// One session at a time: two might make the tables at once.
static bool create(ct_postgres_store *store, ct_error *error) {
    schema s;
    if (!ct_postgres_transaction_begin(store, CT_POSTGRES_BEGIN, false, error))
        return false;
    const bool is_made = run(store, "SELECT pg_advisory_xact_lock(1129595988)", error) &&
                         look(store, &s, error) && (s.exists || make_tables(store, error));
    return ct_postgres_transaction_finish(store, is_made, error);
}

bool ct_postgres_schema_open(ct_postgres_store *store, bool may_create, ct_error *error) {
    schema s;
    if (!look(store, &s, error))
        return false;
    if (!s.is_utf8)
        return ct_postgres_refuse(store, error,
                                  "the database has the encoding %s; expected UTF8: make one with "
                                  "createdb --encoding=UTF8 --template=template0",
                                  s.encoding);
    if (!s.exists && !may_create)
        return ct_postgres_refuse(store, error,
                                  "there is no database of Cuttle: it has no schema "
                                  "\"cuttle\"");
    if (!s.exists && (!create(store, error) || !look(store, &s, error)))
        return false;
    if (!s.is_ours)
        return ct_postgres_refuse(store, error,
                                  "the schema \"cuttle\" is not one that this Cuttle made: use "
                                  "another database of the server, or rename the schema");
    return check_version(store, error);
}
