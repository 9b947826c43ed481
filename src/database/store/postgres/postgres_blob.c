#include <string.h>

#include "database/store/postgres/postgres_private.h"
#include "resource/blob/content_hash.h"

// --- Blobs ---------------------------------------------------------------------------------------

static void add_piece(ct_postgres_params *params, const ct_database_blob *blob, uint32_t piece) {
    ct_postgres_add_bytes(params, blob->hash, sizeof(blob->hash));
    ct_postgres_add_int(params, (int64_t)blob->size_bytes);
    ct_postgres_add_int(params, piece);
}

static PGresult *query_piece(ct_postgres_store *store, ct_postgres_statement statement,
                             const ct_database_blob *blob, uint32_t piece, ct_error *error) {
    ct_postgres_params params = {0};
    add_piece(&params, blob, piece);
    return ct_postgres_query(store, statement, &params, error);
}

static bool find_last(ct_postgres_store *store, const ct_database_blob *blob, bool *has,
                      ct_error *error) {
    const uint32_t last = ct_database_blob_num_pieces(blob->size_bytes) - 1;
    PGresult *const result = query_piece(store, CT_POSTGRES_PIECE_HAS, blob, last, error);
    if (!result)
        return false;
    *has = store->api->PQntuples(result) > 0;
    store->api->PQclear(result);
    return true;
}

bool ct_postgres_has_blob(ct_database_store *base, const ct_database_blob *blob, bool *has,
                          ct_error *error) {
    ct_postgres_store *const store = (ct_postgres_store *)base;
    return ct_postgres_transaction_begin(store, CT_POSTGRES_BEGIN_READ, false, error) &&
           ct_postgres_transaction_finish(store, find_last(store, blob, has, error), error);
}

// Another session may have removed pieces of a blob that is not complete.
static bool check_earlier(ct_postgres_store *store, const ct_database_blob *blob, uint32_t piece,
                          ct_error *error) {
    PGresult *const result = query_piece(store, CT_POSTGRES_PIECE_COUNT, blob, piece, error);
    if (!result)
        return false;
    const int64_t num_pieces = ct_postgres_int(store, result, 0, 0);
    store->api->PQclear(result);
    return num_pieces == piece ||
           ct_postgres_refuse(store, error,
                              "%lld of %u pieces of a blob are missing; write it again",
                              (long long)piece - (long long)num_pieces, piece);
}

static bool write_piece(ct_postgres_store *store, const ct_database_blob *blob, uint32_t piece,
                        const void *bytes, uint32_t size_bytes, ct_error *error) {
    if (piece + 1 == ct_database_blob_num_pieces(blob->size_bytes) &&
        !check_earlier(store, blob, piece, error))
        return false;
    ct_postgres_params params = {0};
    add_piece(&params, blob, piece);
    ct_postgres_add_bytes(&params, bytes, size_bytes);
    return ct_postgres_execute(store, CT_POSTGRES_PIECE_WRITE, &params, error);
}

bool ct_postgres_write_piece(ct_database_store *base, const ct_database_blob *blob, uint32_t piece,
                             const void *bytes, uint32_t size_bytes, ct_error *error) {
    ct_postgres_store *const store = (ct_postgres_store *)base;
    CT_ASSERT(piece < ct_database_blob_num_pieces(blob->size_bytes) &&
                  size_bytes == ct_database_blob_piece_bytes(blob->size_bytes, piece),
              "piece %u of a blob has %u bytes", piece, size_bytes);
    return ct_postgres_transaction_begin(store, CT_POSTGRES_BEGIN, false, error) &&
           ct_postgres_transaction_finish(
               store, write_piece(store, blob, piece, bytes, size_bytes, error), error);
}

static bool read_piece(ct_postgres_store *store, const ct_database_blob *blob, uint32_t piece,
                       void *bytes, uint32_t *size_bytes, ct_error *error) {
    PGresult *const result = query_piece(store, CT_POSTGRES_PIECE_READ, blob, piece, error);
    if (!result)
        return false;
    const uint32_t expected = ct_database_blob_piece_bytes(blob->size_bytes, piece);
    const bool is_there = store->api->PQntuples(result) == 1;
    uint32_t found_bytes = 0;
    if (is_there) {
        const void *const found = ct_postgres_bytes(store, result, 0, 0, &found_bytes);
        if (found_bytes == expected)
            memcpy(bytes, found, expected);
    }
    store->api->PQclear(result);
    *size_bytes = expected;
    if (!is_there)
        return ct_postgres_refuse(store, error, "piece %u of a blob of %llu bytes is missing",
                                  piece, (unsigned long long)blob->size_bytes);
    return found_bytes == expected ||
           ct_postgres_damaged(store, error, "piece %u of a blob has %u bytes", piece, found_bytes);
}

bool ct_postgres_read_piece(ct_database_store *base, const ct_database_blob *blob, uint32_t piece,
                            void *bytes, uint32_t *size_bytes, ct_error *error) {
    ct_postgres_store *const store = (ct_postgres_store *)base;
    return ct_postgres_transaction_begin(store, CT_POSTGRES_BEGIN_READ, false, error) &&
           ct_postgres_transaction_finish(
               store, read_piece(store, blob, piece, bytes, size_bytes, error), error);
}

// Removes a blob, unless it is whole and kept.
static bool collect_blob(ct_postgres_store *store, const ct_database_blob *blob,
                         bool (*is_kept)(void *user, const ct_database_blob *blob), void *user,
                         uint64_t *freed_bytes, ct_error *error) {
    bool is_whole;
    if (!find_last(store, blob, &is_whole, error))
        return false;
    if (is_whole && is_kept(user, blob))
        return true;
    ct_postgres_params params = {0};
    add_piece(&params, blob, 0);
    params.count = 2;
    *freed_bytes += is_whole ? blob->size_bytes : 0;
    return ct_postgres_execute(store, CT_POSTGRES_PIECE_REMOVE, &params, error);
}

static bool collect(ct_postgres_store *store,
                    bool (*is_kept)(void *user, const ct_database_blob *blob), void *user,
                    uint64_t *freed_bytes, ct_error *error) {
    PGresult *const blobs = ct_postgres_query(store, CT_POSTGRES_PIECE_BLOBS, NULL, error);
    if (!blobs)
        return false;
    bool is_good = true;
    for (int i = 0; is_good && i < store->api->PQntuples(blobs); ++i) {
        ct_guid hash;
        ct_database_blob blob = {.size_bytes = (uint64_t)ct_postgres_int(store, blobs, i, 1)};
        is_good = ct_postgres_guid(store, blobs, i, 0, &hash);
        if (!is_good) {
            ct_postgres_damaged(store, error, "a blob has no hash");
            break;
        }
        memcpy(blob.hash, hash.bytes, sizeof(blob.hash));
        is_good = collect_blob(store, &blob, is_kept, user, freed_bytes, error);
    }
    store->api->PQclear(blobs);
    return is_good;
}

bool ct_postgres_collect_blobs(ct_database_store *base,
                               bool (*is_kept)(void *user, const ct_database_blob *blob),
                               void *user, uint64_t *freed_bytes, ct_error *error) {
    ct_postgres_store *const store = (ct_postgres_store *)base;
    CT_ASSERT(store->is_committing, "blobs are collected without begin");
    *freed_bytes = 0;
    return (store->num_queued == 0 || ct_postgres_run(store, NULL, error)) &&
           collect(store, is_kept, user, freed_bytes, error);
}

// --- Local changes -------------------------------------------------------------------------------

// Calls `function` with the rows of a result that has text, hash and owner.
static bool walk_local(ct_postgres_store *store, const PGresult *result,
                       void (*function)(void *user, const char *text, uint64_t size_bytes),
                       void *user, ct_error *error) {
    for (int i = 0; i < store->api->PQntuples(result); ++i) {
        uint32_t size_bytes;
        const void *const text = ct_postgres_bytes(store, result, i, 0, &size_bytes);
        if ((int64_t)ct_content_hash(text, size_bytes) != ct_postgres_int(store, result, i, 1))
            return ct_postgres_damaged(store, error,
                                       "the local changes of \"%s\" are not those that were "
                                       "written",
                                       store->api->PQgetvalue(result, i, 2));
        function(user, text, size_bytes);
    }
    return true;
}

static void add_text(void *user, const char *text, uint64_t size_bytes) {
    ct_byte_array *const all = user;
    ct_array_push_many(all, (const uint8_t *)text, size_bytes);
}

static bool begin_local(ct_postgres_store *store, const char *branch, const char *owner,
                        ct_postgres_params *params, ct_error *error) {
    int64_t id = store->is_committing ? store->branch_id : 0; // it is that branch
    *params = (ct_postgres_params){0};
    if (id == 0 && !ct_postgres_branch_id(store, branch, &id, error))
        return false;
    ct_postgres_add_int(params, id);
    ct_postgres_add_text(params, owner, (uint32_t)strlen(owner));
    return true;
}

static bool read_local(ct_postgres_store *store, const char *branch, const char *owner,
                       ct_byte_array *text, ct_error *error) {
    ct_postgres_params params;
    PGresult *const result = begin_local(store, branch, owner, &params, error)
                                 ? ct_postgres_query(store, CT_POSTGRES_LOCAL_READ, &params, error)
                                 : NULL;
    const bool is_good = result && walk_local(store, result, add_text, text, error);
    store->api->PQclear(result);
    return is_good;
}

bool ct_postgres_read_local(ct_database_store *base, const ct_database_branch *branch,
                            const char *owner, ct_byte_array *text, ct_error *error) {
    ct_postgres_store *const store = (ct_postgres_store *)base;
    return ct_postgres_transaction_begin(store, CT_POSTGRES_BEGIN_READ, false, error) &&
           ct_postgres_transaction_finish(
               store, read_local(store, branch->name, owner, text, error), error);
}

static bool write_local(ct_postgres_store *store, const char *branch, const char *owner,
                        const void *text, uint64_t size_bytes, ct_error *error) {
    ct_postgres_params params;
    if (!begin_local(store, branch, owner, &params, error))
        return false;
    if (size_bytes == 0)
        return ct_postgres_execute(store, CT_POSTGRES_LOCAL_REMOVE, &params, error);
    ct_postgres_add_bytes(&params, text, size_bytes);
    ct_postgres_add_int(&params, (int64_t)ct_content_hash(text, size_bytes));
    return ct_postgres_execute(store, CT_POSTGRES_LOCAL_WRITE, &params, error);
}

bool ct_postgres_write_local(ct_database_store *base, const ct_database_branch *branch,
                             const char *owner, const void *text, uint64_t size_bytes,
                             ct_error *error) {
    ct_postgres_store *const store = (ct_postgres_store *)base;
    return ct_postgres_transaction_begin(store, CT_POSTGRES_BEGIN, false, error) &&
           ct_postgres_transaction_finish(
               store, write_local(store, branch->name, owner, text, size_bytes, error), error);
}

static bool each_local(ct_postgres_store *store,
                       void (*function)(void *user, const char *text, uint64_t size_bytes),
                       void *user, ct_error *error) {
    PGresult *const all = ct_postgres_query(store, CT_POSTGRES_LOCAL_ALL, NULL, error);
    const bool is_good = all && walk_local(store, all, function, user, error);
    store->api->PQclear(all);
    return is_good;
}

bool ct_postgres_each_local(ct_database_store *base,
                            void (*function)(void *user, const char *text, uint64_t size_bytes),
                            void *user, ct_error *error) {
    ct_postgres_store *const store = (ct_postgres_store *)base;
    return ct_postgres_transaction_begin(store, CT_POSTGRES_BEGIN_READ, false, error) &&
           ct_postgres_transaction_finish(store, each_local(store, function, user, error), error);
}
