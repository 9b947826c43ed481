// postgres_private.h: a connection to a server, and what the parts of the store share.
//
// Tables are those of SQLite (sqlite_private.h), in the schema `cuttle` (postgres_schema.c); GUIDs are uuids, and `has`
// has all entries of a branch's vector. Statements are sent in pipelines: queue some, then run them in one round trip.
// A connection that is lost is made again by the next call that begins a transaction.
#pragma once
#include "database/store/database_names.h"
#include "database/store/database_store_row.h"
#include "database/store/postgres/postgres_api.h"

enum {
    CT_POSTGRES_VERSION = 1,
    CT_POSTGRES_MAX_PARAMS = 9,
    CT_POSTGRES_MAX_QUEUED = 256,
};

// How long a statement may take: the server ends it then. The client gives up some seconds later.
#define CT_POSTGRES_SHORT_NS (UINT64_C(60) * 1000000000)
#define CT_POSTGRES_LONG_NS (UINT64_C(600) * 1000000000)

// Rows of the state, by table. ADD is a COPY.
#define CT_POSTGRES_STATE_STATEMENTS(X)                                                            \
    X(OBJECT_COPY, "INSERT INTO cuttle.object_row(branch,object,replica,time,flags,type) SELECT "  \
                   "$1::int8,object,replica,time,flags,type FROM cuttle.object_row WHERE "         \
                   "branch=$2::int8")                                                              \
    X(VALUE_COPY, "INSERT INTO "                                                                   \
                  "cuttle.value_row(branch,object,replica,time,flags,key,kind,number,bytes) "      \
                  "SELECT $1::int8,object,replica,time,flags,key,kind,number,bytes FROM "          \
                  "cuttle.value_row WHERE branch=$2::int8")                                        \
    X(ELEMENT_COPY, "INSERT INTO "                                                                 \
                    "cuttle.element_row(branch,object,replica,time,flags,type,key,element) "       \
                    "SELECT $1::int8,object,replica,time,flags,type,key,element FROM "             \
                    "cuttle.element_row WHERE branch=$2::int8")                                    \
    X(REMOVED_COPY, "INSERT INTO "                                                                 \
                    "cuttle.removed_row(branch,object,replica,time,flags,type,key,element) "       \
                    "SELECT $1::int8,object,replica,time,flags,type,key,element FROM "             \
                    "cuttle.removed_row WHERE branch=$2::int8")                                    \
    X(OBJECT_CLEAR, "DELETE FROM cuttle.object_row WHERE branch=$1::int8")                         \
    X(VALUE_CLEAR, "DELETE FROM cuttle.value_row WHERE branch=$1::int8")                           \
    X(ELEMENT_CLEAR, "DELETE FROM cuttle.element_row WHERE branch=$1::int8")                       \
    X(REMOVED_CLEAR, "DELETE FROM cuttle.removed_row WHERE branch=$1::int8")                       \
    X(OBJECT_LOAD, "DECLARE object_rows NO SCROLL CURSOR FOR SELECT "                              \
                   "object,replica,time,flags,type FROM cuttle.object_row WHERE branch=$1::int8")  \
    X(VALUE_LOAD, "DECLARE value_rows NO SCROLL CURSOR FOR SELECT "                                \
                  "object,replica,time,flags,key,kind,number,bytes FROM cuttle.value_row WHERE "   \
                  "branch=$1::int8")                                                               \
    X(ELEMENT_LOAD, "DECLARE element_rows NO SCROLL CURSOR FOR SELECT "                            \
                    "object,replica,time,flags,type,key,element FROM cuttle.element_row WHERE "    \
                    "branch=$1::int8")                                                             \
    X(REMOVED_LOAD, "DECLARE removed_rows NO SCROLL CURSOR FOR SELECT "                            \
                    "object,replica,time,flags,type,key,element FROM cuttle.removed_row WHERE "    \
                    "branch=$1::int8")                                                             \
    X(OBJECT_FETCH, "FETCH 4096 FROM object_rows")                                                 \
    X(VALUE_FETCH, "FETCH 4096 FROM value_rows")                                                   \
    X(ELEMENT_FETCH, "FETCH 4096 FROM element_rows")                                               \
    X(REMOVED_FETCH, "FETCH 4096 FROM removed_rows")                                               \
    X(OBJECT_CLOSE, "CLOSE object_rows")                                                           \
    X(VALUE_CLOSE, "CLOSE value_rows")                                                             \
    X(ELEMENT_CLOSE, "CLOSE element_rows")                                                         \
    X(REMOVED_CLOSE, "CLOSE removed_rows")                                                         \
    X(OBJECT_OF_OBJECT, "SELECT object,replica,time,flags,type FROM cuttle.object_row WHERE "      \
                        "branch=$1::int8 AND object=$2::uuid")                                     \
    X(VALUE_OF_OBJECT, "SELECT object,replica,time,flags,key,kind,number,bytes FROM "              \
                       "cuttle.value_row WHERE branch=$1::int8 AND object=$2::uuid")               \
    X(ELEMENT_OF_OBJECT, "SELECT object,replica,time,flags,type,key,element FROM "                 \
                         "cuttle.element_row WHERE branch=$1::int8 AND object=$2::uuid")           \
    X(REMOVED_OF_OBJECT, "SELECT object,replica,time,flags,type,key,element FROM "                 \
                         "cuttle.removed_row WHERE branch=$1::int8 AND object=$2::uuid")           \
    X(VALUE_OF_KEY, "SELECT object,replica,time,flags,key,kind,number,bytes FROM "                 \
                    "cuttle.value_row WHERE branch=$1::int8 AND object=$2::uuid AND key=$3::int8") \
    X(ELEMENT_OF_KEY, "SELECT object,replica,time,flags,type,key,element FROM cuttle.element_row " \
                      "WHERE branch=$1::int8 AND object=$2::uuid AND key=$3::int8")                \
    X(REMOVED_OF_KEY, "SELECT object,replica,time,flags,type,key,element FROM cuttle.removed_row " \
                      "WHERE branch=$1::int8 AND object=$2::uuid AND key=$3::int8")                \
    X(ELEMENT_OF_ELEMENT, "SELECT object,replica,time,flags,type,key,element FROM "                \
                          "cuttle.element_row WHERE branch=$1::int8 AND object=$2::uuid AND "      \
                          "key=$3::int8 AND element=$4::uuid")                                     \
    X(REMOVED_OF_ELEMENT, "SELECT object,replica,time,flags,type,key,element FROM "                \
                          "cuttle.removed_row WHERE branch=$1::int8 AND object=$2::uuid AND "      \
                          "key=$3::int8 AND (element=$4::uuid OR type=2)")                         \
    X(OBJECT_REMOVE_OBJECT, "DELETE FROM cuttle.object_row WHERE branch=$1::int8 AND "             \
                            "object=$2::uuid")                                                     \
    X(VALUE_REMOVE_OBJECT, "DELETE FROM cuttle.value_row WHERE branch=$1::int8 AND "               \
                           "object=$2::uuid")                                                      \
    X(ELEMENT_REMOVE_OBJECT, "DELETE FROM cuttle.element_row WHERE branch=$1::int8 AND "           \
                             "object=$2::uuid")                                                    \
    X(REMOVED_REMOVE_OBJECT, "DELETE FROM cuttle.removed_row WHERE branch=$1::int8 AND "           \
                             "object=$2::uuid")                                                    \
    X(VALUE_REMOVE_KEY, "DELETE FROM cuttle.value_row WHERE branch=$1::int8 AND object=$2::uuid "  \
                        "AND key=$3::int8")                                                        \
    X(ELEMENT_REMOVE_KEY, "DELETE FROM cuttle.element_row WHERE branch=$1::int8 AND "              \
                          "object=$2::uuid AND key=$3::int8")                                      \
    X(REMOVED_REMOVE_KEY, "DELETE FROM cuttle.removed_row WHERE branch=$1::int8 AND "              \
                          "object=$2::uuid AND key=$3::int8")                                      \
    X(REMOVED_REMOVE_VALUE, "DELETE FROM cuttle.removed_row WHERE branch=$1::int8 AND "            \
                            "object=$2::uuid AND key=$3::int8 AND type=2")                         \
    X(ELEMENT_REMOVE_ELEMENT, "DELETE FROM cuttle.element_row WHERE branch=$1::int8 AND "          \
                              "object=$2::uuid AND key=$3::int8 AND element=$4::uuid")             \
    X(REMOVED_REMOVE_ELEMENT, "DELETE FROM cuttle.removed_row WHERE branch=$1::int8 AND "          \
                              "object=$2::uuid AND key=$3::int8 AND element=$4::uuid AND type<>2") \
    X(OBJECT_ADD, "COPY cuttle.object_row(branch,object,replica,time,flags,type) FROM STDIN "      \
                  "(FORMAT binary)")                                                               \
    X(VALUE_ADD, "COPY cuttle.value_row(branch,object,replica,time,flags,key,kind,number,bytes) "  \
                 "FROM STDIN (FORMAT binary)")                                                     \
    X(ELEMENT_ADD, "COPY cuttle.element_row(branch,object,replica,time,flags,type,key,element) "   \
                   "FROM STDIN (FORMAT binary)")                                                   \
    X(REMOVED_ADD, "COPY cuttle.removed_row(branch,object,replica,time,flags,type,key,element) "   \
                   "FROM STDIN (FORMAT binary)")

#define CT_POSTGRES_STATEMENTS(X)                                                                  \
    X(BEGIN, "BEGIN")                                                                              \
    X(BEGIN_READ, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")                               \
    X(COMMIT, "COMMIT")                                                                            \
    X(ROLLBACK, "ROLLBACK")                                                                        \
    X(LONG, "SET LOCAL statement_timeout='600s'")                                                  \
    X(NOTIFY, "SELECT pg_notify('cuttle', $1::text)")                                              \
    X(REPLICA_ID, "SELECT id FROM cuttle.replica WHERE guid=$1::uuid")                             \
    X(REPLICA_GUID, "SELECT guid FROM cuttle.replica WHERE id=$1::int8")                           \
    X(REPLICA_ADD, "INSERT INTO cuttle.replica(guid) VALUES($1::uuid) ON CONFLICT DO NOTHING")     \
    X(KEY_ID, "SELECT id FROM cuttle.key_name WHERE text=$1::text")                                \
    X(KEY_TEXT, "SELECT text FROM cuttle.key_name WHERE id=$1::int8")                              \
    X(KEY_ADD, "INSERT INTO cuttle.key_name(text) VALUES($1::text) ON CONFLICT DO NOTHING")        \
    X(BRANCH_LOCK, "SELECT b.id,b.replica,r.guid,b.hash FROM cuttle.branch b "                     \
                   "JOIN cuttle.replica r ON r.id=b.replica WHERE b.name=$1::text "                \
                   "FOR UPDATE OF b")                                                              \
    X(BRANCH_FIND, "SELECT b.id,b.replica,r.guid,b.hash FROM cuttle.branch b "                     \
                   "JOIN cuttle.replica r ON r.id=b.replica WHERE b.name=$1::text")                \
    X(BRANCH_LIST, "SELECT name FROM cuttle.branch ORDER BY name COLLATE \"C\"")                   \
    X(BRANCH_BY_REPLICA, "SELECT name FROM cuttle.branch WHERE replica=$1::int8")                  \
    X(BRANCH_ADD, "INSERT INTO cuttle.branch(name,replica,hash) "                                  \
                  "VALUES($1::text,$2::int8,$3::int8) RETURNING id")                               \
    X(BRANCH_REMOVE, "DELETE FROM cuttle.branch WHERE id=$1::int8")                                \
    X(HAS_READ, "SELECT r.guid,h.time FROM cuttle.has h JOIN cuttle.replica r ON r.id=h.replica "  \
                "WHERE h.branch=(SELECT id FROM cuttle.branch WHERE name=$1::text)")               \
    X(HAS_SET, "INSERT INTO cuttle.has(branch,replica,time) VALUES($1::int8,$2::int8,$3::int8) "   \
               "ON CONFLICT(branch,replica) DO UPDATE SET time=excluded.time")                     \
    X(HAS_COPY, "INSERT INTO cuttle.has SELECT $1::int8,replica,time FROM cuttle.has "             \
                "WHERE branch=$2::int8")                                                           \
    X(HAS_REMOVE, "DELETE FROM cuttle.has WHERE branch=$1::int8")                                  \
    X(STORED_READ, "SELECT r.guid,h.time FROM cuttle.stored h "                                    \
                   "JOIN cuttle.replica r ON r.id=h.replica "                                      \
                   "WHERE h.branch=(SELECT id FROM cuttle.branch WHERE name=$1::text)")            \
    X(STORED_SET, "INSERT INTO cuttle.stored(branch,replica,time) "                                \
                  "VALUES($1::int8,$2::int8,$3::int8) "                                            \
                  "ON CONFLICT(branch,replica) DO UPDATE SET time=excluded.time")                  \
    X(STORED_COPY, "INSERT INTO cuttle.stored SELECT $1::int8,replica,time FROM cuttle.stored "    \
                   "WHERE branch=$2::int8")                                                        \
    X(STORED_REMOVE, "DELETE FROM cuttle.stored WHERE branch=$1::int8")                            \
    X(STORED_LOCK, "SELECT pg_advisory_xact_lock(1129595988,hashint8($1::int8))")                  \
    X(LOG_ADD, "WITH a AS (INSERT INTO cuttle.log(replica,time,bytes) "                            \
               "SELECT $1::int8,$2::int8,$3::bytea WHERE $4::int8=(SELECT coalesce(max(time),0) "  \
               "FROM cuttle.log WHERE replica=$1::int8) ON CONFLICT DO NOTHING RETURNING 1) "      \
               "SELECT 1/(CASE WHEN EXISTS(SELECT 1 FROM a) THEN 1 WHEN (SELECT "                  \
               "bytes=$3::bytea FROM cuttle.log WHERE replica=$1::int8 AND time=$2::int8) "        \
               "THEN 1 WHEN $4::int8=(SELECT coalesce(max(time),0) FROM cuttle.log "               \
               "WHERE replica=$1::int8) THEN 1 ELSE 0 END)")                                       \
    X(LOG_HAS, "SELECT 1::int8 FROM cuttle.log WHERE replica=$1::int8 AND time=$2::int8")          \
    X(LOG_TIMES,                                                                                   \
      "SELECT time,length(bytes) FROM cuttle.log WHERE replica=$1::int8 AND time>$2::int8 "        \
      "AND time<=$3::int8 ORDER BY time")                                                          \
    X(LOG_BYTES, "SELECT bytes FROM cuttle.log WHERE replica=$1::int8 AND time=$2::int8")          \
    X(LOG_NEXT, "SELECT replica,time,bytes FROM cuttle.log "                                       \
                "WHERE (replica,time)>($1::int8,$2::int8) ORDER BY replica,time LIMIT 16")         \
    X(PIECE_HAS, "SELECT 1::int8 FROM cuttle.piece "                                               \
                 "WHERE hash=$1::bytea AND size=$2::int8 AND piece=$3::int8")                      \
    X(PIECE_COUNT, "SELECT count(*) FROM cuttle.piece "                                            \
                   "WHERE hash=$1::bytea AND size=$2::int8 AND piece<$3::int8")                    \
    X(PIECE_WRITE, "INSERT INTO cuttle.piece(hash,size,piece,bytes) "                              \
                   "VALUES($1::bytea,$2::int8,$3::int8,$4::bytea) "                                \
                   "ON CONFLICT(hash,size,piece) DO UPDATE SET bytes=excluded.bytes")              \
    X(PIECE_READ, "SELECT bytes FROM cuttle.piece "                                                \
                  "WHERE hash=$1::bytea AND size=$2::int8 AND piece=$3::int8")                     \
    X(PIECE_BLOBS, "SELECT DISTINCT hash,size FROM cuttle.piece")                                  \
    X(PIECE_REMOVE, "DELETE FROM cuttle.piece WHERE hash=$1::bytea AND size=$2::int8")             \
    X(PIECE_NEXT, "SELECT hash,size,piece,bytes FROM cuttle.piece "                                \
                  "WHERE (hash,size,piece)>($1::bytea,$2::int8,$3::int8) "                         \
                  "ORDER BY hash,size,piece LIMIT 4")                                              \
    X(LOCAL_READ, "SELECT text,hash,owner FROM cuttle.local_text "                                 \
                  "WHERE branch=$1::int8 AND owner=$2::text")                                      \
    X(LOCAL_ALL, "SELECT text,hash,owner FROM cuttle.local_text")                                  \
    X(LOCAL_WRITE, "INSERT INTO cuttle.local_text(branch,owner,text,hash) "                        \
                   "VALUES($1::int8,$2::text,$3::bytea,$4::int8) ON CONFLICT(branch,owner) "       \
                   "DO UPDATE SET text=excluded.text,hash=excluded.hash")                          \
    X(LOCAL_REMOVE, "DELETE FROM cuttle.local_text "                                               \
                    "WHERE branch=$1::int8 AND owner=$2::text")                                    \
    X(LOCAL_CLEAR, "DELETE FROM cuttle.local_text WHERE branch=$1::int8")                          \
    X(BRANCH_LOCK_ALL, "SELECT id FROM cuttle.branch ORDER BY id FOR UPDATE")                      \
    CT_POSTGRES_STATE_STATEMENTS(X)

// The statements of the table above.
typedef enum ct_postgres_statement {
#define CT_POSTGRES_STATEMENT(name, sql) CT_POSTGRES_##name,
    CT_POSTGRES_STATEMENTS(CT_POSTGRES_STATEMENT)
#undef CT_POSTGRES_STATEMENT
        CT_POSTGRES_NUM_STATEMENTS,
} ct_postgres_statement;

// Parameters of a statement, in binary form. Bytes and texts are borrowed until the statement is queued.
typedef struct ct_postgres_params {
    uint32_t count;
    const char *values[CT_POSTGRES_MAX_PARAMS];
    int lengths[CT_POSTGRES_MAX_PARAMS], formats[CT_POSTGRES_MAX_PARAMS];
    uint8_t ints[CT_POSTGRES_MAX_PARAMS][8];
} ct_postgres_params;

typedef struct ct_postgres_store {
    ct_database_store base;
    const ct_postgres_api *api;
    char **keywords, **values; // of the connection; NULL last
    uint32_t num_keywords;
    PGconn *connection; // NULL: to be made
    bool was_connected; // once
    bool is_prepared[CT_POSTGRES_NUM_STATEMENTS];
    uint16_t queued[2 * CT_POSTGRES_MAX_QUEUED]; // in the pipeline: what is made ready, or runs
    uint32_t num_queued;
    uint64_t patience_ns;
    ct_database_names keys, replicas;
    ct_database_operations rows; // behind those of the last load_rows
    bool may_have_changed;       // others committed since `wait` last said so
    // Between begin and end.
    bool is_committing, has_failed;
    int64_t branch_id;
    ct_database_vector begun; // its commits at begin
    uint64_t queued_bytes;
} ct_postgres_store;

// --- Connection (postgres_connection.c) ------------------------------------------------------------

// Splits a location into the parameters of the connection and sets base.location, which has no password.
bool ct_postgres_parse(ct_postgres_store *store, const char *location, ct_error *error);

// Connects, unless it is connected. Prepares the session: time limits, LISTEN.
bool ct_postgres_connect(ct_postgres_store *store, ct_error *error);
void ct_postgres_disconnect(ct_postgres_store *store);
bool ct_postgres_is_connected(const ct_postgres_store *store);

// Waits until the server may have sent something, at most `timeout_ns`. Returns false when it did not. Takes in
// notifications.
bool ct_postgres_wait(ct_postgres_store *store, uint64_t timeout_ns);

// Takes in notifications of others.
void ct_postgres_take_notifications(ct_postgres_store *store);

// Fills `error` with what the server (`result`) or the connection (NULL) says. Returns false.
bool ct_postgres_fail(ct_postgres_store *store, const PGresult *result, ct_error *error);
// The same for rows that the server gives well but that make no sense, and for other words.
bool ct_postgres_damaged(ct_postgres_store *store, ct_error *error, const char *format, ...)
    CT_PRINTF(3, 4);
bool ct_postgres_refuse(ct_postgres_store *store, ct_error *error, const char *format, ...)
    CT_PRINTF(3, 4);

// --- Statements (postgres_statement.c) -------------------------------------------------------------

// Append a parameter of a statement, for the next $ number.
void ct_postgres_add_int(ct_postgres_params *params, int64_t value);
void ct_postgres_add_bytes(ct_postgres_params *params, const void *bytes, uint64_t size_bytes);
void ct_postgres_add_text(ct_postgres_params *params, const char *text, uint32_t length);
void ct_postgres_add_guid(ct_postgres_params *params, const ct_guid *guid);

// Queues a statement (params NULL: without). Its result counts among those that `run` gives.
bool ct_postgres_queue(ct_postgres_store *store, ct_postgres_statement statement,
                       const ct_postgres_params *params, ct_error *error);

// Runs what is queued, in one round trip. `results` (NULL: not wanted) gets one for each statement queued; clear them.
// Returns false with `error` when one fails; then there are no results, and those after it were not run.
bool ct_postgres_run(ct_postgres_store *store, PGresult **results, ct_error *error);

// Queues one statement and runs it. Returns its result, NULL with `error`.
PGresult *ct_postgres_query(ct_postgres_store *store, ct_postgres_statement statement,
                            const ct_postgres_params *params, ct_error *error);
bool ct_postgres_execute(ct_postgres_store *store, ct_postgres_statement statement,
                         const ct_postgres_params *params, ct_error *error);
// The same with text in place of a statement of the table; results are text when `is_text`.
PGresult *ct_postgres_query_sql(ct_postgres_store *store, const char *sql, bool is_text,
                                ct_error *error);

// Sends bytes of rows by a COPY statement.
bool ct_postgres_copy(ct_postgres_store *store, ct_postgres_statement statement, const void *bytes,
                      uint64_t size_bytes, ct_error *error);

// Columns of a result.
int64_t ct_postgres_int(const ct_postgres_store *store, const PGresult *result, int row,
                        int column);
bool ct_postgres_guid(const ct_postgres_store *store, const PGresult *result, int row, int column,
                      ct_guid *guid);
const void *ct_postgres_bytes(const ct_postgres_store *store, const PGresult *result, int row,
                              int column, uint32_t *size_bytes);

// Begins a transaction, unless one is open between begin and end; finish ends it (undoes it when `is_kept` is false or
// it fails). `is_long`: its statements may take minutes.
bool ct_postgres_transaction_begin(ct_postgres_store *store, ct_postgres_statement begin,
                                   bool is_long, ct_error *error);
bool ct_postgres_transaction_finish(ct_postgres_store *store, bool is_kept, ct_error *error);

// --- Names (postgres_names.c) ----------------------------------------------------------------------

// Numbers of replicas and keys. *id is 0 when it has none and `may_add` is false.
bool ct_postgres_replica_id(ct_postgres_store *store, ct_guid replica, bool may_add, int64_t *id,
                            ct_error *error);
bool ct_postgres_replica_guid(ct_postgres_store *store, int64_t id, ct_guid *replica,
                              ct_error *error);
bool ct_postgres_key_id(ct_postgres_store *store, const char *key, uint32_t length, bool may_add,
                        int64_t *id, ct_error *error);
bool ct_postgres_key_text(ct_postgres_store *store, int64_t id, const char **key, uint32_t *length,
                          ct_error *error);

// --- Parts of the store ----------------------------------------------------------------------------

// Makes the schema or checks the one that exists (postgres_schema.c).
bool ct_postgres_schema_open(ct_postgres_store *store, bool may_create, ct_error *error);

// Reads a branch by its name, inside a transaction (postgres_branch.c). *id is 0 when it does not exist; `need` makes an
// error of that. How: FIND only reads, LOCK keeps others from committing to it until the transaction ends, BEGIN does
// that and begins the transaction before, in the same round trip.
typedef enum ct_postgres_branch_how {
    CT_POSTGRES_BRANCH_HOW_FIND,
    CT_POSTGRES_BRANCH_HOW_LOCK,
    CT_POSTGRES_BRANCH_HOW_BEGIN,
} ct_postgres_branch_how;
bool ct_postgres_branch_read(ct_postgres_store *store, ct_database_branch *branch,
                             ct_postgres_branch_how how, int64_t *id, ct_error *error);
bool ct_postgres_branch_need(ct_postgres_store *store, ct_database_branch *branch,
                             ct_postgres_branch_how how, int64_t *id, ct_error *error);
bool ct_postgres_branch_id(ct_postgres_store *store, const char *name, int64_t *id,
                           ct_error *error);
// Queues what writes the entries of a vector that are higher than those of `before`.
bool ct_postgres_write_vector(ct_postgres_store *store, ct_postgres_statement set, int64_t branch,
                              const ct_database_vector *vector, const ct_database_vector *before,
                              ct_error *error);

// Behind the functions of the store, which database_store.h describes.
bool ct_postgres_read_branch(ct_database_store *base, ct_database_branch *branch, bool *found,
                             ct_error *error);
bool ct_postgres_list_branches(ct_database_store *base, ct_database_branch_array *branches,
                               ct_error *error);
bool ct_postgres_create_branch(ct_database_store *base, const char *name, ct_guid replica,
                               const char *from, ct_error *error);
bool ct_postgres_remove_branch(ct_database_store *base, const char *name, ct_error *error);

// Commits (postgres_log.c).
bool ct_postgres_begin(ct_database_store *base, ct_database_branch *branch, ct_error *error);
bool ct_postgres_append(ct_database_store *base, ct_database_stamp stamp, uint64_t previous,
                        const void *bytes, uint64_t size_bytes, ct_error *error);
bool ct_postgres_end(ct_database_store *base, ct_database_branch *branch, bool is_kept,
                     ct_error *error);
// Look into the log; also between begin and end.
bool ct_postgres_has_commit(ct_database_store *base, ct_database_stamp stamp, bool *has,
                            ct_error *error);
bool ct_postgres_read_commits(ct_database_store *base, const ct_database_vector *from,
                              const ct_database_vector *to, ct_database_commit_function function,
                              void *user, ct_error *error);

// State (postgres_state_load.c, postgres_state_save.c).
bool ct_postgres_load_state(ct_database_store *base, ct_database_branch *branch,
                            ct_database_state *state, ct_error *error);
bool ct_postgres_load_rows(ct_database_store *base, const ct_database_branch *branch,
                           ct_guid object, const char *key, uint32_t key_length,
                           const ct_guid *element, ct_database_row_array *rows, ct_error *error);
bool ct_postgres_save_state(ct_database_store *base, ct_database_branch *branch,
                            const ct_database_state *state, const ct_database_vector *at,
                            bool *saved, ct_error *error);
// Removes the stored rows of a branch and their vector, inside a transaction.
bool ct_postgres_clear_rows(ct_postgres_store *store, int64_t branch, ct_error *error);
bool ct_postgres_clear_state(ct_database_store *base, const char *branch, ct_error *error);
// Calls `function` with all rows of a table, inside a transaction. Returns false when it does.
bool ct_postgres_walk_rows(ct_postgres_store *store, ct_database_row_table table, int64_t branch,
                           void (*function)(void *user, const ct_database_row *row), void *user,
                           ct_error *error);

// Blobs and local changes (postgres_blob.c).
bool ct_postgres_has_blob(ct_database_store *base, const ct_database_blob *blob, bool *has,
                          ct_error *error);
bool ct_postgres_write_piece(ct_database_store *base, const ct_database_blob *blob, uint32_t piece,
                             const void *bytes, uint32_t size_bytes, ct_error *error);
bool ct_postgres_read_piece(ct_database_store *base, const ct_database_blob *blob, uint32_t piece,
                            void *bytes, uint32_t *size_bytes, ct_error *error);
bool ct_postgres_collect_blobs(ct_database_store *base,
                               bool (*is_kept)(void *user, const ct_database_blob *blob),
                               void *user, uint64_t *freed_bytes, ct_error *error);

// Behind read_local, write_local and each_local.
bool ct_postgres_read_local(ct_database_store *base, const ct_database_branch *branch,
                            const char *owner, ct_byte_array *text, ct_error *error);
bool ct_postgres_write_local(ct_database_store *base, const ct_database_branch *branch,
                             const char *owner, const void *text, uint64_t size_bytes,
                             ct_error *error);
bool ct_postgres_each_local(ct_database_store *base,
                            void (*function)(void *user, const char *text, uint64_t size_bytes),
                            void *user, ct_error *error);

// Queries (postgres_query.c) and checks (postgres_check.c).
bool ct_postgres_run_query(ct_database_store *base, const ct_database_branch *branch,
                           const char *sql,
                           bool (*row)(void *user, uint32_t num_columns, const char *const *columns,
                                       bool is_names),
                           void *user, ct_error *error);
bool ct_postgres_check(ct_database_store *base, struct ct_string_builder *out, ct_error *error);
