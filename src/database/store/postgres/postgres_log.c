#include <stdio.h>
#include <string.h>

#include "database/store/postgres/postgres_private.h"
#include "foundation/container/sort.h"
#include "foundation/os/os.h"

// --- Committing ----------------------------------------------------------------------------------

// Undoes what was written since begin.
static void undo(ct_postgres_store *store) {
    store->is_committing = false;
    ct_postgres_transaction_finish(store, false, NULL);
}

// In the order of their numbers, so that two of these do not wait for each other.
static bool lock_all(ct_postgres_store *store, ct_error *error) {
    return ct_postgres_queue(store, CT_POSTGRES_BEGIN, NULL, error) &&
           ct_postgres_queue(store, CT_POSTGRES_LONG, NULL, error) &&
           ct_postgres_queue(store, CT_POSTGRES_BRANCH_LOCK_ALL, NULL, error) &&
           ct_postgres_run(store, NULL, error);
}

bool ct_postgres_has_commit(ct_database_store *base, ct_database_stamp stamp, bool *has,
                            ct_error *error) {
    ct_postgres_store *const store = (ct_postgres_store *)base;
    int64_t replica = 0;
    *has = false;
    if (!ct_postgres_transaction_begin(store, CT_POSTGRES_BEGIN_READ, false, error))
        return false;
    bool is_done = ct_postgres_replica_id(store, stamp.replica, false, &replica, error);
    if (is_done && replica != 0) {
        ct_postgres_params params = {0};
        ct_postgres_add_int(&params, replica);
        ct_postgres_add_int(&params, (int64_t)stamp.time);
        PGresult *const found = ct_postgres_query(store, CT_POSTGRES_LOG_HAS, &params, error);
        is_done = found;
        *has = found && store->api->PQntuples(found) > 0;
        store->api->PQclear(found);
    }
    return ct_postgres_transaction_finish(store, is_done, error);
}

bool ct_postgres_begin(ct_database_store *base, ct_database_branch *branch, ct_error *error) {
    ct_postgres_store *const store = (ct_postgres_store *)base;
    CT_ASSERT(!store->is_committing, "begin before end");
    if (!ct_postgres_connect(store, error))
        return false;
    store->patience_ns = CT_POSTGRES_SHORT_NS + UINT64_C(5) * 1000000000;
    store->queued_bytes = 0;
    store->has_failed = false;
    store->branch_id = 0;
    if (!branch) {
        store->is_committing = lock_all(store, error);
        if (!store->is_committing)
            undo(store);
        return store->is_committing;
    }
    if (ct_postgres_branch_need(store, branch, CT_POSTGRES_BRANCH_HOW_BEGIN, &store->branch_id,
                                error)) {
        store->is_committing = true;
        ct_database_vector_copy(&store->begun, &branch->has);
        return true;
    }
    undo(store);
    return false;
}

// A commit that does not fit makes the server fail the statement, and with it the transaction.
bool ct_postgres_append(ct_database_store *base, ct_database_stamp stamp, uint64_t previous,
                        const void *bytes, uint64_t size_bytes, ct_error *error) {
    enum { MOST_BYTES = 4 << 20 };
    ct_postgres_store *const store = (ct_postgres_store *)base;
    CT_ASSERT(store->is_committing, "append without begin");
    CT_ASSERT(ct_database_time_check((int64_t)stamp.time), "a commit has no time");
    int64_t replica;
    if (!ct_postgres_replica_id(store, stamp.replica, true, &replica, error))
        return false;
    ct_postgres_params params = {0};
    ct_postgres_add_int(&params, replica);
    ct_postgres_add_int(&params, (int64_t)stamp.time);
    ct_postgres_add_bytes(&params, bytes, size_bytes);
    ct_postgres_add_int(&params, (int64_t)previous);
    if (!ct_postgres_queue(store, CT_POSTGRES_LOG_ADD, &params, error))
        return false;
    store->queued_bytes += size_bytes;
    if (store->num_queued < CT_POSTGRES_MAX_QUEUED / 2 && store->queued_bytes < MOST_BYTES)
        return true;
    store->queued_bytes = 0;
    return ct_postgres_run(store, NULL, error);
}

// Looks whether a commit whose answer was lost is there. The lock of the branch waits for its end.
static bool is_kept_anyway(ct_postgres_store *store, const ct_database_branch *branch,
                           bool *is_known, ct_error *error) {
    enum { TRIES = 20, PAUSE_NS = 250000000 };
    *is_known = false;
    bool is_connected = ct_postgres_connect(store, error);
    for (uint32_t i = 1; !is_connected && i < TRIES; ++i) { // a server may start again
        ct_os_sleep_ns(PAUSE_NS);
        is_connected = ct_postgres_connect(store, error);
    }
    if (!is_connected)
        return false;
    ct_database_branch now;
    ct_database_branch_init(&now, store->base.allocator, branch->name);
    int64_t id;
    *is_known = ct_postgres_branch_need(store, &now, CT_POSTGRES_BRANCH_HOW_BEGIN, &id, error);
    const bool is_kept = *is_known && ct_database_vector_covers(&now.has, &branch->has);
    ct_database_branch_free(&now);
    undo(store);
    return is_kept;
}

static bool settle(ct_postgres_store *store, const ct_database_branch *branch, ct_error *error) {
    bool is_known;
    ct_error why = {0};
    if (is_kept_anyway(store, branch, &is_known, &why))
        return true;
    return ct_error_set(
        error,
        is_known ? "the server %s went away before the commit was written: nothing was kept. Try "
                   "again"
                 : "the server %s went away while it wrote the commit: it is not known whether the "
                   "commit was kept. `cuttle db log` shows it, once the server is back",
        store->base.location);
}

// Nothing was appended: collecting may be done again when it is not known how it ended.
static bool end_all(ct_postgres_store *store, ct_error *error) {
    store->is_committing = false;
    return ct_postgres_transaction_finish(store, true, error);
}

static bool write_end(ct_postgres_store *store, const ct_database_branch *branch,
                      bool *is_committing, ct_error *error) {
    *is_committing = false;
    if (store->has_failed || !ct_postgres_is_connected(store)) {
        // What failed before has its own message.
        return ct_postgres_refuse(store, error,
                                  "a part of the commit could not be written; "
                                  "nothing was kept");
    }
    char replica[CT_GUID_TEXT_BYTES];
    ct_guid_format(branch->replica, replica);
    ct_postgres_params params = {0};
    ct_postgres_add_text(&params, replica, (uint32_t)strlen(replica));
    if (!ct_postgres_write_vector(store, CT_POSTGRES_HAS_SET, store->branch_id, &branch->has,
                                  &store->begun, error) ||
        !ct_postgres_queue(store, CT_POSTGRES_NOTIFY, &params, error) ||
        !ct_postgres_queue(store, CT_POSTGRES_COMMIT, NULL, error))
        return false;
    *is_committing = true;
    return ct_postgres_run(store, NULL, error);
}

bool ct_postgres_end(ct_database_store *base, ct_database_branch *branch, bool is_kept,
                     ct_error *error) {
    ct_postgres_store *const store = (ct_postgres_store *)base;
    CT_ASSERT(store->is_committing, "end without begin");
    if (!is_kept) {
        undo(store);
        return true;
    }
    if (!branch)
        return end_all(store, error);
    bool is_committing;
    const bool is_written = write_end(store, branch, &is_committing, error);
    store->is_committing = false;
    if (is_written)
        return true;
    if (is_committing && !store->connection)
        return settle(store, branch, error);
    undo(store);
    return false;
}

// --- Reading -------------------------------------------------------------------------------------

// A commit to read.
typedef struct log_item {
    uint64_t time;
    int64_t replica;
    uint64_t size_bytes;
} log_item;

typedef CT_ARRAY(log_item) log_items;

// Appends a replica's commits after `from` up to `to`.
static bool list_commits(ct_postgres_store *store, int64_t replica, uint64_t from, uint64_t to,
                         log_items *items, ct_error *error) {
    ct_postgres_params params = {0};
    ct_postgres_add_int(&params, replica);
    ct_postgres_add_int(&params, (int64_t)from);
    ct_postgres_add_int(&params, (int64_t)to);
    PGresult *const result = ct_postgres_query(store, CT_POSTGRES_LOG_TIMES, &params, error);
    if (!result)
        return false;
    const int count = store->api->PQntuples(result);
    uint64_t last = 0;
    for (int i = 0; i < count; ++i) {
        last = (uint64_t)ct_postgres_int(store, result, i, 0);
        ct_array_push(items,
                      (log_item){.time = last,
                                 .replica = replica,
                                 .size_bytes = (uint64_t)ct_postgres_int(store, result, i, 1)});
    }
    store->api->PQclear(result);
    return last == to ||
           ct_postgres_damaged(store, error, "commits of replica number %lld are missing",
                               (long long)replica);
}

static bool list_all(ct_postgres_store *store, const ct_database_vector *from,
                     const ct_database_vector *to, log_items *items, ct_error *error) {
    for (uint32_t i = 0; i < to->stamps.count; ++i) {
        const ct_database_stamp stamp = to->stamps.items[i];
        const uint64_t known = ct_database_vector_time(from, stamp.replica);
        int64_t replica;
        if (known < stamp.time &&
            (!ct_postgres_replica_id(store, stamp.replica, false, &replica, error) ||
             !list_commits(store, replica, known, stamp.time, items, error)))
            return false;
    }
    return true;
}

// Gives `count` commits to `function`, read in one round trip.
static bool give_commits(ct_postgres_store *store, const log_item *items, uint32_t count,
                         ct_database_commit_function function, void *user, bool *goes_on,
                         ct_error *error) {
    PGresult *results[CT_POSTGRES_MAX_QUEUED] = {0};
    for (uint32_t i = 0; i < count; ++i) {
        ct_postgres_params params = {0};
        ct_postgres_add_int(&params, items[i].replica);
        ct_postgres_add_int(&params, (int64_t)items[i].time);
        if (!ct_postgres_queue(store, CT_POSTGRES_LOG_BYTES, &params, error))
            return false;
    }
    if (!ct_postgres_run(store, results, error))
        return false;
    bool is_good = true;
    for (uint32_t i = 0; is_good && *goes_on && i < count; ++i) {
        ct_database_stamp stamp = {.time = items[i].time};
        uint32_t size_bytes = 0;
        is_good = ct_postgres_replica_guid(store, items[i].replica, &stamp.replica, error);
        if (is_good && store->api->PQntuples(results[i]) != 1)
            is_good = ct_postgres_damaged(store, error, "a commit is missing");
        if (is_good) {
            const void *const bytes = ct_postgres_bytes(store, results[i], 0, 0, &size_bytes);
            *goes_on = function(user, stamp, bytes, size_bytes);
        }
    }
    for (uint32_t i = 0; i < count; ++i)
        store->api->PQclear(results[i]);
    return is_good;
}

// Goes through the commits in the order of their stamps, some at a time.
static bool give_all(ct_postgres_store *store, const log_items *items,
                     ct_database_commit_function function, void *user, ct_error *error) {
    enum { MOST = CT_POSTGRES_MAX_QUEUED / 2, MOST_BYTES = 8 << 20 };
    ct_allocator *const a = store->base.allocator;
    const uint64_t bytes = sizeof(uint64_t) * (uint64_t)items->count;
    uint64_t *const times = ct_alloc(a, bytes);
    uint32_t *const order = ct_alloc(a, sizeof(uint32_t) * (uint64_t)items->count);
    for (uint32_t i = 0; i < items->count; ++i)
        times[i] = items->items[i].time;
    // Stable, and vectors are sorted by replica: so commits at one time are, too.
    ct_sort_order64(times, order, items->count, a);
    bool is_good = true, goes_on = true;
    for (uint32_t i = 0; is_good && goes_on && i < items->count;) {
        log_item some[MOST];
        uint32_t count = 0;
        uint64_t some_bytes = 0;
        while (i < items->count && count < MOST && some_bytes < MOST_BYTES) {
            some[count] = items->items[order[i++]];
            some_bytes += some[count++].size_bytes;
        }
        is_good = give_commits(store, some, count, function, user, &goes_on, error);
    }
    ct_free(a, times);
    ct_free(a, order);
    return is_good;
}

// Without a transaction: what is in the log stays as it is.
bool ct_postgres_read_commits(ct_database_store *base, const ct_database_vector *from,
                              const ct_database_vector *to, ct_database_commit_function function,
                              void *user, ct_error *error) {
    ct_postgres_store *const store = (ct_postgres_store *)base;
    if (store->is_committing ? store->num_queued > 0 && !ct_postgres_run(store, NULL, error)
                             : !ct_postgres_connect(store, error))
        return false;
    if (!store->is_committing)
        store->patience_ns = CT_POSTGRES_SHORT_NS + UINT64_C(5) * 1000000000;
    log_items items;
    ct_array_init(&items, base->allocator);
    const bool is_done =
        list_all(store, from, to, &items, error) && give_all(store, &items, function, user, error);
    ct_array_free(&items);
    return is_done;
}
