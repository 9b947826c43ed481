#include <string.h>

#include "database/store/sqlite/sqlite_private.h"
#include "resource/blob/content_hash.h"

// --- Blobs ---------------------------------------------------------------------------------------

static sqlite3_stmt *bind_blob(ct_sqlite_store *store, ct_sqlite_statement statement,
                               const ct_database_blob *blob, ct_error *error) {
    sqlite3_stmt *const prepared = ct_sqlite_get(store, statement, error);
    if (prepared) {
        ct_sqlite_bind_blob(store, prepared, 1, blob->hash, sizeof(blob->hash));
        ct_sqlite_bind_int(store, prepared, 2, (int64_t)blob->size_bytes);
    }
    return prepared;
}

static sqlite3_stmt *bind_piece(ct_sqlite_store *store, ct_sqlite_statement statement,
                                const ct_database_blob *blob, uint32_t piece, ct_error *error) {
    sqlite3_stmt *const prepared = bind_blob(store, statement, blob, error);
    if (prepared)
        ct_sqlite_bind_int(store, prepared, 3, piece);
    return prepared;
}

bool ct_sqlite_has_blob(ct_database_store *base, const ct_database_blob *blob, bool *has,
                        ct_error *error) {
    ct_sqlite_store *const store = (ct_sqlite_store *)base;
    const uint32_t last = ct_database_blob_num_pieces(blob->size_bytes) - 1;
    sqlite3_stmt *const find = bind_piece(store, CT_SQLITE_PIECE_HAS, blob, last, error);
    if (!find || !ct_sqlite_next(store, find, has, error))
        return false;
    ct_sqlite_reset(store, find);
    return true;
}

// Another process may have removed pieces of a blob that is not complete.
static bool check_earlier(ct_sqlite_store *store, const ct_database_blob *blob, uint32_t piece,
                          ct_error *error) {
    sqlite3_stmt *const count = bind_piece(store, CT_SQLITE_PIECE_COUNT, blob, piece, error);
    bool has_row;
    if (!count || !ct_sqlite_next(store, count, &has_row, error))
        return false;
    const int64_t num_pieces = has_row ? store->api->sqlite3_column_int64(count, 0) : 0;
    ct_sqlite_reset(store, count);
    return num_pieces == piece ||
           ct_error_set_at(error, store->base.location, 0, 0,
                           "%lld of %u pieces of a blob are missing; write it again",
                           (long long)piece - (long long)num_pieces, piece);
}

static bool write_piece(ct_sqlite_store *store, const ct_database_blob *blob, uint32_t piece,
                        const void *bytes, uint32_t size_bytes, ct_error *error) {
    if (piece + 1 == ct_database_blob_num_pieces(blob->size_bytes) &&
        !check_earlier(store, blob, piece, error))
        return false;
    sqlite3_stmt *const write = bind_piece(store, CT_SQLITE_PIECE_WRITE, blob, piece, error);
    if (!write)
        return false;
    ct_sqlite_bind_blob(store, write, 4, bytes, size_bytes);
    return ct_sqlite_run(store, write, error);
}

bool ct_sqlite_write_piece(ct_database_store *base, const ct_database_blob *blob, uint32_t piece,
                           const void *bytes, uint32_t size_bytes, ct_error *error) {
    ct_sqlite_store *const store = (ct_sqlite_store *)base;
    CT_ASSERT(piece < ct_database_blob_num_pieces(blob->size_bytes) &&
                  size_bytes == ct_database_blob_piece_bytes(blob->size_bytes, piece),
              "piece %u of a blob has %u bytes", piece, size_bytes);
    return ct_sqlite_transaction_begin(store, true, error) &&
           ct_sqlite_transaction_finish(
               store, write_piece(store, blob, piece, bytes, size_bytes, error), error);
}

bool ct_sqlite_read_piece(ct_database_store *base, const ct_database_blob *blob, uint32_t piece,
                          void *bytes, uint32_t *size_bytes, ct_error *error) {
    ct_sqlite_store *const store = (ct_sqlite_store *)base;
    sqlite3_stmt *const read = bind_piece(store, CT_SQLITE_PIECE_READ, blob, piece, error);
    bool has_row;
    if (!read || !ct_sqlite_next(store, read, &has_row, error))
        return false;
    if (!has_row)
        return ct_error_set_at(error, store->base.location, 0, 0,
                               "piece %u of a blob of %llu bytes is missing", piece,
                               (unsigned long long)blob->size_bytes);
    const uint32_t expected = ct_database_blob_piece_bytes(blob->size_bytes, piece);
    const void *const found = store->api->sqlite3_column_blob(read, 0);
    const uint32_t found_bytes = (uint32_t)store->api->sqlite3_column_bytes(read, 0);
    const bool is_good = found_bytes == expected && (found || expected == 0);
    if (is_good && expected > 0)
        memcpy(bytes, found, expected);
    *size_bytes = expected;
    ct_sqlite_reset(store, read);
    return is_good ||
           ct_sqlite_damaged(store, error, "piece %u of a blob has %u bytes", piece, found_bytes);
}

typedef CT_ARRAY(ct_database_blob) blob_array;

static bool list_blobs(ct_sqlite_store *store, blob_array *blobs, ct_error *error) {
    sqlite3_stmt *const list = ct_sqlite_get(store, CT_SQLITE_PIECE_BLOBS, error);
    if (!list)
        return false;
    for (;;) {
        bool has_row;
        if (!ct_sqlite_next(store, list, &has_row, error))
            return false;
        if (!has_row)
            return true;
        ct_guid hash;
        if (!ct_sqlite_column_guid(store, list, 0, &hash)) {
            ct_sqlite_reset(store, list);
            return ct_sqlite_damaged(store, error, "a blob has no hash");
        }
        ct_database_blob blob = {.size_bytes = (uint64_t)store->api->sqlite3_column_int64(list, 1)};
        memcpy(blob.hash, hash.bytes, sizeof(blob.hash));
        ct_array_push(blobs, blob);
    }
}

static bool collect(ct_sqlite_store *store, const blob_array *blobs,
                    bool (*is_kept)(void *user, const ct_database_blob *blob), void *user,
                    uint64_t *freed_bytes, ct_error *error) {
    for (uint32_t i = 0; i < blobs->count; ++i) {
        const ct_database_blob *const blob = &blobs->items[i];
        bool is_whole;
        if (!ct_sqlite_has_blob(&store->base, blob, &is_whole, error))
            return false;
        if (is_whole && is_kept(user, blob))
            continue;
        sqlite3_stmt *const remove = bind_blob(store, CT_SQLITE_PIECE_REMOVE, blob, error);
        if (!remove || !ct_sqlite_run(store, remove, error))
            return false;
        *freed_bytes += is_whole ? blob->size_bytes : 0;
    }
    return true;
}

bool ct_sqlite_collect_blobs(ct_database_store *base,
                             bool (*is_kept)(void *user, const ct_database_blob *blob), void *user,
                             uint64_t *freed_bytes, ct_error *error) {
    ct_sqlite_store *const store = (ct_sqlite_store *)base;
    CT_ASSERT(store->is_committing, "blobs are collected without begin");
    blob_array blobs;
    ct_array_init(&blobs, base->allocator);
    *freed_bytes = 0;
    const bool is_done = list_blobs(store, &blobs, error) &&
                         collect(store, &blobs, is_kept, user, freed_bytes, error);
    ct_array_free(&blobs);
    return is_done;
}

// --- Local changes -------------------------------------------------------------------------------

// Calls `function` with the rows of a statement that gives text, hash and owner.
static bool walk_local(ct_sqlite_store *store, sqlite3_stmt *statement,
                       void (*function)(void *user, const char *text, uint64_t size_bytes),
                       void *user, ct_error *error) {
    const ct_sqlite_api *const api = store->api;
    for (;;) {
        bool has_row;
        if (!ct_sqlite_next(store, statement, &has_row, error))
            return false;
        if (!has_row)
            return true;
        const char *const text = api->sqlite3_column_blob(statement, 0);
        const uint64_t size_bytes = text ? (uint64_t)api->sqlite3_column_bytes(statement, 0) : 0;
        if ((int64_t)ct_content_hash(text, size_bytes) != api->sqlite3_column_int64(statement, 1)) {
            char owner[CT_DATABASE_MAX_NAME_BYTES + 1] = "";
            const char *const found = (const char *)api->sqlite3_column_text(statement, 2);
            strncpy(owner, found ? found : "", sizeof(owner) - 1);
            ct_sqlite_reset(store, statement);
            return ct_sqlite_damaged(
                store, error, "the local changes of \"%s\" are not those that were written", owner);
        }
        function(user, text, size_bytes);
    }
}

static void add_text(void *user, const char *text, uint64_t size_bytes) {
    ct_byte_array *const all = user;
    ct_array_push_many(all, (const uint8_t *)text, size_bytes);
}

static sqlite3_stmt *bind_local(ct_sqlite_store *store, ct_sqlite_statement statement,
                                const char *branch, const char *owner, ct_error *error) {
    int64_t id = store->is_committing ? store->branch_id : 0; // it is that branch
    sqlite3_stmt *const prepared = ct_sqlite_get(store, statement, error);
    if (!prepared || (id == 0 && !ct_sqlite_branch_id(store, branch, &id, error)))
        return NULL;
    ct_sqlite_bind_int(store, prepared, 1, id);
    ct_sqlite_bind_text(store, prepared, 2, owner, strlen(owner));
    return prepared;
}

static bool read_local(ct_sqlite_store *store, const char *branch, const char *owner,
                       ct_byte_array *text, ct_error *error) {
    sqlite3_stmt *const read = bind_local(store, CT_SQLITE_LOCAL_READ, branch, owner, error);
    return read && walk_local(store, read, add_text, text, error);
}

bool ct_sqlite_read_local(ct_database_store *base, const ct_database_branch *branch,
                          const char *owner, ct_byte_array *text, ct_error *error) {
    ct_sqlite_store *const store = (ct_sqlite_store *)base;
    return ct_sqlite_transaction_begin(store, false, error) &&
           ct_sqlite_transaction_finish(store, read_local(store, branch->name, owner, text, error),
                                        error);
}

static bool write_local(ct_sqlite_store *store, const char *branch, const char *owner,
                        const void *text, uint64_t size_bytes, ct_error *error) {
    sqlite3_stmt *const write =
        bind_local(store, size_bytes > 0 ? CT_SQLITE_LOCAL_WRITE : CT_SQLITE_LOCAL_REMOVE, branch,
                   owner, error);
    if (!write)
        return false;
    if (size_bytes > 0) {
        ct_sqlite_bind_blob(store, write, 3, text, size_bytes);
        ct_sqlite_bind_int(store, write, 4, (int64_t)ct_content_hash(text, size_bytes));
    }
    return ct_sqlite_run(store, write, error);
}

bool ct_sqlite_write_local(ct_database_store *base, const ct_database_branch *branch,
                           const char *owner, const void *text, uint64_t size_bytes,
                           ct_error *error) {
    ct_sqlite_store *const store = (ct_sqlite_store *)base;
    return ct_sqlite_transaction_begin(store, true, error) &&
           ct_sqlite_transaction_finish(
               store, write_local(store, branch->name, owner, text, size_bytes, error), error);
}

bool ct_sqlite_each_local(ct_database_store *base,
                          void (*function)(void *user, const char *text, uint64_t size_bytes),
                          void *user, ct_error *error) {
    ct_sqlite_store *const store = (ct_sqlite_store *)base;
    if (!ct_sqlite_transaction_begin(store, false, error))
        return false;
    sqlite3_stmt *const all = ct_sqlite_get(store, CT_SQLITE_LOCAL_ALL, error);
    return ct_sqlite_transaction_finish(store, all && walk_local(store, all, function, user, error),
                                        error);
}
