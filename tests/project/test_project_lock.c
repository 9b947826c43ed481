#include "project/project_lock.h"

#include <string.h>

#include "foundation/error.h"
#include "foundation/os/file.h"
#include "foundation/os/os.h"
#include "support/test_support.h"

static char project[CT_PATH_BYTES], own[CT_PATH_BYTES], elsewhere[2][CT_PATH_BYTES];

static int new_project(void **state) {
    (void)state;
    char folder[CT_PATH_BYTES];
    ct_path_join(folder, "", test_scratch_folder());
    ct_path_join(project, folder, "game");
    ct_path_join(elsewhere[0], folder, "data.lock");
    ct_path_join(elsewhere[1], folder, "other.lock");
    return ct_folder_create(project, NULL) && ct_project_lock_path(project, own, NULL) ? 0 : 1;
}

static bool is_tired(void *user) {
    return ++*(uint32_t *)user > 2;
}

// Takes the lock; false when somebody else has it.
static bool take(const char *path, bool changes_sources, ct_project_lock *lock) {
    uint32_t num_asked = 0;
    ct_error error = {0};
    const ct_project_lock_desc desc = {.path = path,
                                       .project = project,
                                       .changes_sources = changes_sources,
                                       .is_cancelled = is_tired,
                                       .user = &num_asked};
    const bool result = ct_project_lock_take(&desc, lock, &error);
    if (!result) {
        assert_string_equal(error.message, "compiling was cancelled");
        assert_true(!lock->file.file_plus_one && !lock->sources.file_plus_one);
    }
    return result;
}

static void the_project_is_compiled_by_one(void **state) {
    (void)state;
    ct_project_lock first, second;
    assert_true(take(own, false, &first));
    assert_false(take(own, false, &second));
    assert_false(take(own, true, &second));
    ct_project_lock_release(&first);
    assert_true(take(own, true, &second));
    ct_project_lock_release(&second);
    ct_project_lock_release(&second);
}

static void data_elsewhere_are_compiled_beside_it(void **state) {
    (void)state;
    ct_project_lock locks[3], another;
    assert_true(take(own, false, &locks[0]));
    assert_true(take(elsewhere[0], false, &locks[1]));
    assert_true(take(elsewhere[1], false, &locks[2]));
    assert_false(take(elsewhere[1], false, &another));
    for (uint32_t i = 0; i < 3; ++i)
        ct_project_lock_release(&locks[i]);
}

static void who_changes_sources_waits_for_all_who_read_them(void **state) {
    (void)state;
    ct_project_lock readers[2], writer;
    assert_true(take(elsewhere[0], false, &readers[0]));
    assert_true(take(elsewhere[1], false, &readers[1]));
    assert_false(take(own, true, &writer));
    ct_project_lock_release(&readers[0]);
    assert_false(take(own, true, &writer));
    ct_project_lock_release(&readers[1]);
    assert_true(take(own, true, &writer));
    assert_false(take(elsewhere[0], false, &readers[0])); // which is free again, though
    ct_project_lock_release(&writer);
    assert_true(take(elsewhere[0], false, &readers[0]));
    ct_project_lock_release(&readers[0]);
}

static void put_journal(const char *text) {
    char path[CT_PATH_BYTES];
    ct_path_join(path, project, ".cuttle/cache/journal");
    assert_true(ct_file_write(path, text, strlen(text), false, NULL));
}

// A bad journal is as good as any: it is set aside.
static void a_journal_waits_for_all_who_read_sources(void **state) {
    (void)state;
    ct_project_lock reader, lock;
    assert_true(take(elsewhere[0], false, &reader));
    put_journal("none");
    assert_false(take(own, false, &lock));
    assert_false(take(elsewhere[1], false, &lock));
    ct_project_lock_release(&reader);
    assert_true(take(elsewhere[1], false, &lock));
    assert_true(take(own, false, &reader)); // it is finished, and its lock given back
    ct_project_lock_release(&reader);
    ct_project_lock_release(&lock);
    put_journal("none");
    assert_true(take(own, false, &lock));
    assert_true(take(elsewhere[0], false, &reader)); // who only compiles lets others read again
    ct_project_lock_release(&reader);
    ct_project_lock_release(&lock);
}

static void data_without_a_project_need_no_sources(void **state) {
    (void)state;
    ct_project_lock writer, reader;
    const ct_project_lock_desc desc = {.path = elsewhere[0]};
    assert_true(take(own, true, &writer));
    assert_true(ct_project_lock_take(&desc, &reader, NULL));
    ct_project_lock_release(&reader);
    ct_project_lock_release(&writer);
}

#define TEST(name) cmocka_unit_test_setup(name, new_project)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(the_project_is_compiled_by_one),
        TEST(data_elsewhere_are_compiled_beside_it),
        TEST(who_changes_sources_waits_for_all_who_read_them),
        TEST(a_journal_waits_for_all_who_read_sources),
        TEST(data_without_a_project_need_no_sources),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
