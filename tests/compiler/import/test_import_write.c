#include "compiler/import/import_write.h"

#include <stdio.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/memory/temp_allocator.h"
#include "foundation/os/file.h"
#include "foundation/os/os.h"
#include "resource/blob/content_hash.h"
#include "support/test_support.h"

static void put(const char *folder, const char *path, const char *text) {
    char place[CT_PATH_BYTES], above[CT_PATH_BYTES];
    ct_error error = {0};
    ct_path_join(place, folder, path);
    ct_path_folder(above, place);
    assert_true(ct_folder_create(above, &error));
    assert_true(ct_file_write(place, text, strlen(text), false, &error));
}

// The text of a file; NULL when there is none.
static const char *text_at(ct_allocator *a, const char *folder, const char *path) {
    char place[CT_PATH_BYTES];
    uint64_t size_bytes;
    ct_error error = {0};
    ct_path_join(place, folder, path);
    return ct_os_file_info(place).kind == CT_FILE_KIND_FILE
               ? ct_file_read(a, place, &size_bytes, &error)
               : NULL;
}

static ct_import_writes writes_of(ct_allocator *a, const char *folder) {
    ct_import_writes w;
    ct_error error = {0};
    assert_true(ct_import_writes_init(&w, a, folder, "a.import", &error));
    return w;
}

static void writes_replaces_and_removes(void **state) {
    (void)state;
    CT_TEMP_ALLOCATOR(a, test_heap());
    const char *const folder = test_scratch_folder();
    ct_error error = {0};
    put(folder, "b", "old");
    put(folder, "c", "goes");
    ct_import_writes w = writes_of(a, folder);
    ct_import_writes_add(&w, "new/a", "first", 5);
    ct_import_writes_add(&w, "b", "second", 6);
    ct_import_writes_remove(&w, "c");
    assert_true(ct_import_writes_run(&w, &error));
    assert_string_equal(text_at(a, folder, "new/a"), "first");
    assert_string_equal(text_at(a, folder, "b"), "second");
    assert_null(text_at(a, folder, "c"));
    assert_int_equal(ct_os_file_info(w.stage).kind, CT_FILE_KIND_NONE);
}

static void takes_all_back_when_one_fails(void **state) {
    (void)state;
    CT_TEMP_ALLOCATOR(a, test_heap());
    const char *const folder = test_scratch_folder();
    ct_error error = {0};
    put(folder, "b", "old");
    put(folder, "c", "stays");
    ct_import_writes w = writes_of(a, folder);
    ct_import_writes_add(&w, "a", "first", 5);
    ct_import_writes_add(&w, "b", "second", 6);
    ct_import_writes_remove(&w, "c");
    ct_import_writes_remove(&w, "not_there"); // fails after the others are done
    assert_false(ct_import_writes_run(&w, &error));
    assert_non_null(strstr(error.message, "not_there"));
    assert_null(text_at(a, folder, "a"));
    assert_string_equal(text_at(a, folder, "b"), "old");
    assert_string_equal(text_at(a, folder, "c"), "stays");
    assert_int_equal(ct_os_file_info(w.stage).kind, CT_FILE_KIND_NONE);
}

static void recovers_what_a_kill_left_but_not_what_came_since(void **state) {
    (void)state;
    CT_TEMP_ALLOCATOR(a, test_heap());
    const char *const folder = test_scratch_folder();
    ct_error error = {0};
    put(folder, "a", "first");   // put there by the killed run
    put(folder, "b", "mine");    // replaced by it, and written by a person since
    put(folder, "c", "not yet"); // it did not come to this one
    ct_import_writes w = writes_of(a, folder);
    char journal[1024], place[CT_PATH_BYTES];
    snprintf(journal, sizeof(journal),
             "%016llx 0 a\n%016llx 1 b\nnonsense\n%016llx 0 ../x\n%016llx 1 c\n",
             (unsigned long long)ct_content_hash("first", 5),
             (unsigned long long)ct_content_hash("second", 6), 1ull, 2ull);
    ct_path_join(place, w.stage, "journal");
    put("", place, journal);
    ct_path_join(place, w.stage, "old-1");
    put("", place, "old");
    assert_true(ct_import_writes_recover(&w, &error));
    assert_null(text_at(a, folder, "a"));
    assert_string_equal(text_at(a, folder, "b"), "mine");
    assert_string_equal(text_at(a, folder, "c"), "not yet");
    assert_int_equal(ct_os_file_info(w.stage).kind, CT_FILE_KIND_NONE);
    assert_true(ct_import_writes_recover(&w, &error)); // nothing is left to do
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writes_replaces_and_removes),
        cmocka_unit_test(takes_all_back_when_one_fails),
        cmocka_unit_test(recovers_what_a_kill_left_but_not_what_came_since),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
