// database_store.h: where commits, the state and blobs are kept: a table of functions with two kinds
// behind it, SQLite (sqlite/) and PostgreSQL (postgres/).
//
// A store holds branches. Each branch is a replica: it has a GUID and a vector, the commits that it has. Commits
// are kept once, by stamp, for all branches. The state of each branch is kept as rows at some vector; the log
// leads on from there. One thread. Functions return false with `error` when the file or the server fails: then
// nothing of the call was done, and the caller may try again. A lost server is connected again by the next call.
#pragma once
#include "database/state/database_state.h"

// What messages say of commits that do not fit those of their replica.
#define CT_DATABASE_FORKED                                                                         \
    "two copies of one database were changed. Keep one; `cuttle db diff COPY TIME` writes what "   \
    "was changed in the other, and `cuttle db change` takes it"

typedef struct ct_database_store ct_database_store;

enum {
    CT_DATABASE_MAX_BRANCH_BYTES = 63
}; // of a branch's name: letters, digits, '-', '_', '.', '/'

// A branch, as it is stored.
typedef struct ct_database_branch {
    char name[CT_DATABASE_MAX_BRANCH_BYTES + 1];
    ct_guid replica;
    ct_database_vector has;   // its commits
    ct_database_vector state; // those in the stored rows of its state
} ct_database_branch;

typedef CT_ARRAY(ct_database_branch) ct_database_branch_array;

// Called for each commit, in the order of stamps. `bytes` are valid during the call. Returns false to stop.
typedef bool (*ct_database_commit_function)(void *user, ct_database_stamp stamp, const void *bytes,
                                            uint64_t size_bytes);

// The functions of a store. `store` is the store itself.
typedef struct ct_database_store_functions {
    void (*close)(ct_database_store *store);

    // Branches. `branch` has been initialised with ct_database_branch_init; read fills all but the name. `found`
    // says whether there is one.
    bool (*read_branch)(ct_database_store *store, ct_database_branch *branch, bool *found,
                        ct_error *error);
    bool (*list_branches)(ct_database_store *store, ct_database_branch_array *branches,
                          ct_error *error);
    // Makes a branch with the commits and the state of `from` (a name; NULL: empty).
    bool (*create_branch)(ct_database_store *store, const char *name, ct_guid replica,
                          const char *from, ct_error *error);
    bool (*remove_branch)(ct_database_store *store, const char *name, ct_error *error);

    // Commits. begin takes the lock of the branch (waits for others at most 10 s), and gives its vector as it is
    // now; append then writes commits (with stamps of any replica; `previous` is the time of the commit of the same
    // replica before it, 0 for the first: another one is refused), end makes them and the new vector last:
    // only when it returns true are they acknowledged. With is_kept false, end undoes. With branch NULL begin and end
    // keep others from committing to any branch, for collect_blobs. When a server went away while end wrote,
    // has_commit says later whether it was kept.
    bool (*begin)(ct_database_store *store, ct_database_branch *branch, ct_error *error);
    bool (*append)(ct_database_store *store, ct_database_stamp stamp, uint64_t previous,
                   const void *bytes, uint64_t size_bytes, ct_error *error);
    bool (*end)(ct_database_store *store, ct_database_branch *branch, bool is_kept,
                ct_error *error);
    // Says whether a commit is in the log. May be called between begin and end.
    bool (*has_commit)(ct_database_store *store, ct_database_stamp stamp, bool *has,
                       ct_error *error);
    // Calls `function` with the commits that are in `to` and not in `from`. May be called between begin and end.
    bool (*read_commits)(ct_database_store *store, const ct_database_vector *from,
                         const ct_database_vector *to, ct_database_commit_function function,
                         void *user, ct_error *error);

    // The stored state of a branch. load hands all rows that live to `state`, and brings branch->state and
    // branch->has up to date: another process may have stored more since the branch was read. When it fails, `state`
    // may have some rows: destroy it. load_rows gives all stored rows that ct_database_removed asks for, or more; what
    // they point at stays valid until the next call. save replaces the rows of what changed, in one transaction, and
    // sets branch->state to `at`, unless the stored vector is not covered by `at` (another process stored more: then
    // nothing is done and *saved is false). clear removes all stored rows: the log has all of it. These may not be
    // called between begin and end.
    bool (*load_state)(ct_database_store *store, ct_database_branch *branch,
                       ct_database_state *state, ct_error *error);
    bool (*load_rows)(ct_database_store *store, const ct_database_branch *branch, ct_guid object,
                      const char *key, uint32_t key_length, const ct_guid *element,
                      ct_database_row_array *rows, ct_error *error);
    bool (*save_state)(ct_database_store *store, ct_database_branch *branch,
                       const ct_database_state *state, const ct_database_vector *at, bool *saved,
                       ct_error *error);
    bool (*clear_state)(ct_database_store *store, const char *branch, ct_error *error);

    // Blobs, in pieces: number `piece` from 0, each CT_DATABASE_BLOB_PIECE_BYTES long but the last. A blob exists
    // once its last piece is written: pieces without it are removed by collect. has_blob says whether one exists.
    bool (*has_blob)(ct_database_store *store, const ct_database_blob *blob, bool *has,
                     ct_error *error);
    bool (*write_piece)(ct_database_store *store, const ct_database_blob *blob, uint32_t piece,
                        const void *bytes, uint32_t size_bytes, ct_error *error);
    bool (*read_piece)(ct_database_store *store, const ct_database_blob *blob, uint32_t piece,
                       void *bytes, uint32_t *size_bytes, ct_error *error);
    // Removes the blobs for which `is_kept` returns false. Between begin and end, without a branch.
    bool (*collect_blobs)(ct_database_store *store,
                          bool (*is_kept)(void *user, const ct_database_blob *blob), void *user,
                          uint64_t *freed_bytes, ct_error *error);

    // Local changes that wait: lines of text (database_text.h) by branch and owner (at most CT_DATABASE_MAX_NAME_BYTES),
    // kept as one piece of text. "" removes. Between begin and end, for that branch only, they are part of what is
    // kept. each_local calls `function` with those of all branches and owners.
    bool (*read_local)(ct_database_store *store, const ct_database_branch *branch,
                       const char *owner, ct_byte_array *text, ct_error *error);
    bool (*write_local)(ct_database_store *store, const ct_database_branch *branch,
                        const char *owner, const void *text, uint64_t size_bytes, ct_error *error);
    bool (*each_local)(ct_database_store *store,
                       void (*function)(void *user, const char *text, uint64_t size_bytes),
                       void *user, ct_error *error);

    // Waits until another process may have committed to a branch of this store, at most `timeout_ns` (0: only
    // looks). PostgreSQL: NOTIFY; SQLite: the file's version, looked at each 2 ms. *changed says whether.
    bool (*wait)(ct_database_store *store, uint64_t timeout_ns, bool *changed, ct_error *error);

    // Runs a query of SQL that only reads, with views `object`, `value` and `element` of the branch (docs/database.md),
    // and calls `row` with each row's columns as text (NULL: null). *names is called first, with the columns' names.
    bool (*query)(ct_database_store *store, const ct_database_branch *branch, const char *sql,
                  bool (*row)(void *user, uint32_t num_columns, const char *const *columns,
                              bool is_names),
                  void *user, ct_error *error);

    // Checks the file or the server's tables: checksums of all commits, blobs against their hashes, SQLite's own check.
    // Each fault is a line appended to `out`; returns false only when it could not look.
    bool (*check)(ct_database_store *store, struct ct_string_builder *out, ct_error *error);
} ct_database_store_functions;

struct ct_database_store {
    const ct_database_store_functions *functions;
    ct_allocator *allocator;
    const char *location; // as it was given, without a password; owned by the store
};

// Checks the name of a branch. Returns false with `error`.
bool ct_database_branch_check(const char *name, ct_error *error);

// Makes a branch without commits. A name that is too long becomes "", which no branch has.
void ct_database_branch_init(ct_database_branch *branch, ct_allocator *a, const char *name);
void ct_database_branch_free(ct_database_branch *branch);

// Opens a file, which is made when `may_create`. Says what to install when SQLite is missing; refuses files
// that are no database of Cuttle, damaged, or of a later version, and leaves them as they are.
ct_database_store *ct_database_sqlite_open(ct_allocator *a, const char *path, bool may_create,
                                           ct_error *error);

// Connects to a server: a URI (postgresql://…) or a string of libpq ("host=… dbname=…"). Makes the schema `cuttle`
// when `may_create`; refuses one that is not Cuttle's.
ct_database_store *ct_database_postgres_open(ct_allocator *a, const char *location, bool may_create,
                                             ct_error *error);

// Returns whether a location is a server's.
bool ct_database_is_server(const char *location);

// Opens either, by the location: "postgres://", "postgresql://" and texts with "=" are servers.
ct_database_store *ct_database_store_open(ct_allocator *a, const char *location, bool may_create,
                                          ct_error *error);
