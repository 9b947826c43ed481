#include "foundation/os/path.h"
#include "support/test_support.h"

#include <string.h>

static void joins_folder_and_name(void **state) {
    (void)state;
    char path[CT_PATH_BYTES];
    ct_path_join(path, "a/b", "c.txt");
    assert_string_equal(path, "a/b/c.txt");
    ct_path_join(path, "a/", "c");
    assert_string_equal(path, "a/c");
    ct_path_join(path, "/", "c");
    assert_string_equal(path, "/c");
    ct_path_join(path, "a", "");
    assert_string_equal(path, "a");
}

static void join_leaves_absolute_names_and_empty_folders_alone(void **state) {
    (void)state;
    char path[CT_PATH_BYTES];
    ct_path_join(path, "a/b", "/etc/x");
    assert_string_equal(path, "/etc/x");
    ct_path_join(path, "", "x");
    assert_string_equal(path, "x");
}

static void joins_in_place(void **state) {
    (void)state;
    char path[CT_PATH_BYTES] = "a";
    ct_path_join(path, path, "b");
    ct_path_join(path, path, "c");
    assert_string_equal(path, "a/b/c");
}

static void try_join_refuses_what_does_not_fit(void **state) {
    (void)state;
    char name[CT_PATH_BYTES];
    memset(name, 'x', sizeof(name));
    name[CT_PATH_BYTES - 3] = 0;
    char path[CT_PATH_BYTES] = "kept";
    assert_true(ct_path_try_join(path, "f", name)); // 1 + 1 + 1021 and the zero: just fits
    assert_int_equal(strlen(path), CT_PATH_BYTES - 1);
    strcpy(path, "kept");
    assert_false(ct_path_try_join(path, "ff", name));
    assert_string_equal(path, "kept");
}

static void takes_paths_apart(void **state) {
    (void)state;
    char folder[CT_PATH_BYTES];
    ct_path_folder(folder, "a/b/c.txt");
    assert_string_equal(folder, "a/b");
    ct_path_folder(folder, "c.txt");
    assert_string_equal(folder, "");
    ct_path_folder(folder, "/c.txt");
    assert_string_equal(folder, "/");
    assert_string_equal(ct_path_file_name("a/b/c.txt"), "c.txt");
    assert_string_equal(ct_path_file_name("c.txt"), "c.txt");
    assert_string_equal(ct_path_file_name("a/"), "");
}

static void extension_is_that_of_the_file_name(void **state) {
    (void)state;
    assert_string_equal(ct_path_extension("a/b.tar.gz"), "gz");
    assert_string_equal(ct_path_extension("a.folder/b"), "");
    assert_string_equal(ct_path_extension("a."), "");
}

static void knows_canonical_paths(void **state) {
    (void)state;
    static const char *const good[] = {"a", "units/crate.unit", "a-b/c_d.9", "..a", "a.."};
    for (uint32_t i = 0; i < CT_COUNT_OF(good); ++i)
        assert_true(ct_path_is_canonical(good[i]));
    static const char *const bad[] = {"",   "/a", "a/",  "a//b", "./a", "a/../b",   "a/..", ".",
                                      "..", "A",  "a b", "a\\b", "c:a", "\xc3\xa4", "a/B/c"};
    for (uint32_t i = 0; i < CT_COUNT_OF(bad); ++i)
        assert_false(ct_path_is_canonical(bad[i]));
}

static void canonical_paths_fit_a_path(void **state) {
    (void)state;
    char path[CT_PATH_BYTES + 1];
    memset(path, 'a', sizeof(path));
    path[CT_PATH_BYTES] = 0;
    assert_false(ct_path_is_canonical(path));
    path[CT_PATH_BYTES - 1] = 0;
    assert_true(ct_path_is_canonical(path));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joins_folder_and_name),
        cmocka_unit_test(join_leaves_absolute_names_and_empty_folders_alone),
        cmocka_unit_test(joins_in_place),
        cmocka_unit_test(try_join_refuses_what_does_not_fit),
        cmocka_unit_test(takes_paths_apart),
        cmocka_unit_test(extension_is_that_of_the_file_name),
        cmocka_unit_test(knows_canonical_paths),
        cmocka_unit_test(canonical_paths_fit_a_path),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
