#include "support/test_support.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "dev/web/web_path.h"
#include "foundation/error.h"
#include "foundation/os/file.h"
#include "foundation/os/os.h"

static void expect_area(const char *path, ct_web_area area, const char *file) {
    char found[CT_PATH_BYTES] = "";
    assert_int_equal(ct_web_area_of(path, strlen(path), found), area);
    if (file)
        assert_string_equal(found, file);
}

static void paths_name_pages_files_and_the_console(void **state) {
    (void)state;
    expect_area("/", CT_WEB_AREA_PAGES, "index.html");
    expect_area("/main.js", CT_WEB_AREA_PAGES, "main.js");
    expect_area("/help/", CT_WEB_AREA_PAGES, "help/index.html");
    expect_area("/projects/a.js", CT_WEB_AREA_PAGES, "projects/a.js");
    expect_area("/project/", CT_WEB_AREA_PROJECT, "index.html");
    expect_area("/project/units/move.html", CT_WEB_AREA_PROJECT, "units/move.html");
    expect_area("/project/a.b/c..d", CT_WEB_AREA_PROJECT, "a.b/c..d");
    expect_area("/project", CT_WEB_AREA_MOVED, NULL);
    expect_area("/console", CT_WEB_AREA_CONSOLE, NULL);
    expect_area("/console/", CT_WEB_AREA_PAGES, "console/index.html");
}

static void paths_that_lead_elsewhere_name_nothing(void **state) {
    (void)state;
    static const char *const wrong[] = {"",
                                        "index.html",
                                        "//",
                                        "/..",
                                        "/../secret",
                                        "/project/..",
                                        "/project/../../secret",
                                        "/project/a/../b",
                                        "/project/./a",
                                        "/project/.git/config",
                                        "/.env",
                                        "/project//etc/passwd",
                                        "/project/a\\b",
                                        "/project/a\nb",
                                        "/a/\x7f"};
    for (uint32_t i = 0; i < CT_COUNT_OF(wrong); ++i)
        expect_area(wrong[i], CT_WEB_AREA_NONE, NULL);
    char found[CT_PATH_BYTES];
    assert_int_equal(ct_web_area_of("/a\0b", 4, found), CT_WEB_AREA_NONE);
}

static void paths_that_are_too_long_name_nothing(void **state) {
    (void)state;
    char path[CT_PATH_BYTES + 32], found[CT_PATH_BYTES];
    memset(path, 'a', sizeof(path));
    path[0] = '/';
    assert_int_equal(ct_web_area_of(path, CT_PATH_BYTES, found), CT_WEB_AREA_PAGES);
    assert_int_equal(strlen(found), CT_PATH_BYTES - 1);
    assert_int_equal(ct_web_area_of(path, CT_PATH_BYTES + 1, found), CT_WEB_AREA_NONE);
    path[CT_PATH_BYTES - 1] = '/';
    assert_int_equal(ct_web_area_of(path, CT_PATH_BYTES, found), CT_WEB_AREA_NONE);
}

static void types_follow_from_extensions(void **state) {
    (void)state;
    assert_string_equal(ct_web_content_type("a/index.html"), "text/html; charset=utf-8");
    assert_string_equal(ct_web_content_type("main.js"), "text/javascript; charset=utf-8");
    assert_string_equal(ct_web_content_type("a.wasm"), "application/wasm");
    assert_string_equal(ct_web_content_type("a.tar.svg"), "image/svg+xml");
    assert_string_equal(ct_web_content_type("html"), "application/octet-stream");
    assert_string_equal(ct_web_content_type("a.HTML5"), "application/octet-stream");
}

static void only_regular_files_inside_of_the_folder_are_found(void **state) {
    (void)state;
    const char *const scratch = test_scratch_folder();
    char folder[CT_PATH_BYTES], path[CT_PATH_BYTES], found[CT_PATH_BYTES];
    ct_error error = {0};
    ct_path_join(folder, scratch, "tools");
    assert_true(ct_os_folder_make(folder, &error));
    ct_path_join(path, folder, "inner");
    assert_true(ct_os_folder_make(path, &error));
    ct_path_join(path, folder, "a.html");
    assert_true(ct_file_write(path, "a", 1, false, &error));
    ct_path_join(path, scratch, "tools_secret");
    assert_true(ct_file_write(path, "s", 1, false, &error));
    ct_path_join(path, folder, "link_in");
    assert_int_equal(symlink("a.html", path), 0);
    ct_path_join(path, folder, "link_out");
    assert_int_equal(symlink("../tools_secret", path), 0);
    ct_path_join(path, folder, "link_away");
    assert_int_equal(symlink("/etc", path), 0);

    assert_true(ct_web_find_file(folder, "a.html", found));
    assert_string_equal(ct_path_file_name(found), "a.html");
    assert_true(ct_web_find_file(folder, "link_in", found));
    assert_string_equal(ct_path_file_name(found), "a.html");
    assert_false(ct_web_find_file(folder, "link_out", found));
    assert_false(ct_web_find_file(folder, "link_away/passwd", found));
    assert_false(ct_web_find_file(folder, "../tools_secret", found));
    assert_false(ct_web_find_file(folder, "/etc/passwd", found));
    assert_false(ct_web_find_file(folder, "inner", found));
    assert_false(ct_web_find_file(folder, "missing", found));
    assert_false(ct_web_find_file(NULL, "a.html", found));
    assert_false(ct_web_find_file("/no/such/folder", "a.html", found));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paths_name_pages_files_and_the_console),
        cmocka_unit_test(paths_that_lead_elsewhere_name_nothing),
        cmocka_unit_test(paths_that_are_too_long_name_nothing),
        cmocka_unit_test(types_follow_from_extensions),
        cmocka_unit_test(only_regular_files_inside_of_the_folder_are_found),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
