// database.h: an object database, open at one of its branches.
//
// Objects by GUID with values by key, five operations, and what follows from a log of commits: offline work,
// branches, merging, conflicts. docs/database.md shows its use; docs/decisions/0064 says why it is so. A
// database belongs to one thread. Functions with `error` return false when input is wrong, a file is damaged or the
// server is away; then nothing was changed.
#pragma once
#include "database/store/database_store.h"

typedef struct ct_database ct_database;

typedef struct ct_database_desc {
    const char *location; // a file, or a server (ct_database_store_open)
    const char *branch;   // NULL: "main"
    const char *author;   // of commits; NULL: the user's name
    const char *
        owner; // whose local changes these are; NULL: the user, on a server with the machine's name
    bool makes_rows_again;    // from the log: for stored rows that are damaged
    bool may_create;          // the file or the server's schema, and branch "main"
    int64_t (*wall_ns)(void); // for tests; NULL: ct_os_wall_time_ns
} ct_database_desc;

// Opens a database and loads the state of the branch.
ct_database *ct_database_open(ct_allocator *a, const ct_database_desc *desc, ct_error *error);

// Stores the state and local changes, and closes. A failure is logged; nothing that was committed is lost. NULL is fine.
void ct_database_close(ct_database *db);

// The store and the branch that it is open at; borrowed.
ct_database_store *ct_database_get_store(ct_database *db);
const ct_database_branch *ct_database_get_branch(const ct_database *db);

// --- Reading: what is committed, with the local changes on top -----------------------------------------

// Returns whether an object exists.
bool ct_database_has(const ct_database *db, ct_guid object);
// Return the value of a key; NULL kind when the key or the object does not exist. Values are borrowed until the next call that changes the database or reads a set.
ct_database_value ct_database_get(const ct_database *db, ct_guid object, const char *key);
ct_database_value ct_database_get_bytes(const ct_database *db, ct_guid object, const char *key,
                                        uint32_t key_length);
uint32_t ct_database_num_objects(const ct_database *db);
// Walk objects and keys: start with *place 0; no special order.
bool ct_database_next_object(const ct_database *db, uint32_t *place, ct_guid *object);
bool ct_database_next_key(const ct_database *db, ct_guid object, uint32_t *place, const char **key,
                          uint32_t *key_length);
// What is committed, without local changes.
const ct_database_state *ct_database_committed(const ct_database *db);

// --- Local changes -------------------------------------------------------------------------------------

// Adds an operation to the local changes. Checks it against what reads see: the object exists (or, for create, does
// not), the value is valid, a blob is in the store, add_to_set meets a set or no value. Later operations replace
// earlier local ones of the same key or element.
bool ct_database_change(ct_database *db, const ct_database_operation *operation, ct_error *error);

// The local changes, in the order they were made; borrowed until the next change.
const ct_database_operations *ct_database_local(const ct_database *db);

// Commits local changes: those with the given indices (ascending), or all when `indices` is NULL. When it returns
// true they are in the store for good. `message` may be NULL. Local changes are kept by branch and owner: when another
// process has committed or reverted some of those that were kept, they go here as well; with `indices` this is an error,
// as the numbers may have changed. When it fails because a server went away, the commit may have been kept: the next
// commit finds out, and then does not make it twice.
bool ct_database_commit_local(ct_database *db, const uint32_t *indices, uint32_t count,
                              const char *message, ct_error *error);

// Leaves the local changes that the store keeps as they are: close does not write those there are now. For work that
// failed.
void ct_database_leave_local(ct_database *db);

// Forgets local changes: those with the given indices, and what is of objects that these create; all when `indices` is
// NULL.
void ct_database_revert_local(ct_database *db, const uint32_t *indices, uint32_t count);

// --- Others --------------------------------------------------------------------------------------------

// Waits at most `timeout_ns` for commits of others and takes them in. Appends their operations to `changes`
// (NULL: not wanted), after those that came with commits and merges of its own since the first call.
bool ct_database_update(ct_database *db, uint64_t timeout_ns, ct_database_operations *changes,
                        ct_error *error);

// Takes in the commits that a branch of this or another database has: a merge, a pull. *num_commits and *num_conflicts
// may be NULL.
bool ct_database_merge(ct_database *db, ct_database_store *from, const char *branch,
                       uint32_t *num_commits, uint32_t *num_conflicts, ct_error *error);

// Brings what the branch has to a branch of another database, made when it is missing: a push. Blobs go first.
bool ct_database_push(ct_database *db, ct_database_store *to, const char *branch,
                      uint32_t *num_commits, ct_error *error);

// Conflicts are those of ct_database_state_conflicts(ct_database_committed(db)). Undo adds local changes that bring
// back what lost (for objects that were destroyed: with all their values, for which the log is read once); accept adds
// those that keep what won.
bool ct_database_undo_conflicts(ct_database *db, const ct_database_conflict *conflicts,
                                uint32_t count, ct_error *error);
void ct_database_accept_conflict(ct_database *db, const ct_database_conflict *conflict);

// --- History -------------------------------------------------------------------------------------------

// Makes the state that the branch had at `time` (commits up to it), for reading and diffs. Free it with
// ct_database_state_destroy. Reads the whole log up to there.
ct_database_state *ct_database_state_at(ct_database *db, uint64_t time, ct_error *error);

// Calls `function` with each commit of the branch, oldest first, decoded; returns false to stop.
bool ct_database_history(ct_database *db,
                         bool (*function)(void *user, const ct_database_commit *commit), void *user,
                         ct_error *error);

// --- Blobs ---------------------------------------------------------------------------------------------

// Writes bytes as a blob, or a file of any size. The blob is then named by values.
bool ct_database_write_blob(ct_database *db, const void *bytes, uint64_t size_bytes,
                            ct_database_blob *blob, ct_error *error);
bool ct_database_write_blob_file(ct_database *db, const char *path, ct_database_blob *blob,
                                 ct_error *error);

// Reads a blob whole into `out`, or into a file, and checks its hash.
bool ct_database_read_blob(ct_database *db, const ct_database_blob *blob, ct_byte_array *out,
                           ct_error *error);
bool ct_database_read_blob_file(ct_database *db, const ct_database_blob *blob, const char *path,
                                ct_error *error);

// Removes blobs that no commit names, nor a stored local change of any owner or one of this database. Nothing is
// committed meanwhile. Blobs that other open databases wrote and did not name yet go, too: their commits say so.
bool ct_database_collect(ct_database *db, uint64_t *freed_bytes, ct_error *error);
