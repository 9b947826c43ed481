// What a file server offers of a folder. (Lists of compiled data: tests/test_serve.py.)
#include "dev/serve/served_files.h"

static void a_folder_without_an_index_has_no_list(void **state) {
    ct_serve_source s;
    ct_error error = {0};
    (void)state;
    ct_serve_source_init(&s, test_heap(), "game", test_scratch_folder());
    assert_false(ct_serve_source_read_data(&s, &error));
    assert_non_null(strstr(error.message, "index"));
    assert_int_equal(s.revision, 0);
    ct_serve_source_free(&s);
}

static void files_are_found_by_content(void **state) {
    ct_serve_source s;
    char bytes[4] = "";
    (void)state;
    served_init(&s);
    const ct_serve_file *const found = ct_serve_source_find(&s, ct_content_hash("one", 3), 3);
    assert_ptr_equal(found, &s.files.items[0]);
    assert_null(ct_serve_source_find(&s, ct_content_hash("one", 3), 4));
    assert_null(ct_serve_source_find(&s, 1, 3));
    const int file = ct_serve_source_open(&s, found, NULL);
    assert_int_equal(ct_os_file_read(file, bytes, sizeof(bytes)), 3);
    assert_string_equal(bytes, "one");
    ct_os_file_close(file);
    ct_serve_source_free(&s);
}

static void programs_are_listed_again_when_they_change(void **state) {
    ct_serve_source s;
    ct_error error = {0};
    char path[CT_PATH_BYTES];
    (void)state;
    ct_serve_source_init(&s, test_heap(), "engine", test_scratch_folder());
    assert_false(ct_serve_source_read_engine(&s, &error));
    ct_path_join(path, s.folder, "cuttle");
    assert_true(ct_file_write(path, "program", 7, false, NULL));
    assert_true(ct_serve_source_read_engine(&s, &error));
    assert_int_equal(s.files.count, 1); // without cuttle-worker
    assert_true(ct_serve_source_read_engine(&s, &error));
    assert_int_equal(s.revision, 1);
    assert_true(ct_file_write(path, "another", 7, false, NULL));
    assert_true(ct_serve_source_read_engine(&s, &error));
    assert_int_equal(s.revision, 2);
    assert_non_null(ct_serve_source_find(&s, ct_content_hash("another", 7), 7));
    assert_null(ct_serve_source_find(&s, ct_content_hash("program", 7), 7));
    ct_serve_source_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_folder_without_an_index_has_no_list),
        cmocka_unit_test(files_are_found_by_content),
        cmocka_unit_test(programs_are_listed_again_when_they_change),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
