#include <stdio.h>
#include <string.h>

#include "database/store/sqlite/sqlite_private.h"
#include "foundation/os/file.h"
#include "foundation/os/os.h"
#include "foundation/os/path.h"

static void close_store(ct_database_store *base) {
    ct_sqlite_store *const store = (ct_sqlite_store *)base;
    for (uint32_t i = 0; i < CT_SQLITE_NUM_STATEMENTS; ++i)
        store->api->sqlite3_finalize(store->statements[i]);
    store->api->sqlite3_close_v2(store->file);
    ct_database_names_free(&store->keys);
    ct_database_names_free(&store->replicas);
    ct_database_vector_free(&store->begun);
    ct_database_operations_free(&store->rows);
    ct_free(base->allocator, (char *)base->location);
    ct_free(base->allocator, store);
}

static bool look_at_version(ct_sqlite_store *store, bool *changed, ct_error *error) {
    sqlite3_stmt *const statement = ct_sqlite_get(store, CT_SQLITE_DATA_VERSION, error);
    bool has_row = false;
    if (!statement || !ct_sqlite_next(store, statement, &has_row, error))
        return false;
    const int64_t version = has_row ? store->api->sqlite3_column_int64(statement, 0) : 0;
    if (has_row)
        ct_sqlite_reset(store, statement);
    *changed = version != store->version;
    store->version = version;
    return true;
}

// The number changes when another connection has written; there is nothing to wait for but time.
static bool wait(ct_database_store *base, uint64_t timeout_ns, bool *changed, ct_error *error) {
    enum { LOOK_EACH_NS = 2000000 };
    ct_sqlite_store *const store = (ct_sqlite_store *)base;
    const uint64_t begin = ct_os_time_ns();
    for (;;) {
        if (!look_at_version(store, changed, error))
            return false;
        const uint64_t passed = ct_os_time_ns() - begin;
        if (*changed || passed >= timeout_ns)
            return true;
        const uint64_t left = timeout_ns - passed;
        ct_os_sleep_ns(left < LOOK_EACH_NS ? left : LOOK_EACH_NS);
    }
}

static const ct_database_store_functions functions = {
    .close = close_store,
    .read_branch = ct_sqlite_read_branch,
    .list_branches = ct_sqlite_list_branches,
    .create_branch = ct_sqlite_create_branch,
    .remove_branch = ct_sqlite_remove_branch,
    .begin = ct_sqlite_begin,
    .append = ct_sqlite_append,
    .end = ct_sqlite_end,
    .has_commit = ct_sqlite_has_commit,
    .read_commits = ct_sqlite_read_commits,
    .load_state = ct_sqlite_load_state,
    .load_rows = ct_sqlite_load_rows,
    .save_state = ct_sqlite_save_state,
    .clear_state = ct_sqlite_clear_state,
    .has_blob = ct_sqlite_has_blob,
    .write_piece = ct_sqlite_write_piece,
    .read_piece = ct_sqlite_read_piece,
    .collect_blobs = ct_sqlite_collect_blobs,
    .read_local = ct_sqlite_read_local,
    .write_local = ct_sqlite_write_local,
    .each_local = ct_sqlite_each_local,
    .wait = wait,
    .query = ct_sqlite_query,
    .check = ct_sqlite_check,
};

// --- Opening -------------------------------------------------------------------------------------

static uint32_t read_big_endian(const uint8_t *bytes) {
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

// Looks at the start of an existing file, so that SQLite does not touch those of others: even opening one may write
// to it. An empty file is fine.
static bool check_start(const char *path, uint64_t size_bytes, ct_error *error) {
    enum { HEADER_BYTES = 100, APPLICATION_ID = 68 };
    static const char magic[16] = "SQLite format 3";
    if (size_bytes == 0)
        return true;
    uint8_t header[HEADER_BYTES] = {0};
    const int file = ct_os_file_open_data(path, error);
    if (file < 0)
        return false;
    const int64_t read = ct_os_file_read(file, header, sizeof(header));
    ct_os_file_close(file);
    if (read < HEADER_BYTES || memcmp(header, magic, sizeof(magic)) != 0)
        return ct_error_set_at(error, path, 0, 0,
                               "it is no database: expected a file that Cuttle or SQLite made");
    if (read_big_endian(header + APPLICATION_ID) != CT_SQLITE_APPLICATION_ID)
        return ct_error_set_at(error, path, 0, 0,
                               "it is a database of SQLite, but not one of Cuttle");
    return true;
}

static bool check_path(const char *path, bool may_create, bool *is_new, ct_error *error) {
    const ct_file_info info = ct_os_file_info(path);
    *is_new = info.kind == CT_FILE_KIND_NONE;
    switch (info.kind) {
    case CT_FILE_KIND_NONE:
        return may_create || ct_error_set_at(error, path, 0, 0, "there is no such file");
    case CT_FILE_KIND_FILE:
        return check_start(path, info.size_bytes, error);
    case CT_FILE_KIND_FOLDER:
        return ct_error_set_at(error, path, 0, 0, "it is a folder; expected a file");
    default:
        return ct_error_set_at(error, path, 0, 0, "it is no regular file");
    }
}

static bool set_option(ct_sqlite_store *store, int option, int value) {
    return store->api->sqlite3_db_config(store->file, option, value, NULL) == SQLITE_OK;
}

static bool run_pragmas(ct_sqlite_store *store, bool is_writable, ct_error *error) {
    // Set for each connection. Secure deletion would write each freed page.
    int result = store->api->sqlite3_exec(
        store->file,
        "PRAGMA synchronous=FULL; PRAGMA cell_size_check=ON; PRAGMA temp_store=MEMORY;"
        "PRAGMA secure_delete=OFF; PRAGMA cache_size=-16000; PRAGMA journal_size_limit=67108864",
        NULL, NULL, NULL);
    // SQLite itself does not wait here for another process that opens the same new file.
    const uint64_t begin = ct_os_time_ns();
    while (result == SQLITE_OK && is_writable) {
        result = store->api->sqlite3_exec(store->file, "PRAGMA journal_mode=WAL", NULL, NULL, NULL);
        if ((result & 0xff) != SQLITE_BUSY ||
            ct_os_time_ns() - begin > (uint64_t)CT_SQLITE_BUSY_MS * 1000000)
            break;
        result = SQLITE_OK;
        ct_os_sleep_ns(5000000);
    }
    return result == SQLITE_OK || ct_sqlite_fail(store, result, error);
}

static bool open_file(ct_sqlite_store *store, bool may_create, ct_error *error) {
    const ct_sqlite_api *const api = store->api;
    char path[CT_PATH_BYTES];
    if (!ct_file_absolute_path(store->base.location, path, error)) // ":memory:" is a file, too
        return false;
    const bool exists = ct_os_file_info(path).kind != CT_FILE_KIND_NONE;
    const bool is_writable = !exists || ct_os_file_is_writable(path);
    const int flags = !is_writable ? SQLITE_OPEN_READONLY
                                   : SQLITE_OPEN_READWRITE | (exists ? 0 : SQLITE_OPEN_CREATE);
    const int result = api->sqlite3_open_v2(path, &store->file, flags | SQLITE_OPEN_NOMUTEX, NULL);
    if (result != SQLITE_OK)
        return ct_sqlite_fail(store, result, error);
    api->sqlite3_extended_result_codes(store->file, 1);
    api->sqlite3_busy_timeout(store->file, CT_SQLITE_BUSY_MS);
    if (!set_option(store, SQLITE_DBCONFIG_DEFENSIVE, 1) ||
        !set_option(store, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0) ||
        !set_option(store, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0) ||
        !set_option(store, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0))
        return ct_error_set(error, "the installed SQLite cannot be made safe; install "
                                   "libsqlite3-0 3.35 or later");
    bool changed;
    return ct_sqlite_schema_open(store, may_create && is_writable, error) &&
           run_pragmas(store, is_writable, error) && look_at_version(store, &changed, error);
}

ct_database_store *ct_database_sqlite_open(ct_allocator *a, const char *path, bool may_create,
                                           ct_error *error) {
    bool is_new;
    if (!check_path(path, may_create, &is_new, error))
        return NULL;
    const ct_sqlite_api *const api = ct_sqlite_load(error);
    if (!api)
        return NULL;
    ct_sqlite_store *const store = ct_alloc_zero(a, sizeof(*store));
    store->base = (ct_database_store){
        .functions = &functions, .allocator = a, .location = ct_copy_string(a, path)};
    store->api = api;
    ct_database_names_init(&store->keys, a);
    ct_database_names_init(&store->replicas, a);
    ct_database_vector_init(&store->begun, a);
    ct_database_operations_init(&store->rows, a);
    if (open_file(store, may_create, error))
        return &store->base;
    close_store(&store->base);
    return NULL;
}
