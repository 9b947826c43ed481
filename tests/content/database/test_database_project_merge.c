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
    expect_both(people, "units = [\n    { id = \"a\" }\n]\nscript = \"x\"\n");
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
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
