#include "foundation/error.h"
#include "foundation/os/file.h"
#include "foundation/os/os.h"
#include "foundation/os/path.h"
#include "support/test_support.h"

#include <string.h>

static const uint64_t second_ns = 1000000000; // how long a change may take to show
static const uint64_t quiet_ns = 50000000;    // how long nothing must show

typedef struct fixture {
    char folder[CT_PATH_BYTES];
    ct_file_watch *watch;
} fixture;

static fixture fix;

static const char *below(const char *name) {
    static char path[CT_PATH_BYTES];
    ct_path_join(path, fix.folder, name);
    return path;
}

static void make_folder(const char *name) {
    assert_true(ct_os_folder_make(below(name), NULL));
}

// Writes in place, as `>` of a shell does.
static void write_file(const char *name) {
    const int file = ct_os_file_open_write(below(name), NULL);
    assert_true(file >= 0);
    assert_true(ct_os_file_write(file, "x", 1, NULL));
    ct_os_file_close(file);
}

static void rename_to(const char *from, const char *to) {
    char target[CT_PATH_BYTES];
    ct_path_join(target, fix.folder, to);
    assert_true(ct_os_file_rename(below(from), target, NULL));
}

static bool changes(void) {
    return ct_file_watch_wait(fix.watch, second_ns);
}

// Takes what is there; true when nothing came after all.
static bool is_quiet(void) {
    return !ct_file_watch_wait(fix.watch, quiet_ns);
}

static void settle(void) {
    while (!is_quiet()) {
    }
}

static int watch_scratch(void **state) {
    (void)state;
    strcpy(fix.folder, test_scratch_folder());
    make_folder("old");
    make_folder("old/deep");
    make_folder(".hidden");
    write_file("old/deep/file");
    ct_error error = {0};
    fix.watch = ct_file_watch_create(test_heap(), fix.folder, &error);
    assert_non_null(fix.watch);
    return 0;
}

static int stop_watching(void **state) {
    (void)state;
    ct_file_watch_destroy(fix.watch);
    return 0;
}

static void sees_nothing_when_nothing_happens(void **state) {
    (void)state;
    const uint64_t start = ct_os_time_ns();
    assert_true(is_quiet());
    assert_true(ct_os_time_ns() - start >= quiet_ns);
}

static void sees_writes_in_old_folders(void **state) {
    (void)state;
    write_file("old/deep/file");
    assert_true(changes());
    settle();
    assert_true(ct_file_write(below("old/deep/file"), "y", 1, false, NULL)); // by rename
    assert_true(changes());
}

static void knows_a_file_that_is_half_written(void **state) {
    (void)state;
    assert_false(ct_file_watch_is_writing(fix.watch));
    const int file = ct_os_file_open_write(below("old/deep/file"), NULL);
    assert_true(ct_os_file_write(file, "x", 1, NULL));
    assert_true(is_quiet()); // until it is closed
    assert_true(ct_file_watch_is_writing(fix.watch));
    ct_os_file_close(file);
    assert_true(changes());
    settle();
    assert_false(ct_file_watch_is_writing(fix.watch));
}

static void forgets_a_half_written_file_that_is_removed(void **state) {
    (void)state;
    const int file = ct_os_file_open_write(below("old/deep/file"), NULL);
    assert_true(ct_os_file_write(file, "x", 1, NULL));
    assert_true(ct_os_file_remove(below("old/deep/file"), NULL));
    assert_true(changes());
    assert_false(ct_file_watch_is_writing(fix.watch));
    ct_os_file_close(file);
}

static void counts_changes(void **state) {
    (void)state;
    for (uint32_t i = 0; i < 5; ++i)
        assert_true(ct_file_write(below("old/deep/file"), "y", 1, false, NULL));
    assert_true(ct_file_watch_wait(fix.watch, second_ns) >= 5);
}

static void sees_removal(void **state) {
    (void)state;
    assert_true(ct_os_file_remove(below("old/deep/file"), NULL));
    assert_true(changes());
}

static void sees_new_nested_folder_and_write_in_it(void **state) {
    (void)state;
    assert_true(ct_folder_create(below("new/and/deeper"), NULL));
    assert_true(changes());
    settle();
    write_file("new/and/deeper/file");
    assert_true(changes());
}

static void sees_writes_after_a_folder_was_renamed(void **state) {
    (void)state;
    rename_to("old", "renamed");
    assert_true(changes());
    settle();
    write_file("renamed/deep/file");
    assert_true(changes());
    settle();
    make_folder("renamed/deep/new"); // its path must be found by the new name
    assert_true(changes());
    settle();
    write_file("renamed/deep/new/file");
    assert_true(changes());
}

static void forgets_folders_that_moved_away(void **state) {
    (void)state;
    const char *const elsewhere = test_scratch_folder();
    char target[CT_PATH_BYTES], file[CT_PATH_BYTES];
    ct_path_join(target, elsewhere, "gone");
    ct_path_join(file, target, "deep/file");
    assert_true(ct_os_file_rename(below("old"), target, NULL));
    assert_true(changes());
    settle();
    assert_true(ct_file_write(file, "x", 1, false, NULL));
    assert_true(is_quiet());
}

static void forgets_removed_folders_and_sees_them_again(void **state) {
    (void)state;
    for (uint32_t i = 0; i < 3; ++i) {
        assert_true(ct_folder_remove(below("old"), NULL));
        assert_true(changes());
        settle();
        assert_true(ct_folder_create(below("old/deep"), NULL));
        assert_true(changes());
        settle();
        write_file("old/deep/file");
        assert_true(changes());
        settle();
    }
}

static void passes_over_hidden_names(void **state) {
    (void)state;
    write_file(".hidden/file");
    write_file("old/.file");
    make_folder("old/.folder");
    write_file("old/.folder/file");
    assert_true(is_quiet());
}

static void reading_is_no_change(void **state) {
    (void)state;
    uint64_t size_bytes = 0;
    char *const text = ct_file_read(test_heap(), below("old/deep/file"), &size_bytes, NULL);
    assert_string_equal(text, "x");
    ct_free(test_heap(), text);
    assert_true(is_quiet());
}

static void survives_an_overflow_of_events(void **state) {
    (void)state;
    // More than the system queues (16,384 by default), each a folder made and removed.
    for (uint32_t i = 0; i < 10000; ++i) {
        make_folder("old/many");
        assert_true(ct_os_folder_remove(below("old/many"), NULL));
    }
    make_folder("old/last");
    make_folder("old/last/inner");
    assert_true(changes());
    settle();
    write_file("old/last/inner/file");
    assert_true(changes());
}

static void folder_that_is_not_there_is_an_error(void **state) {
    (void)state;
    ct_error error = {0};
    assert_null(ct_file_watch_create(test_heap(), "/nowhere/at/all", &error));
    assert_string_equal(error.message, "cannot watch /nowhere/at/all: No such file or directory");
    ct_file_watch_destroy(NULL);
}

#define WATCH_TEST(f) cmocka_unit_test_setup_teardown(f, watch_scratch, stop_watching)

int main(void) {
    const struct CMUnitTest tests[] = {
        WATCH_TEST(sees_nothing_when_nothing_happens),
        WATCH_TEST(sees_writes_in_old_folders),
        WATCH_TEST(knows_a_file_that_is_half_written),
        WATCH_TEST(forgets_a_half_written_file_that_is_removed),
        WATCH_TEST(counts_changes),
        WATCH_TEST(sees_removal),
        WATCH_TEST(sees_new_nested_folder_and_write_in_it),
        WATCH_TEST(sees_writes_after_a_folder_was_renamed),
        WATCH_TEST(forgets_folders_that_moved_away),
        WATCH_TEST(forgets_removed_folders_and_sees_them_again),
        WATCH_TEST(passes_over_hidden_names),
        WATCH_TEST(reading_is_no_change),
        WATCH_TEST(survives_an_overflow_of_events),
        cmocka_unit_test(folder_that_is_not_there_is_an_error),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
