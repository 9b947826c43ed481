// Two people at one project: in two replicas, and in a folder and the database.
#include "content/database/database_project_fixture.h"

#include "foundation/os/file.h"
#include "foundation/os/os.h"

// A folder and a database of each.
typedef struct person {
    const char *folder;
    ct_database *db;
} person;

static void merge(ct_database *db, ct_database *from) {
    ct_error error = {0};
    if (!ct_database_merge(db, ct_database_get_store(from), "main", NULL, NULL, &error))
        fail_msg("merge: %s", error.message);
}

static void merge_both(const person *people) {
    merge(people[0].db, people[1].db);
    merge(people[1].db, people[0].db);
}

// Two people begin with the same file.
static void begin(person *people, const char *text) {
    for (uint32_t i = 0; i < 2; ++i) {
        people[i].folder = test_scratch_folder();
        people[i].db = project_database();
    }
    project_write(people[0].folder, "levels/yard.level", text);
    project_import(people[0].db, people[0].folder);
    merge(people[1].db, people[0].db);
    project_export(people[1].db, people[1].folder);
    project_expect(people[1].folder, "levels/yard.level", text);
}

static void end(person *people) {
    ct_database_close(people[0].db);
    ct_database_close(people[1].db);
}

static void import_text(const person *p, const char *text) {
    project_write(p->folder, "levels/yard.level", text);
    project_import(p->db, p->folder);
}

// Both export what the other has, and get this text.
static void expect_both(const person *people, const char *text) {
    merge_both(people);
    for (uint32_t i = 0; i < 2; ++i) {
        const char *const folder = test_scratch_folder();
        project_export(people[i].db, folder);
        project_expect(folder, "levels/yard.level", text);
    }
}

static uint32_t num_conflicts(const ct_database *db) {
    ct_database_conflict_array conflicts;
    ct_array_init(&conflicts, test_heap());
    ct_database_state_conflicts(ct_database_committed(db), &conflicts);
    const uint32_t count = conflicts.count;
    ct_array_free(&conflicts);
    return count;
}

static void different_values_both_stay(void **state) {
    (void)state;
    person people[2];
    begin(people, "units = [\n    { id = \"a\"  x = 1  y = 1 } // one\n    { id = \"b\" }\n]\n");
    import_text(&people[0],
                "units = [\n    { id = \"a\"  x = 2  y = 1 } // one\n    { id = \"b\" }\n]\n");
    import_text(&people[1],
                "units = [\n    { id = \"a\"  x = 1  y = 2 } // 1\n    { id = \"b\" }\n]\n");
    // The later text, with what the other changed.
    expect_both(people,
                "units = [\n    { id = \"a\"  x = 2  y = 2 } // 1\n    { id = \"b\" }\n]\n");
    assert_int_equal(num_conflicts(people[0].db), 0);
    end(people);
}

static void elements_of_both_come_in(void **state) {
    (void)state;
    person people[2];
    begin(people, "units = [\n    { id = \"a\" }\n    { id = \"b\" }\n]\n");
    import_text(&people[0],
                "units = [\n    { id = \"a\" }\n    { id = \"c\" }\n    { id = \"b\" }\n]\n");
    import_text(&people[1],
                "units = [\n    { id = \"a\" }\n    { id = \"d\" }\n    { id = \"b\" }\n]\n");
    merge_both(people);
    char *texts[2];
    for (uint32_t i = 0; i < 2; ++i) {
        char path[CT_PATH_BYTES];
        uint64_t bytes;
        ct_error error = {0};
        const char *const folder = test_scratch_folder();
        project_export(people[i].db, folder);
        ct_path_join(path, folder, "levels/yard.level");
        texts[i] = ct_file_read(test_heap(), path, &bytes, &error);
        assert_non_null(texts[i]);
    }
    assert_string_equal(texts[0], texts[1]);
    const char *const a = strstr(texts[0], "\"a\""), *const b = strstr(texts[0], "\"b\"");
    const char *const c = strstr(texts[0], "\"c\""), *const d = strstr(texts[0], "\"d\"");
    assert_true(a && b && c && d && a < c && a < d && c < b && d < b);
    ct_free(test_heap(), texts[0]);
    ct_free(test_heap(), texts[1]);
    end(people);
}

static void empty_arrays_take_the_elements_of_both(void **state) {
    (void)state;
    person people[2];
    begin(people, "units = []\n");
    import_text(&people[0], "units = [ { id = \"a\" } ]\n");
    import_text(&people[1], "units = []\nscript = \"x\"\n");
    expect_both(people, "units = [ { id = \"a\" } ]\nscript = \"x\"\n");
    end(people);
}

static void removed_elements_stay_removed(void **state) {
    (void)state;
    person people[2];
    begin(people, "units = [\n    { id = \"a\" x = 1 }\n    { id = \"b\" }\n]\n");
    import_text(&people[0], "units = [\n    { id = \"b\" }\n]\n");
    import_text(&people[1], "units = [\n    { id = \"a\" x = 2 }\n    { id = \"b\" }\n]\ny = 1\n");
    expect_both(people, "units = [\n    { id = \"b\" }\n]\ny = 1\n");
    end(people);
}

static void moves_and_edits_both_stay(void **state) {
    (void)state;
    person people[2];
    begin(people,
          "units = [\n    { id = \"a\" }\n    { id = \"b\" x = 1 }\n    { id = \"c\" }\n]\n");
    import_text(&people[0],
                "units = [\n    { id = \"b\" x = 1 }\n    { id = \"a\" }\n    { id = \"c\" }\n]\n");
    import_text(&people[1],
                "units = [\n    { id = \"a\" }\n    { id = \"b\" x = 2 }\n    { id = \"c\" }\n]\n");
    expect_both(people,
                "units = [\n    { id = \"b\" x = 2 }\n    { id = \"a\" }\n    { id = \"c\" }\n]\n");
    end(people);
}

static void the_same_file_made_twice_is_one(void **state) {
    (void)state;
    person people[2];
    begin(people, "a = 1\n");
    for (uint32_t i = 0; i < 2; ++i) {
        project_write(people[i].folder, "units/x.unit", "components = [ { type = \"data\" } ]\n");
        project_import(people[i].db, people[i].folder);
    }
    expect_both(people, "a = 1\n");
    assert_int_equal(ct_database_get(people[0].db, (ct_guid){0}, "files").set.count, 2);
    end(people);
}

// --- Folder and database ---------------------------------------------------------------------------

static void imports_leave_what_others_changed(void **state) {
    (void)state;
    person people[2];
    begin(people, "a = 1 // mine\nb = 1\n");
    import_text(&people[1], "a = 1\nb = 2\n");
    project_write(people[1].folder, "new.txt", "new");
    project_import(people[1].db, people[1].folder);
    merge(people[0].db, people[1].db);
    assert_int_equal(project_import(people[0].db, people[0].folder), 0);
    project_export(people[0].db, people[0].folder);
    project_expect(people[0].folder, "levels/yard.level", "a = 1\nb = 2\n");
    project_expect(people[0].folder, "new.txt", "new");
    end(people);
}

static void files_that_both_changed_are_merged(void **state) {
    (void)state;
    person people[2];
    begin(people, "a = 1 // mine\n\nb = 1\n");
    import_text(&people[1], "a = 1 // mine\n\nb = 2\n");
    merge(people[0].db, people[1].db);
    project_write(people[0].folder, "levels/yard.level", "a = 5 // mine\n\nb = 1\n");
    project_export_fails(people[0].db, people[0].folder, "edited in the folder");
    project_import(people[0].db, people[0].folder);
    project_export(people[0].db, people[0].folder);
    project_expect(people[0].folder, "levels/yard.level", "a = 5 // mine\n\nb = 2\n");
    // Once more, from a text that only an export has made.
    const ct_guid top = project_object(people[0].db, "levels/yard.level", "");
    project_set_number(people[0].db, top, "b", 3);
    project_commit(people[0].db);
    project_export(people[0].db, people[0].folder);
    project_set_number(people[0].db, top, "b", 4);
    project_commit(people[0].db);
    project_write(people[0].folder, "levels/yard.level", "a = 6 // mine\n\nb = 3\n");
    project_import(people[0].db, people[0].folder);
    project_export(people[0].db, people[0].folder);
    project_expect(people[0].folder, "levels/yard.level", "a = 6 // mine\n\nb = 4\n");
    end(people);
}

static void removed_files_go_unless_they_were_edited(void **state) {
    (void)state;
    person people[2];
    char path[CT_PATH_BYTES];
    ct_error error = {0};
    begin(people, "a = 1\n");
    project_write(people[0].folder, "one.txt", "1");
    project_write(people[0].folder, "two.txt", "2");
    project_import(people[0].db, people[0].folder);
    merge(people[1].db, people[0].db);
    project_export(people[1].db, people[1].folder);
    const char *const names[] = {"one.txt", "two.txt"};
    for (uint32_t i = 0; i < CT_COUNT_OF(names); ++i) {
        ct_path_join(path, people[0].folder, names[i]);
        assert_true(ct_os_file_remove(path, &error));
    }
    project_import(people[0].db, people[0].folder);
    merge(people[1].db, people[0].db);
    project_write(people[1].folder, "two.txt", "edited");
    project_write(people[1].folder, "three.txt", "never imported");
    ct_database_report report;
    ct_database_report_init(&report, test_heap());
    assert_true(
        ct_database_export(test_heap(), people[1].db, people[1].folder, true, &report, &error));
    assert_int_equal(report.num_removed, 1);
    assert_int_equal(report.warnings.count, 1);
    assert_non_null(strstr(report.warnings.items[0], "two.txt"));
    ct_database_report_free(&report);
    project_expect(people[1].folder, "one.txt", NULL);
    project_expect(people[1].folder, "two.txt", "edited");
    project_expect(people[1].folder, "three.txt", "never imported");
    end(people);
}

static void force_overwrites_edits(void **state) {
    (void)state;
    person people[2];
    ct_error error = {0};
    begin(people, "a = 1\n");
    project_write(people[1].folder, "levels/yard.level", "a = 2\n");
    ct_database_report report;
    ct_database_report_init(&report, test_heap());
    assert_false(
        ct_database_export(test_heap(), people[1].db, people[1].folder, false, &report, &error));
    assert_string_equal(error.file, "levels/yard.level");
    assert_int_equal(report.edited.count, 1);
    ct_database_report_free(&report);
    project_expect(people[1].folder, "levels/yard.level", "a = 2\n");
    ct_database_report_init(&report, test_heap());
    assert_true(
        ct_database_export(test_heap(), people[1].db, people[1].folder, true, &report, &error));
    ct_database_report_free(&report);
    project_expect(people[1].folder, "levels/yard.level", "a = 1\n");
    end(people);
}

static void files_removed_here_and_changed_there_stay(void **state) {
    (void)state;
    person people[2];
    char path[CT_PATH_BYTES];
    ct_error error = {0};
    begin(people, "a = 1\n");
    import_text(&people[1], "a = 2\n");
    merge(people[0].db, people[1].db);
    ct_path_join(path, people[0].folder, "levels/yard.level");
    assert_true(ct_os_file_remove(path, &error));
    project_import_warns(people[0].db, people[0].folder, "changed in the database");
    project_export(people[0].db, people[0].folder);
    project_expect(people[0].folder, "levels/yard.level", "a = 2\n");
    end(people);
}

// --- Without a record ------------------------------------------------------------------------------

static void import_fails(ct_database *db, const char *folder, const char *file,
                         const char *message) {
    ct_error error = {0};
    ct_database_report report;
    ct_database_report_init(&report, test_heap());
    assert_false(ct_database_import(test_heap(), db, folder, false, &report, &error));
    if (!strstr(error.message, message) || strcmp(error.file, file) != 0)
        fail_msg("%s: %s", error.file, error.message);
    ct_database_report_free(&report);
    ct_database_revert_local(db, NULL, 0);
}

// A copy of the project that is older than what the database has by now.
static void folders_without_a_record_revert_nothing(void **state) {
    (void)state;
    person people[2];
    ct_error error = {0};
    begin(people, "a = 1\n");
    const char *const copy = test_scratch_folder();
    project_write(copy, "levels/yard.level", "a = 1\n");
    project_import(people[0].db, copy); // still as the database has it
    const char *const old = test_scratch_folder();
    project_write(old, "levels/yard.level", "a = 1\n");
    import_text(&people[0], "a = 2 // two\n");
    import_fails(people[0].db, old, "levels/yard.level", "the database has another text of it");
    project_write(old, "levels/yard.level", "a = 2 // two\n");
    project_write(old, "gone.txt", "others removed it");
    import_fails(people[0].db, old, "gone.txt", "the database does not have it");
    ct_database_report report;
    ct_database_report_init(&report, test_heap());
    if (!ct_database_import(test_heap(), people[0].db, old, true, &report, &error))
        fail_msg("%s", error.message);
    assert_int_equal(report.num_added, 1);
    ct_database_report_free(&report);
    end(people);
}

static void new_files_that_the_database_has_are_reported(void **state) {
    (void)state;
    person people[2];
    begin(people, "a = 1\n");
    project_write(people[0].folder, "x.sjson", "a = 1\n");
    project_import(people[0].db, people[0].folder);
    merge(people[1].db, people[0].db);
    project_write(people[1].folder, "x.sjson", "a = 2\n");
    project_import_warns(people[1].db, people[1].folder,
                         "x.sjson: warning: it is new in the folder, but the database has another");
    end(people);
}

static void decisions_name_the_place(void **state) {
    (void)state;
    person people[2];
    begin(people, "units = [\n    { id = \"a\" x = 1 }\n    { id = \"b\" }\n]\n");
    import_text(&people[1], "units = [\n    { id = \"a\" x = 2 }\n    { id = \"b\" }\n]\n");
    merge(people[0].db, people[1].db);
    project_write(people[0].folder, "levels/yard.level",
                  "units = [\n    { id = \"a\" x = 3 }\n    { id = \"b\" }\n]\n");
    project_import_warns(people[0].db, people[0].folder,
                         "levels/yard.level: warning: units[id=a].x: the folder and the database "
                         "both changed it; took the folder's (the folder has 3, the database 2)");
    end(people);
}

// --- Names that were given before ------------------------------------------------------------------

static void renamed_files_keep_their_objects(void **state) {
    (void)state;
    person people[2];
    ct_guid old, new;
    begin(people, "a = 1\n");
    ct_database *const db = people[0].db;
    assert_true(ct_database_find_file(db, "levels/yard.level", &old));
    project_set_text(db, old, "path", "levels/garden.level");
    project_commit(db);
    project_export(db, people[0].folder);
    project_expect(people[0].folder, "levels/yard.level", NULL);
    project_write(people[0].folder, "levels/yard.level", "a = 2\n");
    project_import(db, people[0].folder);
    assert_true(ct_database_find_file(db, "levels/garden.level", &new));
    assert_true(ct_guid_is_equal(old, new));
    const char *const folder = test_scratch_folder();
    project_export(db, folder);
    project_expect(folder, "levels/garden.level", "a = 1\n");
    project_expect(folder, "levels/yard.level", "a = 2\n");
    end(people);
}

static void renamed_elements_keep_their_objects(void **state) {
    (void)state;
    person people[2];
    begin(people, "units = [\n    { id = \"a\"  values = { x = 1 } }\n    { id = \"b\" }\n]\n");
    ct_database *const db = people[0].db;
    const ct_guid a = project_object(db, "levels/yard.level", "units[id=a]");
    const ct_guid values = project_object(db, "levels/yard.level", "units[id=a].values");
    const ct_database_value none = {0};
    project_set_text(db, a, "id", "c");
    project_change(db, CT_DATABASE_CHANGE_KEY, a, "values", none);
    project_change(db, CT_DATABASE_CHANGE_KEY, a, "z", project_reference(values));
    project_commit(db);
    project_export(db, people[0].folder);
    static const char text[] =
        "units = [\n    { id = \"a\" }\n    { id = \"c\"  values = { x = 2 } "
        "z = { x = 1 } }\n    { id = \"b\" }\n]\n";
    import_text(&people[0], text);
    assert_true(ct_guid_is_equal(a, project_object(db, "levels/yard.level", "units[id=c]")));
    assert_true(ct_guid_is_equal(values, project_object(db, "levels/yard.level", "units[id=c].z")));
    const char *const folder = test_scratch_folder();
    project_export(db, folder);
    project_expect(folder, "levels/yard.level", text);
    end(people);
}

// An element that somebody moved to another file.
static void moved_elements_keep_their_objects(void **state) {
    (void)state;
    person people[2];
    begin(people, "units = [\n    { id = \"a\"  x = 1 }\n    { id = \"b\" }\n]\n");
    ct_database *const db = people[0].db;
    project_write(people[0].folder, "levels/other.level", "units = [\n    { id = \"o\" }\n]\n");
    project_import(db, people[0].folder);
    const ct_guid a = project_object(db, "levels/yard.level", "units[id=a]");
    project_change(db, CT_DATABASE_REMOVE_FROM_SET, project_object(db, "levels/yard.level", ""),
                   "units", project_reference(a));
    project_change(db, CT_DATABASE_ADD_TO_SET, project_object(db, "levels/other.level", ""),
                   "units", project_reference(a));
    project_commit(db);
    project_export(db, people[0].folder);
    import_text(&people[0], "units = [\n    { id = \"b\" }\n    { id = \"a\"  x = 2 }\n]\n");
    assert_true(ct_guid_is_equal(a, project_object(db, "levels/other.level", "units[id=a]")));
    assert_true(ct_database_get(db, a, "x").number == 1);
    const ct_guid new = project_object(db, "levels/yard.level", "units[id=a]");
    assert_true(ct_database_get(db, new, "x").number == 2);
    end(people);
}

// --- Failures on the way ---------------------------------------------------------------------------

// The last file cannot be written: its name is too long for a disk. The record then has what was.
static void exports_that_fail_are_recorded(void **state) {
    (void)state;
    person people[2];
    char path[CT_PATH_BYTES], name[320];
    ct_error error = {0};
    ct_guid file;
    begin(people, "a = 1\n");
    project_write(people[0].folder, "gone.txt", "gone");
    project_write(people[0].folder, "z.txt", "1");
    project_import(people[0].db, people[0].folder);
    merge(people[1].db, people[0].db);
    project_export(people[1].db, people[1].folder);
    ct_path_join(path, people[0].folder, "gone.txt");
    assert_true(ct_os_file_remove(path, &error));
    import_text(&people[0], "a = 2\n");
    merge(people[1].db, people[0].db);
    assert_true(ct_database_find_file(people[1].db, "z.txt", &file));
    snprintf(name, sizeof(name), "%0300d.txt", 0);
    name[0] = 'z';
    project_set_text(people[1].db, file, "path", name);
    project_commit(people[1].db);
    project_export_fails(people[1].db, people[1].folder, name);
    project_expect(people[1].folder, "levels/yard.level", "a = 2\n");
    project_expect(people[1].folder, "gone.txt", "gone"); // files are removed last
    project_expect(people[1].folder, "z.txt", "1");
    import_text(&people[0], "a = 3\n");
    merge(people[1].db, people[0].db);
    project_set_text(people[1].db, file, "path", "y.txt");
    project_export(people[1].db, people[1].folder); // what was written is not an edit
    project_expect(people[1].folder, "levels/yard.level", "a = 3\n");
    project_expect(people[1].folder, "gone.txt", NULL);
    project_expect(people[1].folder, "z.txt", NULL);
    project_expect(people[1].folder, "y.txt", "1");
    end(people);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(different_values_both_stay),
        cmocka_unit_test(elements_of_both_come_in),
        cmocka_unit_test(empty_arrays_take_the_elements_of_both),
        cmocka_unit_test(removed_elements_stay_removed),
        cmocka_unit_test(moves_and_edits_both_stay),
        cmocka_unit_test(the_same_file_made_twice_is_one),
        cmocka_unit_test(imports_leave_what_others_changed),
        cmocka_unit_test(files_that_both_changed_are_merged),
        cmocka_unit_test(removed_files_go_unless_they_were_edited),
        cmocka_unit_test(force_overwrites_edits),
        cmocka_unit_test(files_removed_here_and_changed_there_stay),
        cmocka_unit_test(folders_without_a_record_revert_nothing),
        cmocka_unit_test(new_files_that_the_database_has_are_reported),
        cmocka_unit_test(decisions_name_the_place),
        cmocka_unit_test(renamed_files_keep_their_objects),
        cmocka_unit_test(renamed_elements_keep_their_objects),
        cmocka_unit_test(moved_elements_keep_their_objects),
        cmocka_unit_test(exports_that_fail_are_recorded),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
