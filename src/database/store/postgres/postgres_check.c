#include <string.h>

#include "database/store/database_store_check.h"
#include "database/store/postgres/postgres_private.h"
#include "foundation/string/string_builder.h"

// The log in the order of replicas and times, some commits at a time.
static bool check_log(ct_postgres_store *store, ct_string_builder *out, ct_error *error) {
    int64_t replica = -1, time = -1;
    for (;;) {
        ct_postgres_params params = {0};
        ct_postgres_add_int(&params, replica);
        ct_postgres_add_int(&params, time);
        PGresult *const result = ct_postgres_query(store, CT_POSTGRES_LOG_NEXT, &params, error);
        if (!result)
            return false;
        const int count = store->api->PQntuples(result);
        for (int i = 0; i < count; ++i) {
            replica = ct_postgres_int(store, result, i, 0);
            time = ct_postgres_int(store, result, i, 1);
            ct_database_stamp stamp = {.time = (uint64_t)time};
            ct_error why = {0};
            uint32_t size_bytes;
            const void *const bytes = ct_postgres_bytes(store, result, i, 2, &size_bytes);
            if (ct_postgres_replica_guid(store, replica, &stamp.replica, &why))
                ct_database_check_commit(&store->base, stamp, bytes, size_bytes, out);
            else
                ct_string_builder_addf(out, "log: %s\n", why.message);
        }
        store->api->PQclear(result);
        if (!ct_postgres_is_connected(store))
            return ct_postgres_fail(store, NULL, error);
        if (count == 0)
            return true;
    }
}

static bool check_blobs(ct_postgres_store *store, ct_string_builder *out, ct_error *error) {
    ct_database_blob_check check;
    ct_database_blob_check_begin(&check, store->base.allocator, out);
    uint8_t last[16] = {0};
    uint32_t last_bytes = 0;
    int64_t size = -1, piece = -1;
    bool is_done = false, is_good = true;
    while (is_good && !is_done) {
        ct_postgres_params params = {0};
        ct_postgres_add_bytes(&params, last, last_bytes);
        ct_postgres_add_int(&params, size);
        ct_postgres_add_int(&params, piece);
        PGresult *const result = ct_postgres_query(store, CT_POSTGRES_PIECE_NEXT, &params, error);
        is_good = result;
        const int count = result ? store->api->PQntuples(result) : 0;
        is_done = count == 0;
        for (int i = 0; i < count; ++i) {
            ct_guid hash;
            size = ct_postgres_int(store, result, i, 1);
            piece = ct_postgres_int(store, result, i, 2);
            if (!ct_postgres_guid(store, result, i, 0, &hash)) {
                ct_string_builder_add(out, "blobs: a blob has no hash\n");
                is_done = true; // the next ones are not looked for
                break;
            }
            memcpy(last, hash.bytes, sizeof(last));
            last_bytes = sizeof(last);
            ct_database_blob blob = {.size_bytes = (uint64_t)size};
            memcpy(blob.hash, last, sizeof(last));
            uint32_t size_bytes;
            const void *const bytes = ct_postgres_bytes(store, result, i, 3, &size_bytes);
            ct_database_blob_check_piece(&check, &blob, (uint32_t)piece, bytes, size_bytes);
        }
        store->api->PQclear(result);
    }
    ct_database_blob_check_end(&check);
    return is_good;
}

typedef struct row_sum {
    uint64_t sum, count;
} row_sum;

static void add_row(void *user, const ct_database_row *row) {
    row_sum *const s = user;
    s->sum += ct_database_row_hash(row);
    ++s->count;
}

// Checks that the commits up to which a branch has those of each replica are there.
static bool check_vector(ct_postgres_store *store, const ct_database_branch *branch,
                         const ct_database_vector *vector, ct_string_builder *out,
                         ct_error *error) {
    for (uint32_t i = 0; i < vector->stamps.count; ++i) {
        int64_t replica;
        if (!ct_postgres_replica_id(store, vector->stamps.items[i].replica, false, &replica, error))
            return false;
        ct_postgres_params params = {0};
        ct_postgres_add_int(&params, replica);
        ct_postgres_add_int(&params, (int64_t)vector->stamps.items[i].time);
        PGresult *const result = ct_postgres_query(store, CT_POSTGRES_LOG_HAS, &params, error);
        if (!result)
            return false;
        if (store->api->PQntuples(result) == 0)
            ct_string_builder_addf(out, "branch %s: it has a commit that is not in the log\n",
                                   branch->name);
        store->api->PQclear(result);
    }
    return true;
}

// Returns false with `error` when something is damaged or the server is away.
static bool check_branch(ct_postgres_store *store, ct_database_branch *branch,
                         ct_string_builder *out, ct_error *error) {
    int64_t id;
    row_sum s = {0};
    if (!ct_postgres_branch_need(store, branch, CT_POSTGRES_BRANCH_HOW_FIND, &id, error) ||
        !check_vector(store, branch, &branch->has, out, error) ||
        !check_vector(store, branch, &branch->state, out, error))
        return false;
    for (uint32_t table = 0; table <= CT_DATABASE_ROW_TABLE_REMOVED; ++table)
        if (!ct_postgres_walk_rows(store, (ct_database_row_table)table, id, add_row, &s, error))
            return false;
    return ct_database_check_state(&store->base, branch, s.sum, s.count, out, error);
}

static bool check_branches(ct_postgres_store *store, ct_string_builder *out, ct_error *error) {
    PGresult *const names = ct_postgres_query(store, CT_POSTGRES_BRANCH_LIST, NULL, error);
    if (!names)
        return false;
    bool is_connected = true;
    for (int i = 0; is_connected && i < store->api->PQntuples(names); ++i) {
        const char *const name = store->api->PQgetvalue(names, i, 0);
        ct_database_branch branch;
        ct_database_branch_init(&branch, store->base.allocator, name);
        ct_error why = {0};
        if (!check_branch(store, &branch, out, &why))
            ct_string_builder_addf(out, "branch %s: %s\n", name, why.message);
        ct_database_branch_free(&branch);
        is_connected = ct_postgres_is_connected(store) || ct_postgres_fail(store, NULL, error);
    }
    store->api->PQclear(names);
    return is_connected;
}

static void ignore_text(void *user, const char *text, uint64_t size_bytes) {
    (void)user, (void)text, (void)size_bytes;
}

static bool check_local(ct_postgres_store *store, ct_string_builder *out, ct_error *error) {
    ct_error why = {0};
    if (!ct_postgres_each_local(&store->base, ignore_text, NULL, &why))
        ct_string_builder_addf(out, "local changes: %s\n", why.message);
    return ct_postgres_is_connected(store) || ct_postgres_fail(store, NULL, error);
}

bool ct_postgres_check(ct_database_store *base, ct_string_builder *out, ct_error *error) {
    ct_postgres_store *const store = (ct_postgres_store *)base;
    CT_ASSERT(!store->is_committing, "a check in a commit");
    if (!ct_postgres_transaction_begin(store, CT_POSTGRES_BEGIN_READ, true, error))
        return false;
    // What was read before is forgotten: it might hide damage.
    ct_database_names_clear(&store->keys);
    ct_database_names_clear(&store->replicas);
    store->is_committing = true; // so that parts do not begin transactions of their own
    const bool is_done = check_log(store, out, error) && check_blobs(store, out, error) &&
                         check_branches(store, out, error) && check_local(store, out, error);
    store->is_committing = false;
    return ct_postgres_transaction_finish(store, is_done, error);
}
