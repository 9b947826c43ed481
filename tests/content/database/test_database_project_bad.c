// What import and export refuse, or report: objects that are no file, sources that are no SJSON, paths that lead out.
#include "content/database/database_project_fixture.h"

#include <math.h>
#include <unistd.h>

#include "foundation/os/file.h"
#include "foundation/os/os.h"

static const ct_database_value nothing;

// A database with one file of the text "a = 1, b = { c = 1 }, list = [ { x = 1 } { x = 2 } ]".
static ct_database *begin(const char **folder) {
    ct_database *const db = project_database();
    *folder = test_scratch_folder();
    project_write(*folder, "a.sjson", "a = 1, b = { c = 1 }, list = [ { x = 1 } { x = 2 } ]\n");
    project_import(db, *folder);
    return db;
}

static ct_guid create(ct_database *db, uint8_t number) {
    const ct_guid object = {{number}};
    project_change(db, CT_DATABASE_CREATE, object, NULL, nothing);
    return object;
}

// Adds a file object with this path, and content unless `path` is to be refused anyway.
static ct_guid add_file(ct_database *db, uint8_t number, const char *path) {
    const ct_guid file = create(db, number);
    ct_error error = {0};
    ct_database_value content = {.kind = CT_DATABASE_BLOB};
    assert_true(ct_database_write_blob(db, "text", 4, &content.blob, &error));
    project_change(db, CT_DATABASE_ADD_TO_SET, (ct_guid){0}, "files", project_reference(file));
    if (path)
        project_set_text(db, file, "path", path);
    project_change(db, CT_DATABASE_CHANGE_KEY, file, "content", content);
    return file;
}

// --- Objects ---------------------------------------------------------------------------------------

static void cycles_are_refused(void **state) {
    (void)state;
    const char *folder;
    ct_database *const db = begin(&folder);
    const ct_guid top = project_object(db, "a.sjson", "");
    const ct_guid b = project_object(db, "a.sjson", "b");
    project_change(db, CT_DATABASE_CHANGE_KEY, b, "up", project_reference(top));
    project_export_fails(db, folder, "(b.up): it holds itself");
    project_expect(folder, "a.sjson", "a = 1, b = { c = 1 }, list = [ { x = 1 } { x = 2 } ]\n");
    ct_database_close(db);
}

static void shared_objects_are_refused(void **state) {
    (void)state;
    const char *folder;
    ct_database *const db = begin(&folder);
    const ct_guid top = project_object(db, "a.sjson", "");
    const ct_guid b = project_object(db, "a.sjson", "b");
    project_change(db, CT_DATABASE_ADD_TO_SET, top, "list", project_reference(b));
    project_export_fails(db, folder, "(list[2]): it is in two places");
    ct_database_close(db);
}

static void values_without_a_spelling_are_refused(void **state) {
    (void)state;
    const char *folder;
    ct_database *const db = begin(&folder);
    const ct_guid b = project_object(db, "a.sjson", "b");
    ct_error error = {0};
    project_set_number(db, b, "c", NAN);
    project_export_fails(db, folder, "key \"c\" holds nan");
    ct_database_value blob = {.kind = CT_DATABASE_BLOB};
    assert_true(ct_database_write_blob(db, "x", 1, &blob.blob, &error));
    project_change(db, CT_DATABASE_CHANGE_KEY, b, "c", blob);
    project_export_fails(db, folder, "key \"c\" holds a blob");
    project_change(db, CT_DATABASE_CHANGE_KEY, b, "c", nothing);
    project_set_number(db, b, "v[]", 1);
    project_export_fails(db, folder, "key \"v[]\" holds a number; expected a string");
    project_set_text(db, b, "v[]", "[1 2");
    project_export_fails(db, folder, "the text of key \"v[]\" is no SJSON");
    project_change(db, CT_DATABASE_CHANGE_KEY, b, "v[]", nothing);
    project_set_number(db, b, "@=plain", 1);
    project_export_fails(db, folder, "key \"@=plain\" is not spelled");
    ct_database_close(db);
}

static void what_is_gone_is_left_out_with_a_warning(void **state) {
    (void)state;
    const char *folder;
    ct_database *const db = begin(&folder);
    ct_error error = {0};
    project_change(db, CT_DATABASE_DESTROY, project_object(db, "a.sjson", "b"), NULL, nothing);
    project_change(db, CT_DATABASE_DESTROY, project_object(db, "a.sjson", "list[0]"), NULL,
                   nothing);
    ct_database_report report;
    ct_database_report_init(&report, test_heap());
    assert_true(ct_database_export(test_heap(), db, folder, false, &report, &error));
    assert_int_equal(report.warnings.count, 2);
    assert_string_equal(report.warnings.items[0],
                        "a.sjson: warning: b: left out an object that does not exist");
    assert_string_equal(report.warnings.items[1],
                        "a.sjson: warning: list: left out 1 element that does not exist");
    ct_database_report_free(&report);
    project_expect(folder, "a.sjson", "a = 1, list = [ { x = 2 } ]\n");
    ct_database_close(db);
}

static void depth_has_an_end(void **state) {
    (void)state;
    const char *folder;
    ct_database *const db = begin(&folder);
    ct_guid at = project_object(db, "a.sjson", "b");
    for (uint32_t i = 0; i < 600; ++i) {
        const ct_guid next = {{(uint8_t)i, (uint8_t)(i >> 8), 1}};
        project_change(db, CT_DATABASE_CREATE, next, NULL, nothing);
        project_change(db, CT_DATABASE_CHANGE_KEY, at, "b", project_reference(next));
        at = next;
    }
    project_export_fails(db, folder, "nest deeper than 512");
    ct_database_close(db);
}

static void files_need_a_path_and_bytes(void **state) {
    (void)state;
    const char *folder;
    ct_database *const db = begin(&folder);
    const ct_guid file = add_file(db, 1, NULL);
    project_export_fails(db, folder, "key \"path\" holds a null; expected a string");
    project_set_number(db, file, "path", 1);
    project_export_fails(db, folder, "key \"path\" holds a number; expected a string");
    project_set_text(db, file, "path", "b.txt");
    project_change(db, CT_DATABASE_CHANGE_KEY, file, "content", nothing);
    project_export_fails(db, folder, "has neither a blob \"content\" nor an object \"root\"");
    project_change(db, CT_DATABASE_CHANGE_KEY, file, "root", project_reference((ct_guid){{9}}));
    project_export_fails(db, folder, "it does not exist, but is the file's \"root\"");
    project_change(db, CT_DATABASE_REMOVE_FROM_SET, (ct_guid){0}, "files", project_reference(file));
    project_set_number(db, (ct_guid){0}, "files", 1);
    project_export_fails(db, folder, "key \"files\" of the root holds a number; expected a set");
    ct_database_close(db);
}

// --- Paths -----------------------------------------------------------------------------------------

static void paths_out_of_the_project_are_refused(void **state) {
    (void)state;
    static const char *const paths[] = {"../a.txt",
                                        "/a.txt",
                                        "b/../../a.txt",
                                        ".git/config",
                                        "b/.git/config",
                                        ".cuttle/cache/x",
                                        "",
                                        "b//a.txt",
                                        "b/",
                                        "b/./a.txt",
                                        "a\nb",
                                        "b\x7f"};
    for (uint32_t i = 0; i < CT_COUNT_OF(paths); ++i) {
        ct_database *const db = project_database();
        const char *const folder = test_scratch_folder();
        add_file(db, 1, paths[i]);
        project_export_fails(db, folder, "is not one of a project");
        ct_database_close(db);
    }
}

static void paths_that_clash_are_refused(void **state) {
    (void)state;
    const char *folder;
    ct_database *const db = begin(&folder);
    const ct_guid file = add_file(db, 1, "a.sjson");
    project_export_fails(db, folder, "two file objects have this path");
    project_set_text(db, file, "path", "a.sjson/b.txt");
    project_export_fails(db, folder, "its folder a.sjson is a file, too");
    ct_database_close(db);
}

static void make_link(const char *target_folder, const char *target, const char *folder,
                      const char *path) {
    char from[CT_PATH_BYTES], to[CT_PATH_BYTES];
    ct_path_join(from, target_folder, target);
    ct_path_join(to, folder, path);
    assert_int_equal(symlink(from, to), 0);
}

static void nothing_is_written_through_links(void **state) {
    (void)state;
    const char *const outside = test_scratch_folder(), *const folder = test_scratch_folder();
    char target[CT_PATH_BYTES];
    ct_error error = {0};
    ct_database *const db = project_database();
    const ct_guid file = add_file(db, 1, "sub/a.txt");
    make_link(outside, "", folder, "sub");
    project_export_fails(db, folder, "is a link, and nothing is written through links");
    project_expect(outside, "a.txt", NULL);
    project_write(outside, "b.txt", "outside");
    make_link(outside, "b.txt", folder, "b.txt");
    project_set_text(db, file, "path", "b.txt");
    project_export_fails(db, folder, "is a link, and nothing is written through links");
    project_expect(outside, "b.txt", "outside");
    ct_path_join(target, outside, "b.txt");
    assert_true(ct_os_file_remove(target, &error)); // a link to nothing
    project_export_fails(db, folder, "is a link, and nothing is written through links");
    project_expect(outside, "b.txt", NULL);
    project_write(folder, "other/c.txt", "inside");
    make_link(folder, "other", folder, "inner");
    project_set_text(db, file, "path", "inner/c.txt");
    project_export_fails(db, folder, "inner is a link, and nothing is written through links");
    project_expect(folder, "other/c.txt", "inside");
    ct_database_close(db);
}

static void folders_in_the_way_are_refused(void **state) {
    (void)state;
    ct_database *const db = project_database();
    const char *const folder = test_scratch_folder();
    const ct_guid file = add_file(db, 1, "sub");
    project_write(folder, "sub/x.txt", "x");
    project_export_fails(db, folder, "is in the way: expected a file");
    project_set_text(db, file, "path", "sub/x.txt/y.txt");
    project_export_fails(db, folder, "is in the way: expected a folder");
    ct_database_close(db);
}

// --- Folders ---------------------------------------------------------------------------------------

static void sources_that_are_no_sjson_come_as_they_are(void **state) {
    (void)state;
    const char *folder;
    ct_database *const db = begin(&folder);
    const uint32_t num_objects = ct_database_num_objects(db);
    project_write(folder, "a.sjson", "a = 1\nb = { c = }\n");
    project_import_warns(db, folder, "a.sjson:2:");
    assert_int_equal(ct_database_num_objects(db), num_objects - 4);
    project_export(db, folder);
    project_expect(folder, "a.sjson", "a = 1\nb = { c = }\n");
    project_write(folder, "a.sjson", "a = 1\n");
    project_import(db, folder);
    project_object(db, "a.sjson", "");
    ct_database_close(db);
}

static void names_that_are_too_long_come_as_they_are(void **state) {
    (void)state;
    ct_database *const db = project_database();
    const char *const folder = test_scratch_folder();
    static char text[2048];
    snprintf(text, sizeof(text), "%01500d = 1\n", 1);
    project_write(folder, "a.sjson", text);
    project_import_warns(db, folder, "a name of 1500 bytes");
    project_export(db, folder);
    project_expect(folder, "a.sjson", text);
    ct_database_close(db);
}

static void odd_names_come_back(void **state) {
    (void)state;
    static const char text[] = "\"\" = 1\n\"@order\" = 2\n\"v[]\" = [1]\n\"a\\tb\" = [{}]\n"
                               "\"@=x%\" = {}\nv = [2]\n\"\\u0085\" = -0.0\nlist = [[{ a = 1 }]]\n";
    ct_database *const db = project_database();
    const char *const folder = test_scratch_folder(), *const other = test_scratch_folder();
    project_write(folder, "a.sjson", text);
    project_import(db, folder);
    project_export(db, other);
    project_expect(other, "a.sjson", text);
    project_set_number(db, project_object(db, "a.sjson", ""),
                       project_place(db, "a.sjson", "[\"@order\"]").key, 3);
    project_export(db, other);
    char *const at = strstr(text, "2\n");
    assert_non_null(at);
    char expected[sizeof(text)];
    memcpy(expected, text, sizeof(text));
    expected[at - text] = '3';
    project_expect(other, "a.sjson", expected);
    ct_database_close(db);
}

static void links_and_hidden_files_are_left_out(void **state) {
    (void)state;
    const char *const outside = test_scratch_folder(), *const folder = test_scratch_folder();
    ct_database *const db = project_database();
    project_write(outside, "secret.txt", "secret");
    project_write(folder, ".hidden/a.txt", "hidden");
    make_link(outside, "secret.txt", folder, "link.txt");
    project_import_warns(db, folder, "link.txt: warning: left out: it is a link");
    assert_int_equal(ct_database_get(db, (ct_guid){0}, "files").kind, CT_DATABASE_NULL);
    ct_database_close(db);
}

// A file is in the database once, whatever links to it; and what a link has replaced is not gone.
static void links_inside_are_left_out(void **state) {
    (void)state;
    const char *const folder = test_scratch_folder();
    char path[CT_PATH_BYTES];
    ct_error error = {0};
    ct_database *const db = project_database();
    project_write(folder, "sub/a.txt", "a");
    project_write(folder, "sub/b.txt", "b");
    make_link(folder, "sub/a.txt", folder, "again.txt");
    project_import_warns(db, folder, "again.txt: warning: left out: it is a link");
    assert_int_equal(ct_database_get(db, (ct_guid){0}, "files").set.count, 2);
    ct_path_join(path, folder, "again.txt");
    assert_true(ct_os_file_remove(path, &error));
    char moved[CT_PATH_BYTES];
    ct_path_join(path, folder, "sub");
    ct_path_join(moved, test_scratch_folder(), "moved");
    assert_int_equal(rename(path, moved), 0);
    make_link(moved, "", folder, "sub");
    project_import_warns(db, folder, "sub: warning: left out: it is a link");
    assert_int_equal(ct_database_get(db, (ct_guid){0}, "files").set.count, 2);
    ct_database_close(db);
}

// A database inside of the project that it takes in.
static void the_databases_own_files_are_left_out(void **state) {
    (void)state;
    ct_database *const db = project_database();
    char folder[CT_PATH_BYTES], link_path[CT_PATH_BYTES];
    const char *const location = ct_database_get_store(db)->location;
    ct_path_folder(folder, location);
    ct_path_join(link_path, folder, "other_name.db");
    assert_int_equal(link(location, link_path), 0);
    project_write(folder, "a.txt", "a");
    project_write(folder, "project.db-journal", "of SQLite");
    ct_database_report report;
    ct_error error = {0};
    ct_database_report_init(&report, test_heap());
    assert_true(ct_database_import(test_heap(), db, folder, false, &report, &error));
    assert_int_equal(report.num_added, 1);
    assert_true(report.warnings.count >= 3);
    for (uint32_t i = 0; i < report.warnings.count; ++i)
        assert_non_null(strstr(report.warnings.items[i], "left out: it belongs to the database"));
    project_commit(db);
    assert_true(ct_database_import_done(db, folder, &report, &error));
    ct_database_report_free(&report);
    assert_int_equal(ct_database_get(db, (ct_guid){0}, "files").set.count, 1);
    const ct_guid file = add_file(db, 1, "project.db");
    project_export_fails(db, folder, "belongs to the database that is exported");
    project_set_text(db, file, "path", "project.db-wal");
    project_export_fails(db, folder, "belongs to the database that is exported");
    project_set_text(db, file, "path", "other_name.db");
    project_export_fails(db, folder, "belongs to the database that is exported");
    ct_database_close(db);
}

static void damaged_records_are_not_trusted(void **state) {
    (void)state;
    const char *folder;
    char path[CT_PATH_BYTES], guid[CT_GUID_TEXT_BYTES];
    ct_database *const db = begin(&folder);
    ct_guid_format(ct_database_get_branch(db)->replica, guid);
    snprintf(path, sizeof(path), ".cuttle/database/%s.json", guid);
    project_write(folder, path, "{\"files\": {\"a.sjson\": {\"hash\": 1}}}");
    project_import_warns(db, folder, "expected { hash");
    project_write(folder, path, "{}");
    ct_error error = {0};
    ct_database_report report;
    ct_database_report_init(&report, test_heap());
    assert_true(ct_database_export(test_heap(), db, folder, false, &report, &error));
    assert_int_equal(report.warnings.count, 1);
    ct_database_report_free(&report);
    ct_database_close(db);
}

static void folders_that_are_not_there_are_an_error(void **state) {
    (void)state;
    ct_database *const db = project_database();
    ct_database_report report;
    ct_error error = {0};
    ct_database_report_init(&report, test_heap());
    char path[CT_PATH_BYTES];
    ct_path_join(path, test_scratch_folder(), "nothing");
    assert_false(ct_database_import(test_heap(), db, path, false, &report, &error));
    assert_true(error.message[0] != 0);
    ct_database_report_free(&report);
    ct_database_close(db);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cycles_are_refused),
        cmocka_unit_test(shared_objects_are_refused),
        cmocka_unit_test(values_without_a_spelling_are_refused),
        cmocka_unit_test(what_is_gone_is_left_out_with_a_warning),
        cmocka_unit_test(depth_has_an_end),
        cmocka_unit_test(files_need_a_path_and_bytes),
        cmocka_unit_test(paths_out_of_the_project_are_refused),
        cmocka_unit_test(paths_that_clash_are_refused),
        cmocka_unit_test(nothing_is_written_through_links),
        cmocka_unit_test(folders_in_the_way_are_refused),
        cmocka_unit_test(sources_that_are_no_sjson_come_as_they_are),
        cmocka_unit_test(names_that_are_too_long_come_as_they_are),
        cmocka_unit_test(odd_names_come_back),
        cmocka_unit_test(links_and_hidden_files_are_left_out),
        cmocka_unit_test(links_inside_are_left_out),
        cmocka_unit_test(the_databases_own_files_are_left_out),
        cmocka_unit_test(damaged_records_are_not_trusted),
        cmocka_unit_test(folders_that_are_not_there_are_an_error),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
