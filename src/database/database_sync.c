#include "database/database_private.h"
#include "database/store/database_store_row.h"

// --- What others commit ----------------------------------------------------------------------------

void ct_database_take_in(ct_database *db, const ct_database_commit *commit, bool is_own) {
    ct_database_state_apply(db->state, commit);
    ct_database_vector_add(&db->branch.has, commit->stamp);
    db->is_epoch_over = true;
    for (uint32_t i = 0; !is_own && db->reports && i < commit->operations.list.count; ++i)
        ct_database_operations_push(&db->unreported, &commit->operations.list.items[i]);
}

static bool take_in(void *user, const ct_database_commit *commit) {
    ct_database_take_in(user, commit, false);
    return true;
}

bool ct_database_take_in_to(ct_database *db, const ct_database_vector *to, ct_error *error) {
    return ct_database_vector_covers(&db->branch.has, to) ||
           (ct_database_walk(db->allocator, db->store, &db->branch.has, to, take_in, db, error) &&
            ct_database_rows_check(db, error));
}

// Reads the branch again and takes in what is new.
static bool catch_up(ct_database *db, ct_error *error) {
    ct_database_branch branch;
    ct_database_branch_init(&branch, db->allocator, db->branch.name);
    bool is_found = false;
    bool is_done = db->store->functions->read_branch(db->store, &branch, &is_found, error);
    if (is_done && !is_found)
        is_done = ct_error_set(error, "branch \"%s\" of %s was removed", branch.name,
                               db->store->location);
    is_done = is_done && ct_database_take_in_to(db, &branch.has, error);
    ct_database_branch_free(&branch);
    if (is_done)
        ct_database_store_state(db, false);
    return is_done;
}

bool ct_database_update(ct_database *db, uint64_t timeout_ns, ct_database_operations *changes,
                        ct_error *error) {
    bool is_changed;
    db->reports = db->reports || changes;
    const uint64_t most_ns = db->unreported.list.count > 0 ? 0 : timeout_ns;
    if (!ct_database_rows_check(db, error) ||
        !db->store->functions->wait(db->store, most_ns, &is_changed, error) ||
        (is_changed && !catch_up(db, error)))
        return false;
    for (uint32_t i = 0; changes && i < db->unreported.list.count; ++i)
        ct_database_operations_push(changes, &db->unreported.list.items[i]);
    if (changes)
        ct_database_operations_clear(&db->unreported);
    return true;
}

// --- Merging ---------------------------------------------------------------------------------------

// Copies a blob from one store to another that does not have it.
static bool copy_blob(ct_database_store *from, ct_database_store *to, const ct_database_blob *blob,
                      uint8_t *piece, ct_error *error) {
    bool has;
    if (!to->functions->has_blob(to, blob, &has, error))
        return false;
    for (uint32_t i = 0; !has && i < ct_database_blob_num_pieces(blob->size_bytes); ++i) {
        uint32_t size_bytes = 0;
        if (!from->functions->read_piece(from, blob, i, piece, &size_bytes, error) ||
            !to->functions->write_piece(to, blob, i, piece, size_bytes, error))
            return false;
    }
    return true;
}

// --- From one store to another -----------------------------------------------------------------------

// Commits on their way.
typedef struct passage {
    ct_database_store *from, *to;
    uint8_t *piece; // of a blob
    uint32_t num_commits;
    ct_byte_array bytes; // of a commit
    ct_error *error;
    bool has_failed;
} passage;

static bool copy_blobs(void *user, const ct_database_commit *commit) {
    passage *const p = user;
    for (uint32_t i = 0; !p->has_failed && i < commit->operations.list.count; ++i) {
        const ct_database_operation *const op = &commit->operations.list.items[i];
        if (op->type == CT_DATABASE_CHANGE_KEY && op->value.kind == CT_DATABASE_BLOB)
            p->has_failed = !copy_blob(p->from, p->to, &op->value.blob, p->piece, p->error);
    }
    return !p->has_failed;
}

static bool append(void *user, const ct_database_commit *commit) {
    passage *const p = user;
    p->bytes.count = 0;
    ++p->num_commits;
    p->has_failed = !ct_database_commit_encode(commit, &p->bytes, p->error) ||
                    !p->to->functions->append(p->to, commit->stamp, commit->previous,
                                              p->bytes.items, p->bytes.count, p->error);
    return !p->has_failed;
}

// Both have commits of a replica: those of the one that has fewer must be among those of the other. Those that are to
// be appended say so themselves.
static bool check_forks(const ct_database_vector *has, ct_database_store *to,
                        const ct_database_branch *branch, ct_error *error) {
    for (uint32_t i = 0; i < has->stamps.count; ++i) {
        const ct_database_stamp stamp = has->stamps.items[i];
        bool is_there;
        if (ct_database_vector_time(&branch->has, stamp.replica) <= stamp.time)
            continue;
        if (!to->functions->has_commit(to, stamp, &is_there, error))
            return false;
        char time[CT_DATABASE_TIME_TEXT_BYTES];
        ct_database_time_format(stamp.time, time);
        if (!is_there)
            return ct_error_set(
                error,
                "%s: it has other commits of one replica than those up to %s: " CT_DATABASE_FORKED,
                to->location, time);
    }
    return true;
}

// Between begin and end.
static bool write_passage(passage *p, const ct_database_vector *has, ct_database_branch *branch) {
    const bool is_written =
        p->from == p->to ||
        (check_forks(has, p->to, branch, p->error) &&
         ct_database_walk(p->to->allocator, p->from, &branch->has, has, append, p, p->error) &&
         !p->has_failed);
    if (is_written)
        ct_database_vector_join(&branch->has, has);
    return is_written;
}

// Brings commits to a branch in one transaction. `branch` has the name; afterwards it is as stored. `before` gets the
// commits that the branch had (NULL: not wanted), *num_commits how many it got (with two stores).
static bool transfer(ct_database_store *from, const ct_database_vector *has, ct_database_store *to,
                     ct_database_branch *branch, ct_database_vector *before, uint32_t *num_commits,
                     ct_error *error) {
    passage p = {.from = from, .to = to, .error = error};
    bool is_found;
    if (!to->functions->read_branch(to, branch, &is_found, error))
        return false;
    // Blobs first, outside of the lock: a commit never names one that is not there.
    bool is_done = true;
    if (from != to) {
        p.piece = ct_alloc(from->allocator, CT_DATABASE_BLOB_PIECE_BYTES);
        is_done = ct_database_walk(to->allocator, from, &branch->has, has, copy_blobs, &p, error) &&
                  !p.has_failed;
        ct_free_sized(from->allocator, p.piece, CT_DATABASE_BLOB_PIECE_BYTES);
    }
    if (!is_done || !to->functions->begin(to, branch, error))
        return false;
    if (before)
        ct_database_vector_copy(before, &branch->has);
    ct_array_init(&p.bytes, to->allocator);
    const bool is_written = write_passage(&p, has, branch);
    ct_array_free(&p.bytes);
    *num_commits = p.num_commits;
    ct_error ignored;
    return to->functions->end(to, branch, is_written, is_written ? error : &ignored) && is_written;
}

static uint32_t num_conflicts_of(const ct_database *db) {
    ct_database_state_stats stats;
    ct_database_state_stats_get(db->state, &stats);
    return stats.num_conflicts;
}

// Takes in what a merge brought, and counts it.
typedef struct merging {
    ct_database *db;
    const ct_database_vector *has, *before; // of the source; of the branch
    uint32_t num_commits;
} merging;

static bool take_in_merged(void *user, const ct_database_commit *commit) {
    merging *const m = user;
    m->num_commits += ct_database_vector_has(m->has, commit->stamp) &&
                      !ct_database_vector_has(m->before, commit->stamp);
    ct_database_take_in(m->db, commit, false);
    return true;
}

static bool find_source(ct_database_store *from, ct_database_branch *source, ct_error *error) {
    bool is_found = false;
    return from->functions->read_branch(from, source, &is_found, error) &&
           (is_found ||
            ct_error_set(error, "%s has no branch \"%s\"; `cuttle db branch` lists those there are",
                         from->location, source->name));
}

bool ct_database_merge(ct_database *db, ct_database_store *from, const char *name,
                       uint32_t *num_commits, uint32_t *num_conflicts, ct_error *error) {
    ct_database_branch source, branch;
    ct_database_branch_init(&source, db->allocator, name);
    ct_database_branch_init(&branch, db->allocator, db->branch.name);
    ct_database_vector before;
    ct_database_vector_init(&before, db->allocator);
    merging m = {.db = db, .has = &source.has, .before = &before};
    uint32_t num_conflicts_before = 0, num_appended;
    bool is_done = ct_database_rows_check(db, error) && find_source(from, &source, error) &&
                   catch_up(db, error);
    if (is_done) {
        num_conflicts_before = num_conflicts_of(db);
        is_done = transfer(from, &source.has, db->store, &branch, &before, &num_appended, error) &&
                  ct_database_walk(db->allocator, db->store, &db->branch.has, &branch.has,
                                   take_in_merged, &m, error) &&
                  ct_database_rows_check(db, error);
    }
    if (is_done) {
        ct_database_store_state(db, false);
        const uint32_t after = num_conflicts_of(db);
        if (num_commits)
            *num_commits = m.num_commits;
        if (num_conflicts)
            *num_conflicts = after > num_conflicts_before ? after - num_conflicts_before : 0;
    }
    ct_database_branch_free(&source);
    ct_database_branch_free(&branch);
    ct_database_vector_free(&before);
    return is_done;
}

bool ct_database_push(ct_database *db, ct_database_store *to, const char *name,
                      uint32_t *num_commits, ct_error *error) {
    ct_database_branch branch;
    ct_database_branch_init(&branch, db->allocator, name);
    bool is_found = false;
    uint32_t num_appended = 0;
    bool is_done = to->functions->read_branch(to, &branch, &is_found, error);
    if (is_done && !is_found)
        is_done = to->functions->create_branch(to, name, ct_guid_make(), NULL, error);
    is_done =
        is_done && transfer(db->store, &db->branch.has, to, &branch, NULL, &num_appended, error);
    if (is_done && num_commits)
        *num_commits = num_appended;
    ct_database_branch_free(&branch);
    return is_done;
}
