#include <string.h>

#include "database/database_private.h"
#include "foundation/log.h"

// --- Commits that were read ------------------------------------------------------------------------

void ct_database_commits_init(ct_database_commits *commits, ct_allocator *a) {
    commits->allocator = a;
    ct_array_init(&commits->list, a);
}

void ct_database_commits_free(ct_database_commits *commits) {
    for (uint32_t i = 0; i < commits->list.count; ++i)
        ct_database_commit_free(&commits->list.items[i]);
    ct_array_free(&commits->list);
}

typedef struct reading {
    ct_database_commits *commits;
    ct_error *error;
    bool has_failed;
} reading;

static bool add_commit(void *user, ct_database_stamp stamp, const void *bytes,
                       uint64_t size_bytes) {
    reading *const r = user;
    ct_database_commit commit;
    ct_database_commit_init(&commit, r->commits->allocator);
    ct_error why = {0};
    if (!ct_database_commit_decode(&commit, bytes, size_bytes, &why)) {
        char time[CT_DATABASE_TIME_TEXT_BYTES], replica[CT_GUID_TEXT_BYTES];
        ct_database_time_format(stamp.time, time);
        ct_guid_format(stamp.replica, replica);
        ct_error_set(r->error, "the commit of %s by %s is damaged: %s", time, replica, why.message);
        r->has_failed = true;
        ct_database_commit_free(&commit);
        return false;
    }
    ct_array_push(&r->commits->list, commit);
    return true;
}

bool ct_database_commits_read(ct_database_commits *commits, ct_database_store *store,
                              const ct_database_vector *from, const ct_database_vector *to,
                              ct_error *error) {
    reading r = {.commits = commits, .error = error};
    return store->functions->read_commits(store, from, to, add_commit, &r, error) && !r.has_failed;
}

void ct_database_take_in(ct_database *db, const ct_database_commits *commits) {
    for (uint32_t i = 0; i < commits->list.count; ++i) {
        ct_database_state_apply(db->state, &commits->list.items[i]);
        ct_database_vector_add(&db->branch.has, commits->list.items[i].stamp);
    }
    db->is_epoch_over = db->is_epoch_over || commits->list.count > 0;
}

// --- What others commit ----------------------------------------------------------------------------

// Reads the branch again and takes in what is new.
static bool catch_up(ct_database *db, ct_database_operations *changes, ct_error *error) {
    ct_database_branch branch;
    ct_database_branch_init(&branch, db->allocator, db->branch.name);
    ct_database_commits commits;
    ct_database_commits_init(&commits, db->allocator);
    bool is_found = false;
    bool is_done = db->store->functions->read_branch(db->store, &branch, &is_found, error);
    if (is_done && !is_found)
        is_done = ct_error_set(error, "branch \"%s\" of %s was removed", branch.name,
                               db->store->location);
    if (is_done)
        is_done =
            ct_database_commits_read(&commits, db->store, &db->branch.has, &branch.has, error);
    if (is_done)
        ct_database_take_in(db, &commits);
    for (uint32_t i = 0; is_done && changes && i < commits.list.count; ++i)
        for (uint32_t k = 0; k < commits.list.items[i].operations.list.count; ++k)
            ct_database_operations_push(changes, &commits.list.items[i].operations.list.items[k]);
    ct_database_commits_free(&commits);
    ct_database_branch_free(&branch);
    if (is_done)
        ct_database_store_state(db, false);
    return is_done;
}

bool ct_database_update(ct_database *db, uint64_t timeout_ns, ct_database_operations *changes,
                        ct_error *error) {
    bool is_changed;
    return db->store->functions->wait(db->store, timeout_ns, &is_changed, error) &&
           (!is_changed || catch_up(db, changes, error));
}

// --- Merging ---------------------------------------------------------------------------------------

// Copies a blob from one store to another that does not have it.
static bool copy_blob(ct_database_store *from, ct_database_store *to, const ct_database_blob *blob,
                      uint8_t *piece, ct_error *error) {
    bool has;
    if (!to->functions->has_blob(to, blob, &has, error))
        return false;
    const uint64_t num_pieces = blob->size_bytes / CT_DATABASE_BLOB_PIECE_BYTES +
                                (blob->size_bytes % CT_DATABASE_BLOB_PIECE_BYTES > 0);
    for (uint64_t i = 0; !has && (i < num_pieces || i == 0); ++i) {
        uint32_t size_bytes = 0;
        if (!from->functions->read_piece(from, blob, (uint32_t)i, piece, &size_bytes, error) ||
            !to->functions->write_piece(to, blob, (uint32_t)i, piece, size_bytes, error))
            return false;
    }
    return true;
}

static bool copy_blobs(ct_database_store *from, ct_database_store *to,
                       const ct_database_commits *commits, ct_error *error) {
    uint8_t *piece = NULL;
    bool is_copied = true;
    for (uint32_t i = 0; is_copied && i < commits->list.count; ++i) {
        const ct_database_operations *const operations = &commits->list.items[i].operations;
        for (uint32_t k = 0; is_copied && k < operations->list.count; ++k) {
            const ct_database_operation *const op = &operations->list.items[k];
            if (op->type != CT_DATABASE_CHANGE_KEY || op->value.kind != CT_DATABASE_BLOB)
                continue;
            piece = piece ? piece : ct_alloc(from->allocator, CT_DATABASE_BLOB_PIECE_BYTES);
            is_copied = copy_blob(from, to, &op->value.blob, piece, error);
        }
    }
    ct_free_sized(from->allocator, piece, CT_DATABASE_BLOB_PIECE_BYTES);
    return is_copied;
}

// Appends commits between begin and end.
static bool append_all(ct_database_store *to, const ct_database_commits *commits,
                       ct_byte_array *bytes, ct_error *error) {
    for (uint32_t i = 0; i < commits->list.count; ++i) {
        bytes->count = 0;
        if (!ct_database_commit_encode(&commits->list.items[i], bytes, error) ||
            !to->functions->append(to, commits->list.items[i].stamp, bytes->items, bytes->count,
                                   error))
            return false;
    }
    return true;
}

// Brings commits to a branch in one transaction. `branch` has the name; afterwards it is as stored. *taken gets the
// commits that the branch did not have, `before` those that it had.
static bool transfer(ct_database_store *from, const ct_database_vector *has, ct_database_store *to,
                     ct_database_branch *branch, ct_database_commits *taken,
                     ct_database_vector *before, ct_error *error) {
    // Blobs first, outside of the lock: a commit never names one that is not there.
    bool is_found;
    if (!to->functions->read_branch(to, branch, &is_found, error) ||
        !ct_database_commits_read(taken, from, &branch->has, has, error) ||
        (from != to && !copy_blobs(from, to, taken, error)))
        return false;
    ct_database_vector_copy(before, &branch->has);
    if (!to->functions->begin(to, branch, error))
        return false;
    bool is_written = true;
    if (!ct_database_vector_covers(before, &branch->has)) { // others brought some in between
        ct_database_commits_free(taken);
        is_written = ct_database_commits_read(taken, from, &branch->has, has, error);
        ct_database_vector_copy(before, &branch->has);
    }
    ct_byte_array bytes;
    ct_array_init(&bytes, to->allocator);
    is_written = is_written && (from == to || append_all(to, taken, &bytes, error));
    ct_array_free(&bytes);
    if (is_written)
        ct_database_vector_join(&branch->has, has);
    ct_error ignored;
    return to->functions->end(to, branch, is_written, is_written ? error : &ignored) && is_written;
}

static uint32_t num_conflicts_of(const ct_database *db) {
    ct_database_state_stats stats;
    ct_database_state_stats_get(db->state, &stats);
    return stats.num_conflicts;
}

bool ct_database_merge(ct_database *db, ct_database_store *from, const char *name,
                       uint32_t *num_commits, uint32_t *num_conflicts, ct_error *error) {
    ct_database_branch source, branch;
    ct_database_branch_init(&source, db->allocator, name);
    ct_database_branch_init(&branch, db->allocator, db->branch.name);
    ct_database_commits taken;
    ct_database_commits_init(&taken, db->allocator);
    ct_database_vector at_begin;
    ct_database_vector_init(&at_begin, db->allocator);
    const uint32_t before = num_conflicts_of(db);
    bool is_found = false;
    bool is_done = from->functions->read_branch(from, &source, &is_found, error);
    if (is_done && !is_found)
        is_done =
            ct_error_set(error, "%s has no branch \"%s\"; `cuttle db branch` lists those there are",
                         from->location, name);
    is_done = is_done && catch_up(db, NULL, error) &&
              transfer(from, &source.has, db->store, &branch, &taken, &at_begin, error);
    if (is_done && ct_database_vector_covers(&db->branch.has, &at_begin))
        ct_database_take_in(db, &taken);
    else
        is_done = is_done && catch_up(db, NULL, error);
    if (is_done) {
        ct_database_store_state(db, false);
        ct_database_vector_join(&db->branch.has, &branch.has);
        const uint32_t after = num_conflicts_of(db);
        if (num_commits)
            *num_commits = taken.list.count;
        if (num_conflicts)
            *num_conflicts = after > before ? after - before : 0;
    }
    ct_database_commits_free(&taken);
    ct_database_branch_free(&source);
    ct_database_branch_free(&branch);
    ct_database_vector_free(&at_begin);
    return is_done;
}

bool ct_database_push(ct_database *db, ct_database_store *to, const char *name,
                      uint32_t *num_commits, ct_error *error) {
    ct_database_branch branch;
    ct_database_branch_init(&branch, db->allocator, name);
    ct_database_commits taken;
    ct_database_commits_init(&taken, db->allocator);
    ct_database_vector at_begin;
    ct_database_vector_init(&at_begin, db->allocator);
    bool is_found = false;
    bool is_done = to->functions->read_branch(to, &branch, &is_found, error);
    if (is_done && !is_found)
        is_done = to->functions->create_branch(to, name, ct_guid_make(), NULL, error);
    is_done =
        is_done && transfer(db->store, &db->branch.has, to, &branch, &taken, &at_begin, error);
    if (is_done && num_commits)
        *num_commits = taken.list.count;
    ct_database_commits_free(&taken);
    ct_database_branch_free(&branch);
    ct_database_vector_free(&at_begin);
    return is_done;
}
