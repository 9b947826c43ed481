// Processes killed at random moments: nothing that was acknowledged is lost, and the file opens.
#include "database/database_fixture.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "foundation/os/os.h"

enum { MAX_KEYS = 100000 };

static const ct_guid root;

// Commits 1, 2, 3, … and says each on `pipe` once it is acknowledged.
static void commit_for_ever(const char *path, int pipe, uint32_t from) {
    ct_database *const db = database_open(path, NULL);
    for (uint32_t i = from;; ++i) {
        char key[16];
        snprintf(key, sizeof(key), "k%u", i % 97);
        database_set_number(db, root, key, i);
        database_set_number(db, root, "last", i);
        database_commit(db);
        if (write(pipe, &i, sizeof(i)) != sizeof(i))
            _exit(1);
    }
}

static void nothing_acknowledged_is_lost(void **state) {
    (void)state;
    char path[CT_PATH_BYTES];
    snprintf(path, sizeof(path), "%s", database_path("killed.db"));
    ct_database_close(database_open(path, NULL));
    uint32_t random = 7, last = 0;
    for (uint32_t round = 0; round < test_rounds(20, 200); ++round) {
        int pipes[2];
        assert_int_equal(pipe(pipes), 0);
        const pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0)
            commit_for_ever(path, pipes[1], last + 1);
        close(pipes[1]);
        // After so many were acknowledged, and a moment that differs.
        uint32_t acknowledged = last;
        for (uint32_t i = test_random(&random) % 40; i > 0; --i)
            if (read(pipes[0], &acknowledged, sizeof(acknowledged)) != sizeof(acknowledged))
                break;
        ct_os_sleep_ns(test_random(&random) % 2000000);
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        for (uint32_t more; read(pipes[0], &more, sizeof(more)) == sizeof(more);)
            acknowledged = more;
        close(pipes[0]);
        ct_database *const db = database_open(path, NULL);
        if (acknowledged > 0) {
            const double found = database_number(db, root, "last");
            assert_true(found == acknowledged ||
                        found == acknowledged + 1); // one more may have been written
            last = (uint32_t)found;
            char key[16];
            snprintf(key, sizeof(key), "k%u", last % 97);
            assert_true(database_number(db, root, key) == found);
        }
        ct_database_close(db);
    }
    assert_true(last > 0);
}

// Stores a local change, then commits it from what is stored: 1, 2, 3, …
static void store_and_commit_for_ever(const char *path, int pipe, uint32_t from) {
    for (uint32_t i = from;; ++i) {
        char key[16];
        snprintf(key, sizeof(key), "once%u", i);
        ct_database *db = database_open(path, NULL);
        database_set_number(db, root, key, i);
        ct_database_close(db);
        db = database_open(path, NULL);
        database_commit(db);
        ct_database_close(db);
        if (write(pipe, &i, sizeof(i)) != sizeof(i))
            _exit(1);
    }
}

// Counts how often each was committed.
static bool count_keys(void *user, const ct_database_commit *commit) {
    uint8_t *const counts = user;
    for (uint32_t i = 0; i < commit->operations.list.count; ++i) {
        const ct_database_operation *const op = &commit->operations.list.items[i];
        const uint32_t number = (uint32_t)op->value.number;
        assert_true(number < MAX_KEYS);
        ++counts[number];
    }
    return true;
}

static void stored_local_changes_are_committed_once(void **state) {
    (void)state;
    ct_error error = {0};
    char path[CT_PATH_BYTES];
    snprintf(path, sizeof(path), "%s", database_path("once.db"));
    ct_database_close(database_open(path, NULL));
    uint8_t *const counts = calloc(MAX_KEYS, 1);
    uint32_t random = 3, next = 1;
    for (uint32_t round = 0; round < test_rounds(20, 200); ++round) {
        int pipes[2];
        assert_int_equal(pipe(pipes), 0);
        const pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0)
            store_and_commit_for_ever(path, pipes[1], next);
        close(pipes[1]);
        uint32_t done;
        for (uint32_t i = test_random(&random) % 4; i > 0; --i)
            if (read(pipes[0], &done, sizeof(done)) != sizeof(done))
                break;
        ct_os_sleep_ns(test_random(&random) % 20000000);
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        close(pipes[0]);
        ct_database *const db = database_open(path, NULL);
        database_commit(db); // what was stored
        memset(counts, 0, MAX_KEYS);
        assert_true(ct_database_history(db, count_keys, counts, &error));
        for (next = 1; next < MAX_KEYS && counts[next]; ++next)
            assert_int_equal(counts[next], 1);
        ct_database_close(db);
    }
    assert_true(next > 1);
    free(counts);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stored_local_changes_are_committed_once),
        cmocka_unit_test(nothing_acknowledged_is_lost),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
