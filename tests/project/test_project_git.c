#include "support/test_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/memory/temp_allocator.h"
#include "foundation/os/file.h"
#include "foundation/os/os.h"
#include "project/project_git.h"
#include "project/project_journal.h"

// A repository with the project `game` in it, and a file that is tracked.
static char project[CT_PATH_BYTES];

static void shell(const char *command) {
    char text[2 * CT_PATH_BYTES];
    snprintf(text, sizeof(text), "cd '%s' && { %s; } >/dev/null 2>&1", project, command);
    const char *const arguments[] = {"/bin/sh", "-c", text, NULL};
    const ct_process_desc desc = {.arguments = arguments};
    const ct_process process = ct_process_start(&desc, NULL);
    if (process.pid == 0 || ct_process_wait(process) != 0)
        fail_msg("failed: %s", command);
}

static int new_repository(void **state) {
    (void)state;
    ct_path_join(project, test_scratch_folder(), "my repository/game");
    if (!ct_folder_create(project, NULL))
        return 1;
    shell("git -C .. init -q && printf one > a.txt && printf two > 'a b.txt' && git add .");
    return 0;
}

static ct_git_entries read_index(ct_allocator *a) {
    ct_git_entries entries;
    ct_error error = {0};
    ct_array_init(&entries, a);
    if (!ct_git_read_index(a, project, &entries, &error))
        fail_msg("%s", error.message);
    return entries;
}

static void reads_the_index_below_the_project(void **state) {
    (void)state;
    CT_TEMP_ALLOCATOR(a, test_heap());
    shell("printf x > ../outside.txt && git add ..");
    const ct_git_entries entries = read_index(a);
    assert_int_equal(entries.count, 2);
    assert_string_equal(entries.items[0].path, "a b.txt");
    assert_string_equal(entries.items[1].path, "a.txt");
    assert_int_equal(entries.items[1].mode, 0100644);
    assert_false(entries.items[1].is_unmerged);
}

static void knows_when_the_index_is_locked(void **state) {
    (void)state;
    assert_false(ct_git_is_index_locked(project));
    shell("touch ../.git/index.lock");
    assert_true(ct_git_is_index_locked(project));
    shell("rm ../.git/index.lock");
    assert_false(ct_git_is_index_locked(project));
    assert_false(ct_git_is_index_locked("/proc"));
}

static void knows_when_the_index_of_another_work_tree_is_locked(void **state) {
    (void)state;
    char tree[CT_PATH_BYTES];
    ct_path_join(tree, project, "../../tree");
    shell("git -c user.name=a -c user.email=a@b commit -qm a && git worktree add -q ../../tree");
    assert_false(ct_git_is_index_locked(tree));
    shell("touch \"$(git -C ../../tree rev-parse --absolute-git-dir)/index.lock\"");
    assert_true(ct_git_is_index_locked(tree));
    assert_false(ct_git_is_index_locked(project));
}

static void moves_entries_as_git_does(void **state) {
    (void)state;
    CT_TEMP_ALLOCATOR(a, test_heap());
    const ct_git_entries before = read_index(a);
    const ct_git_move moves[] = {
        {"a b.txt", "new folder/c.txt", before.items[0].object, before.items[0].mode}};
    for (uint32_t i = 0; i < 2; ++i) { // and once more
        ct_error error = {0};
        if (!ct_git_move_entries(a, project, moves, 1, &error))
            fail_msg("%s", error.message);
        const ct_git_entries after = read_index(a);
        assert_int_equal(after.count, 2);
        assert_string_equal(after.items[0].path, "a.txt");
        assert_string_equal(after.items[1].path, "new folder/c.txt");
        assert_string_equal(after.items[1].object, before.items[0].object);
    }
}

static void says_when_git_fails(void **state) {
    (void)state;
    CT_TEMP_ALLOCATOR(a, test_heap());
    ct_git_entries entries;
    ct_error error = {0};
    ct_array_init(&entries, a);
    assert_true(ct_git_has_work_tree(project));
    shell("printf garbage > ../.git/index");
    assert_false(ct_git_read_index(a, project, &entries, &error));
    assert_string_equal(error.message, "`git ls-files` failed with exit status 128");
}

// Another git holds the index: the files move, and the next command tells it to git.
static void a_locked_index_is_waited_for(void **state) {
    (void)state;
    CT_TEMP_ALLOCATOR(a, test_heap());
    ct_error error = {0};
    assert_true(ct_git_check_unlocked(a, project, &error));
    shell("touch ../.git/index.lock");
    assert_false(ct_git_check_unlocked(a, project, &error));
    assert_non_null(strstr(error.message, ".git/index.lock if no such program is running"));
    shell("rm ../.git/index.lock");
    assert_true(ct_git_check_unlocked(a, project, &error));
}

static void a_journal_waits_for_git(void **state) {
    (void)state;
    CT_TEMP_ALLOCATOR(a, test_heap());
    const ct_git_entries before = read_index(a);
    ct_journal journal;
    ct_string_array report;
    ct_error error = {0};
    bool is_begun = false;
    ct_array_init(&report, a);
    ct_journal_init(&journal, a);
    ct_array_push(&journal.changes, (ct_journal_change){.from = "a.txt",
                                                        .to = "b.txt",
                                                        .git_mode = before.items[1].mode,
                                                        .git_object = before.items[1].object});
    shell("touch ../.git/index.lock");
    assert_false(ct_journal_run(a, project, &journal, &is_begun, &report, &error));
    assert_true(is_begun);
    assert_string_equal(error.message, "`git update-index` failed with exit status 128");
    shell("test -f b.txt && rm ../.git/index.lock");
    assert_true(ct_journal_finish(a, project, &report, &error));
    assert_int_equal(report.count, 1);
    assert_string_equal(read_index(a).items[1].path, "b.txt");
    assert_false(ct_journal_is_there(project));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(reads_the_index_below_the_project, new_repository),
        cmocka_unit_test_setup(knows_when_the_index_is_locked, new_repository),
        cmocka_unit_test_setup(knows_when_the_index_of_another_work_tree_is_locked, new_repository),
        cmocka_unit_test_setup(moves_entries_as_git_does, new_repository),
        cmocka_unit_test_setup(says_when_git_fails, new_repository),
        cmocka_unit_test_setup(a_locked_index_is_waited_for, new_repository),
        cmocka_unit_test_setup(a_journal_waits_for_git, new_repository),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
