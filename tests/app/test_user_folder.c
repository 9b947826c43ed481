#include "support/test_support.h"

#include <stdlib.h>
#include <string.h>

#include "app/user_folder.h"

static void assert_path(const char *title, const char *expected) {
    char path[CT_PATH_BYTES];
    assert_true(ct_user_file_path(path, title, "input.sjson"));
    assert_string_equal(path, expected);
}

static void lies_in_the_folder_of_the_environment(void **state) {
    (void)state;
    setenv("HOME", "/home/ann", 1);
    setenv("XDG_CONFIG_HOME", "/config", 1);
    assert_path("A new game", "/config/cuttle/a_new_game/input.sjson");
    setenv("XDG_CONFIG_HOME", "relative", 1);
    assert_path("x", "/home/ann/.config/cuttle/x/input.sjson");
    unsetenv("XDG_CONFIG_HOME");
    assert_path("x", "/home/ann/.config/cuttle/x/input.sjson");
    unsetenv("HOME");
    char path[CT_PATH_BYTES];
    assert_false(ct_user_file_path(path, "x", "input.sjson"));
}

static void makes_a_folder_name_of_any_title(void **state) {
    (void)state;
    setenv("XDG_CONFIG_HOME", "/c", 1);
    assert_path("Cuttle: crates!", "/c/cuttle/cuttle_crates/input.sjson");
    assert_path("../../etc/passwd", "/c/cuttle/etc_passwd/input.sjson");
    assert_path("ゲーム", "/c/cuttle/game/input.sjson");
    char title[2000];
    memset(title, 'x', sizeof(title) - 1);
    title[sizeof(title) - 1] = '\0';
    char path[CT_PATH_BYTES];
    assert_true(ct_user_file_path(path, title, "input.sjson"));
    setenv("XDG_CONFIG_HOME", title, 1);
    title[0] = '/';
    setenv("XDG_CONFIG_HOME", title, 1);
    assert_false(ct_user_file_path(path, "x", "input.sjson"));
}

static void has_a_folder_for_what_can_be_made_again(void **state) {
    (void)state;
    char path[CT_PATH_BYTES];
    setenv("HOME", "/home/ann", 1);
    setenv("XDG_CACHE_HOME", "/cache", 1);
    assert_true(ct_user_cache_folder(path, "A new game"));
    assert_string_equal(path, "/cache/cuttle/a_new_game");
    unsetenv("XDG_CACHE_HOME");
    assert_true(ct_user_cache_folder(path, "x"));
    assert_string_equal(path, "/home/ann/.cache/cuttle/x");
    unsetenv("HOME");
    assert_false(ct_user_cache_folder(path, "x"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lies_in_the_folder_of_the_environment),
        cmocka_unit_test(makes_a_folder_name_of_any_title),
        cmocka_unit_test(has_a_folder_for_what_can_be_made_again),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
