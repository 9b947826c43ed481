#include "resource/data_index.h"

#include "foundation/os/file.h"
#include "foundation/os/path.h"
#include "resource/blob/blob_walk.h"
#include "resource/data_index_fixture.h"

static ct_data_index *make(ct_blob_writer *w) {
    write_data_index(w);
    return (ct_data_index *)(void *)w->bytes.items;
}

static ct_data_index_entry *entry(ct_data_index *index, uint32_t i) {
    return ITEM(ct_data_index_entry, index, index->entries, i);
}

static void finds_entries_by_id(void **state) {
    (void)state;
    ct_blob_writer w;
    ct_data_index *const index = make(&w);
    assert_accepted(ct_data_index_validate, index);
    walk_data_index(index);
    const ct_data_index_entry *const e =
        ct_data_index_find(index, ct_resource_id_of("unit", "units/box"));
    assert_ptr_equal(e, entry(index, 1));
    assert_string_equal(ct_blob_at(index, e->source.offset), "units/box.unit");
    assert_null(ct_data_index_find(index, ct_resource_id_of("unit", "units/bx")));
    assert_null(ct_data_index_find(index, ct_resource_id_of("level", "units/box")));
    ct_blob_writer_free(&w);
}

typedef struct visit_list {
    const ct_data_index_entry *entries[4];
    uint32_t count;
} visit_list;

static void visit(void *user, const ct_data_index_entry *e) {
    visit_list *const list = user;
    assert_true(list->count < CT_COUNT_OF(list->entries));
    list->entries[list->count++] = e;
}

static void visits_what_is_needed_first_and_once(void **state) {
    (void)state;
    ct_blob_writer w;
    ct_data_index *const index = make(&w);
    const ct_data_index_entry *const wood = entry(index, 0), *const box = entry(index, 1);
    visit_list list = {0};
    // It refers to a shader that is not in the index.
    ct_data_index_each_needed(index, wood, test_heap(), visit, &list);
    assert_int_equal(list.count, 1);
    assert_ptr_equal(list.entries[0], wood);
    // Both refer to the box.
    ITEM(ct_data_index_reference, index, entry(index, 0)->references, 0)->id = box->id;
    entry(index, 1)->references = entry(index, 0)->references;
    list.count = 0;
    ct_data_index_each_needed(index, wood, test_heap(), visit, &list);
    assert_int_equal(list.count, 2);
    assert_ptr_equal(list.entries[0], box);
    assert_ptr_equal(list.entries[1], wood);
    // Who leads to itself is visited once.
    list.count = 0;
    ITEM(ct_data_index_reference, index, box->references, 0)->id = wood->id;
    ct_data_index_each_needed(index, wood, test_heap(), visit, &list);
    assert_int_equal(list.count, 1);
    assert_ptr_equal(list.entries[0], wood);
    ct_blob_writer_free(&w);
}

static void finds_variants_by_their_names_with_properties(void **state) {
    (void)state;
    ct_blob_writer w;
    ct_data_index *const index = make(&w);
    const ct_data_index_entry *const box = entry(index, 1);
    assert_ptr_equal(ct_data_index_find_variant(index, "unit", "units/box"), box);
    assert_null(ct_data_index_find_variant(index, "unit", "units/box.fr"));
    assert_null(ct_data_index_find_variant(index, "unit", "units/bx"));
    assert_null(ct_data_index_find_variant(index, "level", "units/box"));
    entry(index, 1)->id = ct_resource_id_of("unit", "units/box.fr");
    assert_ptr_equal(ct_data_index_find_variant(index, "unit", "units/box.fr"), box);
    assert_null(ct_data_index_find_variant(index, "unit", "units/box"));
    ct_blob_writer_free(&w);
}

static void refuses_texts_outside_the_blob(void **state) {
    (void)state;
    ct_blob_writer w;
    ct_data_index *const index = make(&w);
    entry(index, 1)->source.bytes = 10000;
    assert_refused(ct_data_index_validate, index, "entries[1].source: text of 10000 bytes");
    ITEM(ct_data_index_error, index, entry(index, 0)->warnings, 0)->file.offset = 1;
    assert_refused(ct_data_index_validate, index, "entries[0].warnings.file");
    ITEM(ct_data_index_error, index, entry(index, 0)->errors, 0)->message.offset = 1;
    assert_refused(ct_data_index_validate, index, "entries[0].errors.message");
    ITEM(ct_data_index_reference, index, entry(index, 0)->references, 0)->name.offset = 1;
    assert_refused(ct_data_index_validate, index, "entries[0].references.name");
    ITEM(ct_data_index_reference, index, entry(index, 0)->references, 0)->name =
        entry(index, 0)->name;
    ITEM(ct_data_index_reference, index, entry(index, 0)->references, 0)->include = 1;
    assert_refused(ct_data_index_validate, index, "unknown type 0 of 1, or file 1 of 1");
    ITEM(ct_data_index_reference, index, entry(index, 0)->references, 0)->include = 0;
    ITEM(ct_data_index_reference, index, entry(index, 0)->references, 0)->type = 1;
    assert_refused(ct_data_index_validate, index, "unknown type 1 of 1, or file 0 of 1");
    ITEM(ct_data_index_include, index, entry(index, 0)->includes, 0)->path.offset = 1;
    assert_refused(ct_data_index_validate, index, "entries[0].includes.path");
    ((ct_data_index_type *)ct_blob_at(index, index->types.offset))->name.offset = 1;
    assert_refused(ct_data_index_validate, index, "types.name");
    ct_blob_writer_free(&w);
}

static void refuses_lists_outside_the_blob(void **state) {
    (void)state;
    ct_blob_writer w;
    ct_data_index *const index = make(&w);
    index->types.count = 1000;
    assert_refused(ct_data_index_validate, index, "types: 1000 of 16 bytes");
    index->types.count = 1;
    entry(index, 0)->warnings.count = 1000;
    assert_refused(ct_data_index_validate, index, "entries[0].warnings: 1000 of 24 bytes");
    entry(index, 0)->errors.count = 1000;
    assert_refused(ct_data_index_validate, index, "entries[0].errors: 1000 of 24 bytes");
    entry(index, 0)->references.count = 1000;
    assert_refused(ct_data_index_validate, index, "entries[0].references: 1000 of 40 bytes");
    ++entry(index, 0)->includes.offset;
    assert_refused(ct_data_index_validate, index, "entries[0].includes: at offset");
    index->entries.count = 1000;
    assert_refused(ct_data_index_validate, index, "entries: 1000 of 104 bytes");
    ct_blob_writer_free(&w);
}

static void refuses_ids_that_are_not_the_names(void **state) {
    (void)state;
    ct_blob_writer w;
    ct_data_index *const index = make(&w);
    ++entry(index, 0)->id.name.value;
    assert_refused(ct_data_index_validate, index, "entries[0]: its ids do not match its type");
    ct_blob_writer_free(&w);
}

static void refuses_entries_out_of_order(void **state) {
    (void)state;
    ct_blob_writer w;
    ct_data_index *const index = make(&w);
    const ct_data_index_entry first = *entry(index, 0);
    *entry(index, 0) = *entry(index, 1);
    *entry(index, 1) = first;
    assert_refused(ct_data_index_validate, index, "entries[1]: out of order");
    *entry(index, 0) = first;
    assert_refused(ct_data_index_validate, index, "entries[1]: out of order");
    ct_blob_writer_free(&w);
}

static void reads_an_index_from_disk(void **state) {
    (void)state;
    const char *const folder = test_scratch_folder();
    char path[CT_PATH_BYTES];
    ct_path_join(path, folder, CT_DATA_INDEX_FILE);
    ct_error error = {0};
    assert_null(ct_data_index_read(test_heap(), folder, &error));
    assert_true(strstr(error.message, path) || strstr(error.file, path));
    ct_blob_writer w;
    make(&w);
    assert_true(ct_file_write(path, w.bytes.items, w.bytes.count, false, &error));
    const ct_data_index *const index = ct_data_index_read(test_heap(), folder, &error);
    assert_non_null(index);
    assert_int_equal(index->entries.count, 2);
    ct_free(test_heap(), (void *)(uintptr_t)index);
    ct_blob_writer_free(&w);
}

static void refuses_a_damaged_index_on_disk(void **state) {
    (void)state;
    const char *const folder = test_scratch_folder();
    char path[CT_PATH_BYTES];
    ct_path_join(path, folder, CT_DATA_INDEX_FILE);
    ct_blob_writer w;
    make(&w);
    w.bytes.items[60] ^= 4;
    ct_error error = {0};
    assert_true(ct_file_write(path, w.bytes.items, w.bytes.count, false, &error));
    assert_null(ct_data_index_read(test_heap(), folder, &error));
    assert_message(&error, "the index of compiled data is refused: damaged: its checksum");
    assert_string_equal(error.file, path);
    ct_blob_writer_free(&w);
}

// Every word set to something evil: refused with a reason, or read to the end without harm.
static void damaged_words_do_no_harm(void **state) {
    (void)state;
    const uint32_t evil[] = {0, 1, 31, 33, 255, 0x7fffffff, UINT32_MAX};
    ct_blob_writer w;
    const uint32_t bytes = (make(&w), w.bytes.count);
    for (uint32_t at = sizeof(ct_blob_header); at + 4 <= bytes; at += 4) {
        for (uint32_t k = 0; k < CT_COUNT_OF(evil); ++k) {
            ct_data_index *const copy = ct_alloc(test_heap(), bytes);
            memcpy(copy, w.bytes.items, bytes);
            memcpy((char *)copy + at, &evil[k], 4);
            ct_error error = {0};
            if (ct_data_index_validate(copy, &error))
                walk_data_index(copy);
            else
                assert_true(error.message[0] != 0);
            ct_free(test_heap(), copy);
        }
    }
    ct_blob_writer_free(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_entries_by_id),
        cmocka_unit_test(visits_what_is_needed_first_and_once),
        cmocka_unit_test(finds_variants_by_their_names_with_properties),
        cmocka_unit_test(refuses_texts_outside_the_blob),
        cmocka_unit_test(refuses_lists_outside_the_blob),
        cmocka_unit_test(refuses_ids_that_are_not_the_names),
        cmocka_unit_test(refuses_entries_out_of_order),
        cmocka_unit_test(reads_an_index_from_disk),
        cmocka_unit_test(refuses_a_damaged_index_on_disk),
        cmocka_unit_test(damaged_words_do_no_harm),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
