// sqlite_private.h: an open file, and what the parts of the store share.
//
// Tables (sqlite_schema.c). `replica` and `key_name` give numbers to GUIDs and keys. `log` has the commits: its
// id is the replica's number, shifted by CT_SQLITE_LOG_SHIFT, plus how many commits of the replica are before it, so
// that a commit is one row at the end of one tree (a key of replica and time costs 4 times the space, as SQLite
// keeps short rows only in trees by integers). Times ascend with the ids of a replica: a time is found by halving.
// `own` marks the commits that the branch of their replica has: the last one is its entry in the branch's vector,
// and so a commit does not write a second table. `has` has the entries of other replicas.
#pragma once
#include "database/store/database_names.h"
#include "database/store/database_store_row.h"
#include "database/store/sqlite/sqlite_api.h"

enum {
    CT_SQLITE_LOG_SHIFT = 40,
    CT_SQLITE_APPLICATION_ID = 0x43544442, // "CTDB"
    CT_SQLITE_VERSION = 1,
    CT_SQLITE_BUSY_MS = 10000,
};

#define CT_SQLITE_STATEMENTS(X)                                                                    \
    X(BEGIN_READ, "BEGIN")                                                                         \
    X(BEGIN_WRITE, "BEGIN IMMEDIATE")                                                              \
    X(COMMIT, "COMMIT")                                                                            \
    X(ROLLBACK, "ROLLBACK")                                                                        \
    X(DATA_VERSION, "PRAGMA data_version")                                                         \
    X(REPLICA_ID, "SELECT id FROM main.replica WHERE guid=?1")                                     \
    X(REPLICA_GUID, "SELECT guid FROM main.replica WHERE id=?1")                                   \
    X(REPLICA_ADD, "INSERT INTO main.replica(guid) VALUES(?1)")                                    \
    X(KEY_ID, "SELECT id FROM main.key_name WHERE text=?1")                                        \
    X(KEY_TEXT, "SELECT text FROM main.key_name WHERE id=?1")                                      \
    X(KEY_ADD, "INSERT INTO main.key_name(text) VALUES(?1)")                                       \
    X(BRANCH_FIND, "SELECT id,replica,hash FROM main.branch WHERE name=?1")                        \
    X(BRANCH_LIST, "SELECT name FROM main.branch ORDER BY name")                                   \
    X(BRANCH_BY_REPLICA, "SELECT name FROM main.branch WHERE replica=?1")                          \
    X(BRANCH_ADD, "INSERT INTO main.branch(name,replica,hash,num_objects,num_values) "             \
                  "VALUES(?1,?2,?3,0,0)")                                                          \
    X(BRANCH_REMOVE, "DELETE FROM main.branch WHERE id=?1")                                        \
    X(BRANCH_COUNTS, "SELECT num_objects,num_values FROM main.branch WHERE id=?1")                 \
    X(BRANCH_SET_COUNTS, "UPDATE main.branch SET num_objects=?2,num_values=?3 WHERE id=?1")        \
    X(HAS_READ, "SELECT replica,time FROM main.has WHERE branch=?1")                               \
    X(HAS_SET, "INSERT INTO main.has(branch,replica,time) VALUES(?1,?2,?3) "                       \
               "ON CONFLICT(branch,replica) DO UPDATE SET time=excluded.time")                     \
    X(HAS_REMOVE, "DELETE FROM main.has WHERE branch=?1")                                          \
    X(STORED_READ, "SELECT replica,time FROM main.stored WHERE branch=?1")                         \
    X(STORED_SET, "INSERT INTO main.stored(branch,replica,time) VALUES(?1,?2,?3) "                 \
                  "ON CONFLICT(branch,replica) DO UPDATE SET time=excluded.time")                  \
    X(STORED_REMOVE, "DELETE FROM main.stored WHERE branch=?1")                                    \
    X(LOG_LAST, "SELECT id,time FROM main.log WHERE id BETWEEN ?1 AND ?2 "                         \
                "ORDER BY id DESC LIMIT 1")                                                        \
    X(LOG_LAST_OWN, "SELECT id,time FROM main.log WHERE id BETWEEN ?1 AND ?2 AND own "             \
                    "ORDER BY id DESC LIMIT 1")                                                    \
    X(LOG_TIME, "SELECT time FROM main.log WHERE id=?1")                                           \
    X(LOG_TIMES, "SELECT id,time FROM main.log WHERE id BETWEEN ?1 AND ?2 ORDER BY id")            \
    X(LOG_BYTES, "SELECT bytes FROM main.log WHERE id=?1")                                         \
    X(LOG_ADD, "INSERT INTO main.log(id,time,own,bytes) VALUES(?1,?2,?3,?4)")                      \
    X(LOG_SET_OWN, "UPDATE main.log SET own=?3 WHERE id BETWEEN ?1 AND ?2 AND own<>?3")            \
    X(LOG_ALL, "SELECT id,time,own,bytes FROM main.log ORDER BY id")                               \
    X(OBJECT_COPY, "INSERT INTO main.object_row SELECT ?1,object,replica,time,type,flags FROM "    \
                   "main.object_row WHERE branch=?2")                                              \
    X(VALUE_COPY, "INSERT INTO main.value_row SELECT ?1,object,key,replica,time,flags,kind,value " \
                  "FROM main.value_row WHERE branch=?2")                                           \
    X(ELEMENT_COPY, "INSERT INTO main.element_row SELECT "                                         \
                    "?1,object,key,element,replica,time,type,flags FROM main.element_row WHERE "   \
                    "branch=?2")                                                                   \
    X(REMOVED_COPY, "INSERT INTO main.removed_row SELECT "                                         \
                    "?1,object,key,element,replica,time,type,flags FROM main.removed_row WHERE "   \
                    "branch=?2")                                                                   \
    X(OBJECT_CLEAR, "DELETE FROM main.object_row WHERE branch=?1")                                 \
    X(VALUE_CLEAR, "DELETE FROM main.value_row WHERE branch=?1")                                   \
    X(ELEMENT_CLEAR, "DELETE FROM main.element_row WHERE branch=?1")                               \
    X(REMOVED_CLEAR, "DELETE FROM main.removed_row WHERE branch=?1")                               \
    X(OBJECT_LOAD, "SELECT object,replica,time,flags,type FROM main.object_row WHERE branch=?1 "   \
                   "ORDER BY object")                                                              \
    X(VALUE_LOAD, "SELECT object,replica,time,flags,key,kind,value FROM main.value_row WHERE "     \
                  "branch=?1 ORDER BY object")                                                     \
    X(ELEMENT_LOAD, "SELECT object,replica,time,flags,type,key,element FROM main.element_row "     \
                    "WHERE branch=?1 ORDER BY object")                                             \
    X(REMOVED_LOAD, "SELECT object,replica,time,flags,type,key,element FROM main.removed_row "     \
                    "WHERE branch=?1")                                                             \
    X(OBJECT_OF_OBJECT, "SELECT object,replica,time,flags,type FROM main.object_row WHERE "        \
                        "branch=?1 AND object=?2")                                                 \
    X(VALUE_OF_OBJECT, "SELECT object,replica,time,flags,key,kind,value FROM main.value_row "      \
                       "WHERE branch=?1 AND object=?2")                                            \
    X(ELEMENT_OF_OBJECT, "SELECT object,replica,time,flags,type,key,element FROM "                 \
                         "main.element_row WHERE branch=?1 AND object=?2")                         \
    X(REMOVED_OF_OBJECT, "SELECT object,replica,time,flags,type,key,element FROM "                 \
                         "main.removed_row WHERE branch=?1 AND object=?2")                         \
    X(VALUE_OF_KEY, "SELECT object,replica,time,flags,key,kind,value FROM main.value_row WHERE "   \
                    "branch=?1 AND object=?2 AND key=?3")                                          \
    X(ELEMENT_OF_KEY, "SELECT object,replica,time,flags,type,key,element FROM main.element_row "   \
                      "WHERE branch=?1 AND object=?2 AND key=?3")                                  \
    X(REMOVED_OF_KEY, "SELECT object,replica,time,flags,type,key,element FROM main.removed_row "   \
                      "WHERE branch=?1 AND object=?2 AND key=?3")                                  \
    X(ELEMENT_OF_ELEMENT, "SELECT object,replica,time,flags,type,key,element FROM "                \
                          "main.element_row WHERE branch=?1 AND object=?2 AND key=?3 AND "         \
                          "element=?4")                                                            \
    X(REMOVED_OF_ELEMENT, "SELECT object,replica,time,flags,type,key,element FROM "                \
                          "main.removed_row WHERE branch=?1 AND object=?2 AND key=?3 AND "         \
                          "element=?4")                                                            \
    X(OBJECT_REMOVE_OBJECT, "DELETE FROM main.object_row WHERE branch=?1 AND object=?2")           \
    X(VALUE_REMOVE_OBJECT, "DELETE FROM main.value_row WHERE branch=?1 AND object=?2")             \
    X(ELEMENT_REMOVE_OBJECT, "DELETE FROM main.element_row WHERE branch=?1 AND object=?2")         \
    X(REMOVED_REMOVE_OBJECT, "DELETE FROM main.removed_row WHERE branch=?1 AND object=?2")         \
    X(VALUE_REMOVE_KEY, "DELETE FROM main.value_row WHERE branch=?1 AND object=?2 AND key=?3")     \
    X(ELEMENT_REMOVE_KEY, "DELETE FROM main.element_row WHERE branch=?1 AND object=?2 AND key=?3") \
    X(REMOVED_REMOVE_KEY, "DELETE FROM main.removed_row WHERE branch=?1 AND object=?2 AND key=?3") \
    X(ELEMENT_REMOVE_ELEMENT, "DELETE FROM main.element_row WHERE branch=?1 AND object=?2 AND "    \
                              "key=?3 AND element=?4")                                             \
    X(REMOVED_REMOVE_ELEMENT, "DELETE FROM main.removed_row WHERE branch=?1 AND object=?2 AND "    \
                              "key=?3 AND element=?4")                                             \
    X(OBJECT_FIND, "SELECT EXISTS(SELECT 1 FROM main.object_row WHERE branch=?1 AND object=?2) "   \
                   "OR EXISTS(SELECT 1 FROM main.value_row WHERE branch=?1 AND object=?2) OR "     \
                   "EXISTS(SELECT 1 FROM main.element_row WHERE branch=?1 AND object=?2) OR "      \
                   "EXISTS(SELECT 1 FROM main.removed_row WHERE branch=?1 AND object=?2)")         \
    X(OBJECT_FIND_NAMED,                                                                           \
      "SELECT EXISTS(SELECT 1 FROM main.object_row WHERE branch=b.id AND object=?2) OR "           \
      "EXISTS(SELECT 1 FROM main.value_row WHERE branch=b.id AND object=?2) OR "                   \
      "EXISTS(SELECT 1 FROM main.element_row WHERE branch=b.id AND object=?2) OR "                 \
      "EXISTS(SELECT 1 FROM main.removed_row WHERE branch=b.id AND object=?2) "                    \
      "FROM main.branch b WHERE b.name=?1")                                                        \
    X(OBJECT_ADD, "INSERT INTO main.object_row(branch,object,replica,time,flags,type) "            \
                  "VALUES(?1,?2,?3,?4,?5,?6)")                                                     \
    X(VALUE_ADD, "INSERT INTO main.value_row(branch,object,replica,time,flags,key,kind,value) "    \
                 "VALUES(?1,?2,?3,?4,?5,?6,?7,?8)")                                                \
    X(ELEMENT_ADD, "INSERT INTO "                                                                  \
                   "main.element_row(branch,object,replica,time,flags,type,key,element) "          \
                   "VALUES(?1,?2,?3,?4,?5,?6,?7,?8)")                                              \
    X(REMOVED_ADD, "INSERT INTO "                                                                  \
                   "main.removed_row(branch,object,replica,time,flags,type,key,element) "          \
                   "VALUES(?1,?2,?3,?4,?5,?6,?7,?8)")                                              \
    X(PIECE_HAS, "SELECT 1 FROM main.piece WHERE hash=?1 AND size=?2 AND piece=?3")                \
    X(PIECE_COUNT, "SELECT count(*) FROM main.piece WHERE hash=?1 AND size=?2 AND piece<?3")       \
    X(PIECE_WRITE, "INSERT INTO main.piece(hash,size,piece,bytes) VALUES(?1,?2,?3,?4) "            \
                   "ON CONFLICT(hash,size,piece) DO UPDATE SET bytes=excluded.bytes")              \
    X(PIECE_READ, "SELECT bytes FROM main.piece WHERE hash=?1 AND size=?2 AND piece=?3")           \
    X(PIECE_BLOBS, "SELECT DISTINCT hash,size FROM main.piece")                                    \
    X(PIECE_REMOVE, "DELETE FROM main.piece WHERE hash=?1 AND size=?2")                            \
    X(PIECE_ALL, "SELECT hash,size,piece,bytes FROM main.piece ORDER BY hash,size,piece")          \
    X(LOCAL_READ, "SELECT text,hash,owner FROM main.local_text WHERE branch=?1 AND owner=?2")      \
    X(LOCAL_ALL, "SELECT text,hash,owner FROM main.local_text")                                    \
    X(LOCAL_WRITE, "INSERT INTO main.local_text(branch,owner,text,hash) VALUES(?1,?2,?3,?4) "      \
                   "ON CONFLICT(branch,owner) DO UPDATE SET text=excluded.text,"                   \
                   "hash=excluded.hash")                                                           \
    X(LOCAL_REMOVE, "DELETE FROM main.local_text WHERE branch=?1 AND owner=?2")                    \
    X(LOCAL_CLEAR, "DELETE FROM main.local_text WHERE branch=?1")

// The statements of the table above.
typedef enum ct_sqlite_statement {
#define CT_SQLITE_STATEMENT(name, sql) CT_SQLITE_##name,
    CT_SQLITE_STATEMENTS(CT_SQLITE_STATEMENT)
#undef CT_SQLITE_STATEMENT
        CT_SQLITE_NUM_STATEMENTS,
} ct_sqlite_statement;

typedef struct ct_sqlite_store {
    ct_database_store base;
    const ct_sqlite_api *api;
    sqlite3 *file;
    sqlite3_stmt *statements[CT_SQLITE_NUM_STATEMENTS]; // prepared when first used, kept
    ct_database_names keys, replicas;
    int64_t version;             // of the file, when `wait` last looked
    ct_database_operations rows; // behind those of the last load_rows
    // Between begin and end.
    bool is_committing, has_failed;
    int64_t branch_id, branch_replica;
    ct_database_vector begun;      // its commits at begin
    int64_t last_replica, last_id; // of the replica whose commits were appended last
    uint64_t last_time;            // 0: it has no commits
    uint64_t own_time;             // of the last commit that the branch made
} ct_sqlite_store;

// --- Statements (sqlite_statement.c) ---------------------------------------------------------------

// Fills `error` with what a result of SQLite means. Returns false.
bool ct_sqlite_fail(ct_sqlite_store *store, int result, ct_error *error);
// The same for rows that SQLite reads well but that make no sense.
bool ct_sqlite_damaged(ct_sqlite_store *store, ct_error *error, const char *format, ...)
    CT_PRINTF(3, 4);

// Returns a statement, ready for binding; NULL with `error` when it cannot be prepared.
sqlite3_stmt *ct_sqlite_get(ct_sqlite_store *store, ct_sqlite_statement statement, ct_error *error);

// Bind values; what they point at must stay until the statement has run.
void ct_sqlite_bind_int(ct_sqlite_store *store, sqlite3_stmt *statement, int place, int64_t value);
void ct_sqlite_bind_blob(ct_sqlite_store *store, sqlite3_stmt *statement, int place,
                         const void *bytes, uint64_t size_bytes);
void ct_sqlite_bind_text(ct_sqlite_store *store, sqlite3_stmt *statement, int place,
                         const char *text, uint64_t length);
void ct_sqlite_bind_guid(ct_sqlite_store *store, sqlite3_stmt *statement, int place,
                         const ct_guid *guid);

// Steps to the next row; *has_row says whether there is one. After the last row, and on failure, the statement is
// reset. Reset it yourself when you stop before.
bool ct_sqlite_next(ct_sqlite_store *store, sqlite3_stmt *statement, bool *has_row,
                    ct_error *error);
void ct_sqlite_reset(ct_sqlite_store *store, sqlite3_stmt *statement);

// Runs a statement that gives no rows.
bool ct_sqlite_run(ct_sqlite_store *store, sqlite3_stmt *statement, ct_error *error);

// Runs one with the integers `a`, `b` and `c` (as many as it has).
bool ct_sqlite_run_ints(ct_sqlite_store *store, ct_sqlite_statement statement, const int64_t *ints,
                        uint32_t count, ct_error *error);

// Begins a transaction, unless one is open between begin and end; finish ends it (undoes it when `is_kept` is false or
// it fails).
bool ct_sqlite_transaction_begin(ct_sqlite_store *store, bool writes, ct_error *error);
bool ct_sqlite_transaction_finish(ct_sqlite_store *store, bool is_kept, ct_error *error);

// Numbers of replicas and keys. *id is 0 when it has none and `may_add` is false.
bool ct_sqlite_replica_id(ct_sqlite_store *store, ct_guid replica, bool may_add, int64_t *id,
                          ct_error *error);
bool ct_sqlite_replica_guid(ct_sqlite_store *store, int64_t id, ct_guid *replica, ct_error *error);
bool ct_sqlite_key_id(ct_sqlite_store *store, const char *key, uint32_t length, bool may_add,
                      int64_t *id, ct_error *error);
bool ct_sqlite_key_text(ct_sqlite_store *store, int64_t id, const char **key, uint32_t *length,
                        ct_error *error);

// Reads 16 bytes of a column. Returns false when it holds something else.
bool ct_sqlite_column_guid(ct_sqlite_store *store, sqlite3_stmt *statement, int column,
                           ct_guid *guid);

// --- Parts of the store ----------------------------------------------------------------------------

// Makes the tables of a new file, or checks those of one that exists (sqlite_schema.c). `may_create`: an empty file
// becomes a database.
bool ct_sqlite_schema_open(ct_sqlite_store *store, bool may_create, ct_error *error);

// Reads a branch by its name and returns its number, 0 when it does not exist (sqlite_branch.c). Inside a transaction.
bool ct_sqlite_branch_read(ct_sqlite_store *store, ct_database_branch *branch, int64_t *id,
                           ct_error *error);
// As it, with an error when the branch does not exist.
bool ct_sqlite_branch_need(ct_sqlite_store *store, ct_database_branch *branch, int64_t *id,
                           ct_error *error);
// Returns the number of a branch, with an error when it does not exist. Reads no more of it.
bool ct_sqlite_branch_id(ct_sqlite_store *store, const char *name, int64_t *id, ct_error *error);

// Behind the functions of the store, which database_store.h describes.
bool ct_sqlite_read_branch(ct_database_store *base, ct_database_branch *branch, bool *found,
                           ct_error *error);
bool ct_sqlite_list_branches(ct_database_store *base, ct_database_branch_array *branches,
                             ct_error *error);
bool ct_sqlite_create_branch(ct_database_store *base, const char *name, ct_guid replica,
                             const char *from, ct_error *error);
bool ct_sqlite_remove_branch(ct_database_store *base, const char *name, ct_error *error);
// Writes a vector to the table of HAS_SET or STORED_SET, but for the entry of replica number `without` (0: all).
bool ct_sqlite_write_vector(ct_sqlite_store *store, ct_sqlite_statement set, int64_t branch,
                            const ct_database_vector *vector, const ct_database_vector *before,
                            int64_t without, ct_error *error);

// Commits (sqlite_log.c).
bool ct_sqlite_begin(ct_database_store *base, ct_database_branch *branch, ct_error *error);
bool ct_sqlite_append(ct_database_store *base, ct_database_stamp stamp, uint64_t previous,
                      const void *bytes, uint64_t size_bytes, ct_error *error);
bool ct_sqlite_end(ct_database_store *base, ct_database_branch *branch, bool is_kept,
                   ct_error *error);
// Look into the log; also between begin and end.
bool ct_sqlite_has_commit(ct_database_store *base, ct_database_stamp stamp, bool *has,
                          ct_error *error);
bool ct_sqlite_read_commits(ct_database_store *base, const ct_database_vector *from,
                            const ct_database_vector *to, ct_database_commit_function function,
                            void *user, ct_error *error);
// Gives the time of the last commit of a replica that its own branch has; 0: none.
bool ct_sqlite_own_time(ct_sqlite_store *store, int64_t replica, uint64_t *time, ct_error *error);
// Marks the commits of a replica up to `time` as its branch's own, and no later ones. The one at `time` must be there.
bool ct_sqlite_set_own_time(ct_sqlite_store *store, int64_t replica, uint64_t time,
                            ct_error *error);
// Gives the id of the commit of a replica at `time`; 0 when it is not in the log.
bool ct_sqlite_find_commit(ct_sqlite_store *store, int64_t replica, uint64_t time, int64_t *id,
                           ct_error *error);

// State (sqlite_state_load.c, sqlite_state_save.c).
bool ct_sqlite_load_state(ct_database_store *base, ct_database_branch *branch,
                          ct_database_state *state, ct_error *error);
bool ct_sqlite_load_rows(ct_database_store *base, const ct_database_branch *branch, ct_guid object,
                         const char *key, uint32_t key_length, const ct_guid *element,
                         ct_database_row_array *rows, ct_error *error);
bool ct_sqlite_save_state(ct_database_store *base, ct_database_branch *branch,
                          const ct_database_state *state, const ct_database_vector *at, bool *saved,
                          ct_error *error);
// Removes the stored rows of a branch and their vector, inside a transaction.
bool ct_sqlite_clear_rows(ct_sqlite_store *store, int64_t branch, ct_error *error);
bool ct_sqlite_clear_state(ct_database_store *base, const char *branch, ct_error *error);
// Reads the row at which a *_LOAD or *_OF_* statement of `table` is. What it points at is valid until the next step.
bool ct_sqlite_read_row(ct_sqlite_store *store, sqlite3_stmt *statement,
                        ct_database_row_table table, ct_database_row *row, ct_error *error);

// Blobs and local changes (sqlite_blob.c).
bool ct_sqlite_has_blob(ct_database_store *base, const ct_database_blob *blob, bool *has,
                        ct_error *error);
bool ct_sqlite_write_piece(ct_database_store *base, const ct_database_blob *blob, uint32_t piece,
                           const void *bytes, uint32_t size_bytes, ct_error *error);
bool ct_sqlite_read_piece(ct_database_store *base, const ct_database_blob *blob, uint32_t piece,
                          void *bytes, uint32_t *size_bytes, ct_error *error);
bool ct_sqlite_collect_blobs(ct_database_store *base,
                             bool (*is_kept)(void *user, const ct_database_blob *blob), void *user,
                             uint64_t *freed_bytes, ct_error *error);

// Behind read_local, write_local and each_local.
bool ct_sqlite_read_local(ct_database_store *base, const ct_database_branch *branch,
                          const char *owner, ct_byte_array *text, ct_error *error);
bool ct_sqlite_write_local(ct_database_store *base, const ct_database_branch *branch,
                           const char *owner, const void *text, uint64_t size_bytes,
                           ct_error *error);
bool ct_sqlite_each_local(ct_database_store *base,
                          void (*function)(void *user, const char *text, uint64_t size_bytes),
                          void *user, ct_error *error);

// Queries (sqlite_query.c) and checks (sqlite_check.c).
bool ct_sqlite_query(ct_database_store *base, const ct_database_branch *branch, const char *sql,
                     bool (*row)(void *user, uint32_t num_columns, const char *const *columns,
                                 bool is_names),
                     void *user, ct_error *error);
bool ct_sqlite_check(ct_database_store *base, struct ct_string_builder *out, ct_error *error);
