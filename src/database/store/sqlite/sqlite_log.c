#include <string.h>

#include "database/store/sqlite/sqlite_private.h"
#include "foundation/container/sort.h"

static int64_t first_id(int64_t replica) {
    return replica << CT_SQLITE_LOG_SHIFT;
}

static int64_t end_id(int64_t replica) {
    return first_id(replica + 1) - 1;
}

// --- Looking for commits -------------------------------------------------------------------------

// Gives id and time of the last commit of a replica, from LOG_LAST or LOG_LAST_OWN; *id is 0 when it has no commit.
static bool find_last(ct_sqlite_store *store, ct_sqlite_statement statement, int64_t replica,
                      int64_t *id, uint64_t *time, ct_error *error) {
    *id = 0;
    *time = 0;
    sqlite3_stmt *const last = ct_sqlite_get(store, statement, error);
    if (!last)
        return false;
    ct_sqlite_bind_int(store, last, 1, first_id(replica));
    ct_sqlite_bind_int(store, last, 2, end_id(replica));
    bool has_row;
    if (!ct_sqlite_next(store, last, &has_row, error))
        return false;
    if (!has_row)
        return true;
    *id = store->api->sqlite3_column_int64(last, 0);
    const int64_t found = store->api->sqlite3_column_int64(last, 1);
    ct_sqlite_reset(store, last);
    *time = (uint64_t)found;
    return ct_database_time_check(found) ||
           ct_sqlite_damaged(store, error, "commit %lld has the time %lld", (long long)*id,
                             (long long)found);
}

static bool time_of(ct_sqlite_store *store, int64_t id, uint64_t *time, ct_error *error) {
    sqlite3_stmt *const statement = ct_sqlite_get(store, CT_SQLITE_LOG_TIME, error);
    if (!statement)
        return false;
    ct_sqlite_bind_int(store, statement, 1, id);
    bool has_row;
    if (!ct_sqlite_next(store, statement, &has_row, error))
        return false;
    if (!has_row)
        return ct_sqlite_damaged(store, error, "commit %lld is missing", (long long)id);
    *time = (uint64_t)store->api->sqlite3_column_int64(statement, 0);
    ct_sqlite_reset(store, statement);
    return true;
}

// Gives the id of the first commit of a replica after `time`; that after the last one when no commit is later.
static bool find_after(ct_sqlite_store *store, int64_t replica, uint64_t time, int64_t *id,
                       ct_error *error) {
    int64_t last;
    uint64_t last_time;
    if (!find_last(store, CT_SQLITE_LOG_LAST, replica, &last, &last_time, error))
        return false;
    int64_t first = first_id(replica), end = last == 0 ? first : last + 1;
    if (time >= last_time)
        first = end;
    if (time == 0)
        end = first;
    while (first < end) {
        const int64_t middle = first + (end - first) / 2;
        uint64_t middle_time;
        if (!time_of(store, middle, &middle_time, error))
            return false;
        if (middle_time <= time)
            first = middle + 1;
        else
            end = middle;
    }
    *id = first;
    return true;
}

bool ct_sqlite_find_commit(ct_sqlite_store *store, int64_t replica, uint64_t time, int64_t *id,
                           ct_error *error) {
    int64_t after;
    uint64_t found = 0;
    if (!find_after(store, replica, time, &after, error))
        return false;
    if (after > first_id(replica) && !time_of(store, after - 1, &found, error))
        return false;
    *id = found == time && time > 0 ? after - 1 : 0;
    return true;
}

bool ct_sqlite_own_time(ct_sqlite_store *store, int64_t replica, uint64_t *time, ct_error *error) {
    int64_t id;
    return find_last(store, CT_SQLITE_LOG_LAST_OWN, replica, &id, time, error);
}

bool ct_sqlite_set_own_time(ct_sqlite_store *store, int64_t replica, uint64_t time,
                            ct_error *error) {
    int64_t id = first_id(replica) - 1;
    if (time > 0) {
        if (!ct_sqlite_find_commit(store, replica, time, &id, error))
            return false;
        if (id == 0)
            return ct_error_set_at(error, store->base.location, 0, 0,
                                   "a branch is to have a commit that is not in the file");
    }
    const int64_t own[] = {first_id(replica), id, 1}, others[] = {id + 1, end_id(replica), 0};
    return ct_sqlite_run_ints(store, CT_SQLITE_LOG_SET_OWN, own, 3, error) &&
           ct_sqlite_run_ints(store, CT_SQLITE_LOG_SET_OWN, others, 3, error);
}

// --- Committing ----------------------------------------------------------------------------------

// Undoes what was written since begin.
static void undo(ct_sqlite_store *store) {
    store->is_committing = false;
    ct_sqlite_transaction_finish(store, false, NULL);
}

bool ct_sqlite_begin(ct_database_store *base, ct_database_branch *branch, ct_error *error) {
    ct_sqlite_store *const store = (ct_sqlite_store *)base;
    CT_ASSERT(!store->is_committing, "begin before end");
    if (!ct_sqlite_transaction_begin(store, true, error))
        return false;
    store->is_committing = true;
    store->has_failed = false;
    store->last_replica = 0;
    store->branch_id = 0;
    if (!branch)
        return true; // the lock is that of the whole file
    if (ct_sqlite_branch_need(store, branch, &store->branch_id, error)) {
        ct_database_vector_copy(&store->begun, &branch->has);
        return true;
    }
    undo(store);
    return false;
}

// Compares a commit with that of the same stamp in the log.
static bool check_same(ct_sqlite_store *store, int64_t id, const void *bytes, uint64_t size_bytes,
                       ct_error *error) {
    sqlite3_stmt *const read = ct_sqlite_get(store, CT_SQLITE_LOG_BYTES, error);
    if (!read)
        return false;
    ct_sqlite_bind_int(store, read, 1, id);
    bool has_row;
    if (!ct_sqlite_next(store, read, &has_row, error))
        return false;
    if (!has_row)
        return ct_sqlite_damaged(store, error, "commit %lld is missing", (long long)id);
    const void *const found = store->api->sqlite3_column_blob(read, 0);
    const bool is_same = (uint64_t)store->api->sqlite3_column_bytes(read, 0) == size_bytes &&
                         (size_bytes == 0 || memcmp(found, bytes, size_bytes) == 0);
    ct_sqlite_reset(store, read);
    return is_same;
}

static bool fail_forked(ct_sqlite_store *store, ct_database_stamp stamp, ct_error *error) {
    char replica[CT_GUID_TEXT_BYTES], time[CT_DATABASE_TIME_TEXT_BYTES];
    ct_guid_format(stamp.replica, replica);
    ct_database_time_format(stamp.time, time);
    store->has_failed = true;
    return ct_error_set_at(
        error, store->base.location, 0, 0,
        "commit %s of replica %s does not fit the others of that replica: " CT_DATABASE_FORKED,
        time, replica);
}

// Takes a commit that is not later than the last one of its replica: it must be in the log.
static bool append_known(ct_sqlite_store *store, int64_t replica, ct_database_stamp stamp,
                         const void *bytes, uint64_t size_bytes, ct_error *error) {
    int64_t id;
    ct_error other = {0};
    if (!ct_sqlite_find_commit(store, replica, stamp.time, &id, error))
        return false;
    if (id == 0)
        return fail_forked(store, stamp, error);
    if (check_same(store, id, bytes, size_bytes, &other))
        return true;
    if (other.message[0] && error)
        *error = other;
    return other.message[0] ? false : fail_forked(store, stamp, error);
}

bool ct_sqlite_has_commit(ct_database_store *base, ct_database_stamp stamp, bool *has,
                          ct_error *error) {
    ct_sqlite_store *const store = (ct_sqlite_store *)base;
    int64_t replica = 0, id = 0;
    if (!ct_sqlite_transaction_begin(store, false, error))
        return false;
    const bool is_done =
        ct_sqlite_replica_id(store, stamp.replica, false, &replica, error) &&
        (replica == 0 || ct_sqlite_find_commit(store, replica, stamp.time, &id, error));
    *has = id != 0;
    return ct_sqlite_transaction_finish(store, is_done, error);
}

bool ct_sqlite_append(ct_database_store *base, ct_database_stamp stamp, uint64_t previous,
                      const void *bytes, uint64_t size_bytes, ct_error *error) {
    ct_sqlite_store *const store = (ct_sqlite_store *)base;
    CT_ASSERT(store->is_committing, "append without begin");
    CT_ASSERT(ct_database_time_check((int64_t)stamp.time), "a commit has no time");
    int64_t replica;
    if (!ct_sqlite_replica_id(store, stamp.replica, true, &replica, error))
        return false;
    if (store->last_replica != replica) {
        store->last_replica = 0;
        if (!find_last(store, CT_SQLITE_LOG_LAST, replica, &store->last_id, &store->last_time,
                       error))
            return false;
        store->last_replica = replica;
        if (store->last_id == 0)
            store->last_id = first_id(replica) - 1;
    }
    if (stamp.time <= store->last_time)
        return append_known(store, replica, stamp, bytes, size_bytes, error);
    if (previous != store->last_time)
        return fail_forked(store, stamp, error);
    sqlite3_stmt *const add = ct_sqlite_get(store, CT_SQLITE_LOG_ADD, error);
    if (!add)
        return false;
    const bool is_own = replica == store->branch_replica;
    ct_sqlite_bind_int(store, add, 1, store->last_id + 1);
    ct_sqlite_bind_int(store, add, 2, (int64_t)stamp.time);
    ct_sqlite_bind_int(store, add, 3, is_own);
    ct_sqlite_bind_blob(store, add, 4, bytes, size_bytes);
    if (!ct_sqlite_run(store, add, error))
        return false;
    ++store->last_id;
    store->last_time = stamp.time;
    if (is_own)
        store->own_time = stamp.time;
    return true;
}

// Checks that the commits up to which `branch` has those of other replicas are there.
static bool check_entries(ct_sqlite_store *store, const ct_database_branch *branch,
                          ct_error *error) {
    for (uint32_t i = 0; i < branch->has.stamps.count; ++i) {
        const ct_database_stamp stamp = branch->has.stamps.items[i];
        if (ct_database_vector_has(&store->begun, stamp))
            continue;
        int64_t replica, id = 0;
        if (!ct_sqlite_replica_id(store, stamp.replica, false, &replica, error))
            return false;
        if (replica == store->branch_replica && stamp.time == store->own_time)
            continue;
        if (replica != 0 && !ct_sqlite_find_commit(store, replica, stamp.time, &id, error))
            return false;
        if (id == 0)
            return ct_error_set_at(error, store->base.location, 0, 0,
                                   "branch \"%s\" is to have a commit that is not in the file",
                                   branch->name);
    }
    return true;
}

static bool write_end(ct_sqlite_store *store, const ct_database_branch *branch, ct_error *error) {
    if (store->has_failed || store->api->sqlite3_get_autocommit(store->file))
        return ct_error_set_at(error, store->base.location, 0, 0,
                               "a part of the commit could not be written; nothing was changed");
    const uint64_t own = ct_database_vector_time(&branch->has, branch->replica);
    return check_entries(store, branch, error) &&
           (own == store->own_time ||
            ct_sqlite_set_own_time(store, store->branch_replica, own, error)) &&
           ct_sqlite_write_vector(store, CT_SQLITE_HAS_SET, store->branch_id, &branch->has,
                                  &store->begun, store->branch_replica, error);
}

bool ct_sqlite_end(ct_database_store *base, ct_database_branch *branch, bool is_kept,
                   ct_error *error) {
    ct_sqlite_store *const store = (ct_sqlite_store *)base;
    CT_ASSERT(store->is_committing, "end without begin");
    if (!is_kept) {
        undo(store);
        return true;
    }
    const bool is_written = branch ? write_end(store, branch, error) : !store->has_failed;
    store->is_committing = false;
    return ct_sqlite_transaction_finish(store, is_written, error);
}

// --- Reading -------------------------------------------------------------------------------------

// Appends the ids (as `index`) and times of a replica's commits after `from` up to `to`.
static bool list_commits(ct_sqlite_store *store, int64_t replica, uint64_t from, uint64_t to,
                         ct_sort_item64 **items, uint32_t *count, uint32_t *capacity,
                         ct_error *error) {
    int64_t first;
    sqlite3_stmt *const times = ct_sqlite_get(store, CT_SQLITE_LOG_TIMES, error);
    if (!times || !find_after(store, replica, from, &first, error))
        return false;
    ct_sqlite_bind_int(store, times, 1, first);
    ct_sqlite_bind_int(store, times, 2, end_id(replica));
    uint64_t last = from;
    while (last < to) {
        bool has_row;
        if (!ct_sqlite_next(store, times, &has_row, error))
            return false;
        if (!has_row)
            break;
        const uint64_t time = (uint64_t)store->api->sqlite3_column_int64(times, 1);
        if (time <= last || time > to)
            break;
        if (*count == *capacity)
            *items = ct_array_grown(store->base.allocator, *items, sizeof(**items), capacity,
                                    (uint64_t)*count + 1);
        (*items)[(*count)++] = (ct_sort_item64){
            .key = time, .index = (uint64_t)store->api->sqlite3_column_int64(times, 0)};
        last = time;
    }
    ct_sqlite_reset(store, times);
    return last == to ||
           ct_sqlite_damaged(store, error, "commits of replica number %lld are missing",
                             (long long)replica);
}

// Copies the bytes, as `function` may call the store.
static bool give_commit(ct_sqlite_store *store, int64_t id, uint64_t time, ct_byte_array *bytes,
                        ct_database_commit_function function, void *user, bool *goes_on,
                        ct_error *error) {
    ct_database_stamp stamp = {.time = time};
    sqlite3_stmt *const read = ct_sqlite_get(store, CT_SQLITE_LOG_BYTES, error);
    if (!read || !ct_sqlite_replica_guid(store, id >> CT_SQLITE_LOG_SHIFT, &stamp.replica, error))
        return false;
    ct_sqlite_bind_int(store, read, 1, id);
    bool has_row;
    if (!ct_sqlite_next(store, read, &has_row, error))
        return false;
    if (!has_row)
        return ct_sqlite_damaged(store, error, "commit %lld is missing", (long long)id);
    const void *const found = store->api->sqlite3_column_blob(read, 0);
    const uint32_t size_bytes = (uint32_t)store->api->sqlite3_column_bytes(read, 0);
    bytes->count = 0;
    ct_array_push_many(bytes, found, found ? size_bytes : 0);
    ct_sqlite_reset(store, read);
    *goes_on = function(user, stamp, bytes->items, bytes->count);
    return true;
}

bool ct_sqlite_read_commits(ct_database_store *base, const ct_database_vector *from,
                            const ct_database_vector *to, ct_database_commit_function function,
                            void *user, ct_error *error) {
    ct_sqlite_store *const store = (ct_sqlite_store *)base;
    ct_allocator *const a = base->allocator;
    ct_sort_item64 *items = NULL;
    uint32_t count = 0, capacity = 0;
    bool is_good = true;
    for (uint32_t i = 0; is_good && i < to->stamps.count; ++i) {
        const ct_database_stamp stamp = to->stamps.items[i];
        const uint64_t known = ct_database_vector_time(from, stamp.replica);
        int64_t replica;
        if (known >= stamp.time)
            continue;
        is_good = ct_sqlite_replica_id(store, stamp.replica, false, &replica, error) &&
                  list_commits(store, replica, known, stamp.time, &items, &count, &capacity, error);
    }
    // The sort is stable and vectors are sorted by replica: so commits at one time are, too.
    ct_sort_item64 *const scratch = ct_alloc(a, sizeof(*scratch) * (uint64_t)count);
    ct_sort_items64(items, scratch, count);
    ct_byte_array bytes;
    ct_array_init(&bytes, a);
    bool goes_on = true;
    for (uint32_t i = 0; is_good && goes_on && i < count; ++i)
        is_good = give_commit(store, (int64_t)items[i].index, items[i].key, &bytes, function, user,
                              &goes_on, error);
    ct_array_free(&bytes);
    ct_free(a, scratch);
    ct_free_sized(a, items, sizeof(*items) * (uint64_t)capacity);
    return is_good;
}
