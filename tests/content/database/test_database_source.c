// Random sources in a database: what was imported, edited and imported again comes back, and leaves nothing behind.
#include "content/database/database_files.h"
#include "content/database/database_project_fixture.h"
#include "content/database/database_source.h"

#include "content/value_compare.h"
#include "foundation/sjson/sjson.h"
#include "support/random_tree.h"

static ct_sjson *parse(const char *text) {
    return ct_sjson_parse(test_heap(), text, strlen(text), "t.sjson", NULL, NULL);
}

// Imports without a look at warnings.
static void import(ct_database *db, const char *folder) {
    ct_error error = {0};
    ct_database_report report;
    ct_database_report_init(&report, test_heap());
    if (!ct_database_import(test_heap(), db, folder, false, &report, &error))
        fail_msg("import: %s", error.message);
    project_commit(db);
    assert_true(ct_database_import_done(db, folder, &report, &error));
    ct_database_report_free(&report);
}

// The objects of the file say what the text says.
static void expect_objects(const ct_database *db, const char *text) {
    ct_error error = {0};
    ct_string_array warnings;
    ct_array_init(&warnings, test_heap());
    ct_database_source source;
    ct_sjson *const doc = parse(text);
    const ct_guid top = project_object(db, "t.sjson", "");
    if (!ct_database_source_read(&source, test_heap(), db, top, "t.sjson", &warnings, &error))
        fail_msg("%s\n%s", error.message, text);
    assert_int_equal(warnings.count, 0);
    assert_true(ct_value_is_equal(test_heap(), (ct_content_value){doc, ct_sjson_root(doc)},
                                  (ct_content_value){source.doc, ct_sjson_root(source.doc)}));
    ct_database_source_free(&source);
    ct_sjson_free(doc);
    ct_array_free(&warnings);
}

// A database that only ever had this text has as many objects.
static void expect_no_garbage(const ct_database *db, const char *text) {
    ct_database *const fresh = project_database();
    char folder[CT_PATH_BYTES];
    project_folder(folder);
    project_write(folder, "t.sjson", text);
    import(fresh, folder);
    assert_int_equal(ct_database_num_objects(db), ct_database_num_objects(fresh));
    ct_database_close(fresh);
}

static void write_edited(uint32_t *random, const char *text, ct_string_builder *out) {
    ct_sjson *const doc = parse(text);
    ct_string_builder_clear(out);
    random_tree_write_edited(random, 1 + test_random(random) % 10, doc, out);
    ct_sjson_free(doc);
}

// The next text that is an object without repeated keys.
static bool is_source(const char *text) {
    ct_sjson *const doc = parse(text);
    ct_sjson_free(doc);
    return doc != NULL;
}

static void edited_sources_come_back(void **state) {
    (void)state;
    uint32_t random = 11;
    for (uint32_t round = 0; round < test_rounds(30, 600); ++round) {
        ct_string_builder text, next;
        ct_string_builder_init(&text, test_heap());
        ct_string_builder_init(&next, test_heap());
        random_tree_write(&random, &text);
        ct_database *const db = project_database();
        char folder[CT_PATH_BYTES], other[CT_PATH_BYTES];
        project_folder(folder);
        project_folder(other);
        for (uint32_t i = 0; i < 4 && is_source(ct_string_builder_text(&text)); ++i) {
            const char *const now = ct_string_builder_text(&text);
            project_write(folder, "t.sjson", now);
            import(db, folder);
            expect_objects(db, now);
            expect_no_garbage(db, now);
            project_export(db, other);
            project_expect(other, "t.sjson", now);
            write_edited(&random, now, &next);
            const ct_string_builder swapped = text;
            text = next;
            next = swapped;
        }
        ct_database_close(db);
        ct_string_builder_free(&text);
        ct_string_builder_free(&next);
    }
}

// Objects of one text under the content of another: the export says what the objects say.
static void other_texts_take_the_difference(void **state) {
    (void)state;
    uint32_t random = 5;
    uint32_t num_tried = 0;
    for (uint32_t round = 0; round < test_rounds(30, 600); ++round) {
        ct_string_builder text, next, out;
        ct_string_builder_init(&text, test_heap());
        ct_string_builder_init(&next, test_heap());
        ct_string_builder_init(&out, test_heap());
        random_tree_write(&random, &text);
        if (is_source(ct_string_builder_text(&text)))
            write_edited(&random, ct_string_builder_text(&text), &next);
        if (next.length > 0 && is_source(ct_string_builder_text(&next))) {
            const ct_database_source source = {.doc = parse(ct_string_builder_text(&next))};
            ct_string_array warnings;
            ct_array_init(&warnings, test_heap());
            ct_error error = {0};
            assert_true(ct_database_source_text(test_heap(), &source, "t.sjson",
                                                ct_string_builder_text(&text), text.length, &out,
                                                &warnings, &error));
            assert_int_equal(warnings.count, 0); // it was not written in the usual format
            ct_sjson *const written = parse(ct_string_builder_text(&out));
            assert_non_null(written);
            assert_true(
                ct_value_is_equal(test_heap(), (ct_content_value){written, ct_sjson_root(written)},
                                  (ct_content_value){source.doc, ct_sjson_root(source.doc)}));
            ct_sjson_free(written);
            ct_sjson_free(source.doc);
            ct_array_free(&warnings);
            ++num_tried;
        }
        ct_string_builder_free(&text);
        ct_string_builder_free(&next);
        ct_string_builder_free(&out);
    }
    assert_true(num_tried > 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edited_sources_come_back),
        cmocka_unit_test(other_texts_take_the_difference),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
