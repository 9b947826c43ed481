// The record of the list that an engine had last: its bytes, and what is checked before it is used.
#include "dev/serve/served_files.h"

#include "dev/serve/serve_record.h"

enum { VERSIONS = 77, TIME = 1234567890 };

typedef struct fixture {
    ct_serve_source source;
    const char *root;
    ct_serve_cache cache;
    ct_serve_record record, found;
} fixture;

// Fills the cache with the source's files, and keeps their record.
static int set_up(void **state) {
    static fixture f;
    f = (fixture){.root = test_scratch_folder()};
    served_init(&f.source);
    assert_true(ct_serve_cache_open(&f.cache, test_heap(), f.root, "here:1", "game", NULL));
    for (uint32_t i = 0; i < f.source.files.count; ++i) {
        const ct_serve_file *const file = &f.source.files.items[i];
        char name[CT_RESOURCE_FILE_NAME_BYTES], path[CT_PATH_BYTES];
        uint64_t size_bytes = 0;
        ct_serve_file_name(file, name);
        ct_path_join(path, f.source.folder, name);
        char *const bytes = ct_file_read(test_heap(), path, &size_bytes, NULL);
        assert_true(ct_serve_cache_store(&f.cache, file->hash, bytes, file->size_bytes, NULL));
        ct_free(test_heap(), bytes);
    }
    f.record = (ct_serve_record){.files = f.source.files, .versions = VERSIONS, .time_ns = TIME};
    ct_array_init(&f.found.files, test_heap());
    assert_false(ct_serve_record_exists(&f.cache));
    assert_true(ct_serve_record_keep(&f.cache, &f.record, NULL));
    *state = &f;
    return 0;
}

static int tear_down(void **state) {
    fixture *const f = *state;
    ct_array_free(&f->found.files);
    ct_serve_cache_close(&f->cache);
    ct_serve_source_free(&f->source);
    return 0;
}

static void what_is_kept_is_recalled(void **state) {
    fixture *const f = *state;
    ct_error error = {0};
    assert_true(ct_serve_record_exists(&f->cache));
    assert_true(ct_serve_record_recall(&f->cache, VERSIONS, &f->found, &error));
    assert_int_equal(f->found.time_ns, TIME);
    assert_int_equal(f->found.files.count, 3);
    for (uint32_t i = 0; i < 3; ++i) {
        assert_int_equal(f->found.files.items[i].hash, f->record.files.items[i].hash);
        assert_int_equal(f->found.files.items[i].kind, f->record.files.items[i].kind);
    }
    f->record.time_ns = TIME + 1; // the next one takes its place
    assert_true(ct_serve_record_keep(&f->cache, &f->record, NULL));
    assert_true(ct_serve_record_recall(&f->cache, VERSIONS, &f->found, &error));
    assert_int_equal(f->found.time_ns, TIME + 1);
}

static void expect_refused(fixture *f, uint64_t versions, const char *reason) {
    ct_error error = {0};
    assert_false(ct_serve_record_recall(&f->cache, versions, &f->found, &error));
    assert_non_null(strstr(error.message, reason));
    assert_int_equal(f->found.files.count, 0);
}

static void data_of_other_versions_is_refused(void **state) {
    expect_refused(*state, VERSIONS + 1, "it was fetched by another version of Cuttle");
    assert_int_not_equal(ct_serve_versions(), 0); // that of programs
}

static void missing_and_damaged_contents_are_found(void **state) {
    fixture *const f = *state;
    char path[CT_PATH_BYTES];
    const ct_serve_file *const catalog = &f->source.files.items[2];
    snprintf(path, sizeof(path), "%s/objects/%02x/%016llx-%x", f->root,
             (unsigned)(catalog->hash >> 56), (unsigned long long)catalog->hash,
             catalog->size_bytes);
    assert_true(ct_file_write(path, "Catalog", 7, false, NULL));
    expect_refused(f, VERSIONS, "1 of its 3 files are missing or damaged");
    ct_os_file_remove(path, NULL);
    expect_refused(f, VERSIONS, "1 of its 3 files are missing or damaged");
}

static void each_server_and_project_has_its_own(void **state) {
    fixture *const f = *state;
    static const char *const others[][2] = {
        {"here:2", "game"}, {"here:1", "games"}, {"here:1", ""}, {"here:1", NULL}};
    for (uint32_t i = 0; i < CT_COUNT_OF(others); ++i) {
        ct_serve_cache other;
        assert_true(
            ct_serve_cache_open(&other, test_heap(), f->root, others[i][0], others[i][1], NULL));
        assert_false(ct_serve_record_exists(&other));
        ct_serve_cache_close(&other);
    }
    ct_serve_cache second; // another engine of the same has the same
    assert_true(ct_serve_cache_open(&second, test_heap(), f->root, "here:1", "game", NULL));
    assert_true(ct_serve_record_exists(&second));
    ct_serve_cache_close(&second);
}

static void each_changed_bit_and_each_cut_is_found(void **state) {
    fixture *const f = *state;
    ct_byte_array bytes;
    ct_array_init(&bytes, test_heap());
    ct_serve_record_write(&f->record, &bytes);
    assert_true(ct_serve_record_read(bytes.items, bytes.count, &f->found, NULL));
    for (uint32_t i = 0; i < 8 * bytes.count; ++i) {
        ct_error error = {0};
        bytes.items[i / 8] ^= (uint8_t)(1 << i % 8);
        assert_false(ct_serve_record_read(bytes.items, bytes.count, &f->found, &error));
        assert_string_not_equal(error.message, "");
        assert_int_equal(f->found.files.count, 0);
        bytes.items[i / 8] ^= (uint8_t)(1 << i % 8);
    }
    for (uint32_t i = 0; i < bytes.count; ++i)
        assert_false(ct_serve_record_read(bytes.items, i, &f->found, NULL));
    ct_array_free(&bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_is_kept_is_recalled, set_up, tear_down),
        cmocka_unit_test_setup_teardown(data_of_other_versions_is_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(missing_and_damaged_contents_are_found, set_up, tear_down),
        cmocka_unit_test_setup_teardown(each_server_and_project_has_its_own, set_up, tear_down),
        cmocka_unit_test_setup_teardown(each_changed_bit_and_each_cut_is_found, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
