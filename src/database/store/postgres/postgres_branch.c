#include <string.h>

#include "database/store/postgres/postgres_private.h"

// --- Reading -------------------------------------------------------------------------------------

static bool take_vector(ct_postgres_store *store, const PGresult *result,
                        ct_database_vector *vector, ct_error *error) {
    vector->stamps.count = 0;
    for (int i = 0; i < store->api->PQntuples(result); ++i) {
        ct_database_stamp stamp;
        const int64_t time = ct_postgres_int(store, result, i, 1);
        if (!ct_postgres_guid(store, result, i, 0, &stamp.replica) || !ct_database_time_check(time))
            return ct_postgres_damaged(store, error, "found the time %lld", (long long)time);
        stamp.time = (uint64_t)time;
        ct_database_vector_add(vector, stamp);
    }
    return true;
}

// Takes a row of BRANCH_FIND or BRANCH_LOCK; *id is 0 without one.
static bool take_branch(ct_postgres_store *store, const PGresult *result, const char *name,
                        int64_t *id, ct_guid *replica, ct_error *error) {
    *id = 0;
    if (store->api->PQntuples(result) == 0)
        return true;
    const int64_t replica_id = ct_postgres_int(store, result, 0, 1);
    if (!ct_postgres_guid(store, result, 0, 2, replica) ||
        ct_postgres_int(store, result, 0, 3) != ct_database_branch_hash(name, *replica))
        return ct_postgres_damaged(store, error, "branch \"%s\" has another replica than it had",
                                   name);
    if (!ct_database_names_get(&store->replicas, replica_id))
        ct_database_names_add(&store->replicas, replica_id, replica->bytes, sizeof(*replica));
    *id = ct_postgres_int(store, result, 0, 0);
    return true;
}

bool ct_postgres_branch_read(ct_postgres_store *store, ct_database_branch *branch,
                             ct_postgres_branch_how how, int64_t *id, ct_error *error) {
    const uint32_t first = how == CT_POSTGRES_BRANCH_HOW_BEGIN;
    ct_postgres_params params = {0};
    ct_postgres_add_text(&params, branch->name, (uint32_t)strlen(branch->name));
    PGresult *results[4] = {0};
    if ((first && !ct_postgres_queue(store, CT_POSTGRES_BEGIN, NULL, error)) ||
        !ct_postgres_queue(store,
                           how == CT_POSTGRES_BRANCH_HOW_FIND ? CT_POSTGRES_BRANCH_FIND
                                                              : CT_POSTGRES_BRANCH_LOCK,
                           &params, error) ||
        !ct_postgres_queue(store, CT_POSTGRES_HAS_READ, &params, error) ||
        !ct_postgres_queue(store, CT_POSTGRES_STORED_READ, &params, error) ||
        !ct_postgres_run(store, results, error))
        return false;
    bool is_good = take_branch(store, results[first], branch->name, id, &branch->replica, error) &&
                   take_vector(store, results[first + 1], &branch->has, error) &&
                   take_vector(store, results[first + 2], &branch->state, error);
    for (uint32_t i = 0; i < first + 3; ++i)
        store->api->PQclear(results[i]);
    if (is_good && *id != 0 && !ct_database_vector_covers(&branch->has, &branch->state))
        is_good = ct_postgres_damaged(store, error,
                                      "the stored state of branch \"%s\" has commits that the "
                                      "branch does not have",
                                      branch->name);
    return is_good;
}

static bool fail_missing(ct_postgres_store *store, const char *name, ct_error *error) {
    return ct_postgres_refuse(store, error, "there is no branch \"%s\"", name);
}

bool ct_postgres_branch_need(ct_postgres_store *store, ct_database_branch *branch,
                             ct_postgres_branch_how how, int64_t *id, ct_error *error) {
    return ct_postgres_branch_read(store, branch, how, id, error) &&
           (*id != 0 || fail_missing(store, branch->name, error));
}

static bool find_branch(ct_postgres_store *store, const char *name, int64_t *id, ct_guid *replica,
                        ct_error *error) {
    ct_postgres_params params = {0};
    ct_postgres_add_text(&params, name, (uint32_t)strlen(name));
    PGresult *const result = ct_postgres_query(store, CT_POSTGRES_BRANCH_FIND, &params, error);
    const bool is_good = result && take_branch(store, result, name, id, replica, error);
    store->api->PQclear(result);
    return is_good;
}

bool ct_postgres_branch_id(ct_postgres_store *store, const char *name, int64_t *id,
                           ct_error *error) {
    ct_guid replica;
    return find_branch(store, name, id, &replica, error) &&
           (*id != 0 || fail_missing(store, name, error));
}

bool ct_postgres_read_branch(ct_database_store *base, ct_database_branch *branch, bool *found,
                             ct_error *error) {
    ct_postgres_store *const store = (ct_postgres_store *)base;
    int64_t id = 0;
    if (!ct_postgres_transaction_begin(store, CT_POSTGRES_BEGIN_READ, false, error))
        return false;
    const bool is_read =
        ct_postgres_branch_read(store, branch, CT_POSTGRES_BRANCH_HOW_FIND, &id, error);
    *found = is_read && id != 0;
    return ct_postgres_transaction_finish(store, is_read, error);
}

static bool list_names(ct_postgres_store *store, ct_database_branch_array *branches,
                       ct_error *error) {
    PGresult *const result = ct_postgres_query(store, CT_POSTGRES_BRANCH_LIST, NULL, error);
    if (!result)
        return false;
    bool is_good = true;
    for (int i = 0; is_good && i < store->api->PQntuples(result); ++i) {
        const char *const name = store->api->PQgetvalue(result, i, 0);
        is_good = ct_database_branch_check(name, NULL);
        if (!is_good)
            ct_postgres_damaged(store, error, "a branch has a name that no branch may have");
        ct_array_push(branches, (ct_database_branch){0});
        ct_database_branch_init(&branches->items[branches->count - 1], store->base.allocator, name);
    }
    store->api->PQclear(result);
    return is_good;
}

bool ct_postgres_list_branches(ct_database_store *base, ct_database_branch_array *branches,
                               ct_error *error) {
    ct_postgres_store *const store = (ct_postgres_store *)base;
    const uint32_t before = branches->count;
    if (!ct_postgres_transaction_begin(store, CT_POSTGRES_BEGIN_READ, false, error))
        return false;
    bool is_read = list_names(store, branches, error);
    for (uint32_t i = before; is_read && i < branches->count; ++i) {
        int64_t id;
        is_read = ct_postgres_branch_need(store, &branches->items[i], CT_POSTGRES_BRANCH_HOW_FIND,
                                          &id, error);
    }
    if (ct_postgres_transaction_finish(store, is_read, error))
        return true;
    while (branches->count > before)
        ct_database_branch_free(&branches->items[--branches->count]);
    return false;
}

// --- Writing -------------------------------------------------------------------------------------

bool ct_postgres_write_vector(ct_postgres_store *store, ct_postgres_statement set, int64_t branch,
                              const ct_database_vector *vector, const ct_database_vector *before,
                              ct_error *error) {
    for (uint32_t i = 0; i < vector->stamps.count; ++i) {
        const ct_database_stamp stamp = vector->stamps.items[i];
        if (ct_database_vector_time(before, stamp.replica) >= stamp.time)
            continue;
        int64_t id;
        if (!ct_postgres_replica_id(store, stamp.replica, true, &id, error) ||
            (store->num_queued >= CT_POSTGRES_MAX_QUEUED - 8 &&
             !ct_postgres_run(store, NULL, error)))
            return false;
        ct_postgres_params params = {0};
        ct_postgres_add_int(&params, branch);
        ct_postgres_add_int(&params, id);
        ct_postgres_add_int(&params, (int64_t)stamp.time);
        if (!ct_postgres_queue(store, set, &params, error))
            return false;
    }
    return true;
}

static bool check_new(ct_postgres_store *store, const char *name, int64_t replica_id,
                      ct_error *error) {
    int64_t id;
    ct_guid other;
    if (!find_branch(store, name, &id, &other, error))
        return false;
    if (id != 0)
        return ct_postgres_refuse(store, error, "there is already a branch \"%s\"", name);
    ct_postgres_params params = {0};
    ct_postgres_add_int(&params, replica_id);
    PGresult *const same = ct_postgres_query(store, CT_POSTGRES_BRANCH_BY_REPLICA, &params, error);
    const bool is_free = same && store->api->PQntuples(same) == 0;
    store->api->PQclear(same);
    return is_free || (same && ct_postgres_refuse(
                                   store, error,
                                   "another branch is already the replica of branch \"%s\"", name));
}

// Gives the new branch `to` the vectors and rows of another.
static bool copy_branch(ct_postgres_store *store, const char *from, int64_t to, ct_error *error) {
    static const ct_postgres_statement copies[] = {
        CT_POSTGRES_HAS_COPY,   CT_POSTGRES_STORED_COPY,  CT_POSTGRES_OBJECT_COPY,
        CT_POSTGRES_VALUE_COPY, CT_POSTGRES_ELEMENT_COPY, CT_POSTGRES_REMOVED_COPY};
    ct_database_branch source;
    ct_database_branch_init(&source, store->base.allocator, from);
    ct_postgres_params params = {0};
    int64_t from_id;
    bool is_copied =
        ct_postgres_branch_need(store, &source, CT_POSTGRES_BRANCH_HOW_LOCK, &from_id, error);
    ct_database_branch_free(&source);
    if (!is_copied)
        return false;
    ct_postgres_add_int(&params, from_id); // waits for one that stores its state
    is_copied = ct_postgres_execute(store, CT_POSTGRES_STORED_LOCK, &params, error);
    params.count = 0;
    ct_postgres_add_int(&params, to);
    ct_postgres_add_int(&params, from_id);
    for (uint32_t i = 0; is_copied && i < CT_COUNT_OF(copies); ++i)
        is_copied = ct_postgres_queue(store, copies[i], &params, error);
    return is_copied && ct_postgres_run(store, NULL, error);
}

static bool add_branch(ct_postgres_store *store, const char *name, ct_guid replica,
                       const char *from, ct_error *error) {
    int64_t replica_id;
    if (!ct_postgres_replica_id(store, replica, true, &replica_id, error) ||
        !check_new(store, name, replica_id, error))
        return false;
    ct_postgres_params params = {0};
    ct_postgres_add_text(&params, name, (uint32_t)strlen(name));
    ct_postgres_add_int(&params, replica_id);
    ct_postgres_add_int(&params, ct_database_branch_hash(name, replica));
    PGresult *const added = ct_postgres_query(store, CT_POSTGRES_BRANCH_ADD, &params, error);
    if (!added)
        return false;
    const int64_t id = ct_postgres_int(store, added, 0, 0);
    store->api->PQclear(added);
    return !from || copy_branch(store, from, id, error);
}

bool ct_postgres_create_branch(ct_database_store *base, const char *name, ct_guid replica,
                               const char *from, ct_error *error) {
    ct_postgres_store *const store = (ct_postgres_store *)base;
    CT_ASSERT(!store->is_committing, "a branch is made in a commit");
    return ct_database_branch_check(name, error) &&
           ct_postgres_transaction_begin(store, CT_POSTGRES_BEGIN, true, error) &&
           ct_postgres_transaction_finish(store, add_branch(store, name, replica, from, error),
                                          error);
}

static bool remove_rows(ct_postgres_store *store, const char *name, ct_error *error) {
    static const ct_postgres_statement removals[] = {
        CT_POSTGRES_HAS_REMOVE, CT_POSTGRES_LOCAL_CLEAR, CT_POSTGRES_BRANCH_REMOVE};
    int64_t id;
    if (!ct_postgres_branch_id(store, name, &id, error) ||
        !ct_postgres_clear_rows(store, id, error))
        return false;
    ct_postgres_params params = {0};
    ct_postgres_add_int(&params, id);
    for (uint32_t i = 0; i < CT_COUNT_OF(removals); ++i)
        if (!ct_postgres_queue(store, removals[i], &params, error))
            return false;
    return ct_postgres_run(store, NULL, error);
}

bool ct_postgres_remove_branch(ct_database_store *base, const char *name, ct_error *error) {
    ct_postgres_store *const store = (ct_postgres_store *)base;
    CT_ASSERT(!store->is_committing, "a branch is removed in a commit");
    return ct_postgres_transaction_begin(store, CT_POSTGRES_BEGIN, true, error) &&
           ct_postgres_transaction_finish(store, remove_rows(store, name, error), error);
}
