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
    char *author;
    int64_t (*wall_ns)(void);

    ct_database_overlay local;
    CT_ARRAY(ct_database_vector) epochs; // what had been seen when local changes were made
    bool is_epoch_over;                  // more was taken in since the last one
    bool is_local_changed;               // since it was read from the store
    bool has_stored_local;               // the store keeps local changes

    ct_guid_array set;   // of the last set that was read
    ct_byte_array bytes; // a commit, encoded
};

// Returns the number of the epoch for changes that are made now.
uint32_t ct_database_epoch(ct_database *db);

// Adds a local change without the checks of ct_database_change.
void ct_database_push_local(ct_database *db, const ct_database_operation *operation);

// Sorts elements of a set.
void ct_database_set_sort(ct_guid *elements, uint32_t count);

// Commits that were read from a store: decoded, in the order of stamps.
typedef struct ct_database_commits {
    ct_allocator *allocator;
    CT_ARRAY(ct_database_commit) list;
} ct_database_commits;

// Make an empty list, and free it with its commits.
void ct_database_commits_init(ct_database_commits *commits, ct_allocator *a);
void ct_database_commits_free(ct_database_commits *commits);

// Reads the commits in `to` that are not in `from`. Returns false with `error`, which names a commit that is damaged.
bool ct_database_commits_read(ct_database_commits *commits, ct_database_store *store,
                              const ct_database_vector *from, const ct_database_vector *to,
                              ct_error *error);

// Applies commits that are in the store of this branch, and raises branch.has.
void ct_database_take_in(ct_database *db, const ct_database_commits *commits);

// Stores the state's rows when enough of them changed, or `always`. A failure is logged: the log has all of it.
void ct_database_store_state(ct_database *db, bool always);

// Local changes as text in the store, with what their author had seen.
bool ct_database_read_local(ct_database *db, ct_error *error);
bool ct_database_write_local(ct_database *db, ct_error *error);
