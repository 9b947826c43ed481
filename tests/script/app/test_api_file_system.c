// FileSystem and the player's settings: only inside the player's folder.
#include "foundation/os/file.h"
#include "foundation/os/os.h"
#include "foundation/os/path.h"
#include "script/api_fixture.h"

#include <stdlib.h>

static char data_folder[2048]; // in place of the player's own

static int set_up_folder(void **state) {
    set_up(state);
    snprintf(data_folder, sizeof(data_folder), "%s/player", f.world.folder);
    setenv("XDG_DATA_HOME", data_folder, 1);
    return 0;
}

#define FOLDER_TEST(test) cmocka_unit_test_setup_teardown(test, set_up_folder, tear_down)

static ct_file_kind kind_of(const char *name) {
    char path[4096];
    snprintf(path, sizeof(path), "%s/cuttle/%s", data_folder, name);
    return ct_os_file_info(path).kind;
}

static void write_text(const char *name, const char *text) {
    char path[4096], folder[CT_PATH_BYTES];
    ct_error error;
    snprintf(path, sizeof(path), "%s/cuttle/%s", data_folder, name);
    ct_path_folder(folder, path);
    assert_true(ct_folder_create(folder, &error));
    assert_true(ct_file_write(path, text, strlen(text), false, &error));
}

// --- FileSystem ----------------------------------------------------------------------------------

static void makes_one_folder_and_works_in_it(void **state) {
    (void)state;
    assert_lua(&f, "FileSystem.appdata_path()", "nil");
    assert_lua(&f, "FileSystem.project_path()", "/project");
    run_lua(&f, "FileSystem.initialize('my_game')");
    assert_int_equal(kind_of("project/my_game"), CT_FILE_KIND_FOLDER);
    char expected[4096];
    snprintf(expected, sizeof(expected), "%s/cuttle/project/my_game", data_folder);
    assert_lua(&f, "FileSystem.appdata_path()", expected);
    assert_lua(&f,
               "FileSystem.exists('saves'), FileSystem.make_directory('saves/old'), "
               "FileSystem.exists('saves')",
               "false\ttrue\ttrue");
    assert_int_equal(kind_of("project/my_game/saves/old"), CT_FILE_KIND_FOLDER);
    run_lua(&f, "FileSystem.shutdown()");
    assert_lua(&f, "FileSystem.appdata_path()", "nil");
}

static void removes_files(void **state) {
    (void)state;
    run_lua(&f, "FileSystem.initialize('my_game')");
    write_text("project/my_game/first.save", "x");
    assert_lua(&f, "FileSystem.remove_file('first.save'), FileSystem.remove_file('first.save')",
               "1\t0");
    assert_int_equal(kind_of("project/my_game/first.save"), CT_FILE_KIND_NONE);
    run_lua(&f, "FileSystem.make_directory('folder')");
    assert_lua(&f, "FileSystem.remove_file('folder')", "0");
}

static void says_what_cannot_be_made(void **state) {
    (void)state;
    run_lua(&f, "FileSystem.initialize('my_game')");
    write_text("project/my_game/file", "x");
    assert_lua(&f, "FileSystem.make_directory('file/folder')", "false");
}

static void files_of_other_games_are_out_of_reach(void **state) {
    (void)state;
    write_text("other/first.save", "x");
    run_lua(&f, "FileSystem.initialize('other')");
    assert_lua(&f, "FileSystem.exists('first.save'), FileSystem.remove_file('first.save')",
               "false\t0");
    assert_int_equal(kind_of("other/first.save"), CT_FILE_KIND_FILE);
    assert_int_equal(kind_of("project/other"), CT_FILE_KIND_FOLDER);
}

static void refuses_paths_outside_of_the_folder(void **state) {
    (void)state;
    assert_lua_error(&f, "FileSystem.exists('a')", "call FileSystem.initialize first");
    assert_lua_error(&f, "FileSystem.initialize('../other')", "argument 1 (path): expected a name");
    assert_lua_error(&f, "FileSystem.initialize('/etc')", "argument 1 (path): expected a name");
    run_lua(&f, "FileSystem.initialize('my_game')");
    static const char *const paths[] = {"../x", "/etc/passwd", "a/../../x", "",
                                        ".",    "a//b",        "a\\\\b"};
    for (uint32_t i = 0; i < CT_COUNT_OF(paths); ++i) {
        char lua[128];
        snprintf(lua, sizeof(lua), "FileSystem.remove_file('%s')", paths[i]);
        assert_lua_error(&f, lua, "argument 1 (path): expected a path like");
    }
    char lua[4096];
    snprintf(lua, sizeof(lua), "FileSystem.exists(('x'):rep(%d))", CT_PATH_BYTES);
    assert_lua_error(&f, lua, "argument 1 (path): expected a path like");
}

// --- The player's settings -----------------------------------------------------------------------

static void keeps_settings_of_the_player(void **state) {
    (void)state;
    assert_lua(&f, "Application.user_setting('volume')", "nil");
    run_lua(&f, "Application.set_user_setting('volume', 0.5) "
                "Application.set_user_setting('keys', 'jump', 'space')");
    assert_lua(&f, "Application.user_setting('volume'), Application.user_setting('keys', 'jump')",
               "0.5\tspace");
    assert_int_equal(kind_of("project/user_settings.json"), CT_FILE_KIND_NONE);
    run_lua(&f, "Application.save_user_settings()");
    assert_int_equal(kind_of("project/user_settings.json"), CT_FILE_KIND_FILE);
    assert_lua(&f, "Application.user_settings_load_error()", "false");
}

static void reads_settings_of_the_player(void **state) {
    (void)state;
    write_text("project/user_settings.json",
               "{\"volume\": 0.25, \"keys\": {\"jump\": \"j\"}, \"list\": [1, 2]}");
    assert_lua(&f,
               "Application.user_setting('volume'), Application.user_setting('keys', 'jump'), "
               "Application.user_setting('list', 2)",
               "0.25\tj\t2");
}

static void starts_without_settings_that_are_broken(void **state) {
    (void)state;
    write_text("project/user_settings.json", "{\"volume\": ");
    assert_lua(&f, "Application.user_settings_load_error(), Application.user_setting('volume')",
               "true\tnil");
    assert_non_null(strstr(logged, "user_settings.json:1:"));
    run_lua(&f, "Application.set_user_setting('volume', 1) Application.save_user_settings()");
    assert_int_equal(kind_of("project/user_settings.json"), CT_FILE_KIND_FILE);
}

// A setting that no file can hold, and what the error says of it.
typedef struct refused_setting {
    const char *arguments, *message;
} refused_setting;

static void refuses_settings_that_no_file_can_hold(void **state) {
    (void)state;
    static const refused_setting refused[] = {
        {"'unit', C", "the setting \"unit\" is a value of the type Unit"},
        {"'f', print", "the setting \"f\" is a value of the type function"},
        {"'v', Vector3(1, 2, 3)", "the setting \"v\" is a value of the type Vector3"},
        {"'v', Vector3Box(1, 2, 3)", "the setting \"v\" is a value of the type Vector3Box"},
        {"'n', 0/0", "the setting \"n\" is the number "},
        {"'n', 1/0", "the setting \"n\" is the number inf"},
        {"'s', '\\255'", "the setting \"s\" is a string that is not UTF-8"},
        {"'k', {keys = {jump = print}}", "the setting \"k.keys.jump\" is a value"},
        {"'k', 'keys', {1, {[2] = 1}}", "the setting \"k.keys.2\" is an array with holes"},
        {"'m', {1, 2, a = 3}", "the setting \"m\" has both names and numbers"},
        {"'m', {[1.5] = 3}", "the setting \"m\" has a number as a key that is not"},
        {"'m', {[true] = 3}", "the setting \"m\" has a key that is neither"},
        {"'m', {['\\255'] = 3}", "the setting \"m\" has a name that is not UTF-8"},
        {"'m', {['a\\0b'] = 3}",
         "the setting \"m\" has a name that is not UTF-8 text without zero"},
        {"'loop', loop", "is a table inside itself, or inside too many tables"},
        {"1, 'x'", "has a number as its first index"},
        {"'list', 4, 'x'", "the setting \"list\" would be an array with holes"},
        {"'list', 1, nil", "the setting \"list\" would be an array with holes"},
        {"'list', 'a', 'x'", "the setting \"list\" would have both names and numbers"},
        {"'named', 1, 'x'", "the setting \"named\" would have both names and numbers"},
        {"'new', 2, 'x'", "the setting \"new\" would be an array with holes"},
    };
    run_lua(&f, "loop = {} loop.a = loop Application.set_user_setting('list', {1, 2}) "
                "Application.set_user_setting('list', 2, 3) "
                "Application.set_user_setting('named', 'a', 'b', {x = 1})");
    for (uint32_t i = 0; i < CT_COUNT_OF(refused); ++i) {
        char lua[256];
        snprintf(lua, sizeof(lua), "Application.set_user_setting(%s)", refused[i].arguments);
        assert_lua_error(&f, lua, refused[i].message);
    }
    run_lua(&f, "Application.save_user_settings()");
    assert_int_equal(kind_of("project/user_settings.json"), CT_FILE_KIND_FILE);
    run_lua(&f, "Application.user_setting('named').f = print");
    assert_lua_error(&f, "Application.save_user_settings()",
                     "the setting \"named.f\" is a value of the type function");
}

static void keeps_a_file_that_is_broken_as_old(void **state) {
    (void)state;
    write_text("project/user_settings.json", "[1]");
    assert_lua(&f, "Application.user_settings_load_error()", "true");
    run_lua(&f, "Application.save_user_settings()");
    assert_int_equal(kind_of("project/user_settings.json.old"), CT_FILE_KIND_FILE);
    assert_lua(&f, "Application.user_settings_load_error()", "false");
    write_text("project/user_settings.json.old", "kept");
    run_lua(&f, "Application.save_user_settings()");
    char path[4096];
    uint64_t bytes;
    snprintf(path, sizeof(path), "%s/cuttle/project/user_settings.json.old", data_folder);
    char *const text = ct_file_read(test_heap(), path, &bytes, NULL);
    assert_string_equal(text, "kept"); // the file that was saved is whole
    ct_free(test_heap(), text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        FOLDER_TEST(makes_one_folder_and_works_in_it),
        FOLDER_TEST(removes_files),
        FOLDER_TEST(says_what_cannot_be_made),
        FOLDER_TEST(files_of_other_games_are_out_of_reach),
        FOLDER_TEST(refuses_paths_outside_of_the_folder),
        FOLDER_TEST(keeps_settings_of_the_player),
        FOLDER_TEST(reads_settings_of_the_player),
        FOLDER_TEST(starts_without_settings_that_are_broken),
        FOLDER_TEST(refuses_settings_that_no_file_can_hold),
        FOLDER_TEST(keeps_a_file_that_is_broken_as_old),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
