// What is special about a server: it goes away, others own it, passwords.
#include <sys/wait.h>
#include <unistd.h>

#include "database/store/store_fixture.h"

static bool has_server;

#define NEED_SERVER()                                                                              \
    if (!has_server) {                                                                             \
        print_message("PostgreSQL is not installed (package postgresql-15)\n");                    \
        skip();                                                                                    \
    }

static uint32_t num_commits(ct_database_store *store, ct_database_branch *branch) {
    store_read_branch(store, branch);
    char *const log = store_log(store, NULL, &branch->has);
    uint32_t count = 0;
    for (const char *c = log; *c; ++c)
        count += *c == '\n';
    ct_free(test_heap(), log);
    return count;
}

static void a_server_that_goes_in_mid_commit_keeps_nothing(void **state) {
    (void)state;
    NEED_SERVER();
    ct_database_store *const store = store_open(store_new_location());
    const ct_database_store_functions *const f = store->functions;
    ct_database_branch branch = store_branch(store, "main");
    const ct_database_operation op = store_create(1);
    ct_error error = {0};
    store_commit(store, &branch, &op, 1, NULL);
    assert_true(f->begin(store, &branch, &error));
    const ct_database_stamp stamp = {.time = ct_database_vector_last(&branch.has) + 1,
                                     .replica = branch.replica};
    assert_true(f->append(store, stamp, ct_database_vector_last(&branch.has), "x", 1, &error));
    ct_database_vector_add(&branch.has, stamp);
    store_server_kill();
    assert_true(store_server_continue());
    assert_false(f->end(store, &branch, true, &error));
    assert_non_null(strstr(error.message, "nothing was kept"));
    // The next call connects again.
    assert_int_equal(num_commits(store, &branch), 1);
    store_commit(store, &branch, &op, 1, NULL);
    // While it is away, each call says so.
    store_server_kill();
    bool found, changed;
    assert_false(f->read_branch(store, &branch, &found, &error));
    assert_non_null(strstr(error.message, "cannot connect to the server"));
    assert_false(f->begin(store, &branch, &error));
    assert_false(f->wait(store, 0, &changed, &error));
    assert_true(store_server_continue());
    assert_true(f->wait(store, 0, &changed, &error));
    assert_true(changed); // it may have missed something
    assert_int_equal(num_commits(store, &branch), 2);
    ct_database_branch_free(&branch);
    store_close(store);
}

// Commits while another process kills and starts the server. Checks what each answer says.
static void commit_until_killed(ct_database_store *store, uint32_t *num_acknowledged,
                                uint32_t *num_unknown) {
    ct_database_branch branch;
    ct_database_branch_init(&branch, test_heap(), "main");
    const ct_database_operation op = store_create(1);
    const uint64_t begin = ct_os_time_ns();
    ct_error error = {0};
    for (uint32_t num_errors = 0;
         num_errors == 0 && ct_os_time_ns() - begin < UINT64_C(20000000000);) {
        error.message[0] = 0;
        if (store_try_commit(store, &branch, &op, 1, NULL, &error)) {
            ++*num_acknowledged;
            continue;
        }
        ++num_errors;
        *num_unknown += strstr(error.message, "not known") ? 1 : 0;
        assert_non_null(strstr(error.message, "the server"));
    }
    ct_database_branch_free(&branch);
}

static void what_was_acknowledged_is_kept(void **state) {
    (void)state;
    NEED_SERVER();
    const char *const location = store_new_location();
    uint32_t num_acknowledged = 0, num_unknown = 0, random = 77;
    ct_database_store *store = store_open(location);
    ct_database_branch branch = store_branch(store, "main");
    store_close(store);
    for (uint32_t i = 0; i < test_rounds(3, 30); ++i) {
        const uint64_t pause_ns = test_random(&random) % 200 * UINT64_C(1000000);
        store = store_open(location);
        store_read_branch(store, &branch);
        const pid_t child = fork();
        if (child == 0) {
            ct_os_sleep_ns(pause_ns);
            store_server_kill();
            _exit(!store_server_continue());
        }
        commit_until_killed(store, &num_acknowledged, &num_unknown);
        store_close(store);
        int status;
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_int_equal(status, 0);
    }
    store = store_open(location);
    const uint32_t count = num_commits(store, &branch);
    assert_in_range(count, num_acknowledged, num_acknowledged + num_unknown);
    ct_database_branch_free(&branch);
    store_close(store);
}

static void strangers_are_refused(void **state) {
    (void)state;
    NEED_SERVER();
    const char *const location = store_new_location();
    const char *const database = store_database(location);
    ct_error error = {0};
    assert_null(ct_database_store_open(test_heap(), location, false, &error));
    assert_non_null(strstr(error.message, "no schema \"cuttle\""));
    assert_true(store_server_sql(database, "CREATE SCHEMA cuttle; CREATE TABLE cuttle.log(x int)"));
    assert_null(ct_database_store_open(test_heap(), location, true, &error));
    assert_non_null(strstr(error.message, "is not one that this Cuttle made"));
    assert_true(store_server_sql(database, "SELECT x FROM cuttle.log")); // as it was
    assert_true(store_server_sql(database, "DROP SCHEMA cuttle CASCADE"));
    store_close(store_open(location));
    assert_true(store_server_sql(database, "UPDATE cuttle.about SET version=2"));
    assert_null(ct_database_store_open(test_heap(), location, true, &error));
    assert_non_null(strstr(error.message, "version 2"));
    assert_true(store_server_sql(database,
                                 "UPDATE cuttle.about SET version=1;"
                                 "CREATE RULE r AS ON INSERT TO cuttle.log DO INSTEAD NOTHING"));
    assert_null(ct_database_store_open(test_heap(), location, true, &error));
    assert_non_null(strstr(error.message, "is not one that this Cuttle made"));
    assert_true(store_server_sql(database, "CREATE DATABASE latin ENCODING 'LATIN1' "
                                           "TEMPLATE template0"));
    char latin[256];
    snprintf(latin, sizeof(latin), "%.*slatin", (int)(database - location), location);
    assert_null(ct_database_store_open(test_heap(), latin, true, &error));
    assert_non_null(strstr(error.message, "encoding LATIN1"));
}

static void passwords_are_not_shown(void **state) {
    (void)state;
    NEED_SERVER();
    const char *const location = store_new_location();
    static const char secret[] = "geheim-42";
    char with[512];
    snprintf(with, sizeof(with), "%s password='%s'", location, secret);
    ct_database_store *const store = store_open(with);
    assert_null(strstr(store->location, secret));
    assert_null(strstr(store->location, "password"));
    assert_non_null(strstr(store->location, "user=cuttle"));
    store_close(store);
    static const char *const wrong[] = {
        "postgresql://ann:geheim-42@127.0.0.1:1/game",
        "host=127.0.0.1 port=1 user=ann password=geheim-42",
        "password=geheim-42 = x",
        "postgresql://ann:geheim-42@[::1/game",
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(wrong); ++i) {
        ct_error error = {0};
        assert_null(ct_database_store_open(test_heap(), wrong[i], true, &error));
        assert_true(error.message[0]);
        assert_null(strstr(error.message, secret));
    }
}

static int setup(void **state) {
    const int result = test_group_setup(state);
    store_is_server = true;
    has_server = store_server_start();
    return result;
}

static int teardown(void **state) {
    if (has_server)
        store_server_stop();
    return test_group_teardown(state);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_server_that_goes_in_mid_commit_keeps_nothing),
        cmocka_unit_test(what_was_acknowledged_is_kept),
        cmocka_unit_test(strangers_are_refused),
        cmocka_unit_test(passwords_are_not_shown),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
