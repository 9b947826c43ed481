#include "foundation/error.h"
#include "foundation/os/file.h"
#include "foundation/os/os.h"
#include "foundation/os/path.h"
#include "support/test_support.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[CT_PATH_BYTES];

static int new_folder(void **state) {
    (void)state;
    strcpy(folder, test_scratch_folder());
    return 0;
}

// One of two buffers in turn, so that a call may have two paths.
static const char *below(const char *name) {
    static char paths[2][CT_PATH_BYTES];
    static uint32_t turn;
    char *const path = paths[turn++ % 2];
    ct_path_join(path, folder, name);
    return path;
}

static void put(const char *name, const char *text) {
    char parent[CT_PATH_BYTES];
    const char *const path = below(name);
    ct_path_folder(parent, path);
    assert_true(ct_folder_create(parent, NULL));
    assert_true(ct_file_write(path, text, strlen(text), false, NULL));
}

static void expect_content(const char *name, const char *text) {
    uint64_t size_bytes = 0;
    ct_error error = {0};
    char *const data = ct_file_read(test_heap(), below(name), &size_bytes, &error);
    if (!data)
        fail_msg("%s", error.message);
    assert_int_equal(size_bytes, strlen(text));
    assert_string_equal(data, text);
    ct_free(test_heap(), data);
}

static void count_entry(void *user, const char *name) {
    (void)name;
    ++*(uint32_t *)user;
}

static uint32_t entry_count(const char *name) {
    uint32_t count = 0;
    assert_true(ct_os_folder_list(below(name), count_entry, &count, NULL));
    return count;
}

// --- Reading and writing -------------------------------------------------------------------------

static void replaces_what_people_own(void **state) {
    (void)state;
    struct stat info;
    assert_true(ct_file_replace(below("new"), "a", 1, false, NULL));
    put("own", "before");
    assert_int_equal(chmod(below("own"), 0640), 0);
    assert_int_equal(symlink("own", below("to_own")), 0);
    assert_true(ct_file_replace(below("to_own"), "after", 5, true, NULL));
    expect_content("own", "after");
    assert_int_equal(stat(below("own"), &info), 0);
    assert_int_equal(info.st_mode & 0777, 0640);
    assert_int_equal(lstat(below("to_own"), &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    ct_error error = {0};
    assert_int_equal(chmod(below("own"), 0440), 0);
    assert_false(ct_file_replace(below("to_own"), "again", 5, false, &error));
    assert_non_null(strstr(error.message, "read-only"));
    expect_content("own", "after");
    assert_int_equal(entry_count("."), 3);
}

static void reads_what_was_written(void **state) {
    (void)state;
    put("a", "hello");
    expect_content("a", "hello");
    put("a", "");
    expect_content("a", "");
    const char zeros[] = "a\0b";
    assert_true(ct_file_write(below("b"), zeros, 3, true, NULL));
    uint64_t size_bytes = 0;
    char *const data = ct_file_read(test_heap(), below("b"), &size_bytes, NULL);
    assert_int_equal(size_bytes, 3);
    assert_memory_equal(data, "a\0b", 4);
    ct_free(test_heap(), data);
}

static void reads_files_that_do_not_tell_their_size(void **state) {
    (void)state;
    uint64_t size_bytes = 0;
    char *const data = ct_file_read(test_heap(), "/proc/self/status", &size_bytes, NULL);
    assert_non_null(strstr(data, "Name:\ttest_file\n"));
    assert_int_equal(strlen(data), size_bytes);
    ct_free(test_heap(), data);
}

static void read_errors_name_the_path(void **state) {
    (void)state;
    uint64_t size_bytes = 77;
    ct_error error = {0};
    assert_null(ct_file_read(test_heap(), "/nowhere/a", &size_bytes, &error));
    assert_string_equal(error.message, "cannot read /nowhere/a: No such file or directory");
    assert_null(ct_file_read(test_heap(), "/tmp", &size_bytes, &error));
    assert_string_equal(error.message, "cannot read /tmp: it is a folder");
    assert_int_equal(size_bytes, 77);
}

static void write_leaves_nothing_beside_the_file(void **state) {
    (void)state;
    put("a", "one");
    put("a", "two");
    assert_int_equal(entry_count(""), 1);
}

// The path once, and why.
static void expect_message(const ct_error *error, const char *path, const char *reason) {
    char expected[2 * CT_PATH_BYTES];
    snprintf(expected, sizeof(expected), "cannot write %s: %s", path, reason);
    assert_string_equal(error->message, expected);
}

static void failed_write_leaves_the_old_file(void **state) {
    (void)state;
    put("full/a", "old");
    ct_error error = {0};
    // A folder in the place of the file: the rename fails, after the temporary was written.
    assert_false(ct_file_write(below("full"), "new", 3, false, &error));
    expect_message(&error, below("full"), "Is a directory");
    expect_content("full/a", "old");
    assert_int_equal(entry_count(""), 1);
}

static void write_into_no_folder_is_an_error(void **state) {
    (void)state;
    ct_error error = {0};
    assert_false(ct_file_write(below("none/a"), "x", 1, false, &error));
    expect_message(&error, below("none/a"), "No such file or directory");
}

static void paths_that_are_too_long_are_errors(void **state) {
    (void)state;
    char name[CT_PATH_BYTES + 8];
    memset(name, 'x', sizeof(name));
    name[sizeof(name) - 1] = 0;
    ct_error error = {0};
    assert_false(ct_file_write(name, "x", 1, false, &error));
    assert_non_null(strstr(error.message, "a path is longer than 1023 bytes: xxx"));
    assert_false(ct_folder_create(name, &error));
    assert_false(ct_folder_remove(name, &error));
    assert_false(ct_folder_walk(name, NULL, NULL, &error));
    assert_non_null(strstr(error.message, "a path is longer than 1023 bytes: xxx"));
}

typedef struct rewriting {
    const char *path;
    char letter;
} rewriting;

static void rewrite(void *data) {
    const rewriting *const r = data;
    char text[4096];
    memset(text, r->letter, sizeof(text));
    for (uint32_t i = 0; i < 100; ++i)
        if (!ct_file_write(r->path, text, sizeof(text), false, NULL))
            return;
}

static void readers_never_see_half_a_file(void **state) {
    (void)state;
    char path[CT_PATH_BYTES];
    ct_path_join(path, folder, "a");
    rewriting a = {path, 'a'}, b = {path, 'b'};
    rewrite(&a);
    const ct_thread threads[] = {ct_thread_start("a", rewrite, &a),
                                 ct_thread_start("b", rewrite, &b)};
    for (uint32_t i = 0; i < 100; ++i) {
        uint64_t size_bytes = 0;
        char *const text = ct_file_read(test_heap(), path, &size_bytes, NULL);
        assert_int_equal(size_bytes, 4096);
        const char letter[] = {text[0], 0};
        assert_int_equal(strspn(text, letter), 4096);
        ct_free(test_heap(), text);
    }
    ct_thread_join(threads[0]);
    ct_thread_join(threads[1]);
    assert_int_equal(entry_count(""), 1);
}

// --- Folders -------------------------------------------------------------------------------------

static void creates_folders_above(void **state) {
    (void)state;
    ct_error error = {0};
    assert_true(ct_folder_create(below("a/b/c"), &error));
    assert_int_equal(ct_os_file_info(below("a/b/c")).kind, CT_FILE_KIND_FOLDER);
    assert_true(ct_folder_create(below("a/b/c"), &error));
    assert_true(ct_folder_create(below("a/d/"), &error));
    put("file", "x");
    assert_false(ct_folder_create(below("file/b"), &error));
    assert_non_null(strstr(error.message, "file: File exists"));
}

static void removes_folders_with_their_contents(void **state) {
    (void)state;
    put("a/b/c", "x");
    put("a/.hidden/c", "x");
    ct_error error = {0};
    assert_true(ct_folder_remove(below("a"), &error));
    assert_int_equal(ct_os_file_info(below("a")).kind, CT_FILE_KIND_NONE);
    assert_true(ct_folder_remove(below("a"), &error));
}

static void remove_does_not_follow_links(void **state) {
    (void)state;
    put("kept/file", "x");
    put("a/file", "x");
    assert_int_equal(symlink(below("kept"), below("a/link")), 0);
    assert_int_equal(symlink("/nowhere/at/all", below("a/dangling")), 0);
    ct_error error = {0};
    assert_true(ct_folder_remove(below("a"), &error));
    assert_int_equal(symlink(below("kept"), below("link")), 0);
    assert_true(ct_folder_remove(below("link"), &error));
    assert_false(ct_os_file_info(below("link")).is_link);
    expect_content("kept/file", "x");
}

static void remove_refuses_a_file(void **state) {
    (void)state;
    put("file", "x");
    ct_error error = {0};
    assert_false(ct_folder_remove(below("file"), &error));
    assert_non_null(strstr(error.message, "file: it is a file"));
    expect_content("file", "x");
}

static void copies_all_files(void **state) {
    (void)state;
    put("from/a", "1");
    put("from/b/c/d", "2");
    put("from/.gitignore", "3");
    ct_error error = {0};
    assert_true(ct_folder_copy(below("from"), below("to/there"), &error));
    expect_content("to/there/a", "1");
    expect_content("to/there/b/c/d", "2");
    expect_content("to/there/.gitignore", "3");
    assert_false(ct_folder_copy(below("none"), below("other"), &error));
    assert_non_null(strstr(error.message, "none: No such file"));
    assert_int_equal(ct_os_file_info(below("other")).kind, CT_FILE_KIND_NONE);
}

static void copies_into_a_folder_below_the_source(void **state) {
    (void)state;
    put("from/a", "1");
    ct_error error = {0};
    assert_true(ct_folder_copy(below("from"), below("from/copy"), &error));
    expect_content("from/copy/a", "1");
    assert_int_equal(entry_count("from/copy"), 1);
}

// --- Walking -------------------------------------------------------------------------------------

typedef struct walked {
    char paths[4 * CT_PATH_BYTES]; // one a line
    uint32_t end_after;
    ct_found_file last;
} walked;

static bool note_file(void *user, const ct_found_file *file) {
    walked *w = user;
    strcat(strcat(w->paths, file->path), "\n");
    w->last = *file;
    return --w->end_after > 0;
}

static void walks_in_the_order_of_path_bytes(void **state) {
    (void)state;
    static const char *const names[] = {"b", "a/x", "a-b/x", "a.b", "a/b/c", "B", "a0", "\xc3\xa4"};
    for (uint32_t i = 0; i < CT_COUNT_OF(names); ++i)
        put(names[i], "x");
    walked w = {.end_after = 100};
    assert_true(ct_folder_walk(folder, note_file, &w, NULL));
    assert_string_equal(w.paths, "B\na-b/x\na.b\na/b/c\na/x\na0\nb\n\xc3\xa4\n");
}

static void walk_passes_over_hidden_names_and_linked_folders(void **state) {
    (void)state;
    put("a/file", "x");
    put(".hidden/file", "x");
    put("a/.file", "x");
    assert_int_equal(symlink(folder, below("a/loop")), 0);
    assert_int_equal(symlink("file", below("a/link")), 0);
    assert_int_equal(symlink("nowhere", below("a/dangling")), 0);
    walked w = {.end_after = 100};
    assert_true(ct_folder_walk(folder, note_file, &w, NULL));
    assert_string_equal(w.paths, "a/file\na/link\n");
}

static void walk_of_all_tells_of_linked_folders_and_does_not_follow(void **state) {
    (void)state;
    put("a/file", "x");
    assert_int_equal(symlink(folder, below("a/loop")), 0);
    assert_int_equal(symlink("file", below("a/link")), 0);
    assert_int_equal(symlink("nowhere", below("a/dangling")), 0);
    walked w = {.end_after = 100};
    assert_true(ct_folder_walk_all(folder, note_file, &w, NULL));
    assert_string_equal(w.paths, "a/dangling\na/file\na/link\na/loop\n");
    assert_true(w.last.is_link && w.last.is_folder);
}

static void walk_of_all_tells_of_what_is_no_file(void **state) {
    (void)state;
    put("a/file", "x");
    assert_int_equal(mkfifo(below("a/pipe"), 0600), 0);
    walked w = {.end_after = 100};
    assert_true(ct_folder_walk_all(folder, note_file, &w, NULL));
    assert_string_equal(w.paths, "a/file\na/pipe\n");
    assert_true(w.last.is_other && !w.last.is_folder && !w.last.is_broken_link);
    w = (walked){.end_after = 100};
    assert_true(ct_folder_walk(folder, note_file, &w, NULL));
    assert_string_equal(w.paths, "a/file\n");
}

// Paths that are too long cannot be written down, but made from the folder they lie in.
static void walk_of_all_tells_of_paths_that_are_too_long(void **state) {
    (void)state;
    char parent[CT_PATH_BYTES], name[128];
    put("a", "x");
    ct_path_join(parent, "", folder);
    while (strlen(parent) + 101 < CT_PATH_BYTES - 20) {
        memset(name, 'd', 100);
        name[100] = 0;
        ct_path_join(parent, parent, name);
    }
    assert_true(ct_folder_create(parent, NULL));
    const int at = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    assert_true(at >= 0);
    memset(name, 'f', 120);
    name[120] = 0;
    const int file = openat(at, name, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    assert_true(file >= 0);
    memset(name, 'g', 120);
    assert_int_equal(mkdirat(at, name, 0700), 0);
    assert_int_equal(mkdirat(at, ".hidden_and_so_not_told_of_at_all_whatever_its_length", 0700), 0);
    static walked w;
    w = (walked){.end_after = 100};
    assert_true(ct_folder_walk_all(folder, note_file, &w, NULL));
    assert_true(w.last.is_too_long && w.last.is_folder);
    assert_memory_equal(w.paths, "a\nddd", 5);
    assert_int_equal(strlen(w.paths), 2 + 2 * (strlen(parent) - strlen(folder) + 121));
    ct_error error = {0};
    assert_false(ct_folder_walk(folder, note_file, &w, &error));
    assert_non_null(strstr(error.message, "a path is longer than 1023 bytes"));
    close(file);
    assert_int_equal(unlinkat(at, name, AT_REMOVEDIR), 0);
    memset(name, 'f', 120);
    assert_int_equal(unlinkat(at, name, 0), 0);
    close(at);
}

static void walk_tells_what_file_info_tells(void **state) {
    (void)state;
    put("file", "12345");
    walked w = {.end_after = 100};
    char with_slash[CT_PATH_BYTES];
    ct_path_join(with_slash, folder, "./");
    assert_true(ct_folder_walk(with_slash, note_file, &w, NULL));
    assert_string_equal(w.paths, "file\n");
    const ct_file_info info = ct_os_file_info(below("file"));
    assert_int_equal(w.last.size_bytes, 5);
    assert_int_equal(w.last.modified_ns, info.modified_ns);
    assert_int_equal(w.last.inode, info.inode);
}

static void walk_ends_when_the_visitor_says_so(void **state) {
    (void)state;
    put("a", "x");
    put("b", "x");
    put("c", "x");
    walked w = {.end_after = 2};
    assert_true(ct_folder_walk(folder, note_file, &w, NULL));
    assert_string_equal(w.paths, "a\nb\n");
}

static void walk_of_no_folder_is_an_error(void **state) {
    (void)state;
    walked w = {.end_after = 100};
    ct_error error = {0};
    assert_false(ct_folder_walk("/nowhere/at/all", note_file, &w, &error));
    assert_string_equal(error.message,
                        "cannot list the folder /nowhere/at/all: No such file or directory");
}

// --- Locks ---------------------------------------------------------------------------------------

static void a_lock_has_one_holder_who_says_its_number(void **state) {
    (void)state;
    ct_file_lock first = {0}, second = {0};
    int64_t holder = 1;
    assert_true(ct_file_lock_try(below("lock"), &first, &holder, NULL));
    assert_int_not_equal(first.file_plus_one, 0);
    assert_int_equal(holder, 0);
    assert_true(ct_file_lock_try(below("lock"), &second, &holder, NULL));
    assert_int_equal(second.file_plus_one, 0);
    assert_int_equal(holder, ct_os_process_id());
    ct_file_lock_release(&first);
    assert_true(ct_file_lock_try(below("lock"), &second, &holder, NULL));
    assert_int_not_equal(second.file_plus_one, 0);
    ct_file_lock_release(&second);
    ct_file_lock_release(&second);
}

static void a_folder_is_locked_by_one_or_shared(void **state) {
    (void)state;
    ct_file_lock locks[3] = {{0}};
    ct_error error = {0};
    const char *const place = below("folder");
    assert_true(ct_folder_create(place, NULL));
    assert_true(ct_folder_lock_try(place, CT_LOCK_KIND_SHARED, &locks[0], NULL));
    assert_true(ct_folder_lock_try(place, CT_LOCK_KIND_SHARED, &locks[1], NULL));
    assert_true(ct_folder_lock_try(place, CT_LOCK_KIND_ALONE, &locks[2], NULL));
    assert_true(locks[0].file_plus_one && locks[1].file_plus_one && !locks[2].file_plus_one);
    ct_file_lock_release(&locks[0]);
    ct_file_lock_release(&locks[1]);
    assert_true(ct_folder_lock_try(place, CT_LOCK_KIND_ALONE, &locks[2], NULL));
    assert_true(ct_folder_lock_try(place, CT_LOCK_KIND_SHARED, &locks[0], NULL));
    assert_true(locks[2].file_plus_one && !locks[0].file_plus_one);
    ct_file_lock_release(&locks[2]);
    assert_true(ct_os_folder_remove(place, NULL)); // nothing was made in it
    assert_false(ct_folder_lock_try(place, CT_LOCK_KIND_SHARED, &locks[0], &error));
    assert_non_null(strstr(error.message, "cannot lock"));
}

static void a_lock_in_no_folder_is_an_error(void **state) {
    (void)state;
    ct_file_lock lock;
    int64_t holder = 0;
    ct_error error = {0};
    assert_false(ct_file_lock_try(below("nowhere/lock"), &lock, &holder, &error));
    assert_non_null(strstr(error.message, "cannot lock"));
}

#define FILE_TEST(f) cmocka_unit_test_setup(f, new_folder)

static void finds_the_absolute_path_of_a_file_that_is_not_there(void **state) {
    (void)state;
    char expected[CT_PATH_BYTES], found[CT_PATH_BYTES], here[CT_PATH_BYTES];
    ct_error error = {0};
    assert_true(ct_os_absolute_path(folder, expected, NULL));
    ct_path_join(expected, expected, "new.png");
    assert_true(ct_os_absolute_path(".", here, NULL));
    assert_int_equal(chdir(folder), 0);
    assert_true(ct_file_absolute_path("new.png", found, &error));
    assert_string_equal(found, expected);
    assert_false(ct_file_absolute_path("nowhere/new.png", found, &error));
    assert_non_null(strstr(error.message, "cannot find nowhere"));
    assert_int_equal(chdir(here), 0);
    assert_true(ct_file_absolute_path("/new.png", found, &error));
    assert_string_equal(found, "/new.png");
    char long_path[CT_PATH_BYTES + 1];
    memset(long_path, 'x', CT_PATH_BYTES);
    long_path[CT_PATH_BYTES] = 0;
    assert_false(ct_file_absolute_path(long_path, found, &error));
    assert_non_null(strstr(error.message, "a path is longer than"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        FILE_TEST(replaces_what_people_own),
        FILE_TEST(reads_what_was_written),
        FILE_TEST(reads_files_that_do_not_tell_their_size),
        FILE_TEST(read_errors_name_the_path),
        FILE_TEST(write_leaves_nothing_beside_the_file),
        FILE_TEST(failed_write_leaves_the_old_file),
        FILE_TEST(write_into_no_folder_is_an_error),
        FILE_TEST(paths_that_are_too_long_are_errors),
        FILE_TEST(readers_never_see_half_a_file),
        FILE_TEST(creates_folders_above),
        FILE_TEST(removes_folders_with_their_contents),
        FILE_TEST(remove_does_not_follow_links),
        FILE_TEST(remove_refuses_a_file),
        FILE_TEST(copies_all_files),
        FILE_TEST(copies_into_a_folder_below_the_source),
        FILE_TEST(walks_in_the_order_of_path_bytes),
        FILE_TEST(walk_passes_over_hidden_names_and_linked_folders),
        FILE_TEST(walk_of_all_tells_of_linked_folders_and_does_not_follow),
        FILE_TEST(walk_of_all_tells_of_what_is_no_file),
        FILE_TEST(walk_of_all_tells_of_paths_that_are_too_long),
        FILE_TEST(walk_tells_what_file_info_tells),
        FILE_TEST(walk_ends_when_the_visitor_says_so),
        FILE_TEST(walk_of_no_folder_is_an_error),
        FILE_TEST(a_lock_has_one_holder_who_says_its_number),
        FILE_TEST(a_folder_is_locked_by_one_or_shared),
        FILE_TEST(a_lock_in_no_folder_is_an_error),
        FILE_TEST(finds_the_absolute_path_of_a_file_that_is_not_there),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
