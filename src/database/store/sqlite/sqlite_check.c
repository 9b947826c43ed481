#include <string.h>

#include "database/store/database_store_check.h"
#include "database/store/sqlite/sqlite_private.h"
#include "foundation/string/string_builder.h"

// Appends a line for an error of a part that could not be read: the file is damaged there, and the check goes on.
static void add_error(ct_string_builder *out, const char *what, const ct_error *error) {
    ct_string_builder_addf(out, "%s: %s\n", what, error->message);
}

// SQLite's own check of pages, trees and indices.
static bool check_file(ct_sqlite_store *store, ct_string_builder *out, ct_error *error) {
    const ct_sqlite_api *const api = store->api;
    sqlite3_stmt *statement = NULL;
    int result = api->sqlite3_prepare_v3(store->file, "PRAGMA main.integrity_check", -1, 0,
                                         &statement, NULL);
    while (result == SQLITE_OK || result == SQLITE_ROW) {
        result = api->sqlite3_step(statement);
        const char *const line =
            result == SQLITE_ROW ? (const char *)api->sqlite3_column_text(statement, 0) : NULL;
        if (line && strcmp(line, "ok") != 0)
            ct_string_builder_addf(out, "file: %s\n", line);
    }
    ct_error why = {0};
    if (result != SQLITE_DONE)
        ct_sqlite_fail(store, result, &why);
    api->sqlite3_finalize(statement);
    if ((result & 0xff) == SQLITE_CORRUPT)
        add_error(out, "file", &why);
    else if (result != SQLITE_DONE && error)
        *error = why;
    return result == SQLITE_DONE || (result & 0xff) == SQLITE_CORRUPT;
}

// Steps a statement; a failure becomes a line. Returns whether there is a row.
static bool next(ct_sqlite_store *store, sqlite3_stmt *statement, const char *what,
                 ct_string_builder *out) {
    bool has_row = false;
    ct_error error = {0};
    if (!ct_sqlite_next(store, statement, &has_row, &error))
        add_error(out, what, &error);
    return has_row;
}

static sqlite3_stmt *get(ct_sqlite_store *store, ct_sqlite_statement statement, const char *what,
                         ct_string_builder *out) {
    ct_error error = {0};
    sqlite3_stmt *const prepared = ct_sqlite_get(store, statement, &error);
    if (!prepared)
        add_error(out, what, &error);
    return prepared;
}

static void check_log(ct_sqlite_store *store, ct_string_builder *out) {
    sqlite3_stmt *const all = get(store, CT_SQLITE_LOG_ALL, "log", out);
    const ct_sqlite_api *const api = store->api;
    int64_t last_id = 0, last_time = 0;
    while (all && next(store, all, "log", out)) {
        const int64_t id = api->sqlite3_column_int64(all, 0);
        const int64_t time = api->sqlite3_column_int64(all, 1);
        const int64_t replica = id >> CT_SQLITE_LOG_SHIFT;
        const bool is_first = replica != last_id >> CT_SQLITE_LOG_SHIFT;
        if (id != (is_first ? replica << CT_SQLITE_LOG_SHIFT : last_id + 1) ||
            (!is_first && time <= last_time))
            ct_string_builder_addf(out, "log: commit %lld is not the next one of its replica\n",
                                   (long long)id);
        last_id = id;
        last_time = time;
        ct_database_stamp stamp = {.time = (uint64_t)time};
        ct_error error = {0};
        if (!ct_sqlite_replica_guid(store, replica, &stamp.replica, &error))
            add_error(out, "log", &error);
        else
            ct_database_check_commit(&store->base, stamp, api->sqlite3_column_blob(all, 3),
                                     (uint64_t)api->sqlite3_column_bytes(all, 3), out);
    }
}

static void check_blobs(ct_sqlite_store *store, ct_string_builder *out) {
    sqlite3_stmt *const all = get(store, CT_SQLITE_PIECE_ALL, "blobs", out);
    ct_database_blob_check check;
    ct_database_blob_check_begin(&check, store->base.allocator, out);
    while (all && next(store, all, "blobs", out)) {
        ct_guid hash;
        ct_database_blob blob = {.size_bytes = (uint64_t)store->api->sqlite3_column_int64(all, 1)};
        if (!ct_sqlite_column_guid(store, all, 0, &hash)) {
            ct_string_builder_add(out, "blobs: a blob has no hash\n");
            continue;
        }
        memcpy(blob.hash, hash.bytes, sizeof(blob.hash));
        ct_database_blob_check_piece(&check, &blob,
                                     (uint32_t)store->api->sqlite3_column_int64(all, 2),
                                     store->api->sqlite3_column_blob(all, 3),
                                     (uint32_t)store->api->sqlite3_column_bytes(all, 3));
    }
    ct_database_blob_check_end(&check);
}

// Adds up the hashes of a branch's rows in one table. Returns false when a row is damaged, which has its line.
static bool sum_table(ct_sqlite_store *store, ct_sqlite_statement load, ct_database_row_table table,
                      int64_t branch, const char *name, uint64_t *sum, uint64_t *count,
                      ct_string_builder *out) {
    sqlite3_stmt *const all = get(store, load, name, out);
    if (!all)
        return false;
    ct_sqlite_bind_int(store, all, 1, branch);
    for (;;) {
        bool has_row;
        ct_error error = {0};
        ct_database_row row;
        const bool is_read = ct_sqlite_next(store, all, &has_row, &error);
        if (is_read && !has_row)
            return true;
        if (!is_read || !ct_sqlite_read_row(store, all, table, &row, &error)) {
            if (is_read)
                ct_sqlite_reset(store, all);
            ct_string_builder_addf(out, "branch %s: %s\n", name, error.message);
            return false;
        }
        *sum += ct_database_row_hash(&row);
        ++*count;
    }
}

// Checks that the commits up to which a branch has those of each replica are there.
static void check_vector(ct_sqlite_store *store, const ct_database_branch *branch,
                         const ct_database_vector *vector, ct_string_builder *out) {
    for (uint32_t i = 0; i < vector->stamps.count; ++i) {
        const ct_database_stamp stamp = vector->stamps.items[i];
        int64_t replica = 0, id = 0;
        ct_error error = {0};
        const bool is_read =
            ct_sqlite_replica_id(store, stamp.replica, false, &replica, &error) &&
            (replica == 0 || ct_sqlite_find_commit(store, replica, stamp.time, &id, &error));
        if (!is_read)
            ct_string_builder_addf(out, "branch %s: %s\n", branch->name, error.message);
        else if (id == 0)
            ct_string_builder_addf(out, "branch %s: it has a commit that is not in the log\n",
                                   branch->name);
    }
}

static void check_branch(ct_sqlite_store *store, const char *name, ct_string_builder *out) {
    ct_database_branch branch;
    ct_database_branch_init(&branch, store->base.allocator, name);
    int64_t id;
    uint64_t sum = 0, count = 0;
    ct_error error = {0};
    bool is_good = ct_sqlite_branch_need(store, &branch, &id, &error);
    if (is_good) {
        check_vector(store, &branch, &branch.has, out);
        check_vector(store, &branch, &branch.state, out);
        const bool is_summed =
            sum_table(store, CT_SQLITE_OBJECT_LOAD, CT_DATABASE_ROW_TABLE_OBJECT, id, name, &sum,
                      &count, out) &&
            sum_table(store, CT_SQLITE_VALUE_LOAD, CT_DATABASE_ROW_TABLE_VALUE, id, name, &sum,
                      &count, out) &&
            sum_table(store, CT_SQLITE_ELEMENT_LOAD, CT_DATABASE_ROW_TABLE_ELEMENT, id, name, &sum,
                      &count, out) &&
            sum_table(store, CT_SQLITE_REMOVED_LOAD, CT_DATABASE_ROW_TABLE_REMOVED, id, name, &sum,
                      &count, out);
        if (is_summed)
            is_good = ct_database_check_state(&store->base, &branch, sum, count, out, &error);
    }
    if (!is_good)
        ct_string_builder_addf(out, "branch %s: %s\n", name, error.message);
    ct_database_branch_free(&branch);
}

static void check_branches(ct_sqlite_store *store, ct_string_builder *out) {
    ct_string_builder names;
    ct_string_builder_init(&names, store->base.allocator);
    sqlite3_stmt *const list = get(store, CT_SQLITE_BRANCH_LIST, "branches", out);
    while (list && next(store, list, "branches", out)) {
        const char *const name = (const char *)store->api->sqlite3_column_text(list, 0);
        if (!name || !ct_database_branch_check(name, NULL))
            ct_string_builder_add(out, "branches: a branch has a name that no branch may have\n");
        else
            ct_string_builder_addf(&names, "%s\n", name);
    }
    char *const text = ct_copy_string(store->base.allocator, ct_string_builder_text(&names));
    for (char *name = text, *end; (end = strchr(name, '\n')); name = end + 1) {
        *end = 0;
        check_branch(store, name, out);
    }
    ct_free(store->base.allocator, text);
    ct_string_builder_free(&names);
}

static void ignore_text(void *user, const char *text, uint64_t size_bytes) {
    (void)user, (void)text, (void)size_bytes;
}

static void check_local(ct_sqlite_store *store, ct_string_builder *out) {
    ct_error error = {0};
    if (!ct_sqlite_each_local(&store->base, ignore_text, NULL, &error))
        add_error(out, "local changes", &error);
}

bool ct_sqlite_check(ct_database_store *base, ct_string_builder *out, ct_error *error) {
    ct_sqlite_store *const store = (ct_sqlite_store *)base;
    CT_ASSERT(!store->is_committing, "a check in a commit");
    // What was read before is forgotten: it might hide damage.
    ct_database_names_clear(&store->keys);
    ct_database_names_clear(&store->replicas);
    if (!ct_sqlite_transaction_begin(store, false, error))
        return false;
    const bool is_done = check_file(store, out, error);
    if (is_done) {
        store->is_committing = true; // so that parts do not begin transactions of their own
        check_log(store, out);
        check_blobs(store, out);
        check_branches(store, out);
        check_local(store, out);
        store->is_committing = false;
    }
    return ct_sqlite_transaction_finish(store, is_done, error);
}
