// database_private.h: the inside of an open database, for the files of this folder.
#pragma once
#include "database/database.h"
#include "database/local/database_overlay.h"

// Operations after which the rows of the state are stored.
enum { CT_DATABASE_STORE_AFTER = 8192 };

typedef CT_ARRAY(ct_guid) ct_guid_array;

struct ct_database {
    ct_allocator *allocator;
    ct_database_store *store;
    ct_database_branch branch; // `has`: the commits in `state`
    ct_database_state *state;  // what is committed
    char *author, *owner;
    int64_t (*wall_ns)(void);

    ct_database_overlay local;
    CT_ARRAY(ct_database_vector) epochs; // what had been seen when local changes were made
    bool is_epoch_over;                  // more was taken in since the last one
    bool is_local_changed;               // since it was read from the store
    uint64_t
        local_hash; // of the text that the store keeps of them, as this process knows it; 0: ""
    ct_database_stamp
        attempted; // of a commit whose end is not known; time 0: there is nothing open

    bool reports;                      // somebody asks for changes
    ct_database_operations unreported; // that came with own commits and merges
    ct_error rows_error; // why stored rows could not be read; the state may be wrong from then on

    ct_guid_array set;   // of the last set that was read
    ct_byte_array bytes; // a commit, encoded
};

// Returns the number of the epoch for changes that are made now.
uint32_t ct_database_epoch(ct_database *db);

// Adds a local change without the checks of ct_database_change. `force`: a DESTROY stays though its object does not
// exist.
void ct_database_push_local(ct_database *db, const ct_database_operation *operation, bool force);

// After a commit, or after changes were dropped: vectors that no local change needs go.
void ct_database_forget_epochs(ct_database *db);

// Called with each commit of a walk, decoded; returns false to stop.
typedef bool (*ct_database_walk_function)(void *user, const ct_database_commit *commit);

// Goes through the commits in `to` that are not in `from`, in the order of stamps. Returns false with `error`, which
// names a commit that is damaged.
bool ct_database_walk(ct_allocator *a, ct_database_store *store, const ct_database_vector *from,
                      const ct_database_vector *to, ct_database_walk_function function, void *user,
                      ct_error *error);

// Applies a commit that is in the store of this branch, and raises branch.has. That of another is reported by
// ct_database_update.
void ct_database_take_in(ct_database *db, const ct_database_commit *commit, bool is_own);

// Takes in the commits in `to` that are not here. When it fails, those before the failure are taken in.
bool ct_database_take_in_to(ct_database *db, const ct_database_vector *to, ct_error *error);

// Returns false with `error` when stored rows could not be read: the state may be wrong, and is not stored.
bool ct_database_rows_check(const ct_database *db, ct_error *error);

// Stores the state's rows when enough of them changed, or `always`. A failure is logged: the log has all of it.
void ct_database_store_state(ct_database *db, bool always);

// --- Local changes in the store (database_local_text.c): as text, with what their author had seen --------

// Reads them when the database is opened.
bool ct_database_read_local(ct_database *db, ct_error *error);

// Appends the operations of a stored text. Returns false at a line that is not an operation.
bool ct_database_local_operations(const char *text, uint64_t size_bytes,
                                  ct_database_operations *operations);

// Writes the local changes for which `is_dropped` (NULL: of none) has false. Between begin and end, after
// ct_database_sync_local. Call ct_database_local_written once that is kept.
bool ct_database_write_local(ct_database *db, const bool *is_dropped, uint64_t *hash,
                             ct_error *error);
void ct_database_local_written(ct_database *db, uint64_t hash);

// Takes in what another process did to the stored local changes: what was read from the store and is no longer there
// goes, what is new there comes, and what was changed here since stays on top. Between begin and end. *is_changed
// says whether there was something.
bool ct_database_sync_local(ct_database *db, bool *is_changed, ct_error *error);

// Finds out whether a commit whose end was not known was kept, and drops its local changes then. Between begin and end
// it knows for sure.
bool ct_database_settle(ct_database *db, bool *is_changed, ct_error *error);
