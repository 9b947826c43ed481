// URIs and tidy paths.
#include "cli/debug/dap_paths.h"

#include <string.h>

#include "foundation/error.h"
#include "support/test_support.h"

static void expect_uri(const char *uri, const char *expected, const char *message) {
    char path[CT_PATH_BYTES] = "";
    ct_error error = {0};
    assert_int_equal(ct_dap_path_of_uri(uri, path, &error), expected != NULL);
    if (expected)
        assert_string_equal(path, expected);
    else
        assert_non_null(strstr(error.message, message));
}

static void reads_uris(void **state) {
    (void)state;
    expect_uri("file:///a%20b/%C3%a4.lua?x#y", "/a b/\xc3\xa4.lua", NULL);
    expect_uri("file://localhost/a", "/a", NULL);
    expect_uri("file://host/a", NULL, "not a file of this machine");
    expect_uri("http://localhost/a", NULL, "not a file of this machine");
    expect_uri("file:///a%2", NULL, "bad escape");
    expect_uri("file:///a%", NULL, "bad escape");
    expect_uri("file:///a%00b", NULL, "bad escape");
    ct_string_builder uri;
    ct_string_builder_init(&uri, test_heap());
    ct_dap_add_uri(&uri, "/a b/\xc3\xa4#.lua");
    assert_string_equal(ct_string_builder_text(&uri), "file:///a%20b/%C3%A4%23.lua");
    expect_uri(ct_string_builder_text(&uri), "/a b/\xc3\xa4#.lua", NULL);
    ct_string_builder_free(&uri);
}

static void refuses_long_uris_and_paths(void **state) {
    (void)state;
    char uri[CT_PATH_BYTES + 16], path[CT_PATH_BYTES];
    memset(uri, 'x', sizeof(uri));
    memcpy(uri, "file:///", 8);
    uri[sizeof(uri) - 1] = '\0';
    expect_uri(uri, NULL, "more than 1023 bytes");
    assert_false(ct_dap_tidy_path(uri + 7, path));
    uri[7 + CT_PATH_BYTES - 1] = '\0';
    expect_uri(uri, uri + 7, NULL);
    assert_true(ct_dap_tidy_path(uri + 7, path));
}

static void tidies_paths(void **state) {
    (void)state;
    static const char *const paths[][2] = {{"/a//b/./c/", "/a/b/c"},
                                           {"/a/../../b", "/b"},
                                           {"/", "/"},
                                           {"/..", "/"},
                                           {"/a/..b/...", "/a/..b/..."}};
    char tidy[CT_PATH_BYTES];
    for (uint32_t i = 0; i < CT_COUNT_OF(paths); ++i) {
        assert_true(ct_dap_tidy_path(paths[i][0], tidy));
        assert_string_equal(tidy, paths[i][1]);
    }
    assert_false(ct_dap_tidy_path("a/b", tidy));
    assert_false(ct_dap_tidy_path("", tidy));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_uris),
        cmocka_unit_test(refuses_long_uris_and_paths),
        cmocka_unit_test(tidies_paths),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
