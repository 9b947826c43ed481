#include "player/player_data.h"

#include <string.h>

#include "foundation/error.h"
#include "foundation/os/file.h"
#include "support/test_support.h"

static char root[CT_PATH_BYTES], executable[CT_PATH_BYTES], found[CT_PATH_BYTES];
static ct_error error;

// A scratch folder with the executable at `place`, which need not be there, and a folder `data`.
static void lay_out(const char *place, const char *data) {
    char path[CT_PATH_BYTES];
    memset(&error, 0, sizeof(error));
    ct_path_join(root, "", test_scratch_folder());
    ct_path_join(executable, root, place);
    ct_path_join(path, root, data);
    assert_true(ct_folder_create(path, &error));
}

static void assert_found(const char *place) {
    char expected[CT_PATH_BYTES];
    ct_path_join(expected, root, place);
    assert_string_equal(found, expected);
}

static void looks_beside_the_executable_first(void **state) {
    (void)state;
    lay_out("game/player", "game/data");
    char above[CT_PATH_BYTES];
    ct_path_join(above, root, "data");
    assert_true(ct_folder_create(above, &error));
    assert_true(ct_player_data_folder(found, NULL, executable, &error));
    assert_found("game/data");
}

static void looks_beside_the_executables_folder_then(void **state) {
    (void)state;
    lay_out("game/bin/player", "game/data");
    assert_true(ct_player_data_folder(found, NULL, executable, &error));
    assert_found("game/data");
}

static void takes_the_folder_that_is_asked_for(void **state) {
    (void)state;
    lay_out("game/player", "game/data");
    char other[CT_PATH_BYTES];
    ct_path_join(other, root, "other");
    assert_false(ct_player_data_folder(found, other, executable, &error));
    assert_non_null(
        strstr(error.message, "other\" does not exist; expected the compiled data of a game"));
    assert_true(ct_folder_create(other, &error));
    assert_true(ct_player_data_folder(found, other, executable, &error));
    assert_found("other");
}

static void names_where_it_looked_in_vain(void **state) {
    (void)state;
    lay_out("game/bin/player", "elsewhere");
    assert_false(ct_player_data_folder(found, NULL, executable, &error));
    assert_non_null(strstr(error.message, "game/bin/data\" nor \""));
    assert_non_null(strstr(error.message, "game/data\"; name the folder with --data"));
}

static void refuses_a_path_that_does_not_fit(void **state) {
    (void)state;
    char path[CT_PATH_BYTES];
    memset(path, 'x', sizeof(path) - 1);
    path[0] = '/';
    path[sizeof(path) - 3] = '/';
    path[sizeof(path) - 1] = '\0';
    assert_false(ct_player_data_folder(found, NULL, path, &error));
    assert_string_equal(error.message, "the path of the player is too long");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(looks_beside_the_executable_first),
        cmocka_unit_test(looks_beside_the_executables_folder_then),
        cmocka_unit_test(takes_the_folder_that_is_asked_for),
        cmocka_unit_test(names_where_it_looked_in_vain),
        cmocka_unit_test(refuses_a_path_that_does_not_fit),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
