// Processes killed at random moments: nothing that was acknowledged is lost, and the file opens.
#include "database/database_fixture.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "foundation/os/os.h"

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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_acknowledged_is_lost),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
