// The cache of fetched data: contents under their hashes, data folders made of them.
#include "dev/serve/served_files.h"

typedef struct fixture {
    const char *root;
    ct_serve_cache cache;
    ct_serve_source source; // for its list
    ct_resource_id_array changed;
} fixture;

static int set_up(void **state) {
    static fixture f;
    f = (fixture){.root = test_scratch_folder()};
    ct_error error = {0};
    served_init(&f.source);
    ct_array_init(&f.changed, test_heap());
    *state = &f;
    return ct_serve_cache_open(&f.cache, test_heap(), f.root, "here:1", "samples/game", &error)
               ? 0
               : -1;
}

static int tear_down(void **state) {
    fixture *const f = *state;
    ct_serve_cache_close(&f->cache);
    ct_serve_source_free(&f->source);
    ct_array_free(&f->changed);
    return 0;
}

// Stores every content of the source's list.
static void store_all(fixture *f) {
    for (uint32_t i = 0; i < f->source.files.count; ++i) {
        const ct_serve_file *const file = &f->source.files.items[i];
        char name[CT_RESOURCE_FILE_NAME_BYTES], path[CT_PATH_BYTES];
        uint64_t size_bytes = 0;
        ct_serve_file_name(file, name);
        ct_path_join(path, f->source.folder, name);
        char *const bytes = ct_file_read(test_heap(), path, &size_bytes, NULL);
        assert_true(ct_serve_cache_store(&f->cache, file->hash, bytes, (uint32_t)size_bytes, NULL));
        ct_free(test_heap(), bytes);
    }
}

static void expect_file(const fixture *f, const char *folder, uint64_t name, const char *text) {
    const ct_serve_file file = {.id = {{name != 0 ? 7 : 0}, {name}},
                                .kind = name != 0 ? CT_SERVE_FILE_KIND_DATA
                                                  : CT_SERVE_FILE_KIND_CATALOG};
    char file_name[CT_RESOURCE_FILE_NAME_BYTES], path[CT_PATH_BYTES];
    uint64_t size_bytes = 0;
    (void)f;
    ct_serve_file_name(&file, file_name);
    ct_path_join(path, folder, file_name);
    char *const bytes = ct_file_read(test_heap(), path, &size_bytes, NULL);
    if (text)
        assert_string_equal(bytes, text);
    else
        assert_null(bytes);
    ct_free(test_heap(), bytes);
}

static void contents_are_there_once_stored_and_not_when_damaged(void **state) {
    fixture *const f = *state;
    const uint64_t hash = ct_content_hash("one", 3);
    char path[CT_PATH_BYTES];
    assert_false(ct_serve_cache_has(&f->cache, hash, 3));
    assert_true(ct_serve_cache_store(&f->cache, hash, "one", 3, NULL));
    assert_true(ct_serve_cache_has(&f->cache, hash, 3));
    assert_false(ct_serve_cache_has(&f->cache, hash, 4));
    snprintf(path, sizeof(path), "%s/objects/%02x/%016llx-3", f->root, (unsigned)(hash >> 56),
             (unsigned long long)hash);
    assert_true(ct_file_write(path, "onE", 3, false, NULL));
    assert_false(ct_serve_cache_has(&f->cache, hash, 3));
    assert_true(ct_file_write(path, "on", 2, false, NULL));
    assert_false(ct_serve_cache_has(&f->cache, hash, 3));
}

static void a_content_that_cannot_be_written_is_an_error(void **state) {
    fixture *const f = *state;
    char path[CT_PATH_BYTES];
    ct_error error = {0};
    ct_path_join(path, f->root, "objects"); // a file in the way
    assert_true(ct_file_write(path, "x", 1, false, NULL));
    assert_false(ct_serve_cache_store(&f->cache, ct_content_hash("one", 3), "one", 3, &error));
    assert_non_null(strstr(error.message, "objects"));
}

static void a_list_becomes_a_data_folder(void **state) {
    fixture *const f = *state;
    ct_error error = {0};
    store_all(f);
    char stale[CT_PATH_BYTES];
    ct_path_join(stale, f->cache.data_folder, "0000000000000007-0000000000000009");
    assert_true(ct_file_write(stale, "old", 3, false, NULL));
    assert_true(ct_serve_cache_place(&f->cache, NULL, &f->source.files, &f->changed, &error));
    expect_file(f, f->cache.data_folder, 1, "one");
    expect_file(f, f->cache.data_folder, 0, "catalog");
    expect_file(f, f->cache.data_folder, 9, NULL);
    assert_int_equal(f->changed.count, 2);
    assert_string_equal(ct_path_file_name(f->cache.project_folder), "game");
    // Placed again, all is there already.
    assert_true(ct_serve_cache_place(&f->cache, NULL, &f->source.files, &f->changed, &error));
    expect_file(f, f->cache.data_folder, 1, "one");
}

static void only_what_changed_is_reported(void **state) {
    fixture *const f = *state;
    ct_error error = {0};
    ct_serve_source next;
    ct_serve_source_init(&next, test_heap(), "game", test_scratch_folder());
    store_all(f);
    assert_true(ct_serve_cache_place(&f->cache, NULL, &f->source.files, &f->changed, &error));
    // 1 is another, 2 is gone, 3 is new.
    served_put_text(&next, 1, "one, later");
    served_put_text(&next, 3, "three");
    served_put_text(&next, 0, "catalog, later");
    for (uint32_t i = 0; i < next.files.count; ++i) {
        static const char *const texts[] = {"one, later", "three", "catalog, later"};
        const ct_serve_file *const file = &next.files.items[i];
        assert_true(
            ct_serve_cache_store(&f->cache, file->hash, texts[i], file->size_bytes, &error));
    }
    f->changed.count = 0;
    assert_true(
        ct_serve_cache_place(&f->cache, &f->source.files, &next.files, &f->changed, &error));
    assert_int_equal(f->changed.count, 2);
    assert_true(f->changed.items[0].name.value == 1 && f->changed.items[1].name.value == 3);
    expect_file(f, f->cache.data_folder, 1, "one, later");
    expect_file(f, f->cache.data_folder, 2, NULL);
    expect_file(f, f->cache.data_folder, 0, "catalog, later");
    ct_serve_source_free(&next);
}

static void a_variant_that_is_gone_changes_its_resource(void **state) {
    fixture *const f = *state;
    ct_error error = {0};
    store_all(f);
    // 2 was a variant of 1.
    f->source.files.items[1].base.value = 1;
    assert_true(ct_serve_cache_place(&f->cache, NULL, &f->source.files, &f->changed, &error));
    ct_serve_file_array less;
    ct_array_init(&less, test_heap());
    ct_array_push(&less, f->source.files.items[0]);
    ct_array_push(&less, f->source.files.items[2]);
    f->changed.count = 0;
    assert_true(ct_serve_cache_place(&f->cache, &f->source.files, &less, &f->changed, &error));
    assert_int_equal(f->changed.count, 1);
    assert_true(f->changed.items[0].name.value == 1);
    ct_array_free(&less);
}

static void a_list_with_a_content_that_is_missing_leaves_the_catalog(void **state) {
    fixture *const f = *state;
    ct_error error = {0};
    store_all(f);
    assert_true(ct_serve_cache_place(&f->cache, NULL, &f->source.files, &f->changed, &error));
    ct_serve_file_array wrong;
    ct_array_init(&wrong, test_heap());
    ct_array_push_many(&wrong, f->source.files.items, f->source.files.count);
    wrong.items[0].hash = 1;
    wrong.items[2].hash = 2;
    assert_false(ct_serve_cache_place(&f->cache, &f->source.files, &wrong, &f->changed, &error));
    expect_file(f, f->cache.data_folder, 1, "one");
    expect_file(f, f->cache.data_folder, 0, "catalog");
    ct_array_free(&wrong);
}

static void engines_have_data_folders_of_their_own_and_share_contents(void **state) {
    fixture *const f = *state;
    ct_serve_cache second, third;
    ct_error error = {0};
    assert_true(
        ct_serve_cache_open(&second, test_heap(), f->root, "here:1", "samples/game", &error));
    assert_string_not_equal(second.data_folder, f->cache.data_folder);
    store_all(f);
    assert_true(ct_serve_cache_place(&second, NULL, &f->source.files, &f->changed, &error));
    ct_serve_cache_close(&f->cache);
    assert_true(
        ct_serve_cache_open(&third, test_heap(), f->root, "here:1", "samples/game", &error));
    assert_string_equal(third.data_folder, f->cache.data_folder);
    ct_serve_cache_close(&third);
    ct_serve_cache_close(&second);
    assert_true(
        ct_serve_cache_open(&f->cache, test_heap(), f->root, "here:2", "../../etc", &error));
    assert_non_null(strstr(f->cache.project_folder, f->root));
    assert_string_equal(ct_path_file_name(f->cache.project_folder), "etc");
    assert_null(strstr(f->cache.project_folder, ".."));
}

static void contents_without_a_data_folder_are_removed_when_old(void **state) {
    fixture *const f = *state;
    ct_error error = {0};
    store_all(f);
    assert_true(ct_serve_cache_place(&f->cache, NULL, &f->source.files, &f->changed, &error));
    const uint64_t unused = ct_content_hash("unused", 6), used = ct_content_hash("one", 3);
    assert_true(ct_serve_cache_store(&f->cache, unused, "unused", 6, NULL));
    ct_serve_cache_remove_unused(&f->cache, ct_os_wall_time_ns() - 1000000000000ll);
    assert_true(ct_serve_cache_has(&f->cache, unused, 6));
    ct_serve_cache_remove_unused(&f->cache, ct_os_wall_time_ns() + 1000000000ll);
    assert_false(ct_serve_cache_has(&f->cache, unused, 6));
    assert_true(ct_serve_cache_has(&f->cache, used, 3));
}

static void programs_can_be_run(void **state) {
    fixture *const f = *state;
    ct_error error = {0};
    ct_serve_file_array programs;
    ct_array_init(&programs, test_heap());
    const char script[] = "#!/bin/true\n";
    const uint32_t bytes = sizeof(script) - 1;
    const ct_serve_file program = {.hash = ct_content_hash(script, bytes),
                                   .size_bytes = bytes,
                                   .kind = CT_SERVE_FILE_KIND_ENGINE};
    ct_array_push(&programs, program);
    assert_true(ct_serve_cache_store(&f->cache, program.hash, script, bytes, &error));
    assert_true(ct_serve_cache_place_engine(&f->cache, &programs, &error));
    char path[CT_PATH_BYTES];
    ct_path_join(path, f->cache.data_folder, "cuttle");
    const char *const arguments[] = {path, NULL};
    const ct_process process = ct_process_start(&(ct_process_desc){.arguments = arguments}, &error);
    assert_int_equal(ct_process_wait(process), 0);
    ct_array_free(&programs);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(contents_are_there_once_stored_and_not_when_damaged, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_content_that_cannot_be_written_is_an_error, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_list_becomes_a_data_folder, set_up, tear_down),
        cmocka_unit_test_setup_teardown(only_what_changed_is_reported, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_variant_that_is_gone_changes_its_resource, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_list_with_a_content_that_is_missing_leaves_the_catalog,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(engines_have_data_folders_of_their_own_and_share_contents,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(contents_without_a_data_folder_are_removed_when_old, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(programs_can_be_run, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
