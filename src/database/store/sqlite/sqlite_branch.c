#include <stdio.h>
#include <string.h>

#include "database/store/sqlite/sqlite_private.h"

// --- Vectors -------------------------------------------------------------------------------------

static bool read_vector(ct_sqlite_store *store, ct_sqlite_statement read, int64_t branch,
                        ct_database_vector *vector, ct_error *error) {
    sqlite3_stmt *const statement = ct_sqlite_get(store, read, error);
    if (!statement)
        return false;
    vector->stamps.count = 0;
    ct_sqlite_bind_int(store, statement, 1, branch);
    for (;;) {
        bool has_row;
        if (!ct_sqlite_next(store, statement, &has_row, error))
            return false;
        if (!has_row)
            return true;
        const int64_t id = store->api->sqlite3_column_int64(statement, 0);
        const int64_t time = store->api->sqlite3_column_int64(statement, 1);
        ct_database_stamp stamp = {.time = (uint64_t)time};
        const bool is_good =
            ct_database_time_check(time)
                ? ct_sqlite_replica_guid(store, id, &stamp.replica, error)
                : ct_sqlite_damaged(store, error, "found the time %lld", (long long)time);
        if (!is_good) {
            ct_sqlite_reset(store, statement);
            return false;
        }
        ct_database_vector_add(vector, stamp);
    }
}

bool ct_sqlite_write_vector(ct_sqlite_store *store, ct_sqlite_statement set, int64_t branch,
                            const ct_database_vector *vector, const ct_database_vector *before,
                            int64_t without, ct_error *error) {
    for (uint32_t i = 0; i < vector->stamps.count; ++i) {
        const ct_database_stamp stamp = vector->stamps.items[i];
        if (before && ct_database_vector_time(before, stamp.replica) >= stamp.time)
            continue;
        int64_t id;
        if (!ct_sqlite_replica_id(store, stamp.replica, true, &id, error))
            return false;
        const int64_t ints[] = {branch, id, (int64_t)stamp.time};
        if (id != without && !ct_sqlite_run_ints(store, set, ints, 3, error))
            return false;
    }
    return true;
}

// --- Reading -------------------------------------------------------------------------------------

// Finds a branch; *id is 0 when it does not exist.
static bool find_branch(ct_sqlite_store *store, const char *name, int64_t *id, ct_guid *replica,
                        int64_t *replica_id, ct_error *error) {
    *id = 0;
    sqlite3_stmt *const find = ct_sqlite_get(store, CT_SQLITE_BRANCH_FIND, error);
    if (!find)
        return false;
    ct_sqlite_bind_text(store, find, 1, name, strlen(name));
    bool has_row;
    if (!ct_sqlite_next(store, find, &has_row, error))
        return false;
    if (!has_row)
        return true;
    const int64_t found = store->api->sqlite3_column_int64(find, 0);
    *replica_id = store->api->sqlite3_column_int64(find, 1);
    const int64_t hash = store->api->sqlite3_column_int64(find, 2);
    ct_sqlite_reset(store, find);
    if (!ct_sqlite_replica_guid(store, *replica_id, replica, error))
        return false;
    if (hash != ct_database_branch_hash(name, *replica))
        return ct_sqlite_damaged(store, error, "branch \"%s\" has another replica than it had",
                                 name);
    *id = found;
    return true;
}

bool ct_sqlite_branch_read(ct_sqlite_store *store, ct_database_branch *branch, int64_t *id,
                           ct_error *error) {
    int64_t replica_id;
    if (!find_branch(store, branch->name, id, &branch->replica, &replica_id, error))
        return false;
    if (*id == 0)
        return true;
    ct_database_stamp own = {.replica = branch->replica};
    if (!read_vector(store, CT_SQLITE_HAS_READ, *id, &branch->has, error) ||
        !read_vector(store, CT_SQLITE_STORED_READ, *id, &branch->state, error) ||
        !ct_sqlite_own_time(store, replica_id, &own.time, error))
        return false;
    store->branch_replica = replica_id;
    store->own_time = own.time;
    if (own.time > 0)
        ct_database_vector_add(&branch->has, own);
    return ct_database_vector_covers(&branch->has, &branch->state) ||
           ct_sqlite_damaged(store, error,
                             "the stored state of branch \"%s\" has commits that the branch does "
                             "not have",
                             branch->name);
}

static bool fail_missing(ct_sqlite_store *store, const char *name, ct_error *error) {
    return ct_error_set_at(error, store->base.location, 0, 0, "there is no branch \"%s\"", name);
}

bool ct_sqlite_branch_need(ct_sqlite_store *store, ct_database_branch *branch, int64_t *id,
                           ct_error *error) {
    return ct_sqlite_branch_read(store, branch, id, error) &&
           (*id != 0 || fail_missing(store, branch->name, error));
}

bool ct_sqlite_branch_id(ct_sqlite_store *store, const char *name, int64_t *id, ct_error *error) {
    ct_guid replica;
    int64_t replica_id;
    return find_branch(store, name, id, &replica, &replica_id, error) &&
           (*id != 0 || fail_missing(store, name, error));
}

bool ct_sqlite_read_branch(ct_database_store *base, ct_database_branch *branch, bool *found,
                           ct_error *error) {
    ct_sqlite_store *const store = (ct_sqlite_store *)base;
    int64_t id = 0;
    if (!ct_sqlite_transaction_begin(store, false, error))
        return false;
    const bool is_read = ct_sqlite_branch_read(store, branch, &id, error);
    *found = is_read && id != 0;
    return ct_sqlite_transaction_finish(store, is_read, error);
}

static bool list_names(ct_sqlite_store *store, ct_database_branch_array *branches,
                       ct_error *error) {
    sqlite3_stmt *const list = ct_sqlite_get(store, CT_SQLITE_BRANCH_LIST, error);
    if (!list)
        return false;
    for (;;) {
        bool has_row;
        if (!ct_sqlite_next(store, list, &has_row, error))
            return false;
        if (!has_row)
            return true;
        const char *const name = (const char *)store->api->sqlite3_column_text(list, 0);
        if (!name || !ct_database_branch_check(name, NULL)) {
            ct_sqlite_reset(store, list);
            return ct_sqlite_damaged(store, error, "a branch has a name that no branch may have");
        }
        ct_array_push(branches, (ct_database_branch){0});
        ct_database_branch_init(&branches->items[branches->count - 1], store->base.allocator, name);
    }
}

bool ct_sqlite_list_branches(ct_database_store *base, ct_database_branch_array *branches,
                             ct_error *error) {
    ct_sqlite_store *const store = (ct_sqlite_store *)base;
    const uint32_t before = branches->count;
    if (!ct_sqlite_transaction_begin(store, false, error))
        return false;
    bool is_read = list_names(store, branches, error);
    for (uint32_t i = before; is_read && i < branches->count; ++i) {
        int64_t id;
        is_read = ct_sqlite_branch_need(store, &branches->items[i], &id, error);
    }
    if (ct_sqlite_transaction_finish(store, is_read, error))
        return true;
    while (branches->count > before)
        ct_database_branch_free(&branches->items[--branches->count]);
    return false;
}

// --- Making and removing -------------------------------------------------------------------------

static bool copy_rows(ct_sqlite_store *store, int64_t from, int64_t to, ct_error *error) {
    static const ct_sqlite_statement copies[] = {CT_SQLITE_OBJECT_COPY, CT_SQLITE_VALUE_COPY,
                                                 CT_SQLITE_ELEMENT_COPY, CT_SQLITE_REMOVED_COPY};
    const int64_t ints[] = {to, from};
    for (uint32_t i = 0; i < CT_COUNT_OF(copies); ++i)
        if (!ct_sqlite_run_ints(store, copies[i], ints, 2, error))
            return false;
    sqlite3_stmt *const counts = ct_sqlite_get(store, CT_SQLITE_BRANCH_COUNTS, error);
    if (!counts)
        return false;
    ct_sqlite_bind_int(store, counts, 1, from);
    bool has_row;
    if (!ct_sqlite_next(store, counts, &has_row, error) || !has_row)
        return false;
    const int64_t set[] = {to, store->api->sqlite3_column_int64(counts, 0),
                           store->api->sqlite3_column_int64(counts, 1)};
    ct_sqlite_reset(store, counts);
    return ct_sqlite_run_ints(store, CT_SQLITE_BRANCH_SET_COUNTS, set, 3, error);
}

// Gives the new branch the vectors and the rows of another.
static bool copy_branch(ct_sqlite_store *store, const char *from, ct_guid replica,
                        int64_t replica_id, int64_t to, ct_error *error) {
    ct_database_branch source;
    ct_database_branch_init(&source, store->base.allocator, from);
    int64_t from_id;
    const bool is_copied =
        ct_sqlite_branch_need(store, &source, &from_id, error) &&
        ct_sqlite_write_vector(store, CT_SQLITE_HAS_SET, to, &source.has, NULL, replica_id,
                               error) &&
        ct_sqlite_write_vector(store, CT_SQLITE_STORED_SET, to, &source.state, NULL, 0, error) &&
        ct_sqlite_set_own_time(store, replica_id, ct_database_vector_time(&source.has, replica),
                               error) &&
        copy_rows(store, from_id, to, error);
    ct_database_branch_free(&source);
    return is_copied;
}

static bool check_new(ct_sqlite_store *store, const char *name, int64_t replica_id,
                      ct_error *error) {
    int64_t id, other_replica;
    ct_guid replica;
    if (!find_branch(store, name, &id, &replica, &other_replica, error))
        return false;
    if (id != 0)
        return ct_error_set_at(error, store->base.location, 0, 0,
                               "there is already a branch \"%s\"", name);
    sqlite3_stmt *const same = ct_sqlite_get(store, CT_SQLITE_BRANCH_BY_REPLICA, error);
    if (!same)
        return false;
    ct_sqlite_bind_int(store, same, 1, replica_id);
    bool has_row;
    if (!ct_sqlite_next(store, same, &has_row, error))
        return false;
    if (has_row)
        ct_sqlite_reset(store, same);
    return !has_row ||
           ct_error_set_at(error, store->base.location, 0, 0,
                           "another branch is already the replica of branch \"%s\"", name);
}

static bool add_branch(ct_sqlite_store *store, const char *name, ct_guid replica, const char *from,
                       ct_error *error) {
    int64_t replica_id;
    if (!ct_sqlite_replica_id(store, replica, true, &replica_id, error) ||
        !check_new(store, name, replica_id, error))
        return false;
    sqlite3_stmt *const add = ct_sqlite_get(store, CT_SQLITE_BRANCH_ADD, error);
    if (!add)
        return false;
    ct_sqlite_bind_text(store, add, 1, name, strlen(name));
    ct_sqlite_bind_int(store, add, 2, replica_id);
    ct_sqlite_bind_int(store, add, 3, ct_database_branch_hash(name, replica));
    if (!ct_sqlite_run(store, add, error))
        return false;
    const int64_t id = store->api->sqlite3_last_insert_rowid(store->file);
    return from ? copy_branch(store, from, replica, replica_id, id, error)
                : ct_sqlite_set_own_time(store, replica_id, 0, error);
}

bool ct_sqlite_create_branch(ct_database_store *base, const char *name, ct_guid replica,
                             const char *from, ct_error *error) {
    ct_sqlite_store *const store = (ct_sqlite_store *)base;
    CT_ASSERT(!store->is_committing, "a branch is made in a commit");
    return ct_database_branch_check(name, error) &&
           ct_sqlite_transaction_begin(store, true, error) &&
           ct_sqlite_transaction_finish(store, add_branch(store, name, replica, from, error),
                                        error);
}

static bool remove_rows(ct_sqlite_store *store, const char *name, ct_error *error) {
    static const ct_sqlite_statement removals[] = {CT_SQLITE_HAS_REMOVE, CT_SQLITE_LOCAL_CLEAR,
                                                   CT_SQLITE_BRANCH_REMOVE};
    int64_t id, replica_id;
    ct_guid replica;
    if (!find_branch(store, name, &id, &replica, &replica_id, error))
        return false;
    if (id == 0)
        return fail_missing(store, name, error);
    if (!ct_sqlite_clear_rows(store, id, error))
        return false;
    for (uint32_t i = 0; i < CT_COUNT_OF(removals); ++i)
        if (!ct_sqlite_run_ints(store, removals[i], &id, 1, error))
            return false;
    return ct_sqlite_set_own_time(store, replica_id, 0, error);
}

bool ct_sqlite_remove_branch(ct_database_store *base, const char *name, ct_error *error) {
    ct_sqlite_store *const store = (ct_sqlite_store *)base;
    CT_ASSERT(!store->is_committing, "a branch is removed in a commit");
    return ct_sqlite_transaction_begin(store, true, error) &&
           ct_sqlite_transaction_finish(store, remove_rows(store, name, error), error);
}
