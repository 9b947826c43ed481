// Files and tables that are damaged, foreign, from a later version, or cannot be written.
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "database/store/sqlite/sqlite_api.h"
#include "database/store/store_fixture.h"
#include "foundation/os/file.h"
#include "resource/blob/content_hash.h"

static bool has_server;

// --- A database with rows in all tables ----------------------------------------------------------

static void fill(const char *location) {
    ct_database_store *const store = store_open(location);
    ct_error error = {0};
    ct_database_branch branch = store_branch(store, "main"), other = store_branch(store, "other");
    ct_database_state *const objects =
        ct_database_state_create(test_heap(), (ct_database_removed){0});
    ct_database_operation ops[] = {
        store_create(1),
        store_create(2),
        store_create(3),
        store_number(1, "height", 2.5),
        store_text(1, "name", "lamp"),
        store_element(CT_DATABASE_ADD_TO_SET, 1, "children", 2),
        store_element(CT_DATABASE_ADD_TO_SET, 1, "children", 3),
    };
    store_commit(store, &branch, ops, CT_COUNT_OF(ops), objects);
    store_commit(store, &other, ops, 1, NULL);
    assert_true(store->functions->begin(store, &branch, &error));
    assert_true(store->functions->end(store, &branch, false, &error));
    const ct_database_operation gone[] = {
        {.type = CT_DATABASE_DESTROY, .object = store_guid(2)},
        store_element(CT_DATABASE_REMOVE_FROM_SET, 1, "children", 3)};
    store_commit(store, &branch, gone, 2, objects);
    for (uint32_t i = 0; i < 40; ++i) {
        const ct_database_operation more[] = {store_create(100 + i), store_number(100 + i, "n", i)};
        store_commit(store, &branch, more, 2, objects);
    }
    bool saved = false;
    assert_true(store->functions->save_state(store, &branch, objects, &branch.has, &saved, &error));
    assert_true(saved);
    assert_true(store->functions->begin(store, &branch, &error)); // an entry of another replica
    ct_database_vector_join(&branch.has, &other.has);
    assert_true(store->functions->end(store, &branch, true, &error));
    ct_database_blob blob = {.size_bytes = 4000};
    uint8_t bytes[4000];
    memset(bytes, 'b', sizeof(bytes));
    ct_content_hasher *const hasher = ct_content_hasher_create(test_heap());
    ct_content_hasher_add(hasher, bytes, sizeof(bytes));
    ct_content_hasher_finish(hasher, blob.hash);
    assert_true(store->functions->write_piece(store, &blob, 0, bytes, sizeof(bytes), &error));
    assert_true(store->functions->write_local(store, &branch, "me", "{\"op\":1}\n", 9, &error));
    char *const faults = store_check(store);
    assert_string_equal(faults, "");
    ct_free(test_heap(), faults);
    ct_database_state_destroy(objects);
    ct_database_branch_free(&branch);
    ct_database_branch_free(&other);
    store_close(store);
}

// Changes a file with SQLite itself.
static void file_sql(const char *path, const char *sql) {
    const ct_sqlite_api *const api = ct_sqlite_load(NULL);
    sqlite3 *file = NULL;
    assert_int_equal(
        api->sqlite3_open_v2(path, &file, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL),
        SQLITE_OK);
    if (api->sqlite3_exec(file, sql, NULL, NULL, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sql, api->sqlite3_errmsg(file));
    api->sqlite3_close_v2(file);
}

// --- Damaged rows --------------------------------------------------------------------------------

// A change in the data of each table, for a file and for a server.
static const char *const changes[][2] = {
    {"UPDATE log SET bytes=substr(bytes,1,20)||x'fe'||substr(bytes,22) WHERE id IN "
     "(SELECT max(id) FROM log)",
     "UPDATE cuttle.log SET bytes=set_byte(bytes,20,get_byte(bytes,20)#1) "
     "WHERE time=(SELECT max(time) FROM cuttle.log)"},
    {"UPDATE log SET time=time+1 WHERE id IN (SELECT max(id) FROM log)",
     "ALTER TABLE cuttle.has DROP CONSTRAINT has_replica_time_fkey; "
     "ALTER TABLE cuttle.stored DROP CONSTRAINT stored_replica_time_fkey; "
     "UPDATE cuttle.log SET time=time+1 WHERE time=(SELECT max(time) FROM cuttle.log)"},
    {"UPDATE object_row SET time=time+1 WHERE object IN (SELECT max(object) FROM object_row)",
     "UPDATE cuttle.object_row SET time=time+1 "
     "WHERE object=(SELECT object FROM cuttle.object_row LIMIT 1)"},
    {"UPDATE value_row SET value=value+1 WHERE kind=2",
     "UPDATE cuttle.value_row SET number=number+1 WHERE kind=2"},
    {"UPDATE value_row SET value='limp' WHERE kind=3",
     "UPDATE cuttle.value_row SET bytes='limp' WHERE kind=3"},
    {"UPDATE element_row SET element=x'00112233445566778899aabbccddeeff'",
     "UPDATE cuttle.element_row SET element='00112233-4455-6677-8899-aabbccddeeff'"},
    {"DELETE FROM removed_row", "DELETE FROM cuttle.removed_row"},
    {"UPDATE removed_row SET time=time+1", "UPDATE cuttle.removed_row SET time=time+1"},
    {"UPDATE has SET time=time+1", "ALTER TABLE cuttle.has DROP CONSTRAINT has_replica_time_fkey; "
                                   "UPDATE cuttle.has SET time=time+1"},
    {"UPDATE stored SET time=time-1",
     "ALTER TABLE cuttle.stored DROP CONSTRAINT stored_replica_time_fkey; "
     "UPDATE cuttle.stored SET time=time-1"},
    {"UPDATE branch SET name='mein' WHERE name='main'",
     "UPDATE cuttle.branch SET name='mein' WHERE name='main'"},
    {"UPDATE branch SET replica=replica+1000 WHERE name='main'",
     "UPDATE cuttle.branch SET replica=replica+1000 WHERE name='main'"},
    {"UPDATE key_name SET text='hight' WHERE text='height'",
     "UPDATE cuttle.key_name SET text='hight' WHERE text='height'"},
    {"UPDATE replica SET guid=x'00112233445566778899aabbccddeeff' WHERE id=1",
     "UPDATE cuttle.replica SET guid='00112233-4455-6677-8899-aabbccddeeff' WHERE id=1"},
    {"UPDATE piece SET bytes=substr(bytes,1,20)||x'fe'||substr(bytes,22)",
     "UPDATE cuttle.piece SET bytes=set_byte(bytes,20,1)"},
    {"UPDATE local_text SET text='{\"op\":2}'", "UPDATE cuttle.local_text SET text='{\"op\":2}'"},
};

// The server: one database that is damaged again and again, from a copy.
static void check_finds_damage_in_each_table(void **state) {
    (void)state;
    if (store_is_server && !has_server)
        skip();
    char original[CT_PATH_BYTES + 32];
    snprintf(original, sizeof(original), "%s", store_new_location());
    fill(original);
    for (uint32_t i = 0; i < CT_COUNT_OF(changes); ++i) {
        char location[CT_PATH_BYTES + 32];
        if (store_is_server) {
            char sql[128];
            snprintf(sql, sizeof(sql), "CREATE DATABASE copy%u TEMPLATE %s", i,
                     store_database(original));
            assert_true(store_server_sql("postgres", sql));
            snprintf(location, sizeof(location), "%.*scopy%u",
                     (int)(store_database(original) - original), original, i);
            if (!store_server_sql(store_database(location), changes[i][1]))
                fail_msg("%s", changes[i][1]);
        } else {
            uint64_t size_bytes;
            char *const bytes = ct_file_read(test_heap(), original, &size_bytes, NULL);
            snprintf(location, sizeof(location), "%s", store_new_location());
            assert_true(ct_file_write(location, bytes, size_bytes, false, NULL));
            ct_free(test_heap(), bytes);
            file_sql(location, changes[i][0]);
        }
        ct_database_store *const store = store_open(location);
        char *const faults = store_check(store);
        if (!faults[0])
            fail_msg("not found: %s", changes[i][store_is_server]);
        ct_free(test_heap(), faults);
        store_close(store);
    }
}

// --- Damaged files -------------------------------------------------------------------------------

static bool ignore_commit(void *user, ct_database_stamp stamp, const void *bytes,
                          uint64_t size_bytes) {
    (void)stamp;
    ct_database_commit_decode(user, bytes, size_bytes, NULL);
    return true;
}

static bool ignore_row(void *user, uint32_t num_columns, const char *const *columns,
                       bool is_names) {
    (void)user, (void)num_columns, (void)columns, (void)is_names;
    return true;
}

// Makes each call once. All may fail; an error must say why.
static void use(ct_database_store *store) {
    const ct_database_store_functions *const f = store->functions;
    ct_error error = {0};
    bool found = false, has, saved;
    ct_database_branch branch;
    ct_database_branch_init(&branch, test_heap(), "main");
    ct_database_branch_array list;
    ct_array_init(&list, test_heap());
    f->list_branches(store, &list, &error);
    f->read_branch(store, &branch, &found, &error);
    ct_database_state *const objects =
        ct_database_state_create(test_heap(), (ct_database_removed){0});
    const bool is_loaded = f->load_state(store, &branch, objects, &error);
    ct_database_commit commit;
    ct_database_commit_init(&commit, test_heap());
    const ct_database_vector nothing = {0};
    f->read_commits(store, &nothing, &branch.has, ignore_commit, &commit, &error);
    ct_database_commit_free(&commit);
    ct_database_row_array rows;
    ct_array_init(&rows, test_heap());
    f->load_rows(store, &branch, store_guid(1), NULL, 0, NULL, &rows, &error);
    f->load_rows(store, &branch, store_guid(1), "children", 8, NULL, &rows, &error);
    ct_array_free(&rows);
    ct_byte_array text;
    ct_array_init(&text, test_heap());
    f->read_local(store, &branch, "me", &text, &error);
    ct_array_free(&text);
    const ct_database_blob blob = {.size_bytes = 4000};
    uint8_t piece[4000];
    uint32_t size_bytes;
    f->has_blob(store, &blob, &has, &error);
    f->read_piece(store, &blob, 0, piece, &size_bytes, &error);
    f->query(store, &branch, "SELECT * FROM value", ignore_row, NULL, &error);
    f->query(store, &branch, "SELECT * FROM element", ignore_row, NULL, &error);
    if (found && is_loaded) {
        const ct_database_operation op = store_number(1, "height", 1);
        store_try_commit(store, &branch, &op, 1, NULL, &error);
        f->save_state(store, &branch, objects, &branch.has, &saved, &error);
    }
    f->write_local(store, &branch, "me", "x", 1, &error);
    ct_string_builder out;
    ct_string_builder_init(&out, test_heap());
    error.message[0] = 0;
    if (!f->check(store, &out, &error))
        assert_true(error.message[0]);
    ct_string_builder_free(&out);
    ct_database_state_destroy(objects);
    for (uint32_t i = 0; i < list.count; ++i)
        ct_database_branch_free(&list.items[i]);
    ct_array_free(&list);
    ct_database_branch_free(&branch);
}

static void flipped_bytes_are_refused_or_harmless(void **state) {
    (void)state;
    char original[CT_PATH_BYTES + 32], path[CT_PATH_BYTES + 32], log[CT_PATH_BYTES + 40];
    snprintf(original, sizeof(original), "%s", store_new_location());
    snprintf(path, sizeof(path), "%s", store_new_location());
    snprintf(log, sizeof(log), "%s-wal", path);
    fill(original);
    uint64_t size_bytes;
    char *const bytes = ct_file_read(test_heap(), original, &size_bytes, NULL);
    uint32_t random = 12345, num_opened = 0;
    const uint32_t rounds = test_rounds(60, 4000);
    for (uint32_t i = 0; i < rounds; ++i) {
        // Half of them in the headers of pages, where a flip does the most.
        const uint32_t page = i % 8 == 0 ? 0 : test_random(&random) % (uint32_t)(size_bytes / 4096);
        const uint32_t place = page * 4096 + test_random(&random) % (i % 2       ? 4096u
                                                                     : page == 0 ? 128u
                                                                                 : 64u);
        const char before = bytes[place];
        bytes[place] = (char)(before ^ 1 << test_random(&random) % 8);
        ct_os_file_remove(log, NULL);
        assert_true(ct_file_write(path, bytes, size_bytes, false, NULL));
        bytes[place] = before;
        ct_error error = {0};
        ct_database_store *const store = ct_database_store_open(test_heap(), path, false, &error);
        if (!store) {
            assert_true(error.message[0]);
            assert_string_equal(error.file, path);
            continue;
        }
        ++num_opened;
        use(store);
        store_close(store);
    }
    assert_true(num_opened > 0 && num_opened < rounds);
    ct_free(test_heap(), bytes);
}

static void cut_files_are_refused(void **state) {
    (void)state;
    char path[CT_PATH_BYTES + 32];
    snprintf(path, sizeof(path), "%s", store_new_location());
    fill(path);
    uint64_t size_bytes;
    char *const bytes = ct_file_read(test_heap(), path, &size_bytes, NULL);
    for (uint64_t cut = 1; cut < size_bytes; cut += size_bytes / 23) {
        ct_error error = {0};
        assert_true(ct_file_write(path, bytes, cut, false, NULL));
        ct_database_store *const store = ct_database_store_open(test_heap(), path, false, &error);
        if (!store) {
            assert_true(error.message[0]);
            continue;
        }
        char *const faults = store_check(store);
        assert_true(faults[0]);
        ct_free(test_heap(), faults);
        use(store);
        store_close(store);
    }
    ct_free(test_heap(), bytes);
}

// --- Foreign files -------------------------------------------------------------------------------

// Opening fails with `message` and leaves the file as it is.
static void expect_refused(const char *path, const char *message) {
    uint64_t before_bytes = 0, after_bytes = 0;
    char *const before = ct_file_read(test_heap(), path, &before_bytes, NULL);
    ct_error error = {0};
    assert_null(ct_database_store_open(test_heap(), path, true, &error));
    if (!strstr(error.message, message))
        fail_msg("found \"%s\"; expected \"%s\"", error.message, message);
    assert_string_equal(error.file, path);
    char *const after = ct_file_read(test_heap(), path, &after_bytes, NULL);
    assert_int_equal(before_bytes, after_bytes);
    assert_memory_equal(before, after, before_bytes);
    ct_free(test_heap(), before);
    ct_free(test_heap(), after);
}

static void foreign_and_later_files_are_refused(void **state) {
    (void)state;
    char path[CT_PATH_BYTES + 32], text[400];
    ct_error error = {0};
    snprintf(path, sizeof(path), "%s", store_new_location());
    assert_null(ct_database_store_open(test_heap(), path, false, &error));
    assert_string_equal(error.message, "there is no such file");
    assert_int_equal(ct_os_file_info(path).kind, CT_FILE_KIND_NONE);
    memset(text, 'x', sizeof(text));
    assert_true(ct_file_write(path, text, sizeof(text), false, NULL));
    expect_refused(path, "it is no database");
    assert_true(ct_file_write(path, text, 3, false, NULL));
    expect_refused(path, "it is no database");
    assert_null(ct_database_store_open(test_heap(), test_scratch_folder(), true, &error));
    assert_string_equal(error.message, "it is a folder; expected a file");

    snprintf(path, sizeof(path), "%s", store_new_location());
    file_sql(path, "CREATE TABLE other(x); PRAGMA user_version=1");
    expect_refused(path, "not one of Cuttle");
    snprintf(path, sizeof(path), "%s", store_new_location());
    fill(path);
    file_sql(path, "PRAGMA user_version=2");
    expect_refused(path, "version 2");
    file_sql(path, "PRAGMA user_version=1; CREATE TRIGGER t AFTER INSERT ON log BEGIN "
                   "DELETE FROM branch; END");
    expect_refused(path, "\"t\", which is not part");
    file_sql(path, "DROP TRIGGER t; DROP TABLE piece");
    expect_refused(path, "11 of 12 tables");
    // An empty file becomes a database.
    snprintf(path, sizeof(path), "%s", store_new_location());
    assert_true(ct_file_write(path, "", 0, false, NULL));
    assert_null(ct_database_store_open(test_heap(), path, false, &error));
    fill(path);
}

static void read_only_files_are_read(void **state) {
    (void)state;
    char path[CT_PATH_BYTES + 32];
    snprintf(path, sizeof(path), "%s", store_new_location());
    fill(path);
    assert_int_equal(chmod(path, 0444), 0);
    ct_error error = {0};
    ct_database_store *const store = store_open(path);
    ct_database_branch branch = store_branch(store, "main");
    char *const dump = store_load_dump(store, "main");
    assert_non_null(strstr(dump, "lamp"));
    ct_free(test_heap(), dump);
    const ct_database_operation op = store_create(9);
    assert_false(store_try_commit(store, &branch, &op, 1, NULL, &error));
    assert_non_null(strstr(error.message, "read-only"));
    assert_false(store->functions->write_local(store, &branch, "me", "x", 1, &error));
    assert_non_null(strstr(error.message, "read-only"));
    ct_database_branch_free(&branch);
    store_close(store);
}

// Commits until the file may not grow any more. Returns how many were acknowledged.
static uint32_t fill_disk(const char *path) {
    ct_os_refuse_large_writes();
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){400000, 400000});
    ct_database_store *const store = store_open(path);
    ct_database_branch branch = store_branch(store, "main");
    ct_error error = {0};
    uint32_t count = 0;
    static char text[3000];
    memset(text, 't', sizeof(text) - 1);
    const ct_database_operation op = store_text(1, "text", text);
    while (count < 1000 && store_try_commit(store, &branch, &op, 1, NULL, &error))
        ++count;
    const bool is_good = error.message[0] && strcmp(error.file, path) == 0;
    ct_database_branch_free(&branch);
    store_close(store);
    return is_good ? count : 255;
}

static void a_full_disk_loses_nothing(void **state) {
    (void)state;
    char path[CT_PATH_BYTES + 32];
    snprintf(path, sizeof(path), "%s", store_new_location());
    const pid_t child = fork();
    if (child == 0)
        _exit((int)fill_disk(path));
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    const uint32_t acknowledged = (uint32_t)WEXITSTATUS(status);
    assert_true(acknowledged > 10 && acknowledged < 255);
    ct_database_store *const store = store_open(path);
    ct_database_branch branch = store_branch(store, "main");
    char *const log = store_log(store, NULL, &branch.has), *const faults = store_check(store);
    uint32_t num_lines = 0;
    for (const char *c = log; *c; ++c)
        num_lines += *c == '\n';
    assert_int_equal(num_lines, acknowledged);
    assert_string_equal(faults, "");
    ct_free(test_heap(), log);
    ct_free(test_heap(), faults);
    ct_database_branch_free(&branch);
    store_close(store);
}

static int setup_server(void **state) {
    const int result = test_group_setup(state);
    store_is_server = true;
    has_server = store_server_start();
    return result;
}

static int teardown_server(void **state) {
    if (has_server)
        store_server_stop();
    store_is_server = false;
    return test_group_teardown(state);
}

int main(void) {
    const struct CMUnitTest files[] = {
        cmocka_unit_test(check_finds_damage_in_each_table),
        cmocka_unit_test(flipped_bytes_are_refused_or_harmless),
        cmocka_unit_test(cut_files_are_refused),
        cmocka_unit_test(foreign_and_later_files_are_refused),
        cmocka_unit_test(read_only_files_are_read),
        cmocka_unit_test(a_full_disk_loses_nothing),
    };
    const struct CMUnitTest servers[] = {cmocka_unit_test(check_finds_damage_in_each_table)};
    const int failed = cmocka_run_group_tests(files, test_group_setup, test_group_teardown);
    return failed + cmocka_run_group_tests(servers, setup_server, teardown_server);
}
